/* SPDX-License-Identifier: MIT */
/* Packets of 8 rays on NEON. The idea is in optimized/kd/packet.h. */
#include "optimized/simd/neon.h"

#define VP_PACKET 8
#include "optimized/kd/packet_sort.h"
