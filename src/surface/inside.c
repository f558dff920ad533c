/* SPDX-License-Identifier: MIT */
/* Whether a point is inside the surface, which means a winding number above 0.
 *
 * Why one cell is enough. The quad of an edge lies in the open box of the four cells around that edge, and no centre of
 * a voxel is in such a box. So the winding number at a centre is that of full cubes, 1 inside and 0 outside, because
 * moving every vertex to the middle of its cell passes over no centre. The way from the point to a centre at a corner
 * of its cell lies within the cell, where it can cross only the quads of the cell's twelve edges. Their vertices depend
 * on 4 x 4 x 4 voxels.
 *
 * All signs are exact. Points count in 2^-24 of a voxel, vertices in 1/512. The way ends at the centre moved by
 * infinitesimal (e, e^2, e^3), so it meets no edge of a triangle. */
#include "src/surface/inside.h"

#include <math.h>
#include <string.h>

#include "src/surface/nets.h"

/* ---- a patch ---- */

int16_t vp_surface_value(const vp_voxels *voxels, vp_surface surface, const int32_t at[3])
{
    size_t row;
    if (at[0] < 0 || !vp_nets_find_row(voxels->chunks, at[0] / VP_CHUNK_EDGE, at[1], at[2], &row))
        return -128;
    row += (size_t)(at[0] % VP_CHUNK_EDGE);
    return vp_nets_value(voxels->material[row], voxels->occupancy[row], surface);
}

void vp_surface_patch_load(const vp_voxels *voxels, vp_surface surface, const int32_t low[3], vp_surface_patch *out)
{
    memset(out->placed, 0, sizeof out->placed);
    for (int y = 0; y < 4; y++)
        for (int z = 0; z < 4; z++) {
            bool is_in_world = false;
            size_t row = 0;
            for (int x = 0; x < 4; x++) {
                const int32_t at = low[0] + x, in_chunk = at & (VP_CHUNK_EDGE - 1);
                if (x == 0 || in_chunk == 0)
                    is_in_world = at >= 0 && vp_nets_find_row(voxels->chunks, at / VP_CHUNK_EDGE, low[1] + y, low[2] + z, &row);
                const size_t i = row + (size_t)in_chunk;
                out->value[x][y][z] = is_in_world ? vp_nets_value(voxels->material[i], voxels->occupancy[i], surface) : (int16_t)-128;
            }
        }
}

static const int16_t *vertex_of(vp_surface_patch *patch, const int cell[3])
{
    const int x = cell[0], y = cell[1], z = cell[2];
    if (!patch->placed[x][y][z]) {
        int c[8], q[3];
        for (int i = 0; i < 8; i++)
            c[i] = patch->value[x + (i & 1)][y + (i >> 2)][z + (i >> 1 & 1)];
        vp_nets_place(c, q);
        for (int a = 0; a < 3; a++)
            patch->vertex[x][y][z][a] = (int16_t)(512 * (cell[a] - 1) + 2 * q[a] + 1);
        patch->placed[x][y][z] = true;
    }
    return patch->vertex[x][y][z];
}

static bool is_crossed(const vp_surface_patch *patch, const int lower[3], int axis)
{
    int upper[3] = {lower[0], lower[1], lower[2]};
    upper[axis]++;
    return (patch->value[lower[0]][lower[1]][lower[2]] > 0) != (patch->value[upper[0]][upper[1]][upper[2]] > 0);
}

bool vp_surface_patch_quad(vp_surface_patch *patch, const int lower[3], int axis, const int16_t *corner[4])
{
    const bool is_low_inside = patch->value[lower[0]][lower[1]][lower[2]] > 0;
    if (!is_crossed(patch, lower, axis))
        return false;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3; /* u x v is along the axis */
    int cell[3] = {lower[0], lower[1], lower[2]};
    corner[2] = vertex_of(patch, cell);
    cell[v]--;
    corner[is_low_inside ? 1 : 3] = vertex_of(patch, cell);
    cell[u]--;
    corner[0] = vertex_of(patch, cell);
    cell[v]++;
    corner[is_low_inside ? 3 : 1] = vertex_of(patch, cell);
    return true;
}

/* ---- signs ---- */

enum { UNITS_LOG2 = 24, VERTEX_LOG2 = 9 };
static const int64_t UNIT = (int64_t)1 << UNITS_LOG2;                        /* units of a voxel */
static const int64_t VERTEX_UNIT = (int64_t)1 << (UNITS_LOG2 - VERTEX_LOG2); /* units of 1/512 */

static int sign_of(int64_t n)
{
    return (n > 0) - (n < 0);
}

