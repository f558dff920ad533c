/* SPDX-License-Identifier: MIT */
/* A ray against a sphere, in double. This is the only definition of a hit.
 *
 * With m from the centre to the origin, let a = d.d and b = m.d for the scaled direction d of src/kd/ray_triangle.h. A
 * ray that begins in the closed ball meets it at 0. Otherwise the point of its line that is nearest to the centre lies
 * at -b/a, ahead if b < 0, and is l = m - d (b/a) from it. So the ball is met if l.l <= r^2, at (m.m - r^2)/(-b +
 * sqrt(a (r^2 - l.l))). That is the root of the quadratic equation that subtracts no near numbers, and it is at most
 * -b/a (E. Haines et al., "Precision Improvements for Ray/Sphere Intersection", Ray Tracing Gems, 2019).
 *
 * Why a tree loses nothing. Let M be the largest coordinate of the origin and of a bound (C, R), and e = 2^-48. In l
 * and s there are roundings of at most e M. Where m.m - r^2 cancels, the error of s times the slope of the square of
 * the distance is below e M^2, and s stays before the nearest point. So the point at a hit's s is at most r + e M from
 * the centre of its sphere, and at most R + e M from C. For a triangle it is at most R + 2^-19 M, by vp_ray_pad. The
 * bound is tested with the radius R + 2^-18 M. Where the ray enters that ball, as computed, the distance from C is at
 * least R + 2^-18 M - e M^2/(2^-18 M), which is more. So it is entered before any hit below it. Parameters are rounded
 * to floats before they are compared, which keeps their order. M is at least 2^-80, because for smaller coordinates
 * floats of a triangle's hit are denormal, and have an error of 2^-150 for any M. */
#ifndef VP_SPHERETREE_RAY_SPHERE_H
#define VP_SPHERETREE_RAY_SPHERE_H

#include "src/kd/ray_triangle.h"

#include <voxphys/kernel/spheretree.h>

static inline bool vp_ray_enters(const vp_ray_frame *ray, vp_vec3 centre, double radius, double *s)
{
    const double mx = (double)ray->origin[0] - (double)centre.x, my = (double)ray->origin[1] - (double)centre.y,
                 mz = (double)ray->origin[2] - (double)centre.z;
    const double dx = ray->direction[0], dy = ray->direction[1], dz = ray->direction[2];
    const double c = ((mx * mx + my * my) + mz * mz) - radius * radius;
    *s = 0;
    if (c <= 0)
        return true;
    const double a = (dx * dx + dy * dy) + dz * dz, b = (mx * dx + my * dy) + mz * dz;
    if (!(b < 0))
        return false;
    const double back = b / a, lx = mx - dx * back, ly = my - dy * back, lz = mz - dz * back;
    const double inside = radius * radius - ((lx * lx + ly * ly) + lz * lz);
    if (!(inside >= 0))
        return false;
    const double first = c / (sqrt(a * inside) - b);
    *s = first < -back ? first : -back;
    return true;
}

/* Where a ray meets a sphere. u and v are 0. */
static inline bool vp_ray_meets_sphere(const vp_ray_frame *ray, const vp_sphere *sphere, vp_meeting *out)
{
    double s;
    if (!vp_ray_enters(ray, sphere->centre, (double)sphere->radius, &s))
        return false;
    *out = (vp_meeting){.s = (float)s};
    out->t = (float)(out->s * ray->unscale);
    return out->s <= ray->s_max && out->t <= ray->t_max && out->t <= FLT_MAX;
}

/* Whether a ray may meet an object in a bound that is grown by `reach`, at s_most or before. */
static inline bool vp_ray_nears(const vp_ray_frame *ray, const vp_sphere *bound, double reach, float s_most)
{
    const float c[3] = {bound->centre.x, bound->centre.y, bound->centre.z};
    const double radius = bound->radius + reach;
    double most = 0x1p-80, s;
    for (int k = 0; k < 3; k++) {
        const double of_bound = fabs((double)c[k]) + radius, of_origin = fabs((double)ray->origin[k]);
        most = of_bound > most ? of_bound : most;
        most = of_origin > most ? of_origin : most;
    }
    return vp_ray_enters(ray, bound->centre, radius + most * 0x1p-18, &s) && (float)s <= s_most;
}

#endif
