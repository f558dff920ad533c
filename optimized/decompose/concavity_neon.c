/* SPDX-License-Identifier: MIT */
/* The concavity of a hull on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/decompose/concavity_body.h"

vp_concavity_result vp_concavity_neon(const vp_concavity_job *job)
{
    return concavity(job);
}
