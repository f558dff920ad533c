/* SPDX-License-Identifier: MIT */
/* The vocabulary in plain C. README.md lists all operations. Each operation is a loop over lanes, and says what all ISAs do. Every type is
 * its own struct, so this version also finds operands of a wrong type. */
#ifndef VP_OPTIMIZED_SIMD_PLAIN_H
#define VP_OPTIMIZED_SIMD_PLAIN_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "src/core/inline.h"

typedef struct f32x4 {
    float lane[4];
} f32x4;
typedef struct f64x2 {
    double lane[2];
} f64x2;
typedef struct i32x4 {
    int32_t lane[4];
} i32x4;
typedef struct u64x2 {
    uint64_t lane[2];
} u64x2;
typedef struct u8x16 {
    uint8_t lane[16];
} u8x16;
typedef struct u16x8 {
    uint16_t lane[8];
} u16x8;
typedef struct c32x8 {
    i32x4 low, high; /* source of each lane */
} c32x8;
typedef struct m8x16 {
    bool lane[16];
} m8x16;
typedef struct m16x8 {
    bool lane[8];
} m16x8;
typedef struct m32x4 {
    bool lane[4];
} m32x4;
typedef struct m64x2 {
    bool lane[2];
} m64x2;

/* Defines an operation by the value of lane k. */
#define VP_PLAIN(result, lanes, name, parameters, value)                                                                                   \
    VP_INLINE result name parameters                                                                                                       \
    {                                                                                                                                      \
        result out;                                                                                                                        \
        for (int k = 0; k < lanes; k++)                                                                                                    \
            out.lane[k] = value;                                                                                                           \
        return out;                                                                                                                        \
    }

