/* SPDX-License-Identifier: MIT */
/* The mesher on AVX2. The algorithm of mesher_body.h. */
#include "optimized/simd/avx2.h"

#include "optimized/surface/mesher_body.h"
