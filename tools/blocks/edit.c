/* SPDX-License-Identifier: MIT */
/* `voxphys blocks edit` applies one tick's edits, and prints the chunks that become stale, and the time to update them. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "host/program.h"
#include "tools/blocks/blocks.h"
#include "tools/sources/edit_file.h"
#include "tools/choices.h"

enum { SHOWN = 20 };

typedef struct editing {
    bool occlusion;
    uint32_t threads;
    const char *file, *out, *codec;
    vp_block_source_world world;
    vp_edit_list list;
    vp_block_edit *edit;
    vp_block_changes changes;
    vp_ivec3 *stale; /* chunks to update */
    uint32_t stales;
    vp_made_sum before, after; /* sums over these chunks */
    double edit_seconds, seconds;
} editing;

/* ---- edits ---- */

/* Reads edits, whose materials are types. */
static vp_status read_edits(editing *e, vp_error *error)
{
    e->edit = calloc((size_t)e->list.count + 1, sizeof *e->edit);
    if (e->edit == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u edits", e->list.count);
    for (uint32_t i = 0; i < e->list.count; i++) {
        const vp_edit *from = &e->list.edit[i];
        static const vp_block_shape shapes[] = {
            [VP_EDIT_VOXEL] = VP_BLOCK_ONE, [VP_EDIT_BOX] = VP_BLOCK_BOX, [VP_EDIT_SPHERE] = VP_BLOCK_SPHERE};
        e->edit[i] = (vp_block_edit){shapes[from->shape], from->voxel.material, from->low, from->high, from->centre, from->radius};
        if (from->voxel.occupancy != (from->voxel.material != 0 ? 255 : 0))
            return vp_fail(error, VP_E_ARGUMENT, "edit %u: occupancy is %u; must be left out, because blocks are whole", i,
                           from->voxel.occupancy);
    }
    return VP_OK;
}

/* Finds each chunk that can see a change, once. */
static vp_status find_stale(editing *e, vp_error *error)
{
    const uint32_t mask = e->occlusion ? VP_BLOCK_STALE_ALL : VP_BLOCK_STALE_FACES;
    uint32_t all = 0, kept = 0;
    e->stale = calloc((size_t)e->changes.count * 27 + 1, sizeof *e->stale);
    if (e->stale == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the chunks around %u", e->changes.count);
    for (uint32_t i = 0; i < e->changes.count; i++)
        for (int32_t n = 0; n < 27; n++)
            if ((e->changes.change[i].stale & mask) >> n & 1u) {
                const vp_ivec3 c = e->changes.change[i].chunk;
                e->stale[all++] = (vp_ivec3){c.x + n % 3 - 1, c.y + n / 9 - 1, c.z + n / 3 % 3 - 1};
            }
    qsort(e->stale, all, sizeof *e->stale, vp_by_place);
    for (uint32_t i = 0; i < all; i++)
        if (kept == 0 || vp_by_place(&e->stale[kept - 1], &e->stale[i]) != 0)
            e->stale[kept++] = e->stale[i];
    e->stales = kept;
    return VP_OK;
}

static vp_status make(editing *e, vp_made_sum *out, vp_error *error)
{
    vp_chunk_products *made = NULL;
    const vp_making_of what = {.quads = true, .boxes = true, .occlusion = e->occlusion, .edge = 32};
    const vp_status status = vp_make_chunks(e->world.blocks, e->stale, e->stales, &what, e->threads, "chunks", &made, error);
    if (status == VP_OK)
        *out = vp_made_sum_of(made, e->stale, e->stales);
    vp_made_drop(made, e->stales);
    return status;
}

/* The world before the edits is not kept, so its products come from a second copy. */
static vp_status make_before(editing *e, const char *name, vp_error *error)
{
    vp_block_source_world now = e->world;
    vp_status status = vp_block_source_open("blocks edit", name, &e->world, error);
    if (status == VP_OK)
        status = make(e, &e->before, error);
    vp_block_source_close(&e->world);
    e->world = now;
    return status;
}

static vp_status run(editing *e, const char *name, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_block_source_open("blocks edit", name, &e->world, error));
    if (e->file != NULL)
        VP_RETURN_IF_FAILED(vp_edit_list_add_file(&e->list, e->file, error));
    VP_RETURN_IF_FAILED(read_edits(e, error));
    double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_blocks_edit(e->world.blocks, e->edit, e->list.count, &e->changes, error));
    e->edit_seconds = vp_seconds() - begin;
    VP_RETURN_IF_FAILED(find_stale(e, error));
    VP_RETURN_IF_FAILED(make_before(e, name, error));
    begin = vp_seconds();
    VP_RETURN_IF_FAILED(make(e, &e->after, error));
    e->seconds = vp_seconds() - begin;
    VP_RETURN_IF_FAILED(vp_block_source_list(&e->world, error));
    return e->out != NULL ? vp_block_folder_save(&e->world, e->out, e->codec, error) : VP_OK;
}

/* ---- output ---- */

