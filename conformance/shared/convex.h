/* SPDX-License-Identifier: MIT */
/* Convex shapes as judges see them: in binary64, from their definitions alone. */
#ifndef VP_CONFORMANCE_CONVEX_H
#define VP_CONFORMANCE_CONVEX_H

#include "src/core/real3.h"
#include "conformance/shared/shared.h"

/* A shape about its own position. */
typedef struct vp_convex {
    const vp_query_body *body;
    const vp_query_mesh *points;
    vp_real3 axis[3]; /* of the shape, in world space */
    double radius;    /* about its origin */
} vp_convex;

vp_convex vp_convex_of(const vp_query_body *body, const vp_query_mesh *points);

/* Distance of a point from the shape, negative inside. Near edges it is up to a factor of 2 too small. */
double vp_convex_beyond(const vp_convex *s, vp_real3 point);
/* The farthest point of the shape along a direction. */
vp_real3 vp_convex_furthest(const vp_convex *s, vp_real3 direction);

/* The vector scaled to length 1, 0 stays 0. */
vp_real3 vp_real3_unit(vp_real3 a);
/* The distance of a point from a segment, and from a triangle, which may be degenerate. */
double vp_to_segment(vp_real3 p, vp_real3 a, vp_real3 b);
double vp_to_triangle(vp_real3 p, const vp_real3 c[3]);

#endif
