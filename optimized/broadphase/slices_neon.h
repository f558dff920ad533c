/* SPDX-License-Identifier: MIT */
/* The vocabulary of the dilation kernels on NEON. Four q registers hold the eight Y-slices of a chunk, one class. The
 * words are documented in dilation_pass.h. */
#ifndef VP_OPTIMIZED_BROADPHASE_SLICES_NEON_H
#define VP_OPTIMIZED_BROADPHASE_SLICES_NEON_H

#include "optimized/simd/neon.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slices {
    uint64x2_t pair[4]; /* slices 2i, 2i+1 */
} slices;

static inline slices slices_zero(void)
{
    uint64x2_t z = vdupq_n_u64(0);
    return (slices){{z, z, z, z}};
}

static inline slices slices_load(const uint64_t *word)
{
    return (slices){{vld1q_u64(word), vld1q_u64(word + 2), vld1q_u64(word + 4), vld1q_u64(word + 6)}};
}

static inline void slices_store(uint64_t *word, slices s)
{
    for (int i = 0; i < 4; i++)
        vst1q_u64(word + 2 * i, s.pair[i]);
}

static inline slices slices_or(slices a, slices b)
{
    for (int i = 0; i < 4; i++)
        a.pair[i] = vorrq_u64(a.pair[i], b.pair[i]);
    return a;
}

static inline slices slices_not(slices s)
{
    for (int i = 0; i < 4; i++)
        s.pair[i] = vreinterpretq_u64_u8(vmvnq_u8(vreinterpretq_u8_u64(s.pair[i])));
    return s;
}

/* NEON shifts bytes, so rows of 8 need no masks, and shift-and-insert brings in the neighbour's bit for free. */
static inline slices slices_dilate_x(slices left, slices mid, slices right)
{
    slices r;
    for (int i = 0; i < 4; i++) {
        uint8x16_t l = vreinterpretq_u8_u64(left.pair[i]), m = vreinterpretq_u8_u64(mid.pair[i]);
        uint8x16_t n = vreinterpretq_u8_u64(right.pair[i]);
        uint8x16_t up = vsliq_n_u8(vshrq_n_u8(l, 7), m, 1);
        uint8x16_t down = vsriq_n_u8(vshlq_n_u8(n, 7), m, 1);
        r.pair[i] = vreinterpretq_u64_u8(vorrq_u8(m, vorrq_u8(up, down)));
    }
    return r;
}

static inline slices slices_beside(slices left, slices mid, slices right)
{
    const uint64x2_t column0 = vdupq_n_u64(0x0101010101010101), column7 = vdupq_n_u64(0x8080808080808080);
    slices r;
    for (int i = 0; i < 4; i++) {
        uint64x2_t sides = vorrq_u64(vandq_u64(left.pair[i], column7), vandq_u64(right.pair[i], column0));
        r.pair[i] = vorrq_u64(mid.pair[i], sides);
    }
    return r;
}

static inline slices slices_dilate_z(slices back, slices mid, slices front)
{
    slices r;
    for (int i = 0; i < 4; i++) {
        uint64x2_t m = mid.pair[i];
        uint64x2_t up = vorrq_u64(vshlq_n_u64(m, 8), vshrq_n_u64(back.pair[i], 56));
        uint64x2_t down = vorrq_u64(vshrq_n_u64(m, 8), vshlq_n_u64(front.pair[i], 56));
        r.pair[i] = vorrq_u64(m, vorrq_u64(up, down));
    }
    return r;
}

static inline slices slices_dilate_y(uint64_t below, slices mid, slices above)
{
    slices r;
    uint64x2_t before = vdupq_n_u64(below), behind = above.pair[0];
    for (int i = 0; i < 4; i++) {
        uint64x2_t m = mid.pair[i], next = i < 3 ? mid.pair[i < 3 ? i + 1 : 3] : behind;
        uint64x2_t up = vextq_u64(before, m, 1), down = vextq_u64(m, next, 1);
        r.pair[i] = vorrq_u64(m, vorrq_u64(up, down));
        before = m;
    }
    return r;
}

