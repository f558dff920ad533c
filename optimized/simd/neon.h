/* SPDX-License-Identifier: MIT */
/* The vocabulary on AArch64's NEON. README.md lists all operations. Native vectors have 4 lanes of 32 bits and 2 of 64. A mask has all bits
 * of its lanes set or clear. NEON has no movemask: the lanes are ANDed with a bit each and added. tbl and a table of 16 byte shuffles
 * compress. No instruction looks up different places in memory for each lane, so a gather is one load a lane. */
#ifndef VP_OPTIMIZED_SIMD_NEON_H
#define VP_OPTIMIZED_SIMD_NEON_H
#include <math.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "optimized/simd/compress.h"
#include "optimized/simd/neon_intrinsics.h"
#include "src/core/inline.h"

typedef float32x4_t f32x4;
typedef float64x2_t f64x2;
typedef int32x4_t i32x4;
typedef uint32x4_t m32x4;
typedef uint64x2_t m64x2, u64x2;
typedef uint8x16_t u8x16, m8x16;
typedef uint16x8_t u16x8;
typedef struct c32x8 {
    uint8x16_t low, high; /* source of each byte, in the first four lanes and in the last four */
} c32x8;
typedef uint16x8_t u16x8, m16x8;

/* f32x4, 4 floats */
VP_INLINE f32x4 f32x4_set1(float x) { return vdupq_n_f32(x); }
VP_INLINE f32x4 f32x4_load(const float *from) { return vld1q_f32(from); }
VP_INLINE void f32x4_store(float *to, f32x4 a) { vst1q_f32(to, a); }
VP_INLINE f32x4 f32x4_add(f32x4 a, f32x4 b) { return vaddq_f32(a, b); }
VP_INLINE f32x4 f32x4_sub(f32x4 a, f32x4 b) { return vsubq_f32(a, b); }
VP_INLINE f32x4 f32x4_mul(f32x4 a, f32x4 b) { return vmulq_f32(a, b); }
VP_INLINE f32x4 f32x4_div(f32x4 a, f32x4 b) { return vdivq_f32(a, b); }
VP_INLINE f32x4 f32x4_abs(f32x4 a) { return vabsq_f32(a); }
VP_INLINE m32x4 f32x4_cmp_gt(f32x4 a, f32x4 b) { return vcgtq_f32(a, b); }
VP_INLINE f32x4 f32x4_select(m32x4 m, f32x4 a, f32x4 b) { return vbslq_f32(m, a, b); }
VP_INLINE i32x4 f32x4_to_i32(f32x4 a) { return vcvtq_s32_f32(a); }
VP_INLINE void f32x4_load3(const float *from, f32x4 *x, f32x4 *y, f32x4 *z)
{
    const float32x4x3_t all = vld3q_f32(from);
    *x = all.val[0];
    *y = all.val[1];
    *z = all.val[2];
}
VP_INLINE m32x4 f32x4_cmp_lt(f32x4 a, f32x4 b) { return vcltq_f32(a, b); }
VP_INLINE f32x4 f32x4_max(f32x4 a, f32x4 b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
VP_INLINE f32x4 f32x4_min_fast(f32x4 a, f32x4 b) { return vminq_f32(a, b); }
VP_INLINE m32x4 f32x4_cmp_le(f32x4 a, f32x4 b) { return vcleq_f32(a, b); }
VP_INLINE i32x4 f32x4_floor_to_i32(f32x4 a) { return vcvtmq_s32_f32(a); }
VP_INLINE f32x4 f32x4_load_xyz_fast(const float *from) { return vcombine_f32(vld1_f32(from), vdup_n_f32(from[2])); }
VP_INLINE f32x4 f32x4_max_fast(f32x4 a, f32x4 b) { return vmaxq_f32(a, b); }
VP_INLINE f32x4 f32x4_load_xyz(const float *from) { return vld1q_lane_f32(from + 2, vcombine_f32(vld1_f32(from), vdup_n_f32(0.0f)), 2); }
VP_INLINE i32x4 f32x4_as_i32(f32x4 a) { return vreinterpretq_s32_f32(a); }
VP_INLINE f32x4 f32x4_permute(f32x4 a, i32x4 at)
{
    const int32x4_t bytes = vmlaq_s32(vdupq_n_s32(0x03020100), at, vdupq_n_s32(0x04040404));
    return vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(a), vreinterpretq_u8_s32(bytes)));
}
VP_INLINE float f32x4_first(f32x4 a) { return vgetq_lane_f32(a, 0); }
VP_INLINE f32x4 f32x4_max_across(f32x4 a) { return vdupq_n_f32(vmaxvq_f32(a)); }
VP_INLINE void f32x4_transpose4(const f32x4 from[4], f32x4 to[4])
{
    const float32x4_t xz01 = vtrn1q_f32(from[0], from[1]), yw01 = vtrn2q_f32(from[0], from[1]);
    const float32x4_t xz23 = vtrn1q_f32(from[2], from[3]), yw23 = vtrn2q_f32(from[2], from[3]);
    to[0] = vcombine_f32(vget_low_f32(xz01), vget_low_f32(xz23));
    to[1] = vcombine_f32(vget_low_f32(yw01), vget_low_f32(yw23));
    to[2] = vcombine_f32(vget_high_f32(xz01), vget_high_f32(xz23));
    to[3] = vcombine_f32(vget_high_f32(yw01), vget_high_f32(yw23));
}
VP_INLINE void f32x4_store4(void *to, f32x4 a, f32x4 b, f32x4 c, f32x4 d)
{
    const float32x4x4_t all = {{a, b, c, d}};
    float lanes[16];
    vst4q_f32(lanes, all);
    memcpy(to, lanes, sizeof lanes); /* the numbers of `to` may be of another type */
}
VP_INLINE float f32x4_reduce_min(f32x4 a) { return vminvq_f32(a); }
VP_INLINE float f32x4_reduce_max(f32x4 a) { return vmaxvq_f32(a); }
VP_INLINE f32x4 f32x4_neg(f32x4 a) { return vnegq_f32(a); }
VP_INLINE m32x4 f32x4_cmp_eq(f32x4 a, f32x4 b) { return vceqq_f32(a, b); }
VP_INLINE f32x4 f32x4_min(f32x4 a, f32x4 b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
VP_INLINE f32x4 f32x4_maskz(m32x4 m, f32x4 a) { return vreinterpretq_f32_u32(vandq_u32(m, vreinterpretq_u32_f32(a))); }
VP_INLINE f32x4 f32x4_interleave_low(f32x4 a, f32x4 b) { return vzip1q_f32(a, b); }
VP_INLINE f32x4 f32x4_ext_second(f32x4 a, f32x4 b) { return vextq_f32(a, b, 1); }
VP_INLINE float f32x4_sum(f32x4 a)
{
    const float32x2_t two = vadd_f32(vget_low_f32(a), vget_high_f32(a));
    return vget_lane_f32(vpadd_f32(two, two), 0);
}
VP_INLINE f32x4 f32x4_min_where(m32x4 m, f32x4 a, f32x4 b) { return vminq_f32(vbslq_f32(m, a, vdupq_n_f32(INFINITY)), b); }
VP_INLINE void f32x4_store3(float *to, f32x4 x, f32x4 y, f32x4 z)
{
    const float32x4x3_t points = {{x, y, z}};
    vst3q_f32(to, points);
}
VP_INLINE f32x4 f32x4_sqrt(f32x4 a) { return vsqrtq_f32(a); }

/* i32x4, 4 integers */
VP_INLINE i32x4 i32x4_set1(int32_t x) { return vdupq_n_s32(x); }
VP_INLINE i32x4 i32x4_load(const void *from) { return vld1q_s32((const int32_t *)from); }
VP_INLINE void i32x4_store(void *to, i32x4 a) { vst1q_s32((int32_t *)to, a); }
VP_INLINE i32x4 i32x4_iota(void) { return (i32x4){0, 1, 2, 3}; }
VP_INLINE i32x4 i32x4_add(i32x4 a, i32x4 b) { return vaddq_s32(a, b); }
VP_INLINE m32x4 i32x4_cmp_eq(i32x4 a, i32x4 b) { return vceqq_s32(a, b); }
VP_INLINE i32x4 i32x4_select(m32x4 m, i32x4 a, i32x4 b) { return vbslq_s32(m, a, b); }
VP_INLINE f32x4 i32x4_to_f32(i32x4 a) { return vcvtq_f32_s32(a); }
VP_INLINE i32x4 i32x4_sub(i32x4 a, i32x4 b) { return vsubq_s32(a, b); }
VP_INLINE i32x4 i32x4_mul(i32x4 a, i32x4 b) { return vmulq_s32(a, b); }
VP_INLINE i32x4 i32x4_min(i32x4 a, i32x4 b) { return vminq_s32(a, b); }
VP_INLINE i32x4 i32x4_and(i32x4 a, i32x4 b) { return vandq_s32(a, b); }
VP_INLINE m32x4 i32x4_cmp_lt(i32x4 a, i32x4 b) { return vcltq_s32(a, b); }
VP_INLINE i32x4 i32x4_max(i32x4 a, i32x4 b) { return vmaxq_s32(a, b); }
VP_INLINE i32x4 i32x4_or(i32x4 a, i32x4 b) { return vorrq_s32(a, b); }
VP_INLINE i32x4 i32x4_xor(i32x4 a, i32x4 b) { return veorq_s32(a, b); }
VP_INLINE i32x4 i32x4_shl(i32x4 a, unsigned n) { return vreinterpretq_s32_u32(vreinterpretq_u32_s32(a) << n); }
VP_INLINE i32x4 i32x4_shr(i32x4 a, unsigned n) { return vreinterpretq_s32_u32(vreinterpretq_u32_s32(a) >> n); }
VP_INLINE i32x4 i32x4_sra(i32x4 a, unsigned n) { return a >> (int)n; }
VP_INLINE i32x4 i32x4_shlv(i32x4 a, i32x4 n) { return vshlq_s32(a, n); }
VP_INLINE m32x4 i32x4_cmp_gt(i32x4 a, i32x4 b) { return vcgtq_s32(a, b); }
#define i32x4_lane(a, k) vgetq_lane_s32(a, k)
VP_INLINE m32x4 i32x4_test_bit(i32x4 a, unsigned n) { return vtstq_s32(a, vdupq_n_s32((int32_t)(1u << n))); }
VP_INLINE i32x4 i32x4_of_mask(m32x4 m) { return vreinterpretq_s32_u32(m); }
VP_INLINE i32x4 i32x4_maskz(m32x4 m, i32x4 a) { return vandq_s32(vreinterpretq_s32_u32(m), a); }
VP_INLINE i32x4 i32x4_load_u8(const uint8_t *from)
{
    uint32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vreinterpret_u8_u32(vset_lane_u32(bytes, vdup_n_u32(0), 0))))));
}
VP_INLINE i32x4 i32x4_load_u16(const uint16_t *from) { return vreinterpretq_s32_u32(vmovl_u16(vld1_u16(from))); }
VP_INLINE i32x4 i32x4_of_u16(uint64_t x) { return vreinterpretq_s32_u32(vmovl_u16(vcreate_u16(x))); }
VP_INLINE f32x4 i32x4_as_f32(i32x4 a) { return vreinterpretq_f32_s32(a); }
VP_INLINE int32_t i32x4_first(i32x4 a) { return vgetq_lane_s32(a, 0); }
VP_INLINE f32x4 i32x4_reciprocal(i32x4 a) { return vdivq_f32(vdupq_n_f32(1.0f), vcvtq_f32_s32(vmaxq_s32(a, vdupq_n_s32(1)))); }

