/* SPDX-License-Identifier: MIT */
/* Hulls on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/hull/hull_kernels.h"
