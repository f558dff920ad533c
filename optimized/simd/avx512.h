/* SPDX-License-Identifier: MIT */
/* The vocabulary on AVX-512 F, BW, DQ, VL. README.md lists all operations. All types are native. Masks are mask registers. */
#ifndef VP_OPTIMIZED_SIMD_AVX512_H
#define VP_OPTIMIZED_SIMD_AVX512_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "optimized/simd/x86_intrinsics.h"
#include "src/core/inline.h"

typedef __m128 f32x4;
typedef __m256 f32x8;
typedef __m512 f32x16;
typedef __m256d f64x4;
typedef __m512d f64x8;
typedef __m128i i32x4, u8x16, u16x8;
typedef __m256i i32x8, u8x32, u16x16, c32x8; /* c32: the source of each lane */
typedef __m512i i32x16, u64x8, u8x64, c32x16;
typedef __mmask8 m32x4, m32x8, m64x4, m64x8, m16x8;
typedef __mmask16 m32x16, m8x16, m16x16;
typedef __mmask32 m8x32;
typedef __mmask64 m8x64;

/* f32x4, 4 floats */
VP_INLINE f32x4 f32x4_set1(float x) { return _mm_set1_ps(x); }
VP_INLINE f32x4 f32x4_load(const float *from) { return _mm_loadu_ps(from); }
VP_INLINE void f32x4_store(float *to, f32x4 a) { _mm_storeu_ps(to, a); }
VP_INLINE f32x4 f32x4_add(f32x4 a, f32x4 b) { return _mm_add_ps(a, b); }
VP_INLINE f32x4 f32x4_sub(f32x4 a, f32x4 b) { return _mm_sub_ps(a, b); }
VP_INLINE f32x4 f32x4_mul(f32x4 a, f32x4 b) { return _mm_mul_ps(a, b); }
VP_INLINE f32x4 f32x4_div(f32x4 a, f32x4 b) { return _mm_div_ps(a, b); }
VP_INLINE f32x4 f32x4_abs(f32x4 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
VP_INLINE m32x4 f32x4_cmp_gt(f32x4 a, f32x4 b) { return _mm_cmp_ps_mask(a, b, _CMP_GT_OQ); }
VP_INLINE f32x4 f32x4_select(m32x4 m, f32x4 a, f32x4 b) { return _mm_mask_blend_ps(m, b, a); }
VP_INLINE i32x4 f32x4_to_i32(f32x4 a) { return _mm_cvttps_epi32(a); }
VP_INLINE f32x4 f32x4_min(f32x4 a, f32x4 b) { return _mm_min_ps(a, b); }
VP_INLINE f32x4 f32x4_max(f32x4 a, f32x4 b) { return _mm_max_ps(a, b); }
VP_INLINE f32x4 f32x4_load_xyz(const float *from) { return _mm_maskz_loadu_ps(7, from); }
VP_INLINE i32x4 f32x4_as_i32(f32x4 a) { return _mm_castps_si128(a); }
VP_INLINE float f32x4_reduce_min(f32x4 a)
{
    a = _mm_min_ps(a, _mm_shuffle_ps(a, a, 0x4e));
    return _mm_cvtss_f32(_mm_min_ps(a, _mm_shuffle_ps(a, a, 0xb1)));
}
VP_INLINE float f32x4_reduce_max(f32x4 a)
{
    a = _mm_max_ps(a, _mm_shuffle_ps(a, a, 0x4e));
    return _mm_cvtss_f32(_mm_max_ps(a, _mm_shuffle_ps(a, a, 0xb1)));
}
VP_INLINE f32x4 f32x4_permute(f32x4 a, i32x4 at) { return _mm_permutevar_ps(a, at); }
VP_INLINE float f32x4_first(f32x4 a) { return _mm_cvtss_f32(a); }
VP_INLINE f32x4 f32x4_max_across(f32x4 a)
{
    a = _mm_max_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_max_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1)));
}
VP_INLINE f32x4 f32x4_min_fast(f32x4 a, f32x4 b) { return _mm_min_ps(a, b); }
VP_INLINE m32x4 f32x4_cmp_le(f32x4 a, f32x4 b) { return _mm_cmp_ps_mask(a, b, _CMP_LE_OQ); }
VP_INLINE i32x4 f32x4_floor_to_i32(f32x4 a) { return _mm_cvttps_epi32(_mm_floor_ps(a)); }
VP_INLINE f32x4 f32x4_load_xyz_fast(const float *from)
{
    return _mm_insert_ps(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)from)), _mm_load_ss(from + 2), 0x20);
}
VP_INLINE f32x4 f32x4_max_fast(f32x4 a, f32x4 b) { return _mm_max_ps(a, b); }
VP_INLINE m32x4 f32x4_cmp_lt(f32x4 a, f32x4 b) { return _mm_cmp_ps_mask(a, b, _CMP_LT_OQ); }
VP_INLINE f32x4 f32x4_neg(f32x4 a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
VP_INLINE m32x4 f32x4_cmp_eq(f32x4 a, f32x4 b) { return _mm_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
VP_INLINE f32x4 f32x4_maskz(m32x4 m, f32x4 a) { return _mm_maskz_mov_ps(m, a); }
VP_INLINE f32x4 f32x4_interleave_low(f32x4 a, f32x4 b) { return _mm_unpacklo_ps(a, b); }
VP_INLINE f32x4 f32x4_ext_second(f32x4 a, f32x4 b)
{
    return _mm_castsi128_ps(_mm_alignr_epi8(_mm_castps_si128(b), _mm_castps_si128(a), 4));
}
VP_INLINE float f32x4_sum(f32x4 a)
{
    const __m128 two = _mm_add_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
VP_INLINE uint32_t f32x4_argmin(f32x4 a)
{
    const __m128 two = _mm_min_ps(a, _mm_shuffle_ps(a, a, 0x4e)), least = _mm_min_ps(two, _mm_shuffle_ps(two, two, 0xb1));
    return (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(a, least)));
}
VP_INLINE f32x4 f32x4_min_where(m32x4 m, f32x4 a, f32x4 b) { return _mm_mask_min_ps(b, m, a, b); }
VP_INLINE f32x4 f32x4_sqrt(f32x4 a) { return _mm_sqrt_ps(a); }

/* i32x4, 4 integers */
VP_INLINE i32x4 i32x4_set1(int32_t x) { return _mm_set1_epi32(x); }
VP_INLINE i32x4 i32x4_load(const void *from) { return _mm_loadu_si128((const __m128i *)from); }
VP_INLINE void i32x4_store(void *to, i32x4 a) { _mm_storeu_si128((__m128i *)to, a); }
VP_INLINE i32x4 i32x4_add(i32x4 a, i32x4 b) { return _mm_add_epi32(a, b); }
VP_INLINE m32x4 i32x4_cmp_eq(i32x4 a, i32x4 b) { return _mm_cmpeq_epi32_mask(a, b); }
VP_INLINE i32x4 i32x4_select(m32x4 m, i32x4 a, i32x4 b) { return _mm_mask_blend_epi32(m, b, a); }
VP_INLINE f32x4 i32x4_to_f32(i32x4 a) { return _mm_cvtepi32_ps(a); }
VP_INLINE i32x4 i32x4_iota(void) { return _mm_setr_epi32(0, 1, 2, 3); }
VP_INLINE i32x4 i32x4_sub(i32x4 a, i32x4 b) { return _mm_sub_epi32(a, b); }
VP_INLINE i32x4 i32x4_mul(i32x4 a, i32x4 b) { return _mm_mullo_epi32(a, b); }
VP_INLINE i32x4 i32x4_min(i32x4 a, i32x4 b) { return _mm_min_epi32(a, b); }
VP_INLINE i32x4 i32x4_and(i32x4 a, i32x4 b) { return _mm_and_si128(a, b); }
VP_INLINE m32x4 i32x4_cmp_lt(i32x4 a, i32x4 b) { return _mm_cmplt_epi32_mask(a, b); }
VP_INLINE i32x4 i32x4_max(i32x4 a, i32x4 b) { return _mm_max_epi32(a, b); }
VP_INLINE i32x4 i32x4_or(i32x4 a, i32x4 b) { return _mm_or_si128(a, b); }
VP_INLINE i32x4 i32x4_xor(i32x4 a, i32x4 b) { return _mm_xor_si128(a, b); }
VP_INLINE i32x4 i32x4_shl(i32x4 a, unsigned n) { return _mm_slli_epi32(a, (int)n); }
VP_INLINE i32x4 i32x4_shr(i32x4 a, unsigned n) { return _mm_srli_epi32(a, (int)n); }
VP_INLINE i32x4 i32x4_sra(i32x4 a, unsigned n) { return _mm_srai_epi32(a, (int)n); }
VP_INLINE i32x4 i32x4_shlv(i32x4 a, i32x4 n) { return _mm_sllv_epi32(a, n); }
VP_INLINE m32x4 i32x4_cmp_gt(i32x4 a, i32x4 b) { return _mm_cmpgt_epi32_mask(a, b); }
#define i32x4_lane(a, k) _mm_extract_epi32(a, k)
VP_INLINE m32x4 i32x4_test_bit(i32x4 a, unsigned n) { return _mm_test_epi32_mask(a, i32x4_set1((int32_t)(1u << n))); }
VP_INLINE i32x4 i32x4_of_mask(m32x4 m) { return _mm_movm_epi32(m); }
VP_INLINE i32x4 i32x4_maskz(m32x4 m, i32x4 a) { return _mm_maskz_mov_epi32(m, a); }
VP_INLINE i32x4 i32x4_load_u8(const uint8_t *from)
{
    int32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return _mm_cvtepu8_epi32(_mm_cvtsi32_si128(bytes));
}
VP_INLINE i32x4 i32x4_load_u16(const uint16_t *from) { return _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)); }
VP_INLINE f32x4 i32x4_as_f32(i32x4 a) { return _mm_castsi128_ps(a); }
VP_INLINE int32_t i32x4_first(i32x4 a) { return _mm_cvtsi128_si32(a); }
VP_INLINE f32x4 i32x4_reciprocal(i32x4 a) { return _mm_div_ps(_mm_set1_ps(1.0f), _mm_cvtepi32_ps(_mm_max_epi32(a, _mm_set1_epi32(1)))); }

