/* SPDX-License-Identifier: MIT */
/* Edge flags on AVX2. The algorithm of edges_body.h. */
#include "optimized/simd/avx2.h"

#include "optimized/surface/edges_body.h"
