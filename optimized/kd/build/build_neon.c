/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction on NEON. The idea is in kd/build/build.h. */
#include "optimized/simd/neon.h"

#include "optimized/kd/build/build.h"
