/* SPDX-License-Identifier: MIT */
/* The mesher on WebAssembly's 128 bits. The algorithm of mesher_body.h. */
#include "optimized/simd/simd128.h"

#include "optimized/surface/mesher_body.h"
