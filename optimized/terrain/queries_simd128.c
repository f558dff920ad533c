/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on WebAssembly's 128 bits. The ideas are in optimized/terrain/ray.h, and those of trees in
 * optimized/kd/wide.h. */
#include "optimized/simd/simd128.h"

#include "optimized/terrain/packet.h"
