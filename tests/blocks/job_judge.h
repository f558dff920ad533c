/* SPDX-License-Identifier: MIT */
/* Checks every tick of the block jobs against a new build from the shown blocks, for any order of tasks, and an executor that runs tasks in
 * any order. */
#ifndef VP_TESTS_BLOCKS_JOB_JUDGE_H
#define VP_TESTS_BLOCKS_JOB_JUDGE_H

#include "tests/blocks/worlds.h"

#include <stdlib.h>

#include <voxphys/block_jobs.h>

enum { GRID = 5, CHUNKS = GRID * GRID * GRID, EDGE = VP_BLOCK_EDGE, CELLS = VP_BLOCK_CELLS };

/* ---- checks of a tick ---- */

typedef struct version {
    struct version *older;
    uint64_t number;
    bool something;
    uint8_t block[CELLS];
} version;

typedef struct judged_chunk {
    version *newest; /* NULL = the chunk never existed */
    version *shown;
    vp_block_quads quads;
    vp_block_mesh mesh;
    vp_block_boxes boxes;
    uint32_t applied;
    bool fresh; /* handed over in this tick */
} judged_chunk;

typedef struct judge {
    vp_blocks *world;
    vp_block_jobs *jobs;
    vp_block_changes changes;
    bool occlusion, merged, memory; /* memory: allocations may fail */
    judged_chunk chunk[CHUNKS];     /* from (-2, -2, -2) to (2, 2, 2) */
    vp_block_tick_result ticked;
} judge;

static int32_t floor_chunk(int32_t v)
{
    return v >= 0 ? v / EDGE : -((EDGE - 1 - v) / EDGE);
}

static judged_chunk *chunk_at(judge *g, int32_t x, int32_t y, int32_t z)
{
    const int32_t h = GRID / 2;
    if (x < -h || x > h || y < -h || y > h || z < -h || z > h)
        return NULL;
    return &g->chunk[((y + h) * GRID + z + h) * GRID + x + h];
}

static vp_ivec3 index_of(uint32_t c)
{
    return (vp_ivec3){(int32_t)(c % GRID) - GRID / 2, (int32_t)(c / GRID / GRID) - GRID / 2, (int32_t)(c / GRID % GRID) - GRID / 2};
}

/* The window of a chunk in the shown blocks. */
static void shown_window(judge *g, vp_ivec3 chunk, vp_block *to)
{
    const uint8_t *block[27]; /* of the chunk and those around it */
    for (int32_t k = 0; k < 27; k++) {
        const judged_chunk *c = chunk_at(g, chunk.x + k % 3 - 1, chunk.y + k / 9 - 1, chunk.z + k / 3 % 3 - 1);
        block[k] = c != NULL && c->shown != NULL ? c->shown->block : NULL;
    }
    for (int32_t y = -1; y <= EDGE; y++)
        for (int32_t z = -1; z <= EDGE; z++)
            for (int32_t x = -1; x <= EDGE; x++) {
                const uint8_t *in = block[floor_chunk(y) * 9 + floor_chunk(z) * 3 + floor_chunk(x) + VP_BLOCK_SELF];
                *to++ = in != NULL ? in[((y & 31) * EDGE + (z & 31)) * EDGE + (x & 31)] : 0;
            }
}

