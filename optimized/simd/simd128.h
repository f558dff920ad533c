/* SPDX-License-Identifier: MIT */
/* The vocabulary on WebAssembly's 128 bits. README.md lists all operations. Native vectors have 4 lanes of 32 bits and 2 of 64, all of one
 * type of C. A mask has all bits of its lanes set or clear. swizzle and a table of 16 byte shuffles compress. A gather is one load a
 * lane. */
#ifndef VP_OPTIMIZED_SIMD_SIMD128_H
#define VP_OPTIMIZED_SIMD_SIMD128_H
#include <math.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "optimized/simd/compress.h"
#include "optimized/simd/simd128_intrinsics.h"
#include "src/core/inline.h"
typedef v128_t f32x4, f64x2, i32x4, u64x2, u8x16, m32x4, m64x2, m8x16;
typedef v128_t f32x4, f64x2, i32x4, u64x2, u8x16, m32x4, m64x2, m8x16, u16x8;
/* Source of each byte, also less 16. swizzle returns 0 for places beyond 16 bytes, so a lookup in 32 bytes is one in each half, and an OR.
 */
typedef struct places {
    v128_t first, second;
} places;
typedef struct c32x8 {
    places low, high;
} c32x8;

typedef v128_t f32x4, f64x2, i32x4, u64x2, u16x8, u8x16, m32x4, m64x2, m16x8, m8x16;

