/* SPDX-License-Identifier: MIT */
/* From edits to meshes and colliders. A tick's edits are noted, and the tick runs all jobs that follow. unit.block_jobs
 * judges answers in any order of tasks, and a lack of memory. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/block_jobs.h>

#include "cases/block_judge.h"
#include "cases/case.h"
#include "datasets/block_sets.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { TICKS = 6, EDITS = 16, MADE_MOST = 27 * EDITS, CHUNKS_MOST = 1000, EDGE = VP_BLOCK_EDGE };
static const char *const variants[] = {"one", "many", NULL};
static const char *const notes[] = {", one a tick", ", 16 a tick"};

typedef struct block_jobs_work {
    const vp_block_view *view;
    vp_blocks *world;
    vp_block_jobs *jobs;
    vp_block_changes changes;
    uint32_t count; /* of edits a tick */
    vp_block_edit edit[TICKS][EDITS];
    bool keeps; /* after the first run */
    uint32_t made_count;
    vp_block_job_result made[MADE_MOST]; /* by a step */
} block_jobs_work;

static bool takes(const vp_data *data, uint32_t variant)
{
    const uint32_t chunks = vp_view_chunks(((const vp_block_set *)data->set)->view);
    return chunks - 1 < 2 ||
           (chunks >= 27 && chunks <= CHUNKS_MOST); /* sizes in between are random worlds, for which the small ones are enough */
}

static bool was_drawn(const block_jobs_work *w, uint32_t tick, uint32_t count)
{
    const vp_ivec3 at = w->edit[tick][count].low;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        const vp_ivec3 b = w->edit[tick][i].low;
        found = found || (b.x == at.x && b.y == at.y && b.z == at.z);
    }
    return found;
}

/* Draws distinct single blocks for a tick, to dig or place. */
static void draw(block_jobs_work *w, vp_random *r, uint32_t tick)
{
    for (uint32_t i = 0; i < w->count; i++)
        do {
            const vp_ivec3 at = vp_draw_block(r, w->view);
            const uint32_t type = vp_random_below(r, w->view->type_count);
            w->edit[tick][i] =
                (vp_block_edit){.shape = VP_BLOCK_ONE, .block = (vp_block)(vp_random_below(r, 2) == 0 ? 0 : type), .low = at};
        } while (was_drawn(w, tick, i));
}

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    block_jobs_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(block_jobs_work));
    vp_random r = {vp_hash64(data->name, strlen(data->name))};
    w->view = ((const vp_block_set *)data->set)->view;
    w->count = variant == 0 ? 1 : EDITS;
    for (uint32_t t = 0; t < TICKS; t++)
        draw(w, &r, t);
    return VP_OK;
}

static uint32_t count_ticks(const void *argument)
{
    return TICKS;
}

static void free_made(block_jobs_work *w)
{
    for (uint32_t i = 0; i < w->made_count; i++) {
        vp_block_quads_destroy(&w->made[i].quads);
        vp_block_mesh_destroy(&w->made[i].mesh);
        vp_block_boxes_destroy(&w->made[i].boxes);
    }
    w->made_count = 0;
}

static void drop(void *argument)
{
    block_jobs_work *w = argument;
    free_made(w);
    vp_block_jobs_destroy(w->jobs);
    vp_blocks_destroy(w->world);
    w->jobs = NULL;
    w->world = NULL;
    vp_block_changes_destroy(&w->changes);
}

static void keep(void *user, vp_block_job_result *made)
{
    block_jobs_work *w = user;
    if (!w->keeps)
        return;
    w->made[w->made_count++] = *made;
    made->quads = (vp_block_quads){.quad = NULL};
    made->mesh = (vp_block_mesh){.vertex = NULL};
    made->boxes = (vp_block_boxes){.box = NULL};
}

static vp_status rewind_all(const vp_setting *how, void *argument, vp_error *error)
{
    block_jobs_work *w = argument;
    drop(w);
    const vp_blocks_def def = {.type = w->view->type, .type_count = w->view->type_count};
    vp_status status = vp_blocks_create(&def, &w->world, error);
    for (uint32_t i = 0; status == VP_OK && i < vp_view_chunks(w->view); i++)
        status = vp_blocks_set_chunk(w->world, vp_view_chunk_at(w->view, i), &w->view->chunk[i], error);
    const vp_block_jobs_def jobs = {
        .blocks = w->world, .occlusion = true, .apply = keep, .user = w, .executor = how->executor, .kernels = how->kernels};
    if (status == VP_OK)
        status = vp_block_jobs_create(&jobs, &w->jobs, error);
    w->keeps = false;
    if (status == VP_OK)
        status = vp_block_jobs_tick(w->jobs, NULL, error);
    w->keeps = true;
    return status;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    block_jobs_work *w = argument;
    free_made(w);
    vp_status status = vp_blocks_edit(w->world, w->edit[step], w->count, &w->changes, error);
    if (status == VP_OK)
        status = vp_block_jobs_mark_changed(w->jobs, &w->changes, error);
    *items = w->count;
    return status == VP_OK ? vp_block_jobs_tick(w->jobs, NULL, error) : status;
}

static int compare_made(const void *a, const void *b)
{
    const vp_ivec3 c = ((const vp_block_job_result *)a)->chunk, d = ((const vp_block_job_result *)b)->chunk;
    return c.y != d.y ? (c.y < d.y ? -1 : 1) : c.z != d.z ? (c.z < d.z ? -1 : 1) : c.x == d.x ? 0 : c.x < d.x ? -1 : 1;
}

/* Records chunks by index, with quads, vertices with light, and boxes. */
static void record(const void *argument, vp_records *out)
{
    const block_jobs_work *w = argument;
    vp_block_job_result *sorted = vp_must(malloc((w->made_count + 1) * sizeof *sorted), (w->made_count + 1) * sizeof *sorted);
    memcpy(sorted, w->made, w->made_count * sizeof *sorted);
    qsort(sorted, w->made_count, sizeof *sorted, compare_made);
    for (uint32_t m = 0; m < w->made_count; m++) {
        const vp_block_job_result *made = &sorted[m];
        vp_records_put_words(out, &made->chunk, 3);
        for (uint32_t i = 0; i < 4 * made->mesh.quad_count; i++) {
            vp_records_put_words(out, &made->mesh.vertex[i], 3);
            vp_records_put(out, &made->mesh.light[i], 1);
        }
        for (uint32_t i = 0; i < made->boxes.count; i++) {
            uint8_t bytes[10];
            vp_put_block_box(bytes, &made->boxes.box[i]);
            vp_records_put(out, bytes, sizeof bytes);
        }
        vp_records_end(out);
    }
    free(sorted);
}

static void count_chunks(const void *argument, vp_counters *out)
{
    vp_count(out, "chunks_last_tick", ((const block_jobs_work *)argument)->made_count);
}

static const vp_measured measured[] = {
    VP_ON("planet", 3, VP_TIMED | VP_ENDS), VP_ON("blocks-luanti", 3, VP_TIMED | VP_ENDS), VP_ON("planet", 2, VP_VERIFIED), {.data = NULL}};

const vp_case vp_case_block_job = {.kind = &vp_kind_blocks,
                                   .variant = variants,
                                   .questions = true,
                                   .takes = takes,
                                   .make = make,
                                   .steps = count_ticks,
                                   .rewind = rewind_all,
                                   .run = run,
                                   .records = record,
                                   .counters = count_chunks,
                                   .drop = drop,
                                   .notes = notes,
                                   .measured = measured};
