/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on AVX512. The ideas are in optimized/kd/wide.h, optimized/kd/nodes.h and
 * optimized/kd/packet.h. */
#include "optimized/kd/lanes_avx2.h"

#include "optimized/kd/packet_avx512.h"

#define VP_KD_ISA avx512
#include "optimized/kd/versions.h"
