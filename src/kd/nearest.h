/* SPDX-License-Identifier: MIT */
/* Hits in one tree, for who asks several trees about one ray (terrain/ray.c). */
#ifndef VP_KD_NEAREST_H
#define VP_KD_NEAREST_H

#include <stdbool.h>

#include <voxphys/kernel/kd.h>

/* In the place of a radius: no sphere, a ray. */
#define VP_RADIUS_OF_RAY (-1.0f)

/* The nearest hit of a ray, or of a sphere along it, that is not behind *s, a parameter along the ray's scaled
   direction (src/kd/ray_triangle.h).
   @param s  in: how far to look, or INFINITY; out: of the hit; as it was if there is none
   @return whether there is one; false of an invalid ray */
bool vp_kd_nearest(const vp_kd_view *tree, const vp_ray *ray, float radius, float *s, vp_hit *hit);

/* Tells each hit of a ray, in no order. */
typedef void vp_take_hit_fn(void *user, const vp_hit *hit);
void vp_kd_each_hit(const vp_kd_view *tree, const vp_ray *ray, vp_take_hit_fn *take, void *user);

#endif
