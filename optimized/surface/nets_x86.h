/* SPDX-License-Identifier: MIT */
/* The vocabulary of the mesher (mesher_body.h) that AVX2 and AVX-512 share: vectors of 16 bytes, and a row of bits as
 * one ymm of 16 lanes. */
#ifndef VP_OPTIMIZED_SURFACE_NETS_X86_H
#define VP_OPTIMIZED_SURFACE_NETS_X86_H

#include "optimized/simd/avx2.h"
#include "optimized/surface/nets_class.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- 16 bytes ---- */

typedef __m128i vec16;

static inline vec16 vec16_load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static inline void vec16_store(void *p, vec16 v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

static inline void vec16_store_half(void *p, vec16 v)
{
    _mm_storel_epi64((__m128i *)p, v);
}

static inline vec16 vec16_set(uint32_t byte)
{
    return _mm_set1_epi8((char)byte);
}

static inline vec16 vec16_set16(uint32_t lane)
{
    return _mm_set1_epi16((short)lane);
}

static inline vec16 vec16_words(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((long long)high, (long long)low);
}

/* 8 bytes of each. */
static inline vec16 vec16_pair(const uint8_t *low, const uint8_t *high)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)low), _mm_loadl_epi64((const __m128i *)(const void *)high));
}

static inline vec16 vec16_and(vec16 a, vec16 b)
{
    return _mm_and_si128(a, b);
}

static inline vec16 vec16_add(vec16 a, vec16 b)
{
    return _mm_add_epi8(a, b);
}

static inline vec16 vec16_add16(vec16 a, vec16 b)
{
    return _mm_add_epi16(a, b);
}

static inline vec16 vec16_shuffle(vec16 v, vec16 at)
{
    return _mm_shuffle_epi8(v, at);
}

static inline vec16 vec16_select(vec16 mask, vec16 yes, vec16 no)
{
    return _mm_blendv_epi8(no, yes, mask);
}

/* Eight 16-bit lanes, and eight bytes, all ones where the bit of their number is set. */
static inline vec16 vec16_bits16(uint32_t bits)
{
    const __m128i lane = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)bits), lane), lane);
}

static inline vec16 vec16_bits8(uint32_t bits)
{
    const __m128i lane = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0);
    return _mm_cmpeq_epi8(_mm_and_si128(_mm_set1_epi8((char)bits), lane), lane);
}

/* From the numbers of eight 16-bit lanes, in bytes, those of their 16 bytes. */
static inline vec16 vec16_spread(uint64_t lanes)
{
    __m128i v = _mm_cvtsi64_si128((long long)lanes);
    v = _mm_unpacklo_epi8(v, v);
    return _mm_add_epi8(_mm_add_epi8(v, v), _mm_set1_epi16(0x0100));
}

/* Eight bytes to 16-bit lanes, and a number added to each. */
static inline void vec16_store_numbers(uint16_t *to, uint64_t bytes, uint32_t first)
{
    __m128i v = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)bytes));
    vec16_store(to, _mm_add_epi16(v, _mm_set1_epi16((short)first)));
}

/* Eight corners of each kind to eight quads. */
static inline void vec16_store_quads(uint16_t *to, vec16 c0, vec16 c1, vec16 c2, vec16 c3)
{
    __m128i low01 = _mm_unpacklo_epi16(c0, c1), high01 = _mm_unpackhi_epi16(c0, c1);
    __m128i low23 = _mm_unpacklo_epi16(c2, c3), high23 = _mm_unpackhi_epi16(c2, c3);
    vec16_store(to, _mm_unpacklo_epi32(low01, low23));
    vec16_store(to + 8, _mm_unpackhi_epi32(low01, low23));
    vec16_store(to + 16, _mm_unpacklo_epi32(high01, high23));
    vec16_store(to + 24, _mm_unpackhi_epi32(high01, high23));
}

/* Two bits a row to the eight of a cell. Bits 0 and 1 are corners 0 and 1. */
static inline vec16 vec16_signs(vec16 low, vec16 low_next, vec16 up, vec16 up_next)
{
    return _mm_or_si128(_mm_or_si128(low, _mm_slli_epi16(low_next, 2)), _mm_or_si128(_mm_slli_epi16(up, 4), _mm_slli_epi16(up_next, 6)));
}

/* ---- rows of voxels ---- */

/* All ones where a voxel is of the class. */
static inline __m128i of_class_16(__m128i material, class_range r)
{
    __m128i above = _mm_sub_epi8(material, _mm_set1_epi8((char)r.first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)r.more)), above);
}

/* |g|, which is |occupancy - 127| for a voxel of the class, else 128. */
static inline __m128i distance_16(__m128i occupancy, __m128i of_class)
{
    const __m128i middle = _mm_set1_epi8(127);
    __m128i d = _mm_or_si128(_mm_subs_epu8(occupancy, middle), _mm_subs_epu8(middle, occupancy));
    return _mm_blendv_epi8(_mm_set1_epi8((char)128), d, of_class);
}