/* f64x2, 2 doubles */
VP_INLINE f64x2 f64x2_set1(double x) { return vdupq_n_f64(x); }
VP_INLINE f64x2 f64x2_iota(void) { return vsetq_lane_f64(1.0, vdupq_n_f64(0.0), 1); }
VP_INLINE f64x2 f64x2_load(const double *from) { return vld1q_f64(from); }
VP_INLINE f64x2 f64x2_load_f32(const float *from) { return vcvt_f64_f32(vld1_f32(from)); }
VP_INLINE void f64x2_store(double *to, f64x2 a) { vst1q_f64(to, a); }
VP_INLINE void f64x2_store_i32(void *to, f64x2 a) { vst1_s32((int32_t *)to, vmovn_s64(vcvtq_s64_f64(a))); }
VP_INLINE f64x2 f64x2_add(f64x2 a, f64x2 b) { return vaddq_f64(a, b); }
VP_INLINE f64x2 f64x2_sub(f64x2 a, f64x2 b) { return vsubq_f64(a, b); }
VP_INLINE f64x2 f64x2_mul(f64x2 a, f64x2 b) { return vmulq_f64(a, b); }
VP_INLINE f64x2 f64x2_max_fast(f64x2 a, f64x2 b) { return vmaxq_f64(a, b); }
VP_INLINE f64x2 f64x2_abs(f64x2 a) { return vabsq_f64(a); }
VP_INLINE m64x2 f64x2_cmp_gt(f64x2 a, f64x2 b) { return vcgtq_f64(a, b); }
VP_INLINE f64x2 f64x2_select(m64x2 m, f64x2 a, f64x2 b) { return vbslq_f64(m, a, b); }
VP_INLINE f64x2 f64x2_rsqrt_estimate(f64x2 a)
{
    return vreinterpretq_f64_s64(vsubq_s64(vdupq_n_s64(0x5fe6eb50c7b537a9), vshrq_n_s64(vreinterpretq_s64_f64(a), 1)));
}
VP_INLINE f64x2 f64x2_div(f64x2 a, f64x2 b) { return vdivq_f64(a, b); }
VP_INLINE f64x2 f64x2_min_fast(f64x2 a, f64x2 b) { return vminq_f64(a, b); }
VP_INLINE m64x2 f64x2_cmp_ge(f64x2 a, f64x2 b) { return vcgeq_f64(a, b); }
VP_INLINE m64x2 f64x2_cmp_eq(f64x2 a, f64x2 b) { return vceqq_f64(a, b); }
VP_INLINE f64x2 f32x4_low_to_f64(f32x4 a) { return vcvt_f64_f32(vget_low_f32(a)); }
VP_INLINE f64x2 f32x4_high_to_f64(f32x4 a) { return vcvt_f64_f32(vget_high_f32(a)); }
VP_INLINE f32x4 f64x2_two_to_f32(f64x2 low, f64x2 high) { return vcombine_f32(vcvt_f32_f64(low), vcvt_f32_f64(high)); }

