/* SPDX-License-Identifier: MIT */
/* Oracle of casts. The signed distance of a convex shape, moved along a line, from a triangle is a convex function of the way. Golden
 * section finds its minimum, and bisection its zero. cases/narrowphase/oracle.h computes the distances. */
#ifndef VP_TESTS_CAST_ORACLE_H
#define VP_TESTS_CAST_ORACLE_H

#include "tests/narrowphase/moved.h"

typedef struct cast_line {
    const vp_oracle_shape *oracle;
    const vp_pose *pose;
    const vp_vec3 *corner;
    vp_vec3 way;
    double size; /* largest scale of errors */
} cast_line;

/* The signed distance after part t of the way. */
static inline double distance_on(cast_line *l, double t)
{
    double size;
    const double distance = distance_at(l->oracle, l->pose, l->corner, l->way, t, &size);
    l->size = size > l->size ? size : l->size;
    return distance;
}

/* The part from 0 to `most` at which the distance is least. */
static inline double least_on(cast_line *l, double most)
{
    const double golden = 0.6180339887498949;
    double low = 0.0, high = most, a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = distance_on(l, a), at_b = distance_on(l, b);
    for (int i = 0; i < 60; i++) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - golden * (high - low);
            at_a = distance_on(l, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + golden * (high - low);
            at_b = distance_on(l, b);
        }
    }
    const double middle = (low + high) / 2, at_ends[2] = {distance_on(l, 0.0), distance_on(l, most)}, at = distance_on(l, middle);
    return at_ends[0] <= at ? 0.0 : at_ends[1] < at ? most : middle;
}

#endif
