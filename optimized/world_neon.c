/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on NEON. The ideas are in world_ray.h, and of trees in kd_wide.h. */
#include "optimized/lanes_neon.h"

#include "optimized/packet_neon.h"

#define VP_WORLD_ISA neon
#include "optimized/world_versions.h"
