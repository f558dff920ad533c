/* SPDX-License-Identifier: MIT */
/* Overlap tests on WebAssembly's 128 bits. The idea is in overlap_common.h. Eight slices of one class are four v128.
 * The y range is masked with {1, 2}, {4, 8}, ... and compared with the same constants to make lane masks.
 *
 * All lanes of a vector are shifted by the same count, so each lane's own power of two is made as a float. The count
 * is its exponent, which one shift by 23 puts in place. Both ends of a range are such floats, their difference is
 * exact, and one conversion makes it an integer. Lanes that span more than two chunks hold unspecified values, and
 * no conversion traps.
 *
 * Batches (overlap_boxes.h) first do the arithmetic of 4 boxes (floor, cut, chunk, ranges), one box a lane. Then come
 * each box's loads. Cost of a box: about 20 vector instructions as its share of the arithmetic, 8 slot loads, 64 loads
 * of 16 bytes, 140 logic instructions. The test for any bit is one v128.any_true a class. */
#include "optimized/simd/simd128.h"

#include <stdbool.h>
#include <stddef.h>

#include "optimized/broadphase/overlap_common.h"

/* ---- ranges of four numbers, for four boxes on one axis or one box on three ---- */

/* floor(v), cut to [-2, limit]. Lanes that are not `valid` become 0, even if they hold NaN. */
static inline v128_t floor_voxels(v128_t v, v128_t valid, v128_t limit)
{
    v = wasm_f32x4_pmax(wasm_v128_and(v, valid), wasm_f32x4_splat(-2.0f));
    return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_floor(wasm_f32x4_pmin(v, limit)));
}

/* 2 to the given powers, as floats. The exponent's bias is 127. */
static inline v128_t power_of_two(v128_t power)
{
    return wasm_i32x4_shl(wasm_i32x4_add(power, wasm_i32x4_splat(127)), 23);
}

typedef struct axis {
    v128_t first, last; /* voxels */
    v128_t chunk;       /* of the first voxel */
    v128_t from, to;    /* voxels relative to that chunk, 0..7 or 0..15 */
    v128_t range;       /* the same as bits */
    v128_t valid;       /* all ones if min <= max */
    v128_t more;        /* all ones if the box spans more than two chunks */
} axis;

static inline axis axis_of(v128_t low, v128_t high, v128_t size_plus_1)
{
    const v128_t one = wasm_i32x4_splat(1);
    axis a;
    a.valid = wasm_f32x4_le(low, high);
    a.first = wasm_i32x4_sub(floor_voxels(low, a.valid, size_plus_1), one);
    a.last = wasm_i32x4_add(floor_voxels(high, a.valid, size_plus_1), one);
    a.chunk = wasm_i32x4_shr(a.first, 3);
    a.from = wasm_v128_and(a.first, wasm_i32x4_splat(7));
    a.to = wasm_i32x4_sub(a.last, wasm_i32x4_shl(a.chunk, 3));
    a.range = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_sub(power_of_two(wasm_i32x4_add(a.to, one)), power_of_two(a.from)));
    a.more = wasm_i32x4_gt(a.to, wasm_i32x4_splat(15));
    return a;
}

/* Bit i is set if lane i is all ones. */
static inline uint32_t bits_of_lanes(v128_t lanes)
{
    return (uint32_t)wasm_i32x4_bitmask(lanes);
}

/* ---- one box, lanes x, y, z and an unused one ---- */

static inline axis grow(const vp_broadphase_view *bits, const vp_aabb *box)
{
    const v128_t low = wasm_f32x4_make(box->min.x, box->min.y, box->min.z, 0.0f);
    const v128_t high = wasm_f32x4_make(box->max.x, box->max.y, box->max.z, 0.0f);
    const v128_t chunks = wasm_i32x4_make((int32_t)bits->chunks.x, (int32_t)bits->chunks.y, (int32_t)bits->chunks.z, 1);
    return axis_of(low, high, wasm_f32x4_convert_i32x4(wasm_i32x4_add(wasm_i32x4_shl(chunks, 3), wasm_i32x4_splat(1))));
}

static inline voxel_range range_of(axis a)
{
    voxel_range r;
    wasm_v128_store(r.first, a.first);
    wasm_v128_store(r.last, a.last);
    return r;
}

uint32_t vp_overlap_box_simd128(const vp_broadphase_view *bits, const vp_aabb *box)
{
    const axis a = grow(bits, box);
    if ((bits_of_lanes(a.valid) & 7) != 7)
        return VP_TOUCH_INVALID;
    if ((bits_of_lanes(a.more) & 7) != 0)
        return touch_any_size(bits, range_of(a));
    const ptrdiff_t at = (ptrdiff_t)wasm_i32x4_extract_lane(a.chunk, 1) * bits->slot_stride_y +
                         (ptrdiff_t)wasm_i32x4_extract_lane(a.chunk, 2) * bits->slot_stride_z + wasm_i32x4_extract_lane(a.chunk, 0);
    uint64_t strip_z[2];
    strips_z((uint32_t)wasm_i32x4_extract_lane(a.from, 2), (uint32_t)wasm_i32x4_extract_lane(a.to, 2), strip_z);
    return touch_two(bits, bits->slot + at, (uint32_t)wasm_i32x4_extract_lane(a.range, 0), (uint32_t)wasm_i32x4_extract_lane(a.range, 1),
                     strip_z);
}

uint32_t vp_overlap_chunks_simd128(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    const axis a = grow(bits, box);
    return (bits_of_lanes(a.valid) & 7) == 7 ? list_chunks(bits, range_of(a), out, capacity) : 0;
}

/* ---- batches, one box a lane ---- */

enum { LANES = 4 };

#include "optimized/broadphase/overlap_boxes.h"

static inline axis batch_axis(const float *min, const float *max, uint32_t chunks)
{
    return axis_of(wasm_v128_load(min), wasm_v128_load(max), wasm_f32x4_splat((float)(chunks * 8 + 1)));
}

static inline void project(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t i, projected *out)
{
    const axis x = batch_axis(boxes->min_x + i, boxes->max_x + i, bits->chunks.x);
    const axis y = batch_axis(boxes->min_y + i, boxes->max_y + i, bits->chunks.y);
    const axis z = batch_axis(boxes->min_z + i, boxes->max_z + i, bits->chunks.z);
    const v128_t slot_y = wasm_i32x4_mul(y.chunk, wasm_i32x4_splat(bits->slot_stride_y));
    const v128_t slot_z = wasm_i32x4_mul(z.chunk, wasm_i32x4_splat(bits->slot_stride_z));
    wasm_v128_store(out->first[0], x.first);
    wasm_v128_store(out->first[1], y.first);
    wasm_v128_store(out->first[2], z.first);
    wasm_v128_store(out->last[0], x.last);
    wasm_v128_store(out->last[1], y.last);
    wasm_v128_store(out->last[2], z.last);
    wasm_v128_store(out->slot, wasm_i32x4_add(wasm_i32x4_add(x.chunk, slot_y), slot_z));
    wasm_v128_store(out->x, x.range);
    wasm_v128_store(out->y, y.range);
    wasm_v128_store(out->z_from, z.from);
    wasm_v128_store(out->z_to, z.to);
    out->invalid = bits_of_lanes(wasm_v128_and(wasm_v128_and(x.valid, y.valid), z.valid)) ^ 0xf;
    out->more = bits_of_lanes(wasm_v128_or(wasm_v128_or(x.more, y.more), z.more));
}

void vp_overlap_boxes_simd128(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    overlap_boxes(bits, boxes, touch);
}
