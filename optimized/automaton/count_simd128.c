/* SPDX-License-Identifier: MIT */
/* Count rules on SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/automaton/count_body.h"
