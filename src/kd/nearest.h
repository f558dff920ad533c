/* SPDX-License-Identifier: MIT */
/* Hits in one tree, for queries of several trees with one ray (terrain/ray.c). */
#ifndef VP_KD_NEAREST_H
#define VP_KD_NEAREST_H

#include <stdbool.h>

#include "src/kd/ray_triangle.h"

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
