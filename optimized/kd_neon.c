/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on NEON. The ideas are in kd_wide.h, kd_nodes.h and
 * kd_packet.h. */
#include "optimized/lanes_neon.h"

#include "optimized/packet_neon.h"

#define VP_KD_ISA neon
#include "optimized/kd_versions.h"
