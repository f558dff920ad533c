/* SPDX-License-Identifier: MIT */
/* Distances of points from a hull, by brute force over its triangles in long double. */
#ifndef VP_TESTS_SUPPORT_HULL_DISTANCE_H
#define VP_TESTS_SUPPORT_HULL_DISTANCE_H

#include <voxphys/hull.h>

typedef long double real;

static inline float hull_coordinate(vp_vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static inline void real_from_to(vp_vec3 from, vp_vec3 to, real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (real)hull_coordinate(to, k) - (real)hull_coordinate(from, k);
}

static inline real real_dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void real_cross(const real a[3], const real b[3], real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The distance of q from a triangle, or `least` if it is no smaller. @param above out: q's height above the plane */
real distance_to_triangle(vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 q, real least, real *above);
/* The distance of a point outside a hull of dimension 2 or 3, with vertices in `point`, from the nearest point of its triangles. */
real hull_outside(const vp_hull *h, const vp_vec3 *point, vp_vec3 q);

#endif
