/* SPDX-License-Identifier: MIT */
/* Overlap tests on AArch64's NEON. */
#include "optimized/simd/neon.h"

#include "optimized/broadphase/overlap_body.h"
