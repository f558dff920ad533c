/* SPDX-License-Identifier: MIT */
/* Writes a library's hulls to a file, like `voxphys decompose`. */
#ifndef VP_BENCH_DECOMPOSE_HULLS_OUT_H
#define VP_BENCH_DECOMPOSE_HULLS_OUT_H

#include "bench/peers/peer.h"

/* Decomposes a mesh file or a solid of the data sets ("solid-gear") and writes the hulls to a .obj, .glb or .json file. Prints a summary
 * on stdout and errors on stderr.
 * @param peer of decompose. It runs in its own process, with a limit of one minute of processor time
 * @return the exit code */
int vp_peer_write_hulls(const vp_peer *peer, const char *name, const char *out);

#endif
