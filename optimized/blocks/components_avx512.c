/* SPDX-License-Identifier: MIT */
/* Connected components on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/blocks/components_body.h"

uint32_t vp_components_avx512(const vp_components_job *job)
{
    return label_components(job);
}
