/* SPDX-License-Identifier: MIT */
/* Packets of 16 rays on AVX2. The idea is in optimized/kd/packet.h. */
#include "optimized/simd/avx2.h"

#define VP_PACKET 16
#include "optimized/kd/packet_sort.h"
