/* SPDX-License-Identifier: MIT */
/* The vocabulary of the tree's build on NEON. Eight items are two q registers. A table lookup over the bytes of both
 * moves lanes together, where AVX2 has a permutation. The minima of the lanes of six vectors take six minima and four
 * pairwise ones. Each word is documented in kd/build/lanes_avx2.h and kd/build/lanes_x86.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_LANES_NEON_H
#define VP_OPTIMIZED_KD_BUILD_LANES_NEON_H

#include <math.h>
#include <string.h>

#include "optimized/kd/lanes_neon.h"

#include "optimized/kd/build/lanes_common.h"

/* ---- eight items ---- */

typedef struct m8 {
    uint32x4_t low, high; /* lanes of all ones or all zeros */
} m8;

static inline f8 f8_add(f8 a, f8 b)
{
    return (f8){vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)};
}

static inline f8 f8_least(f8 a, f8 b)
{
    return (f8){vminq_f32(a.low, b.low), vminq_f32(a.high, b.high)};
}

static inline m8 m8_of(uint32_t bits)
{
    static const uint32_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint32x4_t all = vdupq_n_u32(bits);
    return (m8){vtstq_u32(all, vld1q_u32(bit)), vtstq_u32(all, vld1q_u32(bit + 4))};
}

static inline uint32_t m8_bits(m8 m)
{
    return lanes_bits(m.low, m.high);
}

static inline m8 m8_and(m8 a, m8 b)
{
    return (m8){vandq_u32(a.low, b.low), vandq_u32(a.high, b.high)};
}

static inline m8 m8_or(m8 a, m8 b)
{
    return (m8){vorrq_u32(a.low, b.low), vorrq_u32(a.high, b.high)};
}

static inline m8 m8_without(m8 a, m8 b)
{
    return (m8){vbicq_u32(a.low, b.low), vbicq_u32(a.high, b.high)};
}

static inline m8 f8_before(f8 a, f8 b)
{
    return (m8){vcltq_f32(a.low, b.low), vcltq_f32(a.high, b.high)};
}

static inline m8 f8_same(f8 a, f8 b)
{
    return (m8){vceqq_f32(a.low, b.low), vceqq_f32(a.high, b.high)};
}

static inline m8 f8_ids_below(f8 ids, uint32_t id)
{
    const uint32x4_t all = vdupq_n_u32(id);
    return (m8){vcltq_u32(vreinterpretq_u32_f32(ids.low), all), vcltq_u32(vreinterpretq_u32_f32(ids.high), all)};
}

static inline f8 f8_choose(f8 a, f8 b, m8 second)
{
    return (f8){vbslq_f32(second.low, b.low, a.low), vbslq_f32(second.high, b.high, a.high)};
}

/* ---- moved together ---- */

/* Source of each byte of eight moved lanes. */
typedef struct lane_order {
    uint8x16_t low, high;
} lane_order;

static inline lane_order order_of(uint32_t bits)
{
    static const uint8_t four_times[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    static const uint8_t byte[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    const uint8x8_t lanes = vshl_n_u8(vreinterpret_u8_u64(vld1_u64(&build_order[bits])), 2);
    const uint8x16_t both = vcombine_u8(lanes, lanes), at = vld1q_u8(four_times), plus = vld1q_u8(byte);
    return (lane_order){vaddq_u8(vqtbl1q_u8(both, at), plus), vaddq_u8(vqtbl1q_u8(both, vaddq_u8(at, vdupq_n_u8(4))), plus)};
}

static inline f8 f8_ordered(f8 a, lane_order order)
{
    const uint8x16x2_t bytes = {{vreinterpretq_u8_f32(a.low), vreinterpretq_u8_f32(a.high)}};
    return (f8){vreinterpretq_f32_u8(vqtbl2q_u8(bytes, order.low)), vreinterpretq_f32_u8(vqtbl2q_u8(bytes, order.high))};
}

/* Stores at most four, one by one, because NEON has no masked store. */
static inline void store_chosen(uint32_t *to, const float *ids, uint32_t bits)
{
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1)
        memcpy(to++, ids + __builtin_ctz(rest), sizeof *to);
}

/* ---- across lanes ---- */

static inline float f8_folded(f8 a)
{
    const float32x4_t four = vaddq_f32(a.low, a.high);
    const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
    return vget_lane_f32(vpadd_f32(two, two), 0);
}

static inline float f8_sum_in_order(f8 a, uint32_t bits, m8 m)
{
    const f8 there = {vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a.low), m.low)),
                      vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a.high), m.high))};
    return f8_folded(f8_ordered(there, order_of(bits)));
}