/* u64x2, 2 words */
VP_INLINE u64x2 u64x2_set1(uint64_t x) { return vdupq_n_u64(x); }
VP_INLINE u64x2 u64x2_load(const uint64_t *from) { return vld1q_u64(from); }
VP_INLINE void u64x2_store(uint64_t *to, u64x2 a) { vst1q_u64(to, a); }
VP_INLINE u64x2 u64x2_and(u64x2 a, u64x2 b) { return vandq_u64(a, b); }
VP_INLINE u64x2 u64x2_or(u64x2 a, u64x2 b) { return vorrq_u64(a, b); }
VP_INLINE u64x2 u64x2_not(u64x2 a) { return vreinterpretq_u64_u8(vmvnq_u8(vreinterpretq_u8_u64(a))); }
VP_INLINE u64x2 u64x2_bitselect(u64x2 m, u64x2 a, u64x2 b) { return vbslq_u64(m, a, b); }
VP_INLINE u64x2 u64x2_shl(u64x2 a, unsigned n) { return a << n; } /* vshlq_n_u64 takes only literals */
VP_INLINE u64x2 u64x2_shr(u64x2 a, unsigned n) { return a >> n; }
VP_INLINE u64x2 u64x2_ext_second(u64x2 a, u64x2 b) { return vextq_u64(a, b, 1); }
VP_INLINE u64x2 u64x2_ext_last(u64x2 a, u64x2 b) { return vextq_u64(a, b, 1); }
VP_INLINE bool u64x2_any(u64x2 a) { return vmaxvq_u32(vreinterpretq_u32_u64(a)) != 0; }
VP_INLINE u64x2 u64x2_maskz(m64x2 m, u64x2 a) { return vandq_u64(m, a); }
VP_INLINE m64x2 u64x2_testn(u64x2 a, u64x2 b) { return vceqq_u64(vandq_u64(a, b), vdupq_n_u64(0)); }
VP_INLINE u64x2 u64x2_xor(u64x2 a, u64x2 b) { return veorq_u64(a, b); }

