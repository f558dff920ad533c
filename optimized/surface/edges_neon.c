/* SPDX-License-Identifier: MIT */
/* Edge flags on NEON. The algorithm of edges_body.h. */
#include "optimized/simd/neon.h"

#include "optimized/surface/edges_body.h"