static inline float32x4_t least_of_three(const f8 v[3])
{
    float32x4_t four[3];
    for (int k = 0; k < 3; k++)
        four[k] = vminq_f32(v[k].low, v[k].high);
    return vpminq_f32(vpminq_f32(four[0], four[1]), vpminq_f32(four[2], four[2]));
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
    const float32x4_t shortness = vaddq_f32(vld1q_f32(box), vld1q_f32(box + 4));
    const float x = vgetq_lane_f32(shortness, 0), y = vgetq_lane_f32(shortness, 1), z = vgetq_lane_f32(shortness, 2);
    const float least = y < x ? y : x;
    return z < least ? 2u : (uint32_t)(y < x);
}

static inline slab_shares shares_of(f8 box, f8 known)
{
    const float32x4_t share = vdivq_f32(vaddq_f32(box.low, box.high), vaddq_f32(known.low, known.high));
    float key[4];
    uint32_t cut = 0;
    vst1q_f32(key, share);
    for (uint32_t k = 0; k < 3; k++) {
        const bool less = key[k] < 0.5f;
        cut |= (uint32_t)less << k;
        key[k] = less ? key[k] : 1.0f;
    }
    return (slab_shares){cut, (uint32_t)(key[1] < key[0]) | (uint32_t)(key[2] < key[0]) << 1 | (uint32_t)(key[2] < key[1]) << 2};
}

/* ---- sizes of eight parts ---- */

typedef uint16x8_t n8x16; /* eight times the size, plus 7 - the part's number */

static inline n8x16 sizes_with(n8x16 sizes, uint32_t part, uint32_t size)
{
    static const uint16_t lane[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    return vbslq_u16(vceqq_u16(vld1q_u16(lane), vdupq_n_u16((uint16_t)part)), vdupq_n_u16((uint16_t)(size << 3 | (7u - part))), sizes);
}

static inline n8x16 sizes_of_one(uint32_t size)
{
    return sizes_with(vdupq_n_u16(0), 0, size);
}

static inline size_part largest_part(n8x16 sizes)
{
    const uint32_t most = vmaxvq_u16(sizes);
    return (size_part){most >> 3, 7u - (most & 7u)};
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
static inline void by_axis(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d, float32x4_t out[3])
{
    const float32x4x2_t ac = vzipq_f32(a, c), bd = vzipq_f32(b, d); /* a0 c0 a1 c1, a2 c2 a3 c3 */
    const float32x4x2_t xy = vzipq_f32(ac.val[0], bd.val[0]), zw = vzipq_f32(ac.val[1], bd.val[1]);
    out[0] = xy.val[0];
    out[1] = xy.val[1];
    out[2] = zw.val[0];
}

static inline void faces_of_boxes(const float *const box[8], vp_kd_wide *node)
{
    for (int i = 0; i < 8; i += 4) {
        float32x4_t low[3], back[3];
        by_axis(vld1q_f32(box[i]), vld1q_f32(box[i + 1]), vld1q_f32(box[i + 2]), vld1q_f32(box[i + 3]), low);
        by_axis(vld1q_f32(box[i] + 4), vld1q_f32(box[i + 1] + 4), vld1q_f32(box[i + 2] + 4), vld1q_f32(box[i + 3] + 4), back);
        for (int k = 0; k < 3; k++) {
            vst1q_f32(node->low[k] + i, low[k]);
            vst1q_f32(node->high[k] + i, vnegq_f32(back[k]));
        }
    }
}

/* Two floats and one, so nothing past a vertex is read. */
static inline float32x4_t vertex_at(const vp_vec3 *v)
{
    return vcombine_f32(vld1_f32(&v->x), vdup_n_f32(v->z));
}

static inline void faces_of_eight(const vp_vec3 *vertex, const uint32_t *index, uint32_t corners, f8 face[FACES])
{
    float32x4_t low[8], high[8], by[2][2][3];
    for (uint32_t i = 0; i < 8; i++) {
        low[i] = high[i] = vertex_at(vertex + index[i * corners]);
        for (uint32_t k = 1; k < corners; k++) {
            const float32x4_t v = vertex_at(vertex + index[i * corners + k]);
            low[i] = vminq_f32(low[i], v);
            high[i] = vmaxq_f32(high[i], v);
        }
    }
    for (int i = 0; i < 2; i++) {
        by_axis(low[4 * i], low[4 * i + 1], low[4 * i + 2], low[4 * i + 3], by[0][i]);
        by_axis(high[4 * i], high[4 * i + 1], high[4 * i + 2], high[4 * i + 3], by[1][i]);
    }
    const float32x4_t zero = vdupq_n_f32(0.0f);
    for (int k = 0; k < 3; k++) {
        face[k] = (f8){vaddq_f32(by[0][0][k], zero), vaddq_f32(by[0][1][k], zero)};
        face[3 + k] = (f8){vnegq_f32(vaddq_f32(by[1][0][k], zero)), vnegq_f32(vaddq_f32(by[1][1][k], zero))};
    }
}

#endif
