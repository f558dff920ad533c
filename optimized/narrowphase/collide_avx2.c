/* SPDX-License-Identifier: MIT */
/* Shapes against triangles on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/narrowphase/collide_kernels.h"
