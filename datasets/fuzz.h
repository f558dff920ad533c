/* SPDX-License-Identifier: MIT */
/* "fuzz-<n>": a small world of odd shape, small meshes of odd triangles, and hostile boxes and rays (NaN,
 * infinite, inverted, huge, outside), others for each n and seed. One stream of random numbers makes the
 * world, its boxes, the meshes, their rays and boxes, and the rays that the world's terrain is asked, in this
 * order; other kinds have a stream of their own. */
#ifndef VP_DATASETS_FUZZ_H
#define VP_DATASETS_FUZZ_H

#include <stdbool.h>

#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"
#include "datasets/point_sets.h"
#include "datasets/random.h"

/* "fuzz-12" -> 12; errno is ERANGE if it is beyond 64 bits. */
bool vp_is_fuzz(const char *name, uint64_t *number);

/* The kinds' `fuzz`. */
vp_status vp_fuzz_world(const vp_making *from, void **set, vp_error *error);
vp_status vp_fuzz_boxes(const vp_making *from, void **set, vp_error *error);
vp_status vp_fuzz_meshes(const vp_making *from, void **set, vp_error *error);
vp_status vp_fuzz_rays(const vp_making *from, void **set, vp_error *error);
vp_status vp_fuzz_mesh_boxes(const vp_making *from, void **set, vp_error *error);
vp_status vp_fuzz_points(const vp_making *from, void **set, vp_error *error);

/* The rays that the terrain of the world "fuzz-<n>" is asked. They belong to the store. */
vp_status vp_fuzz_terrain_rays(vp_store *store, const char *name, const vp_ray_set **out, vp_error *error);

/* A few random meshes, and rays and boxes for them: the next of a stream. What was made before a failure is
 * the caller's too. */
vp_status vp_random_meshes(vp_random *r, vp_mesh_set *meshes, vp_ray_set *rays, vp_mesh_box_set *boxes,
                           vp_error *error);
/* Small sets that are as degenerate as they can be: on lattices, in planes and on lines, in few places, with
   the last bits shaken, of all scales. VP_E_MEMORY. */
vp_status vp_random_points(vp_random *r, vp_point_sets *out, vp_error *error);

#endif