/* f32x4, 4 floats */
VP_INLINE f32x4 f32x4_set1(float x) { return wasm_f32x4_splat(x); }
VP_INLINE f32x4 f32x4_load(const float *from) { return wasm_v128_load(from); }
VP_INLINE void f32x4_store(float *to, f32x4 a) { wasm_v128_store(to, a); }
VP_INLINE f32x4 f32x4_add(f32x4 a, f32x4 b) { return wasm_f32x4_add(a, b); }
VP_INLINE f32x4 f32x4_sub(f32x4 a, f32x4 b) { return wasm_f32x4_sub(a, b); }
VP_INLINE f32x4 f32x4_mul(f32x4 a, f32x4 b) { return wasm_f32x4_mul(a, b); }
VP_INLINE f32x4 f32x4_div(f32x4 a, f32x4 b) { return wasm_f32x4_div(a, b); }
VP_INLINE f32x4 f32x4_abs(f32x4 a) { return wasm_f32x4_abs(a); }
VP_INLINE m32x4 f32x4_cmp_gt(f32x4 a, f32x4 b) { return wasm_f32x4_gt(a, b); }
VP_INLINE f32x4 f32x4_select(m32x4 m, f32x4 a, f32x4 b) { return wasm_v128_bitselect(a, b, m); }
VP_INLINE i32x4 f32x4_to_i32(f32x4 a) { return wasm_i32x4_trunc_sat_f32x4(a); }
VP_INLINE void f32x4_load3(const float *from, f32x4 *x, f32x4 *y, f32x4 *z)
{
    const v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + 4), c = wasm_v128_load(from + 8);
    *x = wasm_i32x4_shuffle(wasm_i32x4_shuffle(a, b, 0, 3, 6, 6), c, 0, 1, 2, 5); /* a = x0 y0 z0 x1 */
    *y = wasm_i32x4_shuffle(wasm_i32x4_shuffle(a, b, 1, 4, 7, 7), c, 0, 1, 2, 6); /* b = y1 z1 x2 y2 */
    *z = wasm_i32x4_shuffle(wasm_i32x4_shuffle(a, b, 2, 5, 5, 5), c, 0, 1, 4, 7); /* c = z2 x3 y3 z3 */
}
VP_INLINE m32x4 f32x4_cmp_lt(f32x4 a, f32x4 b) { return wasm_f32x4_lt(a, b); }
VP_INLINE f32x4 f32x4_max(f32x4 a, f32x4 b) { return wasm_f32x4_pmax(b, a); } /* pmax(a, b) is a if they are equal or NaN */
VP_INLINE f32x4 f32x4_min_fast(f32x4 a, f32x4 b) { return wasm_f32x4_pmin(a, b); }
VP_INLINE m32x4 f32x4_cmp_le(f32x4 a, f32x4 b) { return wasm_f32x4_le(a, b); }
VP_INLINE i32x4 f32x4_floor_to_i32(f32x4 a) { return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_floor(a)); }
VP_INLINE f32x4 f32x4_load_xyz_fast(const float *from) { return wasm_v128_load32_lane(from + 2, wasm_v128_load64_zero(from), 2); }
VP_INLINE f32x4 f32x4_max_fast(f32x4 a, f32x4 b) { return wasm_f32x4_pmax(a, b); }
VP_INLINE f32x4 f32x4_load_xyz(const float *from) { return wasm_v128_load32_lane(from + 2, wasm_v128_load64_zero(from), 2); }
VP_INLINE i32x4 f32x4_as_i32(f32x4 a) { return a; }
VP_INLINE f32x4 f32x4_permute(f32x4 a, i32x4 at)
{
    const v128_t bytes = wasm_i32x4_add(wasm_i32x4_mul(at, wasm_i32x4_splat(0x04040404)), wasm_i32x4_splat(0x03020100));
    return wasm_i8x16_swizzle(a, bytes);
}
VP_INLINE float f32x4_first(f32x4 a) { return wasm_f32x4_extract_lane(a, 0); }
VP_INLINE f32x4 f32x4_max_across(f32x4 a)
{
    a = wasm_f32x4_pmax(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return wasm_f32x4_pmax(a, wasm_i32x4_shuffle(a, a, 1, 0, 3, 2));
}
VP_INLINE void f32x4_transpose4(const f32x4 from[4], f32x4 to[4])
{
    const v128_t xy01 = wasm_i32x4_shuffle(from[0], from[1], 0, 4, 1, 5), zw01 = wasm_i32x4_shuffle(from[0], from[1], 2, 6, 3, 7);
    const v128_t xy23 = wasm_i32x4_shuffle(from[2], from[3], 0, 4, 1, 5), zw23 = wasm_i32x4_shuffle(from[2], from[3], 2, 6, 3, 7);
    to[0] = wasm_i64x2_shuffle(xy01, xy23, 0, 2);
    to[1] = wasm_i64x2_shuffle(xy01, xy23, 1, 3);
    to[2] = wasm_i64x2_shuffle(zw01, zw23, 0, 2);
    to[3] = wasm_i64x2_shuffle(zw01, zw23, 1, 3);
}
VP_INLINE void f32x4_store4(void *to, f32x4 a, f32x4 b, f32x4 c, f32x4 d)
{
    const f32x4 from[4] = {a, b, c, d};
    f32x4 row[4];
    f32x4_transpose4(from, row);
    for (int i = 0; i < 4; i++)
        wasm_v128_store((char *)to + 16 * i, row[i]);
}
VP_INLINE float f32x4_reduce_min(f32x4 a)
{
    a = wasm_f32x4_pmin(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(wasm_f32x4_pmin(a, wasm_i32x4_shuffle(a, a, 1, 0, 3, 2)), 0);
}
VP_INLINE float f32x4_reduce_max(f32x4 a)
{
    a = wasm_f32x4_pmax(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(wasm_f32x4_pmax(a, wasm_i32x4_shuffle(a, a, 1, 0, 3, 2)), 0);
}
VP_INLINE f32x4 f32x4_neg(f32x4 a) { return wasm_f32x4_neg(a); }
VP_INLINE m32x4 f32x4_cmp_eq(f32x4 a, f32x4 b) { return wasm_f32x4_eq(a, b); }
VP_INLINE f32x4 f32x4_min(f32x4 a, f32x4 b) { return wasm_f32x4_pmin(b, a); }
VP_INLINE f32x4 f32x4_maskz(m32x4 m, f32x4 a) { return wasm_v128_and(m, a); }
VP_INLINE f32x4 f32x4_interleave_low(f32x4 a, f32x4 b) { return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5); }
VP_INLINE f32x4 f32x4_ext_second(f32x4 a, f32x4 b) { return wasm_i32x4_shuffle(a, b, 1, 2, 3, 4); }
VP_INLINE float f32x4_sum(f32x4 a)
{
    const v128_t two = wasm_f32x4_add(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(two, 0) + wasm_f32x4_extract_lane(two, 1);
}
VP_INLINE uint32_t f32x4_argmin(f32x4 a)
{
    const v128_t two = wasm_f32x4_pmin(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    const v128_t least = wasm_f32x4_pmin(two, wasm_i32x4_shuffle(two, two, 1, 0, 3, 2));
    return (uint32_t)__builtin_ctz((uint32_t)wasm_i32x4_bitmask(wasm_f32x4_eq(a, least)));
}
VP_INLINE f32x4 f32x4_min_where(m32x4 m, f32x4 a, f32x4 b)
{
    return wasm_f32x4_pmin(wasm_v128_bitselect(a, wasm_f32x4_splat(INFINITY), m), b);
}
VP_INLINE void f32x4_store3(float *to, f32x4 x, f32x4 y, f32x4 z)
{
    const v128_t xy = wasm_i32x4_shuffle(x, y, 0, 4, 1, 5); /* x0 y0 x1 y1 */
    const v128_t yz = wasm_i32x4_shuffle(y, z, 1, 5, 2, 6); /* y1 z1 y2 z2 */
    const v128_t zx = wasm_i32x4_shuffle(z, x, 2, 7, 3, 3); /* z2 x3 z3 z3 */
    wasm_v128_store(to, wasm_i32x4_shuffle(xy, z, 0, 1, 4, 2));
    wasm_v128_store(to + 4, wasm_i32x4_shuffle(yz, x, 0, 1, 6, 2));
    wasm_v128_store(to + 8, wasm_i32x4_shuffle(zx, y, 0, 1, 7, 2));
}
VP_INLINE f32x4 f32x4_sqrt(f32x4 a) { return wasm_f32x4_sqrt(a); }

/* i32x4, 4 integers */
VP_INLINE i32x4 i32x4_set1(int32_t x) { return wasm_i32x4_splat(x); }
VP_INLINE i32x4 i32x4_load(const void *from) { return wasm_v128_load(from); }
VP_INLINE void i32x4_store(void *to, i32x4 a) { wasm_v128_store(to, a); }
VP_INLINE i32x4 i32x4_iota(void) { return wasm_i32x4_make(0, 1, 2, 3); }
VP_INLINE i32x4 i32x4_add(i32x4 a, i32x4 b) { return wasm_i32x4_add(a, b); }
VP_INLINE m32x4 i32x4_cmp_eq(i32x4 a, i32x4 b) { return wasm_i32x4_eq(a, b); }
VP_INLINE i32x4 i32x4_select(m32x4 m, i32x4 a, i32x4 b) { return wasm_v128_bitselect(a, b, m); }
VP_INLINE f32x4 i32x4_to_f32(i32x4 a) { return wasm_f32x4_convert_i32x4(a); }
VP_INLINE i32x4 i32x4_sub(i32x4 a, i32x4 b) { return wasm_i32x4_sub(a, b); }
VP_INLINE i32x4 i32x4_mul(i32x4 a, i32x4 b) { return wasm_i32x4_mul(a, b); }
VP_INLINE i32x4 i32x4_min(i32x4 a, i32x4 b) { return wasm_i32x4_min(a, b); }
VP_INLINE i32x4 i32x4_and(i32x4 a, i32x4 b) { return wasm_v128_and(a, b); }
VP_INLINE m32x4 i32x4_cmp_lt(i32x4 a, i32x4 b) { return wasm_i32x4_lt(a, b); }
VP_INLINE i32x4 i32x4_max(i32x4 a, i32x4 b) { return wasm_i32x4_max(a, b); }
VP_INLINE i32x4 i32x4_or(i32x4 a, i32x4 b) { return wasm_v128_or(a, b); }
VP_INLINE i32x4 i32x4_xor(i32x4 a, i32x4 b) { return wasm_v128_xor(a, b); }
VP_INLINE i32x4 i32x4_shl(i32x4 a, unsigned n) { return wasm_i32x4_shl(a, n); }
VP_INLINE i32x4 i32x4_shr(i32x4 a, unsigned n) { return wasm_u32x4_shr(a, n); }
VP_INLINE i32x4 i32x4_sra(i32x4 a, unsigned n) { return wasm_i32x4_shr(a, n); }
/* All lanes of a vector are shifted by the same count, so each lane is multiplied by 2 to its own. The power is the exponent of a float. */
VP_INLINE i32x4 i32x4_shlv(i32x4 a, i32x4 n)
{
    return wasm_i32x4_mul(a, wasm_u32x4_trunc_sat_f32x4(wasm_i32x4_shl(wasm_i32x4_add(n, wasm_i32x4_splat(127)), 23)));
}
VP_INLINE m32x4 i32x4_cmp_gt(i32x4 a, i32x4 b) { return wasm_i32x4_gt(a, b); }
#define i32x4_lane(a, k) wasm_i32x4_extract_lane(a, k)
VP_INLINE m32x4 i32x4_test_bit(i32x4 a, unsigned n)
{
    return i32x4_cmp_eq(i32x4_and(a, i32x4_set1((int32_t)(1u << n))), i32x4_set1((int32_t)(1u << n)));
}
VP_INLINE i32x4 i32x4_of_mask(m32x4 m) { return m; }
VP_INLINE i32x4 i32x4_maskz(m32x4 m, i32x4 a) { return wasm_v128_and(m, a); }
VP_INLINE i32x4 i32x4_load_u8(const uint8_t *from)
{
    return wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(from)));
}
VP_INLINE i32x4 i32x4_load_u16(const uint16_t *from) { return wasm_u32x4_load16x4(from); }
VP_INLINE i32x4 i32x4_of_u16(uint64_t x) { return wasm_u32x4_extend_low_u16x8(wasm_i64x2_splat((int64_t)x)); }
VP_INLINE f32x4 i32x4_as_f32(i32x4 a) { return a; }
VP_INLINE int32_t i32x4_first(i32x4 a) { return wasm_i32x4_extract_lane(a, 0); }
VP_INLINE f32x4 i32x4_reciprocal(i32x4 a)
{
    return wasm_f32x4_div(wasm_f32x4_splat(1.0f), wasm_f32x4_convert_i32x4(wasm_i32x4_max(a, wasm_i32x4_splat(1))));
}

/* f64x2, 2 doubles */
VP_INLINE f64x2 f64x2_set1(double x) { return wasm_f64x2_splat(x); }
VP_INLINE f64x2 f64x2_iota(void) { return wasm_f64x2_make(0.0, 1.0); }
VP_INLINE f64x2 f64x2_load(const double *from) { return wasm_v128_load(from); }
VP_INLINE f64x2 f64x2_load_f32(const float *from) { return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from)); }
VP_INLINE void f64x2_store(double *to, f64x2 a) { wasm_v128_store(to, a); }
VP_INLINE void f64x2_store_i32(void *to, f64x2 a) { wasm_v128_store64_lane(to, wasm_i32x4_trunc_sat_f64x2_zero(a), 0); }
VP_INLINE f64x2 f64x2_add(f64x2 a, f64x2 b) { return wasm_f64x2_add(a, b); }
VP_INLINE f64x2 f64x2_sub(f64x2 a, f64x2 b) { return wasm_f64x2_sub(a, b); }
VP_INLINE f64x2 f64x2_mul(f64x2 a, f64x2 b) { return wasm_f64x2_mul(a, b); }
VP_INLINE f64x2 f64x2_max_fast(f64x2 a, f64x2 b) { return wasm_f64x2_pmax(a, b); }
VP_INLINE f64x2 f64x2_abs(f64x2 a) { return wasm_f64x2_abs(a); }
VP_INLINE m64x2 f64x2_cmp_gt(f64x2 a, f64x2 b) { return wasm_f64x2_gt(a, b); }
VP_INLINE f64x2 f64x2_select(m64x2 m, f64x2 a, f64x2 b) { return wasm_v128_bitselect(a, b, m); }
VP_INLINE f64x2 f64x2_rsqrt_estimate(f64x2 a) { return wasm_i64x2_sub(wasm_i64x2_splat(0x5fe6eb50c7b537a9), wasm_u64x2_shr(a, 1)); }
VP_INLINE f64x2 f64x2_div(f64x2 a, f64x2 b) { return wasm_f64x2_div(a, b); }
VP_INLINE f64x2 f64x2_min_fast(f64x2 a, f64x2 b) { return wasm_f64x2_pmin(a, b); }
VP_INLINE m64x2 f64x2_cmp_ge(f64x2 a, f64x2 b) { return wasm_f64x2_ge(a, b); }
VP_INLINE m64x2 f64x2_cmp_eq(f64x2 a, f64x2 b) { return wasm_f64x2_eq(a, b); }
VP_INLINE f64x2 f32x4_low_to_f64(f32x4 a) { return wasm_f64x2_promote_low_f32x4(a); }
VP_INLINE f64x2 f32x4_high_to_f64(f32x4 a) { return wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle(a, a, 1, 0)); }
VP_INLINE f32x4 f64x2_two_to_f32(f64x2 low, f64x2 high)
{
    return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 2);
}

