/* SPDX-License-Identifier: MIT */
/* The concavity of a hull on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/decompose/concavity_body.h"

vp_concavity_result vp_concavity_avx2(const vp_concavity_job *job)
{
    return concavity(job);
}
