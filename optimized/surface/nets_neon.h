/* SPDX-License-Identifier: MIT */
/* The vocabulary of the mesher on NEON. Slices are four q registers, four cells a vector. The words are documented in
 * mesher_body.h. NEON has no movemask. Compares are cut to one bit a byte and summed by pairwise additions. */
#ifndef VP_OPTIMIZED_SURFACE_NETS_NEON_H
#define VP_OPTIMIZED_SURFACE_NETS_NEON_H

#include "optimized/simd/neon.h"
#include "optimized/surface/nets_class.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- 16 bytes ---- */

typedef uint8x16_t vec16;

static inline vec16 vec16_load(const void *p)
{
    return vld1q_u8(p);
}

static inline void vec16_store(void *p, vec16 v)
{
    vst1q_u8(p, v);
}

static inline void vec16_store_half(void *p, vec16 v)
{
    vst1_u8(p, vget_low_u8(v));
}

static inline vec16 vec16_set(uint32_t byte)
{
    return vdupq_n_u8((uint8_t)byte);
}

static inline vec16 vec16_set16(uint32_t lane)
{
    return vreinterpretq_u8_u16(vdupq_n_u16((uint16_t)lane));
}

static inline vec16 vec16_words(uint64_t low, uint64_t high)
{
    return vcombine_u8(vcreate_u8(low), vcreate_u8(high));
}

/* 8 bytes of each. */
static inline vec16 vec16_pair(const uint8_t *low, const uint8_t *high)
{
    return vcombine_u8(vld1_u8(low), vld1_u8(high));
}

static inline vec16 vec16_and(vec16 a, vec16 b)
{
    return vandq_u8(a, b);
}

static inline vec16 vec16_add(vec16 a, vec16 b)
{
    return vaddq_u8(a, b);
}

