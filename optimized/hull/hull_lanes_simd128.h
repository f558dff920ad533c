/* SPDX-License-Identifier: MIT */
/* Two doubles, and four floats, at a time on WebAssembly's 128 bits, for hull_body.h and its like. A load of 64 bits is
 * widened by f64x2.promote_low_f32x4. i32x4.bitmask turns a mask into bits. Six shuffles split four points. Places in
 * tables are looked up one by one, and chosen lanes are stored one by one, as on NEON. */
#ifndef VP_OPTIMIZED_HULL_HULL_LANES_SIMD128_H
#define VP_OPTIMIZED_HULL_HULL_LANES_SIMD128_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/inline.h"
#include "optimized/simd/simd128.h"

enum { LANES = 2 };

typedef v128_t lanes;
typedef v128_t lanes_mask;

VP_INLINE lanes lanes_set(double x)
{
    return wasm_f64x2_splat(x);
}

/* 0, 1 */
VP_INLINE lanes lanes_count(void)
{
    return wasm_f64x2_make(0.0, 1.0);
}

/* LANES floats, widened. */
VP_INLINE lanes lanes_load(const float *from)
{
    return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from));
}

VP_INLINE void lanes_store(double *to, lanes a)
{
    wasm_v128_store(to, a);
}

/* Stores integers from -2^31 on, as 32 bits. */
VP_INLINE void lanes_store_whole(uint32_t *to, lanes a)
{
    wasm_v128_store64_lane(to, wasm_i32x4_trunc_sat_f64x2_zero(a), 0);
}

VP_INLINE lanes lanes_add(lanes a, lanes b)
{
    return wasm_f64x2_add(a, b);
}

VP_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return wasm_f64x2_sub(a, b);
}

VP_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return wasm_f64x2_mul(a, b);
}

/* 1 / sqrt(a) of a positive number, to 4 %. Subtracts half of the exponent, and nearly half of the fraction. For 0 it
 * is large and finite. */
VP_INLINE lanes lanes_per_root(lanes a)
{
    return wasm_i64x2_sub(wasm_i64x2_splat(0x5fe6eb50c7b537a9), wasm_u64x2_shr(a, 1));
}

VP_INLINE lanes lanes_larger(lanes a, lanes b)
{
    return wasm_f64x2_pmax(a, b);
}

VP_INLINE lanes lanes_size(lanes a)
{
    return wasm_f64x2_abs(a);
}

VP_INLINE lanes_mask lanes_above(lanes a, lanes b)
{
    return wasm_f64x2_gt(a, b);
}

VP_INLINE lanes_mask lanes_or(lanes_mask a, lanes_mask b)
{
    return wasm_v128_or(a, b);
}

VP_INLINE lanes_mask lanes_and(lanes_mask a, lanes_mask b)
{
    return wasm_v128_and(a, b);
}

/* a, but not b. */
VP_INLINE lanes_mask lanes_and_not(lanes_mask a, lanes_mask b)
{
    return wasm_v128_andnot(a, b);
}

VP_INLINE lanes_mask lanes_none(void)
{
    return wasm_i64x2_splat(0);
}

VP_INLINE bool lanes_any(lanes_mask m)
{
    return wasm_v128_any_true(m);
}

/* b where the mask is set, else a. */
VP_INLINE lanes lanes_choose(lanes_mask m, lanes a, lanes b)
{
    return wasm_v128_bitselect(b, a, m);
}

/* Splits LANES points. */
VP_INLINE void lanes_split(const float *from, float *x, float *y, float *z)
{
    for (int i = 0; i < LANES; i++) {
        x[i] = from[3 * i];
        y[i] = from[3 * i + 1];
        z[i] = from[3 * i + 2];
    }
}

/* Copies the points with one label to `to`, in sequence. One more may be written after them. No instruction moves
   chosen lanes together, so each point is written, and the next one overwrites it if it was not wanted. @return the
   number of points */
VP_INLINE uint32_t lanes_pick(const float *x, const float *y, const float *z, const uint32_t *id, const uint32_t *label, uint32_t count,
                              uint32_t wanted, float *to_x, float *to_y, float *to_z, uint32_t *to_id)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        to_x[made] = x[i];
        to_y[made] = y[i];
        to_z[made] = z[i];
        to_id[made] = id[i];
        made += label[i] == wanted;
    }
    return made;
}

enum { DEAL = 0 };

