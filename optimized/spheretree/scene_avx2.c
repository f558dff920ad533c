/* SPDX-License-Identifier: MIT */
/* Queries of the wide sphere tree on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/spheretree/scene_body.h"
