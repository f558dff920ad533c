/* SPDX-License-Identifier: MIT */
/* Count rules on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/automaton/count_body.h"