/* A chunk's quads, mesh and boxes equal those that are built from the shown blocks. */
static void judge_chunk(judge *g, uint32_t number)
{
    static vp_block cell[VP_BLOCK_WINDOW_CELLS];
    const judged_chunk *c = &g->chunk[number];
    const vp_ivec3 chunk = index_of(number);
    vp_block_quads quads = {0};
    vp_block_mesh mesh = {0};
    vp_block_boxes boxes = {0};
    if (c->shown == NULL || !c->shown->something) {
        assert_int_equal(c->quads.first[6] + c->mesh.quad_count + c->boxes.count, 0);
        return;
    }
    shown_window(g, chunk, cell);
    const vp_block_window window = {cell, EDGE, types, TYPES};
    const vp_block_quads_def of_quads = {.window = window, .merged = g->merged, .occlusion = g->occlusion};
    const vp_block_mesh_def of_mesh = {.quads = &quads, .chunk = chunk};
    assert_ok(vp_block_quads_create(&of_quads, &quads, &error));
    assert_ok(vp_block_mesh_create(&of_mesh, &mesh, &error));
    assert_ok(vp_block_boxes_create(&window, NULL, NULL, &boxes, &error));
    const size_t count = quads.first[6];
    assert_memory_equal(quads.first, c->quads.first, sizeof quads.first);
    assert_int_equal(mesh.quad_count, c->mesh.quad_count);
    assert_int_equal(boxes.count, c->boxes.count);
    if (count != 0) {
        assert_memory_equal(quads.quad, c->quads.quad, count * sizeof *quads.quad);
        assert_memory_equal(mesh.vertex, c->mesh.vertex, count * 4 * sizeof *mesh.vertex);
        assert_memory_equal(mesh.light, c->mesh.light, count * 4);
        assert_memory_equal(mesh.index, c->mesh.index, count * 6 * sizeof *mesh.index);
    }
    if (boxes.count != 0)
        assert_memory_equal(boxes.box, c->boxes.box, boxes.count * sizeof *boxes.box);
    vp_block_quads_destroy(&quads);
    vp_block_mesh_destroy(&mesh);
    vp_block_boxes_destroy(&boxes);
}

/* Checks the chunks that were handed over, and their neighbours. */
static void judge_tick(judge *g)
{
    for (uint32_t n = 0; n < CHUNKS; n++) {
        const vp_ivec3 at = index_of(n);
        bool near = false;
        for (int k = 0; k < 27; k++) {
            const judged_chunk *c = chunk_at(g, at.x + k % 3 - 1, at.y + k / 9 - 1, at.z + k / 3 % 3 - 1);
            near = near || (c != NULL && c->fresh);
        }
        if (near)
            judge_chunk(g, n);
    }
    for (uint32_t n = 0; n < CHUNKS; n++)
        g->chunk[n].fresh = false;
}

/* ---- a world, its versions, and the shown chunks ---- */

static void apply(void *user, vp_block_job_result *made)
{
    judge *g = user;
    judged_chunk *c = chunk_at(g, made->chunk.x, made->chunk.y, made->chunk.z);
    assert_non_null(c);
    vp_block_quads_destroy(&c->quads);
    vp_block_mesh_destroy(&c->mesh);
    vp_block_boxes_destroy(&c->boxes);
    c->quads = made->quads;
    c->mesh = made->mesh;
    c->boxes = made->boxes;
    made->quads = (vp_block_quads){.quad = NULL};
    made->mesh = (vp_block_mesh){.vertex = NULL};
    made->boxes = (vp_block_boxes){.box = NULL};
    c->shown = c->newest;
    while (c->shown != NULL && c->shown->number != made->version)
        c->shown = c->shown->older;
    assert_true(made->version == 0 || c->shown != NULL);
    for (version *v = c->shown != NULL ? c->shown->older : NULL, *older; v != NULL; v = older) {
        older = v->older;
        free(v);
        c->shown->older = NULL;
    }
    c->applied++;
    c->fresh = true;
}

/* Adds a chunk's current blocks as its newest version. */
static void remember(judge *g, vp_ivec3 at)
{
    judged_chunk *c = chunk_at(g, at.x, at.y, at.z);
    vp_block_snapshot s;
    version *v = malloc(sizeof *v);
    assert_true(c != NULL && v != NULL);
    vp_blocks_acquire(g->world, at, &s);
    *v = (version){.older = c->newest, .number = s.version};
    for (uint32_t i = 0; i < CELLS; i++) {
        v->block[i] = (uint8_t)vp_block_at(&s.cells, i % EDGE, i / EDGE / EDGE, i / EDGE % EDGE);
        v->something = v->something || v->block[i] != 0;
    }
    vp_blocks_release(g->world, &s);
    c->newest = v;
}

/* A failed allocation is reported, and the change is still noted. */
static void note(judge *g, const vp_block_changes *changes)
{
    vp_error why;
    const vp_status status = vp_block_jobs_mark_changed(g->jobs, changes, &why);
    assert_true(status == VP_OK || (status == VP_E_MEMORY && g->memory));
}

