/* SPDX-License-Identifier: MIT */
/* The vocabulary on AVX-512 F, BW, DQ, VL. README.md lists all operations. All types are native. Masks are mask registers. */
#ifndef VP_OPTIMIZED_SIMD_AVX512_H
#define VP_OPTIMIZED_SIMD_AVX512_H

#include "optimized/simd/x86.h"

typedef __m512 f32x16;
typedef __m512d f64x8;
typedef __m512i i32x16, u64x8, u8x64, c32x16;
typedef __mmask8 m32x4, m32x8, m64x4, m64x8, m16x8;
typedef __mmask16 m32x16, m8x16, m16x16;
typedef __mmask32 m8x32;
typedef __mmask64 m8x64;

/* f32x4, 4 floats */
VP_INLINE m32x4 f32x4_cmp_gt(f32x4 a, f32x4 b) { return _mm_cmp_ps_mask(a, b, _CMP_GT_OQ); }
VP_INLINE f32x4 f32x4_select(m32x4 m, f32x4 a, f32x4 b) { return _mm_mask_blend_ps(m, b, a); }
VP_INLINE f32x4 f32x4_load_xyz(const float *from) { return _mm_maskz_loadu_ps(7, from); }
VP_INLINE m32x4 f32x4_cmp_le(f32x4 a, f32x4 b) { return _mm_cmp_ps_mask(a, b, _CMP_LE_OQ); }
VP_INLINE m32x4 f32x4_cmp_lt(f32x4 a, f32x4 b) { return _mm_cmp_ps_mask(a, b, _CMP_LT_OQ); }
VP_INLINE m32x4 f32x4_cmp_eq(f32x4 a, f32x4 b) { return _mm_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
VP_INLINE f32x4 f32x4_maskz(m32x4 m, f32x4 a) { return _mm_maskz_mov_ps(m, a); }
VP_INLINE f32x4 f32x4_min_where(m32x4 m, f32x4 a, f32x4 b) { return _mm_mask_min_ps(b, m, a, b); }

/* i32x4, 4 integers */
VP_INLINE m32x4 i32x4_cmp_eq(i32x4 a, i32x4 b) { return _mm_cmpeq_epi32_mask(a, b); }
VP_INLINE i32x4 i32x4_select(m32x4 m, i32x4 a, i32x4 b) { return _mm_mask_blend_epi32(m, b, a); }
VP_INLINE m32x4 i32x4_cmp_lt(i32x4 a, i32x4 b) { return _mm_cmplt_epi32_mask(a, b); }
VP_INLINE m32x4 i32x4_cmp_gt(i32x4 a, i32x4 b) { return _mm_cmpgt_epi32_mask(a, b); }
VP_INLINE m32x4 i32x4_test_bit(i32x4 a, unsigned n) { return _mm_test_epi32_mask(a, i32x4_set1((int32_t)(1u << n))); }
VP_INLINE i32x4 i32x4_of_mask(m32x4 m) { return _mm_movm_epi32(m); }
VP_INLINE i32x4 i32x4_maskz(m32x4 m, i32x4 a) { return _mm_maskz_mov_epi32(m, a); }

/* f32x8, 8 floats */
VP_INLINE m32x8 f32x8_cmp_gt(f32x8 a, f32x8 b) { return _mm256_cmp_ps_mask(a, b, _CMP_GT_OQ); }
VP_INLINE f32x8 f32x8_select(m32x8 m, f32x8 a, f32x8 b) { return _mm256_mask_blend_ps(m, b, a); }
VP_INLINE m32x8 f32x8_cmp_le(f32x8 a, f32x8 b) { return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ); }
VP_INLINE m32x8 f32x8_cmp_lt(f32x8 a, f32x8 b) { return _mm256_cmp_ps_mask(a, b, _CMP_LT_OQ); }
VP_INLINE m32x8 f32x8_cmp_eq(f32x8 a, f32x8 b) { return _mm256_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
VP_INLINE f32x8 f32x8_maskz(m32x8 m, f32x8 a) { return _mm256_maskz_mov_ps(m, a); }
VP_INLINE f32x8 f32x8_load_u8(const uint8_t *from) { return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadu_si64(from))); }
VP_INLINE f32x8 f32x8_min_where(m32x8 m, f32x8 a, f32x8 b) { return _mm256_mask_min_ps(b, m, a, b); }

