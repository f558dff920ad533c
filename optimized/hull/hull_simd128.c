/* SPDX-License-Identifier: MIT */
/* Hulls on WebAssembly's 128 bits. */
#include "optimized/simd/simd128.h"

#include "optimized/hull/hull_kernels.h"
