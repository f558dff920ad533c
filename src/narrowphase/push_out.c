/* SPDX-License-Identifier: MIT */
/* Pushes a centre inside the solid to the nearest point of the surface and a little farther (voxel terrain article,
 * "Narrowphase"). It searches the chunks around the centre ring by ring, until no chunk can have a nearer quad. Every
 * quad has one voxel in front of it. */
#include <voxphys/push_out.h>
#include <voxphys/narrowphase.h>

#include <math.h>

#include "src/core/error.h"
#include "src/kd/sphere_triangle.h"
#include "src/surface/inside.h"

typedef struct push_out_search {
    vp_voxels voxels;
    double centre[3];
    int32_t low[3], high[3]; /* [low, high) of the voxels that may be in front of a quad */
    int32_t size[3];         /* size of the world in voxels */
    int32_t centre_voxel[3]; /* the centre's voxel */
    bool past_neighbours;    /* the 3 x 3 x 3 voxels around it have been searched */
    double best;             /* square of the best distance, beyond which quads are skipped */
    bool found;
    int32_t voxel[3]; /* voxel in front of the nearest quad */
    vp_real3 nearest; /* nearest point, relative to the centre */
    vp_real3 outward; /* direction out of its triangle, any length */
} push_out_search;

/* Distance from a coordinate to [low, high]. 0 within. */
static double distance_outside(double c, double low, double high)
{
    return c < low ? low - c : c > high ? c - high : 0.0;
}

/* Sums in the same order as all other distances here: y, then z, then x. */
static double square_of(const double d[3])
{
    return (d[1] * d[1] + d[2] * d[2]) + d[0] * d[0];
}

static bool is_inside(const push_out_search *s, const int32_t at[3])
{
    return vp_surface_value(&s->voxels, VP_SURFACE_SOLID, at) > 0;
}

/* Among equally near voxels the highest y, then the lowest z, then the lowest x. */
static bool is_before(const int32_t a[3], const int32_t b[3])
{
    if (a[1] != b[1])
        return a[1] > b[1];
    return a[2] != b[2] ? a[2] < b[2] : a[0] < b[0];
}

/* ---- one voxel in front of the surface ---- */

static vp_real3 offset_from_centre(const push_out_search *s, const int32_t at[3], const int16_t corner[3])
{
    double p[3];
    for (int a = 0; a < 3; a++)
        p[a] = (double)(at[a] * 512 + 256 + corner[a]) * (1.0 / 512.0) - s->centre[a];
    return (vp_real3){p[0], p[1], p[2]};
}

/* Keeps the nearest point of a triangle if it is nearer than `square`. */
static void try_triangle(const vp_real3 p[3], const vp_real3 *outwards, double *square, vp_real3 *to, vp_real3 *out)
{
    vp_contact_point weights;
    const vp_real3 at = vp_nearest_point(p, &weights);
    const double from[3] = {at.x, at.y, at.z}, is = square_of(from);
    if (!(is < *square))
        return;
    *square = is;
    *to = at;
    *out = vp_real3_cross(vp_real3_sub(p[1], p[0]), vp_real3_sub(p[2], p[0]));
    if (vp_real3_dot(*out, *out) == 0.0)
        *out = *outwards;
}

/* The quads between a voxel in front of the surface and its neighbours. */
static void try_quads(push_out_search *s, const int32_t at[3])
{
    vp_surface_patch patch;
    double square = INFINITY;
    vp_real3 to = {0, 0, 0}, out = {0, 0, 0};
    vp_surface_patch_load(&s->voxels, VP_SURFACE_SOLID, (const int32_t[3]){at[0] - 1, at[1] - 1, at[2] - 1}, &patch);
    for (int side = 0; side < 6; side++) {
        const int axis = side / 2;
        const int16_t *corner[4];
        int lower[3] = {1, 1, 1};
        lower[axis] -= side % 2;
        if (!vp_surface_patch_quad(&patch, lower, axis, corner))
            continue;
        const double way = side % 2 == 0 ? -1.0 : 1.0; /* points from the neighbour */
        const vp_real3 outwards = {axis == 0 ? way : 0.0, axis == 1 ? way : 0.0, axis == 2 ? way : 0.0};
        vp_real3 p[4];
        for (int i = 0; i < 4; i++)
            p[i] = offset_from_centre(s, at, corner[i]);
        try_triangle((const vp_real3[3]){p[0], p[1], p[2]}, &outwards, &square, &to, &out);
        try_triangle((const vp_real3[3]){p[0], p[2], p[3]}, &outwards, &square, &to, &out);
    }
    if (!(square < s->best || (s->found && square == s->best && is_before(at, s->voxel))))
        return;
    s->best = square;
    s->found = true;
    s->nearest = to;
    s->outward = out;
    for (int a = 0; a < 3; a++)
        s->voxel[a] = at[a];
}

static bool has_inside_neighbour(const push_out_search *s, const int32_t at[3])
{
    for (int side = 0; side < 6; side++) {
        int32_t next[3] = {at[0], at[1], at[2]};
        next[side / 2] += side % 2 == 0 ? 1 : -1;
        if (is_inside(s, next))
            return true;
    }
    return false;
}

