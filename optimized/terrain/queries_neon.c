/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on NEON. The ideas are in optimized/terrain/ray.h, and of trees in optimized/kd/wide.h. */
#include "optimized/kd/lanes_neon.h"

#include "optimized/kd/packet_neon.h"

#define VP_TERRAIN_ISA neon
#include "optimized/terrain/versions.h"
