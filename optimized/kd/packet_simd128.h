/* SPDX-License-Identifier: MIT */
/* The vocabulary of ray packets on WebAssembly's 128 bits. Eight rays are two v128, sixteen four, and eight doubles are
 * four. Masks are vectors of lanes that are all ones or zeros, and v128.bitselect selects by them. Bits become lanes by
 * a test with each lane's own bit. Rays and hits are transposed as matrices of 4 x 4 numbers, by four shuffles of words
 * and four of pairs of words. Included after lanes_simd128.h. */
#ifndef VP_OPTIMIZED_KD_PACKET_SIMD128_H
#define VP_OPTIMIZED_KD_PACKET_SIMD128_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#define VP_UNIT_OF_16 8 /* rays in a pair of registers, of packets of sixteen */

typedef struct m8 {
    v128_t low, high;
} m8;

static inline f8 f8_add(f8 a, f8 b)
{
    return (f8){wasm_f32x4_add(a.low, b.low), wasm_f32x4_add(a.high, b.high)};
}

static inline f8 f8_div(f8 a, f8 b)
{
    return (f8){wasm_f32x4_div(a.low, b.low), wasm_f32x4_div(a.high, b.high)};
}

static inline f8 f8_abs(f8 a)
{
    return (f8){wasm_f32x4_abs(a.low), wasm_f32x4_abs(a.high)};
}

static inline f8 f8_of_bits(uint32_t bits)
{
    const v128_t lanes = wasm_i32x4_splat((int32_t)bits);
    return (f8){lanes, lanes};
}

/* The power of two of each lane, its exponent's bits alone. */
static inline f8 f8_power(f8 a)
{
    const v128_t exponent = wasm_i32x4_splat(0x7f800000);
    return (f8){wasm_v128_and(a.low, exponent), wasm_v128_and(a.high, exponent)};
}

static inline f8 f8_pick(m8 where, f8 yes, f8 no)
{
    return (f8){wasm_v128_bitselect(yes.low, no.low, where.low), wasm_v128_bitselect(yes.high, no.high, where.high)};
}

static inline v128_t lanes_of_bits(uint32_t bits, v128_t bit)
{
    return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int32_t)bits), bit), bit);
}

static inline m8 m8_of(uint32_t bits)
{
    return (m8){lanes_of_bits(bits, wasm_i32x4_make(1, 2, 4, 8)), lanes_of_bits(bits, wasm_i32x4_make(16, 32, 64, 128))};
}

static inline uint32_t m8_bits(m8 a)
{
    return lanes_bits(a.low, a.high);
}

static inline m8 m8_and(m8 a, m8 b)
{
    return (m8){wasm_v128_and(a.low, b.low), wasm_v128_and(a.high, b.high)};
}

static inline m8 m8_or(m8 a, m8 b)
{
    return (m8){wasm_v128_or(a.low, b.low), wasm_v128_or(a.high, b.high)};
}

/* Mask of the comparison AND `of`. */
static inline m8 m8_lt(m8 of, f8 a, f8 b)
{
    return m8_and(of, (m8){wasm_f32x4_lt(a.low, b.low), wasm_f32x4_lt(a.high, b.high)});
}

static inline m8 m8_le(m8 of, f8 a, f8 b)
{
    return m8_and(of, (m8){wasm_f32x4_le(a.low, b.low), wasm_f32x4_le(a.high, b.high)});
}

static inline m8 m8_eq(m8 of, f8 a, f8 b)
{
    return m8_and(of, (m8){wasm_f32x4_eq(a.low, b.low), wasm_f32x4_eq(a.high, b.high)});
}

/* a < b as integers. */
static inline m8 m8_before(m8 of, f8 a, f8 b)
{
    return m8_and(of, (m8){wasm_i32x4_lt(a.low, b.low), wasm_i32x4_lt(a.high, b.high)});
}

/* The maximum and the minimum of eight. */
static inline float f8_most(f8 a)
{
    v128_t most = wasm_f32x4_pmax(a.low, a.high);
    most = wasm_f32x4_pmax(most, wasm_i32x4_shuffle(most, most, 2, 3, 0, 1));
    most = wasm_f32x4_pmax(most, wasm_i32x4_shuffle(most, most, 1, 0, 3, 2));
    return wasm_f32x4_extract_lane(most, 0);
}

static inline float f8_least(f8 a)
{
    v128_t least = wasm_f32x4_pmin(a.low, a.high);
    least = wasm_f32x4_pmin(least, wasm_i32x4_shuffle(least, least, 2, 3, 0, 1));
    least = wasm_f32x4_pmin(least, wasm_i32x4_shuffle(least, least, 1, 0, 3, 2));
    return wasm_f32x4_extract_lane(least, 0);
}

/* ---- eight doubles ---- */

typedef struct d8 {
    v128_t of[4];
} d8;

/* The upper two lanes, moved to the lower ones. */
static inline v128_t upper_two(v128_t a)
{
    return wasm_i64x2_shuffle(a, a, 1, 0);
}

static inline d8 d8_of(f8 a)
{
    return (d8){{wasm_f64x2_promote_low_f32x4(a.low), wasm_f64x2_promote_low_f32x4(upper_two(a.low)), wasm_f64x2_promote_low_f32x4(a.high),
                 wasm_f64x2_promote_low_f32x4(upper_two(a.high))}};
}

