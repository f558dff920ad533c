/* SPDX-License-Identifier: MIT */
/* Our decompositions in the form of a peer. */
#ifndef VP_BENCH_DECOMPOSE_OURS_H
#define VP_BENCH_DECOMPOSE_OURS_H

#include <voxphys/decompose.h>

#include "bench/peers/peer.h"

/* The hulls of a decomposition in the judge's form. */
typedef struct vp_hulls_ours {
    vp_peer_answers reported; /* points to the arrays below */
    vp_vec3 *place;
    uint32_t (*triangle)[3], (*first)[2], *owner;
} vp_hulls_ours;

/* @param triangles number of triangles of the mesh
 * @return false on out of memory. Call drop in any case */
bool vp_hulls_ours_make(const vp_decomposition *from, uint32_t triangles, vp_hulls_ours *out);
void vp_hulls_ours_drop(vp_hulls_ours *hulls);

/* Returns a variant of the reference, or NULL after the last one. "voxphys" is the published version. "voxphys-rows-1", "-rows-2" and
 * "-rows-4" take a fixed number of samples per triangle. "voxphys-no-flat" ignores the error of flat hulls. */
const vp_peer *vp_decompose_ours_at(size_t i);

#endif
