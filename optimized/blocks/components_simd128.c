/* SPDX-License-Identifier: MIT */
/* Connected components on WebAssembly SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/blocks/components_body.h"

uint32_t vp_components_simd128(const vp_components_job *job)
{
    return label_components(job);
}
