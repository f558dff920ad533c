/* SPDX-License-Identifier: MIT */
/* The vocabulary of the mesher on WebAssembly's 128 bits. A slice is two v128 of eight 16-bit lanes, four cells are a
 * vector. The words are documented in mesher_body.h.
 *
 * Idea. bitmask turns compares into bits, as on x86. i8x16.swizzle and the table of mesher_table.h move lanes together.
 * Four vertices are stored by six shuffles, quads by eight. Conversions towards zero saturate here, so they need no
 * care. They cost engines on x86 some five instructions where others cost one. */
#ifndef VP_OPTIMIZED_SURFACE_NETS_SIMD128_H
#define VP_OPTIMIZED_SURFACE_NETS_SIMD128_H

#include "optimized/simd/simd128.h"
#include "optimized/surface/nets_class.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- 16 bytes ---- */

typedef v128_t vec16;

static inline vec16 vec16_load(const void *p)
{
    return wasm_v128_load(p);
}

static inline void vec16_store(void *p, vec16 v)
{
    wasm_v128_store(p, v);
}

static inline void vec16_store_half(void *p, vec16 v)
{
    wasm_v128_store64_lane(p, v, 0);
}

static inline vec16 vec16_set(uint32_t byte)
{
    return wasm_i8x16_splat((int8_t)byte);
}

static inline vec16 vec16_set16(uint32_t lane)
{
    return wasm_i16x8_splat((int16_t)lane);
}

static inline vec16 vec16_words(uint64_t low, uint64_t high)
{
    return wasm_i64x2_make((int64_t)low, (int64_t)high);
}

/* 8 bytes of each. */
static inline vec16 vec16_pair(const uint8_t *low, const uint8_t *high)
{
    return wasm_v128_load64_lane(high, wasm_v128_load64_zero(low), 1);
}

/* clang 14's code generator does not terminate for an AND of a constant with a vector of which it knows one half, as
   in list_cells of mesher_body.h. Two of its rules undo each other. So the origin of a is hidden from it, which
   costs no instruction. */
static inline vec16 vec16_and(vec16 a, vec16 b)
{
#if defined(__wasm_simd128__)
    __asm__("" : "+r"(a));
#endif
    return wasm_v128_and(a, b);
}

static inline vec16 vec16_add(vec16 a, vec16 b)
{
    return wasm_i8x16_add(a, b);
}

static inline vec16 vec16_add16(vec16 a, vec16 b)
{
    return wasm_i16x8_add(a, b);
}

static inline vec16 vec16_shuffle(vec16 v, vec16 at)
{
    return wasm_i8x16_swizzle(v, at);
}

static inline vec16 vec16_select(vec16 mask, vec16 yes, vec16 no)
{
    return wasm_v128_bitselect(yes, no, mask);
}

/* Eight 16-bit lanes, and eight bytes, all ones where the bit of their number is set. */
static inline vec16 vec16_bits16(uint32_t bits)
{
    const v128_t lane = wasm_i16x8_make(1, 2, 4, 8, 16, 32, 64, 128);
    return wasm_i16x8_eq(wasm_v128_and(vec16_set16(bits), lane), lane);
}

