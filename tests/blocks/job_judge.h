/* SPDX-License-Identifier: MIT */
/* Checks every tick of the block jobs against the blocks, for any order of tasks, and an executor that runs tasks in any order. */
#ifndef VP_TESTS_BLOCKS_JOB_JUDGE_H
#define VP_TESTS_BLOCKS_JOB_JUDGE_H

#include "tests/blocks/worlds.h"

#include <stdlib.h>

#include <voxphys/block_jobs.h>

#include "tests/support/memory.h"

enum { GRID = 5, CHUNKS = GRID * GRID * GRID, EDGE = VP_BLOCK_EDGE, CELLS = VP_BLOCK_CELLS };

/* ---- checks of a tick ---- */

typedef struct version {
    struct version *older;
    uint64_t number;
    bool something;
    uint8_t block[CELLS];
} version;

/* Faces are light << 32 | side << 24 | block << 8 | type. */
typedef struct place {
    version *newest; /* NULL = the chunk never existed */
    version *shown;
    uint64_t *face;
    size_t faces;
    vp_block_quads quads;
    vp_block_mesh mesh;
    vp_block_boxes boxes;
    uint32_t applied;
    bool fresh; /* handed over in this tick */
} place;

typedef struct judge {
    vp_blocks *world;
    vp_block_jobs *jobs;
    vp_block_changes changes;
    bool occlusion, merged, memory; /* memory: allocations may fail */
    place chunk[CHUNKS];            /* from (-2, -2, -2) to (2, 2, 2) */
    vp_block_tick_result ticked;
} judge;

static int32_t floor_chunk(int32_t v)
{
    return v >= 0 ? v / EDGE : -((EDGE - 1 - v) / EDGE);
}

static place *chunk_at(judge *g, int32_t x, int32_t y, int32_t z)
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

static uint8_t shown_block(judge *g, const int32_t at[3])
{
    const place *c = chunk_at(g, floor_chunk(at[0]), floor_chunk(at[1]), floor_chunk(at[2]));
    if (c == NULL || c->shown == NULL)
        return 0;
    return c->shown->block[((at[1] & 31) * EDGE + (at[2] & 31)) * EDGE + (at[0] & 31)];
}

static uint64_t light_before(judge *g, const int32_t before[3], uint32_t u, uint32_t v)
{
    uint64_t light = 0;
    for (uint32_t k = 0; k < 4; k++) {
        bool dark[3];
        for (int i = 0; i < 3; i++) {
            int32_t at[3] = {before[0], before[1], before[2]};
            at[u] += i == 1 ? 0 : (k & 1u) != 0 ? 1 : -1;
            at[v] += i == 0 ? 0 : (k & 2u) != 0 ? 1 : -1;
            dark[i] = has(shown_block(g, at), VP_BLOCK_OPAQUE);
        }
        light |= (dark[0] && dark[1] ? 0u : 3u - dark[0] - dark[1] - dark[2]) << 2 * k;
    }
    return light;
}

static int compare_faces(const void *a, const void *b)
{
    const uint64_t f = *(const uint64_t *)a, h = *(const uint64_t *)b;
    return f < h ? -1 : f > h;
}

/* Checks a chunk's faces against the shown blocks. */
static void judge_faces(judge *g, uint32_t number)
{
    const place *c = &g->chunk[number];
    const vp_ivec3 chunk = index_of(number);
    size_t found = 0;
    for (int32_t i = 0; c->shown != NULL && c->shown->something && i < CELLS; i++) {
        const uint8_t type = c->shown->block[i];
        for (uint32_t side = 0; type != 0 && side < 6; side++) {
            int32_t before[3] = {chunk.x * EDGE + i % EDGE, chunk.y * EDGE + i / EDGE / EDGE, chunk.z * EDGE + i / EDGE % EDGE};
            uint32_t axis, u, v;
            vp_side_axes(side, &axis, &u, &v);
            before[axis] += side % 2 == 1 ? 1 : -1;
            const uint8_t other = shown_block(g, before);
            if (other == type || has(other, VP_BLOCK_OPAQUE))
                continue;
            const uint64_t light = g->occlusion ? light_before(g, before, u, v) : VP_BLOCK_LIGHT;
            const uint64_t face = light << 32 | (uint64_t)side << 24 | (uint64_t)i << 8 | type;
            if (bsearch(&face, c->face, c->faces, sizeof face, compare_faces) == NULL)
                fail_msg("chunk (%d, %d, %d): no face of block %d, side %u, type %u, light %u", (int)chunk.x, (int)chunk.y, (int)chunk.z,
                         (int)i, side, type, (uint32_t)light);
            found++;
        }
    }
    if (found != c->faces)
        fail_msg("chunk (%d, %d, %d): %zu faces are shown, and there are %zu", (int)chunk.x, (int)chunk.y, (int)chunk.z, c->faces, found);
}