/* f32x8, 8 floats */
VP_INLINE f32x8 f32x8_set1(float x) { return _mm256_set1_ps(x); }
VP_INLINE f32x8 f32x8_load(const float *from) { return _mm256_loadu_ps(from); }
VP_INLINE void f32x8_store(float *to, f32x8 a) { _mm256_storeu_ps(to, a); }
VP_INLINE f32x8 f32x8_add(f32x8 a, f32x8 b) { return _mm256_add_ps(a, b); }
VP_INLINE f32x8 f32x8_sub(f32x8 a, f32x8 b) { return _mm256_sub_ps(a, b); }
VP_INLINE f32x8 f32x8_mul(f32x8 a, f32x8 b) { return _mm256_mul_ps(a, b); }
VP_INLINE f32x8 f32x8_div(f32x8 a, f32x8 b) { return _mm256_div_ps(a, b); }
VP_INLINE f32x8 f32x8_abs(f32x8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
VP_INLINE m32x8 f32x8_cmp_gt(f32x8 a, f32x8 b) { return _mm256_cmp_ps_mask(a, b, _CMP_GT_OQ); }
VP_INLINE f32x8 f32x8_select(m32x8 m, f32x8 a, f32x8 b) { return _mm256_mask_blend_ps(m, b, a); }
VP_INLINE i32x8 f32x8_to_i32(f32x8 a) { return _mm256_cvttps_epi32(a); }
VP_INLINE f32x8 f32x8_max(f32x8 a, f32x8 b) { return _mm256_max_ps(a, b); }
VP_INLINE f32x8 f32x8_min_fast(f32x8 a, f32x8 b) { return _mm256_min_ps(a, b); }
VP_INLINE m32x8 f32x8_cmp_le(f32x8 a, f32x8 b) { return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ); }
VP_INLINE i32x8 f32x8_as_i32(f32x8 a) { return _mm256_castps_si256(a); }
VP_INLINE f32x8 f32x8_load_rows(const float *from, size_t stride)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)), _mm_loadu_ps(from + stride), 1);
}
VP_INLINE f32x8 f32x8_swap_halves(f32x8 a) { return _mm256_permute2f128_ps(a, a, 1); }
VP_INLINE f32x8 f32x8_permute4(f32x8 a, i32x8 at) { return _mm256_permutevar_ps(a, at); }
VP_INLINE void f32x8_transpose4(const f32x8 from[4], f32x8 to[4])
{
    const __m256 xy01 = _mm256_unpacklo_ps(from[0], from[1]), xy23 = _mm256_unpacklo_ps(from[2], from[3]);
    const __m256 zw01 = _mm256_unpackhi_ps(from[0], from[1]), zw23 = _mm256_unpackhi_ps(from[2], from[3]);
    to[0] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
    to[1] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
    to[2] = _mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0));
    to[3] = _mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2));
}
VP_INLINE void f32x8_store4(void *to, f32x8 a, f32x8 b, f32x8 c, f32x8 d)
{
    const f32x8 from[4] = {a, b, c, d};
    f32x8 row[4];
    f32x8_transpose4(from, row);
    for (int i = 0; i < 4; i++) {
        _mm_storeu_ps((float *)to + 4 * i, _mm256_castps256_ps128(row[i]));
        _mm_storeu_ps((float *)to + 4 * i + 16, _mm256_extractf128_ps(row[i], 1));
    }
}
VP_INLINE f32x4 f32x8_fold_min(f32x8 a) { return _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)); }
VP_INLINE float f32x8_reduce_min(f32x8 a) { return f32x4_reduce_min(f32x8_fold_min(a)); }
VP_INLINE f32x4 f32x8_fold_max(f32x8 a) { return _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)); }
VP_INLINE float f32x8_reduce_max(f32x8 a) { return f32x4_reduce_max(f32x8_fold_max(a)); }
VP_INLINE i32x8 f32x8_floor_to_i32(f32x8 a) { return _mm256_cvttps_epi32(_mm256_floor_ps(a)); }
VP_INLINE f32x8 f32x8_max_fast(f32x8 a, f32x8 b) { return _mm256_max_ps(a, b); }
VP_INLINE m32x8 f32x8_cmp_lt(f32x8 a, f32x8 b) { return _mm256_cmp_ps_mask(a, b, _CMP_LT_OQ); }
VP_INLINE f32x8 f32x8_neg(f32x8 a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
VP_INLINE m32x8 f32x8_cmp_eq(f32x8 a, f32x8 b) { return _mm256_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
VP_INLINE f32x8 f32x8_maskz(m32x8 m, f32x8 a) { return _mm256_maskz_mov_ps(m, a); }
VP_INLINE f32x8 f32x8_of_halves(f32x4 low, f32x4 high) { return _mm256_set_m128(high, low); }
VP_INLINE f32x8 f32x8_load_twice(const float *from) { return _mm256_broadcast_ps((const __m128 *)(const void *)from); }
VP_INLINE f32x8 f32x8_load_u8(const uint8_t *from) { return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadu_si64(from))); }
VP_INLINE f32x8 f32x8_min(f32x8 a, f32x8 b) { return _mm256_min_ps(a, b); }
VP_INLINE f32x4 f32x8_low(f32x8 a) { return _mm256_castps256_ps128(a); }
VP_INLINE f32x4 f32x8_high(f32x8 a) { return _mm256_extractf128_ps(a, 1); }
VP_INLINE float f32x8_sum(f32x8 a) { return f32x4_sum(f32x4_add(f32x8_low(a), f32x8_high(a))); }
VP_INLINE f32x8 f32x8_fold8_min(f32x8 a) { return a; }
VP_INLINE f32x8 f32x8_min_of_six(const f32x8 a[6])
{
    f32x8 half[2];
    for (int i = 0; i < 2; i++) {
        const f32x8 *v = a + 3 * i;
        const f32x8 xy = _mm256_min_ps(_mm256_unpacklo_ps(v[0], v[1]), _mm256_unpackhi_ps(v[0], v[1]));
        const f32x8 zz = _mm256_min_ps(v[2], _mm256_permute_ps(v[2], 0x4e)); /* 02 13 02 13 */
        half[i] = _mm256_min_ps(_mm256_shuffle_ps(xy, zz, 0x04), _mm256_shuffle_ps(xy, zz, 0x5e));
    }
    return _mm256_min_ps(_mm256_permute2f128_ps(half[0], half[1], 0x20), _mm256_permute2f128_ps(half[0], half[1], 0x31));
}
VP_INLINE void f32x8_transpose3(const f32x8 p[4], f32x8 out[3])
{
    const f32x8 xy01 = _mm256_unpacklo_ps(p[0], p[1]), xy23 = _mm256_unpacklo_ps(p[2], p[3]); /* x0 x1 y0 y1 */
    out[0] = _mm256_shuffle_ps(xy01, xy23, 0x44);
    out[1] = _mm256_shuffle_ps(xy01, xy23, 0xee);
    out[2] = _mm256_shuffle_ps(_mm256_unpackhi_ps(p[0], p[1]), _mm256_unpackhi_ps(p[2], p[3]), 0x44);
}
VP_INLINE f32x8 f32x8_min_where(m32x8 m, f32x8 a, f32x8 b) { return _mm256_mask_min_ps(b, m, a, b); }
VP_INLINE f32x8 f32x8_sqrt(f32x8 a) { return _mm256_sqrt_ps(a); }

