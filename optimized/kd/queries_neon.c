/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on NEON. The ideas are in optimized/kd/wide.h, optimized/kd/nodes.h and
 * optimized/kd/packet.h. */
#include "optimized/kd/lanes_neon.h"

#include "optimized/kd/packet_neon.h"

#define VP_KD_ISA neon
#include "optimized/kd/versions.h"
