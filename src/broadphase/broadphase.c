/* SPDX-License-Identifier: MIT */
/* The broadphase of a world: a slot a chunk and a pool of masks (see vp_broadphase_view), built in parallel over layers
 * of chunks and kept up to date after edits. dilation.c defines the bits, overlap.c the queries. */
#include <voxphys/broadphase.h>

#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"
#include "src/broadphase/room.h"
#include "src/world/world_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { SHARED = 3 }; /* the pool's entries for EMPTY, FULL_SOLID and FULL_WATER */

struct vp_broadphase {
    vp_dims chunks;
    int32_t stride_z, stride_y; /* of slots */
    uint32_t *slot_memory;
    size_t slot_count;
    uint32_t *slot; /* of chunk (0, 0, 0), inside slot_memory */
    vp_chunk_masks *pool;
    uint32_t pool_capacity, pool_end; /* entries allocated, and the end of used entries [SHARED, pool_end) */
    uint32_t free_first, free_count;  /* free entries, each with the next one's number in solid[0] */
    vp_kernels kernels;
    vp_allocator allocator;
};

/* ---- making and freeing ---- */

static size_t find_slot(const vp_broadphase *b, uint32_t cx, uint32_t cy, uint32_t cz)
{
    return (size_t)cy * (size_t)b->stride_y + (size_t)cz * (size_t)b->stride_z + cx;
}

static void fill_shared(vp_chunk_masks *pool)
{
    memset(pool, 0, SHARED * sizeof *pool);
    memset(pool[VP_CHUNK_FULL_SOLID].solid, 0xff, sizeof pool->solid);
    memset(pool[VP_CHUNK_FULL_WATER].water, 0xff, sizeof pool->water);
}

/* The slots of a world with one more chunk on every side, all EMPTY. */
static bool make_slots(vp_broadphase *b)
{
    vp_dims n = b->chunks;
    b->stride_z = (int32_t)(n.x + 2);
    b->stride_y = (int32_t)((n.x + 2) * (n.z + 2));
    size_t behind = (size_t)b->stride_y + (size_t)b->stride_z + 2;
    b->slot_count = (size_t)b->stride_y * (n.y + 2) + behind;
    b->slot_memory = vp_allocate_zero(&b->allocator, b->slot_count, sizeof *b->slot_memory);
    if (b->slot_memory == NULL)
        return false;
    b->slot = b->slot_memory + b->stride_y + b->stride_z + 1;
    return true;
}

/* One piece of the parallel build. Some layers of chunks fill their own part of a pool with room for all. */
typedef struct broadphase_piece {
    vp_dilate_job build;
    uint32_t filled;
    uint32_t moved; /* distance that its masks' numbers move down when the pool gets its final size */
} broadphase_piece;

typedef struct build_job {
    vp_broadphase *broadphase;
    broadphase_piece *pieces;
} build_job;

static void build_piece(void *argument, uint32_t index)
{
    build_job *job = argument;
    broadphase_piece *p = &job->pieces[index];
    p->filled = job->broadphase->kernels.dilate_world(&p->build);
}

/* Copies a piece's masks to their place, and adjusts the numbers in its slots. */
static void gather_piece(void *argument, uint32_t index)
{
    const build_job *job = argument;
    const broadphase_piece *p = &job->pieces[index];
    vp_broadphase *b = job->broadphase;
    memcpy(b->pool + (p->build.first - p->moved), p->build.pool, p->filled * sizeof *b->pool);
    for (uint32_t cy = p->build.y_begin; p->moved != 0 && cy < p->build.y_end; cy++)
        for (uint32_t cz = 0; cz < b->chunks.z; cz++)
            for (uint32_t cx = 0; cx < b->chunks.x; cx++) {
                uint32_t *slot = &b->slot[find_slot(b, cx, cy, cz)];
                *slot -= *slot >= SHARED ? p->moved : 0;
            }
}

