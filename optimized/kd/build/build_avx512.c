/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction on AVX-512. The idea is in kd/build/build.h. */
#include "optimized/simd/avx512.h"

#include "optimized/kd/build/build.h"

vp_kd_build_result vp_kd_build_avx512(const vp_kd_build_job *build)
{
    return build_tree(build);
}
