/* SPDX-License-Identifier: MIT */
/* Directions and places of a cylinder against vertices and edges. All vectors are in the cylinder's frame. */
#ifndef VP_BODIES_SHAPE_CYLINDER_H
#define VP_BODIES_SHAPE_CYLINDER_H

#include "src/bodies/shape_pair.h"

/* Shape a of a pair. */
typedef struct vp_cylinder {
    vp_shape_pair *pair;
    double radius, half, nothing;
} vp_cylinder;

vp_cylinder vp_cylinder_of(vp_shape_pair *pair);
void vp_cylinder_try(const vp_cylinder *c, vp_real3 u);
void vp_cylinder_try_vertex(const vp_cylinder *c, vp_real3 p);
/* Tries the directions of an edge of shape b, along a unit vector, with both rims and the side. */
void vp_cylinder_try_edge(const vp_cylinder *c, vp_real3 corner, vp_real3 along);

/* The nearest places so far of the cylinder and of shape b, which is moved by s u. A later pair replaces them only if
 * it is nearer by more than roundings. */
typedef struct vp_cylinder_touch {
    const vp_cylinder *cylinder;
    vp_real3 u;
    double nearest;
} vp_cylinder_touch;

vp_cylinder_touch vp_cylinder_touch_begin(const vp_cylinder *c);
/* Compares a place `on` of the cylinder and a place q of shape b. */
void vp_cylinder_compare(vp_cylinder_touch *t, vp_real3 on, uint32_t feature, vp_real3 q, uint32_t feature_b);
/* Compares a place q of shape b and the cylinder's nearest place. */
void vp_cylinder_touch_at(vp_cylinder_touch *t, vp_real3 q, uint32_t feature_b);
/* Compares places of an edge of shape b: where it is nearest to the axis, and where it meets the side and the planes of
 * the caps. Without its ends. */
void vp_cylinder_touch_edge(vp_cylinder_touch *t, vp_real3 from, vp_real3 to, uint32_t feature_b);
/* The centre of the cap that faces shape b, and the places of both rims that lie farthest towards it. */
void vp_cylinder_rim_places(const vp_cylinder_touch *t, vp_real3 place[3], uint32_t feature[3]);

#endif
