/* SPDX-License-Identifier: MIT */
/* Count rules on SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/automaton/count_body.h"

void vp_count_rule_simd128(const vp_count_job *job)
{
    count_rule(job);
}
