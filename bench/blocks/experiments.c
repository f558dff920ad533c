/* SPDX-License-Identifier: MIT */
/* voxphys-block-experiments repeats the measurements of the planet of "Les bases d'un voxel engine". It measures triangles and boxes per
 * chunk, the time to rebuild mesh and collider after an edit, and one or many edits per tick. It also measures larger planets on one and
 * two threads, and the share of faces that six index ranges can skip. Prints JSON, which bench/block-experiments stores. Counts are the
 * same on every machine.
 *
 *   voxphys-block-experiments              all, some minutes
 *   voxphys-block-experiments --counts N   planets of up to N chunks an edge, without times */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/block_shapes.h>
#include <voxphys/blocks.h>
#include <voxphys/executor.h>

#include "bench/experiment.h"
#include "datasets/random.h"
#include "host/json_memory.h"
#include "host/program.h"

enum { SEED = 42, RUNS = 9, CAMERAS = 1000, MANY = 100 };

static vp_executor threads_of(uint32_t threads)
{
#ifdef VP_BENCH_OPENMP
    return vp_executor_openmp(threads);
#else
    (void)threads;
    return vp_executor_serial();
#endif
}

/* ---- meshes and colliders of chunks ---- */

typedef enum product_form { ALONE, ACROSS, LIT, MERGED, BOXES, FORMS } product_form;

typedef struct made {
    uint32_t first[VP_SIDE_COUNT + 1], boxes;
} made;

typedef struct product_work {
    vp_blocks *blocks;
    const vp_ivec3 *chunk;
    product_form what;
    made *out;
} product_work;

static void make(void *argument, uint32_t i)
{
    const product_work *w = argument;
    vp_block_around around;
    vp_block_quads quads;
    vp_block_boxes boxes;
    vp_error error;
    vp_block *cell = room(VP_BLOCK_WINDOW_CELLS, sizeof *cell);
    vp_blocks_acquire_around(w->blocks, w->chunk[i], &around);
    const vp_block_view view = vp_block_around_view(&around);
    must(vp_block_window_fill(&view, w->chunk[i], VP_BLOCK_EDGE, w->what == ALONE ? 0 : VP_SIDES_ALL, cell, &error), &error);
    const vp_block_window window = {cell, VP_BLOCK_EDGE, view.type, view.type_count};
    if (w->what == BOXES) {
        must(vp_block_boxes_create(&window, NULL, NULL, &boxes, &error), &error);
        w->out[i].boxes = boxes.count;
        vp_block_boxes_destroy(&boxes);
    } else {
        const vp_block_quads_def def = {.window = window, .merged = w->what == MERGED, .occlusion = w->what == LIT};
        must(vp_block_quads_create(&def, &quads, &error), &error);
        memcpy(w->out[i].first, quads.first, sizeof quads.first);
        vp_block_quads_destroy(&quads);
    }
    vp_blocks_release_around(w->blocks, &around);
    free(cell);
}

/* @return seconds */
static double make_all(vp_blocks *blocks, const vp_ivec3 *chunk, uint32_t count, product_form what, uint32_t threads, made *out)
{
    const vp_executor executor = threads_of(threads);
    product_work w = {blocks, chunk, what, out};
    const double begin = vp_seconds();
    executor.parallel_for(executor.user, count, make, &w);
    return vp_seconds() - begin;
}

/* ---- planets ---- */

typedef struct planet_world {
    vp_blocks *blocks;
    vp_ivec3 *chunk;
    uint32_t edge, chunks;
    vp_block_planet made;
} planet_world;

static double fill(planet_world *p, uint32_t edge, uint32_t threads)
{
    const vp_executor executor = threads_of(threads);
    const vp_block_planet_def def = {SEED, edge, true, false};
    vp_error error;
    must(vp_block_planet_init(&def, &p->made, &error), &error);
    must(vp_blocks_create(&(vp_blocks_def){.type = NULL}, &p->blocks, &error), &error);
    const double begin = vp_seconds();
    must(vp_blocks_fill(p->blocks, p->made.low, (vp_dims){edge, edge, edge}, vp_block_planet_fill, &p->made, &executor, &error), &error);
    const double seconds = vp_seconds() - begin;
    p->edge = edge;
    p->chunks = vp_blocks_list_chunks(p->blocks, NULL, 0);
    p->chunk = room(p->chunks, sizeof *p->chunk);
    vp_blocks_list_chunks(p->blocks, p->chunk, p->chunks);
    return seconds;
}

static void drop(planet_world *p)
{
    vp_blocks_destroy(p->blocks);
    free(p->chunk);
}

static json_int_t triangles(const made *m, uint32_t count)
{
    json_int_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += 2 * (json_int_t)m[i].first[VP_SIDE_COUNT];
    return sum;
}

