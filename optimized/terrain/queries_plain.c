/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain in plain C. The ideas are in optimized/terrain/ray.h, and those of trees in optimized/kd/wide.h. */
#include "optimized/simd/plain.h"

#include "optimized/terrain/packet.h"
