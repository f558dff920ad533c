/* SPDX-License-Identifier: MIT */
/* Overlap tests on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/broadphase/overlap_body.h"
