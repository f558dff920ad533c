/* SPDX-License-Identifier: MIT */
/* `voxphys world edit` applies edits (voxels, boxes and spheres) to a world in order, and saves it. It saves nothing
 * unless every edit succeeds. */
#include <jansson.h>
#include <stdio.h>

#include "tools/dataset/dataset.h"
#include "tools/sources/edit_file.h"
#include "host/line_file.h"
#include "tools/world/world.h"

_Static_assert(VP_MAX_EDITS == 16777216, "the help says how many edits there may be");

/* Applies all edits in order: single ones, and those of `file`. `stale` receives the changed chunks. */
static vp_status apply(const vp_edit_list *e, const char *file, vp_world *world, vp_chunk_set *stale, vp_error *error)
{
    for (uint32_t i = 0; i < e->count; i++) {
        vp_error why;
        vp_status status = vp_edit_apply(&e->edit[i], world, stale, &why);
        if (status != VP_OK && e->line[i] == 0)
            return vp_fail(error, status, "edit %u: %s", i + 1, why.message);
        if (status != VP_OK) {
            vp_fail(error, status, VP_PLACE "%s", e->line[i], why.message);
            vp_name_file(error, "", file);
            return status;
        }
        if (i % 1024 == 0)
            vp_progress("edits", i, e->count);
    }
    vp_progress("", 1, 1);
    return VP_OK;
}

static int tell(const char *name, const char *out, bool in_place, const vp_edit_list *e, uint32_t changed, const vp_loose *loose, bool json)
{
    if (json) {
        json_t *said = json_pack("{s:o, s:o, s:b, s:I, s:I}", "world", vp_json_name(name), "file", vp_json_name(out), "in_place",
                                 (int)in_place, "edits", (json_int_t)e->count, "chunks_stale", (json_int_t)changed);
        if (loose != NULL)
            json_object_set_new(said, "loose", vp_loose_json(loose));
        return vp_print_json(said);
    }
    printf("edits    %u made of %s; %u chunk%s to rebuild\n", e->count, name, changed, vp_plural(changed));
    if (loose != NULL)
        vp_loose_print(loose);
    printf("file     %s%s\n", out,
           in_place                        ? ", which was read: the new world is in the old one's place"
           : !vp_is_file_name(out, ".vpw") ? "; its name does not end with .vpw, so commands read it as ./NAME"
                                           : "");
    return VP_EXIT_DONE;
}

int vp_world_edit(int argc, char **argv)
{
    const char *edit[VP_OPTION_MANY + 1], *file, *out;
    bool loose, json;
    uint32_t least = 1;
    const vp_argument arguments[] = {
        {"-o", "OUT", "required: the .vpw file to write; may be WORLD, unless it is a data set, and is replaced atomically", VP_TEXT(&out)},
        {"--edit", "EDIT...", "one edit; up to 64 times, in order", VP_MANY(edit)},
        {"--edits", "FILE", "edits of a file, one per line, after those of --edit; also as 'dataset make' writes them", VP_TEXT(&file)},
        {"--loose", NULL, "remove regions that the edits cut off from the lowest layer, and print them as bodies", VP_FLAG(&loose)},
        {"--least", "N", "with --loose: regions of fewer than N voxels are removed without a body, from 1 (default 1)",
         VP_U32(&least, 1, UINT32_MAX)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        "world edit", "WORLD -o OUT [OPTION...]", 1, 1, arguments,
        "Edit voxels of a world and save it.\n"
        "WORLD is a data set's name or a .vpw file. An EDIT is one of\n"
        "  voxel X Y Z MATERIAL [OCCUPANCY]\n"
        "  box X Y Z X Y Z MATERIAL [OCCUPANCY]       from the first corner to the second, exclusive\n"
        "  sphere X Y Z RADIUS MATERIAL [OCCUPANCY]   voxels whose centres are within the radius\n"
        "separated by blanks or commas. Materials are 0 air, 1 water, 2 to 255 solid; occupancy is 0 to 255 (default 255).\n"
        "Either every edit is applied and saved, or the file is unchanged. One run takes up to 16777216 edits, --edit\n"
        "and --edits together.\n\n"
        "Example: voxphys world edit terrain-l2 -o edited.vpw --edit 'sphere 20 20 20 5 0'");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (out == NULL)
        return vp_command_usage("world edit", "-o is missing: the file to save to");
    if (out[0] == '\0')
        return vp_command_usage("world edit", "option '-o': the name of the file is empty");
    if (strcmp(out, "-") == 0)
        return vp_command_usage("world edit", "a world is not written to standard output; give -o OUT");
    if (vp_given(&line, "--least") != NULL && !loose)
        return vp_command_usage("world edit", "--least is for --loose");
    vp_error error;
    vp_edit_list e = {0};
    vp_world *was = NULL;
    vp_loose cut = {0};
    vp_named_world w = {0};
    vp_chunk_set stale = {0};
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && edit[i] != NULL; i++) {
        vp_error why;
        status = vp_edit_list_add_text(&e, edit[i], &why);
        if (status != VP_OK)
            vp_fail(&error, status, "edit %zu: %s", i + 1, why.message);
    }
    if (status == VP_OK && file != NULL)
        status = vp_edit_list_add_file(&e, file, &error);
    if (status == VP_OK && file != NULL && vp_same_file(file, out))
        status = vp_fail(&error, VP_E_ARGUMENT, "-o %s is the file that edits are read from", vp_show_path(out).text);
    if (status == VP_OK)
        status = vp_named_world_open("world edit", argv[1], &w, &error);
    if (status == VP_OK && w.manifest != NULL)
        status = vp_dataset_check_out(w.manifest, argv[1], out, &error);
    if (status == VP_OK)
        status = vp_chunk_set_create(vp_world_chunks(w.world), NULL, &stale, &error);
    if (status == VP_OK && loose)
        status = vp_world_enlarge(w.world, vp_world_size(w.world), (vp_ivec3){0, 0, 0}, &was, &error);
    if (status == VP_OK)
        status = apply(&e, file, w.world, &stale, &error);
    if (status == VP_OK && loose)
        status = vp_loose_take(was, w.world, &stale, least, &cut, &error);
    if (status == VP_OK)
        status = vp_world_save(w.world, (const char *)w.note.bytes, out, &error);
    /* After saving. Another name of the input file, such as a hard link, still refers to the old content. */
    const bool in_place = status == VP_OK && vp_is_file_name(argv[1], ".vpw") && vp_same_file(argv[1], out);
    int code = status != VP_OK ? vp_command_fail("world edit", &error)
                               : tell(argv[1], out, in_place, &e, vp_chunk_set_count(&stale), loose ? &cut : NULL, json);
    vp_loose_drop(&cut);
    vp_world_destroy(was);
    vp_chunk_set_destroy(&stale);
    vp_named_world_close(&w);
    vp_edit_list_destroy(&e);
    return code;
}