/* ---- the search ---- */

/* Whether all voxels of a chunk are inside the surface. */
static bool is_chunk_inside(const push_out_search *s, const int32_t chunk[3])
{
    const vp_dims n = s->voxels.chunks;
    if (chunk[0] < 0 || chunk[1] < 0 || chunk[2] < 0 || (uint32_t)chunk[0] >= n.x || (uint32_t)chunk[1] >= n.y || (uint32_t)chunk[2] >= n.z)
        return false;
    const size_t brick = (((size_t)chunk[1] * n.z + (size_t)chunk[2]) * n.x + (size_t)chunk[0]) * VP_CHUNK_VOXELS;
    const uint8_t *material = s->voxels.material + brick, *occupancy = s->voxels.occupancy + brick;
    uint32_t outside_count = 0;
    for (int i = 0; i < VP_CHUNK_VOXELS; i++)
        outside_count += material[i] < VP_FIRST_SOLID || occupancy[i] < 128;
    return outside_count == 0;
}

static bool is_neighbour(const push_out_search *s, const int32_t at[3])
{
    bool near = true;
    for (int a = 0; a < 3; a++)
        near = near && at[a] >= s->centre_voxel[a] - 1 && at[a] <= s->centre_voxel[a] + 1;
    return near;
}

/* Searches the voxels of [from, to) that are in [low, high). The quads of a voxel lie within a voxel of its centre. */
static void search_box(push_out_search *s, const int32_t from[3], const int32_t to[3])
{
    int32_t low[3], high[3], at[3];
    double d[3];
    for (int a = 0; a < 3; a++) {
        low[a] = from[a] > s->low[a] ? from[a] : s->low[a];
        high[a] = to[a] < s->high[a] ? to[a] : s->high[a];
        if (low[a] >= high[a])
            return;
        d[a] = distance_outside(s->centre[a], (double)low[a] - 0.5, (double)high[a] + 0.5);
    }
    if (square_of(d) > s->best)
        return;
    for (at[1] = low[1]; at[1] < high[1]; at[1]++) {
        d[1] = distance_outside(s->centre[1], (double)at[1] - 0.5, (double)at[1] + 1.5);
        if (d[1] * d[1] > s->best)
            continue;
        for (at[2] = low[2]; at[2] < high[2]; at[2]++) {
            d[2] = distance_outside(s->centre[2], (double)at[2] - 0.5, (double)at[2] + 1.5);
            if (d[1] * d[1] + d[2] * d[2] > s->best)
                continue;
            for (at[0] = low[0]; at[0] < high[0]; at[0]++) {
                d[0] = distance_outside(s->centre[0], (double)at[0] - 0.5, (double)at[0] + 1.5);
                if (square_of(d) > s->best || (s->past_neighbours && is_neighbour(s, at)))
                    continue;
                if (!is_inside(s, at) && has_inside_neighbour(s, at))
                    try_quads(s, at);
            }
        }
    }
}

static void search_chunk(push_out_search *s, const int32_t chunk[3])
{
    int32_t low[3], high[3];
    double d[3];
    for (int a = 0; a < 3; a++) {
        low[a] = chunk[a] * VP_CHUNK_EDGE;
        high[a] = low[a] + VP_CHUNK_EDGE;
        d[a] = distance_outside(s->centre[a], (double)low[a] - 0.5, (double)high[a] + 0.5);
    }
    if (square_of(d) <= s->best && !is_chunk_inside(s, chunk))
        search_box(s, low, high);
}

/* Ring r holds the chunks that are r chunks from the centre's on one axis, and at most r on the others. */
static void search_rings(push_out_search *s, uint32_t voxels)
{
    int32_t low[3], high[3], middle[3];
    for (int a = 0; a < 3; a++) {
        low[a] = s->centre_voxel[a] - 1;
        high[a] = s->centre_voxel[a] + 2;
        middle[a] = (s->centre_voxel[a] < 0 ? 0 : s->centre_voxel[a]) / VP_CHUNK_EDGE;
    }
    search_box(s, low, high); /* most centres are near the surface, and near quads exclude far ones */
    s->past_neighbours = true;
    const int32_t rings = (int32_t)(voxels + 1 + VP_CHUNK_EDGE - 1) / VP_CHUNK_EDGE;
    for (int32_t r = 0; r <= rings; r++) {
        const double nearest = r < 2 ? 0.0 : (double)((r - 1) * VP_CHUNK_EDGE) - 0.5;
        if (nearest * nearest > s->best)
            return;
        for (int32_t y = -r; y <= r; y++)
            for (int32_t z = -r; z <= r; z++) {
                const bool all = y == -r || y == r || z == -r || z == r;
                for (int32_t x = -r; x <= r; x += all || r == 0 ? 1 : 2 * r) {
                    const int32_t chunk[3] = {middle[0] + x, middle[1] + y, middle[2] + z};
                    search_chunk(s, chunk);
                }
            }
    }
}

/* ---- the result ---- */

