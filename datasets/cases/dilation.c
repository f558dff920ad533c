/* SPDX-License-Identifier: MIT */
/* Cases of the broadphase's construction: the answers are each chunk's tag and masks. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "datasets/cases/records.h"

static size_t count_chunks(vp_dims n)
{
    return (size_t)n.x * n.y * n.z;
}

/* ---- one chunk at a time ---- */

typedef struct chunk_work {
    vp_bricks bricks;
    uint8_t *neighbourhoods; /* dilate_chunk_rows only: 1000 bytes each */
    vp_chunk_masks *masks;
    uint32_t *tags;
    size_t count;
} chunk_work;

static void drop_chunks(void *argument)
{
    chunk_work *work = argument;
    vp_allocator a = vp_allocator_default();
    if (work == NULL)
        return;
    vp_release(&a, work->neighbourhoods, work->count, VP_NEIGHBOURHOOD_VOXELS);
    vp_release(&a, work->masks, work->count, sizeof *work->masks);
    vp_release(&a, work->tags, work->count, sizeof *work->tags);
    free(work);
}

static chunk_work *new_chunk_work(const vp_workload *workload, size_t count, bool neighbourhoods)
{
    vp_allocator a = vp_allocator_default();
    chunk_work *work = calloc(1, sizeof *work);
    if (work == NULL)
        return NULL;
    work->bricks = vp_world_bricks(workload->world);
    work->count = count;
    work->masks = vp_allocate(&a, count, sizeof *work->masks);
    work->tags = vp_allocate_zero(&a, count, sizeof *work->tags);
    if (neighbourhoods)
        work->neighbourhoods = vp_allocate(&a, count, VP_NEIGHBOURHOOD_VOXELS);
    if (work->masks == NULL || work->tags == NULL || (neighbourhoods && work->neighbourhoods == NULL)) {
        drop_chunks(work);
        return NULL;
    }
    memset(work->masks, 0xa5, count * sizeof *work->masks);
    return work;
}

static vp_status no_memory(const vp_workload *workload, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
}

static vp_status make_chunk(const vp_workload *workload, void **out, vp_error *error)
{
    chunk_work *work = new_chunk_work(workload, count_chunks(vp_world_chunks(workload->world)), false);
    *out = work;
    return work != NULL ? VP_OK : no_memory(workload, error);
}

static uint64_t run_chunk(const vp_kernels *table, void *argument)
{
    chunk_work *work = argument;
    vp_dims n = work->bricks.chunks;
    size_t i = 0;
    for (uint32_t cy = 0; cy < n.y; cy++)
        for (uint32_t cz = 0; cz < n.z; cz++)
            for (uint32_t cx = 0; cx < n.x; cx++, i++)
                work->tags[i] = table->dilate_chunk(&work->bricks, cx, cy, cz, &work->masks[i]);
    return work->count;
}

/* At most so many neighbourhoods, spread evenly over the world: 1000 bytes each would be twice a large world. */
enum { NEIGHBOURHOODS_MAX = 8192 };

static vp_status make_chunk_rows(const vp_workload *workload, void **out, vp_error *error)
{
    vp_dims n = vp_world_chunks(workload->world);
    size_t all = count_chunks(n), count = all < NEIGHBOURHOODS_MAX ? all : NEIGHBOURHOODS_MAX;
    chunk_work *work = new_chunk_work(workload, count, true);
    *out = work;
    if (work == NULL)
        return no_memory(workload, error);
    for (size_t i = 0; i < count; i++) {
        size_t c = i * all / count;
        vp_ivec3 chunk = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        vp_status status = vp_world_neighbourhood(workload->world, chunk,
                                                  work->neighbourhoods + i * VP_NEIGHBOURHOOD_VOXELS, error);
        if (status != VP_OK)
            return status;
    }
    return VP_OK;
}

static uint64_t run_chunk_rows(const vp_kernels *table, void *argument)
{
    chunk_work *work = argument;
    for (size_t i = 0; i < work->count; i++)
        work->tags[i] =
            table->dilate_chunk_rows(work->neighbourhoods + i * VP_NEIGHBOURHOOD_VOXELS, &work->masks[i]);
    return work->count;
}

static vp_status chunk_records(const void *argument, vp_records *out, vp_error *error)
{
    const chunk_work *work = argument;
    vp_status status = vp_records_create(VP_CHUNK_RECORD_BYTES, work->count, out, error);
    for (size_t i = 0; status == VP_OK && i < work->count; i++)
        vp_put_chunk(out->bytes + i * VP_CHUNK_RECORD_BYTES, work->tags[i], &work->masks[i]);
    return status;
}

const vp_case vp_case_dilate_chunk = {"chunks", VP_FOOD_WORLD, make_chunk, run_chunk, chunk_records, drop_chunks};
const vp_case vp_case_dilate_chunk_rows = {"chunks",      VP_FOOD_WORLD,      make_chunk_rows, run_chunk_rows,
                                           chunk_records, drop_chunks};

