/* SPDX-License-Identifier: MIT */
/* How far a shape must be moved along a direction until it last touches a triangle, in double precision. */
#ifndef VP_NARROWPHASE_RAY_H
#define VP_NARROWPHASE_RAY_H

#include <voxphys/kernel/narrowphase.h>

#include "src/core/real3.h"

/* Accuracy of the kernels as a part of the size. Smaller gaps and depths do not count. */
#define VP_TOUCHING 0x1p-18

/* The t at which the shape, moved by t w, last touches the triangle. If the two are apart and the way misses the
 * triangle, the result is any number, and the moved shape does not touch.
 * @param corner  in the shape's frame
 * @param w  length about 1, in the shape's frame
 * @param normal  receives the outward normal of M (ray.c) where the ray leaves it, of any length. Not NULL. */
double vp_ray_exit(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, vp_real3 *normal);

/* The same without the normal. */
double vp_ray_depth(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w);
/* Whether the depth is at most t, so that the shape moved by t w is out of the triangle. */
bool vp_ray_is_out(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, double t);

/* Whether a corner or the centre of the triangle is inside the shape moved by t w. Then the depth is above t. Cheaper than the depth. */
bool vp_ray_overlaps(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, double t);

/* A t at which a corner of the triangle is inside the shape moved by t w, up to roundings. The depth is not below it. -INFINITY if there is
 * none, or for shapes where it would cost as much as the depth. */
double vp_ray_inside(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w);

/* Largest dot product of m with a point of the shape, in the shape's frame. */
double vp_ray_reach(const vp_collide_shape *shape, vp_real3 m);

/* Rotates a direction, or a place relative to the shape's position, into the shape's frame. */
static inline vp_real3 vp_ray_turned(const vp_collide_frame *frame, vp_real3 p)
{
    return (vp_real3){vp_real3_dot(vp_real3_of(frame->row[0]), p), vp_real3_dot(vp_real3_of(frame->row[1]), p),
                      vp_real3_dot(vp_real3_of(frame->row[2]), p)};
}

/* A shape's frame in double precision, and its radius. */
typedef struct vp_real_frame {
    vp_real3 row[3], position;
    double radius;
} vp_real_frame;

vp_real_frame vp_real_frame_of(const vp_collide_shape *shape, const vp_collide_frame *frame);

static inline vp_real3 vp_ray_turned_by(const vp_real_frame *f, vp_real3 p)
{
    return (vp_real3){vp_real3_dot(f->row[0], p), vp_real3_dot(f->row[1], p), vp_real3_dot(f->row[2], p)};
}

/* Computes a triangle's corners.
 * @param relative  receives them relative to the shape's position, along the world's axes
 * @param corner  receives them in the shape's frame
 * @return the size (kernel/narrowphase.h) */
double vp_ray_corners(const vp_real_frame *frame, const vp_collide_triangle *triangle, vp_real3 relative[3], vp_real3 corner[3]);

#endif