/* All ones for a voxel that is inside: it belongs to the class, and the top bit of its occupancy is set. */
static inline __m128i inside_16(__m128i occupancy, __m128i of_class)
{
    return _mm_cmpgt_epi8(_mm_setzero_si128(), _mm_and_si128(occupancy, of_class));
}

/* From rows of inside. Bit 0 is this voxel's, bit 1 the next one's. */
static inline __m128i sign_16(__m128i inside)
{
    return _mm_or_si128(_mm_and_si128(inside, _mm_set1_epi8(1)), _mm_and_si128(_mm_alignr_epi8(inside, inside, 1), _mm_set1_epi8(2)));
}

/* The rows before and after a slice, from two rows of 8 of the chunks to the left, in the middle, and to the right. row
   receives distances, signs and materials of each. @return their bits, 16 each */
static inline uint32_t make_pair(const vec16 m[3], const vec16 o[3], class_range r, vec16 row[2][3])
{
    const __m128i first = _mm_set1_epi64x(0xffffffff);
    __m128i side_m = _mm_blendv_epi8(m[0], m[2], first), side_o = _mm_blendv_epi8(o[0], o[2], first);
    __m128i own_class = of_class_16(m[1], r), side_class = of_class_16(side_m, r);
    __m128i own_d = distance_16(o[1], own_class), side_d = distance_16(side_o, side_class);
    __m128i own_in = inside_16(o[1], own_class), side_in = inside_16(side_o, side_class);
    __m128i low = _mm_unpacklo_epi64(own_in, side_in), high = _mm_unpackhi_epi64(own_in, side_in);
    row[0][0] = _mm_unpacklo_epi64(own_d, side_d);
    row[1][0] = _mm_unpackhi_epi64(own_d, side_d);
    row[0][1] = sign_16(low);
    row[1][1] = sign_16(high);
    row[0][2] = _mm_unpacklo_epi64(m[1], side_m);
    row[1][2] = _mm_unpackhi_epi64(m[1], side_m);
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

/* ---- rows of bits, lane z, bit x ---- */

typedef __m256i rows16;

static inline rows16 rows16_load(const uint16_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline void rows16_store(uint16_t *p, rows16 r)
{
    _mm256_storeu_si256((__m256i *)(void *)p, r);
}

static inline rows16 rows16_set(uint32_t bits)
{
    return _mm256_set1_epi16((short)bits);
}

/* All ones in lanes 1 to 8, the chunk's own rows. */
static inline rows16 rows16_own_lanes(void)
{
    return _mm256_setr_epi16(0, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0);
}

static inline rows16 rows16_and(rows16 a, rows16 b)
{
    return _mm256_and_si256(a, b);
}

static inline rows16 rows16_or(rows16 a, rows16 b)
{
    return _mm256_or_si256(a, b);
}

static inline rows16 rows16_xor(rows16 a, rows16 b)
{
    return _mm256_xor_si256(a, b);
}

/* Bit i of the result is bit i + 1. */
static inline rows16 rows16_shift_down(rows16 r)
{
    return _mm256_srli_epi16(r, 1);
}

/* Bit i of the result is bit i - 1, and bit 0 is bit 15. */
static inline rows16 rows16_turn(rows16 r)
{
    return _mm256_or_si256(_mm256_add_epi16(r, r), _mm256_srli_epi16(r, 15));
}

/* Lane z of the result is lane z + 1. The last one is zero. */
static inline rows16 rows16_next_lane(rows16 r)
{
    return _mm256_alignr_epi8(_mm256_permute2x128_si256(r, r, 0x81), r, 2);
}

/* Bit z is set where lane z is not zero. */
static inline uint32_t rows16_nonzero(rows16 r)
{
    __m256i zero = _mm256_cmpeq_epi16(r, _mm256_setzero_si256());
    __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(zero), _mm256_extracti128_si256(zero, 1));
    return ~(uint32_t)_mm_movemask_epi8(bytes) & 0xffff;
}

/* Bit 4*(z - 1) + i is set where lane z, from 1 to 8, of vector i is not zero. */
static inline uint32_t rows16_nonzero_of_three(rows16 a, rows16 b, rows16 c)
{
    const __m256i zero = _mm256_setzero_si256(), high_byte = _mm256_set1_epi16((short)0xff00);
    __m256i ab = _mm256_blendv_epi8(_mm256_cmpeq_epi16(a, zero), _mm256_cmpeq_epi16(b, zero), high_byte);
    __m256i c_only = _mm256_or_si256(_mm256_cmpeq_epi16(c, zero), high_byte);
    uint32_t even = ~(uint32_t)_mm256_movemask_epi8(_mm256_unpacklo_epi16(ab, c_only)); /* lanes 0 to 3 and 8 to 11 */
    uint32_t odd = ~(uint32_t)_mm256_movemask_epi8(_mm256_unpackhi_epi16(ab, c_only));  /* lanes 4 to 7 */
    return (even & 0xffff) >> 4 | (odd & 0xffff) << 12 | even >> 16 << 28;
}

#endif
