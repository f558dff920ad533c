/* SPDX-License-Identifier: MIT */
/* Count rules on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/automaton/count_body.h"

void vp_count_rule_neon(const vp_count_job *job)
{
    count_rule(job);
}
