/* SPDX-License-Identifier: MIT */
/* Queries of the wide sphere tree on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/spheretree/scene_body.h"
