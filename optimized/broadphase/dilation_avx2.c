/* SPDX-License-Identifier: MIT */
/* Dilation on AVX2. The algorithms of dilation_pass.h and dilation_rows10.h. */
#include "optimized/simd/avx2.h"

#include "optimized/broadphase/dilation_kernels.h"
