/* SPDX-License-Identifier: MIT */
/* Overlap tests on NEON. The idea is in overlap_common.h. Eight slices of one class are four q registers, and tests
 * against {1, 2}, {4, 8}, ... turn the y range into lane masks.
 *
 * Batches (overlap_boxes.h) first do the arithmetic of 4 boxes (floor, cut, chunk, ranges), one box a lane. Then come
 * each box's loads. NEON has no gather, and none is needed. Cost of a box: about 29 vector instructions as its share of
 * the arithmetic, 8 slot loads, 64 loads of 16 bytes, 140 logic instructions, and 10 more for the masks of the y range.
 * The test for any bit is one vmaxvq a class. */
#include "optimized/simd/neon.h"

#include <stdbool.h>
#include <stddef.h>

#include "optimized/broadphase/overlap_common.h"

/* ---- ranges of four numbers, for four boxes on one axis or one box on three ---- */

/* floor(v), cut to [-2, limit]. Lanes that are not `valid` become 0, even if they hold NaN. */
static inline int32x4_t floor_voxels(float32x4_t v, uint32x4_t valid, float32x4_t limit)
{
    v = vbslq_f32(valid, v, vdupq_n_f32(0.0f));
    v = vminq_f32(vmaxq_f32(v, vdupq_n_f32(-2.0f)), limit);
    int32x4_t toward_zero = vcvtq_s32_f32(v);
    uint32x4_t above = vcgtq_f32(vcvtq_f32_s32(toward_zero), v); /* -1 where it was rounded up */
    return vaddq_s32(toward_zero, vreinterpretq_s32_u32(above));
}

typedef struct axis {
    int32x4_t first, last; /* voxels */
    int32x4_t chunk;       /* of the first voxel */
    int32x4_t from, to;    /* voxels relative to that chunk, 0..7 or 0..15 */
    uint32x4_t range;      /* the same as bits */
    uint32x4_t valid;      /* all ones if min <= max */
    uint32x4_t more;       /* all ones if the box spans more than two chunks */
} axis;

static inline axis axis_of(float32x4_t low, float32x4_t high, float32x4_t size_plus_1)
{
    axis a;
    a.valid = vcleq_f32(low, high);
    a.first = vsubq_s32(floor_voxels(low, a.valid, size_plus_1), vdupq_n_s32(1));
    a.last = vaddq_s32(floor_voxels(high, a.valid, size_plus_1), vdupq_n_s32(1));
    a.chunk = vshrq_n_s32(a.first, 3);
    a.from = vandq_s32(a.first, vdupq_n_s32(7));
    a.to = vsubq_s32(a.last, vshlq_n_s32(a.chunk, 3));
    a.range = vsubq_u32(vshlq_u32(vdupq_n_u32(2), a.to), vshlq_u32(vdupq_n_u32(1), a.from));
    a.more = vcgtq_s32(a.to, vdupq_n_s32(15));
    return a;
}

/* Bit i is set if lane i is all ones. */
static inline uint32_t bits_of_lanes(uint32x4_t lanes)
{
    static const uint32_t place[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(lanes, vld1q_u32(place)));
}

/* ---- one box, lanes x, y, z and an unused one ---- */

static inline axis grow(const vp_broadphase_view *bits, const vp_aabb *box)
{
    const float low[4] = {box->min.x, box->min.y, box->min.z, 0}, high[4] = {box->max.x, box->max.y, box->max.z, 0};
    const uint32_t chunks[4] = {bits->chunks.x, bits->chunks.y, bits->chunks.z, 1};
    uint32x4_t size_plus_1 = vaddq_u32(vshlq_n_u32(vld1q_u32(chunks), 3), vdupq_n_u32(1));
    return axis_of(vld1q_f32(low), vld1q_f32(high), vcvtq_f32_u32(size_plus_1));
}

static inline voxel_range range_of(axis a)
{
    voxel_range r;
    vst1q_s32(r.first, a.first);
    vst1q_s32(r.last, a.last);
    return r;
}

uint32_t vp_overlap_box_neon(const vp_broadphase_view *bits, const vp_aabb *box)
{
    axis a = grow(bits, box);
    if ((bits_of_lanes(a.valid) & 7) != 7)
        return VP_TOUCH_INVALID;
    if ((bits_of_lanes(a.more) & 7) != 0)
        return touch_any_size(bits, range_of(a));
    ptrdiff_t at = (ptrdiff_t)vgetq_lane_s32(a.chunk, 1) * bits->slot_stride_y +
                   (ptrdiff_t)vgetq_lane_s32(a.chunk, 2) * bits->slot_stride_z + vgetq_lane_s32(a.chunk, 0);
    uint64_t strip_z[2];
    strips_z((uint32_t)vgetq_lane_s32(a.from, 2), (uint32_t)vgetq_lane_s32(a.to, 2), strip_z);
    return touch_two(bits, bits->slot + at, vgetq_lane_u32(a.range, 0), vgetq_lane_u32(a.range, 1), strip_z);
}

uint32_t vp_overlap_chunks_neon(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    axis a = grow(bits, box);
    return (bits_of_lanes(a.valid) & 7) == 7 ? list_chunks(bits, range_of(a), out, capacity) : 0;
}

/* ---- batches, one box a lane ---- */

enum { LANES = 4 };

#include "optimized/broadphase/overlap_boxes.h"

static inline axis batch_axis(const float *min, const float *max, uint32_t chunks)
{
    return axis_of(vld1q_f32(min), vld1q_f32(max), vdupq_n_f32((float)(chunks * 8 + 1)));
}

static inline void project(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t i, projected *out)
{
    const axis x = batch_axis(boxes->min_x + i, boxes->max_x + i, bits->chunks.x);
    const axis y = batch_axis(boxes->min_y + i, boxes->max_y + i, bits->chunks.y);
    const axis z = batch_axis(boxes->min_z + i, boxes->max_z + i, bits->chunks.z);
    int32x4_t slot = vmlaq_n_s32(x.chunk, y.chunk, bits->slot_stride_y);
    vst1q_s32(out->first[0], x.first);
    vst1q_s32(out->first[1], y.first);
    vst1q_s32(out->first[2], z.first);
    vst1q_s32(out->last[0], x.last);
    vst1q_s32(out->last[1], y.last);
    vst1q_s32(out->last[2], z.last);
    vst1q_s32(out->slot, vmlaq_n_s32(slot, z.chunk, bits->slot_stride_z));
    vst1q_u32(out->x, x.range);
    vst1q_u32(out->y, y.range);
    vst1q_u32(out->z_from, vreinterpretq_u32_s32(z.from));
    vst1q_u32(out->z_to, vreinterpretq_u32_s32(z.to));
    out->invalid = bits_of_lanes(vandq_u32(vandq_u32(x.valid, y.valid), z.valid)) ^ 0xf;
    out->more = bits_of_lanes(vorrq_u32(vorrq_u32(x.more, y.more), z.more));
}

void vp_overlap_boxes_neon(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    overlap_boxes(bits, boxes, touch);
}
