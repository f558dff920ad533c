/* SPDX-License-Identifier: MIT */
/* The data sets of block worlds. */
#ifndef VP_BLOCK_SETS_H
#define VP_BLOCK_SETS_H

#include <voxphys/blocks.h>
#include <voxphys/world.h>

#include "datasets/kinds/kind.h"

/* A world, and all of it taken: nobody edits it. */
typedef struct vp_block_set {
    vp_blocks *world;
    vp_block_held held;
    const vp_block_view *view; /* of held */
} vp_block_set;

/* How many chunks are in view, and which the i-th is. */
static inline uint32_t vp_view_chunks(const vp_block_view *view)
{
    return view->size.x * view->size.y * view->size.z;
}

static inline vp_ivec3 vp_view_chunk_at(const vp_block_view *view, uint32_t i)
{
    return vp_nth_cell(view->low, view->size, i);
}

static inline vp_block vp_cells_block(const vp_block_cells *cells, uint32_t i)
{
    return vp_block_at(cells, i % VP_BLOCK_EDGE, i / VP_BLOCK_EDGE / VP_BLOCK_EDGE, i / VP_BLOCK_EDGE % VP_BLOCK_EDGE);
}

/* A world of voxels as blocks: a material is a type of the same number, of the table vp_block_types_of_world. Voxel (0, 0, 0) is block
 * `to`, whose coordinates are multiples of 32. As far as `size` voxels; the world of blocks has these types. */
vp_status vp_blocks_put_world(vp_blocks *blocks, const vp_world *world, vp_dims size, vp_ivec3 to, vp_error *error);
/* 256 types: air, water, and solids. */
const vp_block_type *vp_block_types_of_world(void);

#endif
