/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction on AVX2. The idea is in kd/build/build.h. */
#include "optimized/simd/avx2.h"

#include "optimized/kd/build/build.h"
