/* SPDX-License-Identifier: MIT */
/* Connected components on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/blocks/components_body.h"

uint32_t vp_components_neon(const vp_components_job *job)
{
    return label_components(job);
}
