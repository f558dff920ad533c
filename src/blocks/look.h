/* SPDX-License-Identifier: MIT */
/* Blocks of a view, by their place in the world. Article "Les bases d'un voxel engine", "Diviser pour mieux régner". */
#ifndef VP_BLOCKS_LOOK_H
#define VP_BLOCKS_LOOK_H

#include <voxphys/kernel/blocks.h>

/* The blocks of a view, from low to high, excluding high. */
static inline void vp_block_view_bounds(const vp_block_view *view, int32_t low[3], int32_t high[3])
{
    const int32_t at[3] = {view->low.x, view->low.y, view->low.z};
    const uint32_t size[3] = {view->size.x, view->size.y, view->size.z};
    for (int a = 0; a < 3; a++) {
        low[a] = at[a] * VP_BLOCK_EDGE;
        high[a] = (int32_t)((uint32_t)low[a] + size[a] * VP_BLOCK_EDGE); /* up to 2^31 + 64 blocks */
    }
}

/* The chunk that has the block `at` steps from the first of `chunk`. NULL outside the view. */
static inline const vp_block_cells *vp_block_cells_of_view(const vp_block_view *view, vp_ivec3 chunk, const int32_t at[3])
{
    const uint32_t e = VP_BLOCK_EDGE; /* steps begin at -1 */
    const uint32_t x = (uint32_t)chunk.x - (uint32_t)view->low.x + ((uint32_t)at[0] + e) / e - 1,
                   y = (uint32_t)chunk.y - (uint32_t)view->low.y + ((uint32_t)at[1] + e) / e - 1,
                   z = (uint32_t)chunk.z - (uint32_t)view->low.z + ((uint32_t)at[2] + e) / e - 1;
    if (x >= view->size.x || y >= view->size.y || z >= view->size.z)
        return NULL;
    return &view->chunk[((size_t)y * view->size.z + z) * view->size.x + x];
}

/* Reads a chunk of a view and one layer around it, in the layout of vp_block_window_fill with edge 32. The chunk is
   not looked up. */
void vp_block_look_around(const vp_block_view *view, vp_ivec3 chunk, uint32_t sides, vp_block *cell);

/* A block by its place in the world. Blocks outside the view are 0. */
static inline vp_block vp_block_of_view(const vp_block_view *view, const int32_t at[3])
{
    const uint32_t e = VP_BLOCK_EDGE;
    const uint32_t x = (uint32_t)at[0] - (uint32_t)view->low.x * e, y = (uint32_t)at[1] - (uint32_t)view->low.y * e,
                   z = (uint32_t)at[2] - (uint32_t)view->low.z * e; /* negative differences wrap to large values */
    if (x >= view->size.x * e || y >= view->size.y * e || z >= view->size.z * e)
        return 0;
    const size_t chunk = ((size_t)(y / e) * view->size.z + z / e) * view->size.x + x / e;
    return vp_block_at(&view->chunk[chunk], x % e, y % e, z % e);
}

#endif
