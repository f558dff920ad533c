/* SPDX-License-Identifier: MIT */
/* The vocabulary of the dilation kernels on WebAssembly's 128 bits. Four v128 hold the eight Y-slices of a chunk, one
 * class. The words are documented in dilation_pass.h.
 *
 * Idea. i8x16.bitmask turns bytes into bits, 16 a vector, four vectors to a word. x86, the most common host, has no
 * instruction that shifts bytes. So words are shifted by 64 bits, and v128.bitselect takes the column that crossed a
 * row's end from the neighbour instead. The mask is needed anyway and does both.
 *
 * Cost of a chunk in instructions of WebAssembly, both classes: 32 loads, 64 compares, 64 bitmasks, 48 scalar shifts
 * and 48 scalar ORs of words. Each class adds 32 (x), 32 (z) and 16 (y). */
#ifndef VP_OPTIMIZED_BROADPHASE_SLICES_SIMD128_H
#define VP_OPTIMIZED_BROADPHASE_SLICES_SIMD128_H

#include "optimized/simd/simd128.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slices {
    v128_t pair[4]; /* slices 2i, 2i+1 */
} slices;

static inline v128_t both_words(uint64_t word)
{
    return wasm_i64x2_splat((int64_t)word);
}

static inline slices slices_zero(void)
{
    const v128_t z = both_words(0);
    return (slices){{z, z, z, z}};
}

static inline slices slices_load(const uint64_t *word)
{
    return (slices){{wasm_v128_load(word), wasm_v128_load(word + 2), wasm_v128_load(word + 4), wasm_v128_load(word + 6)}};
}

static inline void slices_store(uint64_t *word, slices s)
{
    for (int i = 0; i < 4; i++)
        wasm_v128_store(word + 2 * i, s.pair[i]);
}

static inline slices slices_or(slices a, slices b)
{
    for (int i = 0; i < 4; i++)
        a.pair[i] = wasm_v128_or(a.pair[i], b.pair[i]);
    return a;
}

static inline slices slices_not(slices s)
{
    for (int i = 0; i < 4; i++)
        s.pair[i] = wasm_v128_not(s.pair[i]);
    return s;
}

static inline slices slices_dilate_x(slices left, slices mid, slices right)
{
    const v128_t column0 = both_words(0x0101010101010101), column7 = both_words(0x8080808080808080);
    slices r;
    for (int i = 0; i < 4; i++) {
        const v128_t m = mid.pair[i];
        const v128_t up = wasm_v128_bitselect(wasm_u64x2_shr(left.pair[i], 7), wasm_i64x2_shl(m, 1), column0);
        const v128_t down = wasm_v128_bitselect(wasm_i64x2_shl(right.pair[i], 7), wasm_u64x2_shr(m, 1), column7);
        r.pair[i] = wasm_v128_or(m, wasm_v128_or(up, down));
    }
    return r;
}

static inline slices slices_beside(slices left, slices mid, slices right)
{
    const v128_t column0 = both_words(0x0101010101010101), column7 = both_words(0x8080808080808080);
    slices r;
    for (int i = 0; i < 4; i++) {
        const v128_t sides = wasm_v128_or(wasm_v128_and(left.pair[i], column7), wasm_v128_and(right.pair[i], column0));
        r.pair[i] = wasm_v128_or(mid.pair[i], sides);
    }
    return r;
}

static inline slices slices_dilate_z(slices back, slices mid, slices front)
{
    slices r;
    for (int i = 0; i < 4; i++) {
        const v128_t m = mid.pair[i];
        const v128_t up = wasm_v128_or(wasm_i64x2_shl(m, 8), wasm_u64x2_shr(back.pair[i], 56));
        const v128_t down = wasm_v128_or(wasm_u64x2_shr(m, 8), wasm_i64x2_shl(front.pair[i], 56));
        r.pair[i] = wasm_v128_or(m, wasm_v128_or(up, down));
    }
    return r;
}

