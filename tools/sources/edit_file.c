/* SPDX-License-Identifier: MIT */
#include "tools/sources/edit_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/program.h"
#include "host/line_file.h"
#include "host/bytes.h"

/* ---- edits in words ---- */

#define VOXEL  "voxel X Y Z "
#define BOX    "box X Y Z X Y Z "
#define SPHERE "sphere X Y Z RADIUS "

/* The words after a place: of voxels and of blocks. */
static const char *const contents[] = {"MATERIAL [OCCUPANCY]", "TYPE"};
static const char *const forms[] = {VOXEL "MATERIAL [OCCUPANCY], " BOX "MATERIAL [OCCUPANCY] or " SPHERE "MATERIAL [OCCUPANCY]",
                                    VOXEL "TYPE, " BOX "TYPE or " SPHERE "TYPE"};

static bool whole(const char *text, int64_t low, int64_t high, int32_t *out)
{
    char *end;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || value < low || value > high)
        return false;
    *out = (int32_t)value;
    return true;
}

/* Reports an invalid or missing word. */
static vp_status wrong(vp_error *error, const char *word, const char *what)
{
    return vp_fail(error, VP_E_FORMAT, "\"%.40s\" is not %s", word, what);
}

static vp_status read_voxel(char *const *word, size_t words, vp_voxel *out, vp_error *error)
{
    int32_t material, occupancy = 255;
    if (!whole(word[0], 0, 255, &material))
        return wrong(error, word[0], "a material, a whole number from 0 to 255");
    if (material == VP_AIR)
        occupancy = 0;
    if (words == 2 && !whole(word[1], 0, 255, &occupancy))
        return wrong(error, word[1], "an occupancy, a whole number from 0 to 255");
    *out = (vp_voxel){(uint8_t)material, (uint8_t)occupancy};
    return VP_OK;
}

static vp_status read_corner(char *const *word, vp_ivec3 *out, vp_error *error)
{
    int32_t *const to[3] = {&out->x, &out->y, &out->z};
    for (int k = 0; k < 3; k++)
        if (!whole(word[k], INT32_MIN, INT32_MAX, to[k]))
            return wrong(error, word[k], "a whole number of 32 bits");
    return VP_OK;
}

static vp_status read_sphere(char *const *word, vp_edit *out, vp_error *error)
{
    float *const to[4] = {&out->centre.x, &out->centre.y, &out->centre.z, &out->radius};
    for (int k = 0; k < 4; k++)
        if (!vp_text_float(word[k], to[k]))
            return wrong(error, word[k], "a finite number that 32 bits hold");
    return VP_OK;
}

/* Reads one edit in words and cuts `text` apart. *found is false if there are none. */
static vp_status read_edit(char *text, bool of_blocks, vp_edit *out, bool *found, vp_error *error)
{
    enum { MAX = 9 };
    static const struct {
        const char *name, *form;
        size_t place; /* words of the place */
    } shapes[] = {{"voxel", VOXEL, 3}, {"box", BOX, 6}, {"sphere", SPHERE, 4}};
    char *word[MAX];
    size_t count = 0, s = 0;
    char *rest;
    if (vp_text_has_empty_word(text))
        return vp_fail(error, VP_E_FORMAT, "a comma without a word before or after it: %.60s", text);
    for (char *at = strtok_r(text, " \t\r,", &rest); at != NULL && at[0] != '#'; at = strtok_r(NULL, " \t\r,", &rest)) {
        if (count == MAX)
            return vp_fail(error, VP_E_FORMAT, "\"%.40s\" is a word too many: %s", at, forms[of_blocks]);
        word[count++] = at;
    }
    *found = count != 0;
    if (count == 0)
        return VP_OK;
    while (s < 3 && strcmp(word[0], shapes[s].name) != 0)
        s++;
    if (s == 3)
        return vp_fail(error, VP_E_FORMAT, "\"%.40s\" is not an edit: %s", word[0], forms[of_blocks]);
    const size_t least = 1 + shapes[s].place + 1;
    if (count < least || count > least + !of_blocks) {
        char more[16] = "";
        if (!of_blocks)
            snprintf(more, sizeof more, " or %zu", least);
        return vp_fail(error, VP_E_FORMAT, "%zu number%s: must be %zu%s after \"%s\": %s%s", count - 1, vp_plural(count - 1), least - 1,
                       more, shapes[s].name, shapes[s].form, contents[of_blocks]);
    }
    memset(out, 0, sizeof *out);
    VP_RETURN_IF_FAILED(s == 2 ? read_sphere(word + 1, out, error) : read_corner(word + 1, &out->low, error));
    if (s == 1)
        VP_RETURN_IF_FAILED(read_corner(word + 4, &out->high, error));
    out->shape = s == 0 ? VP_EDIT_VOXEL : s == 1 ? VP_EDIT_BOX : VP_EDIT_SPHERE;
    return read_voxel(word + least - 1, count - least + 1, &out->voxel, error);
}

/* ---- edits as JSON ---- */

static vp_status object_int(const vp_line_place *p, const json_t *value, const char *name, int64_t low, int64_t high, int32_t *out)
{
    if (value == NULL)
        return vp_line_missing(p, name);
    if (!json_is_integer(value) || json_integer_value(value) < low || json_integer_value(value) > high)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "\"%s\" is not a whole number from %lld to %lld", p->line, name, (long long)low,
                       (long long)high);
    *out = (int32_t)json_integer_value(value);
    return VP_OK;
}

