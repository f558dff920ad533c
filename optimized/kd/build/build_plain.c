/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction in plain C. The idea is in kd/build/build.h. */
#include "optimized/simd/plain.h"

#include "optimized/kd/build/build.h"
