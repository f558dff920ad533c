/* SPDX-License-Identifier: MIT */
/* Hulls on AArch64's NEON. */
#include "optimized/simd/neon.h"

#include "optimized/hull/hull_kernels.h"
