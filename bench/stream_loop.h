/* SPDX-License-Identifier: MIT */
/* The loops of the memory limit, compiled for the baseline and for each instruction set. */
#ifndef VP_BENCH_STREAM_LOOP_H
#define VP_BENCH_STREAM_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernels.h>

/* The memory traffic of building a broadphase. */
typedef struct vp_stream {
    const uint8_t *bricks; /* chunk_count bricks of 512 bytes, 64-byte aligned; each is read once */
    size_t chunk_count;
    /* Used only by vp_stream_read_write. */
    const uint8_t *mixed; /* one byte per chunk: 1: its masks are stored, 0: not */
    uint32_t *slot;       /* one number per chunk; all are written */
    vp_chunk_masks *pool; /* 64-byte aligned, one more than the mixed chunks; written without gaps */
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
