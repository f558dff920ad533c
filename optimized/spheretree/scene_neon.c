/* SPDX-License-Identifier: MIT */
/* Queries of the wide sphere tree on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/spheretree/scene_body.h"