/* On AVX-512 this puts points in the order of their labels. This ISA has no expansion of lanes that would do it. */
VP_INLINE uint32_t lanes_deal(float *x, float *y, float *z, uint32_t *id, size_t from, size_t to, const uint32_t *label, uint32_t count,
                              uint32_t labels, uint32_t *end)
{
    (void)x, (void)y, (void)z, (void)id, (void)from, (void)to, (void)label, (void)count;
    for (uint32_t j = 0; j < labels; j++)
        end[j] = 0;
    return 0;
}

/* ---- four floats, for hull_bounds_body.h and hull_filter_body.h ---- */

enum { WIDE = 4 };

typedef v128_t floats;
typedef v128_t floats_mask;
typedef v128_t rounds; /* an integer a lane */

VP_INLINE floats floats_set(float x)
{
    return wasm_f32x4_splat(x);
}

VP_INLINE floats floats_load(const float *from)
{
    return wasm_v128_load(from);
}

/* Splits WIDE points. */
VP_INLINE void floats_split(const float *from, floats *x, floats *y, floats *z)
{
    const v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + 4), c = wasm_v128_load(from + 8);
    *x = wasm_i32x4_shuffle(wasm_i32x4_shuffle(a, b, 0, 3, 6, 6), c, 0, 1, 2, 5); /* a = x0 y0 z0 x1 */
    *y = wasm_i32x4_shuffle(wasm_i32x4_shuffle(a, b, 1, 4, 7, 7), c, 0, 1, 2, 6); /* b = y1 z1 x2 y2 */
    *z = wasm_i32x4_shuffle(wasm_i32x4_shuffle(a, b, 2, 5, 5, 5), c, 0, 1, 4, 7); /* c = z2 x3 y3 z3 */
}

VP_INLINE void floats_store(float *to, floats a)
{
    wasm_v128_store(to, a);
}

VP_INLINE floats floats_add(floats a, floats b)
{
    return wasm_f32x4_add(a, b);
}

VP_INLINE floats floats_mul(floats a, floats b)
{
    return wasm_f32x4_mul(a, b);
}

VP_INLINE floats floats_sub(floats a, floats b)
{
    return wasm_f32x4_sub(a, b);
}

VP_INLINE floats floats_div(floats a, floats b)
{
    return wasm_f32x4_div(a, b);
}

VP_INLINE floats floats_size(floats a)
{
    return wasm_f32x4_abs(a);
}

/* Truncates to integers. */
VP_INLINE floats floats_whole(floats a)
{
    return wasm_f32x4_convert_i32x4(wasm_i32x4_trunc_sat_f32x4(a));
}

/* Looks up elements of a table at integer places. */
VP_INLINE floats floats_at(const float *table, floats place)
{
    const v128_t at = wasm_i32x4_trunc_sat_f32x4(place); /* no instruction looks up different places in memory for each lane */
    return wasm_f32x4_make(table[wasm_i32x4_extract_lane(at, 0)], table[wasm_i32x4_extract_lane(at, 1)],
                           table[wasm_i32x4_extract_lane(at, 2)], table[wasm_i32x4_extract_lane(at, 3)]);
}

VP_INLINE floats_mask floats_above(floats a, floats b)
{
    return wasm_f32x4_gt(a, b);
}

VP_INLINE floats floats_choose(floats_mask m, floats a, floats b)
{
    return wasm_v128_bitselect(b, a, m);
}

/* A bit a lane. */
VP_INLINE uint32_t floats_bits(floats_mask m)
{
    return (uint32_t)wasm_i32x4_bitmask(m);
}

VP_INLINE rounds rounds_set(int x)
{
    return wasm_i32x4_splat(x);
}

VP_INLINE rounds rounds_next(rounds a)
{
    return wasm_i32x4_add(a, wasm_i32x4_splat(1));
}

VP_INLINE rounds rounds_load(const uint32_t *from)
{
    return wasm_v128_load(from);
}

VP_INLINE void rounds_store(uint32_t *to, rounds a)
{
    wasm_v128_store(to, a);
}

VP_INLINE rounds rounds_choose(floats_mask m, rounds a, rounds b)
{
    return wasm_v128_bitselect(b, a, m);
}

/* Appends those of WIDE numbers whose bits are set, in sequence. Writes WIDE. */
VP_INLINE void floats_append(float *to, uint32_t set, floats a)
{
    float lane[WIDE];
    wasm_v128_store(lane, a);
    for (uint32_t k = 0; k < WIDE; k++) {
        *to = lane[k];
        to += set >> k & 1;
    }
}

/* Appends their places. The first place is `first`. */
VP_INLINE void places_append(uint32_t *to, uint32_t set, uint32_t first)
{
    for (uint32_t k = 0; k < WIDE; k++) {
        *to = first + k;
        to += set >> k & 1;
    }
}

#endif
