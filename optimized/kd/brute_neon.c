/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/kd/brute_body.h"
