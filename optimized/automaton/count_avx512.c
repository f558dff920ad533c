/* SPDX-License-Identifier: MIT */
/* Count rules on AVX-512 (F, BW, DQ, VL). */
#include "optimized/simd/avx512.h"

#include "optimized/automaton/count_body.h"

void vp_count_rule_avx512(const vp_count_job *job)
{
    count_rule(job);
}
