/* SPDX-License-Identifier: MIT */
/* The vocabulary of the dilation kernels in plain C. Eight 64-bit words hold the eight Y-slices of a chunk, one class.
 * The words are documented in dilation_pass.h. A port to a machine without a vector unit starts here. The benchmarks
 * measure it as "scalar-words", which shows the algorithm's gain without vectors. */
#ifndef VP_OPTIMIZED_BROADPHASE_SLICES_WORDS_H
#define VP_OPTIMIZED_BROADPHASE_SLICES_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define COLUMN0 UINT64_C(0x0101010101010101)
#define COLUMN7 (COLUMN0 << 7)

typedef struct slices {
    uint64_t word[8];
} slices;

static inline slices slices_zero(void)
{
    return (slices){{0}};
}

static inline slices slices_load(const uint64_t *word)
{
    slices s;
    memcpy(s.word, word, sizeof s.word);
    return s;
}

static inline void slices_store(uint64_t *word, slices s)
{
    memcpy(word, s.word, sizeof s.word);
}

static inline slices slices_or(slices a, slices b)
{
    for (int y = 0; y < 8; y++)
        a.word[y] |= b.word[y];
    return a;
}

static inline slices slices_not(slices s)
{
    for (int y = 0; y < 8; y++)
        s.word[y] = ~s.word[y];
    return s;
}

static inline slices slices_dilate_x(slices left, slices mid, slices right)
{
    slices r;
    for (int y = 0; y < 8; y++) {
        uint64_t m = mid.word[y];
        uint64_t up = (m << 1 & ~COLUMN0) | (left.word[y] >> 7 & COLUMN0);
        uint64_t down = (m >> 1 & ~COLUMN7) | (right.word[y] << 7 & COLUMN7);
        r.word[y] = m | up | down;
    }
    return r;
}

static inline slices slices_beside(slices left, slices mid, slices right)
{
    for (int y = 0; y < 8; y++)
        mid.word[y] |= (left.word[y] & COLUMN7) | (right.word[y] & COLUMN0);
    return mid;
}

static inline slices slices_dilate_z(slices back, slices mid, slices front)
{
    slices r;
    for (int y = 0; y < 8; y++) {
        uint64_t m = mid.word[y];
        r.word[y] = m | m << 8 | m >> 8 | back.word[y] >> 56 | front.word[y] << 56;
    }
    return r;
}

static inline slices slices_dilate_y(uint64_t below, slices mid, slices above)
{
    slices r;
    for (int y = 0; y < 8; y++)
        r.word[y] = mid.word[y] | (y > 0 ? mid.word[y > 0 ? y - 1 : 0] : below) | (y < 7 ? mid.word[y < 7 ? y + 1 : 7] : above.word[0]);
    return r;
}

static inline slices slices_row(uint64_t rows, int z)
{
    slices r;
    for (int y = 0; y < 8; y++)
        r.word[y] = (rows >> (8 * y) & 0xff) << (8 * z);
    return r;
}

static inline bool slices_any(slices s)
{
    uint64_t any = 0;
    for (int y = 0; y < 8; y++)
        any |= s.word[y];
    return any != 0;
}

static inline uint32_t slices_zero_in(slices s, uint64_t bits)
{
    uint32_t mask = 0;
    for (int y = 0; y < 8; y++)
        mask |= (uint32_t)((s.word[y] & bits) == 0) << y;
    return mask;
}

static inline uint32_t slices_zero_words(slices s)
{
    return slices_zero_in(s, UINT64_MAX);
}

/* Eight bytes as a word, the first one lowest, on machines of either byte order. */
static inline uint64_t load8(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* The top bit of each byte that is not 0. The others are 0. No sum carries into the next byte. */
static inline uint64_t tops_of_nonzero(uint64_t bytes)
{
    return (((bytes & ~COLUMN7) + ~COLUMN7) | bytes) & COLUMN7;
}

/* The top bits of eight bytes, moved together. The product moves bit 8i + 7 to bit 56 + i, and no two bits meet. */
static inline uint64_t gather_tops(uint64_t tops)
{
    return (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline void words_from_rows(const uint8_t *row, size_t z_stride, uint64_t *solid, uint64_t *water)
{
    uint64_t s = 0, w = 0;
    for (int z = 0; z < 8; z++) {
        uint64_t bytes = load8(row + (size_t)z * z_stride);
        s |= gather_tops(tops_of_nonzero(bytes & ~COLUMN0)) << (8 * z);
        w |= gather_tops(COLUMN7 & ~tops_of_nonzero(bytes ^ COLUMN0)) << (8 * z);
    }
    *solid = s;
    *water = w;
}

static inline void words_from_slice(const uint8_t *slice, uint64_t *solid, uint64_t *water)
{
    words_from_rows(slice, 8, solid, water);
}

static inline void prefetch(const void *line)
{
    (void)line; /* C has no prefetch */
}

#undef COLUMN0
#undef COLUMN7
#endif
