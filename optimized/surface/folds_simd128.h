/* SPDX-License-Identifier: MIT */
/* Additions of edge flags (edges_body.h) to the mesher's vocabulary (nets_simd128.h) on WebAssembly's 128 bits. Without
 * a gather, four loads replace it. All except the first use v128.load32_lane. */
#ifndef VP_OPTIMIZED_SURFACE_FOLDS_SIMD128_H
#define VP_OPTIMIZED_SURFACE_FOLDS_SIMD128_H

#include "optimized/surface/nets_simd128.h"

static inline lanes_f lanes_load_f(const float *p)
{
    return wasm_v128_load(p);
}

static inline void lanes_store(int32_t *to, lanes_i v)
{
    wasm_v128_store(to, v);
}

static inline lanes_i lanes_from_16(const uint16_t *p)
{
    return wasm_u32x4_load16x4(p);
}

static inline lanes_i lanes_sub(lanes_i a, lanes_i b)
{
    return wasm_i32x4_sub(a, b);
}

static inline lanes_f lanes_sub_f(lanes_f a, lanes_f b)
{
    return wasm_f32x4_sub(a, b);
}

static inline lanes_i lanes_mul(lanes_i a, lanes_i b)
{
    return wasm_i32x4_mul(a, b);
}

static inline lanes_i lanes_or(lanes_i a, lanes_i b)
{
    return wasm_v128_or(a, b);
}

/* b without the bits of a. */
static inline lanes_i lanes_without(lanes_i a, lanes_i b)
{
    return wasm_v128_andnot(b, a);
}

static inline lanes_i lanes_select(lanes_i mask, lanes_i yes, lanes_i no)
{
    return wasm_v128_bitselect(yes, no, mask);
}

/* Shifts signed numbers. */
static inline lanes_i lanes_sign_shift(lanes_i v, int bits)
{
    return wasm_i32x4_shr(v, (uint32_t)bits);
}

static inline lanes_i lanes_equal(lanes_i a, lanes_i b)
{
    return wasm_i32x4_eq(a, b);
}

/* All ones where a > b. */
static inline lanes_i lanes_more(lanes_i a, lanes_i b)
{
    return wasm_i32x4_gt(a, b);
}

/* All ones where cosine > 0 and left <= right. */
static inline lanes_i lanes_flat(lanes_f cosine, lanes_f left, lanes_f right)
{
    return wasm_v128_and(wasm_f32x4_gt(cosine, wasm_f32x4_splat(0.0f)), wasm_f32x4_le(left, right));
}

static inline lanes_i lanes_gather(const int32_t *table, lanes_i at)
{
    lanes_i v = wasm_v128_load32_zero(table + wasm_i32x4_extract_lane(at, 0));
    v = wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(at, 1), v, 1);
    v = wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(at, 2), v, 2);
    return wasm_v128_load32_lane(table + wasm_i32x4_extract_lane(at, 3), v, 3);
}

static inline lanes_i lanes_gather_bytes(const uint8_t *table, lanes_i at)
{
    return wasm_i32x4_make(table[wasm_i32x4_extract_lane(at, 0)], table[wasm_i32x4_extract_lane(at, 1)],
                           table[wasm_i32x4_extract_lane(at, 2)], table[wasm_i32x4_extract_lane(at, 3)]);
}

#endif
