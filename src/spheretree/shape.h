/* SPDX-License-Identifier: MIT */
/* Rounded boxes and half-spaces in queries of the sphere tree, and sweeps of rounded boxes. */
#ifndef VP_SPHERETREE_SHAPE_H
#define VP_SPHERETREE_SHAPE_H

#include <voxphys/spheretree.h>

#include "src/core/real3.h"
#include "src/spheretree/ray_sphere.h"

/* A query with a sphere, a box or a triangle. */
typedef struct vp_touch_query {
    bool (*is_near)(const struct vp_touch_query *by, const vp_sphere *bound);
    bool (*is_touching)(const struct vp_touch_query *by, const vp_sphere *sphere);
    bool (*is_touching_triangle)(const struct vp_touch_query *by, const vp_vec3 corner[3]);
    const vp_sphere *sphere;
    const vp_vec3 *corner;
    vp_aabb box; /* the triangle's box, too */
} vp_touch_query;

/* A shape that is queried by scene_box with the shape's box, or by scene_ray along its way. */
typedef struct vp_scene_shape {
    vp_touch_query touch;          /* first, because its functions get a pointer to it */
    vp_real3 centre, axis[3];      /* of unit length and perpendicular */
    double half[3], radius, reach; /* reach: of the sphere around all */
    const vp_spheretree_plane *plane;
    uint32_t planes;
} vp_scene_shape;

static inline const vp_scene_shape *vp_scene_shape_of(const vp_spheretree_query *query)
{
    return query == NULL ? NULL : query->shape;
}

/* Where a moving shape meets a sphere or a triangle, see src/spheretree/shape.c. */
bool vp_shape_meets_sphere(const vp_scene_shape *shape, const vp_ray_frame *ray, const vp_sphere *sphere, vp_meeting *out);
bool vp_shape_meets_triangle(const vp_scene_shape *shape, const vp_ray_frame *ray, const vp_vec3 corner[3], vp_meeting *out);

/* Converts a shape, which is checked. */
vp_status vp_scene_shape_make(const vp_spheretree_shape *shape, vp_scene_shape *out, vp_error *error);
/* A box around a shape, rounded outwards. */
vp_aabb vp_scene_shape_box(const vp_scene_shape *shape);
/* Half-spaces, which are checked. They stay the caller's. */
vp_status vp_scene_shape_make_frustum(const vp_spheretree_plane *plane, uint32_t planes, vp_scene_shape *out, vp_error *error);

#endif
