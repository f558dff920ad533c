/* SPDX-License-Identifier: MIT */
/* Overlap tests in batches, as far as they are the same on every instruction set.
 *
 * Idea. A single query is a chain of dependent steps from the box to its slots to their masks. A batch does the
 * arithmetic before the slots for LANES boxes at once, one box a lane, and stores it. Then the boxes are tested one by
 * one. No box waits for another, so the processor works on as many of them as it has room for.
 *
 * Large worlds. The processor has room for about four boxes, and masks that come from distant memory take as long as
 * ten. So if a world's masks may be larger than 4 MiB, the lines of the next LANES boxes are prefetched (fetch) before
 * these are tested. It costs 8 slot loads and 16 prefetches a box. That is a loss while the masks are in a level-2
 * cache, breaks even for a few MiB of them, and is a large gain where they come from a shared cache or from memory.
 *
 * The including file defines LANES first. It defines `project`. */
#ifndef VP_OPTIMIZED_BROADPHASE_OVERLAP_BATCH_H
#define VP_OPTIMIZED_BROADPHASE_OVERLAP_BATCH_H

#include <string.h>

#include "optimized/broadphase/overlap_common.h"

/* LANES grown boxes. */
typedef struct projected {
    _Alignas(64) int32_t first[3][LANES]; /* voxels on x, y, z, as in voxel_range */
    int32_t last[3][LANES];
    int32_t slot[LANES];                 /* of the chunk of the first voxel, from bits->slot */
    uint32_t x[LANES], y[LANES];         /* voxels from that chunk's first as bits, 16 of them */
    uint32_t z_from[LANES], z_to[LANES]; /* the same along z as numbers */
    uint32_t invalid, more;              /* a bit a lane: not min <= max; spans more than two chunks on an axis */
} projected;

/* Projects boxes i .. i + LANES - 1. */
static inline void project(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t i, projected *out);

/* ---- LANES boxes ---- */

static inline uint32_t test_lane(const vp_broadphase_view *bits, const projected *p, int lane)
{
    uint64_t strip_z[2];
    strips_z(p->z_from[lane], p->z_to[lane], strip_z);
    return touch_two(bits, bits->slot + p->slot[lane], p->x[lane], p->y[lane], strip_z);
}

/* For boxes that span more chunks, or are invalid. */
static inline void test_odd(const vp_broadphase_view *bits, const projected *p, uint8_t *touch)
{
    for (int lane = 0; lane < LANES; lane++) {
        if ((p->invalid >> lane & 1) != 0) {
            touch[lane] = VP_TOUCH_INVALID;
        } else if ((p->more >> lane & 1) != 0) {
            voxel_range r = {{p->first[0][lane], p->first[1][lane], p->first[2][lane], 0},
                             {p->last[0][lane], p->last[1][lane], p->last[2][lane], 0}};
            touch[lane] = (uint8_t)touch_any_size(bits, r);
        } else {
            touch[lane] = (uint8_t)test_lane(bits, p, lane);
        }
    }
}

static inline void test(const vp_broadphase_view *bits, const projected *p, uint8_t *touch)
{
    if (__builtin_expect((p->more | p->invalid) != 0, 0)) {
        test_odd(bits, p, touch);
        return;
    }
    for (int lane = 0; lane < LANES; lane++)
        touch[lane] = (uint8_t)test_lane(bits, p, lane);
}

/* Prefetches the masks that `test` will read. The empty statement keeps gcc from seeing a function without effect,
   whose calls it would remove. */
static inline void fetch(const vp_broadphase_view *bits, const projected *p)
{
    __asm__ volatile("");
    for (int lane = 0; lane < LANES; lane++) {
        const uint32_t *slot = bits->slot + p->slot[lane];
        const next_chunk next = next_chunks(bits, p->x[lane], p->y[lane], p->z_to[lane] > 7);
        for (int c = 0; c < 4; c++) {
            const uint32_t *at = slot + (c & 1) * next.x + (c >> 1) * next.z;
            const vp_chunk_masks *lower = &bits->pool[at[0]], *upper = &bits->pool[at[next.y]];
            __builtin_prefetch(lower->solid);
            __builtin_prefetch(lower->water);
            __builtin_prefetch(upper->solid);
            __builtin_prefetch(upper->water);
        }
    }
}

/* ---- all boxes ---- */

/* 32768 chunks have at most 4 MiB of masks. */
static inline bool may_be_far_away(const vp_broadphase_view *bits)
{
    return (uint64_t)bits->chunks.x * bits->chunks.y * bits->chunks.z > 32768;
}

/* A batch that fills all lanes. */
static inline void batch_near(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t count, uint8_t *touch)
{
    for (uint32_t i = 0; i < count; i += LANES) {
        projected p;
        project(bits, boxes, i, &p);
        test(bits, &p, touch + i);
    }
}

/* The same with fetches one step ahead. */
static inline void batch_far(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t count, uint8_t *touch)
{
    projected p[2];
    if (count != 0) {
        project(bits, boxes, 0, &p[0]);
        fetch(bits, &p[0]);
    }
    for (uint32_t i = 0; i < count; i += LANES) {
        projected *now = &p[i / LANES % 2], *next = &p[(i / LANES + 1) % 2];
        if (i + LANES < count) {
            project(bits, boxes, i + LANES, next);
            fetch(bits, next);
        }
        test(bits, now, touch + i);
    }
}

/* The last few boxes, completed with zeros. */
static inline void batch_rest(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t i, uint8_t *touch)
{
    const float *from[6] = {boxes->min_x, boxes->min_y, boxes->min_z, boxes->max_x, boxes->max_y, boxes->max_z};
    float copy[6][LANES] = {{0}};
    uint8_t all[LANES];
    uint32_t count = boxes->count - i;
    for (int c = 0; c < 6; c++)
        memcpy(copy[c], from[c] + i, count * sizeof(float));
    vp_boxes rest = {copy[0], copy[1], copy[2], copy[3], copy[4], copy[5], LANES};
    batch_near(bits, &rest, LANES, all);
    memcpy(touch + i, all, count);
}

static inline void overlap_boxes(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    uint32_t whole = boxes->count / LANES * LANES;
    if (may_be_far_away(bits))
        batch_far(bits, boxes, whole, touch);
    else
        batch_near(bits, boxes, whole, touch);
    if (whole < boxes->count)
        batch_rest(bits, boxes, whole, touch);
}

#endif
