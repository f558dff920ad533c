/* SPDX-License-Identifier: MIT */
/* Cases of the broadphase. Construction answers with each chunk's tag and masks, overlap tests with the touched items of each box. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/broadphase.h>

#include "cases/case.h"
#include "cases/copies.h"
#include "cases/derived.h"
#include "datasets/datasets.h"
#include "src/core/error.h"

/* ---- one chunk at a time ---- */

typedef struct chunk_work {
    const vp_data *data;
    vp_bricks bricks;
    const uint8_t *neighbourhoods; /* dilate_chunk_rows only, 1000 bytes each */
    vp_chunk_masks *masks;
    uint32_t *tags;
    size_t count;
} chunk_work;

static size_t count_chunks(vp_dims n)
{
    return (size_t)n.x * n.y * n.z;
}

void vp_count_broadphase(const vp_broadphase *broadphase, vp_counters *out)
{
    const vp_broadphase_memory use = vp_broadphase_memory_use(broadphase);
    const uint64_t chunks = (uint64_t)use.chunks[0] + use.chunks[1] + use.chunks[2] + use.chunks[3];
    const double voxels = (double)(chunks * VP_CHUNK_VOXELS);
    vp_count(out, "bits_per_voxel", (double)use.mask_bytes * 8 / voxels);
    vp_count(out, "bits_per_voxel_total", (double)use.total_bytes * 8 / voxels);
}

static void count_broadphase(const vp_data *world, vp_counters *out)
{
    const vp_broadphase *broadphase;
    vp_error error;
    if (vp_derive_broadphase(world, &broadphase, &error) == VP_OK)
        vp_count_broadphase(broadphase, out);
}

static void count_chunk(const void *work, vp_counters *out)
{
    count_broadphase(((const chunk_work *)work)->data, out);
}

static chunk_work *begin_chunks(const vp_data *data, size_t count, vp_arena *arena, void **out)
{
    chunk_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(chunk_work));
    w->data = data;
    w->count = count;
    w->masks = vp_arena_output(arena, count, sizeof *w->masks, 64, 0);
    w->tags = vp_arena_output(arena, count, sizeof *w->tags, alignof(uint32_t), 0);
    return w;
}

static vp_status make_chunk(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_world *world = data->set;
    const vp_bricks bricks = vp_world_bricks(world);
    chunk_work *w = begin_chunks(data, count_chunks(bricks.chunks), arena, out);
    w->bricks = (vp_bricks){vp_arena_input(arena, bricks.material, w->count, 512, 64, 0), bricks.chunks};
    return VP_OK;
}

static vp_status run_chunk(const vp_setting *how, void *work, uint32_t step, uint64_t *items, vp_error *error)
{
    chunk_work *w = work;
    const vp_dims n = w->bricks.chunks;
    size_t i = 0;
    for (uint32_t cy = 0; cy < n.y; cy++)
        for (uint32_t cz = 0; cz < n.z; cz++)
            for (uint32_t cx = 0; cx < n.x; cx++, i++)
                w->tags[i] = how->kernels->dilate_chunk(&w->bricks, cx, cy, cz, &w->masks[i]);
    *items = w->count;
    return VP_OK;
}

/* Limits the neighbourhoods, which are spread evenly over the world. All of them, at 1000 bytes each, would be twice a large world. */
enum { NEIGHBOURHOODS_MAX = 8192 };

static uint32_t count_neighbourhoods(const vp_world *world)
{
    const size_t all = count_chunks(vp_world_chunks(world));
    return all < NEIGHBOURHOODS_MAX ? (uint32_t)all : NEIGHBOURHOODS_MAX;
}

static vp_status derive_neighbourhoods(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    const vp_world *world = from->set;
    const vp_dims n = vp_world_chunks(world);
    const size_t all = count_chunks(n), count = count_neighbourhoods(world);
    uint8_t *materials = malloc(count * VP_NEIGHBOURHOOD_VOXELS);
    vp_status status = materials != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for the neighbourhoods of %s", from->name);
    for (size_t i = 0; status == VP_OK && i < count; i++) {
        const size_t c = i * all / count;
        const vp_ivec3 chunk = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        status = vp_world_neighbourhood(world, chunk, materials + i * VP_NEIGHBOURHOOD_VOXELS, error);
    }
    *out = materials;
    if (status != VP_OK)
        free(materials);
    return status;
}

