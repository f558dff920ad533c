/* SPDX-License-Identifier: MIT */
/* Hulls on AVX2: the algorithm of hull_body.h on hull_lanes_avx2.h. */
#include "optimized/hull_lanes_avx2.h"

#include "optimized/hull_body.h"

vp_hull_built vp_hull3_avx2(const vp_hull_build *build)
{
    return hull3(build);
}