/* u64x2, 2 words */
VP_INLINE u64x2 u64x2_set1(uint64_t x) { return wasm_i64x2_splat((int64_t)x); }
VP_INLINE u64x2 u64x2_load(const uint64_t *from) { return wasm_v128_load(from); }
VP_INLINE void u64x2_store(uint64_t *to, u64x2 a) { wasm_v128_store(to, a); }
VP_INLINE u64x2 u64x2_and(u64x2 a, u64x2 b) { return wasm_v128_and(a, b); }
VP_INLINE u64x2 u64x2_or(u64x2 a, u64x2 b) { return wasm_v128_or(a, b); }
VP_INLINE u64x2 u64x2_not(u64x2 a) { return wasm_v128_not(a); }
VP_INLINE u64x2 u64x2_bitselect(u64x2 m, u64x2 a, u64x2 b) { return wasm_v128_bitselect(a, b, m); }
VP_INLINE u64x2 u64x2_shl(u64x2 a, unsigned n) { return wasm_i64x2_shl(a, n); }
VP_INLINE u64x2 u64x2_shr(u64x2 a, unsigned n) { return wasm_u64x2_shr(a, n); }
VP_INLINE u64x2 u64x2_ext_second(u64x2 a, u64x2 b) { return wasm_i64x2_shuffle(a, b, 1, 2); }
VP_INLINE u64x2 u64x2_ext_last(u64x2 a, u64x2 b) { return wasm_i64x2_shuffle(a, b, 1, 2); }
VP_INLINE bool u64x2_any(u64x2 a) { return wasm_v128_any_true(a); }
VP_INLINE u64x2 u64x2_maskz(m64x2 m, u64x2 a) { return wasm_v128_and(m, a); }
VP_INLINE m64x2 u64x2_testn(u64x2 a, u64x2 b) { return wasm_i64x2_eq(wasm_v128_and(a, b), wasm_i64x2_splat(0)); }
VP_INLINE u64x2 u64x2_xor(u64x2 a, u64x2 b) { return wasm_v128_xor(a, b); }

