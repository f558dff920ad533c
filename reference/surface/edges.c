/* SPDX-License-Identifier: MIT */
/* Edge flags of a chunk: how each triangle meets its neighbours, including those of other chunks.
 *
 * The voxel terrain article wants a flag for each edge of a triangle, so that contacts on edges inside a smooth
 * surface can be corrected, but gives no method. kernel/surface.h defines the flags. Here no neighbour's mesh is
 * needed. For each side of a quad, the voxels around the chunk determine the crossed edge of the grid that the next
 * quad is around, and its far corner. A vertex is computed again as the neighbour's mesher computes it (nets.h), so it
 * has the same bits. */
#include <string.h>

#include <voxphys/kernel/surface.h>

#include "src/surface/edge_fold.h"
#include "src/surface/nets.h"

/* The 12^3 voxels around a chunk and the 11^3 cells between them begin at -2. */
enum { EDGE = 12, CELLS = 11, FIRST = -2 };

typedef struct edges_field {
    int16_t value[EDGE][EDGE][EDGE]; /* [y][z][x], less 128; above 0 is inside */
    bool placed[CELLS][CELLS][CELLS];
    vp_whole3 place[CELLS][CELLS][CELLS]; /* vertices, where they have been computed */
} edges_field;

/* A voxel or a cell by its coordinates in the chunk, x, y, z. */
typedef struct cell_spot {
    int at[3];
} cell_spot;

/* ---- voxels and vertices ---- */

/* `count` voxels of a brick's row, from its voxel `from` on, to x of the field. Air outside the world. */
static void read_part(const vp_voxels *world, int64_t cx, int64_t wy, int64_t wz, int from, int count, uint32_t surface, int16_t *value)
{
    size_t row;
    bool there = vp_nets_find_row(world->chunks, cx, wy, wz, &row);
    for (int i = 0; i < count; i++)
        value[i] =
            there ? vp_nets_value(world->material[row + (size_t)(from + i)], world->occupancy[row + (size_t)(from + i)], surface) : -128;
}

/* Each row is the last two voxels of the brick before, 8 of its own, the first two of the one after. */
static void read_field(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, edges_field *f)
{
    for (int y = 0; y < EDGE; y++)
        for (int z = 0; z < EDGE; z++) {
            int64_t wy = (int64_t)cy * 8 + y + FIRST, wz = (int64_t)cz * 8 + z + FIRST;
            read_part(world, (int64_t)cx - 1, wy, wz, 6, 2, surface, &f->value[y][z][0]);
            read_part(world, cx, wy, wz, 0, 8, surface, &f->value[y][z][2]);
            read_part(world, (int64_t)cx + 1, wy, wz, 0, 2, surface, &f->value[y][z][10]);
        }
    memset(f->placed, 0, sizeof f->placed);
}

static bool is_inside(const edges_field *f, cell_spot voxel)
{
    return f->value[voxel.at[1] - FIRST][voxel.at[2] - FIRST][voxel.at[0] - FIRST] > 0;
}

static cell_spot step_along(cell_spot s, int axis, int by)
{
    s.at[axis] += by;
    return s;
}

/* The position of a cell's vertex, in 1/256 of a voxel from the first one of cell (0, 0, 0). */
static vp_whole3 find_vertex_in(edges_field *f, cell_spot cell)
{
    int x = cell.at[0] - FIRST, y = cell.at[1] - FIRST, z = cell.at[2] - FIRST;
    vp_whole3 *place = &f->place[y][z][x];
    if (!f->placed[y][z][x]) {
        int c[8], q[3];
        for (int i = 0; i < 8; i++)
            c[i] = f->value[y + (i >> 2)][z + (i >> 1 & 1)][x + (i & 1)];
        vp_nets_place(c, q);
        for (int axis = 0; axis < 3; axis++)
            place->at[axis] = 256 * cell.at[axis] + q[axis];
        f->placed[y][z][x] = true;
    }
    return *place;
}

/* The same for a vertex of the mesh, whose coordinate is chunk*8 + cell + 0.5 + (q + 0.5)/256. */
static vp_whole3 whole_of(vp_vec3 v, uint32_t cx, uint32_t cy, uint32_t cz)
{
    return (vp_whole3){{((int32_t)(v.x * 512.0f) - (int32_t)cx * 4096 - 257) / 2, ((int32_t)(v.y * 512.0f) - (int32_t)cy * 4096 - 257) / 2,
                        ((int32_t)(v.z * 512.0f) - (int32_t)cz * 4096 - 257) / 2}};
}

