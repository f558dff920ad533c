/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on WebAssembly's 128 bits. The ideas are in world_ray.h, and of trees in kd_wide.h. */
#include "optimized/lanes_simd128.h"

#include "optimized/packet_simd128.h"

#define VP_WORLD_ISA simd128
#include "optimized/world_versions.h"
