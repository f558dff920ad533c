/* SPDX-License-Identifier: MIT */
/* The vocabulary on AVX2. README.md lists all operations. Native vectors have 4 or 8 lanes of 32 bits and 4 of 64. A mask has all bits of
 * its lanes set or clear, in a vector of floats, which blendv and movemask take. AVX2 has no compression: a table gives the permutation for
 * each half of the mask. A gather is one load a lane, because some processors' microcode makes the instruction slow. */
#ifndef VP_OPTIMIZED_SIMD_AVX2_H
#define VP_OPTIMIZED_SIMD_AVX2_H

#include "optimized/simd/compress.h"
#include "optimized/simd/x86.h"

typedef __m256i u64x4, m8x32, m16x16;
typedef __m128i m8x16, m16x8;
typedef __m128 m32x4;
typedef __m256 m32x8;
typedef __m256d m64x4;

/* f32x4, 4 floats */
VP_INLINE m32x4 f32x4_cmp_gt(f32x4 a, f32x4 b) { return _mm_cmp_ps(a, b, _CMP_GT_OQ); }
VP_INLINE f32x4 f32x4_select(m32x4 m, f32x4 a, f32x4 b) { return _mm_blendv_ps(b, a, m); }
VP_INLINE f32x4 f32x4_load_xyz(const float *from) { return _mm_maskload_ps(from, _mm_setr_epi32(-1, -1, -1, 0)); }
VP_INLINE m32x4 f32x4_cmp_le(f32x4 a, f32x4 b) { return _mm_cmp_ps(a, b, _CMP_LE_OQ); }
VP_INLINE m32x4 f32x4_cmp_lt(f32x4 a, f32x4 b) { return _mm_cmp_ps(a, b, _CMP_LT_OQ); }
VP_INLINE m32x4 f32x4_cmp_eq(f32x4 a, f32x4 b) { return _mm_cmp_ps(a, b, _CMP_EQ_OQ); }
VP_INLINE f32x4 f32x4_maskz(m32x4 m, f32x4 a) { return _mm_and_ps(m, a); }
VP_INLINE f32x4 f32x4_min_where(m32x4 m, f32x4 a, f32x4 b) { return _mm_min_ps(_mm_blendv_ps(_mm_set1_ps(INFINITY), a, m), b); }

