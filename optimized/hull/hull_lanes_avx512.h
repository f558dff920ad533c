/* SPDX-License-Identifier: MIT */
/* Eight doubles at a time, for hull_body.h, on AVX-512 F, BW, DQ, VL. */
#ifndef VP_OPTIMIZED_HULL_HULL_LANES_AVX512_H
#define VP_OPTIMIZED_HULL_HULL_LANES_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/inline.h"

enum { LANES = 8 };

typedef __m512d lanes;
typedef __mmask8 lanes_mask;

VP_INLINE lanes lanes_set(double x)
{
    return _mm512_set1_pd(x);
}

/* 0, 1, 2, ... */
VP_INLINE lanes lanes_count(void)
{
    return _mm512_set_pd(7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0);
}

/* LANES floats, widened. */
VP_INLINE lanes lanes_load(const float *from)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps(from));
}

VP_INLINE void lanes_store(double *to, lanes a)
{
    _mm512_storeu_pd(to, a);
}

/* Stores integers from -2^31 on, as 32 bits. */
VP_INLINE void lanes_store_whole(uint32_t *to, lanes a)
{
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvttpd_epi32(a));
}

VP_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm512_add_pd(a, b);
}

VP_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return _mm512_sub_pd(a, b);
}

VP_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return _mm512_mul_pd(a, b);
}

/* 1 / sqrt(a) of a positive number, to 4 %. Subtracts half of the exponent, and nearly half of the fraction. For 0 it
   is large and finite. */
VP_INLINE lanes lanes_per_root(lanes a)
{
    return _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_set1_epi64(0x5fe6eb50c7b537a9), _mm512_srli_epi64(_mm512_castpd_si512(a), 1)));
}

VP_INLINE lanes lanes_larger(lanes a, lanes b)
{
    return _mm512_max_pd(a, b);
}

VP_INLINE lanes lanes_size(lanes a)
{
    return _mm512_abs_pd(a);
}

VP_INLINE lanes_mask lanes_above(lanes a, lanes b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ);
}

VP_INLINE lanes_mask lanes_or(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a | b);
}

VP_INLINE lanes_mask lanes_and(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a & b);
}

/* a, but not b. */
VP_INLINE lanes_mask lanes_and_not(lanes_mask a, lanes_mask b)
{
    return (lanes_mask)(a & ~b);
}

VP_INLINE lanes_mask lanes_none(void)
{
    return 0;
}

/* b where the mask is set, else a. */
VP_INLINE lanes lanes_choose(lanes_mask m, lanes a, lanes b)
{
    return _mm512_mask_blend_pd(m, a, b);
}

/* Splits LANES points. */
VP_INLINE void lanes_split(const float *from, float *x, float *y, float *z)
{
    const __m256 a = _mm256_loadu_ps(from), b = _mm256_loadu_ps(from + 8), c = _mm256_loadu_ps(from + 16);
    /* a = x0 y0 z0 x1 y1 z1 x2 y2, b = z2 x3 y3 z3 x4 y4 z4 x5, c = y5 z5 x6 y6 z6 x7 y7 z7 */
    const __m256i xs = _mm256_setr_epi32(0, 3, 6, 9, 12, 15, 0, 0), ys = _mm256_setr_epi32(1, 4, 7, 10, 13, 0, 0, 0),
                  zs = _mm256_setr_epi32(2, 5, 8, 11, 14, 0, 0, 0);
    const __m256i xt = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 10, 13), yt = _mm256_setr_epi32(0, 1, 2, 3, 4, 8, 11, 14),
                  zt = _mm256_setr_epi32(0, 1, 2, 3, 4, 9, 12, 15);
    _mm256_storeu_ps(x, _mm256_permutex2var_ps(_mm256_permutex2var_ps(a, xs, b), xt, c));
    _mm256_storeu_ps(y, _mm256_permutex2var_ps(_mm256_permutex2var_ps(a, ys, b), yt, c));
    _mm256_storeu_ps(z, _mm256_permutex2var_ps(_mm256_permutex2var_ps(a, zs, b), zt, c));
}

VP_INLINE bool lanes_any(lanes_mask m)
{
    return m != 0;
}

/* Copies the points with one label to `to`, in sequence. Up to 15 more may be written after them. @return the
   number of points */
VP_INLINE uint32_t lanes_pick(const float *x, const float *y, const float *z, const uint32_t *id, const uint32_t *label, uint32_t count,
                              uint32_t wanted, float *to_x, float *to_y, float *to_z, uint32_t *to_id)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i += 16) {
        __mmask16 m = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(label + i), _mm512_set1_epi32((int)wanted));
        if (count - i < 16)
            m = (__mmask16)(m & ((1u << (count - i)) - 1));
        if (m == 0)
            continue;
        const uint32_t picked = (uint32_t)__builtin_popcount(m);
        const __m512 xs = _mm512_maskz_compress_ps(m, _mm512_loadu_ps(x + i)), ys = _mm512_maskz_compress_ps(m, _mm512_loadu_ps(y + i)),
                     zs = _mm512_maskz_compress_ps(m, _mm512_loadu_ps(z + i));
        const __m512i ids = _mm512_maskz_compress_epi32(m, _mm512_loadu_si512(id + i));
        if (picked <= 8) { /* the common case; half a vector crosses a cache line less often */
            _mm256_storeu_ps(to_x + made, _mm512_castps512_ps256(xs));
            _mm256_storeu_ps(to_y + made, _mm512_castps512_ps256(ys));
            _mm256_storeu_ps(to_z + made, _mm512_castps512_ps256(zs));
            _mm256_storeu_si256((__m256i *)(void *)(to_id + made), _mm512_castsi512_si256(ids));
        } else {
            _mm512_storeu_ps(to_x + made, xs);
            _mm512_storeu_ps(to_y + made, ys);
            _mm512_storeu_ps(to_z + made, zs);
            _mm512_storeu_si512(to_id + made, ids);
        }
        made += picked;
    }
    return made;
}

