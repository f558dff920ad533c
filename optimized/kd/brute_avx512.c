/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/kd/brute_body.h"

vp_hit vp_brute_ray_avx512(const vp_triangle_soa *soup, const vp_ray *ray)
{
    return brute_ray_closest(soup, ray);
}
