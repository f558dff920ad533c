/* SPDX-License-Identifier: MIT */
/* A ray among boxes. Computes its part in one box, widened so that no hit in the box is lost (see vp_ray_pad). This is
 * the scalar form, for the references and for rare queries. */
#ifndef VP_KD_RAY_BOXES_H
#define VP_KD_RAY_BOXES_H

#include "src/kd/ray_triangle.h"

/* A ray, ready for the faces of boxes. */
typedef struct vp_box_ray {
    vp_ray_frame frame;
    float inverse[3];   /* 1/direction, infinite for a component of zero */
    float from_low[3];  /* origin + pad; lower faces are measured from it, which moves them down */
    float from_high[3]; /* origin - pad; upper faces are measured from it, which moves them up */
    bool backwards[3];  /* the direction's sign, of zero too */
} vp_box_ray;

/* A part of a ray, its parameters from near to far. Empty if near > far. */
typedef struct vp_ray_part {
    float near, far;
} vp_ray_part;

/* Sets up a ray for boxes within `all`. A sphere of this radius that moves along the ray touches those boxes that the
   ray meets after they are enlarged by the radius. The pad includes both roundings, if it includes the radius. @return
   false for an invalid ray, see vp_ray */
static inline bool vp_box_ray_of(const vp_ray *ray, const vp_aabb *all, float radius, vp_box_ray *out)
{
    if (!vp_ray_frame_of(ray, &out->frame))
        return false;
    float pad = vp_ray_pad(&out->frame, all);
    if (radius > 0.0f)
        pad = (pad + radius * 0x1p-19f) + radius;
    for (int k = 0; k < 3; k++) {
        out->inverse[k] = 1.0f / out->frame.direction[k];
        out->from_low[k] = out->frame.origin[k] + pad;
        out->from_high[k] = out->frame.origin[k] - pad;
        out->backwards[k] = signbit(out->frame.direction[k]) != 0;
    }
    return true;
}

/* The parameter at which a ray reaches a lower or an upper face. NaN if a direction of zero lies in a face, which
   vp_min and vp_max ignore. */
static inline float vp_to_low(const vp_box_ray *r, int axis, float face)
{
    return (face - r->from_low[axis]) * r->inverse[axis];
}

static inline float vp_to_high(const vp_box_ray *r, int axis, float face)
{
    return (face - r->from_high[axis]) * r->inverse[axis];
}

/* Cuts a part to the slab between two faces of an axis. */
static inline vp_ray_part vp_part_between(const vp_box_ray *r, int axis, float low, float high, vp_ray_part p)
{
    const bool back = r->backwards[axis];
    p.near = vp_max(back ? vp_to_high(r, axis, high) : vp_to_low(r, axis, low), p.near);
    p.far = vp_min(back ? vp_to_low(r, axis, low) : vp_to_high(r, axis, high), p.far);
    return p;
}

/* Cuts a part to a box. */
static inline vp_ray_part vp_part_inside(const vp_box_ray *r, const float low[3], const float high[3], vp_ray_part p)
{
    for (int k = 0; k < 3; k++)
        p = vp_part_between(r, k, low[k], high[k], p);
    return p;
}

/* ---- hits in one tree, for a query of several trees (reference/terrain/ray.c) ---- */

/* Used as the radius of a ray without a sphere. */
#define VP_RADIUS_OF_RAY (-1.0f)

/* Finds the nearest hit of a ray, or of a sphere along it.
   @param s_most   how far to look along the ray's scaled direction (src/kd/ray_triangle.h), or INFINITY
   @param meeting  unspecified without a hit
   @return VP_NO_HIT as the triangle without a hit and for an invalid ray */
vp_hit vp_kd_nearest(const vp_kd_view *tree, const vp_ray *ray, float radius, float s_most, vp_meeting *meeting);

/* Calls `take` for each hit of a ray, in no order. */
typedef void vp_take_hit_fn(void *user, const vp_hit *hit);
void vp_kd_each_hit(const vp_kd_view *tree, const vp_ray *ray, vp_take_hit_fn *take, void *user);

#endif
