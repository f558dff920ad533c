/* SPDX-License-Identifier: MIT */
/* Bounding spheres of corners. */
#ifndef VP_SPHERETREE_BOUND_H
#define VP_SPHERETREE_BOUND_H

#include <voxphys/kernel/spheretree.h>
#include <voxphys/status.h>

/* Bounds triangles first to first + count - 1, which are valid. count > 0. */
vp_sphere vp_scene_bound_of(const vp_triangles *triangles, uint32_t first, uint32_t count);

/* Whether triangles are valid, see vp_triangles, and not empty. `name` is "the mesh" or similar. */
vp_status vp_scene_check_mesh(const vp_triangles *triangles, vp_error *error);

#endif
