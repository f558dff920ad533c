/* SPDX-License-Identifier: MIT */
/* The meshes, rays and boxes of "fuzz-<n>". See fuzz.h. */
#ifndef VP_DATASETS_FUZZ_MESHES_H
#define VP_DATASETS_FUZZ_MESHES_H

#include "datasets/mesh_sets.h"
#include "datasets/random.h"

/* Makes a few random meshes, with rays and boxes for them, from the next numbers of a stream. On failure the caller
 * also owns the data made so far. */
vp_status vp_random_meshes(vp_random *r, vp_mesh_set *meshes, vp_ray_set *rays, vp_mesh_box_set *boxes, vp_error *error);

#endif
