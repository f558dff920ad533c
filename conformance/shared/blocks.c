/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "conformance/shared/shared.h"

enum { MAX_TYPES = UINT8_MAX, ALL_BITS = VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE | VP_BLOCK_FLUID };

static const vp_value types = {.type = JSON_ARRAY, .part = &vp_is_whole};
static const vp_member members[] = {
    {VP_AT(vp_query_chunk, edge, "the chunk's edge"), .name = "edge", .is = &vp_is_whole},
    {VP_LISTED(vp_query_chunk, is, "the bits of a type", "types", types), .name = "is", .is = &types, .letters = 2},
    {.name = NULL}};
const vp_part vp_part_chunk = {.size = sizeof(vp_query_chunk), .members = members};

/* ---- parts ---- */

static const char *fault_of(const vp_question *question)
{
    const vp_query_grid *grid = question->part[0];
    const vp_query_chunk *q = question->part[1];
    const int64_t low[3] = {grid->first.x, grid->first.y, grid->first.z}, n[3] = {grid->extents.x, grid->extents.y, grid->extents.z};
    if (q->edge < 1 || q->edge > VP_BLOCK_EDGE)
        return "no chunk has such an edge";
    for (int a = 0; a < 3; a++)
        if (low[a] < -1 || low[a] + n[a] > (int64_t)q->edge + 1)
            return "blocks beyond the layer around the chunk";
    if (q->types > MAX_TYPES)
        return "too many types";
    for (uint32_t i = 0; i < q->types; i++)
        if (q->is[i] > ALL_BITS)
            return "a type has an unknown bit";
    return NULL;
}

bool vp_blocks_refused(const vp_question *q)
{
    return fault_of(q) != NULL;
}

json_t *vp_blocks_unsound(const vp_question *q)
{
    return fault_of(q) != NULL ? json_pack("{s:b}", "refused", 1) : NULL;
}

vp_status vp_blocks_window(const vp_question *question, vp_block_window *out, void **memory, vp_error *error)
{
    const vp_query_grid *grid = question->part[0];
    const vp_query_chunk *q = question->part[1];
    const char *fault = fault_of(question);
    *memory = NULL;
    if (fault != NULL)
        return vp_fail(error, VP_E_ARGUMENT, "%s", fault);
    const size_t w = (size_t)q->edge + 2;
    vp_block_type *type = calloc(1, (q->types + 1) * sizeof *type + w * w * w * sizeof(vp_block));
    if (type == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a chunk of edge %u", q->edge);
    vp_block *cell = (void *)(type + q->types + 1);
    for (uint32_t i = 0; i < q->types; i++)
        type[i + 1].flags = q->is[i];
    for (size_t i = 0; i < vp_grid_cells(grid); i++) {
        const vp_ivec3 at = vp_grid_place(grid, i);
        cell[vp_block_window_at(q->edge, grid->first.x + at.x, grid->first.y + at.y, grid->first.z + at.z)] = grid->full[i];
    }
    *memory = type;
    *out = (vp_block_window){.edge = q->edge, .cell = cell, .type = type, .type_count = q->types + 1};
    return VP_OK;
}
