/* SPDX-License-Identifier: MIT */
/* What one tree and a whole terrain say alike: of questions that cannot be asked, what is wrong with them, and of hits, what is
 * there. */
#ifndef VP_REFERENCE_KD_ANSWERS_H
#define VP_REFERENCE_KD_ANSWERS_H

#include <voxphys/kd.h>

/* What is wrong with a ray that a kernel has refused. `name` is what it is called: "the ray", "ray 7". @return VP_E_ARGUMENT */
vp_status vp_refuse_ray(const char *name, const vp_ray *ray, vp_error *error);
/* The same of the first invalid one of many. */
vp_status vp_refuse_ray_number(size_t number, const vp_ray *ray, vp_error *error);
/* Of a sphere's radius, and of a box. */
vp_status vp_refuse_radius(float radius, vp_error *error);
vp_status vp_refuse_box(const vp_aabb *box, vp_error *error);

/* Point and normal of a hit at t; material 0. */
vp_surface_point vp_point_on_triangle(const vp_vec3 corner[3], const vp_ray *ray, float t);

#endif
