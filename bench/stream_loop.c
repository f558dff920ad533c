/* SPDX-License-Identifier: MIT */
/* VP_STREAM_ISA is this compilation's instruction set. A line is as wide as its registers, because gcc keeps wider vectors in memory.
 * Four sums suffice to keep the loads busy, and fit into registers everywhere. */
#include "bench/stream_loop.h"

#include <string.h>

#define JOIN(a, b)       JOIN_AGAIN(a, b)
#define JOIN_AGAIN(a, b) a##b

#if defined(__AVX512F__)
#define LINE_BYTES 64
#elif defined(__AVX2__)
#define LINE_BYTES 32
#else
#define LINE_BYTES 16
#endif

typedef uint64_t line __attribute__((vector_size(LINE_BYTES), may_alias));

enum { BRICK_LINES = VP_CHUNK_VOXELS / LINE_BYTES, MASK_LINES = sizeof(vp_chunk_masks) / LINE_BYTES, SUMS = 4 };

static inline uint64_t total(const line sum[SUMS])
{
    uint64_t word[SUMS * LINE_BYTES / sizeof(uint64_t)], all = 0;
    memcpy(word, sum, sizeof word);
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        all ^= word[i];
    return all;
}

uint64_t JOIN(vp_stream_read_, VP_STREAM_ISA)(const vp_stream *stream)
{
    const line *at = (const void *)stream->bricks;
    const line *end = at + stream->chunk_count * BRICK_LINES;
    line sum[SUMS] = {{0}};
    for (; at < end; at += SUMS) { /* lines in order only: other orders disturb the prefetcher, measurably in L2 */
        sum[0] ^= at[0];
        sum[1] ^= at[1];
        sum[2] ^= at[2];
        sum[3] ^= at[3];
    }
    return total(sum);
}

/* Stores every chunk's masks (the first lines of its brick) at the next free position, and advances only if the chunk is mixed. This
 * needs no branch. The pointers are copied, so that the compiler knows that stores do not change them. */
uint64_t JOIN(vp_stream_read_write_, VP_STREAM_ISA)(const vp_stream *stream)
{
    const line *brick = (const void *)stream->bricks;
    const uint8_t *mixed = stream->mixed;
    uint32_t *slot = stream->slot;
    line *masks = (void *)stream->pool;
    size_t chunk_count = stream->chunk_count;
    line sum[SUMS] = {{0}};
    uint32_t filled = 0;
    for (size_t c = 0; c < chunk_count; c++, brick += BRICK_LINES) {
        for (int i = 0; i < BRICK_LINES; i += SUMS) {
            line next[SUMS] = {brick[i], brick[i + 1], brick[i + 2], brick[i + 3]};
            for (int s = 0; s < SUMS; s++) {
                sum[s] ^= next[s];
                if (i + s < MASK_LINES)
                    masks[i + s] = next[s];
            }
        }
        slot[c] = filled;
        filled += mixed[c];
        masks += (size_t)mixed[c] * MASK_LINES;
    }
    return total(sum);
}
