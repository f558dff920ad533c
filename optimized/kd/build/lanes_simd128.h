/* SPDX-License-Identifier: MIT */
/* The vocabulary of the tree's build on WebAssembly's 128 bits. Eight items are two v128. i8x16.swizzle moves lanes
 * together. It reaches 16 bytes and returns 0 for places beyond them. So a lookup in 32 bytes is one in each half, the
 * second with places less 16, and an OR. The source of each byte is computed once for the seven arrays of a set. The
 * minima of the lanes of six vectors take six minima and six pairwise ones, which are two shuffles each. Each word is
 * documented in kd/build/lanes_avx2.h and kd/build/lanes_x86.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_LANES_SIMD128_H
#define VP_OPTIMIZED_KD_BUILD_LANES_SIMD128_H

#include <math.h>
#include <string.h>

#include "optimized/kd/lanes_simd128.h"

#include "optimized/kd/build/lanes_common.h"

/* ---- eight items ---- */

typedef struct m8 {
    v128_t low, high; /* lanes of all ones or all zeros */
} m8;

static inline f8 f8_add(f8 a, f8 b)
{
    return (f8){wasm_f32x4_add(a.low, b.low), wasm_f32x4_add(a.high, b.high)};
}

static inline f8 f8_least(f8 a, f8 b)
{
    return (f8){wasm_f32x4_pmin(a.low, b.low), wasm_f32x4_pmin(a.high, b.high)};
}

static inline v128_t lanes_of_bits(uint32_t bits, v128_t bit)
{
    return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int32_t)bits), bit), bit);
}

static inline m8 m8_of(uint32_t bits)
{
    return (m8){lanes_of_bits(bits, wasm_i32x4_make(1, 2, 4, 8)), lanes_of_bits(bits, wasm_i32x4_make(16, 32, 64, 128))};
}

static inline uint32_t m8_bits(m8 m)
{
    return lanes_bits(m.low, m.high);
}

static inline m8 m8_and(m8 a, m8 b)
{
    return (m8){wasm_v128_and(a.low, b.low), wasm_v128_and(a.high, b.high)};
}

static inline m8 m8_or(m8 a, m8 b)
{
    return (m8){wasm_v128_or(a.low, b.low), wasm_v128_or(a.high, b.high)};
}

static inline m8 m8_without(m8 a, m8 b)
{
    return (m8){wasm_v128_andnot(a.low, b.low), wasm_v128_andnot(a.high, b.high)};
}

static inline m8 f8_before(f8 a, f8 b)
{
    return (m8){wasm_f32x4_lt(a.low, b.low), wasm_f32x4_lt(a.high, b.high)};
}

static inline m8 f8_same(f8 a, f8 b)
{
    return (m8){wasm_f32x4_eq(a.low, b.low), wasm_f32x4_eq(a.high, b.high)};
}

static inline m8 f8_ids_below(f8 ids, uint32_t id)
{
    const v128_t all = wasm_i32x4_splat((int32_t)id);
    return (m8){wasm_u32x4_lt(ids.low, all), wasm_u32x4_lt(ids.high, all)};
}

static inline f8 f8_choose(f8 a, f8 b, m8 second)
{
    return (f8){wasm_v128_bitselect(b.low, a.low, second.low), wasm_v128_bitselect(b.high, a.high, second.high)};
}

/* ---- moved together ---- */

/* Source of each byte of eight moved lanes, in the first four lanes and in the last four. */
typedef struct lane_order {
    v128_t low[2], high[2];
} lane_order;

static inline lane_order order_of(uint32_t bits)
{
    const v128_t byte = wasm_i8x16_make(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3), sixteen = wasm_i8x16_splat(16);
    const v128_t lanes = wasm_i64x2_splat((int64_t)(build_order[bits] << 2)); /* each is below 8, so nothing leaves its byte */
    const v128_t low = wasm_v128_or(wasm_i8x16_shuffle(lanes, lanes, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3), byte);
    const v128_t high = wasm_v128_or(wasm_i8x16_shuffle(lanes, lanes, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7), byte);
    return (lane_order){{low, wasm_i8x16_sub(low, sixteen)}, {high, wasm_i8x16_sub(high, sixteen)}};
}

static inline f8 f8_ordered(f8 a, lane_order order)
{
    return (f8){wasm_v128_or(wasm_i8x16_swizzle(a.low, order.low[0]), wasm_i8x16_swizzle(a.high, order.low[1])),
                wasm_v128_or(wasm_i8x16_swizzle(a.low, order.high[0]), wasm_i8x16_swizzle(a.high, order.high[1]))};
}