/* Gathers the masks of all pieces, one after the other, in a pool of the right size. */
static bool gather_pool(build_job *job, uint32_t piece_count, const vp_executor *executor)
{
    vp_broadphase *b = job->broadphase;
    uint32_t end = SHARED;
    for (uint32_t i = 0; i < piece_count; i++) {
        job->pieces[i].moved = job->pieces[i].build.first - end;
        end += job->pieces[i].filled;
    }
    b->pool_capacity = end;
    b->pool_end = end;
    b->pool = vp_allocate(&b->allocator, b->pool_capacity, sizeof *b->pool);
    if (b->pool == NULL)
        return false;
    fill_shared(b->pool);
    executor->parallel_for(executor->user, piece_count, gather_piece, job);
    return true;
}

static bool build_all(vp_broadphase *b, const vp_world *world, const vp_executor *executor)
{
    vp_dims n = b->chunks;
    uint32_t piece_count = executor->thread_count < 1 ? 1 : executor->thread_count;
    if (piece_count > n.y)
        piece_count = n.y;
    size_t chunk_count = vp_chunk_count(n), layer = (size_t)n.x * n.z;
    size_t scratch_bytes = (vp_dilate_world_scratch_bytes(n) + 63) / 64 * 64;

    vp_chunk_masks *room = vp_allocate(&b->allocator, chunk_count, sizeof *room);
    uint8_t *scratch = vp_allocate(&b->allocator, piece_count, scratch_bytes);
    broadphase_piece *pieces = vp_allocate(&b->allocator, piece_count, sizeof *pieces);
    bool done = false;
    if (room != NULL && scratch != NULL && pieces != NULL) {
        for (uint32_t i = 0; i < piece_count; i++) {
            uint32_t begin = (uint32_t)((uint64_t)n.y * i / piece_count);
            uint32_t end = (uint32_t)((uint64_t)n.y * (i + 1) / piece_count);
            pieces[i].build = (vp_dilate_job){.material = world->material,
                                              .chunks = n,
                                              .y_begin = begin,
                                              .y_end = end,
                                              .slot = b->slot,
                                              .slot_stride_z = b->stride_z,
                                              .slot_stride_y = b->stride_y,
                                              .pool = room + begin * layer,
                                              .first = SHARED + (uint32_t)(begin * layer),
                                              .scratch = scratch + i * scratch_bytes};
        }
        build_job job = {b, pieces};
        executor->parallel_for(executor->user, piece_count, build_piece, &job);
        done = gather_pool(&job, piece_count, executor);
    }
    vp_release(&b->allocator, room, chunk_count, sizeof *room);
    vp_release(&b->allocator, scratch, piece_count, scratch_bytes);
    vp_release(&b->allocator, pieces, piece_count, sizeof *pieces);
    return done;
}

