/* SPDX-License-Identifier: MIT */
/* The shapes of the narrowphase cases, about a voxel across at scale 1. Their sizes are small fractions, so that they can touch exactly. */
#ifndef VP_COLLIDE_SHAPES_H
#define VP_COLLIDE_SHAPES_H

#include <voxphys/narrowphase.h>

#include "datasets/pose_sets.h"

/* A kind of shape, with the number of vertices for hulls. */
typedef enum vp_body_kind {
    VP_BODY_SPHERE,
    VP_BODY_CAPSULE,
    VP_BODY_BOX,
    VP_BODY_CYLINDER,
    VP_BODY_HULL16,
    VP_BODY_HULL64,
    VP_BODIES,
    VP_BODY_TABLE = VP_BODIES, /* compounds, see parts.h */
    VP_BODY_ANCHOR
} vp_body_kind;

/* "hull16". */
const char *vp_body_name(vp_body_kind body);

/* A shape at a scale. Only hulls have a `solid`, to be destroyed. It is zero otherwise. */
typedef struct vp_body_shape {
    vp_collide_shape shape;
    vp_collide_owned_hull solid;
} vp_body_shape;

/* Makes a shape. A hull has its points on a sphere, with the three lowest at one height, so that it has a face across y. The shape
 * points into *out. */
vp_status vp_body_shape_create(vp_body_kind body, float scale, const vp_allocator *allocator, vp_body_shape *out, vp_error *error);
void vp_body_shape_destroy(vp_body_shape *shape);

/* The shape's pose at a place: rotated, and moved along the normal until its gap from the point is right. */
vp_pose vp_pose_of(const vp_collide_shape *shape, const vp_pose_place *place);

/* Defines one case of a family for each shape. The file's make() gets the shape. Further members follow its name. */
#define VP_CASE_OF_BODY(family, name, body, ...)                                                                                           \
    static vp_status make_##name(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)                      \
    {                                                                                                                                      \
        return make(body, data, arena, out, error);                                                                                        \
    }                                                                                                                                      \
    const vp_case vp_case_##family##_##name = {.make = make_##name, __VA_ARGS__}
#define VP_CASES_OF_BODIES(family, ...)                                                                                                    \
    VP_CASE_OF_BODY(family, sphere, VP_BODY_SPHERE, __VA_ARGS__);                                                                          \
    VP_CASE_OF_BODY(family, capsule, VP_BODY_CAPSULE, __VA_ARGS__);                                                                        \
    VP_CASE_OF_BODY(family, box, VP_BODY_BOX, __VA_ARGS__);                                                                                \
    VP_CASE_OF_BODY(family, cylinder, VP_BODY_CYLINDER, __VA_ARGS__);                                                                      \
    VP_CASE_OF_BODY(family, hull16, VP_BODY_HULL16, __VA_ARGS__);                                                                          \
    VP_CASE_OF_BODY(family, hull64, VP_BODY_HULL64, __VA_ARGS__)

#endif