static inline vec16 vec16_add16(vec16 a, vec16 b)
{
    return vreinterpretq_u8_u16(vaddq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}

static inline vec16 vec16_shuffle(vec16 v, vec16 at)
{
    return vqtbl1q_u8(v, at);
}

static inline vec16 vec16_select(vec16 mask, vec16 yes, vec16 no)
{
    return vbslq_u8(mask, yes, no);
}

/* Eight 16-bit lanes, and eight bytes, all ones where the bit of their number is set. */
static inline vec16 vec16_bits16(uint32_t bits)
{
    static const uint16_t lane[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vreinterpretq_u8_u16(vtstq_u16(vdupq_n_u16((uint16_t)bits), vld1q_u16(lane)));
}

static inline vec16 vec16_bits8(uint32_t bits)
{
    static const uint8_t lane[16] = {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
    return vtstq_u8(vdupq_n_u8((uint8_t)bits), vld1q_u8(lane));
}

/* From the numbers of eight 16-bit lanes, in bytes, those of their 16 bytes. */
static inline vec16 vec16_spread(uint64_t lanes)
{
    uint8x16_t v = vcombine_u8(vcreate_u8(lanes), vcreate_u8(0));
    v = vzip1q_u8(v, v);
    return vaddq_u8(vaddq_u8(v, v), vreinterpretq_u8_u16(vdupq_n_u16(0x0100)));
}

/* Eight bytes to 16-bit lanes, and a number added to each. */
static inline void vec16_store_numbers(uint16_t *to, uint64_t bytes, uint32_t first)
{
    vst1q_u16(to, vaddq_u16(vmovl_u8(vcreate_u8(bytes)), vdupq_n_u16((uint16_t)first)));
}

/* Eight corners of each kind to eight quads, by an interleaving store. */
static inline void vec16_store_quads(uint16_t *to, vec16 c0, vec16 c1, vec16 c2, vec16 c3)
{
    uint16x8x4_t quads = {{vreinterpretq_u16_u8(c0), vreinterpretq_u16_u8(c1), vreinterpretq_u16_u8(c2), vreinterpretq_u16_u8(c3)}};
    vst4q_u16(to, quads);
}

/* Two bits a row to the eight of a cell. Bits 0 and 1 are corners 0 and 1. */
static inline vec16 vec16_signs(vec16 low, vec16 low_next, vec16 up, vec16 up_next)
{
    return vorrq_u8(vorrq_u8(low, vshlq_n_u8(low_next, 2)), vorrq_u8(vshlq_n_u8(up, 4), vshlq_n_u8(up_next, 6)));
}

/* ---- is there a surface? ---- */

/* All ones where a voxel is of the class. */
static inline uint8x16_t of_class_16(uint8x16_t material, class_range r)
{
    return vcleq_u8(vsubq_u8(material, vdupq_n_u8(r.first)), vdupq_n_u8(r.more));
}

/* All ones where a voxel is inside. */
static inline uint8x16_t inside_16(uint8x16_t occupancy, uint8x16_t of_class)
{
    return vandq_u8(of_class, vcgtq_u8(occupancy, vdupq_n_u8(127)));
}

static inline uint32_t kinds(uint8x16_t any, uint8x16_t all)
{
    return (vmaxvq_u8(any) != 0 ? (uint32_t)INSIDE : 0) | (vminvq_u8(all) == 0 ? (uint32_t)OUTSIDE : 0);
}

static inline uint32_t kinds_of(const uint8_t *m, const uint8_t *o, int bytes, class_range r)
{
    uint8x16_t any = inside_16(vld1q_u8(o), of_class_16(vld1q_u8(m), r)), all = any;
    for (int i = 16; i < bytes; i += 16) {
        uint8x16_t in = inside_16(vld1q_u8(o + i), of_class_16(vld1q_u8(m + i), r));
        any = vorrq_u8(any, in);
        all = vandq_u8(all, in);
    }
    return kinds(any, all);
}

static inline uint32_t kinds_of_brick(const uint8_t *m, const uint8_t *o, class_range r)
{
    return kinds_of(m, o, 512, r);
}

static inline uint32_t kinds_of_slice(const uint8_t *m, const uint8_t *o, class_range r)
{
    return kinds_of(m, o, 64, r);
}

/* The rows z = 0 of all slices. */
static inline uint32_t kinds_of_rows(const uint8_t *m, const uint8_t *o, class_range r)
{
    uint8x16_t any = vdupq_n_u8(0), all = vdupq_n_u8(0xff);
    for (int y = 0; y < 8; y += 2) {
        uint8x16_t in = inside_16(vec16_pair(o + y * 64, o + y * 64 + 64), of_class_16(vec16_pair(m + y * 64, m + y * 64 + 64), r));
        any = vorrq_u8(any, in);
        all = vandq_u8(all, in);
    }
    return kinds(any, all);
}

/* The voxels at x = 0. */
static inline uint32_t kinds_of_column(const uint8_t *m, const uint8_t *o, class_range r)
{
    const uint8x16_t column = vreinterpretq_u8_u64(vdupq_n_u64(0xff));
    uint8x16_t any = vdupq_n_u8(0), all = vdupq_n_u8(0xff);
    for (int i = 0; i < 512; i += 16) {
        uint8x16_t in = inside_16(vld1q_u8(o + i), of_class_16(vld1q_u8(m + i), r));
        any = vorrq_u8(any, in);
        all = vandq_u8(all, in);
    }
    return kinds(vandq_u8(any, column), vorrq_u8(all, vmvnq_u8(column)));
}

/* ---- rows of voxels ---- */

/* |g|, which is |occupancy - 127| for a voxel of the class, else 128. */
static inline uint8x16_t distance_16(uint8x16_t occupancy, uint8x16_t of_class)
{
    return vbslq_u8(of_class, vabdq_u8(occupancy, vdupq_n_u8(127)), vdupq_n_u8(128));
}

/* From rows of inside. Bit 0 is this voxel's, bit 1 the next one's. */
static inline uint8x16_t sign_16(uint8x16_t inside)
{
    return vorrq_u8(vandq_u8(inside, vdupq_n_u8(1)), vandq_u8(vextq_u8(inside, inside, 1), vdupq_n_u8(2)));
}

/* Four rows to 16 bits each. */
static inline uint64_t bits_of_rows(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    static const uint8_t place[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t weight = vld1q_u8(place);
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, weight), vandq_u8(b, weight));
    uint8x16_t cd = vpaddq_u8(vandq_u8(c, weight), vandq_u8(d, weight));
    uint8x16_t all = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

static inline uint8x16_t low_words(uint8x16_t a, uint8x16_t b)
{
    return vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
}

static inline uint8x16_t high_words(uint8x16_t a, uint8x16_t b)
{
    return vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
}

/* Two rows, from two rows of 8 of the chunks to the left, in the middle, and to the right.
   row  receives distances, signs and materials of each
   in   receives the inside bits of each */
static inline void make_rows(const vec16 m[3], const vec16 o[3], class_range r, vec16 row[2][3], vec16 in[2])
{
    const uint8x16_t first = vreinterpretq_u8_u64(vdupq_n_u64(0xffffffff));
    uint8x16_t side_m = vbslq_u8(first, m[2], m[0]), side_o = vbslq_u8(first, o[2], o[0]);
    uint8x16_t own_class = of_class_16(m[1], r), side_class = of_class_16(side_m, r);
    uint8x16_t own_d = distance_16(o[1], own_class), side_d = distance_16(side_o, side_class);
    uint8x16_t own_in = inside_16(o[1], own_class), side_in = inside_16(side_o, side_class);
    in[0] = low_words(own_in, side_in);
    in[1] = high_words(own_in, side_in);
    row[0][0] = low_words(own_d, side_d);
    row[1][0] = high_words(own_d, side_d);
    row[0][1] = sign_16(in[0]);
    row[1][1] = sign_16(in[1]);
    row[0][2] = low_words(m[1], side_m);
    row[1][2] = high_words(m[1], side_m);
}

/* The rows before and after a slice. @return their bits, 16 each */
static inline uint32_t make_pair(const vec16 m[3], const vec16 o[3], class_range r, vec16 row[2][3])
{
    vec16 in[2];
    make_rows(m, o, r, row, in);
    return (uint32_t)bits_of_rows(in[0], in[1], in[0], in[1]);
}

/* The eight rows of a slice, from the slices to the left, in the middle, to the right. */
static inline void put_slice(const uint8_t *const m[3], const uint8_t *const o[3], class_range r, uint8_t *distance, uint8_t *sign,
                             uint8_t *material, uint16_t *inside)
{
    for (int half = 0; half < 2; half++) {
        vec16 in[4];
        for (int pair = 0; pair < 2; pair++) {
            int at = half * 32 + pair * 16;
            const vec16 mm[3] = {vld1q_u8(m[0] + at), vld1q_u8(m[1] + at), vld1q_u8(m[2] + at)};
            const vec16 oo[3] = {vld1q_u8(o[0] + at), vld1q_u8(o[1] + at), vld1q_u8(o[2] + at)};
            vec16 row[2][3];
            make_rows(mm, oo, r, row, in + 2 * pair);
            for (int i = 0; i < 2; i++) {
                int to = 2 * at + i * 16;
                vst1q_u8(distance + to, row[i][0]);
                vst1q_u8(sign + to, row[i][1]);
                vst1q_u8(material + to, row[i][2]);
            }
        }
        vst1_u16(inside + half * 4, vcreate_u16(bits_of_rows(in[0], in[1], in[2], in[3])));
    }
}

/* ---- rows of bits, lane z, bit x ---- */

typedef struct rows16 {
    uint16x8_t low, high;
} rows16;

static inline rows16 rows16_load(const uint16_t *p)
{
    return (rows16){vld1q_u16(p), vld1q_u16(p + 8)};
}

static inline void rows16_store(uint16_t *p, rows16 r)
{
    vst1q_u16(p, r.low);
    vst1q_u16(p + 8, r.high);
}

static inline rows16 rows16_set(uint32_t bits)
{
    uint16x8_t v = vdupq_n_u16((uint16_t)bits);
    return (rows16){v, v};
}

/* All ones in lanes 1 to 8, the chunk's own rows. */
static inline rows16 rows16_own_lanes(void)
{
    const uint16x8_t ones = vdupq_n_u16(0xffff), zeros = vdupq_n_u16(0);
    return (rows16){vextq_u16(zeros, ones, 7), vextq_u16(ones, zeros, 7)};
}

static inline rows16 rows16_and(rows16 a, rows16 b)
{
    return (rows16){vandq_u16(a.low, b.low), vandq_u16(a.high, b.high)};
}

static inline rows16 rows16_or(rows16 a, rows16 b)
{
    return (rows16){vorrq_u16(a.low, b.low), vorrq_u16(a.high, b.high)};
}

static inline rows16 rows16_xor(rows16 a, rows16 b)
{
    return (rows16){veorq_u16(a.low, b.low), veorq_u16(a.high, b.high)};
}

/* Bit i of the result is bit i + 1. */
static inline rows16 rows16_shift_down(rows16 r)
{
    return (rows16){vshrq_n_u16(r.low, 1), vshrq_n_u16(r.high, 1)};
}

/* Bit i of the result is bit i - 1, and bit 0 is bit 15. */
static inline rows16 rows16_turn(rows16 r)
{
    return (rows16){vorrq_u16(vshlq_n_u16(r.low, 1), vshrq_n_u16(r.low, 15)), vorrq_u16(vshlq_n_u16(r.high, 1), vshrq_n_u16(r.high, 15))};
}

/* Lane z of the result is lane z + 1. The last one is zero. */
static inline rows16 rows16_next_lane(rows16 r)
{
    return (rows16){vextq_u16(r.low, r.high, 1), vextq_u16(r.high, vdupq_n_u16(0), 1)};
}

/* Bit z is set where lane z is not zero. */
static inline uint32_t rows16_nonzero(rows16 r)
{
    static const uint16_t place[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t weight = vld1q_u16(place);
    return (uint32_t)vaddvq_u16(vandq_u16(vtstq_u16(r.low, r.low), weight)) |
           (uint32_t)vaddvq_u16(vandq_u16(vtstq_u16(r.high, r.high), weight)) << 8;
}

/* Lane z - 1 is all ones if lane z, from 1 to 8, is not zero. */
static inline uint16x8_t own_nonzero(rows16 r)
{
    uint16x8_t own = vextq_u16(r.low, r.high, 1);
    return vtstq_u16(own, own);
}

/* Bit 4*(z - 1) + i is set where lane z, from 1 to 8, of vector i is not zero. */
static inline uint32_t rows16_nonzero_of_three(rows16 a, rows16 b, rows16 c)
{
    static const int16_t place[8] = {0, 4, 8, 12, 0, 4, 8, 12};
    uint16x8_t bits = vorrq_u16(vandq_u16(own_nonzero(a), vdupq_n_u16(1)), vandq_u16(own_nonzero(b), vdupq_n_u16(2)));
    bits = vorrq_u16(bits, vandq_u16(own_nonzero(c), vdupq_n_u16(4)));
    bits = vshlq_u16(bits, vld1q_s16(place));
    bits = vpaddq_u16(bits, bits);
    bits = vpaddq_u16(bits, bits);
    return vgetq_lane_u32(vreinterpretq_u32_u16(bits), 0);
}

/* ---- cells, one a lane ---- */

enum { LANES = 4 };

typedef int32x4_t lanes_i;
typedef float32x4_t lanes_f;

static inline lanes_i lanes_from_bytes(const uint8_t *p)
{
    uint32x2_t four = vdup_n_u32(0);
    uint32_t bytes = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    four = vset_lane_u32(bytes, four, 0);
    return vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vreinterpret_u8_u32(four)))));
}

