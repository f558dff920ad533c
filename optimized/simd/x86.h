/* SPDX-License-Identifier: MIT */
/* The operations of the vocabulary that AVX2 and AVX-512 share: those on 128 and 256 bits without masks. */
#ifndef VP_OPTIMIZED_SIMD_X86_H
#define VP_OPTIMIZED_SIMD_X86_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "optimized/simd/x86_intrinsics.h"
#include "src/core/inline.h"

typedef __m128 f32x4;
typedef __m256 f32x8;
typedef __m256d f64x4;
typedef __m128i i32x4, u8x16, u16x8;
typedef __m256i i32x8, u8x32, u16x16;
typedef __m256i c32x8; /* source of each lane */

/* f32x4, 4 floats */
VP_INLINE f32x4 f32x4_set1(float x) { return _mm_set1_ps(x); }
VP_INLINE f32x4 f32x4_load(const float *from) { return _mm_loadu_ps(from); }
VP_INLINE void f32x4_store(float *to, f32x4 a) { _mm_storeu_ps(to, a); }
VP_INLINE f32x4 f32x4_add(f32x4 a, f32x4 b) { return _mm_add_ps(a, b); }
VP_INLINE f32x4 f32x4_sub(f32x4 a, f32x4 b) { return _mm_sub_ps(a, b); }
VP_INLINE f32x4 f32x4_mul(f32x4 a, f32x4 b) { return _mm_mul_ps(a, b); }
VP_INLINE f32x4 f32x4_div(f32x4 a, f32x4 b) { return _mm_div_ps(a, b); }
VP_INLINE f32x4 f32x4_abs(f32x4 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
VP_INLINE i32x4 f32x4_to_i32(f32x4 a) { return _mm_cvttps_epi32(a); }
VP_INLINE f32x4 f32x4_min(f32x4 a, f32x4 b) { return _mm_min_ps(a, b); }
VP_INLINE f32x4 f32x4_max(f32x4 a, f32x4 b) { return _mm_max_ps(a, b); }
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
VP_INLINE i32x4 f32x4_floor_to_i32(f32x4 a) { return _mm_cvttps_epi32(_mm_floor_ps(a)); }
VP_INLINE f32x4 f32x4_load_xyz_fast(const float *from)
{
    return _mm_insert_ps(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)from)), _mm_load_ss(from + 2), 0x20);
}
VP_INLINE f32x4 f32x4_max_fast(f32x4 a, f32x4 b) { return _mm_max_ps(a, b); }
VP_INLINE f32x4 f32x4_neg(f32x4 a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
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
VP_INLINE f32x4 f32x4_sqrt(f32x4 a) { return _mm_sqrt_ps(a); }

/* f32x8, 8 floats */
VP_INLINE f32x8 f32x8_set1(float x) { return _mm256_set1_ps(x); }
VP_INLINE f32x8 f32x8_load(const float *from) { return _mm256_loadu_ps(from); }
VP_INLINE void f32x8_store(float *to, f32x8 a) { _mm256_storeu_ps(to, a); }
VP_INLINE f32x8 f32x8_add(f32x8 a, f32x8 b) { return _mm256_add_ps(a, b); }
VP_INLINE f32x8 f32x8_sub(f32x8 a, f32x8 b) { return _mm256_sub_ps(a, b); }
VP_INLINE f32x8 f32x8_mul(f32x8 a, f32x8 b) { return _mm256_mul_ps(a, b); }
VP_INLINE f32x8 f32x8_div(f32x8 a, f32x8 b) { return _mm256_div_ps(a, b); }
VP_INLINE f32x8 f32x8_abs(f32x8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
VP_INLINE i32x8 f32x8_to_i32(f32x8 a) { return _mm256_cvttps_epi32(a); }
VP_INLINE f32x8 f32x8_max(f32x8 a, f32x8 b) { return _mm256_max_ps(a, b); }
VP_INLINE f32x8 f32x8_min_fast(f32x8 a, f32x8 b) { return _mm256_min_ps(a, b); }
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
VP_INLINE f32x8 f32x8_neg(f32x8 a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
VP_INLINE f32x8 f32x8_of_halves(f32x4 low, f32x4 high) { return _mm256_set_m128(high, low); }
VP_INLINE f32x8 f32x8_load_twice(const float *from) { return _mm256_broadcast_ps((const __m128 *)(const void *)from); }
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
VP_INLINE f32x8 f32x8_sqrt(f32x8 a) { return _mm256_sqrt_ps(a); }

/* i32x4, 4 integers */
#define i32x4_lane(a, k) _mm_extract_epi32(a, k)
VP_INLINE i32x4 i32x4_set1(int32_t x) { return _mm_set1_epi32(x); }
VP_INLINE i32x4 i32x4_load(const void *from) { return _mm_loadu_si128((const __m128i *)from); }
VP_INLINE void i32x4_store(void *to, i32x4 a) { _mm_storeu_si128((__m128i *)to, a); }
VP_INLINE i32x4 i32x4_add(i32x4 a, i32x4 b) { return _mm_add_epi32(a, b); }
VP_INLINE f32x4 i32x4_to_f32(i32x4 a) { return _mm_cvtepi32_ps(a); }
VP_INLINE i32x4 i32x4_iota(void) { return _mm_setr_epi32(0, 1, 2, 3); }
VP_INLINE i32x4 i32x4_sub(i32x4 a, i32x4 b) { return _mm_sub_epi32(a, b); }
VP_INLINE i32x4 i32x4_mul(i32x4 a, i32x4 b) { return _mm_mullo_epi32(a, b); }
VP_INLINE i32x4 i32x4_min(i32x4 a, i32x4 b) { return _mm_min_epi32(a, b); }
VP_INLINE i32x4 i32x4_and(i32x4 a, i32x4 b) { return _mm_and_si128(a, b); }
VP_INLINE i32x4 i32x4_max(i32x4 a, i32x4 b) { return _mm_max_epi32(a, b); }
VP_INLINE i32x4 i32x4_or(i32x4 a, i32x4 b) { return _mm_or_si128(a, b); }
VP_INLINE i32x4 i32x4_xor(i32x4 a, i32x4 b) { return _mm_xor_si128(a, b); }
VP_INLINE i32x4 i32x4_shl(i32x4 a, unsigned n) { return _mm_slli_epi32(a, (int)n); }
VP_INLINE i32x4 i32x4_shr(i32x4 a, unsigned n) { return _mm_srli_epi32(a, (int)n); }
VP_INLINE i32x4 i32x4_sra(i32x4 a, unsigned n) { return _mm_srai_epi32(a, (int)n); }
VP_INLINE i32x4 i32x4_shlv(i32x4 a, i32x4 n) { return _mm_sllv_epi32(a, n); }
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

/* i32x8, 8 integers */
VP_INLINE i32x8 i32x8_set1(int32_t x) { return _mm256_set1_epi32(x); }
VP_INLINE i32x8 i32x8_load(const void *from) { return _mm256_loadu_si256((const __m256i *)from); }
VP_INLINE void i32x8_store(void *to, i32x8 a) { _mm256_storeu_si256((__m256i *)to, a); }
VP_INLINE i32x8 i32x8_add(i32x8 a, i32x8 b) { return _mm256_add_epi32(a, b); }
VP_INLINE f32x8 i32x8_to_f32(i32x8 a) { return _mm256_cvtepi32_ps(a); }
VP_INLINE i32x8 i32x8_iota(void) { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
VP_INLINE i32x8 i32x8_sub(i32x8 a, i32x8 b) { return _mm256_sub_epi32(a, b); }
VP_INLINE i32x8 i32x8_mul(i32x8 a, i32x8 b) { return _mm256_mullo_epi32(a, b); }
VP_INLINE i32x8 i32x8_min(i32x8 a, i32x8 b) { return _mm256_min_epi32(a, b); }
VP_INLINE i32x8 i32x8_and(i32x8 a, i32x8 b) { return _mm256_and_si256(a, b); }
VP_INLINE f32x8 i32x8_as_f32(i32x8 a) { return _mm256_castsi256_ps(a); }
VP_INLINE i32x8 i32x8_or(i32x8 a, i32x8 b) { return _mm256_or_si256(a, b); }
VP_INLINE i32x8 i32x8_xor(i32x8 a, i32x8 b) { return _mm256_xor_si256(a, b); }
VP_INLINE i32x8 i32x8_shl(i32x8 a, unsigned n) { return _mm256_slli_epi32(a, (int)n); }
VP_INLINE i32x8 i32x8_shr(i32x8 a, unsigned n) { return _mm256_srli_epi32(a, (int)n); }
VP_INLINE i32x8 i32x8_sra(i32x8 a, unsigned n) { return _mm256_srai_epi32(a, (int)n); }
VP_INLINE i32x8 i32x8_shlv(i32x8 a, i32x8 n) { return _mm256_sllv_epi32(a, n); }
VP_INLINE i32x8 i32x8_load_u8(const uint8_t *from) { return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)); }
VP_INLINE i32x8 i32x8_load_u16(const uint16_t *from) { return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)); }
VP_INLINE i32x8 i32x8_of_halves(i32x4 low, i32x4 high) { return _mm256_set_m128i(high, low); }
VP_INLINE i32x8 i32x8_load_twice(const void *from) { return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from)); }
VP_INLINE i32x8 i32x8_of_u16(uint64_t low, uint64_t high)
{
    return _mm256_cvtepu16_epi32(_mm_unpacklo_epi64(_mm_cvtsi64_si128((int64_t)low), _mm_cvtsi64_si128((int64_t)high)));
}
VP_INLINE uint32_t i32x8_sign_bits(i32x8 a) { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a)); }

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
VP_INLINE f64x4 f64x4_rsqrt_estimate(f64x4 a)
{
    return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(0x5fe6eb50c7b537a9), _mm256_srli_epi64(_mm256_castpd_si256(a), 1)));
}
VP_INLINE f64x4 f64x4_div(f64x4 a, f64x4 b) { return _mm256_div_pd(a, b); }
VP_INLINE f64x4 f64x4_min_fast(f64x4 a, f64x4 b) { return _mm256_min_pd(a, b); }

