/* SPDX-License-Identifier: MIT */
/* The mesher in plain C. The algorithm of mesher_body.h. */
#include "optimized/simd/plain.h"

#include "optimized/surface/mesher_body.h"
