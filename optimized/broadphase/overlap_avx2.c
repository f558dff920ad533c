/* SPDX-License-Identifier: MIT */
/* Overlap tests on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/broadphase/overlap_body.h"
