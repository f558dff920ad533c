/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on WebAssembly's 128 bits. The ideas are in kd_wide.h, kd_nodes.h and
 * kd_packet.h. */
#include "optimized/lanes_simd128.h"

#include "optimized/packet_simd128.h"

#define VP_KD_ISA simd128
#include "optimized/kd_versions.h"
