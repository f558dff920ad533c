/* SPDX-License-Identifier: MIT */
/* Results that one tree and a whole terrain share: the faults of invalid queries, and the data of hits. */
#ifndef VP_KD_ANSWERS_H
#define VP_KD_ANSWERS_H

#include <voxphys/kd.h>

#include "src/kd/corners.h"
#include "src/kd/pack.h"

/* Reports the fault of a ray that a kernel has rejected. `name` is its name in the message, "the ray" or "ray
 * 7". @return VP_E_ARGUMENT */
vp_status vp_refuse_ray(const char *name, const vp_ray *ray, vp_error *error);
/* The same for the first invalid one of many. */
vp_status vp_refuse_ray_number(size_t number, const vp_ray *ray, vp_error *error);
/* The same for a sphere's radius, and for a box. */
vp_status vp_refuse_radius(float radius, vp_error *error);
vp_status vp_refuse_box(const vp_aabb *box, vp_error *error);

/* vp_kd_corners. */
static inline void vp_kd_read_corners(const vp_kd_view *tree, uint32_t triangle, vp_vec3 corner[3])
{
    const vp_triangles *t = &tree->triangles;
    if (!vp_kd_keeps_all(tree->form)) {
        uint32_t number[3];
        vp_triangle_corners(t, triangle, number);
        for (int c = 0; c < 3; c++)
            corner[c] = t->vertex[number[c]];
        return;
    }
    const uint32_t id = t->quads ? triangle / 2 : triangle, second = t->quads ? triangle % 2 : 0;
    uint32_t item = 0;
    while (vp_kd_packed_id(tree, item) != id)
        item++;
    for (uint32_t c = 0; c < 3; c++) {
        float at[3];
        vp_kd_packed_corner(tree, item, c == 0 ? 0 : c + second, at);
        corner[c] = (vp_vec3){at[0], at[1], at[2]};
    }
}

/* Unit length, or 0 for a triangle without area. */
vp_vec3 vp_triangle_normal(const vp_vec3 corner[3]);
/* The point of a ray at t. */
vp_vec3 vp_ray_point(const vp_ray *ray, float t);

/* The contact of a sphere with the triangle of its hit. */
vp_sphere_contact vp_contact_with_triangle(const vp_vec3 corner[3], const vp_ray *ray, float radius, float t);

#endif
