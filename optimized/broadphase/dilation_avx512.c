/* SPDX-License-Identifier: MIT */
/* Dilation on AVX-512 (F, BW, DQ, VL). The algorithms of dilation_pass.h and dilation_rows10.h. */
#include "optimized/simd/avx512.h"

#include "optimized/broadphase/dilation_kernels.h"