/* u8x32, 32 bytes */
VP_INLINE u8x32 u8x32_load(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }

/* u8x16, 16 bytes */
VP_INLINE u8x16 u8x16_set1(uint8_t x) { return _mm_set1_epi8((char)x); }
VP_INLINE u8x16 u8x16_load(const uint8_t *from) { return _mm_loadu_si128((const __m128i *)(const void *)from); }
VP_INLINE void u8x16_store(uint8_t *to, u8x16 a) { _mm_storeu_si128((__m128i *)(void *)to, a); }
VP_INLINE u8x16 u8x16_sub(u8x16 a, u8x16 b) { return _mm_sub_epi8(a, b); }
VP_INLINE u8x16 u8x16_and(u8x16 a, u8x16 b) { return _mm_and_si128(a, b); }
VP_INLINE u8x16 u8x16_or(u8x16 a, u8x16 b) { return _mm_or_si128(a, b); }
VP_INLINE u8x16 u8x16_abs_diff(u8x16 a, u8x16 b) { return _mm_or_si128(_mm_subs_epu8(a, b), _mm_subs_epu8(b, a)); }
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

/* u16x8, 8 words of 16 bits */
VP_INLINE u16x8 u16x8_set1(uint16_t x) { return _mm_set1_epi16((short)x); }
VP_INLINE uint32_t u16x8_min_across(u16x8 a) { return (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(a), 0); }
VP_INLINE u16x8 u16x8_load(const uint16_t *from) { return _mm_loadu_si128((const __m128i *)(const void *)from); }
VP_INLINE void u16x8_store(uint16_t *to, u16x8 a) { _mm_storeu_si128((__m128i *)(void *)to, a); }
VP_INLINE u16x8 u16x8_add(u16x8 a, u16x8 b) { return _mm_add_epi16(a, b); }
VP_INLINE u16x8 u16x8_or(u16x8 a, u16x8 b) { return _mm_or_si128(a, b); }
VP_INLINE u16x8 u16x8_shl(u16x8 a, unsigned n) { return _mm_slli_epi16(a, (int)n); }
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