static inline slices slices_row(uint64_t rows, int z)
{
    uint16x8_t words16 = vmovl_u8(vcreate_u8(rows));
    uint32x4_t low = vmovl_u16(vget_low_u16(words16)), high = vmovl_u16(vget_high_u16(words16));
    const int64x2_t shift = vdupq_n_s64(8 * z);
    return (slices){{vshlq_u64(vmovl_u32(vget_low_u32(low)), shift), vshlq_u64(vmovl_u32(vget_high_u32(low)), shift),
                     vshlq_u64(vmovl_u32(vget_low_u32(high)), shift), vshlq_u64(vmovl_u32(vget_high_u32(high)), shift)}};
}

static inline bool slices_any(slices s)
{
    uint64x2_t any = vorrq_u64(vorrq_u64(s.pair[0], s.pair[1]), vorrq_u64(s.pair[2], s.pair[3]));
    return vmaxvq_u32(vreinterpretq_u32_u64(any)) != 0;
}

static inline uint32_t slices_zero_words(slices s)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 4; i++)
        mask |= (uint32_t)(vgetq_lane_u64(s.pair[i], 0) == 0) << (2 * i) | (uint32_t)(vgetq_lane_u64(s.pair[i], 1) == 0) << (2 * i + 1);
    return mask;
}

static inline uint32_t slices_zero_in(slices s, uint64_t bits)
{
    for (int i = 0; i < 4; i++)
        s.pair[i] = vandq_u64(s.pair[i], vdupq_n_u64(bits));
    return slices_zero_words(s);
}

/* NEON has no movemask. Each compare is cut to one bit a byte, weighted by the byte's place in its row, and pairwise
   additions sum rows, 8 bytes to one. The last addition serves both classes: {solid word, water word}. */
static inline void words_from_vectors(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d, uint64_t *solid, uint64_t *water)
{
    static const uint8_t place[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t weight = vld1q_u8(place), one = vdupq_n_u8(1);
    uint8x16_t s_ab = vpaddq_u8(vandq_u8(vcgtq_u8(a, one), weight), vandq_u8(vcgtq_u8(b, one), weight));
    uint8x16_t s_cd = vpaddq_u8(vandq_u8(vcgtq_u8(c, one), weight), vandq_u8(vcgtq_u8(d, one), weight));
    uint8x16_t w_ab = vpaddq_u8(vandq_u8(vceqq_u8(a, one), weight), vandq_u8(vceqq_u8(b, one), weight));
    uint8x16_t w_cd = vpaddq_u8(vandq_u8(vceqq_u8(c, one), weight), vandq_u8(vceqq_u8(d, one), weight));
    uint8x16_t both = vpaddq_u8(vpaddq_u8(s_ab, s_cd), vpaddq_u8(w_ab, w_cd));
    *solid = vgetq_lane_u64(vreinterpretq_u64_u8(both), 0);
    *water = vgetq_lane_u64(vreinterpretq_u64_u8(both), 1);
}

static inline void words_from_slice(const uint8_t *slice, uint64_t *solid, uint64_t *water)
{
    words_from_vectors(vld1q_u8(slice), vld1q_u8(slice + 16), vld1q_u8(slice + 32), vld1q_u8(slice + 48), solid, water);
}

static inline uint8x16_t two_rows(const uint8_t *row, size_t z_stride)
{
    return vcombine_u8(vld1_u8(row), vld1_u8(row + z_stride));
}

static inline void words_from_rows(const uint8_t *row, size_t z_stride, uint64_t *solid, uint64_t *water)
{
    words_from_vectors(two_rows(row, z_stride), two_rows(row + 2 * z_stride, z_stride), two_rows(row + 4 * z_stride, z_stride),
                       two_rows(row + 6 * z_stride, z_stride), solid, water);
}

/* The empty statement keeps gcc from seeing a function without effect, whose calls it would remove. */
static inline void prefetch(const void *line)
{
    __asm__ volatile("");
    __builtin_prefetch(line);
}

#endif
