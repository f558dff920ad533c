/* SPDX-License-Identifier: MIT */
/* Shapes against triangles on WebAssembly's SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/narrowphase/collide_kernels.h"