/* Checks that boxes cover each colliding block once, and that their sides report the neighbours in the shown world. */
static void judge_boxes(judge *g, uint32_t number)
{
    const place *c = &g->chunk[number];
    const vp_ivec3 chunk = index_of(number);
    static uint8_t covered[CELLS];
    if (c->shown == NULL || !c->shown->something) {
        assert_int_equal(c->boxes.count, 0);
        return;
    }
    memset(covered, 0, sizeof covered);
    for (uint32_t b = 0; b < c->boxes.count; b++) {
        const vp_block_box *box = &c->boxes.box[b];
        uint32_t beyond[6] = {0};
        for (int32_t y = -1; y <= box->size[1]; y++)
            for (int32_t z = -1; z <= box->size[2]; z++)
                for (int32_t x = -1; x <= box->size[0]; x++) {
                    const int32_t in[3] = {x, y, z};
                    int32_t outside = 0, side = 0, at[3];
                    for (int a = 0; a < 3; a++) {
                        const bool low = in[a] < 0, high = in[a] >= box->size[a];
                        outside += low || high;
                        side = low ? 2 * a : high ? 2 * a + 1 : side;
                        at[a] = (a == 0 ? chunk.x : a == 1 ? chunk.y : chunk.z) * EDGE + box->low[a] + in[a];
                    }
                    if (outside == 1)
                        beyond[side] |= has(shown_block(g, at), VP_BLOCK_COLLIDES) ? VP_BOX_COVERED : VP_BOX_EXPOSED;
                    if (outside == 0)
                        covered[((box->low[1] + y) * EDGE + box->low[2] + z) * EDGE + box->low[0] + x]++;
                }
        for (uint32_t s = 0; s < 6; s++)
            assert_int_equal(vp_block_box_side(box, s), beyond[s]);
    }
    for (uint32_t i = 0; i < CELLS; i++)
        assert_int_equal(covered[i], has(c->shown->block[i], VP_BLOCK_COLLIDES));
}

/* Checks the chunks that were handed over, and their neighbours. */
static void judge_tick(judge *g)
{
    for (uint32_t n = 0; n < CHUNKS; n++) {
        const vp_ivec3 at = index_of(n);
        bool near = false;
        for (int k = 0; k < 27; k++) {
            const place *c = chunk_at(g, at.x + k % 3 - 1, at.y + k / 9 - 1, at.z + k / 3 % 3 - 1);
            near = near || (c != NULL && c->fresh);
        }
        if (near) {
            judge_faces(g, n);
            judge_boxes(g, n);
        }
    }
    for (uint32_t n = 0; n < CHUNKS; n++)
        g->chunk[n].fresh = false;
}

/* ---- a world, its versions, and the shown chunks ---- */

