/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on WebAssembly's 128 bits. */
#include "optimized/simd/simd128.h"

#include "optimized/kd/brute_body.h"

vp_hit vp_brute_ray_simd128(const vp_triangle_soa *soup, const vp_ray *ray)
{
    return brute_ray_closest(soup, ray);
}
