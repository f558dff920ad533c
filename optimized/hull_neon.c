/* SPDX-License-Identifier: MIT */
/* Hulls on NEON: the algorithm of hull_body.h on hull_lanes_neon.h. */
#include "optimized/hull_lanes_neon.h"

#include "optimized/hull_body.h"

vp_hull_built vp_hull3_neon(const vp_hull_build *build)
{
    return hull3(build);
}
