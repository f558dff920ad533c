/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction on WebAssembly's 128 bits. The idea is in kd/build/build.h. */
#include "optimized/simd/simd128.h"

#include "optimized/kd/build/build.h"

vp_kd_build_result vp_kd_build_simd128(const vp_kd_build_job *build)
{
    return build_tree(build);
}
