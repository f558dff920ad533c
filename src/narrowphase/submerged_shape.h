/* SPDX-License-Identifier: MIT */
/* What the files on buoyancy tell each other. Places are relative to the body's position, along the world's axes. */
#ifndef VP_NARROWPHASE_SUBMERGED_SHAPE_H
#define VP_NARROWPHASE_SUBMERGED_SHAPE_H

#include <stdbool.h>

#include <voxphys/buoyancy.h>

/* An interval; empty unless low < high. */
typedef struct vp_span {
    double low, high;
} vp_span;

/* A shape, as lines need it. Where a vertical plane or line misses it, a span is empty. */
typedef struct vp_submerged_shape {
    vp_span (*shadow)(const vp_submerged_body *body, double x);          /* the z of all that the shape has at x */
    vp_span (*chord)(const vp_submerged_body *body, double x, double z); /* the y of it at x and z */
    /* Fills low, high, whole, and tells how thin the shape is: the least distance of its surface from its middle, or about that. */
    double (*measure)(vp_submerged_body *body);
} vp_submerged_shape;

extern const vp_submerged_shape vp_submerged_round, vp_submerged_cylinder, vp_submerged_polytope;

/* The shadow of two equal ellipses, of a disc or a ball, at both ends of a shape's axis, and of all between them: so of a capsule or a
   cylinder. An ellipse is |z - tilt*x| <= height*sqrt(1 - (x/width)^2). */
typedef struct vp_ellipse {
    double width, height, tilt;
} vp_ellipse;
vp_span vp_submerged_swept(const vp_submerged_body *body, const vp_ellipse *ellipse, double half_height, double x);

/* Lengths of lines: their sum, and that of lengths times middles. */
typedef struct vp_line_sum {
    double length, moment[3];
} vp_line_sum;

/* A box of columns and layers, by their numbers: from low to below high. */
typedef struct vp_submerged_range {
    int64_t low[3], high[3];
} vp_submerged_range;

/* Lines through the columns of the range: `all` of them, as long as the shape is; `wet` in the water of its layers. world NULL: no water.
 */
void vp_submerged_lines(const vp_submerged_shape *shape, const vp_submerged_body *body, const vp_world *world,
                        const vp_broadphase *broadphase, const vp_submerged_range *range, vp_line_sum *all, vp_line_sum *wet);

#endif
