/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/kd/brute_body.h"
