/* SPDX-License-Identifier: MIT */
/* Shared by the mesher (mesher_body.h) and edge flags (edges_body.h), over the vocabulary of nets_<isa>.h: finds the
 * bricks around a chunk, and places the vertices of cells, one a lane. mesher_body.h proves that q is exact. */
#ifndef VP_OPTIMIZED_SURFACE_NETS_CELLS_H
#define VP_OPTIMIZED_SURFACE_NETS_CELLS_H

#include <voxphys/kernel/surface.h>

#include "src/core/inline.h"

/* ---- bricks ---- */

/* Bricks around the chunk, [y][z][x]. */
typedef struct bricks27 {
    const uint8_t *material[3][3][3], *occupancy[3][3][3];
} bricks27;

static const uint8_t brick_of_air[VP_CHUNK_VOXELS];

/* Offset of the chunk's brick in bytes, and the steps to the next bricks. */
typedef struct place {
    ptrdiff_t own, y, z, x;
    bool there_y[3], there_z[3], there_x[3]; /* whether the world has chunks before, here and after */
} place;

VP_INLINE place place_of(vp_dims n, uint32_t cx, uint32_t cy, uint32_t cz)
{
    place p = {.x = VP_CHUNK_VOXELS,
               .there_x = {cx > 0, true, cx + 1 < n.x},
               .there_y = {cy > 0, true, cy + 1 < n.y},
               .there_z = {cz > 0, true, cz + 1 < n.z}};
    p.z = (ptrdiff_t)n.x * p.x;
    p.y = (ptrdiff_t)n.z * p.z;
    p.own = (ptrdiff_t)cy * p.y + (ptrdiff_t)cz * p.z + (ptrdiff_t)cx * p.x;
    return p;
}

VP_INLINE void find_bricks(const vp_voxels *world, const place *p, bricks27 *out)
{
    for (int y = 0; y < 3; y++)
        for (int z = 0; z < 3; z++)
            for (int x = 0; x < 3; x++) {
                bool there = p->there_x[x] & p->there_y[y] & p->there_z[z];
                ptrdiff_t at = p->own + (y - 1) * p->y + (z - 1) * p->z + (x - 1) * p->x;
                out->material[y][z][x] = there ? world->material + at : brick_of_air;
                out->occupancy[y][z][x] = there ? world->occupancy + at : brick_of_air;
            }
}

/* ---- vertices ---- */

/* The four edges of a cell along one axis, with t of each, and all ones where it has a crossing. */
typedef struct edges4 {
    lanes_f t[4];
    lanes_i cut[4];
} edges4;

/* `low` are the corners where the edges begin. `step` is the distance to their ends, in numbers and in bits. */
VP_INLINE edges4 cut_edges(const lanes_f corner[8], lanes_i config, const int low[4], int step)
{
    lanes_i changes = lanes_xor(config, lanes_shift_down(config, step));
    edges4 e;
    for (int i = 0; i < 4; i++) {
        lanes_f a = corner[low[i]], b = corner[low[i] + step];
        e.cut[i] = lanes_test(changes, 1 << low[i]);
        e.t[i] = lanes_divide_where(e.cut[i], a, lanes_add_f(a, b));
    }
    return e;
}

/* The place of the mean on one axis. `others` is minus the number of crossings of other edges at coordinate 1. */
VP_INLINE lanes_i place_mean(const edges4 *e, lanes_i others, lanes_f one_nth)
{
    lanes_f sum = lanes_add_f(lanes_add_f(e->t[0], e->t[1]), lanes_add_f(e->t[2], e->t[3]));
    sum = lanes_add_f(sum, lanes_to_f(lanes_negate(others)));
    lanes_f whole = lanes_to_f(lanes_to_i(lanes_mul_f(sum, lanes_set_f(256.0f))));
    lanes_i q = lanes_to_i(lanes_mul_f(lanes_add_f(whole, lanes_set_f(0.5f)), one_nth));
    return lanes_min(q, lanes_set(255));
}

/* q of cells on each axis, x, y, z, from their corners' distances and signs. */
VP_INLINE void place_vertices(const lanes_f corner[8], lanes_i config, lanes_i q[3])
{
    static const int low_x[4] = {0, 2, 4, 6}, low_y[4] = {0, 1, 2, 3}, low_z[4] = {0, 1, 4, 5};
    edges4 x = cut_edges(corner, config, low_x, 1), z = cut_edges(corner, config, low_z, 2);
    edges4 y = cut_edges(corner, config, low_y, 4);
    /* Pairs of edges that are counted twice. A lane of all ones is -1. */
    lanes_i y_at_x1 = lanes_add(y.cut[1], y.cut[3]), z_at_x1 = lanes_add(z.cut[1], z.cut[3]);
    lanes_i x_at_z1 = lanes_add(x.cut[1], x.cut[3]), y_at_z1 = lanes_add(y.cut[2], y.cut[3]);
    lanes_i x_at_y1 = lanes_add(x.cut[2], x.cut[3]), z_at_y1 = lanes_add(z.cut[2], z.cut[3]);
    lanes_i all =
        lanes_add(lanes_add(lanes_add(y.cut[0], y.cut[2]), y_at_x1),
                  lanes_add(lanes_add(lanes_add(z.cut[0], z.cut[2]), z_at_x1), lanes_add(lanes_add(x.cut[0], x.cut[2]), x_at_z1)));
    lanes_f one_nth = lanes_one_nth(lanes_negate(all));
    q[0] = place_mean(&x, lanes_add(y_at_x1, z_at_x1), one_nth);
    q[1] = place_mean(&y, lanes_add(x_at_y1, z_at_y1), one_nth);
    q[2] = place_mean(&z, lanes_add(x_at_z1, y_at_z1), one_nth);
}

#endif
