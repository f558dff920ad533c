/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on AVX-512. The ideas are in optimized/terrain/ray.h, and those of trees in optimized/kd/wide.h. */
#include "optimized/simd/avx512.h"

#include "optimized/terrain/packet.h"
