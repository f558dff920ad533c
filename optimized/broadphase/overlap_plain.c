/* SPDX-License-Identifier: MIT */
/* Overlap tests in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/broadphase/overlap_body.h"
