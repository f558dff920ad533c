/* SPDX-License-Identifier: MIT */
/* The concavity of a hull on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/decompose/concavity_body.h"

vp_concavity_result vp_concavity_avx512(const vp_concavity_job *job)
{
    return concavity(job);
}
