/* SPDX-License-Identifier: MIT */
#include "tests/support/mesh_oracle.h"

#include <stdlib.h>

#include "tests/support/check.h"

/* A lattice point by axis, in the order x, y, z. */
typedef struct point {
    int at[3];
} point;

static int field(const vp_world *world, vp_surface surface, point p)
{
    vp_voxel v = vp_world_voxel(world, (vp_ivec3){p.at[0], p.at[1], p.at[2]});
    bool of_class = surface == VP_SURFACE_SOLID ? v.material > 1 : v.material == 1;
    return of_class ? v.occupancy + 1 : 0;
}

static point step(point p, int axis, int by)
{
    p.at[axis] += by;
    return p;
}

/* ---- places of vertices ---- */

/* The integer q of a cell on an axis. The mean is the fraction numerator/(denominator*n), of integers below 2^36. If
   256 times it is within 1/4096 of an integer, the rounding may decide. Then each operation of the definition is done
   in double precision and rounded. This equals single precision, because a double has more than twice its digits. */
static int place(const vp_world *world, vp_surface surface, point cell, int axis)
{
    int64_t top[4] = {0}, bottom[4] = {1, 1, 1, 1}, n = 0, others = 0;
    float t[4] = {0.0f};
    for (int along = 0; along < 3; along++) {
        /* The other two axes, in the order of a corner's number (x, z, y). */
        int first = along == 0 ? 2 : 0, second = along == 1 ? 2 : 1;
        for (int i = 0; i < 4; i++) {
            point low = step(step(cell, first, i & 1), second, i >> 1);
            int f0 = field(world, surface, low), f1 = field(world, surface, step(low, along, 1));
            if ((f0 > 128) == (f1 > 128))
                continue;
            n++;
            if (along == axis) {
                top[i] = abs(f0 - 128);
                bottom[i] = abs(f0 - f1);
                t[i] = (float)((double)(f0 - 128) / (double)(f0 - f1));
            } else {
                others += low.at[axis] > cell.at[axis];
            }
        }
    }
    int64_t denominator = bottom[0] * bottom[1] * bottom[2] * bottom[3], numerator = others * denominator;
    for (int i = 0; i < 4; i++)
        numerator += top[i] * (denominator / bottom[i]);
    int64_t whole = 256 * numerator / (denominator * n), rest = 256 * numerator % (denominator * n);
    if (rest < denominator * n / 4096 || denominator * n - rest < denominator * n / 4096) {
        float a = (float)((double)t[0] + (double)t[1]), b = (float)((double)t[2] + (double)t[3]);
        float sum = (float)((double)(float)((double)a + (double)b) + (double)others);
        int64_t rounded = (int64_t)(256.0 * (double)(float)((double)sum / (double)n));
        if (rounded < whole - 1 || rounded > whole + 1)
            fail_msg("the oracle's two ways lead to %d and %d", (int)rounded, (int)whole);
        whole = rounded;
    }
    return whole < 255 ? (int)whole : 255;
}

static float coordinate(int cell, int q)
{
    return (float)((double)cell + 0.5 + ((double)q + 0.5) / 256.0);
}

/* ---- quads ---- */

typedef struct number_of_cell {
    int number[9][9][9]; /* [y][z][x] for cells from -1 on. -1 = not used */
} number_of_cell;

static int *number_at(number_of_cell *n, vp_ivec3 chunk, point cell)
{
    return &n->number[cell.at[1] - chunk.y * 8 + 1][cell.at[2] - chunk.z * 8 + 1][cell.at[0] - chunk.x * 8 + 1];
}

/* The cells of an edge's quad in winding order. The lowest comes first, then the one for which the quad turns around
   the direction from inside to outside. */
static void order_cells(point voxel, int axis, int direction, point cell[4])
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    point lowest = step(step(voxel, u, -1), v, -1);
    int du[3] = {0}, dv[3] = {0};
    du[u] = 1;
    dv[v] = 1;
    int cross = du[(axis + 1) % 3] * dv[(axis + 2) % 3] - du[(axis + 2) % 3] * dv[(axis + 1) % 3];
    cell[0] = lowest;
    cell[2] = step(step(lowest, u, 1), v, 1);
    cell[1] = step(lowest, cross * direction > 0 ? u : v, 1);
    cell[3] = step(lowest, cross * direction > 0 ? v : u, 1);
}

void oracle_chunk_mesh(const vp_world *world, vp_ivec3 chunk, vp_surface surface, vp_chunk_mesh *out)
{
    static point quads[VP_CHUNK_MESH_QUADS][4];
    number_of_cell cells;
    memset(&cells, 0xff, sizeof cells);
    out->vertex_count = out->quad_count = 0;
    for (int row = 0; row < 64; row++)
        for (int axis = 0; axis < 3; axis++)
            for (int x = 0; x < 8; x++) {
                point low = {{chunk.x * 8 + x, chunk.y * 8 + row / 8, chunk.z * 8 + row % 8}}, high = step(low, axis, 1);
                bool low_in = field(world, surface, low) > 128, high_in = field(world, surface, high) > 128;
                if (low_in == high_in)
                    continue;
                point *cell = quads[out->quad_count], in = low_in ? low : high;
                order_cells(low, axis, low_in ? 1 : -1, cell);
                for (int i = 0; i < 4; i++)
                    *number_at(&cells, chunk, cell[i]) = 0;
                out->material[out->quad_count++] = vp_world_voxel(world, (vp_ivec3){in.at[0], in.at[1], in.at[2]}).material;
            }
    for (int i = 0; i < 729; i++) {
        point cell = {{chunk.x * 8 - 1 + i % 9, chunk.y * 8 - 1 + i / 81, chunk.z * 8 - 1 + i / 9 % 9}};
        int *number = number_at(&cells, chunk, cell);
        if (*number < 0)
            continue;
        *number = (int)out->vertex_count;
        vp_vec3 *v = &out->vertex[out->vertex_count++];
        v->x = coordinate(cell.at[0], place(world, surface, cell, 0));
        v->y = coordinate(cell.at[1], place(world, surface, cell, 1));
        v->z = coordinate(cell.at[2], place(world, surface, cell, 2));
    }
    for (uint32_t q = 0; q < out->quad_count; q++)
        for (int i = 0; i < 4; i++)
            out->quad[q][i] = (uint16_t)*number_at(&cells, chunk, quads[q][i]);
}
