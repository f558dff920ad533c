/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on AVX-512, sixteen at once. Comparisons yield bits directly. The idea
 * is in brute_body.h. */
#include <stdint.h>

#include "optimized/simd/avx2.h"

enum { FV_LANES = 16 };
typedef __m512 fv;

static inline fv fv_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline fv fv_set(float a)
{
    return _mm512_set1_ps(a);
}

static inline fv fv_sub(fv a, fv b)
{
    return _mm512_sub_ps(a, b);
}

static inline fv fv_mul(fv a, fv b)
{
    return _mm512_mul_ps(a, b);
}

static inline uint32_t fv_mixed(fv a, fv b, fv c)
{
    const fv zero = _mm512_setzero_ps();
    const fv least = _mm512_min_ps(_mm512_min_ps(a, b), c), most = _mm512_max_ps(_mm512_max_ps(a, b), c);
    return (uint32_t)_mm512_cmp_ps_mask(least, zero, _CMP_LT_OQ) & (uint32_t)_mm512_cmp_ps_mask(most, zero, _CMP_GT_OQ);
}

#include "optimized/kd/brute_body.h"

vp_hit vp_brute_ray_avx512(const vp_triangle_soa *soup, const vp_ray *ray)
{
    return brute_ray_closest(soup, ray);
}
