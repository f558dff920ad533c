/* SPDX-License-Identifier: MIT */
/* The loops behind the memory limit; compiled once for the baseline and once for each instruction set. */
#ifndef VP_BENCH_STREAM_LOOP_H
#define VP_BENCH_STREAM_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernels.h>

/* What a build of the broadphase moves through memory. */
typedef struct vp_stream {
    const uint8_t *bricks; /* chunk_count bricks of 512 bytes, 64-byte aligned: all are read, once */
    size_t chunk_count;
    /* Only of vp_stream_read_write: */
    const uint8_t *mixed; /* a byte a chunk: 1 if its masks are to be stored, else 0 */
    uint32_t *slot;       /* a number a chunk: all are written */
    vp_chunk_masks *pool; /* 64-byte aligned, one more than there are mixed chunks: written without gaps */
} vp_stream;

/* @return the bricks folded by exclusive or to one word, so that no byte can be left out */
typedef uint64_t vp_stream_fn(const vp_stream *stream);

/* The loop that reads alone, of the best instruction set of this machine. */
vp_stream_fn *vp_stream_best_read(void);

#define VP_STREAM_DECLARE(isa) vp_stream_fn vp_stream_read_##isa, vp_stream_read_write_##isa;
VP_STREAM_DECLARE(scalar)
VP_STREAM_DECLARE(avx2)
VP_STREAM_DECLARE(avx512)
VP_STREAM_DECLARE(neon)

#endif
