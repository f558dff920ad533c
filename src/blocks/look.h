/* SPDX-License-Identifier: MIT */
/* Blocks of a view, by their place in the world. Article "Les bases d'un voxel engine", "Diviser pour mieux régner". */
#ifndef VP_BLOCKS_LOOK_H
#define VP_BLOCKS_LOOK_H

#include <stdbool.h>
#include <string.h>

#include <voxphys/kernel/blocks.h>

/* The blocks of a view, from low to high, excluding high. */
static inline void vp_block_view_bounds(const vp_block_view *view, int32_t low[3], int32_t high[3])
{
    const int32_t at[3] = {view->low.x, view->low.y, view->low.z};
    const uint32_t size[3] = {view->size.x, view->size.y, view->size.z};
    for (int a = 0; a < 3; a++) {
        low[a] = at[a] * VP_BLOCK_EDGE;
        high[a] = low[a] + (int32_t)(size[a] * VP_BLOCK_EDGE);
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

/* Whether the blocks of a chunk from `from` to `to` are 0. Others of the same rows may be tested too. */
static inline bool vp_block_cells_are_empty(const vp_block_cells *c, const uint32_t from[3], const uint32_t to[3])
{
    if (c->cell == NULL)
        return c->all == 0;
    const uint32_t size = VP_BLOCK_EDGE * c->width, first = from[0] * c->width, end = (to[0] + 1) * c->width;
    for (uint32_t y = from[1]; y <= to[1]; y++) {
        const uint8_t *row = (const uint8_t *)c->cell + (y * VP_BLOCK_EDGE + from[2]) * size;
        uint64_t any = 0;
        for (uint32_t z = from[2]; z <= to[2]; z++, row += size)
            for (uint32_t i = first; i < end; i += sizeof any) {
                uint64_t eight;
                memcpy(&eight, &row[i < size - sizeof any ? i : size - sizeof any], sizeof eight);
                any |= eight;
            }
        if (any != 0)
            return false;
    }
    return true;
}

/* The same for blocks of a view by their place in the world. True if there are none. */
static inline bool vp_blocks_of_view_are_empty(const vp_block_view *view, const int32_t from[3], const int32_t to[3])
{
    enum { E = VP_BLOCK_EDGE };
    int32_t begin[3], end[3];
    uint32_t low[3], high[3], in[3], first[3], last[3];
    vp_block_view_bounds(view, begin, end);
    for (uint32_t a = 0; a < 3; a++) {
        if (from[a] > to[a])
            return true;
        low[a] = (uint32_t)(from[a] - begin[a]);
        high[a] = (uint32_t)(to[a] - begin[a]);
    }
    for (in[1] = low[1] / E; in[1] <= high[1] / E; in[1]++)
        for (in[2] = low[2] / E; in[2] <= high[2] / E; in[2]++)
            for (in[0] = low[0] / E; in[0] <= high[0] / E; in[0]++) {
                for (uint32_t a = 0; a < 3; a++) {
                    first[a] = in[a] == low[a] / E ? low[a] % E : 0;
                    last[a] = in[a] == high[a] / E ? high[a] % E : E - 1;
                }
                const size_t chunk = ((size_t)in[1] * view->size.z + in[2]) * view->size.x + in[0];
                if (!vp_block_cells_are_empty(&view->chunk[chunk], first, last))
                    return false;
            }
    return true;
}

#endif
