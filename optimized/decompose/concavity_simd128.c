/* SPDX-License-Identifier: MIT */
/* The concavity of a hull on WebAssembly SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/decompose/concavity_body.h"

vp_concavity_result vp_concavity_simd128(const vp_concavity_job *job)
{
    return concavity(job);
}
