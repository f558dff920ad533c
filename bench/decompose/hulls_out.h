/* SPDX-License-Identifier: MIT */
/* A library's hulls in a file, as `voxphys decompose` writes ours. */
#ifndef VP_BENCH_DECOMPOSE_HULLS_OUT_H
#define VP_BENCH_DECOMPOSE_HULLS_OUT_H

#include "bench/peers/peer.h"

/* Decomposes what a name means, a mesh's file or a solid of the data sets ("solid-gear"), and writes the hulls to a file: .obj, .glb or
   .json. What was made is told on stdout, what went wrong on stderr.
   @param peer  of decompose, in a process of its own; a minute of the processor
   @return the exit code */
int vp_peer_write_hulls(const vp_peer *peer, const char *name, const char *out);

#endif
