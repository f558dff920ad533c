/* SPDX-License-Identifier: MIT */
/* The concavity of a hull in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/decompose/concavity_body.h"

vp_concavity_result vp_concavity_plain(const vp_concavity_job *job)
{
    return concavity(job);
}
