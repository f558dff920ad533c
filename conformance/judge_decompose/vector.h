/* SPDX-License-Identifier: MIT */
/* Vectors and boxes in binary64. Operations are done in the written order. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_VECTOR_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>

static inline double vp_less(double a, double b)
{
    return a < b ? a : b;
}

static inline double vp_more(double a, double b)
{
    return a > b ? a : b;
}

static inline void vp_minus3(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static inline double vp_dot3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void vp_cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The cross product of two edges of a triangle. */
static inline void vp_normal_of(const double corner[3][3], double out[3])
{
    double ab[3], ac[3];
    vp_minus3(corner[1], corner[0], ab);
    vp_minus3(corner[2], corner[0], ac);
    vp_cross3(ab, ac, out);
}

static inline double vp_apart(const double a[3], const double b[3])
{
    double d[3];
    vp_minus3(a, b, d);
    return sqrt(vp_dot3(d, d));
}

static inline void vp_place_of(vp_vec3 p, const double middle[3], double out[3])
{
    out[0] = (double)p.x - middle[0];
    out[1] = (double)p.y - middle[1];
    out[2] = (double)p.z - middle[2];
}

/* The height of a point above a plane, which is a normal and an offset. */
static inline double vp_above(const double plane[4], const double p[3])
{
    return vp_dot3(plane, p) - plane[3];
}

/* ---- boxes ---- */

static inline void vp_box_clear(double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = (double)INFINITY;
        high[k] = -(double)INFINITY;
    }
}

static inline void vp_box_add(double low[3], double high[3], const double p[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = vp_less(low[k], p[k]);
        high[k] = vp_more(high[k], p[k]);
    }
}

static inline void vp_box_of(const double (*p)[3], uint32_t count, double low[3], double high[3])
{
    vp_box_clear(low, high);
    for (uint32_t i = 0; i < count; i++)
        vp_box_add(low, high, p[i]);
}

static inline bool vp_boxes_meet(const double a[3], const double a_high[3], const double b[3], const double b_high[3])
{
    return a[0] <= b_high[0] && b[0] <= a_high[0] && a[1] <= b_high[1] && b[1] <= a_high[1] && a[2] <= b_high[2] && b[2] <= a_high[2];
}

static inline double vp_box_distance2(const double low[3], const double high[3], const double p[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double away = vp_more(vp_more(low[k] - p[k], p[k] - high[k]), 0.0);
        sum += away * away;
    }
    return sum;
}

static inline int vp_longest(const double low[3], const double high[3])
{
    const double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

#endif
