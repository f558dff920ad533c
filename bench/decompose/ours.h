/* SPDX-License-Identifier: MIT */
/* Our decompositions, as if they were another library's. */
#ifndef VP_BENCH_DECOMPOSE_OURS_H
#define VP_BENCH_DECOMPOSE_OURS_H

#include <voxphys/decompose.h>

#include "bench/peers/peer.h"

/* A decomposition's hulls, as the judge has them. */
typedef struct vp_hulls_ours {
    vp_peer_answers reported; /* of the arrays below */
    vp_vec3 *place;
    uint32_t (*triangle)[3], (*first)[2], *owner;
} vp_hulls_ours;

/* @param triangles  of the mesh. False without memory; drop it in any case */
bool vp_hulls_ours_make(const vp_decomposition *from, uint32_t triangles, vp_hulls_ours *out);
void vp_hulls_ours_drop(vp_hulls_ours *hulls);

/* The reference, as published ("voxphys"), with a number of samples that triangles of any size have ("voxphys-rows-1", "-rows-2",
 * "-rows-4"), and without the error of flat hulls ("voxphys-no-flat"). NULL: there is no more. */
const vp_peer *vp_decompose_ours_at(size_t i);

#endif
