/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on AVX2, eight at once. The idea is in brute_body.h. */
#include "optimized/kd/lanes_avx2.h"

enum { FV_LANES = 8 };
typedef f8 fv;
#define fv_load  f8_load
#define fv_set   f8_set
#define fv_sub   f8_sub
#define fv_mul   f8_mul
#define fv_mixed f8_mixed

#include "optimized/kd/brute_body.h"

vp_hit vp_brute_ray_avx2(const vp_triangle_soa *soup, const vp_ray *ray)
{
    return brute_ray_closest(soup, ray);
}
