/* SPDX-License-Identifier: MIT */
/* The vocabulary of the mesher on AVX-512. A slice is one zmm, sixteen cells a vector. The words are documented in
 * mesher_body.h and nets_x86.h. */
#ifndef VP_OPTIMIZED_SURFACE_NETS_AVX512_H
#define VP_OPTIMIZED_SURFACE_NETS_AVX512_H

#include <string.h>

#include "optimized/surface/nets_x86.h"

/* ---- is there a surface? ---- */

static inline __m512i load64(const uint8_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline __mmask64 of_class_64(__m512i material, class_range r)
{
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(material, _mm512_set1_epi8((char)r.first)), _mm512_set1_epi8((char)r.more));
}

/* The top bit of each byte is set if a voxel is inside; 64 voxels each. */
static inline __m512i inside_top_bits(const uint8_t *m, const uint8_t *o, class_range r)
{
    return _mm512_maskz_mov_epi8(of_class_64(load64(m), r), load64(o));
}

static inline uint32_t kinds(uint64_t any, uint64_t all)
{
    return (any != 0 ? (uint32_t)INSIDE : 0) | (~all != 0 ? (uint32_t)OUTSIDE : 0);
}

static inline uint32_t kinds_of_brick(const uint8_t *m, const uint8_t *o, class_range r)
{
    __m512i any = inside_top_bits(m, o, r), all = any;
    for (int i = 64; i < 512; i += 64) {
        __m512i in = inside_top_bits(m + i, o + i, r);
        any = _mm512_or_si512(any, in);
        all = _mm512_and_si512(all, in);
    }
    return kinds(_mm512_movepi8_mask(any), _mm512_movepi8_mask(all));
}

static inline uint32_t kinds_of_slice(const uint8_t *m, const uint8_t *o, class_range r)
{
    uint64_t in = _mm512_movepi8_mask(inside_top_bits(m, o, r));
    return kinds(in, in);
}

/* Word 0 of all slices, their rows z = 0. Eight loads are no slower than a gather, whose macro makes gcc warn
 * in unoptimised builds. */
static inline __m512i first_rows(const uint8_t *brick)
{
    long long row[8];
    for (int i = 0; i < 8; i++)
        memcpy(&row[i], brick + (size_t)i * 64, sizeof row[i]);
    return _mm512_setr_epi64(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]);
}

static inline uint32_t kinds_of_rows(const uint8_t *m, const uint8_t *o, class_range r)
{
    __m512i in = _mm512_maskz_mov_epi8(of_class_64(first_rows(m), r), first_rows(o));
    uint64_t bits = _mm512_movepi8_mask(in);
    return kinds(bits, bits);
}

/* The voxels at x = 0. */
static inline uint32_t kinds_of_column(const uint8_t *m, const uint8_t *o, class_range r)
{
    const uint64_t column = UINT64_C(0x0101010101010101);
    __m512i any = _mm512_setzero_si512(), all = _mm512_set1_epi8(-1);
    for (int i = 0; i < 512; i += 64) {
        __m512i in = inside_top_bits(m + i, o + i, r);
        any = _mm512_or_si512(any, in);
        all = _mm512_and_si512(all, in);
    }
    return kinds(_mm512_movepi8_mask(any) & column, _mm512_movepi8_mask(all) | ~column);
}

/* ---- rows of voxels ---- */

/* |g| */
static inline __m512i distance_64(__m512i occupancy, __mmask64 of_class)
{
    const __m512i middle = _mm512_set1_epi8(127);
    __m512i d = _mm512_or_si512(_mm512_subs_epu8(occupancy, middle), _mm512_subs_epu8(middle, occupancy));
    return _mm512_mask_mov_epi8(_mm512_set1_epi8((char)128), of_class, d);
}

/* The eight rows of a slice, from the slices to the left, in the middle, to the right. */
static inline void put_slice(const uint8_t *const m[3], const uint8_t *const o[3], class_range r, uint8_t *distance, uint8_t *sign,
                             uint8_t *material, uint16_t *inside)
{
    const __mmask64 first = UINT64_C(0x0f0f0f0f0f0f0f0f);
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    const __m512i one = _mm512_set1_epi8(1), two = _mm512_set1_epi8(2);
    __m512i own_m = load64(m[1]), side_m = _mm512_mask_mov_epi8(load64(m[0]), first, load64(m[2]));
    __m512i own_o = load64(o[1]), side_o = _mm512_mask_mov_epi8(load64(o[0]), first, load64(o[2]));
    __mmask64 own_class = of_class_64(own_m, r), side_class = of_class_64(side_m, r);
    __m512i own_d = distance_64(own_o, own_class), side_d = distance_64(side_o, side_class);
    __m512i own_in = _mm512_maskz_mov_epi8(own_class, own_o), side_in = _mm512_maskz_mov_epi8(side_class, side_o);
    for (int half = 0; half < 2; half++) {
        const __m512i order = half == 0 ? low : high;
        __m512i in = _mm512_permutex2var_epi64(own_in, order, side_in); /* in the top bits */
        __mmask64 bits = _mm512_movepi8_mask(in), next = _mm512_movepi8_mask(_mm512_alignr_epi8(in, in, 1));
        _mm512_storeu_si512(distance + half * 64, _mm512_permutex2var_epi64(own_d, order, side_d));
        _mm512_storeu_si512(material + half * 64, _mm512_permutex2var_epi64(own_m, order, side_m));
        _mm512_storeu_si512(sign + half * 64, _mm512_or_si512(_mm512_maskz_mov_epi8(bits, one), _mm512_maskz_mov_epi8(next, two)));
        _mm_storel_epi64((__m128i *)(void *)(inside + half * 4), _mm_cvtsi64_si128((long long)bits));
    }
}

