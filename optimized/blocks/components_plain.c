/* SPDX-License-Identifier: MIT */
/* Connected components in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/blocks/components_body.h"

uint32_t vp_components_plain(const vp_components_job *job)
{
    return label_components(job);
}
