/* SPDX-License-Identifier: MIT */
/* The data sets of block worlds. */
#ifndef VP_BLOCK_SETS_H
#define VP_BLOCK_SETS_H

#include <voxphys/blocks.h>
#include <voxphys/world.h>

#include "datasets/kinds/kind.h"

/* A world with a view of all its chunks. It is never edited. */
typedef struct vp_block_set {
    vp_blocks *world;
    vp_block_held held;
    const vp_block_view *view; /* view of the held chunks */
} vp_block_set;

/* The number of chunks in view, and the i-th of them. */
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

/* Sets the cells of blocks that collide to 1, all others to 0. Their order is that of vp_components_job. */
void vp_view_mark_colliding(const vp_block_view *view, uint8_t *cell);

/* Copies a world of voxels into a world of blocks. A material becomes the type of the same number in vp_block_types_of_world, which
 * `blocks` must use. Voxel (0, 0, 0) becomes block `to`, whose coordinates are multiples of 32. Only voxels below `size` are copied. */
vp_status vp_blocks_put_world(vp_blocks *blocks, const vp_world *world, vp_dims size, vp_ivec3 to, vp_error *error);

#endif