/* u8x16, 16 bytes */
VP_INLINE u8x16 u8x16_set1(uint8_t x) { return vdupq_n_u8(x); }
VP_INLINE u8x16 u8x16_load(const uint8_t *from) { return vld1q_u8(from); }
VP_INLINE u8x16 u8x16_load_rows(const uint8_t *from, size_t stride) { return vcombine_u8(vld1_u8(from), vld1_u8(from + stride)); }
VP_INLINE m8x16 u8x16_cmp_eq(u8x16 a, u8x16 b) { return vceqq_u8(a, b); }
VP_INLINE m8x16 u8x16_cmp_ge(u8x16 a, uint8_t n) { return vcgeq_u8(a, vdupq_n_u8(n)); }
VP_INLINE void u8x16_store(uint8_t *to, u8x16 a) { vst1q_u8(to, a); }
VP_INLINE u8x16 u8x16_sub(u8x16 a, u8x16 b) { return vsubq_u8(a, b); }
VP_INLINE u8x16 u8x16_and(u8x16 a, u8x16 b) { return vandq_u8(a, b); }
VP_INLINE u8x16 u8x16_or(u8x16 a, u8x16 b) { return vorrq_u8(a, b); }
VP_INLINE u8x16 u8x16_abs_diff(u8x16 a, u8x16 b) { return vabdq_u8(a, b); }
VP_INLINE m8x16 u8x16_cmp_le(u8x16 a, u8x16 b) { return vcleq_u8(a, b); }
VP_INLINE m8x16 u8x16_is_negative(u8x16 a) { return vcltzq_s8(vreinterpretq_s8_u8(a)); }
VP_INLINE u8x16 u8x16_of_mask(m8x16 m) { return m; }
VP_INLINE u8x16 u8x16_maskz(m8x16 m, u8x16 a) { return vandq_u8(m, a); }
VP_INLINE u8x16 u8x16_select(m8x16 m, u8x16 a, u8x16 b) { return vbslq_u8(m, a, b); }
VP_INLINE u8x16 u8x16_blend_halves(u8x16 a, u8x16 b) { return vbslq_u8(vreinterpretq_u8_u64(vdupq_n_u64(0xffffffff)), a, b); }
VP_INLINE u8x16 u8x16_interleave_low_words(u8x16 a, u8x16 b)
{
    return vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
}
VP_INLINE u8x16 u8x16_interleave_high_words(u8x16 a, u8x16 b)
{
    return vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
}
VP_INLINE u8x16 u8x16_rotate_blocks(u8x16 a) { return vextq_u8(a, a, 1); }
VP_INLINE u8x16 u8x16_load_halves(const uint8_t *low, const uint8_t *high) { return vcombine_u8(vld1_u8(low), vld1_u8(high)); }
VP_INLINE void u8x16_store_low(uint8_t *to, u8x16 a) { vst1_u8(to, vget_low_u8(a)); }
VP_INLINE u8x16 u8x16_of_words(uint64_t low, uint64_t high) { return vcombine_u8(vcreate_u8(low), vcreate_u8(high)); }
VP_INLINE u8x16 u8x16_permute(u8x16 a, u8x16 at) { return vqtbl1q_u8(a, at); }
VP_INLINE u8x16 u8x16_interleave_low(u8x16 a, u8x16 b) { return vzip1q_u8(a, b); }
VP_INLINE u16x8 u8x16_as_u16(u8x16 a) { return vreinterpretq_u16_u8(a); }
VP_INLINE u8x16 u8x16_xor(u8x16 a, u8x16 b) { return veorq_u8(a, b); }
VP_INLINE m8x16 m8x16_of_bits(uint32_t x)
{
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vtstq_u8(vcombine_u8(vdup_n_u8((uint8_t)x), vdup_n_u8((uint8_t)(x >> 8))), vld1q_u8(bit));
}
VP_INLINE uint32_t m8x16_movemask_pair(m8x16 low, m8x16 high)
{
    static const uint8_t place[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bit = vld1q_u8(place);
    uint8x16_t sum = vpaddq_u8(vandq_u8(low, bit), vandq_u8(high, bit));
    sum = vpaddq_u8(sum, sum);
    return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(sum, sum)), 0);
}