static inline vec16 vec16_bits8(uint32_t bits)
{
    const v128_t lane = wasm_i8x16_make(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    return wasm_i8x16_eq(wasm_v128_and(vec16_set(bits), lane), lane);
}

/* From the numbers of eight 16-bit lanes, in bytes, those of their 16 bytes. */
static inline vec16 vec16_spread(uint64_t lanes)
{
    v128_t v = vec16_words(lanes, 0);
    v = wasm_i8x16_shuffle(v, v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    return wasm_i8x16_add(wasm_i8x16_add(v, v), wasm_i16x8_splat(0x0100));
}

/* Eight bytes to 16-bit lanes, and a number added to each. */
static inline void vec16_store_numbers(uint16_t *to, uint64_t bytes, uint32_t first)
{
    wasm_v128_store(to, wasm_i16x8_add(wasm_u16x8_extend_low_u8x16(vec16_words(bytes, 0)), vec16_set16(first)));
}

/* Eight corners of each kind to eight quads. */
static inline void vec16_store_quads(uint16_t *to, vec16 c0, vec16 c1, vec16 c2, vec16 c3)
{
    const v128_t low01 = wasm_i16x8_shuffle(c0, c1, 0, 8, 1, 9, 2, 10, 3, 11);
    const v128_t high01 = wasm_i16x8_shuffle(c0, c1, 4, 12, 5, 13, 6, 14, 7, 15);
    const v128_t low23 = wasm_i16x8_shuffle(c2, c3, 0, 8, 1, 9, 2, 10, 3, 11);
    const v128_t high23 = wasm_i16x8_shuffle(c2, c3, 4, 12, 5, 13, 6, 14, 7, 15);
    wasm_v128_store(to, wasm_i32x4_shuffle(low01, low23, 0, 4, 1, 5));
    wasm_v128_store(to + 8, wasm_i32x4_shuffle(low01, low23, 2, 6, 3, 7));
    wasm_v128_store(to + 16, wasm_i32x4_shuffle(high01, high23, 0, 4, 1, 5));
    wasm_v128_store(to + 24, wasm_i32x4_shuffle(high01, high23, 2, 6, 3, 7));
}

/* Two bits a row to the eight of a cell. Bits 0 and 1 are corners 0 and 1. Nothing crosses a byte's end, so lanes of 16
   bits are shifted, for which x86 has an instruction. */
static inline vec16 vec16_signs(vec16 low, vec16 low_next, vec16 up, vec16 up_next)
{
    return wasm_v128_or(wasm_v128_or(low, wasm_i16x8_shl(low_next, 2)), wasm_v128_or(wasm_i16x8_shl(up, 4), wasm_i16x8_shl(up_next, 6)));
}

/* ---- is there a surface? ---- */

/* All ones where a voxel is of the class. */
static inline v128_t of_class_16(v128_t material, class_range r)
{
    return wasm_u8x16_le(wasm_i8x16_sub(material, vec16_set(r.first)), vec16_set(r.more));
}

/* All ones for a voxel that is inside: it belongs to the class, and the top bit of its occupancy is set. */
static inline v128_t inside_16(v128_t occupancy, v128_t of_class)
{
    return wasm_i8x16_lt(wasm_v128_and(occupancy, of_class), wasm_i8x16_splat(0));
}

static inline uint32_t kinds(v128_t any, v128_t all)
{
    return (wasm_v128_any_true(any) ? (uint32_t)INSIDE : 0) | (wasm_i8x16_all_true(all) ? 0 : (uint32_t)OUTSIDE);
}

static inline uint32_t kinds_of(const uint8_t *m, const uint8_t *o, int bytes, class_range r)
{
    v128_t any = inside_16(wasm_v128_load(o), of_class_16(wasm_v128_load(m), r)), all = any;
    for (int i = 16; i < bytes; i += 16) {
        const v128_t in = inside_16(wasm_v128_load(o + i), of_class_16(wasm_v128_load(m + i), r));
        any = wasm_v128_or(any, in);
        all = wasm_v128_and(all, in);
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
    v128_t any = wasm_i8x16_splat(0), all = wasm_i8x16_splat(-1);
    for (int y = 0; y < 8; y += 2) {
        const v128_t in = inside_16(vec16_pair(o + y * 64, o + y * 64 + 64), of_class_16(vec16_pair(m + y * 64, m + y * 64 + 64), r));
        any = wasm_v128_or(any, in);
        all = wasm_v128_and(all, in);
    }
    return kinds(any, all);
}

/* The voxels at x = 0. */
static inline uint32_t kinds_of_column(const uint8_t *m, const uint8_t *o, class_range r)
{
    const v128_t column = wasm_i64x2_splat(0xff);
    v128_t any = wasm_i8x16_splat(0), all = wasm_i8x16_splat(-1);
    for (int i = 0; i < 512; i += 16) {
        const v128_t in = inside_16(wasm_v128_load(o + i), of_class_16(wasm_v128_load(m + i), r));
        any = wasm_v128_or(any, in);
        all = wasm_v128_and(all, in);
    }
    return kinds(wasm_v128_and(any, column), wasm_v128_or(all, wasm_v128_not(column)));
}

/* ---- rows of voxels ---- */

/* |g|, which is |occupancy - 127| for a voxel of the class, else 128. */
static inline v128_t distance_16(v128_t occupancy, v128_t of_class)
{
    const v128_t middle = wasm_i8x16_splat(127);
    const v128_t d = wasm_v128_or(wasm_u8x16_sub_sat(occupancy, middle), wasm_u8x16_sub_sat(middle, occupancy));
    return wasm_v128_bitselect(d, wasm_i8x16_splat(-128), of_class);
}

/* From rows of inside. Bit 0 is this voxel's, bit 1 the next one's. */
static inline v128_t sign_16(v128_t inside)
{
    const v128_t next = wasm_i8x16_shuffle(inside, inside, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
    return wasm_v128_or(wasm_v128_and(inside, wasm_i8x16_splat(1)), wasm_v128_and(next, wasm_i8x16_splat(2)));
}

/* Four rows to 16 bits each. */
static inline uint64_t bits_of_rows(v128_t a, v128_t b, v128_t c, v128_t d)
{
    return (uint64_t)wasm_i8x16_bitmask(a) | (uint64_t)wasm_i8x16_bitmask(b) << 16 | (uint64_t)wasm_i8x16_bitmask(c) << 32 |
           (uint64_t)wasm_i8x16_bitmask(d) << 48;
}

static inline v128_t low_words(v128_t a, v128_t b)
{
    return wasm_i64x2_shuffle(a, b, 0, 2);
}

static inline v128_t high_words(v128_t a, v128_t b)
{
    return wasm_i64x2_shuffle(a, b, 1, 3);
}

/* Two rows, from two rows of 8 of the chunks to the left, in the middle, and to the right.
   row  receives distances, signs and materials of each
   in   receives the inside bits of each */
static inline void make_rows(const vec16 m[3], const vec16 o[3], class_range r, vec16 row[2][3], vec16 in[2])
{
    const v128_t first = wasm_i64x2_splat(0xffffffff);
    const v128_t side_m = vec16_select(first, m[2], m[0]), side_o = vec16_select(first, o[2], o[0]);
    const v128_t own_class = of_class_16(m[1], r), side_class = of_class_16(side_m, r);
    const v128_t own_d = distance_16(o[1], own_class), side_d = distance_16(side_o, side_class);
    const v128_t own_in = inside_16(o[1], own_class), side_in = inside_16(side_o, side_class);
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
    return (uint32_t)wasm_i8x16_bitmask(in[0]) | (uint32_t)wasm_i8x16_bitmask(in[1]) << 16;
}

/* The eight rows of a slice, from the slices to the left, in the middle, to the right. */
static inline void put_slice(const uint8_t *const m[3], const uint8_t *const o[3], class_range r, uint8_t *distance, uint8_t *sign,
                             uint8_t *material, uint16_t *inside)
{
    for (int half = 0; half < 2; half++) {
        vec16 in[4];
        for (int pair = 0; pair < 2; pair++) {
            const int at = half * 32 + pair * 16;
            const vec16 mm[3] = {wasm_v128_load(m[0] + at), wasm_v128_load(m[1] + at), wasm_v128_load(m[2] + at)};
            const vec16 oo[3] = {wasm_v128_load(o[0] + at), wasm_v128_load(o[1] + at), wasm_v128_load(o[2] + at)};
            vec16 row[2][3];
            make_rows(mm, oo, r, row, in + 2 * pair);
            for (int i = 0; i < 2; i++) {
                const int to = 2 * at + i * 16;
                wasm_v128_store(distance + to, row[i][0]);
                wasm_v128_store(sign + to, row[i][1]);
                wasm_v128_store(material + to, row[i][2]);
            }
        }
        vec16_store_half(inside + half * 4, vec16_words(bits_of_rows(in[0], in[1], in[2], in[3]), 0));
    }
}

/* ---- rows of bits, lane z, bit x ---- */

typedef struct rows16 {
    v128_t low, high;
} rows16;

static inline rows16 rows16_load(const uint16_t *p)
{
    return (rows16){wasm_v128_load(p), wasm_v128_load(p + 8)};
}

static inline void rows16_store(uint16_t *p, rows16 r)
{
    wasm_v128_store(p, r.low);
    wasm_v128_store(p + 8, r.high);
}

static inline rows16 rows16_set(uint32_t bits)
{
    return (rows16){vec16_set16(bits), vec16_set16(bits)};
}

/* All ones in lanes 1 to 8, the chunk's own rows. */
static inline rows16 rows16_own_lanes(void)
{
    return (rows16){wasm_i16x8_make(0, -1, -1, -1, -1, -1, -1, -1), wasm_i16x8_make(-1, 0, 0, 0, 0, 0, 0, 0)};
}

static inline rows16 rows16_and(rows16 a, rows16 b)
{
    return (rows16){wasm_v128_and(a.low, b.low), wasm_v128_and(a.high, b.high)};
}

static inline rows16 rows16_or(rows16 a, rows16 b)
{
    return (rows16){wasm_v128_or(a.low, b.low), wasm_v128_or(a.high, b.high)};
}

static inline rows16 rows16_xor(rows16 a, rows16 b)
{
    return (rows16){wasm_v128_xor(a.low, b.low), wasm_v128_xor(a.high, b.high)};
}

/* Bit i of the result is bit i + 1. */
static inline rows16 rows16_shift_down(rows16 r)
{
    return (rows16){wasm_u16x8_shr(r.low, 1), wasm_u16x8_shr(r.high, 1)};
}

static inline v128_t turned(v128_t r)
{
    return wasm_v128_or(wasm_i16x8_add(r, r), wasm_u16x8_shr(r, 15));
}

/* Bit i of the result is bit i - 1, and bit 0 is bit 15. */
static inline rows16 rows16_turn(rows16 r)
{
    return (rows16){turned(r.low), turned(r.high)};
}

static inline v128_t lanes_from_1(v128_t low, v128_t high)
{
    return wasm_i16x8_shuffle(low, high, 1, 2, 3, 4, 5, 6, 7, 8);
}

/* Lane z of the result is lane z + 1. The last one is zero. */
static inline rows16 rows16_next_lane(rows16 r)
{
    return (rows16){lanes_from_1(r.low, r.high), lanes_from_1(r.high, wasm_i16x8_splat(0))};
}

/* Bit z is set where lane z is not zero. */
static inline uint32_t rows16_nonzero(rows16 r)
{
    const v128_t zero = wasm_i16x8_splat(0);
    const v128_t bytes = wasm_i8x16_narrow_i16x8(wasm_i16x8_eq(r.low, zero), wasm_i16x8_eq(r.high, zero));
    return ~(uint32_t)wasm_i8x16_bitmask(bytes) & 0xffff;
}

/* Lane z - 1 is all ones if lane z, from 1 to 8, is zero. */
static inline v128_t own_zero(rows16 r)
{
    return wasm_i16x8_eq(lanes_from_1(r.low, r.high), wasm_i16x8_splat(0));
}

/* Bit 4*(z - 1) + i is set where lane z, from 1 to 8, of vector i is not zero. Each lane gets four bytes, for a, b, c,
   and a fourth whose bit is never set. */
static inline uint32_t rows16_nonzero_of_three(rows16 a, rows16 b, rows16 c)
{
    const v128_t high_byte = wasm_i16x8_splat(-256);
    const v128_t ab = wasm_v128_bitselect(own_zero(b), own_zero(a), high_byte), c_only = wasm_v128_or(own_zero(c), high_byte);
    const v128_t first = wasm_i16x8_shuffle(ab, c_only, 0, 8, 1, 9, 2, 10, 3, 11);
    const v128_t last = wasm_i16x8_shuffle(ab, c_only, 4, 12, 5, 13, 6, 14, 7, 15);
    return ~((uint32_t)wasm_i8x16_bitmask(first) | (uint32_t)wasm_i8x16_bitmask(last) << 16);
}

/* ---- cells, one a lane ---- */

enum { LANES = 4 };

typedef v128_t lanes_i;
typedef v128_t lanes_f;

static inline lanes_i lanes_from_bytes(const uint8_t *p)
{
    return wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p)));
}

static inline lanes_i lanes_set(int32_t v)
{
    return wasm_i32x4_splat(v);
}

static inline lanes_f lanes_set_f(float v)
{
    return wasm_f32x4_splat(v);
}

static inline lanes_f lanes_to_f(lanes_i v)
{
    return wasm_f32x4_convert_i32x4(v);
}

/* Rounds towards zero. */
static inline lanes_i lanes_to_i(lanes_f v)
{
    return wasm_i32x4_trunc_sat_f32x4(v);
}

static inline lanes_i lanes_add(lanes_i a, lanes_i b)
{
    return wasm_i32x4_add(a, b);
}

static inline lanes_i lanes_negate(lanes_i v)
{
    return wasm_i32x4_neg(v);
}

static inline lanes_i lanes_and(lanes_i a, lanes_i b)
{
    return wasm_v128_and(a, b);
}

static inline lanes_i lanes_xor(lanes_i a, lanes_i b)
{
    return wasm_v128_xor(a, b);
}

static inline lanes_i lanes_min(lanes_i a, lanes_i b)
{
    return wasm_i32x4_min(a, b);
}

static inline lanes_i lanes_shift_down(lanes_i v, int bits)
{
    return wasm_u32x4_shr(v, (uint32_t)bits);
}

static inline lanes_i lanes_shift_up(lanes_i v, int bits)
{
    return wasm_i32x4_shl(v, (uint32_t)bits);
}

static inline lanes_f lanes_add_f(lanes_f a, lanes_f b)
{
    return wasm_f32x4_add(a, b);
}

static inline lanes_f lanes_mul_f(lanes_f a, lanes_f b)
{
    return wasm_f32x4_mul(a, b);
}

/* All ones where the bit is set. */
static inline lanes_i lanes_test(lanes_i v, int32_t bit)
{
    const v128_t b = wasm_i32x4_splat(bit);
    return wasm_i32x4_eq(wasm_v128_and(v, b), b);
}

/* a/b where the mask is set, else 0. */
static inline lanes_f lanes_divide_where(lanes_i mask, lanes_f a, lanes_f b)
{
    return wasm_v128_and(mask, wasm_f32x4_div(a, b));
}

/* 1/n; unspecified for 0. */
static inline lanes_f lanes_one_nth(lanes_i n)
{
    return wasm_f32x4_div(wasm_f32x4_splat(1.0f), wasm_f32x4_convert_i32x4(wasm_i32x4_max(n, wasm_i32x4_splat(1))));
}

/* x, y, z of four points, one point after the other. */
static inline void lanes_store_vec3(float *to, lanes_f x, lanes_f y, lanes_f z)
{
    const v128_t xy = wasm_i32x4_shuffle(x, y, 0, 4, 1, 5); /* x0 y0 x1 y1 */
    const v128_t yz = wasm_i32x4_shuffle(y, z, 1, 5, 2, 6); /* y1 z1 y2 z2 */
    const v128_t zx = wasm_i32x4_shuffle(z, x, 2, 7, 3, 3); /* z2 x3 z3 z3 */
    wasm_v128_store(to, wasm_i32x4_shuffle(xy, z, 0, 1, 4, 2));
    wasm_v128_store(to + 4, wasm_i32x4_shuffle(yz, x, 0, 1, 6, 2));
    wasm_v128_store(to + 8, wasm_i32x4_shuffle(zx, y, 0, 1, 7, 2));
}

#endif