/* i32x8, 8 integers */
VP_INLINE i32x8 i32x8_set1(int32_t x) { return _mm256_set1_epi32(x); }
VP_INLINE i32x8 i32x8_load(const void *from) { return _mm256_loadu_si256((const __m256i *)from); }
VP_INLINE void i32x8_store(void *to, i32x8 a) { _mm256_storeu_si256((__m256i *)to, a); }
VP_INLINE i32x8 i32x8_add(i32x8 a, i32x8 b) { return _mm256_add_epi32(a, b); }
VP_INLINE m32x8 i32x8_cmp_eq(i32x8 a, i32x8 b) { return _mm256_cmpeq_epi32_mask(a, b); }
VP_INLINE i32x8 i32x8_select(m32x8 m, i32x8 a, i32x8 b) { return _mm256_mask_blend_epi32(m, b, a); }
VP_INLINE f32x8 i32x8_to_f32(i32x8 a) { return _mm256_cvtepi32_ps(a); }
VP_INLINE i32x8 i32x8_iota(void) { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
VP_INLINE i32x8 i32x8_sub(i32x8 a, i32x8 b) { return _mm256_sub_epi32(a, b); }
VP_INLINE i32x8 i32x8_mul(i32x8 a, i32x8 b) { return _mm256_mullo_epi32(a, b); }
VP_INLINE i32x8 i32x8_min(i32x8 a, i32x8 b) { return _mm256_min_epi32(a, b); }
VP_INLINE i32x8 i32x8_and(i32x8 a, i32x8 b) { return _mm256_and_si256(a, b); }
VP_INLINE m32x8 i32x8_cmp_lt(i32x8 a, i32x8 b) { return _mm256_cmplt_epi32_mask(a, b); }
VP_INLINE f32x8 i32x8_as_f32(i32x8 a) { return _mm256_castsi256_ps(a); }
VP_INLINE i32x8 i32x8_or(i32x8 a, i32x8 b) { return _mm256_or_si256(a, b); }
VP_INLINE i32x8 i32x8_xor(i32x8 a, i32x8 b) { return _mm256_xor_si256(a, b); }
VP_INLINE i32x8 i32x8_shl(i32x8 a, unsigned n) { return _mm256_slli_epi32(a, (int)n); }
VP_INLINE i32x8 i32x8_shr(i32x8 a, unsigned n) { return _mm256_srli_epi32(a, (int)n); }
VP_INLINE i32x8 i32x8_sra(i32x8 a, unsigned n) { return _mm256_srai_epi32(a, (int)n); }
VP_INLINE i32x8 i32x8_shlv(i32x8 a, i32x8 n) { return _mm256_sllv_epi32(a, n); }
VP_INLINE m32x8 i32x8_cmp_gt(i32x8 a, i32x8 b) { return _mm256_cmpgt_epi32_mask(a, b); }
VP_INLINE m32x8 i32x8_test_bit(i32x8 a, unsigned n) { return _mm256_test_epi32_mask(a, i32x8_set1((int32_t)(1u << n))); }
VP_INLINE i32x8 i32x8_of_mask(m32x8 m) { return _mm256_movm_epi32(m); }
VP_INLINE i32x8 i32x8_maskz(m32x8 m, i32x8 a) { return _mm256_maskz_mov_epi32(m, a); }
VP_INLINE i32x8 i32x8_load_u8(const uint8_t *from) { return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)); }
VP_INLINE i32x8 i32x8_load_u16(const uint16_t *from) { return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)); }
VP_INLINE i32x8 i32x8_of_halves(i32x4 low, i32x4 high) { return _mm256_set_m128i(high, low); }
VP_INLINE i32x8 i32x8_load_twice(const void *from) { return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from)); }
VP_INLINE i32x8 i32x8_of_u16(uint64_t low, uint64_t high)
{
    return _mm256_cvtepu16_epi32(_mm_unpacklo_epi64(_mm_cvtsi64_si128((int64_t)low), _mm_cvtsi64_si128((int64_t)high)));
}
VP_INLINE uint32_t i32x8_sign_bits(i32x8 a) { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a)); }
VP_INLINE f32x8 i32x8_reciprocal(i32x8 a)
{
    const __m256 low = _mm256_setr_ps(1.0f, 1.0f, 1 / 2.0f, 1 / 3.0f, 1 / 4.0f, 1 / 5.0f, 1 / 6.0f, 1 / 7.0f);
    const __m256 high = _mm256_setr_ps(1 / 8.0f, 1 / 9.0f, 1 / 10.0f, 1 / 11.0f, 1 / 12.0f, 1 / 13.0f, 1 / 14.0f, 1 / 15.0f);
    return _mm256_permutex2var_ps(low, a, high);
}

