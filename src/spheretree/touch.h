/* SPDX-License-Identifier: MIT */
/* The primitive tests, all of closed sets, and the tests of a tree's bounds.
 *
 * Why a tree loses nothing. A bound (C, R) contains a leaf's sphere (c, r) in exact arithmetic: |C - c| + r <= R. Let q
 * be a sphere's centre and p its radius. If the test below accepts it for (c, r), then |q - c| is at most (p + r) (1 +
 * 2^-50). So |q - C| is at most (p + R) (1 + 2^-50), and its computed square at most (p + R)^2 (1 + 2^-47). For a
 * triangle the computed point is right to 2^-48 of the furthest corner's distance, which is at most |q - C| + R. So |q
 * - C| (1 - 2^-48) is at most (p + R) (1 + 2^-47). Bounds are tested with 1 + 2^-40, which is more than enough. The
 * same holds for boxes, whose distance to a point changes by no more than the point moves. */
#ifndef VP_SPHERETREE_TOUCH_H
#define VP_SPHERETREE_TOUCH_H

#include "src/kd/sphere_triangle.h"
#include "src/spheretree/meld.h"

#define VP_SCENE_PAD (1.0 + 0x1p-40)

static inline bool vp_sphere_touches_sphere(const vp_sphere *a, const vp_sphere *b)
{
    const double reach = (double)a->radius + (double)b->radius;
    return vp_scene_distance2(a->centre, b->centre) <= reach * reach;
}

/* Whether a bound may have something that a sphere touches. */
static inline bool vp_sphere_nears(const vp_sphere *sphere, const vp_sphere *bound)
{
    const double reach = (double)sphere->radius + (double)bound->radius;
    return vp_scene_distance2(sphere->centre, bound->centre) <= reach * reach * VP_SCENE_PAD;
}

/* The distance of a number from a range. */
static inline double vp_scene_away(float at, float min, float max)
{
    return at < min ? (double)min - (double)at : at > max ? (double)at - (double)max : 0;
}

/* The squared distance of a point from a box. */
static inline double vp_scene_away2(const vp_aabb *box, vp_vec3 at)
{
    const double x = vp_scene_away(at.x, box->min.x, box->max.x), y = vp_scene_away(at.y, box->min.y, box->max.y),
                 z = vp_scene_away(at.z, box->min.z, box->max.z);
    return (x * x + y * y) + z * z;
}

static inline bool vp_box_touches_sphere(const vp_aabb *box, const vp_sphere *sphere)
{
    return vp_scene_away2(box, sphere->centre) <= (double)sphere->radius * (double)sphere->radius;
}

static inline bool vp_box_nears(const vp_aabb *box, const vp_sphere *bound)
{
    return vp_scene_away2(box, bound->centre) <= (double)bound->radius * (double)bound->radius * VP_SCENE_PAD;
}

static inline vp_real3 vp_scene_from(vp_vec3 centre, vp_vec3 point)
{
    return (vp_real3){(double)point.x - (double)centre.x, (double)point.y - (double)centre.y, (double)point.z - (double)centre.z};
}

/* Whether the point of a triangle that is nearest to the centre, as src/kd/sphere_triangle.h computes it, is within the radius. */
static inline bool vp_triangle_touches_sphere(const vp_vec3 corner[3], const vp_sphere *sphere)
{
    const vp_real3 p[3] = {vp_scene_from(sphere->centre, corner[0]), vp_scene_from(sphere->centre, corner[1]),
                           vp_scene_from(sphere->centre, corner[2])};
    vp_contact_point where;
    return vp_sphere_touches((double)sphere->radius, p, &where);
}

static inline vp_aabb vp_triangle_box(const vp_vec3 corner[3])
{
    return (vp_aabb){vp_vec3_min(vp_vec3_min(corner[0], corner[1]), corner[2]), vp_vec3_max(vp_vec3_max(corner[0], corner[1]), corner[2])};
}

/* Whether a bound may contain something that a triangle in this box touches. Points that the test above finds are right
   to 2^-48 of the corners' distances, and a triangle may be much larger than the bound. So 2^-40 of the furthest
   possible corner's distance is added to the radius. */
static inline bool vp_triangle_nears(const vp_aabb *box, const vp_sphere *bound)
{
    const float c[3] = {bound->centre.x, bound->centre.y, bound->centre.z};
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    double furthest = bound->radius;
    for (int k = 0; k < 3; k++)
        furthest += fmax(fabs((double)low[k] - (double)c[k]), fabs((double)high[k] - (double)c[k]));
    const double reach = (double)bound->radius + furthest * 0x1p-40;
    return vp_scene_away2(box, bound->centre) <= reach * reach * VP_SCENE_PAD;
}

/* In exact arithmetic, see triangle.c. Triangles may be segments or points. */
bool vp_triangles_touch(const vp_vec3 a[3], const vp_vec3 b[3]);
bool vp_triangle_touches_box(const vp_vec3 corner[3], const vp_aabb *box);

#endif
