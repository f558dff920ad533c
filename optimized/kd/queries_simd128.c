/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on WebAssembly's 128 bits. The ideas are in optimized/kd/wide.h and optimized/kd/nodes.h. */
#include "optimized/simd/simd128.h"

#include "optimized/kd/queries_kernels.h"