static vp_status make_chunk_rows(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    static const vp_derivation neighbourhoods = {"neighbourhoods", derive_neighbourhoods, free};
    const void *materials;
    const vp_status status = vp_data_derive(data, &neighbourhoods, 0, &materials, error);
    if (status != VP_OK)
        return status;
    chunk_work *w = begin_chunks(data, count_neighbourhoods(data->set), arena, out);
    w->neighbourhoods = vp_arena_input(arena, materials, w->count, VP_NEIGHBOURHOOD_VOXELS, 1, 0);
    return VP_OK;
}

VP_RUN_EACH(run_chunk_rows, chunk_work, w->count,
            w->tags[i] = how->kernels->dilate_chunk_rows(w->neighbourhoods + (size_t)i * VP_NEIGHBOURHOOD_VOXELS, &w->masks[i]))
VP_RECORD_EACH(record_chunks, chunk_work, w->count, vp_record_chunk(w->tags[i], &w->masks[i], out))

#define WORLDS                                                                                                                             \
    VP_ON("terrain-l2", 1, VP_TIMED | VP_SIMDE | VP_COUNTED), VP_ON("terrain-l3", 1, VP_TIMED | VP_SIMDE),                                 \
        VP_ON("terrain-dram", 1, VP_TIMED | VP_SIMDE), VP_ON("all-mixed", 1, VP_TIMED | VP_SIMDE), VP_ON("luanti", 1, VP_TIMED | VP_SIMDE)
static const vp_measured worlds[] = {WORLDS, VP_ON("random-50", 1, VP_COUNTED), {.data = NULL}};

const vp_case vp_case_dilate_chunk = {
    .kind = &vp_kind_world, .make = make_chunk, .run = run_chunk, .records = record_chunks, .counters = count_chunk, .measured = worlds};
const vp_case vp_case_dilate_chunk_rows = {.kind = &vp_kind_world,
                                           .make = make_chunk_rows,
                                           .run = run_chunk_rows,
                                           .records = record_chunks,
                                           .counters = count_chunk,
                                           .measured = worlds};

/* ---- the whole world ---- */

enum { FIRST = 3 };

typedef struct world_work {
    const vp_data *data;
    vp_dilate_job job;
    size_t chunks;
    vp_chunk_masks shared[FIRST];
    uint32_t *filled;
} world_work;

static vp_status make_job(const vp_data *data, const uint8_t *material, size_t alignment, vp_arena *arena, void **out)
{
    const vp_dims n = vp_world_chunks(data->set);
    world_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(world_work));
    w->data = data;
    w->chunks = count_chunks(n);
    size_t stride = n.x + 2u;
    w->job = (vp_dilate_job){
        .material = vp_arena_input(arena, material, w->chunks, 512, alignment, 0),
        .chunks = n,
        .y_begin = 0,
        .y_end = n.y,
        .slot = vp_arena_lists(arena, (n.y - 1u) * (n.z + 2u) + n.z, n.x, sizeof(uint32_t), alignof(uint32_t), true, &stride),
        .slot_stride_z = (int32_t)stride,
        .slot_stride_y = (int32_t)(stride * (n.z + 2u)),
        .pool = vp_arena_output(arena, w->chunks, sizeof(vp_chunk_masks), 64, 0),
        .first = FIRST,
        .scratch = vp_arena_scratch(arena, vp_dilate_world_scratch_bytes(n), 1, 64)};
    w->filled = vp_arena_output(arena, 1, sizeof *w->filled, alignof(uint32_t), 0);
    memset(w->shared[VP_CHUNK_FULL_SOLID].solid, 0xff, 64);
    memset(w->shared[VP_CHUNK_FULL_WATER].water, 0xff, 64);
    return VP_OK;
}

static void count_world(const void *work, vp_counters *out)
{
    count_broadphase(((const world_work *)work)->data, out);
}

static vp_status make_world(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    return make_job(data, vp_world_bricks(data->set).material, 64, arena, out);
}

static vp_status make_world_rows(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const uint8_t *rows;
    const vp_status status = vp_derive_rows(data, &rows, error);
    return status == VP_OK ? make_job(data, rows, 1, arena, out) : status;
}