/* u16x8, 8 integers of 16 bits */
VP_INLINE u16x8 u16x8_set1(uint16_t x) { return vdupq_n_u16(x); }
VP_INLINE u16x8 u16x8_replace(u16x8 a, uint32_t k, uint16_t x)
{
    static const uint16_t lane[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    return vbslq_u16(vceqq_u16(vld1q_u16(lane), vdupq_n_u16((uint16_t)k)), vdupq_n_u16(x), a);
}
VP_INLINE uint32_t u16x8_min_across(u16x8 a) { return vminvq_u16(a); }
VP_INLINE u16x8 u16x8_load(const uint16_t *from) { return vld1q_u16(from); }
VP_INLINE void u16x8_store(uint16_t *to, u16x8 a) { vst1q_u16(to, a); }
VP_INLINE u16x8 u16x8_add(u16x8 a, u16x8 b) { return vaddq_u16(a, b); }
VP_INLINE u16x8 u16x8_and(u16x8 a, u16x8 b) { return vandq_u16(a, b); }
VP_INLINE u16x8 u16x8_or(u16x8 a, u16x8 b) { return vorrq_u16(a, b); }
VP_INLINE u16x8 u16x8_xor(u16x8 a, u16x8 b) { return veorq_u16(a, b); }
VP_INLINE u16x8 u16x8_andnot(u16x8 a, u16x8 b) { return vbicq_u16(a, b); }
VP_INLINE u16x8 u16x8_shl(u16x8 a, unsigned n) { return a << (uint16_t)n; } /* vshlq_n_u16 takes only literals */
VP_INLINE u16x8 u16x8_shr(u16x8 a, unsigned n) { return a >> (uint16_t)n; }
VP_INLINE m16x8 u16x8_cmp_eq(u16x8 a, u16x8 b) { return vceqq_u16(a, b); }
VP_INLINE u16x8 u16x8_maskz(m16x8 m, u16x8 a) { return vandq_u16(m, a); }
VP_INLINE u16x8 u16x8_select(m16x8 m, u16x8 a, u16x8 b) { return vbslq_u16(m, a, b); }
VP_INLINE u16x8 u16x8_ext_second(u16x8 a, u16x8 b) { return vextq_u16(a, b, 1); }
VP_INLINE u16x8 u16x8_interleave_low(u16x8 a, u16x8 b) { return vzip1q_u16(a, b); }
VP_INLINE u16x8 u16x8_interleave_high(u16x8 a, u16x8 b) { return vzip2q_u16(a, b); }
VP_INLINE u16x8 u16x8_of_bytes(uint64_t x) { return vmovl_u8(vcreate_u8(x)); }
VP_INLINE u8x16 u16x8_as_u8(u16x8 a) { return vreinterpretq_u8_u16(a); }
VP_INLINE void u16x8_store4(uint16_t *to, u16x8 a, u16x8 b, u16x8 c, u16x8 d)
{
    const uint16x8x4_t all = {{a, b, c, d}};
    vst4q_u16(to, all);
}
VP_INLINE m16x8 m16x8_of_bits(uint32_t x)
{
    static const uint16_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vtstq_u16(vdupq_n_u16((uint16_t)x), vld1q_u16(bit));
}
VP_INLINE uint32_t m16x8_movemask(m16x8 m)
{
    static const uint16_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16(vandq_u16(m, vld1q_u16(bit)));
}

/* masks */
VP_INLINE uint32_t m32x4_movemask(m32x4 m)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, vld1q_u32(bit)));
}
VP_INLINE m64x2 m64x2_zero(void) { return vdupq_n_u64(0); }
VP_INLINE m64x2 m64x2_and(m64x2 a, m64x2 b) { return vandq_u64(a, b); }
VP_INLINE m64x2 m64x2_or(m64x2 a, m64x2 b) { return vorrq_u64(a, b); }
VP_INLINE m64x2 m64x2_andnot(m64x2 a, m64x2 b) { return vbicq_u64(a, b); }
VP_INLINE uint32_t m64x2_movemask(m64x2 m) { return (uint32_t)((vgetq_lane_u64(m, 0) & 1) | (vgetq_lane_u64(m, 1) & 2)); }
VP_INLINE bool m64x2_any(m64x2 m) { return (vgetq_lane_u64(m, 0) | vgetq_lane_u64(m, 1)) != 0; }
VP_INLINE m32x4 m32x4_and(m32x4 a, m32x4 b) { return vandq_u32(a, b); }
VP_INLINE m8x16 m8x16_and(m8x16 a, m8x16 b) { return vandq_u8(a, b); }
VP_INLINE m32x4 m32x4_or(m32x4 a, m32x4 b) { return vorrq_u32(a, b); }
VP_INLINE m32x4 m32x4_andnot(m32x4 a, m32x4 b) { return vbicq_u32(a, b); }
VP_INLINE m32x4 m32x4_of_bits(uint32_t x)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vtstq_u32(vdupq_n_u32(x), vld1q_u32(bit));
}
VP_INLINE m32x4 m64x2_two_to_m32(m64x2 low, m64x2 high) { return vcombine_u32(vmovn_u64(low), vmovn_u64(high)); }
VP_INLINE uint32_t f32x4_argmin(f32x4 a)
{
    static const uint32_t lane[4] = {0, 1, 2, 3};
    return vminvq_u32(vornq_u32(vld1q_u32(lane), vceqq_f32(a, vdupq_n_f32(vminvq_f32(a)))));
}

