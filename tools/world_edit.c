/* SPDX-License-Identifier: MIT */
/* voxphys world edit: writes voxels, boxes and spheres into a world, one after the other, and saves it. Nothing is saved
 * unless every edit can be made. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dataset.h"
#include "tools/line_file.h"
#include "tools/world.h"

enum { MOST_EDITS = 1 << 24 };

typedef struct edits {
    vp_edit *edit;
    uint32_t count, capacity;
} edits;

/* ---- reading ---- */

#define FORMS "voxel X Y Z MATERIAL [OCCUPANCY], box X Y Z X Y Z MATERIAL [OCCUPANCY] or sphere X Y Z RADIUS MATERIAL [OCCUPANCY]"

static bool whole(const char *text, int64_t low, int64_t high, int32_t *out)
{
    char *end;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || value < low || value > high)
        return false;
    *out = (int32_t)value;
    return true;
}

/* "X" of a message: the word that is wrong, or that a word is missing. */
static vp_status wrong(vp_error *error, const char *word, const char *what)
{
    return vp_fail(error, VP_E_FORMAT, "\"%.40s\" is %s", word, what);
}

static vp_status read_voxel(char *const *word, size_t words, vp_voxel *out, vp_error *error)
{
    int32_t material, occupancy = 255;
    if (!whole(word[0], 0, 255, &material))
        return wrong(error, word[0], "no material, a whole number from 0 to 255");
    if (material == VP_AIR)
        occupancy = 0;
    if (words == 2 && !whole(word[1], 0, 255, &occupancy))
        return wrong(error, word[1], "no occupancy, a whole number from 0 to 255");
    *out = (vp_voxel){(uint8_t)material, (uint8_t)occupancy};
    return VP_OK;
}

static vp_status read_corner(char *const *word, vp_ivec3 *out, vp_error *error)
{
    int32_t *const to[3] = {&out->x, &out->y, &out->z};
    for (int k = 0; k < 3; k++)
        if (!whole(word[k], INT32_MIN, INT32_MAX, to[k]))
            return wrong(error, word[k], "no whole number of 32 bits");
    return VP_OK;
}

static vp_status read_sphere(char *const *word, vp_edit *out, vp_error *error)
{
    float *const to[4] = {&out->centre.x, &out->centre.y, &out->centre.z, &out->radius};
    for (int k = 0; k < 4; k++)
        if (!vp_text_float(word[k], to[k]))
            return wrong(error, word[k], "no number that a 32-bit float holds");
    return VP_OK;
}

/* One edit in words, which are cut apart in `text`. *found is false if there are none. */
static vp_status read_edit(char *text, vp_edit *out, bool *found, vp_error *error)
{
    enum { MOST = 9 };
    static const struct {
        const char *name;
        size_t place; /* words that say where */
    } shapes[] = {{"voxel", 3}, {"box", 6}, {"sphere", 4}};
    char *word[MOST];
    size_t count = 0, s = 0;
    char *rest;
    for (char *at = strtok_r(text, " \t\r,", &rest); at != NULL && at[0] != '#'; at = strtok_r(NULL, " \t\r,", &rest)) {
        if (count == MOST)
            return wrong(error, at, "a word too many: " FORMS);
        word[count++] = at;
    }
    *found = count != 0;
    if (count == 0)
        return VP_OK;
    while (s < 3 && strcmp(word[0], shapes[s].name) != 0)
        s++;
    if (s == 3)
        return wrong(error, word[0], "no edit: " FORMS);
    const size_t least = 1 + shapes[s].place + 1;
    if (count < least || count > least + 1)
        return vp_fail(error, VP_E_FORMAT, "%zu numbers behind \"%s\": " FORMS, count - 1, shapes[s].name);
    memset(out, 0, sizeof *out);
    vp_status status = s == 2 ? read_sphere(word + 1, out, error) : read_corner(word + 1, &out->low, error);
    if (status == VP_OK && s == 1)
        status = read_corner(word + 4, &out->high, error);
    out->shape = s == 0 ? VP_EDIT_VOXEL : s == 1 ? VP_EDIT_BOX : VP_EDIT_SPHERE;
    return status == VP_OK ? read_voxel(word + least - 1, count - least + 1, &out->voxel, error) : status;
}

