/* SPDX-License-Identifier: MIT */
/* The vocabulary of ray packets on AVX-512. Sixteen rays are one zmm, eight one ymm. Masks are mask
 * registers, so a comparison under a mask, a blend and a minimum of some lanes are one instruction each.
 * Included after lanes_avx2.h. */
#ifndef VP_OPTIMIZED_KD_PACKET_AVX512_H
#define VP_OPTIMIZED_KD_PACKET_AVX512_H

#include "optimized/kd/packet_rays_x86.h"

#define VP_UNIT_OF_16 16 /* lanes of a register for packets of sixteen */

/* ---- eight ---- */

typedef __mmask8 m8;

static inline f8 f8_add(f8 a, f8 b)
{
    return _mm256_add_ps(a, b);
}

static inline f8 f8_div(f8 a, f8 b)
{
    return _mm256_div_ps(a, b);
}

static inline f8 f8_abs(f8 a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

static inline f8 f8_of_bits(uint32_t bits)
{
    return _mm256_castsi256_ps(_mm256_set1_epi32((int)bits));
}

/* The exponent's bits alone, which are the power of two of each lane. */
static inline f8 f8_power(f8 a)
{
    return _mm256_and_ps(a, f8_of_bits(0x7f800000));
}

static inline f8 f8_pick(m8 where, f8 yes, f8 no)
{
    return _mm256_mask_mov_ps(no, where, yes);
}

static inline m8 m8_of(uint32_t bits)
{
    return (m8)bits;
}

static inline uint32_t m8_bits(m8 a)
{
    return a;
}

static inline m8 m8_and(m8 a, m8 b)
{
    return a & b;
}

static inline m8 m8_or(m8 a, m8 b)
{
    return a | b;
}

/* Mask of the comparison AND `of`. */
static inline m8 m8_lt(m8 of, f8 a, f8 b)
{
    return _mm256_mask_cmp_ps_mask(of, a, b, _CMP_LT_OQ);
}

static inline m8 m8_le(m8 of, f8 a, f8 b)
{
    return _mm256_mask_cmp_ps_mask(of, a, b, _CMP_LE_OQ);
}

static inline m8 m8_eq(m8 of, f8 a, f8 b)
{
    return _mm256_mask_cmp_ps_mask(of, a, b, _CMP_EQ_OQ);
}

/* Compares signed integers. */
static inline m8 m8_before(m8 of, f8 a, f8 b)
{
    return _mm256_mask_cmplt_epi32_mask(of, _mm256_castps_si256(a), _mm256_castps_si256(b));
}

typedef __m512d d8;

static inline d8 d8_of(f8 a)
{
    return _mm512_cvtps_pd(a);
}

static inline f8 d8_narrow(d8 a)
{
    return _mm512_cvtpd_ps(a);
}

static inline d8 d8_add(d8 a, d8 b)
{
    return _mm512_add_pd(a, b);
}

static inline d8 d8_sub(d8 a, d8 b)
{
    return _mm512_sub_pd(a, b);
}

static inline d8 d8_mul(d8 a, d8 b)
{
    return _mm512_mul_pd(a, b);
}

static inline d8 d8_div(d8 a, d8 b)
{
    return _mm512_div_pd(a, b);
}

/* Mask of lanes where a, b and c do not have mixed signs. */
static inline m8 d8_one_sign(d8 a, d8 b, d8 c)
{
    const d8 zero = _mm512_setzero_pd();
    const d8 least = _mm512_min_pd(_mm512_min_pd(a, b), c), most = _mm512_max_pd(_mm512_max_pd(a, b), c);
    return (m8)~_mm512_mask_cmp_pd_mask(_mm512_cmp_pd_mask(least, zero, _CMP_LT_OQ), most, zero, _CMP_GT_OQ);
}

static inline m8 d8_not_zero(d8 a)
{
    return _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_NEQ_OQ);
}

/* ---- sixteen ---- */

typedef __m512 f16;
typedef __mmask16 m16;

static inline f16 f16_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void f16_store(float *p, f16 a)
{
    _mm512_storeu_ps(p, a);
}

static inline f16 f16_set(float a)
{
    return _mm512_set1_ps(a);
}

static inline f16 f16_add(f16 a, f16 b)
{
    return _mm512_add_ps(a, b);
}

static inline f16 f16_sub(f16 a, f16 b)
{
    return _mm512_sub_ps(a, b);
}

static inline f16 f16_mul(f16 a, f16 b)
{
    return _mm512_mul_ps(a, b);
}

static inline f16 f16_div(f16 a, f16 b)
{
    return _mm512_div_ps(a, b);
}

static inline f16 f16_earlier(f16 candidate, f16 of)
{
    return _mm512_min_ps(candidate, of);
}

static inline f16 f16_later(f16 candidate, f16 of)
{
    return _mm512_max_ps(candidate, of);
}

static inline f16 f16_abs(f16 a)
{
    return _mm512_abs_ps(a);
}

static inline f16 f16_of_bits(uint32_t bits)
{
    return _mm512_castsi512_ps(_mm512_set1_epi32((int)bits));
}