/* u8x16, 16 bytes */
VP_INLINE u8x16 u8x16_set1(uint8_t x) { return wasm_i8x16_splat((int8_t)x); }
VP_INLINE u8x16 u8x16_load(const uint8_t *from) { return wasm_v128_load(from); }
VP_INLINE u8x16 u8x16_load_rows(const uint8_t *from, size_t stride)
{
    return wasm_v128_load64_lane(from + stride, wasm_v128_load64_zero(from), 1);
}
VP_INLINE m8x16 u8x16_cmp_eq(u8x16 a, u8x16 b) { return wasm_i8x16_eq(a, b); }
VP_INLINE m8x16 u8x16_cmp_ge(u8x16 a, uint8_t n) { return wasm_u8x16_ge(a, wasm_i8x16_splat((int8_t)n)); }
VP_INLINE void u8x16_store(uint8_t *to, u8x16 a) { wasm_v128_store(to, a); }
VP_INLINE u8x16 u8x16_sub(u8x16 a, u8x16 b) { return wasm_i8x16_sub(a, b); }
VP_INLINE u8x16 u8x16_and(u8x16 a, u8x16 b) { return wasm_v128_and(a, b); }
VP_INLINE u8x16 u8x16_or(u8x16 a, u8x16 b) { return wasm_v128_or(a, b); }
VP_INLINE u8x16 u8x16_abs_diff(u8x16 a, u8x16 b) { return wasm_v128_or(wasm_u8x16_sub_sat(a, b), wasm_u8x16_sub_sat(b, a)); }
VP_INLINE m8x16 u8x16_cmp_le(u8x16 a, u8x16 b) { return wasm_u8x16_le(a, b); }
VP_INLINE m8x16 u8x16_is_negative(u8x16 a) { return wasm_i8x16_lt(a, wasm_i8x16_splat(0)); }
VP_INLINE u8x16 u8x16_of_mask(m8x16 m) { return m; }
VP_INLINE u8x16 u8x16_maskz(m8x16 m, u8x16 a) { return wasm_v128_and(m, a); }
VP_INLINE u8x16 u8x16_select(m8x16 m, u8x16 a, u8x16 b) { return wasm_v128_bitselect(a, b, m); }
VP_INLINE u8x16 u8x16_blend_halves(u8x16 a, u8x16 b) { return wasm_i32x4_shuffle(a, b, 0, 5, 2, 7); }
VP_INLINE u8x16 u8x16_interleave_low_words(u8x16 a, u8x16 b) { return wasm_i64x2_shuffle(a, b, 0, 2); }
VP_INLINE u8x16 u8x16_interleave_high_words(u8x16 a, u8x16 b) { return wasm_i64x2_shuffle(a, b, 1, 3); }
VP_INLINE u8x16 u8x16_rotate_blocks(u8x16 a) { return wasm_i8x16_shuffle(a, a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0); }
VP_INLINE u8x16 u8x16_load_halves(const uint8_t *low, const uint8_t *high)
{
    return wasm_v128_load64_lane(high, wasm_v128_load64_zero(low), 1);
}
VP_INLINE void u8x16_store_low(uint8_t *to, u8x16 a) { wasm_v128_store64_lane(to, a, 0); }
VP_INLINE u8x16 u8x16_of_words(uint64_t low, uint64_t high) { return wasm_i64x2_make((int64_t)low, (int64_t)high); }
VP_INLINE u8x16 u8x16_permute(u8x16 a, u8x16 at) { return wasm_i8x16_swizzle(a, at); }
VP_INLINE u8x16 u8x16_interleave_low(u8x16 a, u8x16 b)
{
    return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
VP_INLINE u16x8 u8x16_as_u16(u8x16 a) { return a; }
VP_INLINE u8x16 u8x16_xor(u8x16 a, u8x16 b) { return wasm_v128_xor(a, b); }
VP_INLINE m8x16 m8x16_of_bits(uint32_t x)
{
    const v128_t two = wasm_i16x8_splat((int16_t)x), bit = wasm_i64x2_splat((int64_t)UINT64_C(0x8040201008040201));
    const v128_t all = wasm_i8x16_shuffle(two, two, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    return wasm_i8x16_eq(wasm_v128_and(all, bit), bit);
}
VP_INLINE uint32_t m8x16_movemask_pair(m8x16 low, m8x16 high)
{
    return (uint32_t)wasm_i8x16_bitmask(low) | (uint32_t)wasm_i8x16_bitmask(high) << 16;
}

/* u16x8, 8 integers of 16 bits */
VP_INLINE u16x8 u16x8_set1(uint16_t x) { return wasm_i16x8_splat((int16_t)x); }
VP_INLINE u16x8 u16x8_replace(u16x8 a, uint32_t k, uint16_t x)
{
    return wasm_v128_bitselect(wasm_i16x8_splat((int16_t)x), a,
                               wasm_i16x8_eq(wasm_i16x8_make(0, 1, 2, 3, 4, 5, 6, 7), wasm_i16x8_splat((int16_t)k)));
}
VP_INLINE uint32_t u16x8_min_across(u16x8 a)
{
    a = wasm_u16x8_min(a, wasm_i64x2_shuffle(a, a, 1, 0));
    a = wasm_u16x8_min(a, wasm_i32x4_shuffle(a, a, 1, 0, 3, 2));
    a = wasm_u16x8_min(a, wasm_i16x8_shuffle(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
    return (uint32_t)wasm_u16x8_extract_lane(a, 0);
}
VP_INLINE u16x8 u16x8_load(const uint16_t *from) { return wasm_v128_load(from); }
VP_INLINE void u16x8_store(uint16_t *to, u16x8 a) { wasm_v128_store(to, a); }
VP_INLINE u16x8 u16x8_add(u16x8 a, u16x8 b) { return wasm_i16x8_add(a, b); }
VP_INLINE u16x8 u16x8_and(u16x8 a, u16x8 b) { return wasm_v128_and(a, b); }
VP_INLINE u16x8 u16x8_or(u16x8 a, u16x8 b) { return wasm_v128_or(a, b); }
VP_INLINE u16x8 u16x8_xor(u16x8 a, u16x8 b) { return wasm_v128_xor(a, b); }
VP_INLINE u16x8 u16x8_andnot(u16x8 a, u16x8 b) { return wasm_v128_andnot(a, b); }
VP_INLINE u16x8 u16x8_shl(u16x8 a, unsigned n) { return wasm_i16x8_shl(a, n); }
VP_INLINE u16x8 u16x8_shr(u16x8 a, unsigned n) { return wasm_u16x8_shr(a, n); }
VP_INLINE m16x8 u16x8_cmp_eq(u16x8 a, u16x8 b) { return wasm_i16x8_eq(a, b); }
VP_INLINE u16x8 u16x8_maskz(m16x8 m, u16x8 a) { return wasm_v128_and(m, a); }
VP_INLINE u16x8 u16x8_select(m16x8 m, u16x8 a, u16x8 b) { return wasm_v128_bitselect(a, b, m); }
VP_INLINE u16x8 u16x8_ext_second(u16x8 a, u16x8 b) { return wasm_i16x8_shuffle(a, b, 1, 2, 3, 4, 5, 6, 7, 8); }
VP_INLINE u16x8 u16x8_interleave_low(u16x8 a, u16x8 b) { return wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
VP_INLINE u16x8 u16x8_interleave_high(u16x8 a, u16x8 b) { return wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
VP_INLINE u16x8 u16x8_of_bytes(uint64_t x) { return wasm_u16x8_extend_low_u8x16(wasm_i64x2_make((int64_t)x, 0)); }
VP_INLINE u8x16 u16x8_as_u8(u16x8 a) { return a; }
VP_INLINE void u16x8_store4(uint16_t *to, u16x8 a, u16x8 b, u16x8 c, u16x8 d)
{
    const v128_t low_ab = u16x8_interleave_low(a, b), high_ab = u16x8_interleave_high(a, b);
    const v128_t low_cd = u16x8_interleave_low(c, d), high_cd = u16x8_interleave_high(c, d);
    wasm_v128_store(to, wasm_i32x4_shuffle(low_ab, low_cd, 0, 4, 1, 5));
    wasm_v128_store(to + 8, wasm_i32x4_shuffle(low_ab, low_cd, 2, 6, 3, 7));
    wasm_v128_store(to + 16, wasm_i32x4_shuffle(high_ab, high_cd, 0, 4, 1, 5));
    wasm_v128_store(to + 24, wasm_i32x4_shuffle(high_ab, high_cd, 2, 6, 3, 7));
}
VP_INLINE m16x8 m16x8_of_bits(uint32_t x)
{
    const v128_t bit = wasm_i16x8_make(1, 2, 4, 8, 16, 32, 64, 128);
    return wasm_i16x8_eq(wasm_v128_and(wasm_i16x8_splat((int16_t)x), bit), bit);
}

/* masks */
VP_INLINE uint32_t m8x16_movemask(m8x16 m) { return (uint32_t)wasm_i8x16_bitmask(m); }
VP_INLINE uint32_t m64x2_movemask(m64x2 m) { return (uint32_t)wasm_i64x2_bitmask(m); }
VP_INLINE uint32_t m32x4_movemask(m32x4 m) { return (uint32_t)wasm_i32x4_bitmask(m); }
VP_INLINE m64x2 m64x2_zero(void) { return wasm_i64x2_splat(0); }
VP_INLINE m64x2 m64x2_and(m64x2 a, m64x2 b) { return wasm_v128_and(a, b); }
VP_INLINE m64x2 m64x2_or(m64x2 a, m64x2 b) { return wasm_v128_or(a, b); }
VP_INLINE m64x2 m64x2_andnot(m64x2 a, m64x2 b) { return wasm_v128_andnot(a, b); }
VP_INLINE bool m64x2_any(m64x2 m) { return wasm_v128_any_true(m); }
VP_INLINE m32x4 m32x4_and(m32x4 a, m32x4 b) { return wasm_v128_and(a, b); }
VP_INLINE m8x16 m8x16_and(m8x16 a, m8x16 b) { return wasm_v128_and(a, b); }
VP_INLINE m32x4 m32x4_or(m32x4 a, m32x4 b) { return wasm_v128_or(a, b); }
VP_INLINE m32x4 m32x4_andnot(m32x4 a, m32x4 b) { return wasm_v128_andnot(a, b); }
VP_INLINE m32x4 vp_lanes_of_bits(uint32_t x, v128_t bit) { return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int32_t)x), bit), bit); }
VP_INLINE m32x4 m32x4_of_bits(uint32_t x) { return vp_lanes_of_bits(x, wasm_i32x4_make(1, 2, 4, 8)); }
VP_INLINE m32x4 m64x2_two_to_m32(m64x2 low, m64x2 high) { return wasm_i32x4_shuffle(low, high, 0, 2, 4, 6); }

/* gather */
VP_INLINE f32x4 f32x4_gather(const float *table, i32x4 at)
{
    return wasm_f32x4_make(table[wasm_i32x4_extract_lane(at, 0)], table[wasm_i32x4_extract_lane(at, 1)],
                           table[wasm_i32x4_extract_lane(at, 2)], table[wasm_i32x4_extract_lane(at, 3)]);
}
VP_INLINE i32x4 i32x4_gather(const int32_t *table, i32x4 at)
{
    v128_t v = wasm_v128_load32_zero(table + wasm_i32x4_extract_lane(at, 0));
    v = wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(at, 1), v, 1);
    v = wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(at, 2), v, 2);
    return wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(at, 3), v, 3);
}
VP_INLINE i32x4 i32x4_gather_u8(const uint8_t *table, i32x4 at)
{
    return wasm_i32x4_make(table[wasm_i32x4_extract_lane(at, 0)], table[wasm_i32x4_extract_lane(at, 1)],
                           table[wasm_i32x4_extract_lane(at, 2)], table[wasm_i32x4_extract_lane(at, 3)]);
}

