/* SPDX-License-Identifier: MIT */
/* Packets of 8 rays on WebAssembly's 128 bits. The idea is in optimized/kd/packet.h. */
#include "optimized/simd/simd128.h"

#define VP_PACKET 8
#include "optimized/kd/packet_sort.h"
