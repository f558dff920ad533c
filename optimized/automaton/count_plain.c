/* SPDX-License-Identifier: MIT */
/* Count rules in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/automaton/count_body.h"