/* ---- the whole world ---- */

enum { FIRST = 3 };

typedef struct world_work {
    vp_dilate_job build;
    uint32_t *slots; /* the memory behind build.slot */
    size_t slot_count, pool_count, scratch_bytes;
    vp_chunk_masks shared[FIRST];
    uint32_t filled;
} world_work;

static void drop_world(void *argument)
{
    world_work *work = argument;
    vp_allocator a = vp_allocator_default();
    if (work == NULL)
        return;
    vp_release(&a, work->slots, work->slot_count, sizeof *work->slots);
    vp_release(&a, work->build.pool, work->pool_count, sizeof *work->build.pool);
    vp_release(&a, work->build.scratch, work->scratch_bytes, 1);
    free(work);
}

static vp_status make_build(const vp_workload *workload, const uint8_t *material, void **out, vp_error *error)
{
    vp_allocator a = vp_allocator_default();
    vp_dims n = vp_world_chunks(workload->world);
    world_work *work = calloc(1, sizeof *work);
    *out = work;
    if (work == NULL)
        return no_memory(workload, error);
    int32_t stride_z = (int32_t)(n.x + 2), stride_y = stride_z * (int32_t)(n.z + 2);
    work->slot_count = (size_t)stride_y * (n.y + 2);
    work->pool_count = count_chunks(n);
    work->scratch_bytes = vp_dilate_world_scratch_bytes(n);
    work->slots = vp_allocate(&a, work->slot_count, sizeof *work->slots);
    work->build = (vp_dilate_job){.material = material, .chunks = n, .y_begin = 0, .y_end = n.y,
                             .slot_stride_z = stride_z, .slot_stride_y = stride_y, .first = FIRST,
                             .pool = vp_allocate(&a, work->pool_count, sizeof(vp_chunk_masks)),
                             .scratch = vp_allocate(&a, work->scratch_bytes, 1)};
    if (work->slots == NULL || work->build.pool == NULL || work->build.scratch == NULL)
        return no_memory(workload, error);
    work->build.slot = work->slots + stride_y + stride_z + 1;
    memset(work->slots, 0xa5, work->slot_count * sizeof *work->slots);
    memset(work->build.pool, 0xa5, work->pool_count * sizeof(vp_chunk_masks));
    memset(work->build.scratch, 0xa5, work->scratch_bytes);
    memset(work->shared[VP_CHUNK_FULL_SOLID].solid, 0xff, 64);
    memset(work->shared[VP_CHUNK_FULL_WATER].water, 0xff, 64);
    return VP_OK;
}

static vp_status make_world(const vp_workload *workload, void **out, vp_error *error)
{
    return make_build(workload, vp_world_bricks(workload->world).material, out, error);
}

static vp_status make_world_rows(const vp_workload *workload, void **out, vp_error *error)
{
    return make_build(workload, workload->rows, out, error);
}

static uint64_t run_world(const vp_kernels *table, void *argument)
{
    world_work *work = argument;
    work->filled = table->dilate_world(&work->build);
    return work->pool_count;
}

static uint64_t run_world_rows(const vp_kernels *table, void *argument)
{
    world_work *work = argument;
    work->filled = table->dilate_world_rows(&work->build);
    return work->pool_count;
}

/* A slot that names no entry of the pool becomes a record that no right answer can be. */
static vp_status world_records(const void *argument, vp_records *out, vp_error *error)
{
    const world_work *work = argument;
    const vp_dilate_job *b = &work->build;
    vp_status status = vp_records_create(VP_CHUNK_RECORD_BYTES, work->pool_count, out, error);
    if (status != VP_OK)
        return status;
    uint8_t *at = out->bytes;
    for (uint32_t cy = 0; cy < b->chunks.y; cy++)
        for (uint32_t cz = 0; cz < b->chunks.z; cz++)
            for (uint32_t cx = 0; cx < b->chunks.x; cx++, at += VP_CHUNK_RECORD_BYTES) {
                size_t s = (size_t)cy * (size_t)b->slot_stride_y + (size_t)cz * (size_t)b->slot_stride_z + cx;
                uint32_t slot = b->slot[s];
                if (slot < FIRST)
                    vp_put_chunk(at, slot, &work->shared[slot]);
                else if (slot - FIRST < work->filled)
                    vp_put_chunk(at, VP_CHUNK_MIXED, &b->pool[slot - FIRST]);
                else
                    memset(at, 0xff, VP_CHUNK_RECORD_BYTES);
            }
    return VP_OK;
}

const vp_case vp_case_dilate_world = {"chunks", VP_FOOD_WORLD, make_world, run_world, world_records, drop_world};
const vp_case vp_case_dilate_world_rows = {"chunks",      VP_FOOD_WORLD,     make_world_rows, run_world_rows,
                                           world_records, drop_world};