/* Moves the centre by `by`, rounds it to binary32, and reports whether it is in front and past no closed side. */
static bool is_free_place(const push_out_search *s, const double by[3], uint32_t closed, vp_push_out *out)
{
    float moved[3], step[3];
    for (int a = 0; a < 3; a++) {
        step[a] = (float)by[a];
        moved[a] = (float)s->centre[a] + step[a];
        if (((closed >> 2 * a & 1u) && moved[a] < 0.0f) || ((closed >> (2 * a + 1) & 1u) && moved[a] > (float)s->size[a]))
            return false;
    }
    out->by = (vp_vec3){step[0], step[1], step[2]};
    return vp_surface_side(&s->voxels, VP_SURFACE_SOLID, moved) > 0;
}

/* Moves the centre to the nearest point and farther by 1/1024 to 1/4 of a voxel. If that is inside another part of the
 * surface, it moves to the middle of the voxel in front, which no surface comes near. */
static void place_in_front(const push_out_search *s, uint32_t closed, vp_push_out *out)
{
    const vp_real3 along = s->best > 0x1p-40 ? s->nearest : s->outward;
    const double length = sqrt(vp_real3_dot(along, along));
    double by[3];
    bool is_free = false;
    for (double on = 0x1p-10; !is_free && on <= 0.25; on *= 4.0) {
        const vp_real3 to = vp_real3_plus(s->nearest, along, on / length);
        const double next[3] = {to.x, to.y, to.z};
        is_free = is_free_place(s, next, closed, out);
    }
    for (int a = 0; a < 3 && !is_free; a++)
        by[a] = (double)s->voxel[a] + 0.5 - s->centre[a];
    if (!is_free)
        is_free_place(s, by, closed, out);
}

static void write_answer(const push_out_search *s, uint32_t closed, vp_push_out *out)
{
    place_in_front(s, closed, out);
    const double by[3] = {(double)out->by.x, (double)out->by.y, (double)out->by.z}, length = sqrt(square_of(by));
    out->end = VP_PUSH_OUT_FOUND;
    out->voxel = (vp_ivec3){s->voxel[0], s->voxel[1], s->voxel[2]};
    out->direction = (vp_vec3){(float)(by[0] / length), (float)(by[1] / length), (float)(by[2] / length)};
    out->distance = (float)sqrt(s->best);
}

static vp_status check_arguments(const float centre[3], uint32_t voxels, uint32_t closed, vp_error *error)
{
    for (int a = 0; a < 3; a++)
        if (!isfinite(centre[a]))
            return vp_fail(error, VP_E_ARGUMENT, "centre.%c is %g; must be finite", "xyz"[a], (double)centre[a]);
    if (voxels > VP_PUSH_OUT_MAX_VOXELS)
        return vp_fail(error, VP_E_ARGUMENT, "voxels is %u; must be at most %d", voxels, VP_PUSH_OUT_MAX_VOXELS);
    if (closed > VP_SIDES_ALL)
        return vp_fail(error, VP_E_ARGUMENT, "closed is 0x%x; must have only the bits 0x%x", closed, VP_SIDES_ALL);
    return VP_OK;
}

vp_status vp_push_out_of_world(const vp_world *world, vp_vec3 centre, uint32_t voxels, uint32_t closed, vp_push_out *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world, out);
    const float at[3] = {centre.x, centre.y, centre.z};
    VP_RETURN_IF_FAILED(check_arguments(at, voxels, closed, error));
    const vp_dims size = vp_world_size(world);
    push_out_search s = {.voxels = vp_world_voxels(world),
                         .size = {(int32_t)size.x, (int32_t)size.y, (int32_t)size.z},
                         .best = (double)voxels * (double)voxels};
    *out = (vp_push_out){.end = VP_PUSH_OUT_FREE};
    if (vp_surface_side(&s.voxels, VP_SURFACE_SOLID, at) >= 0)
        return vp_succeed(error);
    const int32_t reach = (int32_t)voxels + 1;
    for (int a = 0; a < 3; a++) {
        const int32_t from = (int32_t)floorf(at[a]), lowest = (closed >> 2 * a & 1u) ? 0 : -1,
                      highest = (closed >> (2 * a + 1) & 1u) ? s.size[a] : s.size[a] + 1;
        s.centre[a] = (double)at[a];
        s.centre_voxel[a] = from;
        s.low[a] = from - reach > lowest ? from - reach : lowest;
        s.high[a] = from + reach + 1 < highest ? from + reach + 1 : highest;
    }
    search_rings(&s, voxels);
    if (s.found)
        write_answer(&s, closed, out);
    else
        out->end = VP_PUSH_OUT_DEEP;
    return vp_succeed(error);
}

vp_status vp_push_out_of_terrain(vp_terrain *terrain, vp_vec3 centre, uint32_t voxels, uint32_t closed, vp_push_out *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain, out);
    vp_terrain_reader reader;
    vp_terrain_acquire_reader(terrain, &reader);
    const vp_status status = vp_push_out_of_world(vp_terrain_reader_world(&reader), centre, voxels, closed, out, error);
    vp_terrain_release_reader(&reader);
    return status;
}
