/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on AVX-512. The ideas are in world_ray.h, and of trees in kd_wide.h. */
#include "optimized/lanes_avx2.h"

#include "optimized/packet_avx512.h"

#define VP_WORLD_ISA avx512
#include "optimized/world_versions.h"
