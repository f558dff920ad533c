/* SPDX-License-Identifier: MIT */
/* How far a shape must be moved along a direction until it touches a triangle last, in binary64. */
#ifndef VP_NARROWPHASE_RAY_H
#define VP_NARROWPHASE_RAY_H

#include <voxphys/kernel/narrowphase.h>

#include "src/narrowphase/real3.h"

/* The t at which the shape, moved by t w, touches the triangle last. If the two are apart and the way misses the triangle, any number: the
   moved shape doesn't touch.
   @param corner  in the shape's frame
   @param w       of about length 1, in the shape's frame
   @param normal  out: outward normal of M (ray.c) where the ray leaves it, of any length; not NULL */
double vp_ray_exit(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, vp_real3 *normal);

/* The same without the normal. */
double vp_ray_depth(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w);

/* Largest dot product of m with a point of the shape, in the shape's frame. */
double vp_ray_reach(const vp_collide_shape *shape, vp_real3 m);

/* A direction or a place from the shape's position, in the shape's frame. */
vp_real3 vp_ray_turned(const vp_collide_frame *frame, vp_real3 p);

/* A triangle's corners.
   @param relative  out: from the shape's position, along the world's axes
   @param corner    out: in the shape's frame
   @return the size (kernel/narrowphase.h) */
double vp_ray_corners(const vp_collide_job *job, uint32_t number, vp_real3 relative[3], vp_real3 corner[3]);

#endif
