/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on NEON. The ideas are in optimized/kd/wide.h and optimized/kd/nodes.h. */
#include "optimized/simd/neon.h"

#include "optimized/kd/queries_kernels.h"