static inline lanes_i lanes_set(int32_t v)
{
    return vdupq_n_s32(v);
}

static inline lanes_f lanes_set_f(float v)
{
    return vdupq_n_f32(v);
}

static inline lanes_f lanes_to_f(lanes_i v)
{
    return vcvtq_f32_s32(v);
}

/* Rounds towards zero. */
static inline lanes_i lanes_to_i(lanes_f v)
{
    return vcvtq_s32_f32(v);
}

static inline lanes_i lanes_add(lanes_i a, lanes_i b)
{
    return vaddq_s32(a, b);
}

static inline lanes_i lanes_negate(lanes_i v)
{
    return vnegq_s32(v);
}

static inline lanes_i lanes_and(lanes_i a, lanes_i b)
{
    return vandq_s32(a, b);
}

static inline lanes_i lanes_xor(lanes_i a, lanes_i b)
{
    return veorq_s32(a, b);
}

static inline lanes_i lanes_min(lanes_i a, lanes_i b)
{
    return vminq_s32(a, b);
}

static inline lanes_i lanes_shift_down(lanes_i v, int bits)
{
    return vshlq_s32(v, vdupq_n_s32(-bits));
}

static inline lanes_i lanes_shift_up(lanes_i v, int bits)
{
    return vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(v), vdupq_n_s32(bits)));
}

