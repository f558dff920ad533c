/* SPDX-License-Identifier: MIT */
/* Edge flags on AVX-512. The algorithm of edges_body.h. */
#include "optimized/simd/avx512.h"

#include "optimized/surface/edges_body.h"