/* f32x8, 8 floats */
VP_INLINE m32x8 f32x8_cmp_gt(f32x8 a, f32x8 b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
VP_INLINE f32x8 f32x8_select(m32x8 m, f32x8 a, f32x8 b) { return _mm256_blendv_ps(b, a, m); }
VP_INLINE m32x8 f32x8_cmp_le(f32x8 a, f32x8 b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
VP_INLINE m32x8 f32x8_cmp_lt(f32x8 a, f32x8 b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
VP_INLINE m32x8 f32x8_cmp_eq(f32x8 a, f32x8 b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
VP_INLINE f32x8 f32x8_maskz(m32x8 m, f32x8 a) { return _mm256_and_ps(m, a); }
VP_INLINE f32x8 f32x8_load_u8(const uint8_t *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)));
}
VP_INLINE f32x8 f32x8_min_where(m32x8 m, f32x8 a, f32x8 b) { return _mm256_min_ps(_mm256_blendv_ps(_mm256_set1_ps(INFINITY), a, m), b); }

/* i32x4, 4 integers */
VP_INLINE m32x4 i32x4_cmp_eq(i32x4 a, i32x4 b) { return _mm_castsi128_ps(_mm_cmpeq_epi32(a, b)); }
VP_INLINE i32x4 i32x4_select(m32x4 m, i32x4 a, i32x4 b) { return _mm_blendv_epi8(b, a, _mm_castps_si128(m)); }
VP_INLINE m32x4 i32x4_cmp_lt(i32x4 a, i32x4 b) { return _mm_castsi128_ps(_mm_cmpgt_epi32(b, a)); }
VP_INLINE m32x4 i32x4_cmp_gt(i32x4 a, i32x4 b) { return _mm_castsi128_ps(_mm_cmpgt_epi32(a, b)); }
VP_INLINE m32x4 i32x4_test_bit(i32x4 a, unsigned n)
{
    return i32x4_cmp_eq(i32x4_and(a, i32x4_set1((int32_t)(1u << n))), i32x4_set1((int32_t)(1u << n)));
}
VP_INLINE i32x4 i32x4_of_mask(m32x4 m) { return _mm_castps_si128(m); }
VP_INLINE i32x4 i32x4_maskz(m32x4 m, i32x4 a) { return _mm_and_si128(_mm_castps_si128(m), a); }

/* i32x8, 8 integers */
VP_INLINE m32x8 i32x8_cmp_eq(i32x8 a, i32x8 b) { return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)); }
VP_INLINE i32x8 i32x8_select(m32x8 m, i32x8 a, i32x8 b) { return _mm256_blendv_epi8(b, a, _mm256_castps_si256(m)); }
VP_INLINE m32x8 i32x8_cmp_lt(i32x8 a, i32x8 b) { return _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a)); }
VP_INLINE m32x8 i32x8_cmp_gt(i32x8 a, i32x8 b) { return _mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b)); }
VP_INLINE m32x8 i32x8_test_bit(i32x8 a, unsigned n)
{
    return i32x8_cmp_eq(i32x8_and(a, i32x8_set1((int32_t)(1u << n))), i32x8_set1((int32_t)(1u << n)));
}
VP_INLINE i32x8 i32x8_of_mask(m32x8 m) { return _mm256_castps_si256(m); }
VP_INLINE i32x8 i32x8_maskz(m32x8 m, i32x8 a) { return _mm256_and_si256(_mm256_castps_si256(m), a); }
VP_INLINE f32x8 i32x8_reciprocal(i32x8 a)
{
    const __m256 low = _mm256_setr_ps(1.0f, 1.0f, 1 / 2.0f, 1 / 3.0f, 1 / 4.0f, 1 / 5.0f, 1 / 6.0f, 1 / 7.0f);
    const __m256 high = _mm256_setr_ps(1 / 8.0f, 1 / 9.0f, 1 / 10.0f, 1 / 11.0f, 1 / 12.0f, 1 / 13.0f, 1 / 14.0f, 1 / 15.0f);
    const __m256 top = _mm256_castsi256_ps(_mm256_slli_epi32(a, 28)); /* whether a is above 7 */
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, a), _mm256_permutevar8x32_ps(high, a), top);
}

/* f64x4, 4 doubles */
VP_INLINE m64x4 f64x4_cmp_gt(f64x4 a, f64x4 b) { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }
VP_INLINE f64x4 f64x4_select(m64x4 m, f64x4 a, f64x4 b) { return _mm256_blendv_pd(b, a, m); }
VP_INLINE m64x4 f64x4_cmp_ge(f64x4 a, f64x4 b) { return _mm256_cmp_pd(a, b, _CMP_GE_OQ); }
VP_INLINE m64x4 f64x4_cmp_eq(f64x4 a, f64x4 b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }

