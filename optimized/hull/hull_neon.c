/* SPDX-License-Identifier: MIT */
/* Hulls on AArch64's NEON. */
#include "optimized/simd/neon.h"

#include "optimized/hull/hull2_body.h"
#include "optimized/hull/hull_body.h"
#include "optimized/hull/hull_bounds_body.h"
#include "optimized/hull/hull_filter_body.h"

void vp_hull_bounds_neon(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out)
{
    hull_bounds(point, count, out);
}

uint32_t vp_hull_filter_neon(const vp_hull_filtering *filtering)
{
    return hull_filter(filtering);
}

vp_hull3_result vp_hull3_neon(const vp_hull3_job *build)
{
    return hull3(build);
}

vp_hull2_result vp_hull2_neon(const vp_hull2_job *build)
{
    return hull2(build);
}
