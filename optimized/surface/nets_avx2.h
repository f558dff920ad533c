/* SPDX-License-Identifier: MIT */
/* The vocabulary of the mesher on AVX2. Slices are two ymm, eight cells a vector. The words are documented in
 * mesher_body.h and nets_x86.h. */
#ifndef VP_OPTIMIZED_SURFACE_NETS_AVX2_H
#define VP_OPTIMIZED_SURFACE_NETS_AVX2_H

#include "optimized/surface/nets_x86.h"

/* ---- is there a surface? ---- */

static inline __m256i of_class_32(__m256i material, class_range r)
{
    __m256i above = _mm256_sub_epi8(material, _mm256_set1_epi8((char)r.first));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8((char)r.more)), above);
}

static inline __m256i load32(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* The top bit of each byte is set if a voxel is inside; 32 voxels each. */
static inline __m256i inside_top_bits(const uint8_t *m, const uint8_t *o, class_range r)
{
    return _mm256_and_si256(load32(o), of_class_32(load32(m), r));
}

static inline uint32_t kinds(__m256i any, __m256i all)
{
    uint32_t some = (uint32_t)_mm256_movemask_epi8(any), every = (uint32_t)_mm256_movemask_epi8(all);
    return (some != 0 ? (uint32_t)INSIDE : 0) | (~every != 0 ? (uint32_t)OUTSIDE : 0);
}

static inline uint32_t kinds_of_brick(const uint8_t *m, const uint8_t *o, class_range r)
{
    __m256i any = inside_top_bits(m, o, r), all = any;
    for (int i = 32; i < 512; i += 32) {
        __m256i in = inside_top_bits(m + i, o + i, r);
        any = _mm256_or_si256(any, in);
        all = _mm256_and_si256(all, in);
    }
    return kinds(any, all);
}

static inline uint32_t kinds_of_slice(const uint8_t *m, const uint8_t *o, class_range r)
{
    __m256i a = inside_top_bits(m, o, r), b = inside_top_bits(m + 32, o + 32, r);
    return kinds(_mm256_or_si256(a, b), _mm256_and_si256(a, b));
}

/* The rows z = 0 of all slices. */
static inline uint32_t kinds_of_rows(const uint8_t *m, const uint8_t *o, class_range r)
{
    __m256i any = _mm256_setzero_si256(), all = _mm256_set1_epi8(-1);
    for (int y = 0; y < 8; y += 4) {
        __m256i mm = _mm256_set_m128i(vec16_pair(m + y * 64 + 128, m + y * 64 + 192), vec16_pair(m + y * 64, m + y * 64 + 64));
        __m256i oo = _mm256_set_m128i(vec16_pair(o + y * 64 + 128, o + y * 64 + 192), vec16_pair(o + y * 64, o + y * 64 + 64));
        __m256i in = _mm256_and_si256(oo, of_class_32(mm, r));
        any = _mm256_or_si256(any, in);
        all = _mm256_and_si256(all, in);
    }
    return kinds(any, all);
}

/* The voxels at x = 0. */
static inline uint32_t kinds_of_column(const uint8_t *m, const uint8_t *o, class_range r)
{
    const __m256i column = _mm256_set1_epi64x(0xff);
    __m256i any = _mm256_setzero_si256(), all = _mm256_set1_epi8(-1);
    for (int i = 0; i < 512; i += 32) {
        __m256i in = inside_top_bits(m + i, o + i, r);
        any = _mm256_or_si256(any, in);
        all = _mm256_and_si256(all, in);
    }
    return kinds(_mm256_and_si256(any, column), _mm256_or_si256(all, _mm256_andnot_si256(column, _mm256_set1_epi8(-1))));
}

/* ---- rows of voxels ---- */

static inline void store32(void *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/* Alternates words of 8 bytes of two vectors, for rows 0 and 1, and rows 2 and 3. */
static inline void interleave(__m256i own, __m256i side, __m256i row[2])
{
    __m256i even = _mm256_unpacklo_epi64(own, side), odd = _mm256_unpackhi_epi64(own, side);
    row[0] = _mm256_permute2x128_si256(even, odd, 0x20);
    row[1] = _mm256_permute2x128_si256(even, odd, 0x31);
}

static inline __m256i distance_32(__m256i occupancy, __m256i of_class)
{
    const __m256i middle = _mm256_set1_epi8(127);
    __m256i d = _mm256_or_si256(_mm256_subs_epu8(occupancy, middle), _mm256_subs_epu8(middle, occupancy));
    return _mm256_blendv_epi8(_mm256_set1_epi8((char)128), d, of_class);
}

static inline __m256i inside_32(__m256i occupancy, __m256i of_class)
{
    return _mm256_cmpgt_epi8(_mm256_setzero_si256(), _mm256_and_si256(occupancy, of_class));
}

/* The eight rows of a slice, from the slices to the left, in the middle, to the right. */
static inline void put_slice(const uint8_t *const m[3], const uint8_t *const o[3], class_range r, uint8_t *distance, uint8_t *sign,
                             uint8_t *material, uint16_t *inside)
{
    const __m256i first = _mm256_set1_epi64x(0xffffffff), one = _mm256_set1_epi8(1), two = _mm256_set1_epi8(2);
    for (int half = 0; half < 2; half++) {
        int at = half * 32;
        __m256i own_m = load32(m[1] + at), side_m = _mm256_blendv_epi8(load32(m[0] + at), load32(m[2] + at), first);
        __m256i own_o = load32(o[1] + at), side_o = _mm256_blendv_epi8(load32(o[0] + at), load32(o[2] + at), first);
        __m256i own_class = of_class_32(own_m, r), side_class = of_class_32(side_m, r);
        __m256i d[2], in[2], mm[2];
        interleave(distance_32(own_o, own_class), distance_32(side_o, side_class), d);
        interleave(inside_32(own_o, own_class), inside_32(side_o, side_class), in);
        interleave(own_m, side_m, mm);
        for (int i = 0; i < 2; i++) {
            int to = half * 64 + i * 32;
            __m256i next = _mm256_alignr_epi8(in[i], in[i], 1);
            uint32_t bits = (uint32_t)_mm256_movemask_epi8(in[i]);
            store32(distance + to, d[i]);
            store32(sign + to, _mm256_or_si256(_mm256_and_si256(in[i], one), _mm256_and_si256(next, two)));
            store32(material + to, mm[i]);
            inside[half * 4 + i * 2] = (uint16_t)bits;
            inside[half * 4 + i * 2 + 1] = (uint16_t)(bits >> 16);
        }
    }
}

/* ---- cells, one a lane ---- */

enum { LANES = 8 };

typedef __m256i lanes_i;
typedef __m256 lanes_f;

static inline lanes_i lanes_from_bytes(const uint8_t *p)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}

static inline lanes_i lanes_set(int32_t v)
{
    return _mm256_set1_epi32(v);
}

static inline lanes_f lanes_set_f(float v)
{
    return _mm256_set1_ps(v);
}

static inline lanes_f lanes_to_f(lanes_i v)
{
    return _mm256_cvtepi32_ps(v);
}

/* Rounds towards zero. */
static inline lanes_i lanes_to_i(lanes_f v)
{
    return _mm256_cvttps_epi32(v);
}

static inline lanes_i lanes_add(lanes_i a, lanes_i b)
{
    return _mm256_add_epi32(a, b);
}

static inline lanes_i lanes_negate(lanes_i v)
{
    return _mm256_sub_epi32(_mm256_setzero_si256(), v);
}

static inline lanes_i lanes_and(lanes_i a, lanes_i b)
{
    return _mm256_and_si256(a, b);
}

static inline lanes_i lanes_xor(lanes_i a, lanes_i b)
{
    return _mm256_xor_si256(a, b);
}

static inline lanes_i lanes_min(lanes_i a, lanes_i b)
{
    return _mm256_min_epi32(a, b);
}

static inline lanes_i lanes_shift_down(lanes_i v, int bits)
{
    return _mm256_srli_epi32(v, bits);
}

static inline lanes_i lanes_shift_up(lanes_i v, int bits)
{
    return _mm256_slli_epi32(v, bits);
}

static inline lanes_f lanes_add_f(lanes_f a, lanes_f b)
{
    return _mm256_add_ps(a, b);
}

static inline lanes_f lanes_mul_f(lanes_f a, lanes_f b)
{
    return _mm256_mul_ps(a, b);
}

/* All ones where the bit is set. */
static inline lanes_i lanes_test(lanes_i v, int32_t bit)
{
    const __m256i b = _mm256_set1_epi32(bit);
    return _mm256_cmpeq_epi32(_mm256_and_si256(v, b), b);
}

/* a/b where the mask is set, else 0. */
static inline lanes_f lanes_divide_where(lanes_i mask, lanes_f a, lanes_f b)
{
    return _mm256_and_ps(_mm256_castsi256_ps(mask), _mm256_div_ps(a, b));
}

/* 1/n for integers below 16; unspecified for 0. */
static inline lanes_f lanes_one_nth(lanes_i n)
{
    const __m256 low = _mm256_setr_ps(1, 1, 1 / 2.0f, 1 / 3.0f, 1 / 4.0f, 1 / 5.0f, 1 / 6.0f, 1 / 7.0f);
    const __m256 high = _mm256_setr_ps(1 / 8.0f, 1 / 9.0f, 1 / 10.0f, 1 / 11.0f, 1 / 12.0f, 1 / 13.0f, 1 / 14.0f, 1 / 15.0f);
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, n), _mm256_permutevar8x32_ps(high, n),
                            _mm256_castsi256_ps(_mm256_slli_epi32(n, 28)));
}

/* x, y, z of eight points, one point after the other. Shuffles within 16 bytes put three groups of four lanes of x, y
   and z in the order of memory, then the halves are put in place. */
static inline void lanes_store_vec3(float *to, lanes_f x, lanes_f y, lanes_f z)
{
    __m256 xy = _mm256_shuffle_ps(x, y, 0x88);  /* x0 x2 y0 y2 */
    __m256 yz = _mm256_shuffle_ps(y, z, 0xdd);  /* y1 y3 z1 z3 */
    __m256 zx = _mm256_shuffle_ps(z, x, 0xd8);  /* z0 z2 x1 x3 */
    __m256 a = _mm256_shuffle_ps(xy, zx, 0x88); /* x0 y0 z0 x1 */
    __m256 b = _mm256_shuffle_ps(yz, xy, 0xd8); /* y1 z1 x2 y2 */
    __m256 c = _mm256_shuffle_ps(zx, yz, 0xdd); /* z2 x3 y3 z3 */
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(a, b, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(c, a, 0x30));
    _mm256_storeu_ps(to + 16, _mm256_permute2f128_ps(b, c, 0x31));
}

#endif