/* u64x4, 4 words */
VP_INLINE u64x4 u64x4_set1(uint64_t x) { return _mm256_set1_epi64x((int64_t)x); }
VP_INLINE u64x4 u64x4_load(const uint64_t *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }
VP_INLINE void u64x4_store(uint64_t *to, u64x4 a) { _mm256_storeu_si256((__m256i *)(void *)to, a); }
VP_INLINE u64x4 u64x4_and(u64x4 a, u64x4 b) { return _mm256_and_si256(a, b); }
VP_INLINE u64x4 u64x4_or(u64x4 a, u64x4 b) { return _mm256_or_si256(a, b); }
VP_INLINE u64x4 u64x4_not(u64x4 a) { return _mm256_xor_si256(a, _mm256_set1_epi64x(-1)); }
VP_INLINE u64x4 u64x4_bitselect(u64x4 m, u64x4 a, u64x4 b) { return _mm256_or_si256(_mm256_and_si256(m, a), _mm256_andnot_si256(m, b)); }
VP_INLINE u64x4 u64x4_shl(u64x4 a, unsigned n) { return _mm256_slli_epi64(a, (int)n); }
VP_INLINE u64x4 u64x4_shr(u64x4 a, unsigned n) { return _mm256_srli_epi64(a, (int)n); }
VP_INLINE u64x4 u64x4_ext_second(u64x4 a, u64x4 b)
{
    return _mm256_blend_epi32(_mm256_permute4x64_epi64(a, 0x39), _mm256_permute4x64_epi64(b, 0x39), 0xc0);
}
VP_INLINE u64x4 u64x4_ext_last(u64x4 a, u64x4 b)
{
    return _mm256_blend_epi32(_mm256_permute4x64_epi64(b, 0x93), _mm256_permute4x64_epi64(a, 0x93), 0x03);
}
VP_INLINE bool u64x4_any(u64x4 a) { return _mm256_testz_si256(a, a) == 0; }
VP_INLINE u64x4 u64x4_maskz(m64x4 m, u64x4 a) { return _mm256_and_si256(_mm256_castpd_si256(m), a); }
VP_INLINE m64x4 u64x4_testn(u64x4 a, u64x4 b)
{
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(a, b), _mm256_setzero_si256()));
}
VP_INLINE u64x4 u64x4_xor(u64x4 a, u64x4 b) { return _mm256_xor_si256(a, b); }

/* u8x32, 32 bytes. cmp_ge sets only the top bit of a mask's lane, which movemask and select read. */
VP_INLINE u8x32 u8x32_set1(uint8_t x) { return _mm256_set1_epi8((char)x); }
VP_INLINE u8x32 u8x32_load_rows(const uint8_t *from, size_t stride)
{
    return _mm256_set_m128i(vp_load_two_rows(from + 2 * stride, stride), vp_load_two_rows(from, stride));
}
VP_INLINE m8x32 u8x32_cmp_eq(u8x32 a, u8x32 b) { return _mm256_cmpeq_epi8(a, b); }
VP_INLINE m8x32 u8x32_cmp_ge(u8x32 a, uint8_t n) { return _mm256_adds_epu8(a, _mm256_set1_epi8((char)(128 - n))); }
VP_INLINE uint32_t m8x32_movemask(m8x32 m) { return (uint32_t)_mm256_movemask_epi8(m); }
VP_INLINE void u8x32_store(uint8_t *to, u8x32 a) { _mm256_storeu_si256((__m256i *)(void *)to, a); }
VP_INLINE u8x32 u8x32_sub(u8x32 a, u8x32 b) { return _mm256_sub_epi8(a, b); }
VP_INLINE u8x32 u8x32_and(u8x32 a, u8x32 b) { return _mm256_and_si256(a, b); }
VP_INLINE u8x32 u8x32_or(u8x32 a, u8x32 b) { return _mm256_or_si256(a, b); }
VP_INLINE u8x32 u8x32_abs_diff(u8x32 a, u8x32 b) { return _mm256_or_si256(_mm256_subs_epu8(a, b), _mm256_subs_epu8(b, a)); }
VP_INLINE m8x32 u8x32_cmp_le(u8x32 a, u8x32 b) { return _mm256_cmpeq_epi8(_mm256_min_epu8(a, b), a); }
VP_INLINE m8x32 u8x32_is_negative(u8x32 a) { return _mm256_cmpgt_epi8(_mm256_setzero_si256(), a); }
VP_INLINE u8x32 u8x32_of_mask(m8x32 m) { return m; }
VP_INLINE u8x32 u8x32_maskz(m8x32 m, u8x32 a) { return _mm256_and_si256(m, a); }
VP_INLINE u8x32 u8x32_select(m8x32 m, u8x32 a, u8x32 b) { return _mm256_blendv_epi8(b, a, m); }
VP_INLINE u8x32 u8x32_blend_halves(u8x32 a, u8x32 b) { return _mm256_blend_epi32(b, a, 0x55); }
VP_INLINE u8x32 u8x32_interleave_low_words(u8x32 a, u8x32 b)
{
    return _mm256_permute2x128_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b), 0x20);
}
VP_INLINE u8x32 u8x32_interleave_high_words(u8x32 a, u8x32 b)
{
    return _mm256_permute2x128_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b), 0x31);
}
VP_INLINE u8x32 u8x32_rotate_blocks(u8x32 a) { return _mm256_alignr_epi8(a, a, 1); }
VP_INLINE u8x32 u8x32_xor(u8x32 a, u8x32 b) { return _mm256_xor_si256(a, b); }
VP_INLINE m8x32 m8x32_of_bits(uint32_t x)
{
    const __m256i place = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((int64_t)UINT64_C(0x8040201008040201));
    return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int32_t)x), place), bit), bit);
}

