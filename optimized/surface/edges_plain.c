/* SPDX-License-Identifier: MIT */
/* Edge flags in plain C. The algorithm of edges_body.h. */
#include "optimized/simd/plain.h"

#include "optimized/surface/edges_body.h"