/* f32x4, 4 floats */
VP_PLAIN(f32x4, 4, f32x4_set1, (float x), x)
VP_PLAIN(f32x4, 4, f32x4_load, (const float *from), from[k])
VP_INLINE void f32x4_store(float *to, f32x4 a) { memcpy(to, a.lane, sizeof a.lane); }
VP_PLAIN(f32x4, 4, f32x4_add, (f32x4 a, f32x4 b), a.lane[k] + b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_sub, (f32x4 a, f32x4 b), a.lane[k] - b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_mul, (f32x4 a, f32x4 b), a.lane[k] * b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_div, (f32x4 a, f32x4 b), a.lane[k] / b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_abs, (f32x4 a), fabsf(a.lane[k]))
VP_PLAIN(m32x4, 4, f32x4_cmp_gt, (f32x4 a, f32x4 b), a.lane[k] > b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_select, (m32x4 m, f32x4 a, f32x4 b), m.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(i32x4, 4, f32x4_to_i32, (f32x4 a), (int32_t)a.lane[k])
VP_INLINE void f32x4_load3(const float *from, f32x4 *x, f32x4 *y, f32x4 *z)
{
    for (int k = 0; k < 4; k++) {
        x->lane[k] = from[3 * k];
        y->lane[k] = from[3 * k + 1];
        z->lane[k] = from[3 * k + 2];
    }
}
VP_PLAIN(m32x4, 4, f32x4_cmp_lt, (f32x4 a, f32x4 b), a.lane[k] < b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_max, (f32x4 a, f32x4 b), a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_min_fast, (f32x4 a, f32x4 b), a.lane[k] < b.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(m32x4, 4, f32x4_cmp_le, (f32x4 a, f32x4 b), a.lane[k] <= b.lane[k])
VP_PLAIN(i32x4, 4, f32x4_floor_to_i32, (f32x4 a), (int32_t)floorf(a.lane[k]))
VP_PLAIN(f32x4, 4, f32x4_load_xyz_fast, (const float *from), from[k < 3 ? k : 2]) /* the last lane is unspecified */
VP_PLAIN(f32x4, 4, f32x4_max_fast, (f32x4 a, f32x4 b), a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_load_xyz, (const float *from), k < 3 ? from[k] : 0.0f)
VP_PLAIN(f32x4, 4, f32x4_load_u8, (const uint8_t *from), (float)from[k])
VP_INLINE i32x4 f32x4_as_i32(f32x4 a)
{
    i32x4 out;
    memcpy(out.lane, a.lane, sizeof out.lane);
    return out;
}
VP_PLAIN(f32x4, 4, f32x4_permute, (f32x4 a, i32x4 at), a.lane[at.lane[k] & 3]) /* of other places than 0 to 3 any lane */
VP_INLINE float f32x4_first(f32x4 a) { return a.lane[0]; }
/* The largest lane, in all lanes. No lane is NaN. */
VP_INLINE f32x4 f32x4_max_across(f32x4 a)
{
    float largest = a.lane[0];
    for (int k = 1; k < 4; k++)
        largest = a.lane[k] > largest ? a.lane[k] : largest;
    return f32x4_set1(largest);
}
VP_INLINE void f32x4_transpose4(const f32x4 from[4], f32x4 to[4])
{
    for (int k = 0; k < 4; k++)
        to[k] = (f32x4){{from[0].lane[k], from[1].lane[k], from[2].lane[k], from[3].lane[k]}};
}
VP_INLINE void f32x4_store4(void *to, f32x4 a, f32x4 b, f32x4 c, f32x4 d)
{
    const f32x4 from[4] = {a, b, c, d};
    f32x4 row[4];
    f32x4_transpose4(from, row);
    memcpy(to, row, sizeof row);
}
VP_INLINE float f32x4_reduce_min(f32x4 a) { return fminf(fminf(a.lane[0], a.lane[1]), fminf(a.lane[2], a.lane[3])); }
VP_INLINE float f32x4_reduce_max(f32x4 a) { return fmaxf(fmaxf(a.lane[0], a.lane[1]), fmaxf(a.lane[2], a.lane[3])); }
VP_PLAIN(f32x4, 4, f32x4_neg, (f32x4 a), -a.lane[k])
VP_PLAIN(m32x4, 4, f32x4_cmp_eq, (f32x4 a, f32x4 b), a.lane[k] == b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_min, (f32x4 a, f32x4 b), a.lane[k] < b.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(f32x4, 4, f32x4_maskz, (m32x4 m, f32x4 a), m.lane[k] ? a.lane[k] : 0.0f)
VP_PLAIN(f32x4, 4, f32x4_interleave_low, (f32x4 a, f32x4 b), (k % 2 == 0 ? a : b).lane[k / 2])
VP_PLAIN(f32x4, 4, f32x4_ext_second, (f32x4 a, f32x4 b), k < 3 ? a.lane[k + 1] : b.lane[0])
VP_INLINE float f32x4_sum(f32x4 a) { return (a.lane[0] + a.lane[2]) + (a.lane[1] + a.lane[3]); }
VP_INLINE uint32_t f32x4_argmin(f32x4 a)
{
    uint32_t first = 0;
    for (uint32_t k = 1; k < 4; k++)
        first = a.lane[k] < a.lane[first] ? k : first;
    return first;
}
VP_PLAIN(f32x4, 4, f32x4_min_where, (m32x4 m, f32x4 a, f32x4 b), m.lane[k] && a.lane[k] < b.lane[k] ? a.lane[k] : b.lane[k])
VP_INLINE void f32x4_store3(float *to, f32x4 x, f32x4 y, f32x4 z)
{
    for (int k = 0; k < 4; k++) {
        to[3 * k] = x.lane[k];
        to[3 * k + 1] = y.lane[k];
        to[3 * k + 2] = z.lane[k];
    }
}
VP_PLAIN(f32x4, 4, f32x4_sqrt, (f32x4 a), sqrtf(a.lane[k]))

/* i32x4, 4 integers */
VP_PLAIN(i32x4, 4, i32x4_set1, (int32_t x), x)
VP_INLINE i32x4 i32x4_load(const void *from)
{
    i32x4 out;
    memcpy(out.lane, from, sizeof out.lane);
    return out;
}
VP_INLINE void i32x4_store(void *to, i32x4 a) { memcpy(to, a.lane, sizeof a.lane); }
VP_PLAIN(i32x4, 4, i32x4_iota, (void), k)
VP_PLAIN(i32x4, 4, i32x4_add, (i32x4 a, i32x4 b), (int32_t)((uint32_t)a.lane[k] + (uint32_t)b.lane[k]))
VP_PLAIN(m32x4, 4, i32x4_cmp_eq, (i32x4 a, i32x4 b), a.lane[k] == b.lane[k])
VP_PLAIN(i32x4, 4, i32x4_select, (m32x4 m, i32x4 a, i32x4 b), m.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(f32x4, 4, i32x4_to_f32, (i32x4 a), (float)a.lane[k])
VP_PLAIN(i32x4, 4, i32x4_sub, (i32x4 a, i32x4 b), (int32_t)((uint32_t)a.lane[k] - (uint32_t)b.lane[k]))
VP_PLAIN(i32x4, 4, i32x4_mul, (i32x4 a, i32x4 b), (int32_t)((uint32_t)a.lane[k] * (uint32_t)b.lane[k]))
VP_PLAIN(i32x4, 4, i32x4_min, (i32x4 a, i32x4 b), a.lane[k] < b.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(i32x4, 4, i32x4_and, (i32x4 a, i32x4 b), a.lane[k] & b.lane[k])
VP_PLAIN(m32x4, 4, i32x4_cmp_lt, (i32x4 a, i32x4 b), a.lane[k] < b.lane[k])
VP_PLAIN(i32x4, 4, i32x4_max, (i32x4 a, i32x4 b), a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(i32x4, 4, i32x4_or, (i32x4 a, i32x4 b), a.lane[k] | b.lane[k])
VP_PLAIN(i32x4, 4, i32x4_xor, (i32x4 a, i32x4 b), a.lane[k] ^ b.lane[k])
VP_PLAIN(i32x4, 4, i32x4_shl, (i32x4 a, unsigned n), (int32_t)((uint32_t)a.lane[k] << n))
VP_PLAIN(i32x4, 4, i32x4_shr, (i32x4 a, unsigned n), (int32_t)((uint32_t)a.lane[k] >> n))
VP_PLAIN(i32x4, 4, i32x4_sra, (i32x4 a, unsigned n), a.lane[k] >> n)
VP_PLAIN(i32x4, 4, i32x4_shlv, (i32x4 a, i32x4 n), (int32_t)((uint32_t)a.lane[k] << (n.lane[k] & 31)))
VP_PLAIN(m32x4, 4, i32x4_cmp_gt, (i32x4 a, i32x4 b), a.lane[k] > b.lane[k])
#define i32x4_lane(a, k) ((a).lane[k])
VP_PLAIN(m32x4, 4, i32x4_test_bit, (i32x4 a, unsigned n), ((uint32_t)a.lane[k] >> n & 1) != 0)
VP_PLAIN(i32x4, 4, i32x4_of_mask, (m32x4 m), m.lane[k] ? -1 : 0)
VP_PLAIN(i32x4, 4, i32x4_maskz, (m32x4 m, i32x4 a), m.lane[k] ? a.lane[k] : 0)
VP_PLAIN(i32x4, 4, i32x4_load_u8, (const uint8_t *from), from[k])
VP_PLAIN(i32x4, 4, i32x4_load_u16, (const uint16_t *from), from[k])
VP_PLAIN(i32x4, 4, i32x4_of_u16, (uint64_t x), (int32_t)(x >> 16 * k & 0xffff))
VP_INLINE f32x4 i32x4_as_f32(i32x4 a)
{
    f32x4 out;
    memcpy(out.lane, a.lane, sizeof out.lane);
    return out;
}
VP_INLINE int32_t i32x4_first(i32x4 a) { return a.lane[0]; }
VP_PLAIN(f32x4, 4, i32x4_reciprocal, (i32x4 a), 1.0f / (float)(a.lane[k] > 0 ? a.lane[k] : 1)) /* a is from 0 to 15 */

/* f64x2, 2 doubles */
VP_PLAIN(f64x2, 2, f64x2_set1, (double x), x)
VP_PLAIN(f64x2, 2, f64x2_iota, (void), (double)k)
VP_PLAIN(f64x2, 2, f64x2_load, (const double *from), from[k])
VP_PLAIN(f64x2, 2, f64x2_load_f32, (const float *from), (double)from[k])
VP_INLINE void f64x2_store(double *to, f64x2 a) { memcpy(to, a.lane, sizeof a.lane); }
VP_INLINE void f64x2_store_i32(void *to, f64x2 a)
{
    const int32_t whole[2] = {(int32_t)a.lane[0], (int32_t)a.lane[1]};
    memcpy(to, whole, sizeof whole);
}
VP_PLAIN(f64x2, 2, f64x2_add, (f64x2 a, f64x2 b), a.lane[k] + b.lane[k])
VP_PLAIN(f64x2, 2, f64x2_sub, (f64x2 a, f64x2 b), a.lane[k] - b.lane[k])
VP_PLAIN(f64x2, 2, f64x2_mul, (f64x2 a, f64x2 b), a.lane[k] * b.lane[k])
VP_PLAIN(f64x2, 2, f64x2_max_fast, (f64x2 a, f64x2 b), a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(f64x2, 2, f64x2_abs, (f64x2 a), fabs(a.lane[k]))
VP_PLAIN(m64x2, 2, f64x2_cmp_gt, (f64x2 a, f64x2 b), a.lane[k] > b.lane[k])
VP_PLAIN(f64x2, 2, f64x2_select, (m64x2 m, f64x2 a, f64x2 b), m.lane[k] ? a.lane[k] : b.lane[k])
VP_INLINE f64x2 f64x2_rsqrt_estimate(f64x2 a)
{
    uint64_t bits[2];
    memcpy(bits, a.lane, sizeof bits);
    for (int k = 0; k < 2; k++)
        bits[k] = UINT64_C(0x5fe6eb50c7b537a9) - (bits[k] >> 1);
    memcpy(a.lane, bits, sizeof bits);
    return a;
}
VP_PLAIN(f64x2, 2, f64x2_div, (f64x2 a, f64x2 b), a.lane[k] / b.lane[k])
VP_PLAIN(f64x2, 2, f64x2_min_fast, (f64x2 a, f64x2 b), a.lane[k] < b.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(m64x2, 2, f64x2_cmp_ge, (f64x2 a, f64x2 b), a.lane[k] >= b.lane[k])
VP_PLAIN(m64x2, 2, f64x2_cmp_eq, (f64x2 a, f64x2 b), a.lane[k] == b.lane[k])
VP_PLAIN(f64x2, 2, f32x4_low_to_f64, (f32x4 a), (double)a.lane[k])
VP_PLAIN(f64x2, 2, f32x4_high_to_f64, (f32x4 a), (double)a.lane[2 + k])
VP_PLAIN(f32x4, 4, f64x2_two_to_f32, (f64x2 low, f64x2 high), (float)(k < 2 ? low : high).lane[k % 2])

/* u64x2, 2 words */
VP_PLAIN(u64x2, 2, u64x2_set1, (uint64_t x), x)
VP_PLAIN(u64x2, 2, u64x2_load, (const uint64_t *from), from[k])
VP_INLINE void u64x2_store(uint64_t *to, u64x2 a) { memcpy(to, a.lane, sizeof a.lane); }
VP_PLAIN(u64x2, 2, u64x2_and, (u64x2 a, u64x2 b), a.lane[k] & b.lane[k])
VP_PLAIN(u64x2, 2, u64x2_or, (u64x2 a, u64x2 b), a.lane[k] | b.lane[k])
VP_PLAIN(u64x2, 2, u64x2_not, (u64x2 a), ~a.lane[k])
VP_PLAIN(u64x2, 2, u64x2_bitselect, (u64x2 m, u64x2 a, u64x2 b), (m.lane[k] & a.lane[k]) | (~m.lane[k] & b.lane[k]))
VP_PLAIN(u64x2, 2, u64x2_shl, (u64x2 a, unsigned n), a.lane[k] << n)
VP_PLAIN(u64x2, 2, u64x2_shr, (u64x2 a, unsigned n), a.lane[k] >> n)
/* Lanes of `a` from its second, or last, on; then those of `b`. */
VP_INLINE u64x2 u64x2_ext_second(u64x2 a, u64x2 b) { return (u64x2){{a.lane[1], b.lane[0]}}; }
VP_INLINE u64x2 u64x2_ext_last(u64x2 a, u64x2 b) { return (u64x2){{a.lane[1], b.lane[0]}}; }
VP_INLINE bool u64x2_any(u64x2 a) { return (a.lane[0] | a.lane[1]) != 0; }
VP_PLAIN(u64x2, 2, u64x2_maskz, (m64x2 m, u64x2 a), m.lane[k] ? a.lane[k] : 0)
VP_PLAIN(m64x2, 2, u64x2_testn, (u64x2 a, u64x2 b), (a.lane[k] & b.lane[k]) == 0)
VP_PLAIN(u64x2, 2, u64x2_xor, (u64x2 a, u64x2 b), a.lane[k] ^ b.lane[k])

/* u8x16, 16 bytes */
VP_PLAIN(u8x16, 16, u8x16_set1, (uint8_t x), x)
VP_PLAIN(u8x16, 16, u8x16_load, (const uint8_t *from), from[k])
VP_PLAIN(u8x16, 16, u8x16_load_rows, (const uint8_t *from, size_t stride), from[(size_t)(k / 8) * stride + (size_t)(k % 8)])
VP_PLAIN(m8x16, 16, u8x16_cmp_eq, (u8x16 a, u8x16 b), a.lane[k] == b.lane[k])
VP_PLAIN(m8x16, 16, u8x16_cmp_ge, (u8x16 a, uint8_t n), a.lane[k] >= n) /* n is from 1 to 128 */
VP_INLINE void u8x16_store(uint8_t *to, u8x16 a) { memcpy(to, a.lane, sizeof a.lane); }
VP_PLAIN(u8x16, 16, u8x16_sub, (u8x16 a, u8x16 b), (uint8_t)(a.lane[k] - b.lane[k]))
VP_PLAIN(u8x16, 16, u8x16_and, (u8x16 a, u8x16 b), a.lane[k] & b.lane[k])
VP_PLAIN(u8x16, 16, u8x16_or, (u8x16 a, u8x16 b), a.lane[k] | b.lane[k])
VP_PLAIN(u8x16, 16, u8x16_abs_diff, (u8x16 a, u8x16 b), (uint8_t)(a.lane[k] > b.lane[k] ? a.lane[k] - b.lane[k] : b.lane[k] - a.lane[k]))
VP_PLAIN(m8x16, 16, u8x16_cmp_le, (u8x16 a, u8x16 b), a.lane[k] <= b.lane[k])
VP_PLAIN(m8x16, 16, u8x16_is_negative, (u8x16 a), a.lane[k] >= 128)
VP_PLAIN(u8x16, 16, u8x16_of_mask, (m8x16 m), m.lane[k] ? 255 : 0)
VP_PLAIN(u8x16, 16, u8x16_maskz, (m8x16 m, u8x16 a), m.lane[k] ? a.lane[k] : 0)
VP_PLAIN(u8x16, 16, u8x16_select, (m8x16 m, u8x16 a, u8x16 b), m.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(u8x16, 16, u8x16_blend_halves, (u8x16 a, u8x16 b), k % 8 < 4 ? a.lane[k] : b.lane[k])
VP_PLAIN(u8x16, 16, u8x16_interleave_low_words, (u8x16 a, u8x16 b), k < 8 ? a.lane[k] : b.lane[k - 8])
VP_PLAIN(u8x16, 16, u8x16_interleave_high_words, (u8x16 a, u8x16 b), k < 8 ? a.lane[k + 8] : b.lane[k])
VP_PLAIN(u8x16, 16, u8x16_rotate_blocks, (u8x16 a), a.lane[(k + 1) % 16])
VP_PLAIN(u8x16, 16, u8x16_load_halves, (const uint8_t *low, const uint8_t *high), k < 8 ? low[k] : high[k - 8])
VP_INLINE void u8x16_store_low(uint8_t *to, u8x16 a) { memcpy(to, a.lane, 8); }
VP_PLAIN(u8x16, 16, u8x16_of_words, (uint64_t low, uint64_t high), (uint8_t)((k < 8 ? low : high) >> 8 * (k % 8)))
VP_PLAIN(u8x16, 16, u8x16_permute, (u8x16 a, u8x16 at), a.lane[at.lane[k]]) /* places are below 16 */
VP_PLAIN(u8x16, 16, u8x16_interleave_low, (u8x16 a, u8x16 b), k % 2 == 0 ? a.lane[k / 2] : b.lane[k / 2])
VP_PLAIN(u16x8, 8, u8x16_as_u16, (u8x16 a), (uint16_t)(a.lane[2 * k] | a.lane[2 * k + 1] << 8))
VP_PLAIN(u8x16, 16, u8x16_xor, (u8x16 a, u8x16 b), a.lane[k] ^ b.lane[k])
VP_PLAIN(m8x16, 16, m8x16_of_bits, (uint32_t x), (x >> k & 1) != 0)
VP_INLINE uint32_t m8x16_movemask_pair(m8x16 low, m8x16 high)
{
    uint32_t bits = 0;
    for (int k = 0; k < 16; k++)
        bits |= (uint32_t)low.lane[k] << k | (uint32_t)high.lane[k] << (16 + k);
    return bits;
}

/* u16x8, 8 integers of 16 bits */
VP_PLAIN(u16x8, 8, u16x8_set1, (uint16_t x), x)
VP_PLAIN(u16x8, 8, u16x8_replace, (u16x8 a, uint32_t at, uint16_t x), (uint32_t)k == at ? x : a.lane[k])
VP_INLINE uint32_t u16x8_min_across(u16x8 a)
{
    uint16_t least = UINT16_MAX;
    for (int k = 0; k < 8; k++)
        least = a.lane[k] < least ? a.lane[k] : least;
    return least;
}
VP_PLAIN(u16x8, 8, u16x8_load, (const uint16_t *from), from[k])
VP_INLINE void u16x8_store(uint16_t *to, u16x8 a) { memcpy(to, a.lane, sizeof a.lane); }
VP_PLAIN(u16x8, 8, u16x8_add, (u16x8 a, u16x8 b), (uint16_t)(a.lane[k] + b.lane[k]))
VP_PLAIN(u16x8, 8, u16x8_and, (u16x8 a, u16x8 b), a.lane[k] & b.lane[k])
VP_PLAIN(u16x8, 8, u16x8_or, (u16x8 a, u16x8 b), a.lane[k] | b.lane[k])
VP_PLAIN(u16x8, 8, u16x8_xor, (u16x8 a, u16x8 b), a.lane[k] ^ b.lane[k])
VP_PLAIN(u16x8, 8, u16x8_andnot, (u16x8 a, u16x8 b), (uint16_t)(a.lane[k] & ~b.lane[k]))
VP_PLAIN(u16x8, 8, u16x8_shl, (u16x8 a, unsigned n), (uint16_t)(a.lane[k] << n))
VP_PLAIN(u16x8, 8, u16x8_shr, (u16x8 a, unsigned n), (uint16_t)(a.lane[k] >> n))
VP_PLAIN(m16x8, 8, u16x8_cmp_eq, (u16x8 a, u16x8 b), a.lane[k] == b.lane[k])
VP_PLAIN(u16x8, 8, u16x8_maskz, (m16x8 m, u16x8 a), m.lane[k] ? a.lane[k] : 0)
VP_PLAIN(u16x8, 8, u16x8_select, (m16x8 m, u16x8 a, u16x8 b), m.lane[k] ? a.lane[k] : b.lane[k])
VP_PLAIN(u16x8, 8, u16x8_ext_second, (u16x8 a, u16x8 b), k < 7 ? a.lane[k + 1] : b.lane[0])
VP_PLAIN(u16x8, 8, u16x8_interleave_low, (u16x8 a, u16x8 b), k % 2 == 0 ? a.lane[k / 2] : b.lane[k / 2])
VP_PLAIN(u16x8, 8, u16x8_interleave_high, (u16x8 a, u16x8 b), k % 2 == 0 ? a.lane[4 + k / 2] : b.lane[4 + k / 2])
VP_PLAIN(u16x8, 8, u16x8_of_bytes, (uint64_t x), (uint16_t)(x >> 8 * k & 0xff))
VP_PLAIN(u8x16, 16, u16x8_as_u8, (u16x8 a), (uint8_t)(a.lane[k / 2] >> 8 * (k % 2)))
VP_INLINE void u16x8_store4(uint16_t *to, u16x8 a, u16x8 b, u16x8 c, u16x8 d)
{
    for (int k = 0; k < 8; k++) {
        to[4 * k] = a.lane[k];
        to[4 * k + 1] = b.lane[k];
        to[4 * k + 2] = c.lane[k];
        to[4 * k + 3] = d.lane[k];
    }
}
VP_PLAIN(m16x8, 8, m16x8_of_bits, (uint32_t x), (x >> k & 1) != 0)
VP_INLINE uint32_t m16x8_movemask(m16x8 m)
{
    uint32_t bits = 0;
    for (int k = 0; k < 8; k++)
        bits |= (uint32_t)m.lane[k] << k;
    return bits;
}

/* masks */
VP_INLINE uint32_t m8x16_movemask(m8x16 m)
{
    uint32_t bits = 0;
    for (int k = 0; k < 16; k++)
        bits |= (uint32_t)m.lane[k] << k;
    return bits;
}
VP_INLINE uint32_t m64x2_movemask(m64x2 m) { return (uint32_t)m.lane[0] | (uint32_t)m.lane[1] << 1; }
VP_INLINE uint32_t m32x4_movemask(m32x4 m)
{
    return (uint32_t)m.lane[0] | (uint32_t)m.lane[1] << 1 | (uint32_t)m.lane[2] << 2 | (uint32_t)m.lane[3] << 3;
}
VP_PLAIN(m64x2, 2, m64x2_zero, (void), false)
VP_PLAIN(m64x2, 2, m64x2_and, (m64x2 a, m64x2 b), a.lane[k] && b.lane[k])
VP_PLAIN(m64x2, 2, m64x2_or, (m64x2 a, m64x2 b), a.lane[k] || b.lane[k])
VP_PLAIN(m64x2, 2, m64x2_andnot, (m64x2 a, m64x2 b), a.lane[k] && !b.lane[k])
VP_INLINE bool m64x2_any(m64x2 m) { return m.lane[0] || m.lane[1]; }
VP_PLAIN(m32x4, 4, m32x4_and, (m32x4 a, m32x4 b), a.lane[k] && b.lane[k])
VP_PLAIN(m8x16, 16, m8x16_and, (m8x16 a, m8x16 b), a.lane[k] && b.lane[k])
VP_PLAIN(m32x4, 4, m32x4_or, (m32x4 a, m32x4 b), a.lane[k] || b.lane[k])
VP_PLAIN(m32x4, 4, m32x4_andnot, (m32x4 a, m32x4 b), a.lane[k] && !b.lane[k])
VP_PLAIN(m32x4, 4, m32x4_of_bits, (uint32_t x), (x >> k & 1) != 0)
VP_PLAIN(m32x4, 4, m64x2_two_to_m32, (m64x2 low, m64x2 high), (k < 2 ? low : high).lane[k % 2])

/* gather */
VP_PLAIN(f32x4, 4, f32x4_gather, (const float *table, i32x4 at), table[at.lane[k]])
VP_PLAIN(i32x4, 4, i32x4_gather, (const int32_t *table, i32x4 at), table[at.lane[k]])
VP_PLAIN(i32x4, 4, i32x4_gather_u8, (const uint8_t *table, i32x4 at), table[at.lane[k]]) /* may read 3 bytes after each */

/* compress_store */
VP_INLINE void i32x4_compress_store(void *to, uint32_t bits, i32x4 a)
{
    char *next = (char *)to;
    for (int k = 0; k < 4; k++)
        if ((bits >> k & 1) != 0) {
            memcpy(next, &a.lane[k], 4);
            next += 4;
        }
}
VP_INLINE void f32x4_compress_store(float *to, uint32_t bits, f32x4 a)
{
    for (int k = 0; k < 4; k++)
        if ((bits >> k & 1) != 0)
            *to++ = a.lane[k];
}
/* Parts of operations on eight lanes, for pairs.h. */
VP_INLINE m32x4 vp_upper_of_bits(uint32_t x) { return m32x4_of_bits(x >> 4); }
VP_INLINE uint32_t vp_movemask_two(m32x4 low, m32x4 high) { return m32x4_movemask(low) | m32x4_movemask(high) << 4; }
VP_INLINE float vp_min_of_four(f32x4 a) { return fminf(fminf(a.lane[0], a.lane[1]), fminf(a.lane[2], a.lane[3])); }
VP_INLINE f32x4 vp_min_across_three(f32x4 a, f32x4 b, f32x4 c)
{
    return (f32x4){{vp_min_of_four(a), vp_min_of_four(b), vp_min_of_four(c), vp_min_of_four(c)}};
}
VP_INLINE void vp_transpose3(const f32x4 p[4], f32x4 out[3])
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++)
            out[k].lane[i] = p[i].lane[k];
}
/* The lanes whose bits are set, then the others. */
VP_INLINE c32x8 c32x8_of_bits(uint32_t bits)
{
    int32_t from[8], next = 0;
    for (uint32_t wanted = 1; wanted != UINT32_MAX; wanted--)
        for (int32_t k = 0; k < 8; k++)
            if ((bits >> k & 1) == wanted)
                from[next++] = k;
    return (c32x8){i32x4_load(from), i32x4_load(from + 4)};
}
VP_INLINE f32x4 vp_permute_two(f32x4 low, f32x4 high, i32x4 from)
{
    float all[8];
    f32x4_store(all, low);
    f32x4_store(all + 4, high);
    return (f32x4){{all[from.lane[0]], all[from.lane[1]], all[from.lane[2]], all[from.lane[3]]}};
}

#include "optimized/simd/pairs.h"

VP_PLAIN(u64x2, 2, u64x2_of_bytes, (uint64_t x), x >> 8 * k & 0xff)
VP_INLINE u64x8 u64x8_of_bytes(uint64_t x)
{
    return (u64x8){{u64x2_of_bytes(x), u64x2_of_bytes(x >> 16)}, {u64x2_of_bytes(x >> 32), u64x2_of_bytes(x >> 48)}};
}
VP_PLAIN(m64x2, 2, m64x2_of_bits, (uint32_t x), (x >> k & 1) != 0)
VP_INLINE m64x8 m64x8_of_bits(uint32_t x)
{
    return (m64x8){{m64x2_of_bits(x), m64x2_of_bits(x >> 2)}, {m64x2_of_bits(x >> 4), m64x2_of_bits(x >> 6)}};
}
/* OR of all lanes in one native vector. */
VP_INLINE u64x2 u64x8_fold_or(u64x8 a) { return u64x2_or(u64x2_or(a.low.low, a.low.high), u64x2_or(a.high.low, a.high.high)); }
VP_INLINE f32x8 f32x8_load_u8(const uint8_t *from) { return (f32x8){f32x4_load_u8(from), f32x4_load_u8(from + 4)}; }
/* The sign bits of all lanes. */
VP_INLINE uint32_t i32x8_sign_bits(i32x8 a)
{
    uint32_t bits = 0;
    for (int k = 0; k < 4; k++)
        bits |= ((uint32_t)a.low.lane[k] >> 31) << k | ((uint32_t)a.high.lane[k] >> 31) << (k + 4);
    return bits;
}
VP_INLINE uint32_t m16x16_movemask(m16x16 m) { return m16x8_movemask(m.low) | m16x8_movemask(m.high) << 8; }
/* Whether the top bit of a byte, or of every byte, is set. */
VP_INLINE bool u8x64_any_negative(u8x64 a) { return m8x64_movemask(u8x64_is_negative(a)) != 0; }
VP_INLINE bool u8x64_all_negative(u8x64 a) { return m8x64_movemask(u8x64_is_negative(a)) == UINT64_MAX; }

#define VP_F32N 4
#define VP_F32W 8
#define VP_F64N 2

/* Operations are inlined always. In the bodies of kernels, the compiler chooses: forced inlining makes them three times as large, and gcc
 * needs seven times as long. */
#undef VP_INLINE
#define VP_INLINE static inline

#endif
