/* SPDX-License-Identifier: MIT */
/* Overlap tests on AVX-512 (F, DQ, VL). The idea is in overlap_common.h. Eight slices of one class are one zmm. The y
 * range is a mask register that zeroes the slices outside it as they are loaded, and vpternlogq combines two chunks and
 * the XZ mask in one instruction.
 *
 * Batches (overlap_boxes.h) first do the arithmetic of 16 boxes (floor, cut, chunk, ranges), one box a lane. Then come
 * each box's loads, which depend only on its slots. Gathering slots with vpgatherdd was no faster than eight plain
 * loads. Cost of a box: about 6 vector instructions as its share of the arithmetic, 8 slot loads, 16 loads of 64 bytes,
 * 24 logic instructions. Other instruction sets lack mask registers, and compare a constant {1, 2, 4, ...} with the
 * range to select lanes. They lack ternary logic too, and use an AND after an OR. */
#include "optimized/simd/avx512.h"

#include <stdbool.h>
#include <stddef.h>

#include "optimized/broadphase/overlap_x86.h"

uint32_t vp_overlap_box_avx512(const vp_broadphase_view *bits, const vp_aabb *box)
{
    return overlap_box_x86(bits, box);
}

uint32_t vp_overlap_chunks_avx512(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    return overlap_chunks_x86(bits, box, out, capacity);
}

/* ---- batches ---- */

enum { LANES = 16 };

#include "optimized/broadphase/overlap_boxes.h"

/* One axis of 16 boxes. */
typedef struct axis {
    __m512i first, last;   /* voxels */
    __m512i chunk;         /* of the first voxel */
    __m512i from, to;      /* voxels relative to that chunk, 0..7 or 0..15 */
    __mmask16 valid, more; /* valid means min <= max, more that the box spans more than two chunks */
} axis;

static inline __m512i floor_voxels_16(__m512 v, __m512 size_plus_1)
{
    v = _mm512_min_ps(_mm512_max_ps(v, _mm512_set1_ps(-2.0f)), size_plus_1); /* NaN becomes -2 */
    return _mm512_cvt_roundps_epi32(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

static inline axis axis_of(const float *min, const float *max, uint32_t chunks)
{
    __m512 low = _mm512_loadu_ps(min), high = _mm512_loadu_ps(max);
    const __m512 limit = _mm512_set1_ps((float)(chunks * 8 + 1));
    const __m512i one = _mm512_set1_epi32(1);
    axis a;
    a.valid = _mm512_cmp_ps_mask(low, high, _CMP_LE_OQ);
    a.first = _mm512_sub_epi32(floor_voxels_16(low, limit), one);
    a.last = _mm512_add_epi32(floor_voxels_16(high, limit), one);
    a.chunk = _mm512_srai_epi32(a.first, 3);
    a.from = _mm512_and_si512(a.first, _mm512_set1_epi32(7));
    a.to = _mm512_sub_epi32(a.last, _mm512_slli_epi32(a.chunk, 3));
    a.more = _mm512_cmpgt_epi32_mask(a.to, _mm512_set1_epi32(15));
    return a;
}

static inline __m512i range_16(axis a)
{
    return _mm512_sub_epi32(_mm512_sllv_epi32(_mm512_set1_epi32(2), a.to), _mm512_sllv_epi32(_mm512_set1_epi32(1), a.from));
}

static inline void project(const vp_broadphase_view *bits, const vp_boxes *boxes, uint32_t i, projected *out)
{
    const axis x = axis_of(boxes->min_x + i, boxes->max_x + i, bits->chunks.x);
    const axis y = axis_of(boxes->min_y + i, boxes->max_y + i, bits->chunks.y);
    const axis z = axis_of(boxes->min_z + i, boxes->max_z + i, bits->chunks.z);
    __m512i row = _mm512_add_epi32(_mm512_mullo_epi32(y.chunk, _mm512_set1_epi32(bits->slot_stride_y)),
                                   _mm512_mullo_epi32(z.chunk, _mm512_set1_epi32(bits->slot_stride_z)));
    _mm512_store_si512(out->first[0], x.first);
    _mm512_store_si512(out->first[1], y.first);
    _mm512_store_si512(out->first[2], z.first);
    _mm512_store_si512(out->last[0], x.last);
    _mm512_store_si512(out->last[1], y.last);
    _mm512_store_si512(out->last[2], z.last);
    _mm512_store_si512(out->slot, _mm512_add_epi32(row, x.chunk));
    _mm512_store_si512(out->x, range_16(x));
    _mm512_store_si512(out->y, range_16(y));
    _mm512_store_si512(out->z_from, z.from);
    _mm512_store_si512(out->z_to, z.to);
    out->invalid = (uint32_t)(x.valid & y.valid & z.valid) ^ 0xffffu;
    out->more = (uint32_t)(x.more | y.more | z.more);
}

void vp_overlap_boxes_avx512(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    overlap_boxes(bits, boxes, touch);
}