/* i32x8, 8 integers */
VP_INLINE m32x8 i32x8_cmp_eq(i32x8 a, i32x8 b) { return _mm256_cmpeq_epi32_mask(a, b); }
VP_INLINE i32x8 i32x8_select(m32x8 m, i32x8 a, i32x8 b) { return _mm256_mask_blend_epi32(m, b, a); }
VP_INLINE m32x8 i32x8_cmp_lt(i32x8 a, i32x8 b) { return _mm256_cmplt_epi32_mask(a, b); }
VP_INLINE m32x8 i32x8_cmp_gt(i32x8 a, i32x8 b) { return _mm256_cmpgt_epi32_mask(a, b); }
VP_INLINE m32x8 i32x8_test_bit(i32x8 a, unsigned n) { return _mm256_test_epi32_mask(a, i32x8_set1((int32_t)(1u << n))); }
VP_INLINE i32x8 i32x8_of_mask(m32x8 m) { return _mm256_movm_epi32(m); }
VP_INLINE i32x8 i32x8_maskz(m32x8 m, i32x8 a) { return _mm256_maskz_mov_epi32(m, a); }
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
VP_INLINE m64x4 f64x4_cmp_gt(f64x4 a, f64x4 b) { return _mm256_cmp_pd_mask(a, b, _CMP_GT_OQ); }
VP_INLINE f64x4 f64x4_select(m64x4 m, f64x4 a, f64x4 b) { return _mm256_mask_blend_pd(m, b, a); }
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
VP_INLINE m8x16 u8x16_cmp_le(u8x16 a, u8x16 b) { return _mm_cmple_epu8_mask(a, b); }
VP_INLINE m8x16 u8x16_is_negative(u8x16 a) { return _mm_movepi8_mask(a); }
VP_INLINE u8x16 u8x16_of_mask(m8x16 m) { return _mm_movm_epi8(m); }
VP_INLINE u8x16 u8x16_maskz(m8x16 m, u8x16 a) { return _mm_maskz_mov_epi8(m, a); }
VP_INLINE u8x16 u8x16_select(m8x16 m, u8x16 a, u8x16 b) { return _mm_mask_blend_epi8(m, b, a); }
VP_INLINE m8x16 m8x16_of_bits(uint32_t x) { return (m8x16)x; }
VP_INLINE uint32_t m8x16_movemask_pair(m8x16 low, m8x16 high) { return low | (uint32_t)high << 16; }

/* u16x8, 8 integers of 16 bits */
VP_INLINE u16x8 u16x8_replace(u16x8 a, uint32_t k, uint16_t x) { return _mm_mask_set1_epi16(a, (__mmask8)(1u << k), (short)x); }
VP_INLINE m16x8 u16x8_cmp_eq(u16x8 a, u16x8 b) { return _mm_cmpeq_epi16_mask(a, b); }
VP_INLINE u16x8 u16x8_maskz(m16x8 m, u16x8 a) { return _mm_maskz_mov_epi16(m, a); }
VP_INLINE u16x8 u16x8_select(m16x8 m, u16x8 a, u16x8 b) { return _mm_mask_blend_epi16(m, b, a); }
VP_INLINE m16x8 m16x8_of_bits(uint32_t x) { return (m16x8)x; }

/* u16x16, 16 integers of 16 bits */
VP_INLINE m16x16 u16x16_cmp_eq(u16x16 a, u16x16 b) { return _mm256_cmpeq_epi16_mask(a, b); }
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
/* Half a vector crosses a cache line less often. */
VP_INLINE void f32x16_compress_store(float *to, uint32_t bits, f32x16 a)
{
    const __m512 all = _mm512_maskz_compress_ps((__mmask16)bits, a);
    if (__builtin_popcount(bits) <= 8)
        _mm256_storeu_ps(to, _mm512_castps512_ps256(all));
    else
        _mm512_storeu_ps(to, all);
}
VP_INLINE void i32x16_compress_store(void *to, uint32_t bits, i32x16 a) { f32x16_compress_store(to, bits, i32x16_as_f32(a)); }
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
