/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of buoyancy. Places are relative to the body's position, along the world's axes. */
#ifndef VP_NARROWPHASE_BUOYANCY_SHAPE_H
#define VP_NARROWPHASE_BUOYANCY_SHAPE_H

#include <stdbool.h>

#include <voxphys/buoyancy.h>

/* An interval. It is empty unless low < high. */
typedef struct vp_span {
    double low, high;
} vp_span;

/* A shape, as seen by vertical planes and lines. Where one misses the shape, the span is empty. */
typedef struct vp_submerged_shape {
    vp_span (*shadow)(const vp_buoyancy_body *body, double x);          /* range of z of the shape at x */
    vp_span (*chord)(const vp_buoyancy_body *body, double x, double z); /* range of y of the shape at x and z */
    /* The first x greater than `after`, or z at x, where another part of the surface starts. HUGE_VAL if there is none.
     * The chord may start to grow or shrink quickly there, so pieces end there too. */
    double (*next_x)(const vp_buoyancy_body *body, double after);
    double (*next_z)(const vp_buoyancy_body *body, double x, double after);
    /* Computes low, high, whole and nodes. */
    void (*measure)(vp_buoyancy_body *body);
} vp_submerged_shape;

extern const vp_submerged_shape vp_submerged_round, vp_submerged_cylinder, vp_submerged_polytope;

/* The shadow of a disc or a ball, an ellipse, swept along a shape's axis: the shadow of a cylinder or a capsule. The
 * ellipse is |z - tilt*x| <= height*sqrt(1 - (x/width)^2). */
typedef struct vp_ellipse {
    double width, height, tilt;
} vp_ellipse;
vp_span vp_submerged_swept(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double x);
/* find_next_x and find_next_z of the swept ellipse: the next end of one of the two ellipses. */
double vp_submerged_swept_next_x(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double after);
double vp_submerged_swept_next_z(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double x, double after);

/* Number of nodes per piece, from the shape's smallest extent. Large shapes need fewer, because columns end most of
 * their pieces. */
static inline uint32_t vp_submerged_nodes(double thin, uint32_t most)
{
    const uint32_t nodes = thin < 2.0 ? 8 : thin < 8.0 ? 4 : 2;
    return nodes < most ? nodes : most;
}

/* Sum of the lengths of lines, and of length times middle. */
typedef struct vp_line_sum {
    double length, moment[3];
} vp_line_sum;

/* A box of columns and layers, [low, high). */
typedef struct vp_submerged_range {
    int64_t low[3], high[3];
} vp_submerged_range;

/* Sums the lines through the columns of the range. `all` receives their whole length in the shape, `wet` the length in
 * the water of the range's layers. world NULL: no water. */
void vp_submerged_lines(const vp_submerged_shape *shape, const vp_buoyancy_body *body, const vp_world *world,
                        const vp_broadphase *broadphase, const vp_submerged_range *range, vp_line_sum *all, vp_line_sum *wet);

#endif