static int print_json(editing *e)
{
    json_t *changes = json_array();
    for (uint32_t i = 0; i < e->changes.count; i++) {
        const vp_block_change *c = &e->changes.change[i];
        json_array_append_new(changes, json_pack("{s:[i, i, i], s:I, s:I}", "chunk", (int)c->chunk.x, (int)c->chunk.y, (int)c->chunk.z,
                                                 "faces", (json_int_t)(c->stale & VP_BLOCK_STALE_FACES), "all", (json_int_t)c->stale));
    }
    return vp_print_json(json_pack(
        "{s:o, s:I, s:o, s:I, s:b, s:{s:I, s:I}, s:{s:I, s:I}, s:o, s:i, s:f, s:f, s:o}", "world", vp_blocks_world_json(&e->world), "edits",
        (json_int_t)e->list.count, "changes", changes, "derived", (json_int_t)e->stales, "occlusion", (int)e->occlusion, "before",
        "triangles", (json_int_t)e->before.quads[VP_SIDE_COUNT] * 2, "boxes", (json_int_t)e->before.boxes, "after", "triangles",
        (json_int_t)e->after.quads[VP_SIDE_COUNT] * 2, "boxes", (json_int_t)e->after.boxes, "digest", vp_json_hex(e->after.digest),
        "threads", (int)e->threads, "edit_seconds", e->edit_seconds, "seconds", e->seconds, "file", vp_json_path(e->out)));
}

/* The chunks of a 27-bit mask, without the one in the middle. */
static uint32_t others(uint32_t seen)
{
    uint32_t count = 0;
    for (int n = 0; n < 27; n++)
        count += n != 13 ? seen >> n & 1u : 0;
    return count;
}

static int print_text(editing *e)
{
    vp_blocks_print_world(&e->world);
    printf("edits      %u, as one tick: %u chunk%s changed in %.3f ms\n", e->list.count, e->changes.count, vp_plural(e->changes.count),
           e->edit_seconds * 1e3);
    for (uint32_t i = 0; i < e->changes.count && i < SHOWN; i++) {
        const vp_block_change *c = &e->changes.change[i];
        printf("           (%d, %d, %d): seen by itself and %u around it, %u of them over faces\n", (int)c->chunk.x, (int)c->chunk.y,
               (int)c->chunk.z, others(c->stale), others(c->stale & VP_BLOCK_STALE_FACES));
    }
    if (e->changes.count > SHOWN)
        printf("           and %u more; --json prints all\n", e->changes.count - SHOWN);
    printf("derived    %u chunk%s%s: %" PRIu64 " triangles, %" PRIu64 " boxes; before %" PRIu64 " and %" PRIu64
           "; %.3f ms on %u thread%s; digest %016" PRIx64 "\n",
           e->stales, vp_plural(e->stales), e->occlusion ? ", with occlusion" : "", e->after.quads[VP_SIDE_COUNT] * 2, e->after.boxes,
           e->before.quads[VP_SIDE_COUNT] * 2, e->before.boxes, e->seconds * 1e3, e->threads, vp_plural(e->threads), e->after.digest);
    if (e->out != NULL)
        printf("written    %s\n", e->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

int vp_blocks_edit_command(int argc, char **argv)
{
    static const char command[] = "blocks edit";
    static editing run_of;
    editing *const e = &run_of;
    const char *edit[VP_OPTION_MANY + 1];
    bool json;
    const vp_argument arguments[] = {
        {"--edit", "EDIT...", "voxel X Y Z TYPE, box X Y Z X Y Z TYPE or sphere X Y Z RADIUS TYPE; TYPE 0 digs; up to 64 times",
         VP_MANY(edit)},
        {"--edits", "FILE", "edits of a file, after those of --edit (docs/FORMATS.md)", VP_TEXT(&e->file)},
        {"--occlusion", NULL, "rebuild meshes with ambient occlusion, which depend on all 26 neighbour chunks", VP_FLAG(&e->occlusion)},
        {"-o", "FOLDER", "write the world as region files; may be WORLD's folder", VP_TEXT(&e->out)},
        {"--codec", "NAME", "compression of region files: raw or zlib (default: that of the folder, else raw)", VP_TEXT(&e->codec)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&e->threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        command, "WORLD --edit EDIT|--edits FILE [OPTION...]", 1, 1, arguments,
        "Edit blocks in one tick, print which chunks change, and rebuild their meshes and boxes.\n"
        "Chunks next to an edit are rebuilt too. TYPE is a number of the world's table of types, 0 to 255.\n" VP_BLOCK_SOURCE_HELP
        "\n\nExample: voxphys blocks edit planet --edit 'box 60 60 60 80 80 80 0'");
    int code = VP_EXIT_DONE;
    vp_error error;
    e->list.of_blocks = true;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (edit[0] == NULL && e->file == NULL)
        return vp_command_usage(command, "--edit EDIT or --edits FILE is missing");
    if (e->codec != NULL && e->out == NULL)
        return vp_command_usage(command, "--codec %s is for -o FOLDER", e->codec);
    if (!vp_blocks_codec(command, e->codec))
        return VP_EXIT_USAGE;
    for (size_t i = 0; code == VP_EXIT_DONE && edit[i] != NULL; i++)
        if (vp_edit_list_add_text(&e->list, edit[i], &error) != VP_OK)
            code = vp_command_usage(command, "--edit '%.60s': %s", edit[i], error.message);
    if (code == VP_EXIT_DONE)
        code = run(e, argv[1], &error) != VP_OK ? vp_command_fail(command, &error) : json ? print_json(e) : print_text(e);
    vp_block_changes_destroy(&e->changes);
    vp_edit_list_destroy(&e->list);
    free(e->edit);
    free(e->stale);
    vp_block_source_close(&e->world);
    return code;
}
