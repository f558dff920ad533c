/* SPDX-License-Identifier: MIT */
/* Four doubles at a time, for hull_body.h, on AVX2. */
#ifndef VP_OPTIMIZED_HULL_HULL_LANES_AVX2_H
#define VP_OPTIMIZED_HULL_HULL_LANES_AVX2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/inline.h"
#include "optimized/simd/avx2.h"

enum { LANES = 4 };

typedef __m256d lanes;
typedef __m256d lanes_mask;

VP_INLINE lanes lanes_set(double x)
{
    return _mm256_set1_pd(x);
}

/* 0, 1, 2, ... */
VP_INLINE lanes lanes_count(void)
{
    return _mm256_set_pd(3.0, 2.0, 1.0, 0.0);
}

/* LANES floats, widened. */
VP_INLINE lanes lanes_load(const float *from)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(from));
}

VP_INLINE void lanes_store(double *to, lanes a)
{
    _mm256_storeu_pd(to, a);
}

/* Stores integers from -2^31 on, as 32 bits. */
VP_INLINE void lanes_store_whole(uint32_t *to, lanes a)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_cvttpd_epi32(a));
}

VP_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm256_add_pd(a, b);
}

VP_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_pd(a, b);
}

VP_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_pd(a, b);
}

/* 1 / sqrt(a) of a positive number, to 4 %. Subtracts half of the exponent, and nearly half of the fraction. For 0 it
   is large and finite. */
VP_INLINE lanes lanes_per_root(lanes a)
{
    return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(0x5fe6eb50c7b537a9), _mm256_srli_epi64(_mm256_castpd_si256(a), 1)));
}

VP_INLINE lanes lanes_larger(lanes a, lanes b)
{
    return _mm256_max_pd(a, b);
}

VP_INLINE lanes lanes_size(lanes a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

VP_INLINE lanes_mask lanes_above(lanes a, lanes b)
{
    return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
}

VP_INLINE lanes_mask lanes_or(lanes_mask a, lanes_mask b)
{
    return _mm256_or_pd(a, b);
}

VP_INLINE lanes_mask lanes_and(lanes_mask a, lanes_mask b)
{
    return _mm256_and_pd(a, b);
}

/* a, but not b. */
VP_INLINE lanes_mask lanes_and_not(lanes_mask a, lanes_mask b)
{
    return _mm256_andnot_pd(b, a);
}

VP_INLINE lanes_mask lanes_none(void)
{
    return _mm256_setzero_pd();
}

VP_INLINE bool lanes_any(lanes_mask m)
{
    return _mm256_movemask_pd(m) != 0;
}

/* b where the mask is set, else a. */
VP_INLINE lanes lanes_choose(lanes_mask m, lanes a, lanes b)
{
    return _mm256_blendv_pd(a, b, m);
}

/* Splits LANES points. */
VP_INLINE void lanes_split(const float *from, float *x, float *y, float *z)
{
    const __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4), c = _mm_loadu_ps(from + 8);
    /* a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3 */
    const __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)); /* x2 y2 x3 y3 */
    const __m128 yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1)); /* y0 z0 y1 z1 */
    _mm_storeu_ps(x, _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0)));
    _mm_storeu_ps(y, _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
    _mm_storeu_ps(z, _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1)));
}

/* The places of the lanes in a set of eight, one a byte, from the lowest on. Bytes after them are unspecified. */
VP_INLINE uint64_t lanes_places(uint32_t set)
{
    static const uint32_t of_four[16] = {0,    0x00,   0x01,   0x0100,   0x02,   0x0200,   0x0201,   0x020100,
                                         0x03, 0x0300, 0x0301, 0x030100, 0x0302, 0x030200, 0x030201, 0x03020100};
    const uint64_t upper = of_four[set >> 4] + 0x04040404u;
    return of_four[set & 15] | upper << 8 * (uint32_t)__builtin_popcount(set & 15);
}

/* Copies the points with one label to `to`, in sequence. Up to 7 more may be written after them. @return the
   number of points */
VP_INLINE uint32_t lanes_pick(const float *x, const float *y, const float *z, const uint32_t *id, const uint32_t *label, uint32_t count,
                              uint32_t wanted, float *to_x, float *to_y, float *to_z, uint32_t *to_id)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        const __m256i same =
            _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(label + i)), _mm256_set1_epi32((int)wanted));
        uint32_t set = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(same));
        if (count - i < 8)
            set &= (1u << (count - i)) - 1;
        if (set == 0)
            continue;
        const __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)lanes_places(set)));
        _mm256_storeu_ps(to_x + made, _mm256_permutevar8x32_ps(_mm256_loadu_ps(x + i), at));
        _mm256_storeu_ps(to_y + made, _mm256_permutevar8x32_ps(_mm256_loadu_ps(y + i), at));
        _mm256_storeu_ps(to_z + made, _mm256_permutevar8x32_ps(_mm256_loadu_ps(z + i), at));
        const __m256i ids = _mm256_loadu_si256((const __m256i *)(const void *)(id + i));
        _mm256_storeu_si256((__m256i *)(void *)(to_id + made), _mm256_permutevar8x32_epi32(ids, at));
        made += (uint32_t)__builtin_popcount(set);
    }
    return made;
}