/* f32x16, 16 floats */
VP_INLINE f32x16 f32x16_set1(float x) { return _mm512_set1_ps(x); }
VP_INLINE f32x16 f32x16_load(const float *from) { return _mm512_loadu_ps(from); }
VP_INLINE void f32x16_store(float *to, f32x16 a) { _mm512_storeu_ps(to, a); }
VP_INLINE f32x16 f32x16_add(f32x16 a, f32x16 b) { return _mm512_add_ps(a, b); }
VP_INLINE f32x16 f32x16_sub(f32x16 a, f32x16 b) { return _mm512_sub_ps(a, b); }
VP_INLINE f32x16 f32x16_mul(f32x16 a, f32x16 b) { return _mm512_mul_ps(a, b); }
VP_INLINE f32x16 f32x16_div(f32x16 a, f32x16 b) { return _mm512_div_ps(a, b); }
VP_INLINE f32x16 f32x16_abs(f32x16 a) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a); }
VP_INLINE m32x16 f32x16_cmp_gt(f32x16 a, f32x16 b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
VP_INLINE f32x16 f32x16_select(m32x16 m, f32x16 a, f32x16 b) { return _mm512_mask_blend_ps(m, b, a); }
VP_INLINE i32x16 f32x16_to_i32(f32x16 a) { return _mm512_cvttps_epi32(a); }
VP_INLINE f32x16 f32x16_min(f32x16 a, f32x16 b) { return _mm512_min_ps(a, b); }
VP_INLINE f32x16 f32x16_max(f32x16 a, f32x16 b) { return _mm512_max_ps(a, b); }
VP_INLINE f32x16 f32x16_min_fast(f32x16 a, f32x16 b) { return _mm512_min_ps(a, b); }
VP_INLINE m32x16 f32x16_cmp_le(f32x16 a, f32x16 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
VP_INLINE i32x16 f32x16_floor_to_i32(f32x16 a) { return _mm512_cvt_roundps_epi32(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
VP_INLINE f32x16 f32x16_max_fast(f32x16 a, f32x16 b) { return _mm512_max_ps(a, b); }
VP_INLINE m32x16 f32x16_cmp_lt(f32x16 a, f32x16 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
VP_INLINE f32x16 f32x16_neg(f32x16 a) { return _mm512_xor_ps(a, _mm512_set1_ps(-0.0f)); }
VP_INLINE m32x16 f32x16_cmp_eq(f32x16 a, f32x16 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
VP_INLINE i32x16 f32x16_as_i32(f32x16 a) { return _mm512_castps_si512(a); }
VP_INLINE f32x16 f32x16_maskz(m32x16 m, f32x16 a) { return _mm512_maskz_mov_ps(m, a); }
VP_INLINE f32x16 f32x16_both(f32x8 a) { return _mm512_broadcast_f32x8(a); }
VP_INLINE f32x8 f32x16_low(f32x16 a) { return _mm512_castps512_ps256(a); }
VP_INLINE f32x8 f32x16_high(f32x16 a) { return _mm512_extractf32x8_ps(a, 1); }
VP_INLINE f32x16 f32x16_of_halves(f32x8 low, f32x8 high) { return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1); }
VP_INLINE f32x16 f32x16_load_rows(const float *from, size_t stride)
{
    f32x16 rows = _mm512_castps128_ps512(_mm_loadu_ps(from));
    rows = _mm512_insertf32x4(rows, _mm_loadu_ps(from + stride), 1);
    rows = _mm512_insertf32x4(rows, _mm_loadu_ps(from + 2 * stride), 2);
    return _mm512_insertf32x4(rows, _mm_loadu_ps(from + 3 * stride), 3);
}
VP_INLINE void f32x16_transpose4(const f32x16 from[4], f32x16 to[4])
{
    const __m512 xy01 = _mm512_unpacklo_ps(from[0], from[1]), xy23 = _mm512_unpacklo_ps(from[2], from[3]);
    const __m512 zw01 = _mm512_unpackhi_ps(from[0], from[1]), zw23 = _mm512_unpackhi_ps(from[2], from[3]);
    to[0] = _mm512_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
    to[1] = _mm512_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
    to[2] = _mm512_shuffle_ps(zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0));
    to[3] = _mm512_shuffle_ps(zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2));
}
VP_INLINE void f32x16_store4(void *to, f32x16 a, f32x16 b, f32x16 c, f32x16 d)
{
    const f32x16 from[4] = {a, b, c, d};
    f32x16 row[4];
    f32x16_transpose4(from, row);
    for (int i = 0; i < 4; i++) {
        _mm_storeu_ps((float *)to + 4 * i, _mm512_castps512_ps128(row[i]));
        _mm_storeu_ps((float *)to + 4 * i + 16, _mm512_extractf32x4_ps(row[i], 1));
        _mm_storeu_ps((float *)to + 4 * i + 32, _mm512_extractf32x4_ps(row[i], 2));
        _mm_storeu_ps((float *)to + 4 * i + 48, _mm512_extractf32x4_ps(row[i], 3));
    }
}
VP_INLINE f32x4 f32x16_fold_min(f32x16 a) { return f32x8_fold_min(_mm256_min_ps(f32x16_low(a), f32x16_high(a))); }
VP_INLINE float f32x16_reduce_min(f32x16 a) { return f32x4_reduce_min(f32x16_fold_min(a)); }
VP_INLINE f32x4 f32x16_fold_max(f32x16 a) { return f32x8_fold_max(_mm256_max_ps(f32x16_low(a), f32x16_high(a))); }
VP_INLINE float f32x16_reduce_max(f32x16 a) { return f32x4_reduce_max(f32x16_fold_max(a)); }
VP_INLINE float f32x16_sum(f32x16 a) { return f32x8_sum(f32x8_add(f32x16_low(a), f32x16_high(a))); }
VP_INLINE f32x8 f32x16_fold8_min(f32x16 a) { return f32x8_min_fast(f32x16_low(a), f32x16_high(a)); }
VP_INLINE f32x16 f32x16_min_of_six(const f32x16 a[6])
{
    f32x16 half[2];
    for (int i = 0; i < 2; i++) {
        const f32x16 *v = a + 3 * i;
        const f32x16 xy = _mm512_min_ps(_mm512_unpacklo_ps(v[0], v[1]), _mm512_unpackhi_ps(v[0], v[1]));
        const f32x16 zz = _mm512_min_ps(v[2], _mm512_permute_ps(v[2], 0x4e)); /* 02 13 02 13 */
        half[i] = _mm512_min_ps(_mm512_shuffle_ps(xy, zz, 0x04), _mm512_shuffle_ps(xy, zz, 0x5e));
    }
    const __m512i one = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), two = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const __m512d low = _mm512_castps_pd(half[0]), high = _mm512_castps_pd(half[1]);
    return _mm512_min_ps(_mm512_castpd_ps(_mm512_permutex2var_pd(low, one, high)),
                         _mm512_castpd_ps(_mm512_permutex2var_pd(low, two, high)));
}
VP_INLINE f32x16 f32x16_min_where(m32x16 m, f32x16 a, f32x16 b) { return _mm512_mask_min_ps(b, m, a, b); }
VP_INLINE f32x16 f32x16_sqrt(f32x16 a) { return _mm512_sqrt_ps(a); }

/* i32x16, 16 integers */
VP_INLINE i32x16 i32x16_set1(int32_t x) { return _mm512_set1_epi32(x); }
VP_INLINE i32x16 i32x16_load(const void *from) { return _mm512_loadu_si512(from); }
VP_INLINE void i32x16_store(void *to, i32x16 a) { _mm512_storeu_si512(to, a); }
VP_INLINE i32x16 i32x16_add(i32x16 a, i32x16 b) { return _mm512_add_epi32(a, b); }
VP_INLINE m32x16 i32x16_cmp_eq(i32x16 a, i32x16 b) { return _mm512_cmpeq_epi32_mask(a, b); }
VP_INLINE i32x16 i32x16_select(m32x16 m, i32x16 a, i32x16 b) { return _mm512_mask_blend_epi32(m, b, a); }
VP_INLINE f32x16 i32x16_to_f32(i32x16 a) { return _mm512_cvtepi32_ps(a); }
VP_INLINE i32x16 i32x16_iota(void) { return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }
VP_INLINE i32x16 i32x16_sub(i32x16 a, i32x16 b) { return _mm512_sub_epi32(a, b); }
VP_INLINE i32x16 i32x16_mul(i32x16 a, i32x16 b) { return _mm512_mullo_epi32(a, b); }
VP_INLINE i32x16 i32x16_min(i32x16 a, i32x16 b) { return _mm512_min_epi32(a, b); }
VP_INLINE i32x16 i32x16_and(i32x16 a, i32x16 b) { return _mm512_and_si512(a, b); }
VP_INLINE m32x16 i32x16_cmp_lt(i32x16 a, i32x16 b) { return _mm512_cmplt_epi32_mask(a, b); }
VP_INLINE f32x16 i32x16_as_f32(i32x16 a) { return _mm512_castsi512_ps(a); }
VP_INLINE i32x16 i32x16_or(i32x16 a, i32x16 b) { return _mm512_or_si512(a, b); }
VP_INLINE i32x16 i32x16_xor(i32x16 a, i32x16 b) { return _mm512_xor_si512(a, b); }
VP_INLINE i32x16 i32x16_shl(i32x16 a, unsigned n) { return _mm512_slli_epi32(a, n); }
VP_INLINE i32x16 i32x16_shr(i32x16 a, unsigned n) { return _mm512_srli_epi32(a, n); }
VP_INLINE i32x16 i32x16_sra(i32x16 a, unsigned n) { return _mm512_srai_epi32(a, n); }
VP_INLINE i32x16 i32x16_shlv(i32x16 a, i32x16 n) { return _mm512_sllv_epi32(a, n); }
VP_INLINE m32x16 i32x16_cmp_gt(i32x16 a, i32x16 b) { return _mm512_cmpgt_epi32_mask(a, b); }
VP_INLINE m32x16 i32x16_test_bit(i32x16 a, unsigned n) { return _mm512_test_epi32_mask(a, i32x16_set1((int32_t)(1u << n))); }
VP_INLINE i32x16 i32x16_of_mask(m32x16 m) { return _mm512_movm_epi32(m); }
VP_INLINE i32x16 i32x16_maskz(m32x16 m, i32x16 a) { return _mm512_maskz_mov_epi32(m, a); }
VP_INLINE i32x16 i32x16_load_u8(const uint8_t *from) { return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)); }
VP_INLINE i32x16 i32x16_load_u16(const uint16_t *from)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from));
}
VP_INLINE f32x16 i32x16_reciprocal(i32x16 a)
{
    const __m512 table = _mm512_setr_ps(1.0f, 1.0f, 1 / 2.0f, 1 / 3.0f, 1 / 4.0f, 1 / 5.0f, 1 / 6.0f, 1 / 7.0f, 1 / 8.0f, 1 / 9.0f,
                                        1 / 10.0f, 1 / 11.0f, 1 / 12.0f, 1 / 13.0f, 1 / 14.0f, 1 / 15.0f);
    return _mm512_permutexvar_ps(a, table);
}

