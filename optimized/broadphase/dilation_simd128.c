/* SPDX-License-Identifier: MIT */
/* Dilation on WebAssembly's 128 bits. The algorithms of dilation_pass.h and dilation_rows10.h. */
#include "optimized/simd/simd128.h"

#include "optimized/broadphase/dilation_kernels.h"