/* u8x16, 16 bytes */
VP_INLINE m8x16 u8x16_cmp_le(u8x16 a, u8x16 b) { return _mm_cmpeq_epi8(_mm_min_epu8(a, b), a); }
VP_INLINE m8x16 u8x16_is_negative(u8x16 a) { return _mm_cmpgt_epi8(_mm_setzero_si128(), a); }
VP_INLINE u8x16 u8x16_of_mask(m8x16 m) { return m; }
VP_INLINE u8x16 u8x16_maskz(m8x16 m, u8x16 a) { return _mm_and_si128(m, a); }
VP_INLINE u8x16 u8x16_select(m8x16 m, u8x16 a, u8x16 b) { return _mm_blendv_epi8(b, a, m); }
VP_INLINE m8x16 m8x16_of_bits(uint32_t x)
{
    const __m128i bit = _mm_set1_epi64x((int64_t)UINT64_C(0x8040201008040201));
    const __m128i all = _mm_shuffle_epi8(_mm_cvtsi32_si128((int32_t)x), _mm_set_epi64x(0x0101010101010101, 0));
    return _mm_cmpeq_epi8(_mm_and_si128(all, bit), bit);
}
VP_INLINE uint32_t m8x16_movemask_pair(m8x16 low, m8x16 high)
{
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

/* u16x8, 8 integers of 16 bits */
VP_INLINE u16x8 u16x8_replace(u16x8 a, uint32_t k, uint16_t x)
{
    const __m128i there = _mm_cmpeq_epi16(_mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7), _mm_set1_epi16((short)k));
    return _mm_blendv_epi8(a, _mm_set1_epi16((short)x), there);
}
VP_INLINE m16x8 u16x8_cmp_eq(u16x8 a, u16x8 b) { return _mm_cmpeq_epi16(a, b); }
VP_INLINE u16x8 u16x8_maskz(m16x8 m, u16x8 a) { return _mm_and_si128(m, a); }
VP_INLINE u16x8 u16x8_select(m16x8 m, u16x8 a, u16x8 b) { return _mm_blendv_epi8(b, a, m); }
VP_INLINE m16x8 m16x8_of_bits(uint32_t x)
{
    const __m128i bit = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)x), bit), bit);
}

/* u16x16, 16 integers of 16 bits */
VP_INLINE m16x16 u16x16_cmp_eq(u16x16 a, u16x16 b) { return _mm256_cmpeq_epi16(a, b); }
VP_INLINE uint32_t m16x16_movemask(m16x16 m)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1)));
}