static void cross(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static int64_t dot(const int64_t a[3], const int64_t b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The sign of n . (e, e^2, e^3). */
static int sign_of_first(const int64_t n[3])
{
    for (int a = 0; a < 3; a++)
        if (n[a] != 0)
            return sign_of(n[a]);
    return 0;
}

/* The sign of (a - p) x (b - p) . (target - p), with the target at (e, e^2, e^3), p in units, a and b in 1/512. It is
 * -p . (a x b) + (e, e^2, e^3) . (a - p) x (b - p). 0 only if p is on the line through a and b. */
static int side_of_edge(const int64_t p[3], const int64_t a[3], const int64_t b[3])
{
    int64_t from[3], to[3], normal[3];
    cross(a, b, normal);
    const int side = -sign_of(dot(p, normal)); /* 2^21 * 2^24 * 3 */
    if (side != 0)
        return side;
    for (int k = 0; k < 3; k++) {
        from[k] = a[k] * VERTEX_UNIT - p[k];
        to[k] = b[k] * VERTEX_UNIT - p[k];
    }
    cross(from, to, normal); /* 2^53 */
    return sign_of_first(normal);
}

/* Whether p, in the plane of a triangle with this normal, is in the closed triangle. */
static bool is_in_triangle(const int64_t p[3], const int64_t corner[3][3], const int64_t normal[3])
{
    int k = 0;
    while (normal[k] == 0)
        k++;
    for (int i = 0; i < 3; i++) {
        int64_t from[3], to[3], turn[3];
        for (int a = 0; a < 3; a++) {
            from[a] = corner[i][a] * VERTEX_UNIT - p[a];
            to[a] = corner[(i + 1) % 3][a] * VERTEX_UNIT - p[a];
        }
        cross(from, to, turn);
        if (sign_of(turn[k]) * sign_of(normal[k]) < 0)
            return false;
    }
    return true;
}

/* A triangle's contribution to the winding number on the way from the target to p, 1, 0 or -1. @param on set if p is
 * on the triangle */
static int count_crossing(const int64_t p[3], const int16_t *const quad[3], bool *on)
{
    int64_t corner[3][3], edge[2][3], normal[3], to_p[3];
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < 3; i++)
            corner[i][a] = quad[i][a];
        edge[0][a] = corner[1][a] - corner[0][a];
        edge[1][a] = corner[2][a] - corner[0][a];
        to_p[a] = p[a] - corner[0][a] * VERTEX_UNIT;
    }
    cross(edge[0], edge[1], normal);
    if (sign_of_first(normal) == 0)
        return 0; /* no area, so its neighbours have its edges */
    const int side = sign_of(dot(normal, to_p));
    if (side == 0) {
        *on = *on || is_in_triangle(p, (const int64_t(*)[3])corner, normal);
        return 0;
    }
    const int target_side = -sign_of(dot(normal, corner[0]));
    if (target_side == 0 || side == target_side)
        return 0; /* 0 means that the plane is met only at the target, where no triangle is */
    for (int i = 0; i < 3; i++)
        if (side_of_edge(p, corner[i], corner[(i + 1) % 3]) != target_side)
            return 0;
    return target_side; /* 1 if the way crosses from the front to the back */
}

/* ---- a point ---- */

/* The cell of a point, and the point in units from the cell's lowest corner. @return false far outside the world */
static bool find_cell(vp_dims chunks, const float point[3], int32_t cell[3], int64_t in[3])
{
    const uint32_t n[3] = {chunks.x, chunks.y, chunks.z};
    for (int a = 0; a < 3; a++) {
        const double at = (double)point[a];
        if (!(at > -1.0 && at < (double)(n[a] * VP_CHUNK_EDGE) + 1.0))
            return false;
        const int64_t units = (int64_t)floor(at * (double)UNIT + 0.5) + 2 * UNIT - UNIT / 2; /* not negative */
        cell[a] = (int32_t)(units / UNIT) - 2;
        in[a] = units % UNIT;
    }
    return true;
}

/* Whether a quad is beyond p on an axis, and so beyond the way. The quad of an edge on the high side has two vertices in cells of the same
 * coordinate as p's, which are its lowest. */
static bool is_beyond(vp_surface_patch *patch, const int lower[3], int axis, int across, const int64_t p[3])
{
    int cell[3] = {1, 1, 1};
    if (lower[axis] == 1 || vertex_of(patch, cell)[axis] * VERTEX_UNIT <= p[axis])
        return false;
    cell[across] = 2 * (lower[across] - 1);
    return vertex_of(patch, cell)[axis] * VERTEX_UNIT > p[axis];
}

int vp_surface_side(const vp_voxels *voxels, vp_surface surface, const float point[3])
{
    int32_t cell[3];
    int64_t in[3];
    if (!find_cell(voxels->chunks, point, cell, in))
        return 1;
    int inside = 0;
    for (int i = 0; i < 8; i++)
        inside += vp_surface_value(voxels, surface, (const int32_t[3]){cell[0] + (i & 1), cell[1] + (i >> 2), cell[2] + (i >> 1 & 1)}) > 0;
    if (inside == 0 || inside == 8)
        return inside == 0 ? 1 : -1;
    vp_surface_patch patch;
    vp_surface_patch_load(voxels, surface, (const int32_t[3]){cell[0] - 1, cell[1] - 1, cell[2] - 1}, &patch);
    int winding = patch.value[1][1][1] > 0;
    bool on = false;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            int lower[3] = {1, 1, 1};
            lower[u] += i & 1;
            lower[v] += i >> 1;
            const int16_t *corner[4];
            if (!is_crossed(&patch, lower, axis) || is_beyond(&patch, lower, u, v, in) || is_beyond(&patch, lower, v, u, in))
                continue;
            vp_surface_patch_quad(&patch, lower, axis, corner);
            winding += count_crossing(in, (const int16_t *const[3]){corner[0], corner[1], corner[2]}, &on);
            winding += count_crossing(in, (const int16_t *const[3]){corner[0], corner[2], corner[3]}, &on);
        }
    return on ? 0 : winding > 0 ? -1 : 1;
}