enum { DEAL = 16 };

/* Puts at most DEAL points in the order of their labels, from `from` to `to`. Drops those that have none of the labels
   0, 1, .... Writes DEAL. end[j] becomes the number of points with labels up to j. @return the number of all points */
VP_INLINE uint32_t lanes_deal(float *x, float *y, float *z, uint32_t *id, size_t from, size_t to, const uint32_t *label, uint32_t count,
                              uint32_t labels, uint32_t *end)
{
    const __m512i here = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), all = _mm512_loadu_si512(label);
    const __mmask16 there = (__mmask16)((1u << count) - 1);
    __m512i place = here;
    uint32_t made = 0;
    for (uint32_t j = 0; j < labels; j++) {
        const __mmask16 m = _mm512_mask_cmpeq_epi32_mask(there, all, _mm512_set1_epi32((int)j));
        place = _mm512_mask_expand_epi32(place, (__mmask16)(0xffffu << made), _mm512_maskz_compress_epi32(m, here));
        made += (uint32_t)__builtin_popcount(m);
        end[j] = made;
    }
    _mm512_storeu_ps(x + to, _mm512_permutexvar_ps(place, _mm512_loadu_ps(x + from)));
    _mm512_storeu_ps(y + to, _mm512_permutexvar_ps(place, _mm512_loadu_ps(y + from)));
    _mm512_storeu_ps(z + to, _mm512_permutexvar_ps(place, _mm512_loadu_ps(z + from)));
    _mm512_storeu_si512(id + to, _mm512_permutexvar_epi32(place, _mm512_loadu_si512(id + from)));
    return made;
}

/* ---- sixteen floats, for hull_bounds_body.h and hull_filter_body.h ---- */

enum { WIDE = 16 };

typedef __m512 floats;
typedef __mmask16 floats_mask;
typedef __m512i rounds; /* an integer a lane */

VP_INLINE floats floats_set(float x)
{
    return _mm512_set1_ps(x);
}

VP_INLINE floats floats_load(const float *from)
{
    return _mm512_loadu_ps(from);
}

/* Splits WIDE points. */
VP_INLINE void floats_split(const float *from, floats *x, floats *y, floats *z)
{
    const __m512 a = _mm512_loadu_ps(from), b = _mm512_loadu_ps(from + 16), c = _mm512_loadu_ps(from + 32);
    const __m512i xs = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0),
                  ys = _mm512_setr_epi32(1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0),
                  zs = _mm512_setr_epi32(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
    const __m512i xt = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29),
                  yt = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30),
                  zt = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
    *x = _mm512_permutex2var_ps(_mm512_permutex2var_ps(a, xs, b), xt, c);
    *y = _mm512_permutex2var_ps(_mm512_permutex2var_ps(a, ys, b), yt, c);
    *z = _mm512_permutex2var_ps(_mm512_permutex2var_ps(a, zs, b), zt, c);
}

VP_INLINE void floats_store(float *to, floats a)
{
    _mm512_storeu_ps(to, a);
}

VP_INLINE floats floats_add(floats a, floats b)
{
    return _mm512_add_ps(a, b);
}

VP_INLINE floats floats_mul(floats a, floats b)
{
    return _mm512_mul_ps(a, b);
}

VP_INLINE floats floats_sub(floats a, floats b)
{
    return _mm512_sub_ps(a, b);
}

VP_INLINE floats floats_div(floats a, floats b)
{
    return _mm512_div_ps(a, b);
}

VP_INLINE floats floats_size(floats a)
{
    return _mm512_abs_ps(a);
}

/* Truncates to integers. */
VP_INLINE floats floats_whole(floats a)
{
    return _mm512_cvtepi32_ps(_mm512_cvttps_epi32(a));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion" /* in the macro of a gather in unoptimised builds */

/* Looks up elements of a table at integer places. */
VP_INLINE floats floats_at(const float *table, floats place)
{
    return _mm512_i32gather_ps(_mm512_cvttps_epi32(place), table, 4);
}

#pragma GCC diagnostic pop

VP_INLINE floats_mask floats_above(floats a, floats b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
}

VP_INLINE floats floats_choose(floats_mask m, floats a, floats b)
{
    return _mm512_mask_blend_ps(m, a, b);
}

/* A bit a lane. */
VP_INLINE uint32_t floats_bits(floats_mask m)
{
    return m;
}

VP_INLINE rounds rounds_set(int x)
{
    return _mm512_set1_epi32(x);
}

VP_INLINE rounds rounds_next(rounds a)
{
    return _mm512_add_epi32(a, _mm512_set1_epi32(1));
}

VP_INLINE rounds rounds_load(const uint32_t *from)
{
    return _mm512_loadu_si512(from);
}

VP_INLINE void rounds_store(uint32_t *to, rounds a)
{
    _mm512_storeu_si512(to, a);
}

VP_INLINE rounds rounds_choose(floats_mask m, rounds a, rounds b)
{
    return _mm512_mask_blend_epi32(m, a, b);
}

/* Appends those of WIDE numbers whose bits are set, in sequence. Writes WIDE. */
VP_INLINE void floats_append(float *to, uint32_t set, floats a)
{
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps((__mmask16)set, a));
}

/* Appends their places. The first place is `first`. */
VP_INLINE void places_append(uint32_t *to, uint32_t set, uint32_t first)
{
    const __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_storeu_si512(to, _mm512_add_epi32(_mm512_maskz_compress_epi32((__mmask16)set, places), _mm512_set1_epi32((int)first)));
}

#endif
