/* SPDX-License-Identifier: MIT */
#ifndef VP_BENCH_TREE_PEERS_H
#define VP_BENCH_TREE_PEERS_H

#include "bench/suite.h"

/* Registers the trees of other libraries that this build has: kd_build/peer-name/meshes, kd_ray/peer-name/meshes/rays and the
   like. */
void vp_suite_add_tree_peers(vp_suite *suite);

#endif