/* ---- cells, one a lane ---- */

enum { LANES = 16 };

typedef __m512i lanes_i;
typedef __m512 lanes_f;

static inline lanes_i lanes_from_bytes(const uint8_t *p)
{
    return _mm512_cvtepu8_epi32(vec16_load(p));
}

static inline lanes_i lanes_set(int32_t v)
{
    return _mm512_set1_epi32(v);
}

static inline lanes_f lanes_set_f(float v)
{
    return _mm512_set1_ps(v);
}

static inline lanes_f lanes_to_f(lanes_i v)
{
    return _mm512_cvtepi32_ps(v);
}

/* Rounds towards zero. */
static inline lanes_i lanes_to_i(lanes_f v)
{
    return _mm512_cvttps_epi32(v);
}

static inline lanes_i lanes_add(lanes_i a, lanes_i b)
{
    return _mm512_add_epi32(a, b);
}

static inline lanes_i lanes_negate(lanes_i v)
{
    return _mm512_sub_epi32(_mm512_setzero_si512(), v);
}

static inline lanes_i lanes_and(lanes_i a, lanes_i b)
{
    return _mm512_and_si512(a, b);
}

static inline lanes_i lanes_xor(lanes_i a, lanes_i b)
{
    return _mm512_xor_si512(a, b);
}

static inline lanes_i lanes_min(lanes_i a, lanes_i b)
{
    return _mm512_min_epi32(a, b);
}

static inline lanes_i lanes_shift_down(lanes_i v, int bits)
{
    return _mm512_srli_epi32(v, (unsigned)bits);
}

static inline lanes_i lanes_shift_up(lanes_i v, int bits)
{
    return _mm512_slli_epi32(v, (unsigned)bits);
}

static inline lanes_f lanes_add_f(lanes_f a, lanes_f b)
{
    return _mm512_add_ps(a, b);
}

static inline lanes_f lanes_mul_f(lanes_f a, lanes_f b)
{
    return _mm512_mul_ps(a, b);
}

/* All ones where the bit is set. */
static inline lanes_i lanes_test(lanes_i v, int32_t bit)
{
    return _mm512_movm_epi32(_mm512_test_epi32_mask(v, _mm512_set1_epi32(bit)));
}

/* a/b where the mask is set, else 0. */
static inline lanes_f lanes_divide_where(lanes_i mask, lanes_f a, lanes_f b)
{
    return _mm512_castsi512_ps(_mm512_and_si512(mask, _mm512_castps_si512(_mm512_div_ps(a, b))));
}

/* 1/n for integers below 16; unspecified for 0. */
static inline lanes_f lanes_one_nth(lanes_i n)
{
    const __m512 table = _mm512_setr_ps(1, 1, 1 / 2.0f, 1 / 3.0f, 1 / 4.0f, 1 / 5.0f, 1 / 6.0f, 1 / 7.0f, 1 / 8.0f, 1 / 9.0f, 1 / 10.0f,
                                        1 / 11.0f, 1 / 12.0f, 1 / 13.0f, 1 / 14.0f, 1 / 15.0f);
    return _mm512_permutexvar_ps(n, table);
}

/* x, y, z of sixteen points, one point after the other. One permutation puts x and y in place, another one z. Numbers
   from 16 on select from the second vector. */
static inline void lanes_store_vec3(float *to, lanes_f x, lanes_f y, lanes_f z)
{
    const __m512i xy0 = _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const __m512i z0 = _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    const __m512i xy1 = _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const __m512i z1 = _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    const __m512i xy2 = _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    const __m512i z2 = _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
    _mm512_storeu_ps(to, _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, xy0, y), z0, z));
    _mm512_storeu_ps(to + 16, _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, xy1, y), z1, z));
    _mm512_storeu_ps(to + 32, _mm512_permutex2var_ps(_mm512_permutex2var_ps(x, xy2, y), z2, z));
}

#endif
