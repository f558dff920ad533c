/* SPDX-License-Identifier: MIT */
/* The bounding sphere of a mesh. J. Ritter, "An Efficient Bounding Sphere", Graphics Gems, 1990: two corners far from
 * each other are the first diameter, and each corner outside moves the sphere towards itself. Rounding may leave a
 * corner outside, and so may corners that were inside before a move. So at the end the radius is measured again from
 * the stored centre. */
#include "src/spheretree/bound.h"

#include <inttypes.h>

#include <voxphys/spheretree.h>

#include "src/core/error.h"
#include "src/spheretree/meld.h"

/* Corner c of all corners of the triangles, 0 to 3 count - 1. */
static vp_vec3 corner_of(const vp_triangles *triangles, uint32_t first, uint64_t c)
{
    uint32_t vertex[3];
    vp_triangle_corners(triangles, first + (uint32_t)(c / 3), vertex);
    return triangles->vertex[vertex[c % 3]];
}

/* The corner that is furthest from a point, the first of equally far ones. */
static vp_vec3 find_furthest(const vp_triangles *triangles, uint32_t first, uint64_t corners, vp_vec3 from)
{
    vp_vec3 best = from;
    double max = 0;
    for (uint64_t c = 0; c < corners; c++) {
        const vp_vec3 p = corner_of(triangles, first, c);
        const double d = vp_scene_distance2(from, p);
        if (d > max) {
            max = d;
            best = p;
        }
    }
    return best;
}

vp_sphere vp_scene_bound_of(const vp_triangles *triangles, uint32_t first, uint32_t count)
{
    const uint64_t corners = (uint64_t)count * 3;
    const vp_vec3 one = find_furthest(triangles, first, corners, corner_of(triangles, first, 0));
    const vp_vec3 other = find_furthest(triangles, first, corners, one);
    double x = ((double)one.x + (double)other.x) / 2, y = ((double)one.y + (double)other.y) / 2, z = ((double)one.z + (double)other.z) / 2;
    double radius = sqrt(vp_scene_distance2(one, other)) / 2;
    for (uint64_t c = 0; c < corners; c++) {
        const vp_vec3 p = corner_of(triangles, first, c);
        const double px = (double)p.x - x, py = (double)p.y - y, pz = (double)p.z - z, d = sqrt((px * px + py * py) + pz * pz);
        if (d > radius) {
            const double part = (d - radius) / 2 / d;
            radius = (radius + d) / 2;
            x += px * part;
            y += py * part;
            z += pz * part;
        }
    }

    vp_sphere bound = {{(float)x, (float)y, (float)z}, 0};
    double max = 0;
    for (uint64_t c = 0; c < corners; c++) {
        const double d = vp_scene_far(bound.centre, corner_of(triangles, first, c));
        max = d > max ? d : max;
    }
    bound.radius = vp_scene_float_above(max);
    return bound;
}

static vp_status refuse_corner(uint32_t triangle, uint32_t vertex, vp_vec3 at, vp_error *error)
{
    return vp_fail(error, VP_E_ARGUMENT,
                   "triangle %" PRIu32 " has vertex %" PRIu32 " at (%g, %g, %g): absolute values must be at most 2^40", triangle, vertex,
                   (double)at.x, (double)at.y, (double)at.z);
}

vp_status vp_scene_check_mesh(const vp_triangles *triangles, vp_error *error)
{
    const uint32_t count = triangles->triangle_count;
    if (count == 0 || count > VP_KD_MAX_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "a mesh of %" PRIu32 " triangles; must be 1 to %d", count, VP_KD_MAX_TRIANGLES);
    if (triangles->quads && count % 2 != 0)
        return vp_fail(error, VP_E_ARGUMENT, "%" PRIu32 " triangles of quads: each has two", count);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t vertex[3];
        vp_triangle_corners(triangles, t, vertex);
        for (int k = 0; k < 3; k++) {
            if (vertex[k] >= triangles->vertex_count)
                return vp_fail(error, VP_E_ARGUMENT, "triangle %" PRIu32 " has vertex %" PRIu32 " of %" PRIu32, t, vertex[k],
                               triangles->vertex_count);
            const vp_vec3 p = triangles->vertex[vertex[k]];
            if (!(fabsf(p.x) <= VP_KD_MAX && fabsf(p.y) <= VP_KD_MAX && fabsf(p.z) <= VP_KD_MAX))
                return refuse_corner(t, vertex[k], p, error);
        }
    }
    return VP_OK;
}

vp_status vp_spheretree_mesh_bound(const vp_triangles *triangles, vp_sphere *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, triangles, out);
    const vp_status status = vp_scene_check_mesh(triangles, error);
    if (status != VP_OK)
        return status;
    *out = vp_scene_bound_of(triangles, 0, triangles->triangle_count);
    return vp_succeed(error);
}
