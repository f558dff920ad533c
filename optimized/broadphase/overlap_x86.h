/* SPDX-License-Identifier: MIT */
/* One box with each corner in an xmm register, shared by AVX2 and AVX-512. Lane 3 is the float next to the corner. */
#ifndef VP_OPTIMIZED_BROADPHASE_OVERLAP_X86_H
#define VP_OPTIMIZED_BROADPHASE_OVERLAP_X86_H

#include "optimized/broadphase/overlap_common.h"

typedef struct grown_box {
    __m128i first, last; /* voxels */
    bool valid;
} grown_box;

/* floor(v) as an integer, cut to [-2, size + 1]. NaN becomes -2. */
static inline __m128i floor_voxels(__m128 v, __m128 size_plus_1)
{
    v = _mm_min_ps(_mm_max_ps(v, _mm_set1_ps(-2.0f)), size_plus_1);
    return _mm_cvttps_epi32(_mm_floor_ps(v));
}

static inline grown_box grow(const vp_broadphase_view *bits, const vp_aabb *box)
{
    /* Both loads stay inside the box's 24 bytes: min.x .. max.x, and min.z .. max.z rotated by one. */
    __m128 min = _mm_loadu_ps(&box->min.x), max = _mm_loadu_ps(&box->min.z);
    max = _mm_shuffle_ps(max, max, _MM_SHUFFLE(3, 3, 2, 1));
    __m128i chunks = _mm_loadu_si128((const __m128i *)(const void *)&bits->chunks);
    __m128i size_plus_1 = _mm_add_epi32(_mm_slli_epi32(chunks, 3), _mm_set1_epi32(1));
    __m128 limit = _mm_cvtepi32_ps(size_plus_1);
    grown_box g;
    g.valid = (_mm_movemask_ps(_mm_cmple_ps(min, max)) & 7) == 7;
    g.first = _mm_sub_epi32(floor_voxels(min, limit), _mm_set1_epi32(1));
    g.last = _mm_add_epi32(floor_voxels(max, limit), _mm_set1_epi32(1));
    return g;
}

static inline voxel_range range_of(grown_box g)
{
    voxel_range r;
    _mm_store_si128((__m128i *)(void *)r.first, g.first);
    _mm_store_si128((__m128i *)(void *)r.last, g.last);
    return r;
}

static inline uint32_t overlap_box_x86(const vp_broadphase_view *bits, const vp_aabb *box)
{
    grown_box g = grow(bits, box);
    if (!g.valid)
        return VP_TOUCH_INVALID;
    __m128i chunk = _mm_srai_epi32(g.first, 3), last_chunk = _mm_srai_epi32(g.last, 3);
    __m128i spans_more = _mm_cmpgt_epi32(_mm_sub_epi32(last_chunk, chunk), _mm_set1_epi32(1));
    if ((_mm_movemask_ps(_mm_castsi128_ps(spans_more)) & 7) != 0)
        return touch_any_size(bits, range_of(g));
    __m128i from = _mm_and_si128(g.first, _mm_set1_epi32(7));     /* 0..7 */
    __m128i to = _mm_sub_epi32(g.last, _mm_slli_epi32(chunk, 3)); /* 0..15 */
    __m128i range = _mm_sub_epi32(_mm_sllv_epi32(_mm_set1_epi32(2), to), _mm_sllv_epi32(_mm_set1_epi32(1), from));
    uint64_t chunk_xy = (uint64_t)_mm_cvtsi128_si64(chunk), range_xy = (uint64_t)_mm_cvtsi128_si64(range);
    int32_t cx = (int32_t)chunk_xy, cy = (int32_t)(chunk_xy >> 32), cz = _mm_extract_epi32(chunk, 2);
    const uint32_t *slot = bits->slot + ((ptrdiff_t)cy * bits->slot_stride_y + (ptrdiff_t)cz * bits->slot_stride_z + cx);
    uint64_t strip_z[2];
    strips_z((uint32_t)_mm_extract_epi32(from, 2), (uint32_t)_mm_extract_epi32(to, 2), strip_z);
    return touch_two(bits, slot, (uint32_t)range_xy, (uint32_t)(range_xy >> 32), strip_z);
}

static inline uint32_t overlap_chunks_x86(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    grown_box g = grow(bits, box);
    return g.valid ? list_chunks(bits, range_of(g), out, capacity) : 0;
}

#endif
