/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction on AVX-512. The idea is in kd/build/build.h. */
#include "optimized/simd/avx512.h"

#include "optimized/kd/build/build.h"