static inline v128_t narrowed(v128_t a, v128_t b)
{
    return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(a), wasm_f32x4_demote_f64x2_zero(b), 0, 2);
}

static inline f8 d8_narrow(d8 a)
{
    return (f8){narrowed(a.of[0], a.of[1]), narrowed(a.of[2], a.of[3])};
}

#define D8_EACH(name, operation)                                                                                                           \
    static inline d8 name(d8 a, d8 b)                                                                                                      \
    {                                                                                                                                      \
        d8 c;                                                                                                                              \
        for (int i = 0; i < 4; i++)                                                                                                        \
            c.of[i] = operation(a.of[i], b.of[i]);                                                                                         \
        return c;                                                                                                                          \
    }

D8_EACH(d8_add, wasm_f64x2_add)
D8_EACH(d8_sub, wasm_f64x2_sub)
D8_EACH(d8_mul, wasm_f64x2_mul)
D8_EACH(d8_div, wasm_f64x2_div)
#undef D8_EACH

static inline m8 d8_mask(const v128_t of[4])
{
    return (m8){wasm_i32x4_shuffle(of[0], of[1], 0, 2, 4, 6), wasm_i32x4_shuffle(of[2], of[3], 0, 2, 4, 6)};
}

/* Mask of lanes where a, b and c do not have mixed signs. */
static inline m8 d8_one_sign(d8 a, d8 b, d8 c)
{
    const v128_t zero = wasm_f64x2_splat(0.0);
    v128_t one[4];
    for (int i = 0; i < 4; i++) {
        v128_t not_below = wasm_v128_and(wasm_f64x2_ge(a.of[i], zero), wasm_f64x2_ge(b.of[i], zero));
        v128_t not_above = wasm_v128_and(wasm_f64x2_le(a.of[i], zero), wasm_f64x2_le(b.of[i], zero));
        not_below = wasm_v128_and(not_below, wasm_f64x2_ge(c.of[i], zero));
        not_above = wasm_v128_and(not_above, wasm_f64x2_le(c.of[i], zero));
        one[i] = wasm_v128_or(not_below, not_above);
    }
    return d8_mask(one);
}

static inline m8 d8_not_zero(d8 a)
{
    const v128_t zero = wasm_f64x2_splat(0.0);
    v128_t other[4];
    for (int i = 0; i < 4; i++)
        other[i] = wasm_f64x2_ne(a.of[i], zero);
    return d8_mask(other);
}

/* ---- rays and hits ---- */

/* A ray is seven floats. Its first four and its last four are two rows, which share the x of the direction. */
_Static_assert(offsetof(vp_ray, direction) == 12 && offsetof(vp_ray, t_max) == 24, "vp_ray is seven floats");
_Static_assert(sizeof(vp_hit) == 16 && offsetof(vp_hit, v) == 12, "vp_hit is four words");

/* Transposes rows to columns. */
static inline void turn_over(const v128_t row[4], v128_t column[4])
{
    const v128_t low01 = wasm_i32x4_shuffle(row[0], row[1], 0, 4, 1, 5), high01 = wasm_i32x4_shuffle(row[0], row[1], 2, 6, 3, 7);
    const v128_t low23 = wasm_i32x4_shuffle(row[2], row[3], 0, 4, 1, 5), high23 = wasm_i32x4_shuffle(row[2], row[3], 2, 6, 3, 7);
    column[0] = wasm_i64x2_shuffle(low01, low23, 0, 2);
    column[1] = wasm_i64x2_shuffle(low01, low23, 1, 3);
    column[2] = wasm_i64x2_shuffle(high01, high23, 0, 2);
    column[3] = wasm_i64x2_shuffle(high01, high23, 1, 3);
}

/* Lane i of out[k] is component k of ray i: origin, direction, t_max. low and high are the minima and maxima of origins
   (0 to 2), directions (4 to 6) and t_max (7). Rays must not contain NaN. */
static inline void f8_rays(const vp_ray *ray, f8 out[7], float low[8], float high[8])
{
    for (int row = 0; row < 2; row++) {
        v128_t least = wasm_f32x4_splat(INFINITY), most = wasm_f32x4_splat(-INFINITY), lanes[2][4];
        for (int half = 0; half < 2; half++) {
            v128_t r[4];
            for (int i = 0; i < 4; i++) {
                const vp_ray *of = &ray[4 * half + i];
                r[i] = wasm_v128_load(row == 0 ? &of->origin.x : &of->direction.x);
                least = wasm_f32x4_pmin(least, r[i]);
                most = wasm_f32x4_pmax(most, r[i]);
            }
            turn_over(r, lanes[half]);
        }
        for (int k = 0; k < 4; k++)
            out[3 * row + k] = (f8){lanes[0][k], lanes[1][k]};
        wasm_v128_store(low + 4 * row, least);
        wasm_v128_store(high + 4 * row, most);
    }
}

/* Writes eight hits. The lanes of `triangle` are integers. */
static inline void f8_hits(f8 t, f8 triangle, f8 u, f8 v, vp_hit *hit)
{
    const v128_t low[4] = {t.low, triangle.low, u.low, v.low}, high[4] = {t.high, triangle.high, u.high, v.high};
    v128_t words[8];
    turn_over(low, words);
    turn_over(high, words + 4);
    for (int i = 0; i < 8; i++)
        wasm_v128_store(&hit[i], words[i]);
}

#endif
