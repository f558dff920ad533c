/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/kd/brute_body.h"
