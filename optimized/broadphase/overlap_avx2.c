/* SPDX-License-Identifier: MIT */
/* Overlap tests on AVX2. The idea is in overlap_common.h. Eight slices of one class are two ymm, and a comparison with
 * {1, 2, 4, ...} turns the y range into lane masks.
 *
 * Batches (overlap_boxes.h) first do the arithmetic of 8 boxes (floor, cut, chunk, ranges), one box a lane. Then come
 * each box's loads, which depend only on its slots. Cost of a box: about 13 vector instructions as its share of the
 * arithmetic, 8 slot loads, 32 loads of 32 bytes, 76 logic instructions, and 10 more for the masks of the y range. */
#include "optimized/simd/avx2.h"

#include <stdbool.h>
#include <stddef.h>

#include "optimized/broadphase/overlap_x86.h"

uint32_t vp_overlap_box_avx2(const vp_broadphase_view *bits, const vp_aabb *box)
{
    return overlap_box_x86(bits, box);
}

uint32_t vp_overlap_chunks_avx2(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    return overlap_chunks_x86(bits, box, out, capacity);
}

/* ---- batches ---- */

enum { LANES = 8 };

#include "optimized/broadphase/overlap_boxes.h"

/* One axis of 8 boxes. */
typedef struct axis {
    __m256i first, last;  /* voxels */
    __m256i chunk;        /* of the first voxel */
    __m256i from, to;     /* voxels relative to that chunk, 0..7 or 0..15 */
    uint32_t valid, more; /* bits of lanes; valid means min <= max, more that the box spans more than two chunks */
} axis;

static inline __m256i floor_voxels_8(__m256 v, __m256 size_plus_1)
{
    v = _mm256_min_ps(_mm256_max_ps(v, _mm256_set1_ps(-2.0f)), size_plus_1); /* NaN becomes -2 */
    return _mm256_cvttps_epi32(_mm256_floor_ps(v));
}

static inline axis axis_of(const float *min, const float *max, uint32_t chunks)
{
    __m256 low = _mm256_loadu_ps(min), high = _mm256_loadu_ps(max);
    const __m256 limit = _mm256_set1_ps((float)(chunks * 8 + 1));
    const __m256i one = _mm256_set1_epi32(1);
    axis a;
    a.valid = (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(low, high, _CMP_LE_OQ));
    a.first = _mm256_sub_epi32(floor_voxels_8(low, limit), one);
    a.last = _mm256_add_epi32(floor_voxels_8(high, limit), one);
    a.chunk = _mm256_srai_epi32(a.first, 3);
    a.from = _mm256_and_si256(a.first, _mm256_set1_epi32(7));
    a.to = _mm256_sub_epi32(a.last, _mm256_slli_epi32(a.chunk, 3));
    a.more = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a.to, _mm256_set1_epi32(15))));
    return a;
}

static inline __m256i range_8(axis a)
{
    return _mm256_sub_epi32(_mm256_sllv_epi32(_mm256_set1_epi32(2), a.to), _mm256_sllv_epi32(_mm256_set1_epi32(1), a.from));
}

static inline void put(void *to, __m256i v)
{
    _mm256_store_si256(to, v);
}

static inline void project(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t i, projected *out)
{
    const axis x = axis_of(boxes->min_x + i, boxes->max_x + i, bits->chunks.x);
    const axis y = axis_of(boxes->min_y + i, boxes->max_y + i, bits->chunks.y);
    const axis z = axis_of(boxes->min_z + i, boxes->max_z + i, bits->chunks.z);
    __m256i row = _mm256_add_epi32(_mm256_mullo_epi32(y.chunk, _mm256_set1_epi32(bits->slot_stride_y)),
                                   _mm256_mullo_epi32(z.chunk, _mm256_set1_epi32(bits->slot_stride_z)));
    put(out->first[0], x.first);
    put(out->first[1], y.first);
    put(out->first[2], z.first);
    put(out->last[0], x.last);
    put(out->last[1], y.last);
    put(out->last[2], z.last);
    put(out->slot, _mm256_add_epi32(row, x.chunk));
    put(out->x, range_8(x));
    put(out->y, range_8(y));
    put(out->z_from, z.from);
    put(out->z_to, z.to);
    out->invalid = (x.valid & y.valid & z.valid) ^ 0xff;
    out->more = x.more | y.more | z.more;
}

void vp_overlap_boxes_avx2(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    overlap_boxes(bits, boxes, touch);
}
