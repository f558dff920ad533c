/* SPDX-License-Identifier: MIT */
/* The libraries that are built in, and triangles in the form that they are given. */
#ifndef VP_BENCH_TREE_MESHES_H
#define VP_BENCH_TREE_MESHES_H

#include <voxphys/status.h>

#include "bench/peers/tree_peer.h"

/* Behind the last one NULL. */
extern const vp_tree_peer *const vp_tree_peers[];

/* @param name  of the set, for a message
   @return VP_E_MEMORY, and nothing to destroy */
vp_status vp_tree_meshes_create(const vp_mesh_set *set, const char *name, vp_tree_meshes *out, vp_error *error);
void vp_tree_meshes_destroy(vp_tree_meshes *meshes); /* those that are all zero are left alone */

#endif