/* u16x16, 16 words of 16 bits */
VP_INLINE u16x16 u16x16_set1(uint16_t x) { return _mm256_set1_epi16((short)x); }
VP_INLINE u16x16 u16x16_load(const uint16_t *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }
VP_INLINE void u16x16_store(uint16_t *to, u16x16 a) { _mm256_storeu_si256((__m256i *)(void *)to, a); }
VP_INLINE u16x16 u16x16_and(u16x16 a, u16x16 b) { return _mm256_and_si256(a, b); }
VP_INLINE u16x16 u16x16_or(u16x16 a, u16x16 b) { return _mm256_or_si256(a, b); }
VP_INLINE u16x16 u16x16_xor(u16x16 a, u16x16 b) { return _mm256_xor_si256(a, b); }
VP_INLINE u16x16 u16x16_andnot(u16x16 a, u16x16 b) { return _mm256_andnot_si256(b, a); }
VP_INLINE u16x16 u16x16_shl(u16x16 a, unsigned n) { return _mm256_slli_epi16(a, (int)n); }
VP_INLINE u16x16 u16x16_shr(u16x16 a, unsigned n) { return _mm256_srli_epi16(a, (int)n); }
VP_INLINE u16x16 u16x16_ext_second(u16x16 a, u16x16 b) { return _mm256_alignr_epi8(_mm256_permute2x128_si256(a, b, 0x21), a, 2); }
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

#endif
