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
    vp_span (*shadow)(const vp_buoyancy_body *body, double x);          /* the z of all that the shape has at x */
    vp_span (*chord)(const vp_buoyancy_body *body, double x, double z); /* the y of it at x and z */
    /* The first x behind `after`, or z at x, where another part of the surface begins; HUGE_VAL: there is none. There the chord may begin
       to grow or shrink quickly, so pieces end there too. */
    double (*next_x)(const vp_buoyancy_body *body, double after);
    double (*next_z)(const vp_buoyancy_body *body, double x, double after);
    /* Fills low, high, whole and nodes. */
    void (*measure)(vp_buoyancy_body *body);
} vp_submerged_shape;

extern const vp_submerged_shape vp_submerged_round, vp_submerged_cylinder, vp_submerged_polytope;

/* The shadow of two equal ellipses, of a disc or a ball, at both ends of a shape's axis, and of all between them: so of a capsule or a
   cylinder. An ellipse is |z - tilt*x| <= height*sqrt(1 - (x/width)^2). */
typedef struct vp_ellipse {
    double width, height, tilt;
} vp_ellipse;
vp_span vp_submerged_swept(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double x);
/* The next end of one of the two ellipses, as next_x and next_z. */
double vp_submerged_swept_next_x(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double after);
double vp_submerged_swept_next_z(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double x, double after);

/* Nodes along a piece, of a shape that is so thin: fewer in large shapes, where columns end most pieces. */
static inline uint32_t vp_submerged_nodes(double thin, uint32_t most)
{
    const uint32_t nodes = thin < 2.0 ? 8 : thin < 8.0 ? 4 : 2;
    return nodes < most ? nodes : most;
}

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
void vp_submerged_lines(const vp_submerged_shape *shape, const vp_buoyancy_body *body, const vp_world *world,
                        const vp_broadphase *broadphase, const vp_submerged_range *range, vp_line_sum *all, vp_line_sum *wet);

#endif
