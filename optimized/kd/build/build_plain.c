/* SPDX-License-Identifier: MIT */
/* The loose kD tree's construction in plain C. The idea is in kd/build/build.h. */
#include "optimized/simd/plain.h"

#include "optimized/kd/build/build.h"

vp_kd_build_result vp_kd_build_plain(const vp_kd_build_job *build)
{
    return build_tree(build);
}
