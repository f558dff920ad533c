/* SPDX-License-Identifier: MIT */
/* Connected components with the reference's labels. Include after the header of an ISA.
 *
 * Idea. Runs of set cells of a row are joined with the runs of the two rows before it, one along z and one along y, in a union-find.
 * 1. Rows become words of 64 bits, in scratch. A run that begins in a word is its own root.
 * 2. The bits that a word and the same word of a row before have in common are overlaps. The first bit of each joins two runs.
 *    It is skipped if the run is joined with them over the other two of the four cells around that edge.
 * 3. Runs are numbered in order. A root is the lowest cell of its component, so it has its number before all others of the component.
 *
 * Layout. label[first cell of a run] is a lower run's first cell, or its own, until the run is numbered. Other labels are not used before.
 *
 * Instructions. The comparison of 64 bytes with 0 that gives a word of bits (u8x64, one instruction with AVX-512, two halves with AVX2),
 * and the store of 16 equal labels. All else is integers of 64 bits: count trailing zeros, AND, shifts. An ISA without masks needs a fast
 * u8x64 movemask alone. */
#ifndef VP_BLOCKS_COMPONENTS_BODY_H
#define VP_BLOCKS_COMPONENTS_BODY_H

#include <string.h>

#include <voxphys/kernel/blocks.h>

/* One of the two rows before a row. */
typedef struct row_before {
    const uint32_t *words; /* NULL: there is none */
    size_t cell;           /* its first cell */
    size_t begin;          /* of the run that goes on from the last word, otherwise the next word's first cell */
} row_before;

VP_INLINE uint64_t load_word(const uint32_t *words, uint32_t w)
{
    return words[2 * w] | (uint64_t)words[2 * w + 1] << 32;
}

/* The cells of a row from x on, up to 64, as bits. Bits past the row are 0. No cell of another row is read. */
VP_INLINE uint64_t read_cells(const vp_components_job *job, size_t row, uint32_t x)
{
    const size_t first = row + x;
    const uint32_t count = job->size.x - x < 64 ? job->size.x - x : 64;
    if (job->cell == NULL) {
        const uint64_t low = job->bits[first / 64] >> first % 64;
        return (first % 64 + count > 64 ? low | job->bits[first / 64 + 1] << (64 - first % 64) : low) & UINT64_MAX >> (64 - count);
    }
    if (job->size.x >= 64)
        return ~m8x64_movemask(u8x64_cmp_eq(u8x64_load(job->cell + first - (64 - count)), u8x64_set1(0))) >> (64 - count);
    uint8_t some[64] = {0};
    memcpy(some, job->cell + first, count);
    return ~m8x64_movemask(u8x64_cmp_eq(u8x64_load(some), u8x64_set1(0)));
}

/* The root of a run. Halves the way to it. */
VP_INLINE uint32_t find_root(uint32_t *label, uint32_t i)
{
    while (label[i] != i)
        i = label[i] = label[label[i]];
    return i;
}

VP_INLINE void join_runs(uint32_t *label, size_t one, size_t other)
{
    const uint32_t a = find_root(label, (uint32_t)one), b = find_root(label, (uint32_t)other);
    label[a > b ? a : b] = a > b ? b : a;
}

/* The first cell of the run that cell `first + bit` of a word is in. `begin`: as in row_before. */
VP_INLINE size_t find_begin(uint64_t word, size_t first, unsigned bit, size_t begin)
{
    const uint64_t unset = ~word & ((UINT64_C(1) << bit) - 1);
    return unset == 0 ? begin : first + 64 - (unsigned)__builtin_clzll(unset);
}

/* `begin` for the next word. */
VP_INLINE size_t find_next_begin(uint64_t word, size_t first, size_t begin)
{
    return word == UINT64_MAX ? begin : first + 64 - (unsigned)__builtin_clzll(~word);
}

