/* SPDX-License-Identifier: MIT */
/* Shapes against triangles on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/narrowphase/collide_kernels.h"
