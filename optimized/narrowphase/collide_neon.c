/* SPDX-License-Identifier: MIT */
/* Shapes against triangles on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/narrowphase/collide_kernels.h"
