/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on AVX2. The ideas are in optimized/kd/wide.h, optimized/kd/nodes.h and
 * optimized/kd/packet.h. */
#include "optimized/kd/lanes_avx2.h"

#include "optimized/kd/packet_avx2.h"

#define VP_KD_ISA avx2
#include "optimized/kd/versions.h"