/* f64x4, 4 doubles */
VP_INLINE f64x4 f64x4_set1(double x) { return _mm256_set1_pd(x); }
VP_INLINE f64x4 f64x4_iota(void) { return _mm256_setr_pd(0.0, 1.0, 2.0, 3.0); }
VP_INLINE f64x4 f64x4_load(const double *from) { return _mm256_loadu_pd(from); }
VP_INLINE f64x4 f64x4_load_f32(const float *from) { return _mm256_cvtps_pd(_mm_loadu_ps(from)); }
VP_INLINE void f64x4_store(double *to, f64x4 a) { _mm256_storeu_pd(to, a); }
VP_INLINE void f64x4_store_i32(void *to, f64x4 a) { _mm_storeu_si128((__m128i *)to, _mm256_cvttpd_epi32(a)); }
VP_INLINE f64x4 f64x4_add(f64x4 a, f64x4 b) { return _mm256_add_pd(a, b); }
VP_INLINE f64x4 f64x4_sub(f64x4 a, f64x4 b) { return _mm256_sub_pd(a, b); }
VP_INLINE f64x4 f64x4_mul(f64x4 a, f64x4 b) { return _mm256_mul_pd(a, b); }
VP_INLINE f64x4 f64x4_max_fast(f64x4 a, f64x4 b) { return _mm256_max_pd(a, b); }
VP_INLINE f64x4 f64x4_abs(f64x4 a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
VP_INLINE m64x4 f64x4_cmp_gt(f64x4 a, f64x4 b) { return _mm256_cmp_pd_mask(a, b, _CMP_GT_OQ); }
VP_INLINE f64x4 f64x4_select(m64x4 m, f64x4 a, f64x4 b) { return _mm256_mask_blend_pd(m, b, a); }
VP_INLINE f64x4 f64x4_rsqrt_estimate(f64x4 a)
{
    return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(0x5fe6eb50c7b537a9), _mm256_srli_epi64(_mm256_castpd_si256(a), 1)));
}
VP_INLINE f64x4 f64x4_div(f64x4 a, f64x4 b) { return _mm256_div_pd(a, b); }
VP_INLINE f64x4 f64x4_min_fast(f64x4 a, f64x4 b) { return _mm256_min_pd(a, b); }
VP_INLINE m64x4 f64x4_cmp_ge(f64x4 a, f64x4 b) { return _mm256_cmp_pd_mask(a, b, _CMP_GE_OQ); }
VP_INLINE m64x4 f64x4_cmp_eq(f64x4 a, f64x4 b) { return _mm256_cmp_pd_mask(a, b, _CMP_EQ_OQ); }

