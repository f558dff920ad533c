/* SPDX-License-Identifier: MIT */
/* Convex shapes of questions in binary64, from their definitions alone: how judges see them. */
#ifndef VP_CONFORMANCE_CONVEX_H
#define VP_CONFORMANCE_CONVEX_H

#include "src/narrowphase/real3.h"
#include "conformance/shared/shared.h"

/* A shape about its own position. */
typedef struct vp_convex {
    const vp_query_body *body;
    const vp_query_mesh *points;
    vp_real3 axis[3]; /* of the shape, in the world */
    double radius;    /* about its origin */
} vp_convex;

vp_convex vp_convex_of(const vp_query_body *body, const vp_query_mesh *points);

/* Distance of a point from the shape, negative inside. Near edges it is up to a factor of 2 too small. */
double vp_convex_beyond(const vp_convex *s, vp_real3 point);
/* A point of the shape that is furthest along a direction. */
vp_real3 vp_convex_furthest(const vp_convex *s, vp_real3 direction);

/* Length 1; 0 of 0. */
vp_real3 vp_real3_unit(vp_real3 a);
/* Distance of a point from a segment, and from any three points, also on a line or in one place. */
double vp_to_segment(vp_real3 p, vp_real3 a, vp_real3 b);
double vp_to_triangle(vp_real3 p, const vp_real3 c[3]);

#endif
