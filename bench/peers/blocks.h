/* SPDX-License-Identifier: MIT */
/* The data set of a peer of block_sweep or block_ray. Its answers are times. */
#ifndef VP_BENCH_BLOCKS_H
#define VP_BENCH_BLOCKS_H

#include <voxphys/kernel/blocks.h>

#include "bench/peers/peer.h"

typedef struct vp_block_samples {
    const vp_aabb *box;        /* the world's blocks that collide, merged in each chunk */
    const vp_block_path *path; /* all of one size */
    const vp_block_line *line;
    uint32_t boxes, paths;
} vp_block_samples;

#endif
