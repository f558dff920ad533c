/* SPDX-License-Identifier: MIT */
/* Connected components on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/blocks/components_body.h"

uint32_t vp_components_avx2(const vp_components_job *job)
{
    return label_components(job);
}
