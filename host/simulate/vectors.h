/* SPDX-License-Identifier: MIT */
/* Vectors, symmetric matrices and rotations in binary64. Operations have the order in which they are written. */
#ifndef VP_HOST_SIMULATE_VECTORS_H
#define VP_HOST_SIMULATE_VECTORS_H

#include <math.h>

#include "src/core/real3.h"

/* xx, yy, zz, xy, yz, zx */
typedef struct sym3 {
    double m[6];
} sym3;

/* Rows are the axes of a body, in the world. */
typedef struct axes3 {
    vp_real3 row[3];
} axes3;

/* The vector, shortened to `length` if it is longer. */
static inline vp_real3 limit_length(vp_real3 a, double length)
{
    const double is = vp_real3_length(a);
    return is > length ? vp_real3_scale(a, length / is) : a;
}

/* A unit vector perpendicular to a unit vector. */
static inline vp_real3 perpendicular_to(vp_real3 n)
{
    const vp_real3 c = fabs(n.x) < 0.6 ? (vp_real3){0, n.z, -n.y} : (vp_real3){-n.z, 0, n.x};
    return vp_real3_scale(c, 1.0 / vp_real3_length(c));
}

static inline vp_real3 sym3_times(const sym3 *s, vp_real3 a)
{
    const double *m = s->m;
    return (vp_real3){(m[0] * a.x + m[3] * a.y) + m[5] * a.z, (m[3] * a.x + m[1] * a.y) + m[4] * a.z,
                      (m[5] * a.x + m[4] * a.y) + m[2] * a.z};
}

/* The inverse of a positive definite matrix. */
static inline sym3 sym3_inverse(const sym3 *s)
{
    const double *m = s->m;
    const double xx = m[1] * m[2] - m[4] * m[4], xy = m[4] * m[5] - m[3] * m[2], zx = m[3] * m[4] - m[1] * m[5];
    const double d = 1.0 / ((m[0] * xx + m[3] * xy) + m[5] * zx);
    return (sym3){
        {xx * d, (m[0] * m[2] - m[5] * m[5]) * d, (m[0] * m[1] - m[3] * m[3]) * d, xy * d, (m[3] * m[5] - m[0] * m[4]) * d, zx * d}};
}

static inline vp_real3 to_world(const axes3 *a, vp_real3 p)
{
    return vp_real3_add(vp_real3_add(vp_real3_scale(a->row[0], p.x), vp_real3_scale(a->row[1], p.y)), vp_real3_scale(a->row[2], p.z));
}

static inline vp_real3 to_body(const axes3 *a, vp_real3 p)
{
    return (vp_real3){vp_real3_dot(a->row[0], p), vp_real3_dot(a->row[1], p), vp_real3_dot(a->row[2], p)};
}

/* A body's matrix along the world's axes. */
static inline sym3 sym3_to_world(const axes3 *a, const sym3 *s)
{
    vp_real3 c[3]; /* columns of the product, by the body's axes */
    const vp_real3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++)
        c[i] = to_world(a, sym3_times(s, to_body(a, unit[i])));
    return (sym3){{c[0].x, c[1].y, c[2].z, c[0].y, c[1].z, c[2].x}};
}

/* Axes of a unit quaternion x, y, z, w. */
static inline axes3 axes_of(const double q[4])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    return (axes3){{{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                    {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                    {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}}};
}

static inline void normalize(double q[4])
{
    const double length = sqrt(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* Rotates a unit quaternion by a small rotation vector. */
static inline void turn(double q[4], vp_real3 by)
{
    const double x = by.x / 2, y = by.y / 2, z = by.z / 2, a = q[0], b = q[1], c = q[2], w = q[3];
    q[0] = a + ((x * w + y * c) - z * b);
    q[1] = b + ((y * w + z * a) - x * c);
    q[2] = c + ((z * w + x * b) - y * a);
    q[3] = w - ((x * a + y * b) + z * c);
    normalize(q);
}

#endif
