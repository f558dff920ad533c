/* SPDX-License-Identifier: MIT */
/* Overlap tests on WebAssembly's 128 bits. */
#include "optimized/simd/simd128.h"

#include "optimized/broadphase/overlap_body.h"