/* compress_store */
VP_INLINE void i32x4_compress_store(void *to, uint32_t bits, i32x4 a)
{
    wasm_v128_store(to, wasm_i8x16_swizzle(a, wasm_v128_load(vp_compress_bytes[bits])));
}
VP_INLINE void f32x4_compress_store(float *to, uint32_t bits, f32x4 a) { i32x4_compress_store(to, bits, a); }
/* Parts of operations on eight lanes, for pairs.h. */
VP_INLINE m32x4 vp_upper_of_bits(uint32_t x) { return vp_lanes_of_bits(x, wasm_i32x4_make(16, 32, 64, 128)); }
VP_INLINE uint32_t vp_movemask_two(m32x4 low, m32x4 high) { return m32x4_movemask(low) | m32x4_movemask(high) << 4; }
VP_INLINE v128_t vp_min_pairs(v128_t a, v128_t b)
{
    return wasm_f32x4_pmin(wasm_i32x4_shuffle(a, b, 0, 2, 4, 6), wasm_i32x4_shuffle(a, b, 1, 3, 5, 7));
}
VP_INLINE f32x4 vp_min_across_three(f32x4 a, f32x4 b, f32x4 c) { return vp_min_pairs(vp_min_pairs(a, b), vp_min_pairs(c, c)); }
VP_INLINE void vp_transpose3(const f32x4 p[4], f32x4 out[3])
{
    const v128_t ab = wasm_i32x4_shuffle(p[0], p[1], 0, 4, 1, 5), cd = wasm_i32x4_shuffle(p[2], p[3], 0, 4, 1, 5);
    out[0] = wasm_i64x2_shuffle(ab, cd, 0, 2);
    out[1] = wasm_i64x2_shuffle(ab, cd, 1, 3);
    out[2] = wasm_i64x2_shuffle(wasm_i32x4_shuffle(p[0], p[1], 2, 6, 3, 7), wasm_i32x4_shuffle(p[2], p[3], 2, 6, 3, 7), 0, 2);
}
VP_INLINE c32x8 c32x8_of_bits(uint32_t bits)
{
    const v128_t byte = wasm_i8x16_make(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3), sixteen = wasm_i8x16_splat(16);
    const v128_t lanes = wasm_i64x2_splat((int64_t)(vp_compress_order[bits] << 2)); /* each is below 8, so nothing leaves its byte */
    const v128_t low = wasm_v128_or(wasm_i8x16_shuffle(lanes, lanes, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3), byte);
    const v128_t high = wasm_v128_or(wasm_i8x16_shuffle(lanes, lanes, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7), byte);
    return (c32x8){{low, wasm_i8x16_sub(low, sixteen)}, {high, wasm_i8x16_sub(high, sixteen)}};
}
VP_INLINE f32x4 vp_permute_two(f32x4 low, f32x4 high, places p)
{
    return wasm_v128_or(wasm_i8x16_swizzle(low, p.first), wasm_i8x16_swizzle(high, p.second));
}

