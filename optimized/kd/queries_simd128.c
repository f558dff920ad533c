/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on WebAssembly's 128 bits. The ideas are in optimized/kd/wide.h, optimized/kd/nodes.h and
 * optimized/kd/packet.h. */
#include "optimized/kd/lanes_simd128.h"

#include "optimized/kd/packet_simd128.h"

#define VP_KD_ISA simd128
#include "optimized/kd/versions.h"