static inline lanes_f lanes_add_f(lanes_f a, lanes_f b)
{
    return vaddq_f32(a, b);
}

static inline lanes_f lanes_mul_f(lanes_f a, lanes_f b)
{
    return vmulq_f32(a, b);
}

/* All ones where the bit is set. */
static inline lanes_i lanes_test(lanes_i v, int32_t bit)
{
    return vreinterpretq_s32_u32(vtstq_s32(v, vdupq_n_s32(bit)));
}

/* a/b where the mask is set, else 0. */
static inline lanes_f lanes_divide_where(lanes_i mask, lanes_f a, lanes_f b)
{
    return vreinterpretq_f32_s32(vandq_s32(mask, vreinterpretq_s32_f32(vdivq_f32(a, b))));
}

/* 1/n; unspecified for 0. */
static inline lanes_f lanes_one_nth(lanes_i n)
{
    return vdivq_f32(vdupq_n_f32(1.0f), vcvtq_f32_s32(vmaxq_s32(n, vdupq_n_s32(1))));
}

/* x, y, z of four points, one point after the other, by an interleaving store. */
static inline void lanes_store_vec3(float *to, lanes_f x, lanes_f y, lanes_f z)
{
    float32x4x3_t points = {{x, y, z}};
    vst3q_f32(to, points);
}

#endif
