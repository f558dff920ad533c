/* SPDX-License-Identifier: MIT */
/* `voxphys blocks planet` makes the planet of the article, prints its figures, and writes files. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "host/program.h"
#include "host/thread_executor.h"
#include "tools/blocks/blocks.h"
#include "tools/choices.h"

typedef struct planet_command {
    vp_block_planet_def def;
    uint32_t threads;
    const char *codec;
    const char *const *out;
    vp_block_source_world world;
    vp_made_sum alone, across, merged;
    double fill_seconds, seconds[2]; /* seconds: faces alone, faces and boxes */
} planet_command;

/* ---- a world of voxels ---- */

static const char *const material_names[] = {"air", "water", "stone", "dirt", "grass", "sand", "moss_stone", "glass", "steel", "wood"};
static const uint8_t material_of[] = {VP_AIR, 4, 3, VP_WATER, 2, 6, 5, 7, 8, 9}; /* [type], the default types */

static vp_status to_voxels(planet_command *p, vp_ivec3 low, vp_world *world, vp_error *error)
{
    vp_status status = VP_OK;
    uint8_t *material = malloc(VP_BLOCK_CELLS);
    if (material == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a chunk");
    for (uint32_t c = 0; c < p->world.chunks && status == VP_OK; c++) {
        const vp_ivec3 at = p->world.chunk[c];
        vp_block_snapshot s;
        vp_blocks_acquire(p->world.blocks, at, &s);
        for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
            material[i] = material_of[vp_block_at(&s.cells, i % 32, i / 1024, i / 32 % 32)];
        vp_blocks_release(p->world.blocks, &s);
        status = vp_world_write_rows(world, (vp_ivec3){(at.x - low.x) * 32, (at.y - low.y) * 32, (at.z - low.z) * 32},
                                     (vp_dims){32, 32, 32}, material, NULL, NULL, error);
    }
    free(material);
    return status;
}

static vp_status write_world(planet_command *p, const char *path, vp_error *error)
{
    const uint32_t n = p->def.chunks, edge = n * 32;
    vp_world *world = NULL;
    char note[512];
    int used = snprintf(note, sizeof note, "A planet of %u x %u x %u chunks, seed %u.\nmaterial, nodes, name:\n", n, n, n, p->def.seed);
    for (uint32_t m = 2; m < sizeof material_names / sizeof material_names[0]; m++)
        used += snprintf(note + used, sizeof note - (size_t)used, "%u 1 %s\n", m, material_names[m]);
    vp_status status = vp_world_create(&(vp_world_def){.size = {edge, edge, edge}}, &world, error);
    if (status == VP_OK)
        status = to_voxels(p, p->world.chunk[0], world, error);
    if (status == VP_OK)
        status = vp_world_save(world, note, path, error);
    vp_world_destroy(world);
    return status;
}

/* ---- figures ---- */

static vp_status measure(planet_command *p, const vp_making_of *what, const char *bar, vp_made_sum *out, double *seconds, vp_error *error)
{
    vp_chunk_products *made = NULL;
    const double begin = vp_seconds();
    const vp_status status = vp_make_chunks(p->world.blocks, p->world.chunk, p->world.chunks, what, p->threads, bar, &made, error);
    *seconds = vp_seconds() - begin;
    if (status == VP_OK)
        *out = vp_made_sum_of(made, p->world.chunk, p->world.chunks);
    vp_made_drop(made, p->world.chunks);
    return status;
}

static vp_status run(planet_command *p, vp_error *error)
{
    const vp_executor executor = vp_thread_executor(p->threads);
    double merged_seconds;
    p->threads = executor.thread_count;
    const double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_block_source_planet(&p->def, &executor, &p->world, error));
    p->fill_seconds = vp_seconds() - begin;
    VP_RETURN_IF_FAILED(measure(p, &(vp_making_of){.quads = true, .alone = true, .edge = 32}, "alone", &p->alone, &p->seconds[0], error));
    VP_RETURN_IF_FAILED(measure(p, &(vp_making_of){.quads = true, .boxes = true, .edge = 32}, "across", &p->across, &p->seconds[1], error));
    VP_RETURN_IF_FAILED(
        measure(p, &(vp_making_of){.quads = true, .merged = true, .edge = 32}, "quads", &p->merged, &merged_seconds, error));
    for (size_t i = 0; p->out[i] != NULL; i++)
        VP_RETURN_IF_FAILED(vp_ends(p->out[i], ".vpw") ? write_world(p, p->out[i], error)
                                                       : vp_block_folder_save(&p->world, p->out[i], p->codec, error));
    return VP_OK;
}

