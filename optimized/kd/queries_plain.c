/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree in plain C. The ideas are in optimized/kd/wide.h and optimized/kd/nodes.h. */
#include "optimized/simd/plain.h"

#include "optimized/kd/queries_kernels.h"
