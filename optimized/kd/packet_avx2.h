/* SPDX-License-Identifier: MIT */
/* The vocabulary of ray packets on AVX2. Eight rays are one ymm, sixteen are two, and eight doubles are two ymm. A mask
 * is a vector of lanes that are all ones or zeros. A comparison under a mask takes two instructions. Bits become lanes
 * by a comparison with each lane's own bit. Included after lanes_avx2.h. */
#ifndef VP_OPTIMIZED_KD_PACKET_AVX2_H
#define VP_OPTIMIZED_KD_PACKET_AVX2_H

#include "optimized/kd/packet_rays_x86.h"

#define VP_UNIT_OF_16 8 /* rays in a register, of packets of sixteen */

typedef __m256 m8;

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

/* The power of two of each lane, its exponent's bits alone. */
static inline f8 f8_power(f8 a)
{
    return _mm256_and_ps(a, f8_of_bits(0x7f800000));
}

static inline f8 f8_pick(m8 where, f8 yes, f8 no)
{
    return _mm256_blendv_ps(no, yes, where);
}

static inline m8 m8_of(uint32_t bits)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit));
}

static inline uint32_t m8_bits(m8 a)
{
    return (uint32_t)_mm256_movemask_ps(a);
}

static inline m8 m8_and(m8 a, m8 b)
{
    return _mm256_and_ps(a, b);
}

static inline m8 m8_or(m8 a, m8 b)
{
    return _mm256_or_ps(a, b);
}

/* Mask of the comparison AND `of`. */
static inline m8 m8_lt(m8 of, f8 a, f8 b)
{
    return _mm256_and_ps(of, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}

static inline m8 m8_le(m8 of, f8 a, f8 b)
{
    return _mm256_and_ps(of, _mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

static inline m8 m8_eq(m8 of, f8 a, f8 b)
{
    return _mm256_and_ps(of, _mm256_cmp_ps(a, b, _CMP_EQ_OQ));
}

/* a < b as integers. */
static inline m8 m8_before(m8 of, f8 a, f8 b)
{
    return _mm256_and_ps(of, _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_castps_si256(b), _mm256_castps_si256(a))));
}

/* ---- eight doubles ---- */

typedef struct d8 {
    __m256d low, high;
} d8;

static inline d8 d8_of(f8 a)
{
    return (d8){_mm256_cvtps_pd(_mm256_castps256_ps128(a)), _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))};
}

static inline f8 d8_narrow(d8 a)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(a.high), _mm256_cvtpd_ps(a.low));
}

static inline d8 d8_add(d8 a, d8 b)
{
    return (d8){_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
}

static inline d8 d8_sub(d8 a, d8 b)
{
    return (d8){_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
}

static inline d8 d8_mul(d8 a, d8 b)
{
    return (d8){_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
}

static inline d8 d8_div(d8 a, d8 b)
{
    return (d8){_mm256_div_pd(a.low, b.low), _mm256_div_pd(a.high, b.high)};
}

/* Masks of doubles as masks of floats, the halves of each. */
static inline m8 d8_mask(__m256d low, __m256d high)
{
    const __m256 halves = _mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), 0x88);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(halves), 0xd8));
}

static inline __m256d d4_one_sign(__m256d a, __m256d b, __m256d c)
{
    const __m256d zero = _mm256_setzero_pd();
    const __m256d least = _mm256_min_pd(_mm256_min_pd(a, b), c), most = _mm256_max_pd(_mm256_max_pd(a, b), c);
    return _mm256_or_pd(_mm256_cmp_pd(least, zero, _CMP_GE_OQ), _mm256_cmp_pd(most, zero, _CMP_LE_OQ));
}

/* Mask of lanes where a, b and c do not have mixed signs. */
static inline m8 d8_one_sign(d8 a, d8 b, d8 c)
{
    return d8_mask(d4_one_sign(a.low, b.low, c.low), d4_one_sign(a.high, b.high, c.high));
}

static inline m8 d8_not_zero(d8 a)
{
    const __m256d zero = _mm256_setzero_pd();
    return d8_mask(_mm256_cmp_pd(a.low, zero, _CMP_NEQ_OQ), _mm256_cmp_pd(a.high, zero, _CMP_NEQ_OQ));
}

#endif