static vp_status object_corner(const vp_line_place *p, const json_t *object, const char *name, vp_ivec3 *out)
{
    const json_t *list = json_object_get(object, name);
    int32_t *const to[3] = {&out->x, &out->y, &out->z};
    if (list == NULL)
        return vp_line_missing(p, name);
    if (json_array_size(list) != 3)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "\"%s\" is not a list of three numbers", p->line, name);
    for (size_t k = 0; k < 3; k++)
        VP_RETURN_IF_FAILED(object_int(p, json_array_get(list, k), name, INT32_MIN, INT32_MAX, to[k]));
    return VP_OK;
}

static vp_status read_object(const vp_line_place *p, const json_t *object, vp_edit *out)
{
    static const size_t keys[] = {[VP_EDIT_VOXEL] = 4, [VP_EDIT_BOX] = 5, [VP_EDIT_SPHERE] = 5};
    const char *shape = json_string_value(json_object_get(object, "shape"));
    int32_t material = 0, occupancy = 0;
    memset(out, 0, sizeof *out);
    if (json_object_get(object, "shape") == NULL)
        return vp_line_missing(p, "shape");
    if (shape != NULL && strcmp(shape, "voxel") == 0) {
        out->shape = VP_EDIT_VOXEL;
        VP_RETURN_IF_FAILED(object_corner(p, object, "at", &out->low));
    } else if (shape != NULL && strcmp(shape, "box") == 0) {
        out->shape = VP_EDIT_BOX;
        VP_RETURN_IF_FAILED(object_corner(p, object, "low", &out->low));
        VP_RETURN_IF_FAILED(object_corner(p, object, "high", &out->high));
    } else if (shape != NULL && strcmp(shape, "sphere") == 0) {
        out->shape = VP_EDIT_SPHERE;
        VP_RETURN_IF_FAILED(vp_line_vec3(p, json_object_get(object, "centre"), "centre", &out->centre));
        VP_RETURN_IF_FAILED(vp_line_float(p, json_object_get(object, "radius"), "radius", &out->radius));
    } else
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "\"shape\": must be one of \"voxel\", \"box\", \"sphere\"", p->line);
    VP_RETURN_IF_FAILED(object_int(p, json_object_get(object, "material"), "material", 0, 255, &material));
    VP_RETURN_IF_FAILED(object_int(p, json_object_get(object, "occupancy"), "occupancy", 0, 255, &occupancy));
    if (json_object_size(object) != keys[out->shape])
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "a %s has %zu members, not %zu", p->line, shape, keys[out->shape],
                       json_object_size(object));
    out->voxel = (vp_voxel){(uint8_t)material, (uint8_t)occupancy};
    return VP_OK;
}

/* ---- lists ---- */

/* Adds an edit. `line` is its line, 0 = not from a file. The list has fewer than VP_MAX_EDITS. */
static vp_status add(vp_edit_list *to, const vp_edit *edit, uint32_t line, vp_error *error)
{
    const size_t count = (size_t)to->count + 1;
    VP_RETURN_IF_FAILED(vp_grow_array(&to->edit, &to->edit_room, count, sizeof *to->edit, "edits", error));
    VP_RETURN_IF_FAILED(vp_grow_array(&to->line, &to->line_room, count, sizeof *to->line, "edits", error));
    to->line[to->count] = line;
    to->edit[to->count++] = *edit;
    return VP_OK;
}

void vp_edit_list_destroy(vp_edit_list *list)
{
    free(list->edit);
    free(list->line);
    *list = (vp_edit_list){0};
}

vp_status vp_edit_list_add_text(vp_edit_list *list, const char *text, vp_error *error)
{
    char copy[VP_LINE_BYTES];
    vp_edit edit;
    bool found = false;
    vp_error why;
    if (strlen(text) >= sizeof copy)
        return vp_fail(error, VP_E_FORMAT, "an edit is longer than %d bytes", VP_LINE_BYTES - 1);
    snprintf(copy, sizeof copy, "%s", text);
    vp_status status = read_edit(copy, list->of_blocks, &edit, &found, &why);
    if (status != VP_OK)
        return vp_fail(error, status, "%s", why.message);
    if (list->count == VP_MAX_EDITS)
        return vp_fail(error, VP_E_FORMAT, "more than %d edits, the maximum of one run", VP_MAX_EDITS);
    return found ? add(list, &edit, 0, error) : vp_fail(error, VP_E_FORMAT, "the edit is empty: %s", forms[list->of_blocks]);
}

/* Reads a line, and adds its edit if it has one. */
static vp_status read_line(void *user, const vp_line_place *p, char *line, size_t length)
{
    vp_edit_list *to = user;
    vp_edit edit;
    bool found = true;
    VP_RETURN_IF_FAILED(vp_line_is_text(p, line, length));
    vp_status status = VP_OK;
    if (line[strspn(line, " \t\r")] != '{') {
        vp_error why;
        status = read_edit(line, to->of_blocks, &edit, &found, &why);
        if (status != VP_OK)
            return vp_fail(p->error, status, VP_PLACE "%s", p->line, why.message);
    } else {
        json_t *object;
        status = vp_line_json(p, line, length, &object);
        if (status != VP_OK)
            return status;
        status = read_object(p, object, &edit);
        json_decref(object);
    }
    if (status != VP_OK || !found)
        return status;
    if (to->count == VP_MAX_EDITS)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "more than %d edits, the maximum of one run", p->line, VP_MAX_EDITS);
    return add(to, &edit, p->line, p->error);
}

vp_status vp_edit_list_add_file(vp_edit_list *list, const char *path, vp_error *error)
{
    return vp_read_lines(path, "an edit", read_line, list, error);
}