static json_t *count_planet(planet_world *p)
{
    made *m = room(p->chunks, sizeof *m);
    json_int_t all[FORMS], boxes = 0, most_boxes = 0, most = 0;
    for (int f = 0; f < FORMS; f++) {
        make_all(p->blocks, p->chunk, p->chunks, (product_form)f, 1, m);
        all[f] = triangles(m, p->chunks);
        for (uint32_t i = 0; f == ACROSS && i < p->chunks; i++)
            most = m[i].first[VP_SIDE_COUNT] * 2 > most ? m[i].first[VP_SIDE_COUNT] * 2 : most;
    }
    for (uint32_t i = 0; i < p->chunks; i++) {
        boxes += m[i].boxes;
        most_boxes = m[i].boxes > most_boxes ? m[i].boxes : most_boxes;
    }
    const vp_blocks_memory memory = vp_blocks_memory_use(p->blocks);
    free(m);
    return json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "edge", (int)p->edge, "chunks", (json_int_t)p->chunks, "alone",
                     all[ALONE], "across", all[ACROSS], "most", most, "merged", all[MERGED], "boxes", boxes, "most_boxes", most_boxes,
                     "cell_bytes", (json_int_t)memory.cells);
}

static json_t *time_planet(uint32_t edge, uint32_t threads)
{
    static const product_form forms[] = {ACROSS, MERGED, BOXES};
    double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (uint32_t run = 0; run < (edge > 9 ? 3 : 12); run++) {
        planet_world p;
        const double filled = fill(&p, edge, threads);
        made *m = room(p.chunks, sizeof *m);
        best[0] = fmin(best[0], filled);
        for (int f = 0; f < 3; f++)
            best[1 + f] = fmin(best[1 + f], make_all(p.blocks, p.chunk, p.chunks, forms[f], threads, m));
        free(m);
        drop(&p);
    }
    return json_pack("{s:i, s:i, s:f, s:f, s:f, s:f}", "edge", (int)edge, "threads", (int)threads, "fill_ms", best[0] * 1e3, "faces_ms",
                     best[1] * 1e3, "quads_ms", best[2] * 1e3, "boxes_ms", best[3] * 1e3);
}

/* ---- six index ranges ---- */

/* Returns whether all faces of one side of a chunk face away from a camera. The faces' planes lie between low and low + 31, plus 1 for a
 * positive side. */
static bool is_away(const vp_ivec3 chunk, uint32_t side, const double camera[3])
{
    const int32_t at[3] = {chunk.x, chunk.y, chunk.z};
    const double low = at[side / 2] * 32.0;
    return side % 2 == 1 ? camera[side / 2] <= low + 1 : camera[side / 2] >= low + VP_BLOCK_EDGE - 1;
}

static json_t *count_views(const planet_world *p, double distance)
{
    made *m = room(p->chunks, sizeof *m);
    vp_random r = {SEED};
    double sum = 0, least = 1, most = 0;
    make_all(p->blocks, p->chunk, p->chunks, ACROSS, 1, m);
    for (int c = 0; c < CAMERAS; c++) {
        const double middle[3] = {p->made.centre.x + 0.5, p->made.centre.y + 0.5, p->made.centre.z + 0.5};
        double d[3], square, camera[3];
        uint64_t away = 0, all = 0;
        do {
            for (int a = 0; a < 3; a++)
                d[a] = (double)vp_random_between(&r, -1, 1);
            square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        } while (square > 1 || square < 0.01);
        for (int a = 0; a < 3; a++)
            camera[a] = middle[a] + d[a] / sqrt(square) * distance * p->edge * VP_BLOCK_EDGE;
        for (uint32_t i = 0; i < p->chunks; i++)
            for (uint32_t s = 0; s < VP_SIDE_COUNT; s++) {
                const uint32_t faces = m[i].first[s + 1] - m[i].first[s];
                all += faces;
                away += is_away(p->chunk[i], s, camera) ? faces : 0;
            }
        const double share = (double)away / (double)all;
        sum += share;
        least = fmin(least, share);
        most = fmax(most, share);
    }
    free(m);
    return json_pack("{s:i, s:f, s:f, s:f, s:f}", "edge", (int)p->edge, "distance", distance, "share", sum / CAMERAS, "least", least,
                     "most", most);
}

/* ---- edits ---- */

static vp_ivec3 surface(const planet_world *p, int32_t x, int32_t z)
{
    vp_ivec3 at = {x, (p->made.low.y + (int32_t)p->edge) * VP_BLOCK_EDGE - 1, z};
    while (vp_blocks_get(p->blocks, at) == VP_BLOCK_NOTHING && at.y > p->made.centre.y)
        at.y--;
    return at;
}

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(vp_ivec3));
}

/* Returns all chunks that see the changes, without duplicates. */
static uint32_t find_stale(const vp_block_changes *changes, uint32_t mask, vp_ivec3 *out)
{
    uint32_t all = 0, kept = 0;
    for (uint32_t i = 0; i < changes->count; i++)
        for (int32_t n = 0; n < 27; n++)
            if ((changes->change[i].stale & mask) >> n & 1u) {
                const vp_ivec3 c = changes->change[i].chunk;
                out[all++] = (vp_ivec3){c.x + n % 3 - 1, c.y + n / 9 - 1, c.z + n / 3 % 3 - 1};
            }
    qsort(out, all, sizeof *out, by_place);
    for (uint32_t i = 0; i < all; i++)
        if (kept == 0 || by_place(&out[kept - 1], &out[i]) != 0)
            out[kept++] = out[i];
    return kept;
}