vp_status vp_broadphase_create(const vp_broadphase_def *def, vp_broadphase **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    if (def->world == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_broadphase_def.world is NULL");
    vp_kernels kernels;
    if (def->kernels != NULL) {
        kernels = *def->kernels;
    } else
        VP_RETURN_IF_FAILED(vp_kernels_default(&kernels, error));
    vp_executor executor = vp_executor_or_serial(def->executor);
    vp_allocator allocator = vp_allocator_or_default(def->allocator);

    vp_broadphase *b = vp_allocate_zero(&allocator, 1, sizeof *b);
    if (b != NULL) {
        b->chunks = def->world->chunks;
        b->kernels = kernels;
        b->allocator = allocator;
    }
    if (b == NULL || !make_slots(b) || !build_all(b, def->world, &executor)) {
        vp_broadphase_destroy(b);
        return vp_fail(error, VP_E_MEMORY, "no memory for the broadphase of %u x %u x %u chunks", def->world->chunks.x,
                       def->world->chunks.y, def->world->chunks.z);
    }
    *out = b;
    return vp_succeed(error);
}

void vp_broadphase_destroy(vp_broadphase *broadphase)
{
    if (broadphase == NULL)
        return;
    vp_allocator allocator = broadphase->allocator;
    vp_release(&allocator, broadphase->slot_memory, broadphase->slot_count, sizeof *broadphase->slot_memory);
    vp_release(&allocator, broadphase->pool, broadphase->pool_capacity, sizeof *broadphase->pool);
    vp_release(&allocator, broadphase, 1, sizeof *broadphase);
}

/* ---- edits ---- */

/* The number of chunks of a set that own no masks so far. They may need as many entries of the pool. */
static uint32_t count_without_masks(const vp_broadphase *b, const vp_chunk_set *stale)
{
    vp_dims n = b->chunks;
    uint32_t count = 0;
    for (uint32_t c = vp_chunk_set_next(stale, 0); c != UINT32_MAX; c = vp_chunk_set_next(stale, c + 1))
        count += b->slot[find_slot(b, c % n.x, c / n.x / n.z, c / n.x % n.z)] < SHARED;
    return count;
}

bool vp_broadphase_reserve(vp_broadphase *b, uint32_t more)
{
    uint32_t at_hand = b->free_count + (b->pool_capacity - b->pool_end);
    if (at_hand >= more)
        return true;
    uint32_t capacity = b->pool_end + (more - b->free_count) + b->pool_end / 8; /* an eighth more than needed now */
    vp_chunk_masks *pool = vp_allocate(&b->allocator, capacity, sizeof *pool);
    if (pool == NULL)
        return false;
    memcpy(pool, b->pool, b->pool_end * sizeof *pool);
    vp_release(&b->allocator, b->pool, b->pool_capacity, sizeof *b->pool);
    b->pool = pool;
    b->pool_capacity = capacity;
    return true;
}

static uint32_t allocate_entry(vp_broadphase *b)
{
    assert(b->free_count != 0 || b->pool_end < b->pool_capacity);
    if (b->free_count == 0)
        return b->pool_end++;
    uint32_t entry = b->free_first;
    b->free_first = (uint32_t)b->pool[entry].solid[0];
    b->free_count--;
    return entry;
}

static void free_entry(vp_broadphase *b, uint32_t entry)
{
    b->pool[entry].solid[0] = b->free_first;
    b->free_first = entry;
    b->free_count++;
}

static void derive_again(vp_broadphase *b, const vp_bricks *bricks, uint32_t cx, uint32_t cy, uint32_t cz)
{
    uint32_t *slot = &b->slot[find_slot(b, cx, cy, cz)];
    vp_chunk_masks masks;
    uint32_t tag = b->kernels.dilate_chunk(bricks, cx, cy, cz, &masks);
    if (tag != VP_CHUNK_MIXED) {
        if (*slot >= SHARED)
            free_entry(b, *slot);
        *slot = tag;
        return;
    }
    if (*slot < SHARED)
        *slot = allocate_entry(b);
    b->pool[*slot] = masks;
}

void vp_broadphase_rederive(vp_broadphase *b, const vp_world *world, const vp_chunk_set *stale, uint32_t first, uint32_t last)
{
    const vp_dims n = b->chunks;
    const vp_bricks bricks = {world->material, n};
    for (uint32_t c = vp_chunk_set_next_until(stale, first, last); c != UINT32_MAX; c = vp_chunk_set_next_until(stale, c + 1, last))
        derive_again(b, &bricks, c % n.x, c / n.x / n.z, c / n.x % n.z);
}

static bool is_same_dims(vp_dims a, vp_dims b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

vp_status vp_broadphase_update(vp_broadphase *broadphase, const vp_world *world, const vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, broadphase, world, stale);
    vp_dims n = broadphase->chunks;
    if (!is_same_dims(world->chunks, n) || !is_same_dims(stale->chunks, n))
        return vp_fail(error, VP_E_ARGUMENT,
                       "a broadphase of %u x %u x %u chunks was given a world of %u x %u x %u and a set of %u x %u x %u", n.x, n.y, n.z,
                       world->chunks.x, world->chunks.y, world->chunks.z, stale->chunks.x, stale->chunks.y, stale->chunks.z);
    uint32_t more = count_without_masks(broadphase, stale);
    if (!vp_broadphase_reserve(broadphase, more))
        return vp_fail(error, VP_E_MEMORY, "no memory for the masks that %u more chunks may need", more);
    vp_broadphase_rederive(broadphase, world, stale, 0, (uint32_t)vp_chunk_count(n) - 1);
    return vp_succeed(error);
}

/* ---- reading ---- */

vp_broadphase_view vp_broadphase_bits(const vp_broadphase *broadphase)
{
    return (vp_broadphase_view){.slot = broadphase->slot,
                                .pool = broadphase->pool,
                                .chunks = broadphase->chunks,
                                .slot_stride_z = broadphase->stride_z,
                                .slot_stride_y = broadphase->stride_y};
}

const vp_kernels *vp_broadphase_kernels(const vp_broadphase *broadphase)
{
    return &broadphase->kernels;
}

static uint32_t slot_of(const vp_broadphase *b, vp_ivec3 chunk)
{
    if (!vp_voxel_inside(b->chunks, chunk))
        return VP_CHUNK_EMPTY;
    return b->slot[find_slot(b, (uint32_t)chunk.x, (uint32_t)chunk.y, (uint32_t)chunk.z)];
}

vp_chunk_class vp_broadphase_chunk_class(const vp_broadphase *broadphase, vp_ivec3 chunk)
{
    uint32_t slot = slot_of(broadphase, chunk);
    return slot < SHARED ? (vp_chunk_class)slot : VP_CHUNK_MIXED;
}

const vp_chunk_masks *vp_broadphase_masks(const vp_broadphase *broadphase, vp_ivec3 chunk)
{
    return &broadphase->pool[slot_of(broadphase, chunk)];
}

vp_broadphase_memory vp_broadphase_memory_use(const vp_broadphase *broadphase)
{
    vp_broadphase_memory use = {{0}, 0, 0};
    vp_dims n = broadphase->chunks;
    for (uint32_t cy = 0; cy < n.y; cy++)
        for (uint32_t cz = 0; cz < n.z; cz++)
            for (uint32_t cx = 0; cx < n.x; cx++) {
                uint32_t slot = broadphase->slot[find_slot(broadphase, cx, cy, cz)];
                use.chunks[slot < SHARED ? slot : VP_CHUNK_MIXED]++;
            }
    use.mask_bytes = (uint64_t)use.chunks[VP_CHUNK_MIXED] * sizeof(vp_chunk_masks);
    use.total_bytes = (uint64_t)broadphase->pool_capacity * sizeof(vp_chunk_masks) + (uint64_t)broadphase->slot_count * sizeof(uint32_t) +
                      sizeof *broadphase;
    return use;
}

/* ---- queries ---- */

/* Reports the invalid number of a box. `which` is "" or "3", the box's number. */
static vp_status refuse_box(const vp_aabb *box, const char *which, vp_error *error)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    for (int axis = 0; axis < 3; axis++) {
        char name = "xyz"[axis];
        if (low[axis] != low[axis] || high[axis] != high[axis])
            return vp_fail(error, VP_E_ARGUMENT, "box%s: %s.%c is NaN", which, low[axis] != low[axis] ? "min" : "max", name);
        if (low[axis] > high[axis])
            return vp_fail(error, VP_E_ARGUMENT, "box%s: min.%c = %.9g is above max.%c = %.9g", which, name, (double)low[axis], name,
                           (double)high[axis]);
    }
    return VP_OK;
}

