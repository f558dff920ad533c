/* SPDX-License-Identifier: MIT */
/* Count rules on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/automaton/count_body.h"
