/* SPDX-License-Identifier: MIT */
/* Hulls on AVX-512: the algorithm of hull_body.h on hull_lanes_avx512.h. */
#include "optimized/hull_lanes_avx512.h"

#include "optimized/hull_body.h"

vp_hull_built vp_hull3_avx512(const vp_hull_build *build)
{
    return hull3(build);
}
