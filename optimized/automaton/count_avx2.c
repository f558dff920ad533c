/* SPDX-License-Identifier: MIT */
/* Count rules on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/automaton/count_body.h"

void vp_count_rule_avx2(const vp_count_job *job)
{
    count_rule(job);
}