static int print_json(planet_command *p)
{
    json_t *files = json_array();
    for (size_t i = 0; p->out[i] != NULL; i++)
        json_array_append_new(files, vp_json_name(p->out[i]));
    return vp_print_json(
        json_pack("{s:o, s:I, s:b, s:b, s:i, s:I, s:I, s:I, s:I, s:o, s:f, s:f, s:f, s:o}", "world", vp_blocks_world_json(&p->world),
                  "seed", (json_int_t)p->def.seed, "platforms", (int)p->def.platforms, "caves", (int)p->def.caves, "threads",
                  (int)p->threads, "triangles_alone", (json_int_t)p->alone.quads[VP_SIDE_COUNT] * 2, "triangles",
                  (json_int_t)p->across.quads[VP_SIDE_COUNT] * 2, "merged_triangles", (json_int_t)p->merged.quads[VP_SIDE_COUNT] * 2,
                  "boxes", (json_int_t)p->across.boxes, "digest", vp_json_hex(p->across.digest), "fill_seconds", p->fill_seconds,
                  "alone_seconds", p->seconds[0], "seconds", p->seconds[1], "files", files));
}

static int print_text(planet_command *p)
{
    const uint32_t n = p->world.chunks;
    vp_blocks_print_world(&p->world);
    printf("filled     %.3f ms on %u thread%s\n", p->fill_seconds * 1e3, p->threads, vp_plural(p->threads));
    printf("triangles  %" PRIu64 " if chunks ignore each other, %" PRIu64 " across chunks, %" PRIu64 " of merged faces\n",
           p->alone.quads[VP_SIDE_COUNT] * 2, p->across.quads[VP_SIDE_COUNT] * 2, p->merged.quads[VP_SIDE_COUNT] * 2);
    printf("boxes      %" PRIu64 ", %.1f a chunk, %" PRIu64 " at most\n", p->across.boxes, (double)p->across.boxes / n,
           p->across.most_boxes);
    printf("made       faces and boxes across chunks: %.3f ms, %.3f ms a chunk; digest %016" PRIx64 "\n", p->seconds[1] * 1e3,
           p->across.seconds * 1e3 / n, p->across.digest);
    for (size_t i = 0; p->out[i] != NULL; i++)
        printf("written    %s\n", p->out[i]);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

/* Finds errors in file names before a large planet is made. */
static bool check_files(const planet_command *p)
{
    static const char command[] = "blocks planet";
    const uint32_t n = p->def.chunks;
    bool folders = false;
    for (size_t i = 0; p->out[i] != NULL; i++) {
        folders = folders || !vp_ends(p->out[i], ".vpw");
        if (vp_ends(p->out[i], ".vpw") && n * 32 > VP_WORLD_MAX_Y)
            return VP_REFUSE(command, "-o %s: a world file has %d voxels along y at most, and a planet of %u chunks %u",
                             vp_show_path(p->out[i]).text, VP_WORLD_MAX_Y, n, n * 32);
    }
    if (p->codec != NULL && !folders)
        return VP_REFUSE(command, "--codec %s is for -o FOLDER", p->codec);
    return vp_blocks_codec(command, p->codec);
}

int vp_blocks_planet(int argc, char **argv)
{
    static const char command[] = "blocks planet";
    planet_command run_of = {.def = {.seed = 42, .chunks = 5}}, *const p = &run_of;
    const char *out[VP_OPTION_MANY + 1];
    bool no_platforms, json;
    const vp_argument arguments[] = {
        {"--seed", "N", "seed of the six landscapes, 0 to 4294967295 (default 42)", VP_U32(&p->def.seed, 0, UINT32_MAX)},
        {"--chunks", "N", "chunks along an edge of the world, 3 to 65 (default 5)", VP_U32(&p->def.chunks, 3, 65)},
        {"--caves", NULL, "add tunnels through the whole planet", VP_FLAG(&p->def.caves)},
        {"--no-platforms", NULL, "leave out the four platforms", VP_FLAG(&no_platforms)},
        {"-o", "OUT...", "write a folder of region files; with --chunks up to 8 also a world of voxels, FILE.vpw; up to 64 times",
         VP_MANY(out)},
        {"--codec", "NAME", "compression of region files: raw or zlib (default: that of the folder, else raw)", VP_TEXT(&p->codec)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&p->threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE(command, "[OPTION...]", 0, 0, arguments,
                        "Generate a cubic planet, count its triangles and collider boxes, and save it.\n"
                        "It has six landscapes, a shaft from pole to pole, and four platforms, as in the article \"Les bases d'un voxel\n"
                        "engine\". Triangles are counted twice: each chunk alone, and without faces hidden by neighbour chunks. The\n"
                        "planet is the same on every machine and for any number of threads.\n\n"
                        "Example: voxphys blocks planet --chunks 3 -o small-planet");
    vp_error error;
    p->out = out;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    p->def.platforms = !no_platforms;
    if (!check_files(p))
        return VP_EXIT_USAGE;
    int code = run(p, &error) != VP_OK ? vp_command_fail(command, &error) : json ? print_json(p) : print_text(p);
    vp_block_source_close(&p->world);
    return code;
}