enum { DEAL = 0 };

/* On AVX-512 this puts points in the order of their labels. This ISA has no expansion of lanes that would do it. */
VP_INLINE uint32_t lanes_deal(float *x, float *y, float *z, uint32_t *id, size_t from, size_t to, const uint32_t *label, uint32_t count,
                              uint32_t labels, uint32_t *end)
{
    (void)x, (void)y, (void)z, (void)id, (void)from, (void)to, (void)label, (void)count;
    for (uint32_t j = 0; j < labels; j++)
        end[j] = 0;
    return 0;
}

/* ---- eight floats, for hull_bounds_body.h and hull_filter_body.h ---- */

enum { WIDE = 8 };

typedef __m256 floats;
typedef __m256 floats_mask;
typedef __m256i rounds; /* an integer a lane */

VP_INLINE floats floats_set(float x)
{
    return _mm256_set1_ps(x);
}

VP_INLINE floats floats_load(const float *from)
{
    return _mm256_loadu_ps(from);
}

/* Splits WIDE points, four in the lower half, four in the upper one, like lanes_split. */
VP_INLINE void floats_split(const float *from, floats *x, floats *y, floats *z)
{
    const __m256 a = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)), _mm_loadu_ps(from + 12), 1);
    const __m256 b = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from + 4)), _mm_loadu_ps(from + 16), 1);
    const __m256 c = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from + 8)), _mm_loadu_ps(from + 20), 1);
    const __m256 xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)), yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    *x = _mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
    *y = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
    *z = _mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

VP_INLINE void floats_store(float *to, floats a)
{
    _mm256_storeu_ps(to, a);
}

VP_INLINE floats floats_add(floats a, floats b)
{
    return _mm256_add_ps(a, b);
}

VP_INLINE floats floats_mul(floats a, floats b)
{
    return _mm256_mul_ps(a, b);
}

VP_INLINE floats floats_sub(floats a, floats b)
{
    return _mm256_sub_ps(a, b);
}

VP_INLINE floats floats_div(floats a, floats b)
{
    return _mm256_div_ps(a, b);
}

VP_INLINE floats floats_size(floats a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

/* Truncates to integers. */
VP_INLINE floats floats_whole(floats a)
{
    return _mm256_cvtepi32_ps(_mm256_cvttps_epi32(a));
}

/* Looks up elements of a table at integer places. Eight loads instead of a gather, which some processors'
   microcode makes slow. */
VP_INLINE floats floats_at(const float *table, floats place)
{
    uint32_t i[8];
    _mm256_storeu_si256((__m256i *)(void *)i, _mm256_cvttps_epi32(place));
    return _mm256_setr_ps(table[i[0]], table[i[1]], table[i[2]], table[i[3]], table[i[4]], table[i[5]], table[i[6]], table[i[7]]);
}

VP_INLINE floats_mask floats_above(floats a, floats b)
{
    return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
}

VP_INLINE floats floats_choose(floats_mask m, floats a, floats b)
{
    return _mm256_blendv_ps(a, b, m);
}

/* A bit a lane. */
VP_INLINE uint32_t floats_bits(floats_mask m)
{
    return (uint32_t)_mm256_movemask_ps(m);
}

VP_INLINE rounds rounds_set(int x)
{
    return _mm256_set1_epi32(x);
}

VP_INLINE rounds rounds_next(rounds a)
{
    return _mm256_add_epi32(a, _mm256_set1_epi32(1));
}

VP_INLINE rounds rounds_load(const uint32_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

VP_INLINE void rounds_store(uint32_t *to, rounds a)
{
    _mm256_storeu_si256((__m256i *)(void *)to, a);
}

VP_INLINE rounds rounds_choose(floats_mask m, rounds a, rounds b)
{
    return _mm256_blendv_epi8(a, b, _mm256_castps_si256(m));
}

/* Appends those of WIDE numbers whose bits are set, in sequence. Writes WIDE. */
VP_INLINE void floats_append(float *to, uint32_t set, floats a)
{
    const __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)lanes_places(set)));
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(a, at));
}

/* Appends their places. The first place is `first`. */
VP_INLINE void places_append(uint32_t *to, uint32_t set, uint32_t first)
{
    const __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)lanes_places(set)));
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_add_epi32(at, _mm256_set1_epi32((int)first)));
}

#endif
