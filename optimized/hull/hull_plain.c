/* SPDX-License-Identifier: MIT */
/* Hulls on plain C. */
#include "optimized/simd/plain.h"

#include "optimized/hull/hull_kernels.h"
