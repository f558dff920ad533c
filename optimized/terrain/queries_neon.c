/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on NEON. The ideas are in optimized/terrain/ray.h, and those of trees in optimized/kd/wide.h. */
#include "optimized/simd/neon.h"

#include "optimized/terrain/packet.h"