/* gather */
VP_INLINE f32x4 f32x4_gather(const float *table, i32x4 at)
{
    int32_t i[4];
    i32x4_store(i, at);
    const float found[4] = {table[i[0]], table[i[1]], table[i[2]], table[i[3]]};
    return vld1q_f32(found);
}
VP_INLINE i32x4 i32x4_gather(const int32_t *table, i32x4 at)
{
    int32x4_t v = vdupq_n_s32(0);
    v = vld1q_lane_s32(table + vgetq_lane_s32(at, 0), v, 0);
    v = vld1q_lane_s32(table + vgetq_lane_s32(at, 1), v, 1);
    v = vld1q_lane_s32(table + vgetq_lane_s32(at, 2), v, 2);
    return vld1q_lane_s32(table + vgetq_lane_s32(at, 3), v, 3);
}
VP_INLINE i32x4 i32x4_gather_u8(const uint8_t *table, i32x4 at)
{
    int32x4_t v = vdupq_n_s32(table[vgetq_lane_s32(at, 0)]);
    v = vsetq_lane_s32(table[vgetq_lane_s32(at, 1)], v, 1);
    v = vsetq_lane_s32(table[vgetq_lane_s32(at, 2)], v, 2);
    return vsetq_lane_s32(table[vgetq_lane_s32(at, 3)], v, 3);
}