/* Joins the runs of a row with those of the rows before it. */
VP_INLINE void join_row(const vp_components_job *job, uint32_t *words, size_t row, row_before before[2], const uint32_t *diagonal)
{
    size_t begin = row;
    uint64_t last = 0;
    for (uint32_t x = 0, w = 0; x < job->size.x; x += 64, w++) {
        const uint64_t word = read_cells(job, row, x);
        words[2 * w] = (uint32_t)word;
        words[2 * w + 1] = (uint32_t)(word >> 32);
        for (uint64_t b = word & ~(word << 1 | last >> 63); b != 0; b &= b - 1) {
            const size_t i = row + x + (unsigned)__builtin_ctzll(b);
            job->label[i] = (uint32_t)i;
        }
        uint64_t joined = diagonal == NULL ? 0 : load_word(diagonal, w); /* those cells that the row along z joins with the row along y */
        for (int k = 0; k < 2; k++) {
            row_before *of = &before[k];
            if (of->words == NULL)
                continue;
            const uint64_t old = load_word(of->words, w), both = word & old;
            uint64_t firsts = both & ~(both << 1);
            if (k == 1)
                firsts &= ~joined;
            for (; firsts != 0; firsts &= firsts - 1) {
                const unsigned bit = (unsigned)__builtin_ctzll(firsts);
                join_runs(job->label, find_begin(word, row + x, bit, begin), find_begin(old, of->cell + x, bit, of->begin));
            }
            joined &= old;
            of->begin = find_next_begin(old, of->cell + x, of->begin);
        }
        begin = find_next_begin(word, row + x, begin);
        last = word;
    }
}

/* Numbers the runs of a row and writes its labels. @return the number of components so far */
VP_INLINE uint32_t number_row(const vp_components_job *job, const uint32_t *words, size_t row, uint32_t count)
{
    uint32_t now = VP_NO_COMPONENT;
    uint64_t last = 0;
    for (uint32_t x = 0, w = 0; x < job->size.x; x += 64, w++) {
        const uint32_t cells = job->size.x - x < 64 ? job->size.x - x : 64;
        const uint64_t word = load_word(words, w);
        const uint64_t edges = (word ^ (word << 1 | last >> 63)) & UINT64_MAX >> (64 - cells);
        uint32_t *label = job->label + row + x;
        last = word;
        uint32_t of[66], n = 0; /* of each part between edges */
        of[n++] = now;
        for (uint64_t e = edges; e != 0; e &= e - 1) {
            const unsigned i = (unsigned)__builtin_ctzll(e);
            if (word >> i & 1) {
                now = label[i] == row + x + i ? count++ : job->label[label[i]];
                label[i] = now; /* for other runs of this word */
            } else {
                now = VP_NO_COMPONENT;
            }
            of[n++] = now;
        }
        const uint32_t *part = of;
        for (uint32_t i = 0; i < cells; i += 16) {
            if (cells - i >= 16 && (edges >> i & 0xffff) == 0) {
                i32x16_store(label + i, i32x16_set1((int32_t)*part));
                continue;
            }
            for (uint32_t k = i; k < cells && k < i + 16; k++) {
                part += edges >> k & 1;
                label[k] = *part;
            }
        }
    }
    return count;
}

static uint32_t label_components(const vp_components_job *grid)
{
    vp_components_job with_rows = *grid;
    const vp_components_job *job = &with_rows;
    uint32_t alone[2]; /* words of a grid of one cell */
    vp_dims s = grid->size;
    if (s.x == 0 || s.y == 0 || s.z == 0)
        return 0;
    if (s.x == 1) /* rows of one cell have no room for words, so the next axis has the rows */
        s = s.z > 1 ? (vp_dims){.x = s.z, .y = s.y, .z = 1} : (vp_dims){.x = s.y, .y = 1, .z = 1};
    if (s.x == 1)
        with_rows.scratch = alone;
    with_rows.size = s;
    const size_t along_y = (size_t)s.x * s.z, length = 2 * (((size_t)s.x + 63) / 64); /* of a row in words of scratch */
    uint32_t count = 0;
    uint32_t *words = job->scratch;
    for (uint32_t y = 0; y < s.y; y++)
        for (uint32_t z = 0; z < s.z; z++, words += length) {
            const size_t row = y * along_y + (size_t)z * s.x;
            const uint32_t *along_y_words = words - (size_t)s.z * length;
            row_before before[2] = {{z > 0 ? words - length : NULL, row - s.x, row - s.x},
                                    {y > 0 ? along_y_words : NULL, row - along_y, row - along_y}};
            join_row(job, words, row, before, y > 0 && z > 0 ? along_y_words - length : NULL);
        }
    words = job->scratch;
    for (size_t row = 0; row < along_y * s.y; row += s.x, words += length)
        count = number_row(job, words, row, count);
    return count;
}

#endif
