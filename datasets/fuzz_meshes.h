/* SPDX-License-Identifier: MIT */
/* The meshes, rays and boxes of "fuzz-<n>": see fuzz.h. */
#ifndef VP_DATASETS_FUZZ_MESHES_H
#define VP_DATASETS_FUZZ_MESHES_H

#include "datasets/mesh_sets.h"
#include "datasets/random.h"

/* A few random meshes, and rays and boxes for them: the next of a stream. What was made before a failure is
 * the caller's too. */
vp_status vp_random_meshes(vp_random *r, vp_mesh_set *meshes, vp_ray_set *rays, vp_mesh_box_set *boxes, vp_error *error);

#endif
