/* SPDX-License-Identifier: MIT */
/* Dilation of one chunk from the 10^3 bytes around it, in rows, over words_from_slice of slices.h.
 *
 * Idea. A Y-slice is 100 contiguous bytes, after the comparison ten rows (z) of ten bits (x). Two overlapping 64-byte
 * loads give all of it as two words, bits 0..63 and bits 36..99. The first holds rows 0..5 whole, the second rows 4..9.
 * So each of the two has all that four of the chunk's own rows need, and no bit ever moves between words:
 *   along y: OR of three slices' words
 *   along x: w | w << 1 | w >> 1     carries over a row's end land in column 0 or 9, outside the chunk
 *   along z: w | w << 10 | w >> 10
 *   then bits 1..8 of four rows, ten bits apart, are moved together to 32 bits.
 * The words of eight slices are eight lanes. Each loop below is one vector on AVX-512, two on AVX2, four on NEON.
 *
 * Cost: 20 loads and 40 compares, then about 25 vector operations a class. The article's method processes 100 rows. */
#ifndef VP_OPTIMIZED_BROADPHASE_DILATION_ROWS10_H
#define VP_OPTIMIZED_BROADPHASE_DILATION_ROWS10_H

#include <voxphys/kernel/broadphase.h>

enum { SLICES = 10, SLICE_BYTES = 100, HIGH_AT = 36 };

/* Words of ten slices, bits 0..63 (low) and 36..99 (high) of each. */
typedef struct slice_words {
    uint64_t low[SLICES], high[SLICES];
} slice_words;

/* Moves four rows together, which are ten bits apart from bit `first` on. */
static inline uint64_t four_rows(uint64_t w, int first)
{
    w >>= first;
    return (w & 0xff) | (w >> 2 & 0xff00) | (w >> 4 & 0xff0000) | (w >> 6 & 0xff000000);
}

static inline uint64_t dilate_xz(uint64_t w)
{
    w |= w << 1 | w >> 1;
    return w | w << 10 | w >> 10;
}

static inline void dilate_slices(const slice_words *in, uint64_t out[8])
{
    for (int y = 0; y < 8; y++) {
        uint64_t low = dilate_xz(in->low[y] | in->low[y + 1] | in->low[y + 2]);
        uint64_t high = dilate_xz(in->high[y] | in->high[y + 1] | in->high[y + 2]);
        out[y] = four_rows(low, 11) | four_rows(high, 15) << 32;
    }
}

static inline uint32_t dilate_chunk_rows10(const uint8_t *material, vp_chunk_masks *out)
{
    slice_words solid, water;
    for (int y = 0; y < SLICES; y++) {
        const uint8_t *slice = material + y * SLICE_BYTES;
        words_from_slice(slice, &solid.low[y], &water.low[y]);
        words_from_slice(slice + HIGH_AT, &solid.high[y], &water.high[y]);
    }
    uint64_t any = 0, all_solid = UINT64_MAX, all_water = UINT64_MAX;
    for (int y = 0; y < SLICES; y++) {
        any |= solid.low[y] | solid.high[y] | water.low[y] | water.high[y];
        all_solid &= solid.low[y] & solid.high[y];
        all_water &= water.low[y] & water.high[y];
    }
    dilate_slices(&solid, out->solid);
    dilate_slices(&water, out->water);
    if (any == 0)
        return VP_CHUNK_EMPTY;
    return all_solid == UINT64_MAX ? VP_CHUNK_FULL_SOLID : all_water == UINT64_MAX ? VP_CHUNK_FULL_WATER : VP_CHUNK_MIXED;
}

#endif
