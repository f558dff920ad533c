/* SPDX-License-Identifier: MIT */
/* The mesher on NEON. The algorithm of mesher_body.h. */
#include "optimized/simd/neon.h"

#include "optimized/surface/mesher_body.h"
