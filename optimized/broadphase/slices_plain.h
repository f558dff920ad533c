/* SPDX-License-Identifier: MIT */
/* Plain C's own step of dilation, bytes to words, takes eight bytes at a time. Loops over lanes would take them one by one. */
#ifndef VP_OPTIMIZED_BROADPHASE_SLICES_PLAIN_H
#define VP_OPTIMIZED_BROADPHASE_SLICES_PLAIN_H

#include "optimized/simd/plain.h"

#define VP_OWN_WORDS

/* Eight bytes as a word, the first one lowest, on machines of either byte order. */
VP_INLINE uint64_t load8(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* Bit i is set if byte i is not 0. No sum carries into the next byte. The product moves bit 8i + 7 to bit 56 + i, and no two bits meet. */
VP_INLINE uint64_t nonzero_bytes(uint64_t bytes)
{
    const uint64_t low7 = UINT64_C(0x7f7f7f7f7f7f7f7f), tops = (((bytes & low7) + low7) | bytes) & ~low7;
    return (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline void words_from_rows(const uint8_t *row, size_t z_stride, uint64_t *solid, uint64_t *water)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t s = 0, not_water = 0;
    for (int z = 0; z < 8; z++) {
        const uint64_t bytes = load8(row + (size_t)z * z_stride);
        s |= nonzero_bytes(bytes & ~ones) << (8 * z);
        not_water |= nonzero_bytes(bytes ^ ones) << (8 * z);
    }
    *solid = s;
    *water = ~not_water;
}

static inline void words_from_slice(const uint8_t *slice, uint64_t *solid, uint64_t *water)
{
    words_from_rows(slice, 8, solid, water);
}

#endif
