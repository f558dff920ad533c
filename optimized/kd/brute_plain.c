/* SPDX-License-Identifier: MIT */
/* A ray against every triangle in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/kd/brute_body.h"
