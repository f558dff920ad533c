/* SPDX-License-Identifier: MIT */
/* Packets of 8 rays in plain C. The idea is in optimized/kd/packet.h. */
#include "optimized/simd/plain.h"

#define VP_PACKET 8
#include "optimized/kd/packet_sort.h"