/* The cell that a vertex lies in, by 1/256 rounded down, also below 0. */
static cell_spot cell_of(vp_whole3 v)
{
    cell_spot cell;
    for (int axis = 0; axis < 3; axis++)
        cell.at[axis] = (v.at[axis] - FIRST * 256) / 256 + FIRST;
    return cell;
}

/* ---- neighbouring quads ---- */

/* A quad, described by the crossed edge of the grid that it is around. */
typedef struct around {
    cell_spot low;   /* its lower voxel */
    int axis;        /* the axis of the edge */
    bool low_inside; /* true = the lower voxel is inside, false = the upper one */
} around;

/* Finds the next quad's far corner across the side between cells `a` and `b` of a quad. @return false if nobody owns
   the next quad

   The cells' common face has four voxels, the quad's own two and one next to each. If the voxel next to the inside one
   is outside, the next quad is around the edge between these two. That holds with four crossed edges too, because the
   next quad's inside voxel is this quad's. Otherwise, if the voxel next to the outside one is inside, it is around the
   edge between those two. Else it is around the edge parallel to this quad's. */
static bool find_far_corner(const edges_field *f, const vp_dims *origin, const around *q, cell_spot a, cell_spot b, cell_spot *far)
{
    int along = a.at[0] != b.at[0] ? 0 : a.at[1] != b.at[1] ? 1 : 2; /* from cell to cell */
    int across = 3 - along - q->axis;
    cell_spot first = a.at[along] < b.at[along] ? a : b, second = a.at[along] < b.at[along] ? b : a;
    int outwards = first.at[across] == q->low.at[across] ? 1 : -1;

    cell_spot high = step_along(q->low, q->axis, 1), inside = q->low_inside ? q->low : high, outside = q->low_inside ? high : q->low;
    cell_spot by_inside = step_along(inside, across, outwards), by_outside = step_along(outside, across, outwards);
    int turn = q->axis, by; /* direction from the side's cells to the next quad's other two */
    cell_spot lower;        /* the lower voxel of its edge */
    if (!is_inside(f, by_inside)) {
        lower = outwards > 0 ? inside : by_inside;
        by = q->low_inside ? -1 : 1;
    } else if (is_inside(f, by_outside)) {
        lower = outwards > 0 ? outside : by_outside;
        by = q->low_inside ? 1 : -1;
    } else {
        lower = step_along(q->low, across, outwards);
        turn = across;
        by = outwards;
    }
    *far = step_along(by > 0 ? second : first, turn, by); /* the highest cell, or the lowest if the side has the highest */
    return lower.at[0] + (int64_t)origin->x >= 0 && lower.at[1] + (int64_t)origin->y >= 0 && lower.at[2] + (int64_t)origin->z >= 0;
}

void vp_edge_flags_scalar(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, const vp_chunk_mesh *mesh,
                          uint8_t *flags)
{
    edges_field f;
    const vp_dims origin = {cx * 8, cy * 8, cz * 8};
    if (mesh->quad_count == 0)
        return;
    read_field(world, cx, cy, cz, surface, &f);
    for (uint32_t q = 0; q < mesh->quad_count; q++) {
        vp_whole3 at[4];
        cell_spot cell[4];
        for (int i = 0; i < 4; i++) {
            at[i] = whole_of(mesh->vertex[mesh->quad[q][i]], cx, cy, cz);
            cell[i] = cell_of(at[i]);
        }
        /* The highest cell has the number of the edge's lower voxel, and the edge's axis is the one on which highest
         * and lowest are equal. */
        int axis = cell[0].at[0] == cell[2].at[0] ? 0 : cell[0].at[1] == cell[2].at[1] ? 1 : 2;
        around quad = {cell[2], axis, is_inside(&f, cell[2])};
        vp_edge side[4];
        for (int i = 0; i < 4; i++) {
            cell_spot far;
            bool there = find_far_corner(&f, &origin, &quad, cell[i], cell[(i + 1) % 4], &far);
            /* This side's triangle has corner 2 or 0 across from it. */
            vp_whole3 third = at[i < 1 || i > 2 ? 2 : 0];
            side[i] = there ? vp_edge_fold(at[i], at[(i + 1) % 4], third, find_vertex_in(&f, far)) : VP_EDGE_OPEN;
        }
        vp_edge_put_quad(side, vp_edge_fold(at[0], at[2], at[3], at[1]), flags + 2 * (size_t)q);
    }
}
