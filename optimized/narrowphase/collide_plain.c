/* SPDX-License-Identifier: MIT */
/* Shapes against triangles on plain C. */
#include "optimized/simd/plain.h"

#include "optimized/narrowphase/collide_kernels.h"
