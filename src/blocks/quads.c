/* SPDX-License-Identifier: MIT */
/* Quads and their meshes: article "Les bases d'un voxel engine", "Voxel Engine". */
#include <voxphys/block_shapes.h>

#include <string.h>

#include "src/blocks/rounding.h"
#include "src/blocks/tables.h"
#include "src/core/error.h"
#include "src/core/memory.h"

vp_status vp_block_quads_create(const vp_block_quads_def *def, vp_block_quads *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_kernels kernels;
    VP_RETURN_IF_FAILED(vp_block_window_check(&def->window, error));
    VP_RETURN_IF_FAILED(vp_block_table(def->kernels, &kernels, error));
    const size_t max = vp_block_max_faces(def->window.edge);
    vp_block_quads made = {.edge = def->window.edge, .allocator = allocator};
    vp_block_quad *quad = vp_allocate(&allocator, max, sizeof *quad);
    const vp_faces_job job = {.window = def->window, .occlusion = def->occlusion, .quad = quad, .first = made.first};
    if (quad == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu faces", max);
    if (def->merged)
        kernels.greedy_quads(&job);
    else
        kernels.faces(&job);
    const uint32_t count = made.first[VP_SIDE_COUNT];
    made.quad = vp_allocate(&allocator, count, sizeof *quad);
    if (made.quad != NULL)
        memcpy(made.quad, quad, count * sizeof *quad);
    vp_release(&allocator, quad, max, sizeof *quad);
    if (made.quad == NULL && count != 0)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u quads", count);
    *out = made;
    return VP_OK;
}

void vp_block_quads_destroy(vp_block_quads *quads)
{
    if (quads == NULL)
        return;
    vp_release(&quads->allocator, quads->quad, quads->first[VP_SIDE_COUNT], sizeof *quads->quad);
    *quads = (vp_block_quads){.quad = NULL};
}

static vp_status check_mesh(const vp_block_mesh_def *def, vp_error *error)
{
    const int32_t at[3] = {def->chunk.x, def->chunk.y, def->chunk.z}, max = 1 << 18;
    const uint32_t edge = def->quads->edge;
    if (edge == 0 || VP_BLOCK_EDGE % edge != 0)
        return vp_fail(error, VP_E_ARGUMENT, "quads of a window of edge %u: it must divide 32", edge);
    for (int a = 0; a < 3; a++)
        if (at[a] < -max || at[a] >= max)
            return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d): meshes are made from %d to %d", (int)at[0], (int)at[1], (int)at[2],
                           -max, max - 1);
    return def->rounding != NULL ? vp_block_rounding_check(def->rounding, error) : VP_OK;
}

/* Corners of a side's quads, counterclockwise seen from outside, as vp_block_quad numbers them. The axes u and v turn
   to the right about the axis, except for z. See vp_side_axes. */
static const uint8_t around[2][4] = {{0, 2, 3, 1}, {0, 1, 3, 2}};

static void put_quad(const vp_block_mesh_def *def, uint32_t side, const vp_block_quad *quad, vp_vec3 vertex[4], uint8_t light[4])
{
    const int32_t scale = VP_BLOCK_EDGE / (int32_t)def->quads->edge;
    const int32_t chunk[3] = {def->chunk.x, def->chunk.y, def->chunk.z}, block[3] = {quad->x, quad->y, quad->z};
    uint32_t axis, u, v;
    vp_side_axes(side, &axis, &u, &v);
    const uint8_t *corner = around[(side % 2 == 1) == (axis == 2)];
    uint32_t level[4];
    for (uint32_t i = 0; i < 4; i++)
        level[i] = quad->occlusion >> 2 * corner[i] & 3u;
    const uint32_t turn = level[1] + level[3] > level[0] + level[2]; /* the diagonal is that from the first to the third */
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t from = (i + turn) % 4, k = corner[from];
        int32_t at[3] = {block[0], block[1], block[2]};
        at[axis] += (int32_t)(side % 2);
        at[u] += (k & 1u) != 0 ? quad->u : 0;
        at[v] += (k & 2u) != 0 ? quad->v : 0;
        for (int a = 0; a < 3; a++)
            at[a] = chunk[a] * VP_BLOCK_EDGE + at[a] * scale;
        vertex[i] = (vp_vec3){(float)at[0], (float)at[1], (float)at[2]};
        if (def->rounding != NULL)
            vertex[i] = vp_block_rounding_point(def->rounding, vertex[i]);
        light[i] = (uint8_t)level[from];
    }
}

vp_status vp_block_mesh_create(const vp_block_mesh_def *def, vp_block_mesh *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    const vp_block_quads *quads = def->quads;
    const uint32_t count = quads->first[VP_SIDE_COUNT];
    VP_RETURN_IF_FAILED(check_mesh(def, error));
    vp_block_mesh made = {.quad_count = count, .allocator = vp_allocator_or_default(def->allocator)};
    made.vertex = vp_allocate(&made.allocator, (size_t)count * 4, sizeof *made.vertex);
    made.light = vp_allocate(&made.allocator, (size_t)count * 4, sizeof *made.light);
    made.index = vp_allocate(&made.allocator, (size_t)count * 6, sizeof *made.index);
    if (count != 0 && (made.vertex == NULL || made.light == NULL || made.index == NULL)) {
        vp_block_mesh_destroy(&made);
        return vp_fail(error, VP_E_MEMORY, "no memory for a mesh of %u quads", count);
    }
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
        for (uint32_t q = quads->first[side]; q < quads->first[side + 1]; q++) {
            static const uint8_t corner[6] = {0, 1, 2, 0, 2, 3};
            put_quad(def, side, &quads->quad[q], made.vertex + (size_t)q * 4, made.light + (size_t)q * 4);
            for (uint32_t i = 0; i < 6; i++)
                made.index[(size_t)q * 6 + i] = 4 * q + corner[i];
        }
    *out = made;
    return VP_OK;
}

void vp_block_mesh_destroy(vp_block_mesh *mesh)
{
    if (mesh == NULL)
        return;
    const size_t count = mesh->quad_count;
    vp_release(&mesh->allocator, mesh->vertex, count * 4, sizeof *mesh->vertex);
    vp_release(&mesh->allocator, mesh->light, count * 4, sizeof *mesh->light);
    vp_release(&mesh->allocator, mesh->index, count * 6, sizeof *mesh->index);
    *mesh = (vp_block_mesh){.vertex = NULL};
}