/* f64x8, 8 doubles */
VP_INLINE f64x8 f64x8_set1(double x) { return _mm512_set1_pd(x); }
VP_INLINE f64x8 f64x8_iota(void) { return _mm512_setr_pd(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0); }
VP_INLINE f64x8 f64x8_load(const double *from) { return _mm512_loadu_pd(from); }
VP_INLINE f64x8 f64x8_load_f32(const float *from) { return _mm512_cvtps_pd(_mm256_loadu_ps(from)); }
VP_INLINE void f64x8_store(double *to, f64x8 a) { _mm512_storeu_pd(to, a); }
VP_INLINE void f64x8_store_i32(void *to, f64x8 a) { _mm256_storeu_si256((__m256i *)to, _mm512_cvttpd_epi32(a)); }
VP_INLINE f64x8 f64x8_add(f64x8 a, f64x8 b) { return _mm512_add_pd(a, b); }
VP_INLINE f64x8 f64x8_sub(f64x8 a, f64x8 b) { return _mm512_sub_pd(a, b); }
VP_INLINE f64x8 f64x8_mul(f64x8 a, f64x8 b) { return _mm512_mul_pd(a, b); }
VP_INLINE f64x8 f64x8_max_fast(f64x8 a, f64x8 b) { return _mm512_max_pd(a, b); }
VP_INLINE f64x8 f64x8_abs(f64x8 a) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), a); }
VP_INLINE m64x8 f64x8_cmp_gt(f64x8 a, f64x8 b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
VP_INLINE f64x8 f64x8_select(m64x8 m, f64x8 a, f64x8 b) { return _mm512_mask_blend_pd(m, b, a); }
VP_INLINE f64x8 f64x8_rsqrt_estimate(f64x8 a)
{
    return _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_set1_epi64(0x5fe6eb50c7b537a9), _mm512_srli_epi64(_mm512_castpd_si512(a), 1)));
}
VP_INLINE f64x8 f64x8_div(f64x8 a, f64x8 b) { return _mm512_div_pd(a, b); }
VP_INLINE f64x8 f64x8_min_fast(f64x8 a, f64x8 b) { return _mm512_min_pd(a, b); }
VP_INLINE m64x8 f64x8_cmp_ge(f64x8 a, f64x8 b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
VP_INLINE m64x8 f64x8_cmp_eq(f64x8 a, f64x8 b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
VP_INLINE f64x8 f32x8_to_f64(f32x8 a) { return _mm512_cvtps_pd(a); }
VP_INLINE f32x8 f64x8_to_f32(f64x8 a) { return _mm512_cvtpd_ps(a); }

/* u64x8, 8 words. Compilers join logic of three operands to vpternlogq. */
VP_INLINE u64x8 u64x8_set1(uint64_t x) { return _mm512_set1_epi64((int64_t)x); }
VP_INLINE u64x8 u64x8_load(const uint64_t *from) { return _mm512_loadu_si512(from); }
VP_INLINE void u64x8_store(uint64_t *to, u64x8 a) { _mm512_storeu_si512(to, a); }
VP_INLINE u64x8 u64x8_of_bytes(uint64_t x) { return _mm512_cvtepu8_epi64(_mm_cvtsi64_si128((int64_t)x)); }
VP_INLINE u64x8 u64x8_and(u64x8 a, u64x8 b) { return _mm512_and_si512(a, b); }
VP_INLINE u64x8 u64x8_or(u64x8 a, u64x8 b) { return _mm512_or_si512(a, b); }
VP_INLINE u64x8 u64x8_not(u64x8 a) { return _mm512_xor_si512(a, _mm512_set1_epi64(-1)); }
VP_INLINE u64x8 u64x8_bitselect(u64x8 m, u64x8 a, u64x8 b) { return _mm512_ternarylogic_epi64(m, a, b, 0xca); }
VP_INLINE u64x8 u64x8_shl(u64x8 a, unsigned n) { return _mm512_slli_epi64(a, n); }
VP_INLINE u64x8 u64x8_shr(u64x8 a, unsigned n) { return _mm512_srli_epi64(a, n); }
VP_INLINE u64x8 u64x8_ext_second(u64x8 a, u64x8 b) { return _mm512_alignr_epi64(b, a, 1); }
VP_INLINE u64x8 u64x8_ext_last(u64x8 a, u64x8 b) { return _mm512_alignr_epi64(b, a, 7); }
VP_INLINE bool u64x8_any(u64x8 a) { return _mm512_test_epi64_mask(a, a) != 0; }
VP_INLINE u64x8 u64x8_maskz(m64x8 m, u64x8 a) { return _mm512_maskz_mov_epi64(m, a); }
VP_INLINE u64x8 u64x8_fold_or(u64x8 a) { return a; }
VP_INLINE m64x8 u64x8_testn(u64x8 a, u64x8 b) { return _mm512_testn_epi64_mask(a, b); }
VP_INLINE u64x8 u64x8_xor(u64x8 a, u64x8 b) { return _mm512_xor_si512(a, b); }

/* u8x64, 64 bytes */
VP_INLINE u8x64 u8x64_set1(uint8_t x) { return _mm512_set1_epi8((char)x); }
VP_INLINE u8x64 u8x64_load(const uint8_t *from) { return _mm512_loadu_si512(from); }
VP_INLINE __m256i vp_load_four_rows(const uint8_t *from, size_t stride)
{
    return _mm256_set_m128i(vp_load_two_rows(from + 2 * stride, stride), vp_load_two_rows(from, stride));
}
VP_INLINE u8x64 u8x64_load_rows(const uint8_t *from, size_t stride)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(vp_load_four_rows(from, stride)), vp_load_four_rows(from + 4 * stride, stride), 1);
}
VP_INLINE m8x64 u8x64_cmp_eq(u8x64 a, u8x64 b) { return _mm512_cmpeq_epi8_mask(a, b); }
VP_INLINE m8x64 u8x64_cmp_ge(u8x64 a, uint8_t n) { return _mm512_cmpge_epu8_mask(a, _mm512_set1_epi8((char)n)); }
/* u8x32, 32 bytes */
VP_INLINE u8x32 u8x32_load(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }
VP_INLINE m8x32 u8x32_cmp_le(u8x32 a, u8x32 b) { return _mm256_cmple_epu8_mask(a, b); }
VP_INLINE void u8x64_store(uint8_t *to, u8x64 a) { _mm512_storeu_si512(to, a); }
VP_INLINE u8x64 u8x64_sub(u8x64 a, u8x64 b) { return _mm512_sub_epi8(a, b); }
VP_INLINE u8x64 u8x64_and(u8x64 a, u8x64 b) { return _mm512_and_si512(a, b); }
VP_INLINE u8x64 u8x64_or(u8x64 a, u8x64 b) { return _mm512_or_si512(a, b); }
VP_INLINE u8x64 u8x64_abs_diff(u8x64 a, u8x64 b) { return _mm512_or_si512(_mm512_subs_epu8(a, b), _mm512_subs_epu8(b, a)); }
VP_INLINE m8x64 u8x64_cmp_le(u8x64 a, u8x64 b) { return _mm512_cmple_epu8_mask(a, b); }
VP_INLINE m8x64 u8x64_is_negative(u8x64 a) { return _mm512_movepi8_mask(a); }
VP_INLINE u8x64 u8x64_of_mask(m8x64 m) { return _mm512_movm_epi8(m); }
VP_INLINE u8x64 u8x64_maskz(m8x64 m, u8x64 a) { return _mm512_maskz_mov_epi8(m, a); }
VP_INLINE u8x64 u8x64_select(m8x64 m, u8x64 a, u8x64 b) { return _mm512_mask_blend_epi8(m, b, a); }
VP_INLINE u8x64 u8x64_blend_halves(u8x64 a, u8x64 b) { return _mm512_mask_blend_epi32(0x5555, b, a); }
VP_INLINE u8x64 u8x64_interleave_low_words(u8x64 a, u8x64 b)
{
    return _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b);
}
VP_INLINE u8x64 u8x64_interleave_high_words(u8x64 a, u8x64 b)
{
    return _mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b);
}
VP_INLINE u8x64 u8x64_rotate_blocks(u8x64 a) { return _mm512_alignr_epi8(a, a, 1); }
VP_INLINE u8x64 u8x64_xor(u8x64 a, u8x64 b) { return _mm512_xor_si512(a, b); }
VP_INLINE m8x64 m8x64_of_bits(uint64_t x) { return x; }
VP_INLINE bool u8x64_any_negative(u8x64 a) { return _mm512_movepi8_mask(a) != 0; }
VP_INLINE bool u8x64_all_negative(u8x64 a) { return _mm512_movepi8_mask(a) == UINT64_MAX; }

/* u8x16, 16 bytes */
VP_INLINE u8x16 u8x16_set1(uint8_t x) { return _mm_set1_epi8((char)x); }
VP_INLINE u8x16 u8x16_load(const uint8_t *from) { return _mm_loadu_si128((const __m128i *)(const void *)from); }
VP_INLINE void u8x16_store(uint8_t *to, u8x16 a) { _mm_storeu_si128((__m128i *)(void *)to, a); }
VP_INLINE u8x16 u8x16_sub(u8x16 a, u8x16 b) { return _mm_sub_epi8(a, b); }
VP_INLINE u8x16 u8x16_and(u8x16 a, u8x16 b) { return _mm_and_si128(a, b); }
VP_INLINE u8x16 u8x16_or(u8x16 a, u8x16 b) { return _mm_or_si128(a, b); }
VP_INLINE u8x16 u8x16_abs_diff(u8x16 a, u8x16 b) { return _mm_or_si128(_mm_subs_epu8(a, b), _mm_subs_epu8(b, a)); }
VP_INLINE m8x16 u8x16_cmp_le(u8x16 a, u8x16 b) { return _mm_cmple_epu8_mask(a, b); }
VP_INLINE m8x16 u8x16_is_negative(u8x16 a) { return _mm_movepi8_mask(a); }
VP_INLINE u8x16 u8x16_of_mask(m8x16 m) { return _mm_movm_epi8(m); }
VP_INLINE u8x16 u8x16_maskz(m8x16 m, u8x16 a) { return _mm_maskz_mov_epi8(m, a); }
VP_INLINE u8x16 u8x16_select(m8x16 m, u8x16 a, u8x16 b) { return _mm_mask_blend_epi8(m, b, a); }
VP_INLINE u8x16 u8x16_blend_halves(u8x16 a, u8x16 b) { return _mm_blend_epi32(b, a, 0x5); }
VP_INLINE u8x16 u8x16_interleave_low_words(u8x16 a, u8x16 b) { return _mm_unpacklo_epi64(a, b); }
VP_INLINE u8x16 u8x16_interleave_high_words(u8x16 a, u8x16 b) { return _mm_unpackhi_epi64(a, b); }
VP_INLINE u8x16 u8x16_rotate_blocks(u8x16 a) { return _mm_alignr_epi8(a, a, 1); }
VP_INLINE u8x16 u8x16_load_halves(const uint8_t *low, const uint8_t *high)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)low), _mm_loadl_epi64((const __m128i *)(const void *)high));
}
VP_INLINE void u8x16_store_low(uint8_t *to, u8x16 a) { _mm_storel_epi64((__m128i *)(void *)to, a); }
VP_INLINE u8x16 u8x16_of_words(uint64_t low, uint64_t high) { return _mm_set_epi64x((int64_t)high, (int64_t)low); }
VP_INLINE u8x16 u8x16_permute(u8x16 a, u8x16 at) { return _mm_shuffle_epi8(a, at); }
VP_INLINE u8x16 u8x16_interleave_low(u8x16 a, u8x16 b) { return _mm_unpacklo_epi8(a, b); }
VP_INLINE u16x8 u8x16_as_u16(u8x16 a) { return a; }
VP_INLINE u8x16 u8x16_xor(u8x16 a, u8x16 b) { return _mm_xor_si128(a, b); }
VP_INLINE m8x16 m8x16_of_bits(uint32_t x) { return (m8x16)x; }
VP_INLINE uint32_t m8x16_movemask_pair(m8x16 low, m8x16 high) { return low | (uint32_t)high << 16; }