VP_RUN(run_world, world_work, w->chunks, *w->filled = how->kernels->dilate_world(&w->job))

VP_RUN(run_world_rows, world_work, w->chunks, *w->filled = how->kernels->dilate_world_rows(&w->job))

static uint32_t slot_at(const vp_dilate_job *j, size_t chunk)
{
    const size_t x = chunk % j->chunks.x, z = chunk / j->chunks.x % j->chunks.z, y = chunk / j->chunks.x / j->chunks.z;
    return j->slot[y * (size_t)j->slot_stride_y + z * (size_t)j->slot_stride_z + x];
}

/* Whether the slots refer to each filled entry of the pool once, and to no other. */
static bool pool_is_filled(const world_work *w)
{
    uint8_t *named = vp_must(calloc(w->chunks, 1), w->chunks);
    uint32_t mixed = 0;
    bool right = true;
    for (size_t i = 0; i < w->chunks; i++) {
        const uint32_t slot = slot_at(&w->job, i);
        if (slot < FIRST)
            continue;
        right = right && slot - FIRST < *w->filled && slot - FIRST < w->chunks && named[slot - FIRST]++ == 0;
        mixed++;
    }
    free(named);
    return right && mixed == *w->filled;
}

/* Writes invalid records if the pool is not filled as the slots say. */
static void record_world(const void *work, vp_records *out)
{
    static const vp_chunk_masks full = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
                                        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    const world_work *w = work;
    const bool right = pool_is_filled(w);
    for (size_t i = 0; i < w->chunks; i++) {
        const uint32_t slot = slot_at(&w->job, i);
        if (!right)
            vp_record_chunk(UINT32_MAX, &full, out);
        else if (slot < FIRST)
            vp_record_chunk(slot, &w->shared[slot], out);
        else
            vp_record_chunk(VP_CHUNK_MIXED, &w->job.pool[slot - FIRST], out);
    }
}

/* Kinds of worlds that affect the time. */
static const vp_measured more_worlds[] = {WORLDS,
                                          VP_ON("sparse", 1, VP_TIMED | VP_SIMDE),
                                          VP_ON("dense", 1, VP_TIMED | VP_SIMDE),
                                          VP_ON("checker", 1, VP_TIMED | VP_SIMDE),
                                          VP_ON("random-50", 1, VP_TIMED | VP_SIMDE | VP_COUNTED),
                                          {.data = "terrain-l2", .what = VP_NOISE},
                                          {.data = "terrain-dram", .what = VP_NOISE},
                                          {.data = NULL}};

const vp_case vp_case_dilate_world = {.kind = &vp_kind_world,
                                      .make = make_world,
                                      .run = run_world,
                                      .records = record_world,
                                      .counters = count_world,
                                      .measured = more_worlds};
const vp_case vp_case_dilate_world_rows = {.kind = &vp_kind_world,
                                           .make = make_world_rows,
                                           .run = run_world_rows,
                                           .records = record_world,
                                           .counters = count_world,
                                           .measured = worlds};

/* ---- overlap ---- */

enum { LIST_CAPACITY = 64 }; /* chunks of a box kept by overlap_chunks, in addition to the total number */

typedef struct box_work {
    vp_broadphase_view bits;
    const vp_aabb *box;
    vp_boxes boxes;
    uint8_t *touch;
    vp_chunk_touch *packed; /* overlap_chunks: lists that follow each other */
    vp_lists list;          /* the same in memory of exact size */
    uint32_t *found;        /* overlap_chunks: number of chunks of each box */
} box_work;

static vp_status begin_boxes(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_box_set *set = data->set;
    const vp_broadphase *broadphase;
    const vp_status status = vp_derive_broadphase(data->owner, &broadphase, error);
    if (status != VP_OK)
        return status;
    box_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(box_work));
    const vp_broadphase_view bits = vp_broadphase_bits(broadphase);
    w->bits = vp_copy_broadphase(arena, &bits);
    w->box = vp_arena_input(arena, set->box, set->count, sizeof *w->box, alignof(vp_aabb), 0);
    const float *part[6];
    for (int i = 0; i < 6; i++)
        part[i] = vp_arena_input(arena, set->component[i], set->count, sizeof(float), alignof(float), 0);
    w->boxes = (vp_boxes){part[0], part[1], part[2], part[3], part[4], part[5], set->count};
    return VP_OK;
}

