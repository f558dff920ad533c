/* SPDX-License-Identifier: MIT */
/* The surface of a chunk: naive Surface Nets.
 *
 * The voxel terrain article makes its collision meshes with the mesher of the visible ones, and does not describe it.
 * This is the plainest mesher with its properties: vertices move smoothly with the voxels' occupancy, a chunk needs
 * one voxel around it, and the mesh lies within the broadphase's bits. S. F. F. Gibson, "Constrained elastic surface
 * nets" (1998), puts a vertex in each cell that the surface passes, joins them across the edges that cross it, and
 * lets them relax. The naive variant, which followed, puts a vertex at the mean of the crossings of its cell's edges
 * and does not move it again. kernel/surface.h defines inside, cell, quad and owner. nets.h defines the computation
 * of the numbers. */
#include <voxphys/kernel/surface.h>

#include "src/surface/nets.h"

enum { EDGE = VP_NEIGHBOURHOOD_EDGE, CELLS = 9 };

/* The 10^3 voxels around a chunk, [y][z][x]. The chunk's own are 1 to 8. */
typedef struct mesher_field {
    int16_t value[EDGE][EDGE][EDGE]; /* less 128; above 0 is inside */
    uint8_t material[EDGE][EDGE][EDGE];
} mesher_field;

/* ---- the field ---- */

/* `count` voxels of a brick's row, from its voxel `from` on, to (x, y, z) of the field. Air outside the world. @return
   the number of inside voxels */
static int read_part(const vp_voxels *world, int64_t cx, int64_t wy, int64_t wz, int from, int count, uint32_t surface, mesher_field *f,
                     int x, int y, int z)
{
    size_t row;
    bool there = vp_nets_find_row(world->chunks, cx, wy, wz, &row);
    int inside = 0;
    for (int i = 0; i < count; i++) {
        uint8_t material = there ? world->material[row + (size_t)(from + i)] : VP_AIR;
        uint8_t occupancy = there ? world->occupancy[row + (size_t)(from + i)] : 0;
        f->material[y][z][x + i] = material;
        f->value[y][z][x + i] = vp_nets_value(material, occupancy, surface);
        inside += f->value[y][z][x + i] > 0;
    }
    return inside;
}

/* Each row is the last voxel of the brick before, 8 of its own, the first of the one after. @return the number
   of inside voxels */
static int read_field(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, mesher_field *f)
{
    int inside = 0;
    for (int y = 0; y < EDGE; y++)
        for (int z = 0; z < EDGE; z++) {
            int64_t wy = (int64_t)cy * 8 + y - 1, wz = (int64_t)cz * 8 + z - 1;
            inside += read_part(world, (int64_t)cx - 1, wy, wz, 7, 1, surface, f, 0, y, z);
            inside += read_part(world, cx, wy, wz, 0, 8, surface, f, 1, y, z);
            inside += read_part(world, (int64_t)cx + 1, wy, wz, 0, 1, surface, f, 9, y, z);
        }
    return inside;
}

/* ---- quads, with numbers of cells for vertices ---- */

static uint16_t cell_number(int x, int y, int z)
{
    return (uint16_t)((y * CELLS + z) * CELLS + x);
}

/* Corners 1 and 3 of a quad, as steps from the cell with the lowest coordinates, if the edge along this axis has its
   inside voxel at the lower coordinate. The first step goes along the axis that follows the edge's in the circle x, y,
   z, so the quad turns about the edge's direction. */
static const int turn[3][2][3] = {
    {{0, 1, 0}, {0, 0, 1}}, /* along x, steps along y and z */
    {{1, 0, 0}, {0, 0, 1}}, /* along y, reversed, steps along x and z */
    {{1, 0, 0}, {0, 1, 0}}, /* along z, steps along x and y */
};

/* Adds the quad of the edge from voxel (x, y, z) of the field along an axis, if the surface crosses it. */
static void add_quad(const mesher_field *f, int axis, int x, int y, int z, bool used[CELLS * CELLS * CELLS], vp_chunk_mesh *out)
{
    int ux = x + (axis == 0), uy = y + (axis == 1), uz = z + (axis == 2); /* the upper voxel */
    bool low_inside = f->value[y][z][x] > 0, high_inside = f->value[uy][uz][ux] > 0;
    if (low_inside == high_inside)
        return;
    int x0 = x - (axis != 0), y0 = y - (axis != 1), z0 = z - (axis != 2); /* the lowest cell */
    const int *a = turn[axis][0], *b = turn[axis][1];
    bool outward = low_inside != (axis == 1);
    uint16_t *quad = out->quad[out->quad_count];
    quad[0] = cell_number(x0, y0, z0);
    quad[outward ? 1 : 3] = cell_number(x0 + a[0], y0 + a[1], z0 + a[2]);
    quad[2] = cell_number(x0 + a[0] + b[0], y0 + a[1] + b[1], z0 + a[2] + b[2]);
    quad[outward ? 3 : 1] = cell_number(x0 + b[0], y0 + b[1], z0 + b[2]);
    for (int c = 0; c < 4; c++)
        used[quad[c]] = true;
    out->material[out->quad_count] = low_inside ? f->material[y][z][x] : f->material[uy][uz][ux];
    out->quad_count++;
}

/* ---- vertices ---- */

/* A coordinate in the world from the cell's. 512*cell + 256 + 2*q + 1 is an integer below 2^20. */
static float world_coordinate(int64_t cell, int q)
{
    return (float)(512 * cell + 256 + 2 * q + 1) * (1.0f / 512.0f);
}

static vp_vec3 vertex_of(const mesher_field *f, int x, int y, int z, uint32_t cx, uint32_t cy, uint32_t cz)
{
    int c[8];
    for (int i = 0; i < 8; i++)
        c[i] = f->value[y + (i >> 2)][z + (i >> 1 & 1)][x + (i & 1)];
    int q[3];
    vp_nets_place(c, q);
    return (vp_vec3){world_coordinate((int64_t)cx * 8 + x - 1, q[0]), world_coordinate((int64_t)cy * 8 + y - 1, q[1]),
                     world_coordinate((int64_t)cz * 8 + z - 1, q[2])};
}

void vp_mesh_chunk_scalar(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, vp_chunk_mesh *out)
{
    mesher_field f;
    bool used[CELLS * CELLS * CELLS] = {false};
    uint16_t number[CELLS * CELLS * CELLS];
    out->vertex_count = out->quad_count = 0;
    int inside = read_field(world, cx, cy, cz, surface, &f);
    if (inside == 0 || inside == VP_NEIGHBOURHOOD_VOXELS)
        return;

    for (int y = 1; y < EDGE - 1; y++)
        for (int z = 1; z < EDGE - 1; z++)
            for (int axis = 0; axis < 3; axis++)
                for (int x = 1; x < EDGE - 1; x++)
                    add_quad(&f, axis, x, y, z, used, out);

    for (int y = 0; out->quad_count != 0 && y < CELLS; y++)
        for (int z = 0; z < CELLS; z++)
            for (int x = 0; x < CELLS; x++) {
                uint16_t cell = cell_number(x, y, z);
                if (!used[cell])
                    continue;
                number[cell] = (uint16_t)out->vertex_count;
                out->vertex[out->vertex_count++] = vertex_of(&f, x, y, z, cx, cy, cz);
            }

    for (uint32_t q = 0; q < out->quad_count; q++)
        for (int c = 0; c < 4; c++)
            out->quad[q][c] = number[out->quad[q][c]];
}