/* u16x8, 8 integers of 16 bits */
VP_INLINE u16x8 u16x8_set1(uint16_t x) { return _mm_set1_epi16((short)x); }
VP_INLINE u16x8 u16x8_replace(u16x8 a, uint32_t k, uint16_t x) { return _mm_mask_set1_epi16(a, (__mmask8)(1u << k), (short)x); }
VP_INLINE uint32_t u16x8_min_across(u16x8 a) { return (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(a), 0); }
VP_INLINE u16x8 u16x8_load(const uint16_t *from) { return _mm_loadu_si128((const __m128i *)(const void *)from); }
VP_INLINE void u16x8_store(uint16_t *to, u16x8 a) { _mm_storeu_si128((__m128i *)(void *)to, a); }
VP_INLINE u16x8 u16x8_add(u16x8 a, u16x8 b) { return _mm_add_epi16(a, b); }
VP_INLINE u16x8 u16x8_or(u16x8 a, u16x8 b) { return _mm_or_si128(a, b); }
VP_INLINE u16x8 u16x8_shl(u16x8 a, unsigned n) { return _mm_slli_epi16(a, (int)n); }
VP_INLINE m16x8 u16x8_cmp_eq(u16x8 a, u16x8 b) { return _mm_cmpeq_epi16_mask(a, b); }
VP_INLINE u16x8 u16x8_maskz(m16x8 m, u16x8 a) { return _mm_maskz_mov_epi16(m, a); }
VP_INLINE u16x8 u16x8_select(m16x8 m, u16x8 a, u16x8 b) { return _mm_mask_blend_epi16(m, b, a); }
VP_INLINE u16x8 u16x8_interleave_low(u16x8 a, u16x8 b) { return _mm_unpacklo_epi16(a, b); }
VP_INLINE u16x8 u16x8_interleave_high(u16x8 a, u16x8 b) { return _mm_unpackhi_epi16(a, b); }
VP_INLINE u16x8 u16x8_of_bytes(uint64_t x) { return _mm_cvtepu8_epi16(_mm_cvtsi64_si128((int64_t)x)); }
VP_INLINE u8x16 u16x8_as_u8(u16x8 a) { return a; }
VP_INLINE void u16x8_store4(uint16_t *to, u16x8 a, u16x8 b, u16x8 c, u16x8 d)
{
    const __m128i low_ab = _mm_unpacklo_epi16(a, b), high_ab = _mm_unpackhi_epi16(a, b);
    const __m128i low_cd = _mm_unpacklo_epi16(c, d), high_cd = _mm_unpackhi_epi16(c, d);
    u16x8_store(to, _mm_unpacklo_epi32(low_ab, low_cd));
    u16x8_store(to + 8, _mm_unpackhi_epi32(low_ab, low_cd));
    u16x8_store(to + 16, _mm_unpacklo_epi32(high_ab, high_cd));
    u16x8_store(to + 24, _mm_unpackhi_epi32(high_ab, high_cd));
}
VP_INLINE m16x8 m16x8_of_bits(uint32_t x) { return (m16x8)x; }

/* u16x16, 16 integers of 16 bits */
VP_INLINE u16x16 u16x16_set1(uint16_t x) { return _mm256_set1_epi16((short)x); }
VP_INLINE u16x16 u16x16_load(const uint16_t *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }
VP_INLINE void u16x16_store(uint16_t *to, u16x16 a) { _mm256_storeu_si256((__m256i *)(void *)to, a); }
VP_INLINE u16x16 u16x16_and(u16x16 a, u16x16 b) { return _mm256_and_si256(a, b); }
VP_INLINE u16x16 u16x16_or(u16x16 a, u16x16 b) { return _mm256_or_si256(a, b); }
VP_INLINE u16x16 u16x16_xor(u16x16 a, u16x16 b) { return _mm256_xor_si256(a, b); }
VP_INLINE u16x16 u16x16_andnot(u16x16 a, u16x16 b) { return _mm256_andnot_si256(b, a); }
VP_INLINE u16x16 u16x16_shl(u16x16 a, unsigned n) { return _mm256_slli_epi16(a, (int)n); }
VP_INLINE u16x16 u16x16_shr(u16x16 a, unsigned n) { return _mm256_srli_epi16(a, (int)n); }
VP_INLINE m16x16 u16x16_cmp_eq(u16x16 a, u16x16 b) { return _mm256_cmpeq_epi16_mask(a, b); }
VP_INLINE u16x16 u16x16_ext_second(u16x16 a, u16x16 b) { return _mm256_alignr_epi8(_mm256_permute2x128_si256(a, b, 0x21), a, 2); }
VP_INLINE uint32_t m16x16_movemask(m16x16 m) { return m; }

/* masks */
VP_INLINE uint64_t m8x64_movemask(m8x64 m) { return m; }
VP_INLINE m64x8 m64x8_of_bits(uint32_t x) { return (m64x8)x; }
VP_INLINE uint32_t m64x8_movemask(m64x8 m) { return m; }
VP_INLINE uint32_t m32x4_movemask(m32x4 m) { return m; }
VP_INLINE uint32_t m32x8_movemask(m32x8 m) { return m; }
VP_INLINE uint32_t m32x16_movemask(m32x16 m) { return m; }
VP_INLINE m64x4 m64x4_zero(void) { return 0; }
VP_INLINE m64x4 m64x4_and(m64x4 a, m64x4 b) { return (m64x4)(a & b); }
VP_INLINE m64x4 m64x4_or(m64x4 a, m64x4 b) { return (m64x4)(a | b); }
VP_INLINE m64x4 m64x4_andnot(m64x4 a, m64x4 b) { return (m64x4)(a & ~b); }
VP_INLINE bool m64x4_any(m64x4 m) { return m != 0; }
VP_INLINE m64x8 m64x8_zero(void) { return 0; }
VP_INLINE m64x8 m64x8_and(m64x8 a, m64x8 b) { return (m64x8)(a & b); }
VP_INLINE m64x8 m64x8_or(m64x8 a, m64x8 b) { return (m64x8)(a | b); }
VP_INLINE m64x8 m64x8_andnot(m64x8 a, m64x8 b) { return (m64x8)(a & ~b); }
VP_INLINE bool m64x8_any(m64x8 m) { return m != 0; }
VP_INLINE m32x4 m32x4_and(m32x4 a, m32x4 b) { return (m32x4)(a & b); }
VP_INLINE m32x4 m32x4_or(m32x4 a, m32x4 b) { return (m32x4)(a | b); }
VP_INLINE m32x8 m32x8_and(m32x8 a, m32x8 b) { return (m32x8)(a & b); }
VP_INLINE m32x8 m32x8_or(m32x8 a, m32x8 b) { return (m32x8)(a | b); }
VP_INLINE m32x16 m32x16_and(m32x16 a, m32x16 b) { return (m32x16)(a & b); }
VP_INLINE m8x32 m8x32_and(m8x32 a, m8x32 b) { return a & b; }
VP_INLINE uint32_t m8x32_movemask(m8x32 m) { return m; }
VP_INLINE m32x16 m32x16_or(m32x16 a, m32x16 b) { return (m32x16)(a | b); }
VP_INLINE m32x4 m32x4_of_bits(uint32_t x) { return (m32x4)(x & 15); }
VP_INLINE m32x4 m32x4_andnot(m32x4 a, m32x4 b) { return (m32x4)(a & ~b); }
VP_INLINE m32x8 m32x8_of_bits(uint32_t x) { return (m32x8)x; }
VP_INLINE m32x8 m32x8_andnot(m32x8 a, m32x8 b) { return (m32x8)(a & ~b); }
VP_INLINE m32x16 m32x16_of_bits(uint32_t x) { return (m32x16)x; }
VP_INLINE m32x16 m32x16_of_halves(m32x8 low, m32x8 high) { return (m32x16)((uint32_t)low | (uint32_t)high << 8); }
VP_INLINE m32x8 m64x8_to_m32(m64x8 m) { return m; }
VP_INLINE m32x16 m32x16_andnot(m32x16 a, m32x16 b) { return (m32x16)(a & ~b); }

