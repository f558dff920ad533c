/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on AVX2. The ideas are in optimized/kd/wide.h and optimized/kd/nodes.h. */
#include "optimized/simd/avx2.h"

#include "optimized/kd/queries_kernels.h"
