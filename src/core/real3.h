/* SPDX-License-Identifier: MIT */
/* Scalars and vectors in double precision. Only + - * / and sqrt, in the order written. */
#ifndef VP_CORE_REAL3_H
#define VP_CORE_REAL3_H

#include <math.h>
#include <stdbool.h>

#include <voxphys/geometry.h>

typedef struct vp_real3 {
    double x, y, z;
} vp_real3;

/* a < b ? a : b, so b if the numbers are equal or one is NaN. C's fmin may return either zero. */
static inline double vp_double_min(double a, double b)
{
    return a < b ? a : b;
}

/* a > b ? a : b. */
static inline double vp_double_max(double a, double b)
{
    return a > b ? a : b;
}

static inline vp_real3 vp_real3_of(vp_vec3 a)
{
    return (vp_real3){(double)a.x, (double)a.y, (double)a.z};
}

static inline vp_vec3 vp_real3_rounded(vp_real3 a)
{
    return (vp_vec3){(float)a.x, (float)a.y, (float)a.z};
}

static inline double vp_real3_dot(vp_real3 a, vp_real3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline vp_real3 vp_real3_cross(vp_real3 a, vp_real3 b)
{
    return (vp_real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vp_real3 vp_real3_add(vp_real3 a, vp_real3 b)
{
    return (vp_real3){a.x + b.x, a.y + b.y, a.z + b.z};
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

static inline double vp_real3_length(vp_real3 a)
{
    return sqrt(vp_real3_dot(a, a));
}

static inline bool vp_real3_equal(vp_real3 a, vp_real3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#endif
