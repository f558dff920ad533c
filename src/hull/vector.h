/* SPDX-License-Identifier: MIT */
/* Vectors between points in double precision, for the files of hulls. The order of operations is as written. */
#ifndef VP_HULL_VECTOR_H
#define VP_HULL_VECTOR_H

#include <voxphys/geometry.h>

static inline void vp_from_to(vp_vec3 a, vp_vec3 b, double out[3])
{
    out[0] = (double)b.x - (double)a.x;
    out[1] = (double)b.y - (double)a.y;
    out[2] = (double)b.z - (double)a.z;
}

static inline double vp_dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void vp_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
