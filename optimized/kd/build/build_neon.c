/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction on NEON. The idea is in kd/build/build.h. */
#include "optimized/simd/neon.h"

#include "optimized/kd/build/build.h"

vp_kd_build_result vp_kd_build_neon(const vp_kd_build_job *build)
{
    return build_tree(build);
}
