/* SPDX-License-Identifier: MIT */
/* Vectors, symmetric matrices and rotations in binary64. Operations have the order in which they are written. */
#ifndef VP_HOST_SIMULATE_VECTORS_H
#define VP_HOST_SIMULATE_VECTORS_H

#include <math.h>

#include <voxphys/geometry.h>

typedef struct v3 {
    double x, y, z;
} v3;

/* xx, yy, zz, xy, yz, zx */
typedef struct sym3 {
    double m[6];
} sym3;

/* Rows are the axes of a body, in the world. */
typedef struct axes3 {
    v3 row[3];
} axes3;

/* Minimum and maximum. fmin and fmax of C may return either zero. These return b if both are equal, on every machine. */
static inline double double_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double double_max(double a, double b)
{
    return a > b ? a : b;
}

static inline v3 v3_of(vp_vec3 a)
{
    return (v3){(double)a.x, (double)a.y, (double)a.z};
}

static inline vp_vec3 v3_round(v3 a)
{
    return (vp_vec3){(float)a.x, (float)a.y, (float)a.z};
}

static inline v3 v3_add(v3 a, v3 b)
{
    return (v3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline v3 v3_sub(v3 a, v3 b)
{
    return (v3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline v3 v3_scale(v3 a, double s)
{
    return (v3){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
static inline v3 v3_add_scaled(v3 a, v3 b, double s)
{
    return (v3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static inline double v3_dot(v3 a, v3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline v3 v3_cross(v3 a, v3 b)
{
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double v3_length(v3 a)
{
    return sqrt(v3_dot(a, a));
}

/* The vector, shortened to `length` if it is longer. */
static inline v3 v3_at_most(v3 a, double length)
{
    const double is = v3_length(a);
    return is > length ? v3_scale(a, length / is) : a;
}

/* A unit vector perpendicular to a unit vector. */
static inline v3 v3_across(v3 n)
{
    const v3 c = fabs(n.x) < 0.6 ? (v3){0, n.z, -n.y} : (v3){-n.z, 0, n.x};
    return v3_scale(c, 1.0 / v3_length(c));
}

static inline v3 sym3_times(const sym3 *s, v3 a)
{
    const double *m = s->m;
    return (v3){(m[0] * a.x + m[3] * a.y) + m[5] * a.z, (m[3] * a.x + m[1] * a.y) + m[4] * a.z, (m[5] * a.x + m[4] * a.y) + m[2] * a.z};
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

static inline v3 to_world(const axes3 *a, v3 p)
{
    return v3_add(v3_add(v3_scale(a->row[0], p.x), v3_scale(a->row[1], p.y)), v3_scale(a->row[2], p.z));
}

static inline v3 to_body(const axes3 *a, v3 p)
{
    return (v3){v3_dot(a->row[0], p), v3_dot(a->row[1], p), v3_dot(a->row[2], p)};
}

/* A body's matrix along the world's axes. */
static inline sym3 sym3_to_world(const axes3 *a, const sym3 *s)
{
    v3 c[3]; /* columns of the product, by the body's axes */
    const v3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
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
static inline void turn(double q[4], v3 by)
{
    const double x = by.x / 2, y = by.y / 2, z = by.z / 2, a = q[0], b = q[1], c = q[2], w = q[3];
    q[0] = a + ((x * w + y * c) - z * b);
    q[1] = b + ((y * w + z * a) - x * c);
    q[2] = c + ((z * w + x * b) - y * a);
    q[3] = w - ((x * a + y * b) + z * c);
    normalize(q);
}

#endif