/* compress_store */
VP_INLINE void i32x4_compress_store(void *to, uint32_t bits, i32x4 a)
{
    vst1q_u8((uint8_t *)to, vqtbl1q_u8(vreinterpretq_u8_s32(a), vld1q_u8(vp_compress_bytes[bits])));
}
VP_INLINE void f32x4_compress_store(float *to, uint32_t bits, f32x4 a) { i32x4_compress_store(to, bits, vreinterpretq_s32_f32(a)); }

#define VP_OWN_M8X64_MOVEMASK
/* Parts of operations on eight lanes, for pairs.h. */
VP_INLINE m32x4 vp_upper_of_bits(uint32_t x)
{
    static const uint32_t bit[4] = {16, 32, 64, 128};
    return vtstq_u32(vdupq_n_u32(x), vld1q_u32(bit));
}
VP_INLINE uint32_t vp_movemask_two(m32x4 low, m32x4 high)
{
    static const uint8_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddv_u8(vand_u8(vmovn_u16(vcombine_u16(vmovn_u32(low), vmovn_u32(high))), vld1_u8(bit)));
}
VP_INLINE f32x4 vp_min_across_three(f32x4 a, f32x4 b, f32x4 c) { return vpminq_f32(vpminq_f32(a, b), vpminq_f32(c, c)); }
VP_INLINE void vp_transpose3(const f32x4 p[4], f32x4 out[3])
{
    const float32x4x2_t ac = vzipq_f32(p[0], p[2]), bd = vzipq_f32(p[1], p[3]); /* a0 c0 a1 c1, a2 c2 a3 c3 */
    const float32x4x2_t xy = vzipq_f32(ac.val[0], bd.val[0]);
    out[0] = xy.val[0];
    out[1] = xy.val[1];
    out[2] = vzip1q_f32(ac.val[1], bd.val[1]);
}
VP_INLINE c32x8 c32x8_of_bits(uint32_t bits)
{
    static const uint8_t four_times[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    static const uint8_t byte[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    const uint8x8_t lanes = vshl_n_u8(vreinterpret_u8_u64(vld1_u64(&vp_compress_order[bits])), 2);
    const uint8x16_t both = vcombine_u8(lanes, lanes), at = vld1q_u8(four_times), plus = vld1q_u8(byte);
    return (c32x8){vaddq_u8(vqtbl1q_u8(both, at), plus), vaddq_u8(vqtbl1q_u8(both, vaddq_u8(at, vdupq_n_u8(4))), plus)};
}
VP_INLINE f32x4 vp_permute_two(f32x4 low, f32x4 high, uint8x16_t places)
{
    const uint8x16x2_t bytes = {{vreinterpretq_u8_f32(low), vreinterpretq_u8_f32(high)}};
    return vreinterpretq_f32_u8(vqtbl2q_u8(bytes, places));
}
#include "optimized/simd/pairs.h"

VP_INLINE u64x8 u64x8_of_bytes(uint64_t x)
{
    const uint16x8_t all = vmovl_u8(vcreate_u8(x));
    const uint32x4_t low = vmovl_u16(vget_low_u16(all)), high = vmovl_u16(vget_high_u16(all));
    return (u64x8){{vmovl_u32(vget_low_u32(low)), vmovl_u32(vget_high_u32(low))},
                   {vmovl_u32(vget_low_u32(high)), vmovl_u32(vget_high_u32(high))}};
}
VP_INLINE u64x2 u64x8_fold_or(u64x8 a) { return u64x2_or(u64x2_or(a.low.low, a.low.high), u64x2_or(a.high.low, a.high.high)); }
VP_INLINE m64x8 m64x8_of_bits(uint32_t x)
{
    static const uint64_t place[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint64x2_t all = vdupq_n_u64(x);
    return (m64x8){{vtstq_u64(all, vld1q_u64(place)), vtstq_u64(all, vld1q_u64(place + 2))},
                   {vtstq_u64(all, vld1q_u64(place + 4)), vtstq_u64(all, vld1q_u64(place + 6))}};
}
/* Each lane is cut to one bit, and pairwise additions sum eight lanes to a byte. */
VP_INLINE uint64_t m8x64_movemask(m8x64 m)
{
    static const uint8_t place[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bit = vld1q_u8(place);
    const uint8x16_t low = vpaddq_u8(vandq_u8(m.low.low, bit), vandq_u8(m.low.high, bit));
    const uint8x16_t sum = vpaddq_u8(low, vpaddq_u8(vandq_u8(m.high.low, bit), vandq_u8(m.high.high, bit)));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
}
VP_INLINE uint32_t m8x32_movemask(m8x32 m)
{
    static const uint8_t place[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bit = vld1q_u8(place), sum = vpaddq_u8(vandq_u8(m.low, bit), vandq_u8(m.high, bit)), two = vpaddq_u8(sum, sum);
    return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(two, two)), 0);
}
/* Lanes are narrowed to bytes, so that one addition serves all eight. */
VP_INLINE f32x8 f32x8_load_u8(const uint8_t *from)
{
    const uint16x8_t n = vmovl_u8(vld1_u8(from));
    return (f32x8){vcvtq_f32_u32(vmovl_u16(vget_low_u16(n))), vcvtq_f32_u32(vmovl_u16(vget_high_u16(n)))};
}
VP_INLINE uint32_t i32x8_sign_bits(i32x8 a) { return m32x8_movemask((m32x8){vcltzq_s32(a.low), vcltzq_s32(a.high)}); }
VP_INLINE bool u8x64_any_negative(u8x64 a)
{
    return vmaxvq_u8(vorrq_u8(vorrq_u8(a.low.low, a.low.high), vorrq_u8(a.high.low, a.high.high))) >= 128;
}
VP_INLINE bool u8x64_all_negative(u8x64 a)
{
    return vminvq_u8(vandq_u8(vandq_u8(a.low.low, a.low.high), vandq_u8(a.high.low, a.high.high))) >= 128;
}
VP_INLINE uint32_t m16x16_movemask(m16x16 m) { return m16x8_movemask(m.low) | m16x8_movemask(m.high) << 8; }

#define VP_F32N 4
#define VP_F32W 8
#define VP_F64N 2

#endif
