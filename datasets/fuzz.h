/* SPDX-License-Identifier: MIT */
/* "fuzz-<n>": a small world of odd shape, small meshes of odd triangles, and hostile boxes and rays (NaN, infinite,
 * inverted, huge, outside). Each n and seed gives different data. One stream of random numbers makes, in this order,
 * the world, its boxes, the meshes, their rays and boxes, and the rays for the world's terrain. Other kinds have their
 * own streams. */
#ifndef VP_DATASETS_FUZZ_H
#define VP_DATASETS_FUZZ_H

#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

/* The `fuzz` functions of the kinds for worlds and for the rest of that stream. */
vp_status vp_fuzz_world(const vp_making *from, void **set, vp_error *error);
vp_status vp_fuzz_of_stream(const vp_making *from, void **set, vp_error *error);

/* The rays for the terrain of the world "fuzz-<n>". The store owns them. */
vp_status vp_fuzz_terrain_rays(vp_store *store, const char *name, const vp_ray_set **out, vp_error *error);

#endif