/* masks */
VP_INLINE uint32_t m32x4_movemask(m32x4 m) { return (uint32_t)_mm_movemask_ps(m); }
VP_INLINE uint32_t m32x8_movemask(m32x8 m) { return (uint32_t)_mm256_movemask_ps(m); }
VP_INLINE m64x4 m64x4_zero(void) { return _mm256_setzero_pd(); }
VP_INLINE m64x4 m64x4_and(m64x4 a, m64x4 b) { return _mm256_and_pd(a, b); }
VP_INLINE m64x4 m64x4_or(m64x4 a, m64x4 b) { return _mm256_or_pd(a, b); }
VP_INLINE m64x4 m64x4_andnot(m64x4 a, m64x4 b) { return _mm256_andnot_pd(b, a); }
VP_INLINE uint32_t m64x4_movemask(m64x4 m) { return (uint32_t)_mm256_movemask_pd(m); }
VP_INLINE bool m64x4_any(m64x4 m) { return _mm256_movemask_pd(m) != 0; }
VP_INLINE m32x4 m32x4_and(m32x4 a, m32x4 b) { return _mm_and_ps(a, b); }
VP_INLINE m32x4 m32x4_or(m32x4 a, m32x4 b) { return _mm_or_ps(a, b); }
VP_INLINE m32x8 m32x8_and(m32x8 a, m32x8 b) { return _mm256_and_ps(a, b); }
VP_INLINE m8x32 m8x32_and(m8x32 a, m8x32 b) { return _mm256_and_si256(a, b); }
VP_INLINE m32x8 m32x8_or(m32x8 a, m32x8 b) { return _mm256_or_ps(a, b); }
VP_INLINE m32x4 m32x4_of_bits(uint32_t x)
{
    const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
    return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)x), bit), bit));
}
VP_INLINE m32x4 m32x4_andnot(m32x4 a, m32x4 b) { return _mm_andnot_ps(b, a); }
VP_INLINE m32x8 m32x8_of_bits(uint32_t x)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)x), bit), bit));
}
VP_INLINE m32x8 m32x8_andnot(m32x8 a, m32x8 b) { return _mm256_andnot_ps(b, a); }

/* gather */
VP_INLINE f32x4 f32x4_gather(const float *table, i32x4 at)
{
    int32_t i[4];
    i32x4_store(i, at);
    return _mm_setr_ps(table[i[0]], table[i[1]], table[i[2]], table[i[3]]);
}
VP_INLINE f32x8 f32x8_gather(const float *table, i32x8 at)
{
    int32_t i[8];
    i32x8_store(i, at);
    return _mm256_setr_ps(table[i[0]], table[i[1]], table[i[2]], table[i[3]], table[i[4]], table[i[5]], table[i[6]], table[i[7]]);
}
VP_INLINE i32x4 i32x4_gather(const int32_t *table, i32x4 at)
{
    int32_t i[4];
    i32x4_store(i, at);
    return _mm_setr_epi32(table[i[0]], table[i[1]], table[i[2]], table[i[3]]);
}
VP_INLINE i32x8 i32x8_gather(const int32_t *table, i32x8 at)
{
    int32_t i[8];
    i32x8_store(i, at);
    return _mm256_setr_epi32(table[i[0]], table[i[1]], table[i[2]], table[i[3]], table[i[4]], table[i[5]], table[i[6]], table[i[7]]);
}
VP_INLINE i32x4 i32x4_gather_u8(const uint8_t *table, i32x4 at)
{
    int32_t i[4];
    i32x4_store(i, at);
    return _mm_setr_epi32(table[i[0]], table[i[1]], table[i[2]], table[i[3]]);
}
VP_INLINE i32x8 i32x8_gather_u8(const uint8_t *table, i32x8 at)
{
    int32_t i[8];
    i32x8_store(i, at);
    return _mm256_setr_epi32(table[i[0]], table[i[1]], table[i[2]], table[i[3]], table[i[4]], table[i[5]], table[i[6]], table[i[7]]);
}

