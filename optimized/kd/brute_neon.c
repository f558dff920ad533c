/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/kd/brute_body.h"

vp_hit vp_brute_ray_neon(const vp_triangle_soa *soup, const vp_ray *ray)
{
    return brute_ray_closest(soup, ray);
}
