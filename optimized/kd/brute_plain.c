/* SPDX-License-Identifier: MIT */
/* A ray against every triangle in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/kd/brute_body.h"

vp_hit vp_brute_ray_plain(const vp_triangle_soa *soup, const vp_ray *ray)
{
    return brute_ray_closest(soup, ray);
}
