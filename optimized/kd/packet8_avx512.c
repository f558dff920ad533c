/* SPDX-License-Identifier: MIT */
/* Packets of 8 rays on AVX-512. The idea is in optimized/kd/packet.h. */
#include "optimized/simd/avx512.h"

#define VP_PACKET 8
#include "optimized/kd/packet_sort.h"
