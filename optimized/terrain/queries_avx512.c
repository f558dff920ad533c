/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on AVX-512. The ideas are in optimized/terrain/ray.h, and of trees in optimized/kd/wide.h. */
#include "optimized/kd/lanes_avx2.h"

#include "optimized/kd/packet_avx512.h"

#define VP_TERRAIN_ISA avx512
#include "optimized/terrain/versions.h"