static inline slices slices_dilate_y(uint64_t below, slices mid, slices above)
{
    slices r;
    v128_t before = both_words(below);
    for (int i = 0; i < 4; i++) {
        const v128_t m = mid.pair[i], next = i < 3 ? mid.pair[i < 3 ? i + 1 : 3] : above.pair[0];
        const v128_t up = wasm_i64x2_shuffle(before, m, 1, 2), down = wasm_i64x2_shuffle(m, next, 1, 2);
        r.pair[i] = wasm_v128_or(m, wasm_v128_or(up, down));
        before = m;
    }
    return r;
}

static inline slices slices_row(uint64_t rows, int z)
{
    const v128_t words16 = wasm_u16x8_extend_low_u8x16(both_words(rows));
    const v128_t low = wasm_u32x4_extend_low_u16x8(words16), high = wasm_u32x4_extend_high_u16x8(words16);
    const uint32_t shift = 8 * (uint32_t)z;
    return (slices){{wasm_i64x2_shl(wasm_u64x2_extend_low_u32x4(low), shift), wasm_i64x2_shl(wasm_u64x2_extend_high_u32x4(low), shift),
                     wasm_i64x2_shl(wasm_u64x2_extend_low_u32x4(high), shift), wasm_i64x2_shl(wasm_u64x2_extend_high_u32x4(high), shift)}};
}

static inline bool slices_any(slices s)
{
    return wasm_v128_any_true(wasm_v128_or(wasm_v128_or(s.pair[0], s.pair[1]), wasm_v128_or(s.pair[2], s.pair[3])));
}

static inline uint32_t slices_zero_words(slices s)
{
    const v128_t zero = both_words(0);
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 4; i++)
        mask |= (uint32_t)wasm_i64x2_bitmask(wasm_i64x2_eq(s.pair[i], zero)) << (2 * i);
    return mask;
}

static inline uint32_t slices_zero_in(slices s, uint64_t bits)
{
    for (int i = 0; i < 4; i++)
        s.pair[i] = wasm_v128_and(s.pair[i], both_words(bits));
    return slices_zero_words(s);
}

static inline uint64_t bits_of(v128_t bytes)
{
    return (uint64_t)wasm_i8x16_bitmask(bytes);
}

static inline void words_from_vectors(v128_t a, v128_t b, v128_t c, v128_t d, uint64_t *solid, uint64_t *water)
{
    const v128_t one = wasm_i8x16_splat(1), two = wasm_i8x16_splat(2); /* >= is one step less than > on x86 */
    *solid = bits_of(wasm_u8x16_ge(a, two)) | bits_of(wasm_u8x16_ge(b, two)) << 16 | bits_of(wasm_u8x16_ge(c, two)) << 32 |
             bits_of(wasm_u8x16_ge(d, two)) << 48;
    *water = bits_of(wasm_i8x16_eq(a, one)) | bits_of(wasm_i8x16_eq(b, one)) << 16 | bits_of(wasm_i8x16_eq(c, one)) << 32 |
             bits_of(wasm_i8x16_eq(d, one)) << 48;
}

static inline void words_from_slice(const uint8_t *slice, uint64_t *solid, uint64_t *water)
{
    words_from_vectors(wasm_v128_load(slice), wasm_v128_load(slice + 16), wasm_v128_load(slice + 32), wasm_v128_load(slice + 48), solid,
                       water);
}

static inline v128_t two_rows(const uint8_t *row, size_t z_stride)
{
    return wasm_v128_load64_lane(row + z_stride, wasm_v128_load64_zero(row), 1);
}

static inline void words_from_rows(const uint8_t *row, size_t z_stride, uint64_t *solid, uint64_t *water)
{
    words_from_vectors(two_rows(row, z_stride), two_rows(row + 2 * z_stride, z_stride), two_rows(row + 4 * z_stride, z_stride),
                       two_rows(row + 6 * z_stride, z_stride), solid, water);
}

/* WebAssembly has no prefetch. */
static inline void prefetch(const void *line)
{
    (void)line;
}

#endif
