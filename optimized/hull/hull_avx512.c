/* SPDX-License-Identifier: MIT */
/* Hulls on AVX-512. */
#include "optimized/hull/deal_avx512.h"
#include "optimized/simd/avx512.h"

#include "optimized/hull/hull_kernels.h"
