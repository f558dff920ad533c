/* SPDX-License-Identifier: MIT */
/* The mesher on AVX-512. The algorithm of mesher_body.h. */
#include "optimized/simd/avx512.h"

#include "optimized/surface/mesher_body.h"
