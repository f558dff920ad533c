/* SPDX-License-Identifier: MIT */
/* The first four corners of a hull in space, and the dimension of a set. The operations and their order are guaranteed (HUL-6). */
#ifndef VP_HULL_SIMPLEX_H
#define VP_HULL_SIMPLEX_H

#include <math.h>

#include <voxphys/kernel/hull.h>

#include "src/core/exact.h"
#include "src/hull/vector.h"

/* Finds four points that are not in a plane, and the dimension of the set with tolerance `flat`. The points are the
   ends of the longest side of its box, the point furthest from the line through them, and the point furthest from the
   plane through these three. Each is the first of equally far ones. Computed in double, in the order written. @return
   the dimension; `corner` has one point more */
static inline uint32_t vp_hull_find_simplex(const vp_hull3_job *to, uint32_t corner[4], double *thickness)
{
    const vp_vec3 *p = to->point;
    const double flat = to->flat;
    double along[3], normal[3], away[3], max = 0.0, min = 0.0;
    vp_from_to(to->bounds->min, to->bounds->max, along);
    const int axis = along[0] >= along[1] && along[0] >= along[2] ? 0 : along[1] >= along[2] ? 1 : 2;
    corner[0] = corner[2] = corner[3] = to->bounds->lowest[axis];
    corner[1] = to->bounds->highest[axis];
    if (along[axis] <= flat)
        return 0;

    vp_from_to(p[corner[0]], p[corner[1]], along);
    for (uint32_t i = 0; i < to->count; i++) {
        vp_from_to(p[corner[0]], p[i], away);
        vp_cross(along, away, normal);
        const double square = vp_dot(normal, normal);
        if (square > max) {
            max = square;
            corner[2] = i;
        }
    }
    if (max <= flat * flat * vp_dot(along, along))
        return 1;

    vp_from_to(p[corner[0]], p[corner[2]], away);
    vp_cross(along, away, normal);
    uint32_t highest = corner[0], lowest = corner[0];
    max = 0.0;
    for (uint32_t i = 0; i < to->count; i++) {
        vp_from_to(p[corner[0]], p[i], away);
        const double h = vp_dot(normal, away);
        if (h > max) {
            max = h;
            highest = i;
        }
        if (h < min) {
            min = h;
            lowest = i;
        }
    }
    *thickness = (max - min) / sqrt(vp_dot(normal, normal));
    if (*thickness <= flat)
        return 2;
    corner[3] = max >= -min ? highest : lowest;
    /* A needle's normal is mostly rounding. Then the first point that is not in the plane is taken. */
    for (uint32_t i = 0; vp_orient3d(p[corner[0]], p[corner[1]], p[corner[2]], p[corner[3]]) == 0; i++) {
        if (i == to->count)
            return 2;
        corner[3] = i;
    }
    return 3;
}

#endif
