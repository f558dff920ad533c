/* SPDX-License-Identifier: MIT */
/* Rounded boxes and half-spaces in queries of the sphere tree, and sweeps of rounded boxes. */
#ifndef VP_SPHERETREE_SHAPE_H
#define VP_SPHERETREE_SHAPE_H

#include "src/spheretree/leaf.h"

/* Converts a shape, which is checked. */
vp_status vp_scene_shape_make(const vp_spheretree_shape *shape, vp_scene_shape *out, vp_error *error);
/* A box around a shape, rounded outwards. */
vp_aabb vp_scene_shape_box(const vp_scene_shape *shape);
/* Half-spaces, which are checked. They stay the caller's. */
vp_status vp_scene_shape_make_frustum(const vp_spheretree_plane *plane, uint32_t planes, vp_scene_shape *out, vp_error *error);

#endif