/* compress_store */
/* Numbers of the set bits, one a byte, lowest first. Bytes after them are unspecified. */
VP_INLINE uint64_t vp_bit_numbers(uint32_t bits)
{
#if defined(__BMI2__)
    return _pext_u64(0x0706050403020100, _pdep_u64(bits, 0x0101010101010101) * 0xff);
#else
    static const uint32_t of_four[16] = {0,    0x00,   0x01,   0x0100,   0x02,   0x0200,   0x0201,   0x020100,
                                         0x03, 0x0300, 0x0301, 0x030100, 0x0302, 0x030200, 0x030201, 0x03020100};
    const uint64_t upper = of_four[bits >> 4] + 0x04040404u;
    return of_four[bits & 15] | upper << 8 * (uint32_t)__builtin_popcount(bits & 15);
#endif
}
VP_INLINE void i32x8_compress_store(void *to, uint32_t bits, i32x8 a)
{
    i32x8_store(to, _mm256_permutevar8x32_epi32(a, _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)vp_bit_numbers(bits)))));
}
VP_INLINE void f32x8_compress_store(float *to, uint32_t bits, f32x8 a) { i32x8_compress_store(to, bits, _mm256_castps_si256(a)); }
VP_INLINE void f32x4_compress_store(float *to, uint32_t bits, f32x4 a)
{
    f32x4_store(to, _mm_permutevar_ps(a, _mm_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)vp_bit_numbers(bits)))));
}
VP_INLINE void i32x4_compress_store(void *to, uint32_t bits, i32x4 a) { f32x4_compress_store((float *)to, bits, _mm_castsi128_ps(a)); }
VP_INLINE c32x8 c32x8_of_bits(uint32_t bits)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)&vp_compress_order[bits]));
}
VP_INLINE void f32x8_store_compressed(float *to, c32x8 c, f32x8 a) { f32x8_store(to, _mm256_permutevar8x32_ps(a, c)); }
VP_INLINE f32x8 f32x8_compress(uint32_t bits, f32x8 a)
{
    return _mm256_permutevar8x32_ps(f32x8_maskz(m32x8_of_bits(bits), a), c32x8_of_bits(bits));
}
VP_INLINE void i32x8_compress_copy4(void *to, const void *from, uint32_t bits)
{
    const __m128i count = _mm_set1_epi32(__builtin_popcount(bits)), lane = _mm_setr_epi32(0, 1, 2, 3);
    const __m256i moved = _mm256_permutevar8x32_epi32(i32x8_load(from), c32x8_of_bits(bits));
    _mm_maskstore_epi32((int *)to, _mm_cmpgt_epi32(count, lane), _mm256_castsi256_si128(moved));
}

#define VP_NATIVE_F32X8
#define VP_NATIVE_F64X4
#include "optimized/simd/pairs.h"

VP_INLINE u64x8 u64x8_of_bytes(uint64_t x)
{
    const __m128i bytes = _mm_cvtsi64_si128((int64_t)x);
    return (u64x8){_mm256_cvtepu8_epi64(bytes), _mm256_cvtepu8_epi64(_mm_srli_epi64(bytes, 32))};
}
VP_INLINE u64x4 u64x8_fold_or(u64x8 a) { return u64x4_or(a.low, a.high); }
VP_INLINE m64x8 m64x8_of_bits(uint32_t x)
{
    const __m256i low = _mm256_setr_epi64x(1, 2, 4, 8), high = _mm256_setr_epi64x(16, 32, 64, 128), all = _mm256_set1_epi64x((int64_t)x);
    return (m64x8){_mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, low), low)),
                   _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, high), high))};
}
VP_INLINE f64x8 f32x8_to_f64(f32x8 a)
{
    return (f64x8){_mm256_cvtps_pd(_mm256_castps256_ps128(a)), _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))};
}
VP_INLINE f32x8 f64x8_to_f32(f64x8 a) { return _mm256_set_m128(_mm256_cvtpd_ps(a.high), _mm256_cvtpd_ps(a.low)); }
VP_INLINE m32x8 m64x8_to_m32(m64x8 m)
{
    const __m256 halves = _mm256_shuffle_ps(_mm256_castpd_ps(m.low), _mm256_castpd_ps(m.high), 0x88);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(halves), 0xd8));
}
VP_INLINE bool u8x64_any_negative(u8x64 a) { return _mm256_movemask_epi8(_mm256_or_si256(a.low, a.high)) != 0; }
VP_INLINE bool u8x64_all_negative(u8x64 a) { return _mm256_movemask_epi8(_mm256_and_si256(a.low, a.high)) == -1; }

#define VP_F32N 8
#define VP_F32W 8
#define VP_F64N 4

#endif