static void edit(judge *g, const vp_block_edit *e, size_t count, bool noted)
{
    assert_ok(vp_blocks_edit(g->world, e, count, &g->changes, &error));
    for (uint32_t i = 0; i < g->changes.count; i++)
        remember(g, g->changes.change[i].chunk);
    if (noted)
        note(g, &g->changes);
}

static void set(judge *g, int32_t x, int32_t y, int32_t z, vp_block block)
{
    const vp_block_edit one = {.shape = VP_BLOCK_ONE, .block = block, .low = {x, y, z}};
    edit(g, &one, 1, true);
}

/* Toggles a block between stone and nothing. */
static void turn(judge *g, int32_t x, int32_t y, int32_t z)
{
    set(g, x, y, z, vp_blocks_get(g->world, (vp_ivec3){x, y, z}) == 0 ? STONE : 0);
}

static void tick(judge *g)
{
    assert_ok(vp_block_jobs_tick(g->jobs, &g->ticked, &error));
    judge_tick(g);
}

static judge *begin(const vp_executor *executor, const vp_allocator *allocator, bool occlusion, bool merged)
{
    judge *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->occlusion = occlusion;
    g->merged = merged;
    g->memory = allocator != NULL;
    const vp_blocks_def of_world = {.type = types, .type_count = TYPES};
    assert_ok(vp_blocks_create(&of_world, &g->world, &error));
    const vp_block_jobs_def def = {.blocks = g->world,
                                   .merged = merged,
                                   .occlusion = occlusion,
                                   .apply = apply,
                                   .user = g,
                                   .executor = executor,
                                   .allocator = allocator};
    assert_ok(vp_block_jobs_create(&def, &g->jobs, &error));
    return g;
}

/* Every shown chunk has the blocks of its newest version, and is built from them. An edit that was undone before the tick is never shown.
 * The shown version is then an older one with equal blocks, or there is none. */
static void judge_end(judge *g)
{
    for (uint32_t n = 0; n < CHUNKS; n++) {
        const judged_chunk *c = &g->chunk[n];
        if (c->newest == NULL)
            continue;
        assert_true(c->shown != NULL ? memcmp(c->shown->block, c->newest->block, sizeof c->newest->block) == 0 : !c->newest->something);
        judge_chunk(g, n);
    }
}

static void end(judge *g)
{
    vp_block_jobs_destroy(g->jobs);
    for (uint32_t n = 0; n < CHUNKS; n++) {
        judged_chunk *c = &g->chunk[n];
        vp_block_quads_destroy(&c->quads);
        vp_block_mesh_destroy(&c->mesh);
        vp_block_boxes_destroy(&c->boxes);
        for (version *v = c->newest, *older; v != NULL; v = older) {
            older = v->older;
            free(v);
        }
    }
    vp_block_changes_destroy(&g->changes);
    vp_blocks_destroy(g->world);
    free(g);
}

/* ---- a scripted executor ---- */

enum { TASKS_MOST = 1024 };

typedef struct task_script {
    struct {
        vp_task_fn *task;
        void *argument;
        uint32_t index;
    } task[TASKS_MOST];
    uint32_t count, room;
    bool ends; /* polling runs all tasks */
} task_script;

static bool submit(void *user, vp_task_fn *task, void *argument, uint32_t index)
{
    task_script *s = user;
    if (s->count >= s->room)
        return false;
    s->task[s->count].task = task;
    s->task[s->count].argument = argument;
    s->task[s->count++].index = index;
    return true;
}

static void run_one(task_script *s, uint32_t which)
{
    assert_true(which < s->count);
    vp_task_fn *task = s->task[which].task;
    void *argument = s->task[which].argument;
    const uint32_t index = s->task[which].index;
    memmove(&s->task[which], &s->task[which + 1], (s->count - which - 1) * sizeof s->task[0]);
    s->count--;
    task(argument, index);
}

static void poll(void *user)
{
    task_script *s = user;
    while (s->ends && s->count != 0)
        run_one(s, 0);
}

static vp_executor scripted(task_script *s)
{
    *s = (task_script){.room = TASKS_MOST};
    return (vp_executor){.user = s, .thread_count = 1, .submit = submit, .poll = poll};
}

static void drain(judge *g, task_script *s)
{
    do {
        while (s->count != 0)
            run_one(s, 0);
        tick(g);
    } while (g->ticked.pending != 0 || s->count != 0);
}

#endif
