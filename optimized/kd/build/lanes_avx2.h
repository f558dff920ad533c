/* SPDX-License-Identifier: MIT */
/* The vocabulary of the tree's build on AVX2. Each word is documented here or in kd/build/lanes_x86.h, the
 * idea in kd/build/build.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_LANES_AVX2_H
#define VP_OPTIMIZED_KD_BUILD_LANES_AVX2_H

#include "optimized/kd/build/lanes_x86.h"

/* ---- eight items ---- */

typedef __m256 m8; /* mask of eight lanes, all ones or all zeros */

/* Bit i stands for lane i. */
static inline m8 m8_of(uint32_t bits)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit));
}

static inline uint32_t m8_bits(m8 m)
{
    return (uint32_t)_mm256_movemask_ps(m);
}

static inline m8 m8_and(m8 a, m8 b)
{
    return _mm256_and_ps(a, b);
}

/* Lanes of a that are not in b. */
static inline m8 m8_without(m8 a, m8 b)
{
    return _mm256_andnot_ps(b, a);
}

/* Masks where a number is less than another, and where they are equal. */
static inline m8 f8_before(f8 a, f8 b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static inline m8 f8_same(f8 a, f8 b)
{
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}

/* Mask of those of eight numbers that are below another. */
static inline m8 f8_ids_below(f8 ids, uint32_t id)
{
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)id), _mm256_castps_si256(ids)));
}

/* The lanes to keep. The others become infinity. */
static inline f8 f8_or_infinite(f8 a, m8 keep)
{
    return _mm256_blendv_ps(_mm256_set1_ps(INFINITY), a, keep);
}

/* The permutation that moves chosen lanes to the front; the others follow. */
static inline __m256i order_of(uint32_t bits)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)&build_order[bits]));
}

/* The sum of the chosen lanes, given as bits and as a mask. Adds in the order of lanes, as the reference does for
   such small sets. */
static inline float f8_sum_in_order(f8 a, uint32_t bits, m8 m)
{
    return f8_folded(_mm256_permutevar8x32_ps(_mm256_and_ps(a, m), order_of(bits)));
}

/* b where the mask is set, otherwise a. */
static inline f8 f8_choose(f8 a, f8 b, m8 second)
{
    return _mm256_blendv_ps(a, b, second);
}

/* The boxes of two subsets of eight items. */
static inline void f8_boxes(const float *face, size_t stride, uint32_t left, uint32_t right, f8 box[2])
{
    const m8 in_left = m8_of(left), in_right = m8_of(right);
    f8 l[FACES], r[FACES];
    for (size_t k = 0; k < FACES; k++) {
        const f8 v = f8_load(face + k * stride);
        l[k] = f8_or_infinite(v, in_left);
        r[k] = f8_or_infinite(v, in_right);
    }
    box[0] = f8_box(l);
    box[1] = f8_box(r);
}

/* Stores only those of eight numbers whose bits are set, at most four, moved together. */
static inline void store_chosen(uint32_t *to, const float *ids, uint32_t bits)
{
    const __m128i count = _mm_set1_epi32(__builtin_popcount(bits)), lane = _mm_setr_epi32(0, 1, 2, 3);
    const __m256i moved = _mm256_permutevar8x32_epi32(_mm256_castps_si256(f8_load(ids)), order_of(bits));
    _mm_maskstore_epi32((int *)(void *)to, _mm_cmpgt_epi32(count, lane), _mm256_castsi256_si128(moved));
}

/* ---- long sets, eight items in a vector ---- */

enum { WIDTH = 8 };

typedef f8 fw;
typedef m8 mw;

#define fw_load      f8_load
#define fw_store     f8_store
#define fw_set       f8_set
#define fw_sub       f8_sub
#define fw_add       f8_add
#define fw_choose    f8_choose
#define fw_before    f8_before
#define fw_same      f8_same
#define fw_ids_below f8_ids_below
#define mw_of        m8_of
#define mw_bits      m8_bits
#define mw_and       m8_and
#define mw_without   m8_without

static inline mw mw_or(mw a, mw b)
{
    return _mm256_or_ps(a, b);
}

/* The lanes that go to one side. */
typedef struct one_side {
    m8 lanes;
    __m256i order;
    uint32_t count;
} one_side;

static inline one_side side_of(mw lanes)
{
    const uint32_t bits = m8_bits(lanes);
    return (one_side){lanes, order_of(bits), (uint32_t)__builtin_popcount(bits)};
}

/* Stores a side's lanes, moved together. Writes WIDTH floats in total; the rest is unspecified. */
static inline void side_store(float *to, fw a, const one_side *s)
{
    f8_store(to, _mm256_permutevar8x32_ps(a, s->order));
}

/* Minimum in a side's lanes. */
static inline fw side_least(fw least, fw a, const one_side *s)
{
    return f8_least(least, f8_or_infinite(a, s->lanes));
}

#define fw_box f8_box

/* Sixteen lanes of sums, with the upper half added to the lower one. */
static inline f8 sixteen_to_eight(const fw sum[2])
{
    return f8_add(sum[0], sum[1]);
}

#endif