#include "optimized/simd/pairs.h"

VP_INLINE u64x8 u64x8_of_bytes(uint64_t x)
{
    const v128_t all = wasm_u16x8_extend_low_u8x16(wasm_i64x2_splat((int64_t)x));
    const v128_t low = wasm_u32x4_extend_low_u16x8(all), high = wasm_u32x4_extend_high_u16x8(all);
    return (u64x8){{wasm_u64x2_extend_low_u32x4(low), wasm_u64x2_extend_high_u32x4(low)},
                   {wasm_u64x2_extend_low_u32x4(high), wasm_u64x2_extend_high_u32x4(high)}};
}
VP_INLINE u64x2 u64x8_fold_or(u64x8 a) { return u64x2_or(u64x2_or(a.low.low, a.low.high), u64x2_or(a.high.low, a.high.high)); }
VP_INLINE m64x2 vp_test_places(v128_t all, v128_t place) { return wasm_i64x2_eq(wasm_v128_and(all, place), place); }
VP_INLINE m64x8 m64x8_of_bits(uint32_t x)
{
    const v128_t all = wasm_i64x2_splat((int64_t)x);
    return (m64x8){{vp_test_places(all, wasm_i64x2_make(1, 2)), vp_test_places(all, wasm_i64x2_make(4, 8))},
                   {vp_test_places(all, wasm_i64x2_make(16, 32)), vp_test_places(all, wasm_i64x2_make(64, 128))}};
}
VP_INLINE f32x8 f32x8_load_u8(const uint8_t *from)
{
    const v128_t n = wasm_u16x8_load8x8(from);
    return (f32x8){wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(n)), wasm_f32x4_convert_i32x4(wasm_u32x4_extend_high_u16x8(n))};
}
VP_INLINE uint32_t i32x8_sign_bits(i32x8 a) { return (uint32_t)wasm_i32x4_bitmask(a.low) | (uint32_t)wasm_i32x4_bitmask(a.high) << 4; }
VP_INLINE bool u8x64_any_negative(u8x64 a)
{
    return wasm_i8x16_bitmask(wasm_v128_or(wasm_v128_or(a.low.low, a.low.high), wasm_v128_or(a.high.low, a.high.high))) != 0;
}
VP_INLINE bool u8x64_all_negative(u8x64 a)
{
    return wasm_i8x16_bitmask(wasm_v128_and(wasm_v128_and(a.low.low, a.low.high), wasm_v128_and(a.high.low, a.high.high))) == 0xffff;
}
VP_INLINE uint32_t m16x16_movemask(m16x16 m) { return (uint32_t)wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(m.low, m.high)); }

#define VP_F32N 4
#define VP_F32W 8
#define VP_F64N 2

#endif