static vp_status add(edits *to, const vp_edit *edit, vp_error *error)
{
    if (to->count == to->capacity) {
        const uint32_t capacity = to->capacity * 2 + 64;
        vp_edit *more = capacity <= 2u * MOST_EDITS ? realloc(to->edit, capacity * sizeof *more) : NULL;
        if (more == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for %u edits", capacity);
        to->edit = more;
        to->capacity = capacity;
    }
    to->edit[to->count++] = *edit;
    return VP_OK;
}

static vp_status read_lines(FILE *file, edits *to, vp_error *error)
{
    char line[VP_LINE_BYTES + 1];
    size_t length;
    for (uint32_t number = 1; vp_next_line(file, line, &length); number++) {
        vp_edit edit;
        bool found = false;
        vp_error why;
        if (length == VP_LINE_BYTES || memchr(line, '\0', length) != NULL)
            return vp_fail(error, VP_E_FORMAT, "line %u: it is no text of at most %d bytes", number, VP_LINE_BYTES - 1);
        line[length] = '\0';
        vp_status status = read_edit(line, &edit, &found, &why);
        if (status != VP_OK)
            return vp_fail(error, status, "line %u: %s", number, why.message);
        if (found)
            status = add(to, &edit, error);
        if (status != VP_OK)
            return status;
    }
    return ferror(file) ? vp_fail(error, VP_E_IO, "a part of it cannot be read") : VP_OK;
}

static vp_status read_file(const char *path, edits *to, vp_error *error)
{
    FILE *file;
    vp_status status = vp_open_lines(path, &file, error);
    if (status != VP_OK)
        return status;
    status = read_lines(file, to, error);
    fclose(file);
    if (status != VP_OK && status != VP_E_MEMORY)
        vp_name_file(error, "", path);
    return status;
}

static vp_status read_option(const char *text, edits *to, vp_error *error)
{
    char copy[VP_LINE_BYTES];
    vp_edit edit;
    bool found = false;
    vp_error why;
    if (strlen(text) >= sizeof copy)
        return vp_fail(error, VP_E_FORMAT, "--edit is longer than %d bytes", VP_LINE_BYTES - 1);
    snprintf(copy, sizeof copy, "%s", text);
    vp_status status = read_edit(copy, &edit, &found, &why);
    if (status != VP_OK)
        return vp_fail(error, status, "--edit: %s", why.message);
    return found ? add(to, &edit, error) : vp_fail(error, VP_E_FORMAT, "--edit '' says nothing: " FORMS);
}

/* ---- making ---- */

/* All edits, in order. `stale` receives the chunks that they change. */
static vp_status apply(const edits *e, vp_world *world, vp_chunk_set *stale, vp_error *error)
{
    for (uint32_t i = 0; i < e->count; i++) {
        vp_error why;
        vp_status status = vp_edit_apply(&e->edit[i], world, stale, &why);
        if (status != VP_OK)
            return vp_fail(error, status, "edit %u: %s", i + 1, why.message);
        if (i % 1024 == 0)
            vp_progress("edits", i, e->count);
    }
    vp_progress("", 1, 1);
    return VP_OK;
}

static int tell(const char *name, const char *out, bool in_place, const edits *e, uint32_t changed, bool json)
{
    if (json)
        return vp_print_json(json_pack("{s:o, s:o, s:b, s:I, s:I}", "world", vp_json_name(name), "file", vp_json_name(out), "in_place",
                                       (int)in_place, "edits", (json_int_t)e->count, "chunks_changed", (json_int_t)changed));
    printf("edits    %u made of %s; %u chunk%s changed\n", e->count, name, changed, vp_plural(changed));
    printf("file     %s%s\n", out, in_place ? ", which was read: the new world is in the old one's place" : "");
    return VP_EXIT_DONE;
}

int vp_world_edit(int argc, char **argv)
{
    const char *edit[VP_OPTION_MANY + 1], *file, *out, *json;
    const vp_option options[] = {
        {"-o", "OUT", "the file to save to; WORLD's own is allowed, and is replaced as a whole", &out},
        {"--edit", "EDIT...", "one edit in words; may be given 64 times, in order", edit},
        {"--edits", "FILE", "edits of a file, one a line, after those of --edit; '#' begins a comment", &file},
        {"--json", NULL, "print JSON", &json},
    };
    const vp_usage usage = {"world edit", "WORLD -o OUT [OPTION...]",
                            "Writes voxels into a world (a data set's name, or a .vpw file) and saves it. An EDIT is one of\n"
                            "  voxel X Y Z MATERIAL [OCCUPANCY]\n"
                            "  box X Y Z X Y Z MATERIAL [OCCUPANCY]       from the first corner on, below the second\n"
                            "  sphere X Y Z RADIUS MATERIAL [OCCUPANCY]   voxels whose centres are within the radius\n"
                            "with blanks or commas between. Materials are 0 air, 1 water, 2 to 255 solid; occupancy is from 0 to 255\n"
                            "(255). Either all edits are made and saved, or the file stays as it is.",
                            options, sizeof options / sizeof options[0], 1, 1};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (out == NULL)
        return vp_command_usage("world edit", "-o is missing: the file to save to");
    if (out[0] == '\0')
        return vp_command_usage("world edit", "option '-o': the name of the file is empty");
    if (strcmp(out, "-") == 0)
        return vp_command_usage("world edit", "a world is not written to standard output; give -o OUT");
    vp_error error;
    edits e = {0};
    vp_named_world w = {0};
    vp_chunk_set stale = {0};
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && edit[i] != NULL; i++)
        status = read_option(edit[i], &e, &error);
    if (status == VP_OK && file != NULL)
        status = read_file(file, &e, &error);
    if (status == VP_OK && file != NULL && vp_same_file(file, out))
        status = vp_fail(&error, VP_E_ARGUMENT, "-o %s is the file that edits are read from", vp_show_path(out).text);
    if (status == VP_OK)
        status = vp_named_world_open("world edit", argv[1], &w, &error);
    if (status == VP_OK && w.manifest != NULL)
        status = vp_dataset_check_out(w.manifest, argv[1], out, &error);
    if (status == VP_OK)
        status = vp_chunk_set_create(vp_world_chunks(w.world), NULL, &stale, &error);
    if (status == VP_OK)
        status = apply(&e, w.world, &stale, &error);
    const bool in_place = status == VP_OK && vp_is_file_name(argv[1], ".vpw") && vp_same_file(argv[1], out);
    if (status == VP_OK)
        status = vp_world_save(w.world, (const char *)w.note.bytes, out, &error);
    code = status != VP_OK ? vp_command_fail("world edit", &error)
                           : tell(argv[1], out, in_place, &e, vp_chunk_set_count(&stale), json != NULL);
    vp_chunk_set_destroy(&stale);
    vp_named_world_close(&w);
    free(e.edit);
    return code;
}