static void apply(void *user, vp_block_job_result *made)
{
    judge *g = user;
    place *c = chunk_at(g, made->chunk.x, made->chunk.y, made->chunk.z);
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
    /* split quads into faces */
    size_t faces = 0;
    for (uint32_t q = 0; q < c->quads.first[6]; q++)
        faces += (size_t)c->quads.quad[q].u * c->quads.quad[q].v;
    free(c->face);
    c->face = malloc(faces * sizeof *c->face + 1);
    assert_non_null(c->face);
    c->faces = 0;
    for (uint32_t side = 0; side < 6; side++)
        for (uint32_t i = c->quads.first[side]; i < c->quads.first[side + 1]; i++) {
            const vp_block_quad *q = &c->quads.quad[i];
            uint32_t axis, u, v;
            vp_side_axes(side, &axis, &u, &v);
            for (uint32_t k = 0; k < (uint32_t)q->u * q->v; k++) {
                uint32_t at[3] = {q->x, q->y, q->z};
                at[u] += k % q->u;
                at[v] += k / q->u;
                c->face[c->faces++] =
                    (uint64_t)q->occlusion << 32 | (uint64_t)side << 24 | (uint64_t)((at[1] * EDGE + at[2]) * EDGE + at[0]) << 8 | q->type;
            }
        }
    assert_int_equal(c->mesh.quad_count, c->quads.first[6]);
    qsort(c->face, c->faces, sizeof *c->face, compare_faces);
    c->applied++;
    c->fresh = true;
}

/* Adds a chunk's current blocks as its newest version. */
static void remember(judge *g, vp_ivec3 at)
{
    place *c = chunk_at(g, at.x, at.y, at.z);
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

/* Every shown chunk has the blocks of its newest version, and equals a chunk built from the world. An edit that was undone before the
 * tick is never shown. The shown version is then an older one with equal blocks, or there is none. */
static void judge_end(judge *g)
{
    vp_block_held held = {0};
    assert_ok(vp_blocks_acquire_box(g->world, (vp_ivec3){-2, -2, -2}, (vp_dims){GRID, GRID, GRID}, &held, &error));
    static vp_block cell[VP_BLOCK_WINDOW_CELLS];
    for (uint32_t n = 0; n < CHUNKS; n++) {
        const place *c = &g->chunk[n];
        vp_block_quads quads = {0};
        vp_block_mesh mesh = {0};
        vp_block_boxes boxes = {0};
        if (c->newest == NULL)
            continue;
        assert_true(c->shown != NULL ? memcmp(c->shown->block, c->newest->block, sizeof c->newest->block) == 0 : !c->newest->something);
        assert_ok(vp_block_window_fill(&held.view, index_of(n), EDGE, VP_SIDES_ALL, cell, &error));
        const vp_block_window window = {cell, EDGE, types, TYPES};
        const vp_block_quads_def of_quads = {.window = window, .merged = g->merged, .occlusion = g->occlusion};
        const vp_block_mesh_def of_mesh = {.quads = &quads, .chunk = index_of(n)};
        assert_ok(vp_block_quads_create(&of_quads, &quads, &error));
        assert_ok(vp_block_mesh_create(&of_mesh, &mesh, &error));
        assert_ok(vp_block_boxes_create(&window, NULL, NULL, &boxes, &error));
        const size_t count = quads.first[6];
        assert_memory_equal(quads.first, c->quads.first, sizeof quads.first);
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
    vp_blocks_release_box(g->world, &held);
}

static void end(judge *g)
{
    vp_block_jobs_destroy(g->jobs);
    for (uint32_t n = 0; n < CHUNKS; n++) {
        place *c = &g->chunk[n];
        vp_block_quads_destroy(&c->quads);
        vp_block_mesh_destroy(&c->mesh);
        vp_block_boxes_destroy(&c->boxes);
        free(c->face);
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

typedef struct script {
    struct {
        vp_task_fn *task;
        void *argument;
        uint32_t index;
    } task[TASKS_MOST];
    uint32_t count, room;
    bool ends; /* polling runs all tasks */
} script;

static bool submit(void *user, vp_task_fn *task, void *argument, uint32_t index)
{
    script *s = user;
    if (s->count >= s->room)
        return false;
    s->task[s->count].task = task;
    s->task[s->count].argument = argument;
    s->task[s->count++].index = index;
    return true;
}

static void run_one(script *s, uint32_t which)
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
    script *s = user;
    while (s->ends && s->count != 0)
        run_one(s, 0);
}

static vp_executor scripted(script *s)
{
    *s = (script){.room = TASKS_MOST};
    return (vp_executor){.user = s, .thread_count = 1, .submit = submit, .poll = poll};
}

static void drain(judge *g, script *s)
{
    do {
        while (s->count != 0)
            run_one(s, 0);
        tick(g);
    } while (g->ticked.pending != 0 || s->count != 0);
}

#endif
