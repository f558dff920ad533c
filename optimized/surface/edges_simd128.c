/* SPDX-License-Identifier: MIT */
/* Edge flags on WebAssembly's 128 bits. The algorithm of edges_body.h. */
#include "optimized/simd/simd128.h"

#include "optimized/surface/edges_body.h"