static inline f16 f16_power(f16 a)
{
    return _mm512_and_ps(a, f16_of_bits(0x7f800000));
}

static inline f16 f16_pick(m16 where, f16 yes, f16 no)
{
    return _mm512_mask_mov_ps(no, where, yes);
}

static inline m16 m16_of(uint32_t bits)
{
    return (m16)bits;
}

static inline uint32_t m16_bits(m16 a)
{
    return a;
}

static inline m16 m16_and(m16 a, m16 b)
{
    return a & b;
}

static inline m16 m16_or(m16 a, m16 b)
{
    return a | b;
}

static inline m16 m16_lt(m16 of, f16 a, f16 b)
{
    return _mm512_mask_cmp_ps_mask(of, a, b, _CMP_LT_OQ);
}

static inline m16 m16_le(m16 of, f16 a, f16 b)
{
    return _mm512_mask_cmp_ps_mask(of, a, b, _CMP_LE_OQ);
}

static inline m16 m16_eq(m16 of, f16 a, f16 b)
{
    return _mm512_mask_cmp_ps_mask(of, a, b, _CMP_EQ_OQ);
}

static inline m16 m16_before(m16 of, f16 a, f16 b)
{
    return _mm512_mask_cmplt_epi32_mask(of, _mm512_castps_si512(a), _mm512_castps_si512(b));
}

static inline f8 f16_half(f16 a, int half)
{
    return half != 0 ? _mm512_extractf32x8_ps(a, 1) : _mm512_castps512_ps256(a);
}

static inline f16 f16_join(f8 low, f8 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

static inline m16 m16_join(m8 low, m8 high)
{
    return (m16)((uint32_t)low | (uint32_t)high << 8);
}

static inline void f16_rays(const vp_ray *ray, f16 out[7], float low[8], float high[8])
{
    for (int row = 0; row < 2; row++) {
        __m512 r[4];
        for (int i = 0; i < 4; i++) {
            r[i] = _mm512_castps128_ps512(ray_row(&ray[i], row));
            r[i] = _mm512_insertf32x4(r[i], ray_row(&ray[i + 4], row), 1);
            r[i] = _mm512_insertf32x4(r[i], ray_row(&ray[i + 8], row), 2);
            r[i] = _mm512_insertf32x4(r[i], ray_row(&ray[i + 12], row), 3);
        }
        __m512 least = _mm512_min_ps(_mm512_min_ps(r[0], r[1]), _mm512_min_ps(r[2], r[3]));
        __m512 most = _mm512_max_ps(_mm512_max_ps(r[0], r[1]), _mm512_max_ps(r[2], r[3]));
        least = _mm512_min_ps(least, _mm512_shuffle_f32x4(least, least, 0x4e));
        most = _mm512_max_ps(most, _mm512_shuffle_f32x4(most, most, 0x4e));
        least = _mm512_min_ps(least, _mm512_shuffle_f32x4(least, least, 0xb1));
        most = _mm512_max_ps(most, _mm512_shuffle_f32x4(most, most, 0xb1));
        _mm_storeu_ps(low + 4 * row, _mm512_castps512_ps128(least));
        _mm_storeu_ps(high + 4 * row, _mm512_castps512_ps128(most));
        const __m512 a = _mm512_unpacklo_ps(r[0], r[1]), b = _mm512_unpackhi_ps(r[0], r[1]);
        const __m512 c = _mm512_unpacklo_ps(r[2], r[3]), d = _mm512_unpackhi_ps(r[2], r[3]);
        out[3 * row] = _mm512_shuffle_ps(a, c, 0x44);
        out[3 * row + 1] = _mm512_shuffle_ps(a, c, 0xee);
        out[3 * row + 2] = _mm512_shuffle_ps(b, d, 0x44);
        out[3 * row + 3] = _mm512_shuffle_ps(b, d, 0xee);
    }
}

static inline void f16_hits(f16 t, f16 triangle, f16 u, f16 v, vp_hit *hit)
{
    const __m512 a = _mm512_unpacklo_ps(t, triangle), b = _mm512_unpackhi_ps(t, triangle);
    const __m512 c = _mm512_unpacklo_ps(u, v), d = _mm512_unpackhi_ps(u, v);
    const __m512 of[4] = {_mm512_shuffle_ps(a, c, 0x44), _mm512_shuffle_ps(a, c, 0xee), _mm512_shuffle_ps(b, d, 0x44),
                          _mm512_shuffle_ps(b, d, 0xee)};
    for (int i = 0; i < 4; i++) {
        _mm_storeu_ps(&hit[i].t, _mm512_castps512_ps128(of[i]));
        _mm_storeu_ps(&hit[i + 4].t, _mm512_extractf32x4_ps(of[i], 1));
        _mm_storeu_ps(&hit[i + 8].t, _mm512_extractf32x4_ps(of[i], 2));
        _mm_storeu_ps(&hit[i + 12].t, _mm512_extractf32x4_ps(of[i], 3));
    }
}

static inline float f16_most(f16 a)
{
    return f8_most(_mm256_max_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1)));
}

static inline float f16_least(f16 a)
{
    return f8_least(_mm256_min_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1)));
}

#endif
