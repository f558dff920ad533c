/* SPDX-License-Identifier: MIT */
/* A chunk and its surroundings: article "Les bases d'un voxel engine", "Diviser pour mieux régner". Also distant
 * chunks. */
#include <voxphys/block_shapes.h>

#include "src/blocks/look.h"
#include "src/core/error.h"

vp_status vp_block_view_check(const vp_block_view *view, vp_error *error)
{
    VP_RETURN_IF_NULL(error, view);
    const int32_t low[3] = {view->low.x, view->low.y, view->low.z};
    const uint32_t size[3] = {view->size.x, view->size.y, view->size.z};
    const int32_t reach = VP_BLOCKS_REACH + 1; /* the surroundings of the last chunk are a view too */
    uint64_t chunks = 1;
    for (int a = 0; a < 3; a++) {
        if (low[a] < -reach || (int64_t)low[a] + size[a] > reach)
            return vp_fail(error, VP_E_ARGUMENT, "chunks %d to %lld along %c; must be within %d to %d", (int)low[a],
                           (long long)low[a] + (long long)size[a] - 1, "xyz"[a], (int)-reach, (int)reach - 1);
        if (size[a] != 0 && chunks > SIZE_MAX / sizeof *view->chunk / size[a])
            return vp_fail(error, VP_E_ARGUMENT, "vp_block_view.size is %u x %u x %u chunks, more than memory can hold", size[0], size[1],
                           size[2]);
        chunks *= size[a];
    }
    if (view->type_count > VP_BLOCK_TYPES_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_view.type_count is %u; must be at most %d", view->type_count, VP_BLOCK_TYPES_MAX);
    return VP_OK;
}

vp_block vp_block_downsample(const vp_block eight[8])
{
    vp_block best = 0;
    int something = 0, max = 0;
    for (int i = 0; i < 8; i++) {
        int alike = 0;
        for (int j = 0; j < 8; j++)
            alike += eight[j] == eight[i];
        something += eight[i] != 0;
        if (eight[i] != 0 && (alike > max || (alike == max && eight[i] < best))) {
            max = alike;
            best = eight[i];
        }
    }
    return something >= 4 ? best : 0;
}

/* The representative of the cube of blocks from `at` on, whose edge is 1, 2 or 4. */
static vp_block find_seen_block(const vp_block_view *view, const int32_t at[3], int32_t size)
{
    vp_block eight[8];
    if (size == 1)
        return vp_block_of_view(view, at);
    for (int i = 0; i < 8; i++) {
        const int32_t half = size / 2;
        const int32_t part[3] = {at[0] + (i & 1) * half, at[1] + (i >> 2) * half, at[2] + (i >> 1 & 1) * half};
        eight[i] = find_seen_block(view, part, half);
    }
    return vp_block_downsample(eight);
}

/* Whether a cell of the window is in the chunk, or on a requested side. */
static bool is_looked_at(const int32_t at[3], int32_t edge, uint32_t sides)
{
    for (uint32_t a = 0; a < 3; a++)
        if ((at[a] < 0 && (sides >> 2 * a & 1u) == 0) || (at[a] >= edge && (sides >> (2 * a + 1) & 1u) == 0))
            return false;
    return true;
}

void vp_block_look_around(const vp_block_view *view, vp_ivec3 chunk, uint32_t sides, vp_block *cell)
{
    static const vp_block_cells nothing = {NULL, 0, 0};
    const int32_t e = VP_BLOCK_EDGE;
    int32_t at[3];
    for (at[1] = -1; at[1] <= e; at[1]++)
        for (at[2] = -1; at[2] <= e; at[2]++) {
            const vp_block_cells *row[3]; /* the chunks at x = -1, 0 to 31, 32 */
            for (int k = 0; k < 3; k++) {
                at[0] = k == 0 ? -1 : k == 1 ? 0 : e;
                const vp_block_cells *of = is_looked_at(at, e, sides) ? vp_block_cells_of_view(view, chunk, at) : NULL;
                row[k] = of != NULL ? of : &nothing;
            }
            const uint32_t y = (uint32_t)(at[1] & (e - 1)), z = (uint32_t)(at[2] & (e - 1));
            *cell++ = vp_block_at(row[0], VP_BLOCK_EDGE - 1, y, z);
            for (uint32_t x = 0; x < VP_BLOCK_EDGE; x++)
                *cell++ = vp_block_at(row[1], x, y, z);
            *cell++ = vp_block_at(row[2], 0, y, z);
        }
}

vp_status vp_block_window_fill(const vp_block_view *view, vp_ivec3 chunk, uint32_t edge, uint32_t sides, vp_block *cell, vp_error *error)
{
    VP_RETURN_IF_NULL(error, view, cell);
    VP_RETURN_IF_FAILED(vp_block_view_check(view, error));
    if (edge != VP_BLOCK_EDGE && edge != VP_BLOCK_EDGE / 2 && edge != VP_BLOCK_EDGE / 4)
        return vp_fail(error, VP_E_ARGUMENT, "edge is %u; must be 32, 16 or 8", edge);
    if (sides > VP_SIDES_ALL)
        return vp_fail(error, VP_E_ARGUMENT, "sides is 0x%x; must have only the bits 0x3f", sides);
    const int32_t index[3] = {chunk.x, chunk.y, chunk.z}, low[3] = {view->low.x, view->low.y, view->low.z};
    const uint32_t size[3] = {view->size.x, view->size.y, view->size.z};
    for (int a = 0; a < 3; a++)
        if (index[a] < low[a] || (int64_t)index[a] >= (int64_t)low[a] + size[a])
            return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) is outside of the view", (int)chunk.x, (int)chunk.y, (int)chunk.z);
    if (edge == VP_BLOCK_EDGE) {
        vp_block_look_around(view, chunk, sides, cell);
        return VP_OK;
    }
    const int32_t scale = VP_BLOCK_EDGE / (int32_t)edge;
    int32_t at[3];
    for (at[1] = -1; at[1] <= (int32_t)edge; at[1]++)
        for (at[2] = -1; at[2] <= (int32_t)edge; at[2]++)
            for (at[0] = -1; at[0] <= (int32_t)edge; at[0]++) {
                int32_t block[3];
                for (int a = 0; a < 3; a++)
                    block[a] = index[a] * VP_BLOCK_EDGE + at[a] * scale;
                cell[vp_block_window_at(edge, at[0], at[1], at[2])] =
                    is_looked_at(at, (int32_t)edge, sides) ? find_seen_block(view, block, scale) : 0;
            }
    return VP_OK;
}
