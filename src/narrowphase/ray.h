/* SPDX-License-Identifier: MIT */
/* How far a shape must be moved along a direction until it touches a triangle last, in binary64: operations + - * / sqrt alone, in the
 * order written. */
#ifndef VP_NARROWPHASE_RAY_H
#define VP_NARROWPHASE_RAY_H

#include <voxphys/kernel/narrowphase.h>

typedef struct vp_real3 {
    double x, y, z;
} vp_real3;

static inline vp_real3 vp_real3_of(vp_vec3 a)
{
    return (vp_real3){(double)a.x, (double)a.y, (double)a.z};
}

static inline double vp_real3_dot(vp_real3 a, vp_real3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline vp_real3 vp_real3_cross(vp_real3 a, vp_real3 b)
{
    return (vp_real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vp_real3 vp_real3_sub(vp_real3 a, vp_real3 b)
{
    return (vp_real3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vp_real3 vp_real3_scale(vp_real3 a, double by)
{
    return (vp_real3){a.x * by, a.y * by, a.z * by};
}

/* a + b * by. */
static inline vp_real3 vp_real3_plus(vp_real3 a, vp_real3 b, double by)
{
    return (vp_real3){a.x + b.x * by, a.y + b.y * by, a.z + b.z * by};
}

/* The t at which the shape, moved by t w, touches the triangle last. If the two are apart and the way misses the triangle, any number: the
   moved shape doesn't touch.
   @param corner  in the shape's frame; they have an area
   @param w       of about length 1, in the shape's frame */
double vp_ray_depth(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w);

#endif