vp_status vp_broadphase_overlap(const vp_broadphase *broadphase, const vp_aabb *box, uint32_t *touch, vp_error *error)
{
    VP_RETURN_IF_NULL(error, broadphase, box, touch);
    if (!vp_aabb_valid(box))
        return refuse_box(box, "", error);
    vp_broadphase_view bits = vp_broadphase_bits(broadphase);
    *touch = broadphase->kernels.overlap_box(&bits, box);
    return vp_succeed(error);
}

vp_status vp_broadphase_overlap_batch(const vp_broadphase *broadphase, const vp_boxes *boxes, uint8_t *touch, vp_error *error)
{
    VP_RETURN_IF_NULL(error, broadphase, boxes);
    VP_RETURN_IF_ARRAY_NULL(error, touch, boxes->count);
    vp_broadphase_view bits = vp_broadphase_bits(broadphase);
    broadphase->kernels.overlap_boxes(&bits, boxes, touch);
    for (uint32_t i = 0; i < boxes->count; i++) {
        if (touch[i] != VP_TOUCH_INVALID)
            continue;
        vp_aabb box = {{boxes->min_x[i], boxes->min_y[i], boxes->min_z[i]}, {boxes->max_x[i], boxes->max_y[i], boxes->max_z[i]}};
        char which[16];
        snprintf(which, sizeof which, " %u", i);
        return refuse_box(&box, which, error);
    }
    return vp_succeed(error);
}
