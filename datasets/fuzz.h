/* SPDX-License-Identifier: MIT */
/* "fuzz-<n>": a small world of odd shape, small meshes of odd triangles, and hostile boxes and rays (NaN,
 * infinite, inverted, huge, outside), others for each n and seed. One stream of random numbers makes the
 * world, its boxes, the meshes, their rays and boxes, and the rays that the world's terrain is asked, in this
 * order; other kinds have a stream of their own. */
#ifndef VP_DATASETS_FUZZ_H
#define VP_DATASETS_FUZZ_H

#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

/* The kinds' `fuzz`: of worlds, and of what that stream makes. */
vp_status vp_fuzz_world(const vp_making *from, void **set, vp_error *error);
vp_status vp_fuzz_of_stream(const vp_making *from, void **set, vp_error *error);

/* The rays that the terrain of the world "fuzz-<n>" is asked. They belong to the store. */
vp_status vp_fuzz_terrain_rays(vp_store *store, const char *name, const vp_ray_set **out, vp_error *error);

#endif
