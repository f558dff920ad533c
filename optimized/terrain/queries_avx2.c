/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on AVX2. The ideas are in optimized/terrain/ray.h, and of trees in optimized/kd/wide.h. */
#include "optimized/kd/lanes_avx2.h"

#include "optimized/kd/packet_avx2.h"

#define VP_TERRAIN_ISA avx2
#include "optimized/terrain/versions.h"