/* Applies edits as one tick. Reports the dirty chunks and the time to rebuild them. Every run starts from the same world. */
static json_t *try_edits(uint32_t edge, const char *what, const vp_block_edit *edit, size_t count, bool times)
{
    double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    uint32_t changed = 0, faces = 0, lit = 0;
    for (int run = 0; run < (times ? RUNS : 1); run++) {
        planet_world p;
        vp_block_changes changes = {0};
        vp_error error;
        fill(&p, edge, 1);
        const double begin = vp_seconds();
        must(vp_blocks_edit(p.blocks, edit, count, &changes, &error), &error);
        best[0] = fmin(best[0], vp_seconds() - begin);
        vp_ivec3 *stale = room((size_t)changes.count * 27, sizeof *stale);
        made *m = room((size_t)changes.count * 27, sizeof *m);
        changed = changes.count;
        lit = find_stale(&changes, VP_BLOCK_STALE_ALL, stale);
        best[2] = fmin(best[2], make_all(p.blocks, stale, lit, LIT, 1, m));
        faces = find_stale(&changes, VP_BLOCK_STALE_FACES, stale);
        best[1] = fmin(best[1], make_all(p.blocks, stale, faces, ACROSS, 1, m));
        best[3] = fmin(best[3], make_all(p.blocks, stale, faces, BOXES, 1, m));
        vp_block_changes_destroy(&changes);
        free(stale);
        free(m);
        drop(&p);
    }
    json_t *row = json_pack("{s:s, s:I, s:I, s:I, s:I}", "what", what, "edits", (json_int_t)count, "changed", (json_int_t)changed, "faces",
                            (json_int_t)faces, "lit", (json_int_t)lit);
    static const char *const names[4] = {"edit_us", "faces_us", "lit_us", "boxes_us"};
    for (int i = 0; times && i < 4; i++)
        json_object_set_new(row, names[i], json_real(best[i] * 1e6));
    return row;
}

static json_t *all_edits(const planet_world *p, bool times)
{
    json_t *rows = json_array();
    vp_block_edit edit[MANY] = {{.shape = VP_BLOCK_ONE}};
    vp_random r = {SEED};
    edit[0].low = surface(p, 40, 8);
    json_array_append_new(rows, try_edits(p->edge, "a block", edit, 1, times));
    edit[0].low = surface(p, 32, 8);
    json_array_append_new(rows, try_edits(p->edge, "a block at a side of its chunk", edit, 1, times));
    edit[0].low = (vp_ivec3){32, 32, 32};
    json_array_append_new(rows, try_edits(p->edge, "a block at a corner of its chunk", edit, 1, times));
    edit[0] = (vp_block_edit){.shape = VP_BLOCK_SPHERE, .centre = {40, (float)surface(p, 40, 8).y, 8}, .radius = 8};
    json_array_append_new(rows, try_edits(p->edge, "a sphere of radius 8", edit, 1, times));
    for (int i = 0; i < MANY; i++) {
        const int32_t half = (int32_t)p->edge * 16 - 40;
        const int32_t x = p->made.centre.x - half + (int32_t)vp_random_below(&r, (uint32_t)half * 2);
        const int32_t z = p->made.centre.z - half + (int32_t)vp_random_below(&r, (uint32_t)half * 2);
        edit[i] = (vp_block_edit){.shape = VP_BLOCK_ONE, .low = surface(p, x, z)};
    }
    json_array_append_new(rows, try_edits(p->edge, "blocks around the middle of one side", edit, MANY, times));
    return rows;
}

/* ---- all ---- */

int main(int argc, char **argv)
{
    static const uint32_t edges[] = {5, 9, 17};
    static const double distances[] = {1, 2, 10};
    uint64_t most = 17;
    vp_json_memory("voxphys-block-experiments");
    const bool counts = argc == 3 && strcmp(argv[1], "--counts") == 0;
    if (argc != 1 && !(counts && vp_parse_u64("block-experiments", "--counts", argv[2], 5, 17, &most))) {
        fputs("usage: voxphys-block-experiments [--counts N]\n", stderr);
        return VP_EXIT_USAGE;
    }
    json_t *planets = json_array(), *views = json_array(), *times = json_array(), *edits = NULL;
    for (size_t e = 0; e < 3 && edges[e] <= most; e++) {
        planet_world p;
        fill(&p, edges[e], 1);
        json_array_append_new(planets, count_planet(&p));
        for (int d = 0; d < 3; d++)
            json_array_append_new(views, count_views(&p, distances[d]));
        if (e == 0)
            edits = all_edits(&p, !counts);
        drop(&p);
        for (uint32_t threads = 1; threads <= 2 && !counts; threads++)
            json_array_append_new(times, time_planet(edges[e], threads));
    }
    json_t *all = json_pack("{s:o, s:o, s:o}", "planets", planets, "edits", edits, "views", views);
    if (!counts)
        json_object_set(all, "times", times);
    json_decref(times);
    return vp_print_json(all);
}