/* Stores at most four, one by one, because there is no masked store. */
static inline void store_chosen(uint32_t *to, const float *ids, uint32_t bits)
{
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1)
        memcpy(to++, ids + __builtin_ctz(rest), sizeof *to);
}

/* ---- across lanes ---- */

static inline float f8_folded(f8 a)
{
    const v128_t four = wasm_f32x4_add(a.low, a.high);
    const v128_t two = wasm_f32x4_add(four, wasm_i32x4_shuffle(four, four, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(two, 0) + wasm_f32x4_extract_lane(two, 1);
}

static inline float f8_sum_in_order(f8 a, uint32_t bits, m8 m)
{
    const f8 there = {wasm_v128_and(a.low, m.low), wasm_v128_and(a.high, m.high)};
    return f8_folded(f8_ordered(there, order_of(bits)));
}

/* The minima of lanes 0 and 1, and of lanes 2 and 3, of a, then of b. */
static inline v128_t least_of_pairs(v128_t a, v128_t b)
{
    return wasm_f32x4_pmin(wasm_i32x4_shuffle(a, b, 0, 2, 4, 6), wasm_i32x4_shuffle(a, b, 1, 3, 5, 7));
}

static inline v128_t least_of_three(const f8 v[3])
{
    v128_t four[3];
    for (int k = 0; k < 3; k++)
        four[k] = wasm_f32x4_pmin(v[k].low, v[k].high);
    return least_of_pairs(least_of_pairs(four[0], four[1]), least_of_pairs(four[2], four[2]));
}

static inline f8 f8_box(const f8 v[FACES])
{
    return (f8){least_of_three(v), least_of_three(v + 3)};
}

static inline f8 f8_or_infinite(f8 a, m8 keep)
{
    return f8_choose(f8_set(INFINITY), a, keep);
}

static inline void f8_boxes(const float *face, size_t stride, uint32_t left, uint32_t right, f8 box[2])
{
    const m8 in_left = m8_of(left), in_right = m8_of(right);
    f8 l[FACES], r[FACES];
    for (size_t k = 0; k < FACES; k++) {
        const f8 v = f8_load(face + k * stride);
        l[k] = f8_or_infinite(v, in_left);
        r[k] = f8_or_infinite(v, in_right);
    }
    box[0] = f8_box(l);
    box[1] = f8_box(r);
}

static inline uint32_t longest_axis(const float box[8])
{
    const float x = box[0] + box[4], y = box[1] + box[5], z = box[2] + box[6]; /* negated length */
    const float least = y < x ? y : x;
    return z < least ? 2u : (uint32_t)(y < x);
}

static inline slab_shares shares_of(f8 box, f8 known)
{
    float key[4];
    uint32_t cut = 0;
    wasm_v128_store(key, wasm_f32x4_div(wasm_f32x4_add(box.low, box.high), wasm_f32x4_add(known.low, known.high)));
    for (uint32_t k = 0; k < 3; k++) {
        const bool less = key[k] < 0.5f;
        cut |= (uint32_t)less << k;
        key[k] = less ? key[k] : 1.0f;
    }
    return (slab_shares){cut, (uint32_t)(key[1] < key[0]) | (uint32_t)(key[2] < key[0]) << 1 | (uint32_t)(key[2] < key[1]) << 2};
}

/* ---- sizes of eight parts ---- */

typedef v128_t n8x16; /* eight times the size, plus 7 - the part's number; lanes of 16 bits */

static inline n8x16 sizes_with(n8x16 sizes, uint32_t part, uint32_t size)
{
    const v128_t is_part = wasm_i16x8_eq(wasm_i16x8_make(0, 1, 2, 3, 4, 5, 6, 7), wasm_i16x8_splat((int16_t)part));
    return wasm_v128_bitselect(wasm_i16x8_splat((int16_t)(size << 3 | (7u - part))), sizes, is_part);
}

static inline n8x16 sizes_of_one(uint32_t size)
{
    return sizes_with(wasm_i16x8_splat(0), 0, size);
}

static inline size_part largest_part(n8x16 sizes)
{
    v128_t most = wasm_u16x8_max(sizes, wasm_i64x2_shuffle(sizes, sizes, 1, 0));
    most = wasm_u16x8_max(most, wasm_i32x4_shuffle(most, most, 1, 0, 3, 2));
    most = wasm_u16x8_max(most, wasm_i16x8_shuffle(most, most, 1, 0, 3, 2, 5, 4, 7, 6));
    const uint32_t key = (uint32_t)wasm_u16x8_extract_lane(most, 0);
    return (size_part){key >> 3, 7u - (key & 7u)};
}

/* ---- long sets ---- */

enum { WIDTH = 8 };

typedef f8 fw;
typedef m8 mw;

#define fw_load      f8_load
#define fw_store     f8_store
#define fw_set       f8_set
#define fw_sub       f8_sub
#define fw_add       f8_add
#define fw_choose    f8_choose
#define fw_before    f8_before
#define fw_same      f8_same
#define fw_ids_below f8_ids_below
#define fw_box       f8_box
#define mw_of        m8_of
#define mw_bits      m8_bits
#define mw_and       m8_and
#define mw_or        m8_or
#define mw_without   m8_without

typedef struct one_side {
    m8 lanes;
    lane_order order;
    uint32_t count;
} one_side;

static inline one_side side_of(mw lanes)
{
    const uint32_t bits = m8_bits(lanes);
    return (one_side){lanes, order_of(bits), (uint32_t)__builtin_popcount(bits)};
}

static inline void side_store(float *to, fw a, const one_side *s)
{
    f8_store(to, f8_ordered(a, s->order));
}

static inline fw side_least(fw least, fw a, const one_side *s)
{
    return f8_least(least, f8_or_infinite(a, s->lanes));
}

static inline f8 sixteen_to_eight(const fw sum[2])
{
    return f8_add(sum[0], sum[1]);
}

/* ---- points by axis ---- */

/* Four points by axis. A transposed matrix of 4 x 4 numbers, whose last row is unused. */
static inline void by_axis(v128_t a, v128_t b, v128_t c, v128_t d, v128_t out[3])
{
    const v128_t ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
    out[0] = wasm_i64x2_shuffle(ab, cd, 0, 2);
    out[1] = wasm_i64x2_shuffle(ab, cd, 1, 3);
    out[2] = wasm_i64x2_shuffle(wasm_i32x4_shuffle(a, b, 2, 6, 3, 7), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7), 0, 2);
}

static inline void faces_of_boxes(const float *const box[8], vp_kd_wide *node)
{
    for (int i = 0; i < 8; i += 4) {
        v128_t low[3], back[3];
        by_axis(wasm_v128_load(box[i]), wasm_v128_load(box[i + 1]), wasm_v128_load(box[i + 2]), wasm_v128_load(box[i + 3]), low);
        by_axis(wasm_v128_load(box[i] + 4), wasm_v128_load(box[i + 1] + 4), wasm_v128_load(box[i + 2] + 4), wasm_v128_load(box[i + 3] + 4),
                back);
        for (int k = 0; k < 3; k++) {
            wasm_v128_store(node->low[k] + i, low[k]);
            wasm_v128_store(node->high[k] + i, wasm_f32x4_neg(back[k]));
        }
    }
}

/* Two floats and one, so nothing past a vertex is read. */
static inline v128_t vertex_at(const vp_vec3 *v)
{
    return wasm_v128_load32_lane(&v->z, wasm_v128_load64_zero(&v->x), 2);
}

static inline void faces_of_eight(const vp_vec3 *vertex, const uint32_t *index, uint32_t corners, f8 face[FACES])
{
    v128_t low[8], high[8], by[2][2][3];
    for (uint32_t i = 0; i < 8; i++) {
        low[i] = high[i] = vertex_at(vertex + index[i * corners]);
        for (uint32_t k = 1; k < corners; k++) {
            const v128_t v = vertex_at(vertex + index[i * corners + k]);
            low[i] = wasm_f32x4_pmin(low[i], v);
            high[i] = wasm_f32x4_pmax(high[i], v);
        }
    }
    for (int i = 0; i < 2; i++) {
        by_axis(low[4 * i], low[4 * i + 1], low[4 * i + 2], low[4 * i + 3], by[0][i]);
        by_axis(high[4 * i], high[4 * i + 1], high[4 * i + 2], high[4 * i + 3], by[1][i]);
    }
    const v128_t zero = wasm_f32x4_splat(0.0f); /* -0 + 0 is 0 */
    for (int k = 0; k < 3; k++) {
        face[k] = (f8){wasm_f32x4_add(by[0][0][k], zero), wasm_f32x4_add(by[0][1][k], zero)};
        face[3 + k] = (f8){wasm_f32x4_neg(wasm_f32x4_add(by[1][0][k], zero)), wasm_f32x4_neg(wasm_f32x4_add(by[1][1][k], zero))};
    }
}

#endif
