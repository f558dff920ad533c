/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on AVX512. The ideas are in kd_wide.h, kd_nodes.h and
 * kd_packet.h. */
#include "optimized/lanes_avx2.h"

#include "optimized/packet_avx512.h"

#define VP_KD_ISA avx512
#include "optimized/kd_versions.h"
