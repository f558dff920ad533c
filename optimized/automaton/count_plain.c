/* SPDX-License-Identifier: MIT */
/* Count rules in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/automaton/count_body.h"

void vp_count_rule_plain(const vp_count_job *job)
{
    count_rule(job);
}
