/* SPDX-License-Identifier: MIT */
/* The vocabulary of the tree's build on AVX-512. Lanes are bits of mask registers, eight items of both sides of a
 * split are one zmm, and long sets are read sixteen items at a time. Each word is documented in
 * kd/build/lanes_avx2.h and kd/build/lanes_x86.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_LANES_AVX512_H
#define VP_OPTIMIZED_KD_BUILD_LANES_AVX512_H

#include "optimized/kd/build/lanes_x86.h"

/* ---- eight items ---- */

typedef __mmask8 m8;

static inline m8 m8_of(uint32_t bits)
{
    return (m8)bits;
}

static inline uint32_t m8_bits(m8 m)
{
    return m;
}

static inline m8 m8_and(m8 a, m8 b)
{
    return a & b;
}

static inline m8 m8_without(m8 a, m8 b)
{
    return (m8)(a & ~b);
}

static inline m8 f8_before(f8 a, f8 b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline m8 f8_same(f8 a, f8 b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

static inline float f8_sum_in_order(f8 a, uint32_t bits, m8 m)
{
    (void)bits;
    return f8_folded(_mm256_maskz_compress_ps(m, a));
}

static inline f8 f8_choose(f8 a, f8 b, m8 second)
{
    return _mm256_mask_mov_ps(a, second, b);
}

/* Both sides at once, the left one in the lower half of each vector. */
static inline void f8_boxes(const float *face, size_t stride, uint32_t left, uint32_t right, f8 box[2])
{
    const __mmask16 sides = (__mmask16)(left | right << 8);
    const __m512 infinite = _mm512_set1_ps(INFINITY);
    __m512 half[2];
    for (size_t i = 0; i < 2; i++) {
        __m512 a[3];
        for (size_t k = 0; k < 3; k++)
            a[k] = _mm512_mask_broadcast_f32x8(infinite, sides, f8_load(face + (3 * i + k) * stride));
        const __m512 xy = _mm512_min_ps(_mm512_unpacklo_ps(a[0], a[1]), _mm512_unpackhi_ps(a[0], a[1]));
        const __m512 zz = _mm512_min_ps(a[2], _mm512_permute_ps(a[2], 0x4e));
        half[i] = _mm512_min_ps(_mm512_shuffle_ps(xy, zz, 0x04), _mm512_shuffle_ps(xy, zz, 0x5e));
    }
    /* quarters are low and back of the left side, then low and back of the right one */
    const __m512i one = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), two = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const __m512d a = _mm512_castps_pd(half[0]), b = _mm512_castps_pd(half[1]);
    const __m512 both =
        _mm512_min_ps(_mm512_castpd_ps(_mm512_permutex2var_pd(a, one, b)), _mm512_castpd_ps(_mm512_permutex2var_pd(a, two, b)));
    box[0] = _mm512_castps512_ps256(both);
    box[1] = _mm512_extractf32x8_ps(both, 1);
}

static inline void store_chosen(uint32_t *to, const float *ids, uint32_t bits)
{
    const __mmask8 first = (__mmask8)((1u << __builtin_popcount(bits)) - 1u);
    _mm256_mask_storeu_epi32(to, first, _mm256_maskz_compress_epi32((__mmask8)bits, _mm256_castps_si256(f8_load(ids))));
}

/* ---- long sets, sixteen items in a vector ---- */

enum { WIDTH = 16 };

typedef __m512 fw;
typedef __mmask16 mw;

static inline fw fw_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void fw_store(float *p, fw a)
{
    _mm512_storeu_ps(p, a);
}

static inline fw fw_set(float a)
{
    return _mm512_set1_ps(a);
}

static inline fw fw_sub(fw a, fw b)
{
    return _mm512_sub_ps(a, b);
}

static inline mw fw_before(fw a, fw b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline mw fw_same(fw a, fw b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

static inline mw fw_ids_below(fw ids, uint32_t id)
{
    return _mm512_cmplt_epu32_mask(_mm512_castps_si512(ids), _mm512_set1_epi32((int)id));
}

static inline mw mw_of(uint32_t bits)
{
    return (mw)bits;
}

static inline uint32_t mw_bits(mw m)
{
    return m;
}

static inline mw mw_and(mw a, mw b)
{
    return a & b;
}

static inline mw mw_or(mw a, mw b)
{
    return a | b;
}

static inline mw mw_without(mw a, mw b)
{
    return (mw)(a & ~b);
}

typedef struct one_side {
    mw lanes;
    __m512i order;
    uint32_t count;
} one_side;

static inline one_side side_of(mw lanes)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return (one_side){lanes, _mm512_maskz_compress_epi32(lanes, lane), (uint32_t)__builtin_popcount(lanes)};
}

static inline void side_store(float *to, fw a, const one_side *s)
{
    _mm512_storeu_ps(to, _mm512_permutexvar_ps(s->order, a));
}

static inline fw side_least(fw least, fw a, const one_side *s)
{
    return _mm512_mask_min_ps(least, s->lanes, least, a);
}

static inline f8 fw_box(const fw v[FACES])
{
    f8 half[FACES];
    for (int k = 0; k < FACES; k++)
        half[k] = f8_least(_mm512_castps512_ps256(v[k]), _mm512_extractf32x8_ps(v[k], 1));
    return f8_box(half);
}

static inline fw fw_add(fw a, fw b)
{
    return _mm512_add_ps(a, b);
}

static inline fw fw_choose(fw a, fw b, mw second)
{
    return _mm512_mask_mov_ps(a, second, b);
}

static inline f8 sixteen_to_eight(const fw sum[1])
{
    return f8_add(_mm512_castps512_ps256(sum[0]), _mm512_extractf32x8_ps(sum[0], 1));
}

#endif