VP_MAKE_OUTPUT(make_boxes, begin_boxes, box_work, touch, uint8_t, w->boxes.count)
VP_RUN_EACH(run_box, box_work, w->boxes.count, w->touch[i] = (uint8_t)how->kernels->overlap_box(&w->bits, &w->box[i]))

VP_RUN(run_boxes, box_work, w->boxes.count, how->kernels->overlap_boxes(&w->bits, &w->boxes, w->touch))

/* Digests include a byte past the last answer, which must not be written. */
static void record_touch(const void *work, vp_records *out)
{
    static const uint8_t behind = 0xa5;
    const box_work *w = work;
    for (uint32_t i = 0; i <= w->boxes.count; i++) {
        vp_records_put(out, i < w->boxes.count ? &w->touch[i] : &behind, 1);
        vp_records_end(out);
    }
}

static uint32_t kept(uint32_t found)
{
    return found < LIST_CAPACITY ? found : LIST_CAPACITY;
}

static vp_status make_lists(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin_boxes(data, variant, arena, out, error);
    box_work *w = *out;
    if (status != VP_OK)
        return status;
    uint32_t *right = vp_lists_found(arena, w->boxes.count);
    for (uint32_t i = 0; right != NULL && i < w->boxes.count; i++)
        right[i] = vp_overlap_chunks_scalar(&w->bits, &w->box[i], NULL, 0);
    if (right != NULL)
        vp_lists_make(arena, w->boxes.count, LIST_CAPACITY, sizeof(vp_chunk_touch), alignof(vp_chunk_touch), true, right, &w->list);
    else
        w->packed = vp_arena_output(arena, (size_t)w->boxes.count * LIST_CAPACITY, sizeof *w->packed, alignof(vp_chunk_touch), 0);
    w->found = vp_arena_output(arena, w->boxes.count, sizeof *w->found, alignof(uint32_t), 0);
    return VP_OK;
}

static vp_status run_lists(const vp_setting *how, void *work, uint32_t step, uint64_t *items, vp_error *error)
{
    box_work *w = work;
    vp_chunk_touch *list = w->packed;
    for (uint32_t i = 0; i < w->boxes.count; i++) {
        if (w->packed == NULL) {
            w->found[i] = how->kernels->overlap_chunks(&w->bits, &w->box[i], w->list.own[i], w->list.room[i]);
            continue;
        }
        w->found[i] = how->kernels->overlap_chunks(&w->bits, &w->box[i], list, LIST_CAPACITY);
        list += kept(w->found[i]);
    }
    *items = w->boxes.count;
    return VP_OK;
}

static void record_lists(const void *work, vp_records *out)
{
    const box_work *w = work;
    const vp_chunk_touch *list = w->packed;
    for (uint32_t i = 0; i < w->boxes.count; i++) {
        uint32_t count = kept(w->found[i]);
        if (w->packed == NULL) {
            list = w->list.own[i];
            count = count < w->list.room[i] ? count : w->list.room[i];
        }
        vp_record_list(list, 2 * (size_t)count, w->found[i], out);
        list += w->packed != NULL ? count : 0;
    }
}

#define BOXES(world)                                                                                                                       \
    VP_ON(world "/boxes-small", 1, VP_TIMED | VP_SIMDE), VP_ON(world "/boxes-medium", 1, VP_TIMED | VP_SIMDE),                             \
        VP_ON(world "/boxes-large", 1, VP_TIMED | VP_SIMDE)
static const vp_measured boxes[] = {
    BOXES("terrain-l2"), BOXES("terrain-l3"), BOXES("terrain-dram"), BOXES("luanti"), VP_ON("terrain-l2/boxes-small", 1, VP_COUNTED),
    {.data = NULL}};

const vp_case vp_case_overlap_box = {
    .kind = &vp_kind_boxes, .make = make_boxes, .run = run_box, .records = record_touch, .measured = boxes};
const vp_case vp_case_overlap_boxes = {
    .kind = &vp_kind_boxes, .make = make_boxes, .run = run_boxes, .records = record_touch, .measured = boxes};
const vp_case vp_case_overlap_chunks = {
    .kind = &vp_kind_boxes, .make = make_lists, .run = run_lists, .records = record_lists, .measured = boxes};