/* gather */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion" /* in the macro of a gather in unoptimised builds */
VP_INLINE f32x4 f32x4_gather(const float *table, i32x4 at) { return _mm_i32gather_ps(table, at, 4); }
VP_INLINE f32x8 f32x8_gather(const float *table, i32x8 at) { return _mm256_i32gather_ps(table, at, 4); }
VP_INLINE f32x16 f32x16_gather(const float *table, i32x16 at) { return _mm512_i32gather_ps(at, table, 4); }
VP_INLINE i32x4 i32x4_gather(const int32_t *table, i32x4 at) { return _mm_i32gather_epi32(table, at, 4); }
VP_INLINE i32x8 i32x8_gather(const int32_t *table, i32x8 at) { return _mm256_i32gather_epi32(table, at, 4); }
VP_INLINE i32x16 i32x16_gather(const int32_t *table, i32x16 at) { return _mm512_i32gather_epi32(at, table, 4); }
VP_INLINE i32x4 i32x4_gather_u8(const uint8_t *table, i32x4 at)
{
    return _mm_and_si128(_mm_i32gather_epi32((const int *)(const void *)table, at, 1), _mm_set1_epi32(255));
}
VP_INLINE i32x8 i32x8_gather_u8(const uint8_t *table, i32x8 at)
{
    return _mm256_and_si256(_mm256_i32gather_epi32((const int *)(const void *)table, at, 1), _mm256_set1_epi32(255));
}
VP_INLINE i32x16 i32x16_gather_u8(const uint8_t *table, i32x16 at)
{
    return _mm512_and_si512(_mm512_i32gather_epi32(at, table, 1), _mm512_set1_epi32(255));
}
#pragma GCC diagnostic pop

/* load3 */
VP_INLINE void f32x4_load3(const float *from, f32x4 *x, f32x4 *y, f32x4 *z)
{
    const __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4), c = _mm_loadu_ps(from + 8);
    /* a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3 */
    const __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)); /* x2 y2 x3 y3 */
    const __m128 yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1)); /* y0 z0 y1 z1 */
    *x = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
    *y = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
    *z = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}
/* Points 0 to 3 in the lower half, 4 to 7 in the upper one. */
VP_INLINE void f32x8_load3(const float *from, f32x8 *x, f32x8 *y, f32x8 *z)
{
    const __m256 a = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)), _mm_loadu_ps(from + 12), 1);
    const __m256 b = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from + 4)), _mm_loadu_ps(from + 16), 1);
    const __m256 c = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from + 8)), _mm_loadu_ps(from + 20), 1);
    const __m256 xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)), yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    *x = _mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
    *y = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
    *z = _mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

VP_INLINE void f32x16_load3(const float *from, f32x16 *x, f32x16 *y, f32x16 *z)
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
VP_INLINE void f32x4_store3(float *to, f32x4 x, f32x4 y, f32x4 z)
{
    const __m128 xy = _mm_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0)); /* x0 x2 y0 y2 */
    const __m128 yz = _mm_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1)); /* y1 y3 z1 z3 */
    const __m128 zx = _mm_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0)); /* z0 z2 x1 x3 */
    _mm_storeu_ps(to, _mm_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0)));
    _mm_storeu_ps(to + 4, _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
    _mm_storeu_ps(to + 8, _mm_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1)));
}
/* Shuffles within 16 bytes put three groups of four lanes in the sequence of memory. Then the halves are put in place. */
VP_INLINE void f32x8_store3(float *to, f32x8 x, f32x8 y, f32x8 z)
{
    const __m256 xy = _mm256_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0)), yz = _mm256_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));
    const __m256 zx = _mm256_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0)), a = _mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0));
    const __m256 b = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)), c = _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1));
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(a, b, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(c, a, 0x30));
    _mm256_storeu_ps(to + 16, _mm256_permute2f128_ps(b, c, 0x31));
}
/* One permutation puts x and y in place, another one z. Numbers from 16 on select from the second vector. */
VP_INLINE void f32x16_store3(float *to, f32x16 x, f32x16 y, f32x16 z)
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

/* compress_store */
VP_INLINE void f32x4_compress_store(float *to, uint32_t bits, f32x4 a) { f32x4_store(to, _mm_maskz_compress_ps((__mmask8)bits, a)); }
VP_INLINE void i32x4_compress_store(void *to, uint32_t bits, i32x4 a) { i32x4_store(to, _mm_maskz_compress_epi32((__mmask8)bits, a)); }
VP_INLINE void f32x8_compress_store(float *to, uint32_t bits, f32x8 a) { f32x8_store(to, _mm256_maskz_compress_ps((__mmask8)bits, a)); }
VP_INLINE void i32x8_compress_store(void *to, uint32_t bits, i32x8 a) { i32x8_store(to, _mm256_maskz_compress_epi32((__mmask8)bits, a)); }
VP_INLINE void f32x16_compress_store(float *to, uint32_t bits, f32x16 a) { f32x16_store(to, _mm512_maskz_compress_ps((__mmask16)bits, a)); }
VP_INLINE void i32x16_compress_store(void *to, uint32_t bits, i32x16 a)
{
    i32x16_store(to, _mm512_maskz_compress_epi32((__mmask16)bits, a));
}
/* Prepared, because compressing takes two permutations, and one suffices if several vectors have the same bits. */
VP_INLINE c32x8 c32x8_of_bits(uint32_t bits) { return _mm256_maskz_compress_epi32((__mmask8)bits, i32x8_iota()); }
VP_INLINE c32x16 c32x16_of_bits(uint32_t bits) { return _mm512_maskz_compress_epi32((__mmask16)bits, i32x16_iota()); }
VP_INLINE void f32x8_store_compressed(float *to, c32x8 c, f32x8 a) { f32x8_store(to, _mm256_permutexvar_ps(c, a)); }
VP_INLINE void f32x16_store_compressed(float *to, c32x16 c, f32x16 a) { f32x16_store(to, _mm512_permutexvar_ps(c, a)); }
VP_INLINE f32x8 f32x8_compress(uint32_t bits, f32x8 a) { return _mm256_maskz_compress_ps((__mmask8)bits, a); }
VP_INLINE void i32x8_compress_copy4(void *to, const void *from, uint32_t bits)
{
    const __mmask8 first = (__mmask8)((1u << __builtin_popcount(bits)) - 1u);
    _mm256_mask_storeu_epi32(to, first, _mm256_maskz_compress_epi32((__mmask8)bits, i32x8_load(from)));
}

#define VP_NATIVE_F32X8
#define VP_NATIVE_F32X16
#define VP_NATIVE_F64X4
#define VP_NATIVE_F64X8
#include "optimized/simd/pairs.h"
#define VP_F32N 16
#define VP_F32W 16
#define VP_F64N 8

#endif
