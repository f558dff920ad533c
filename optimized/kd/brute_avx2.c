/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on AVX2. */
#include "optimized/simd/avx2.h"

#include "optimized/kd/brute_body.h"

vp_hit vp_brute_ray_avx2(const vp_triangle_soa *soup, const vp_ray *ray)
{
    return brute_ray_closest(soup, ray);
}
