/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on WebAssembly's 128 bits. The ideas are in optimized/terrain/ray.h, and of trees in optimized/kd/wide.h. */
#include "optimized/kd/lanes_simd128.h"

#include "optimized/kd/packet_simd128.h"

#define VP_TERRAIN_ISA simd128
#include "optimized/terrain/versions.h"
