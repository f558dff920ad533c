/* SPDX-License-Identifier: MIT */
/* Additions of edge flags (edges_body.h) to the mesher's vocabulary (nets_avx512.h) on AVX-512. */
#ifndef VP_OPTIMIZED_SURFACE_FOLDS_AVX512_H
#define VP_OPTIMIZED_SURFACE_FOLDS_AVX512_H

#include "optimized/surface/nets_avx512.h"

static inline lanes_f lanes_load_f(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void lanes_store(int32_t *to, lanes_i v)
{
    _mm512_storeu_si512(to, v);
}

static inline lanes_i lanes_from_16(const uint16_t *p)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p));
}

static inline lanes_i lanes_sub(lanes_i a, lanes_i b)
{
    return _mm512_sub_epi32(a, b);
}

static inline lanes_f lanes_sub_f(lanes_f a, lanes_f b)
{
    return _mm512_sub_ps(a, b);
}

static inline lanes_i lanes_mul(lanes_i a, lanes_i b)
{
    return _mm512_mullo_epi32(a, b);
}

static inline lanes_i lanes_or(lanes_i a, lanes_i b)
{
    return _mm512_or_si512(a, b);
}

/* b without the bits of a. */
static inline lanes_i lanes_without(lanes_i a, lanes_i b)
{
    return _mm512_andnot_si512(a, b);
}

static inline lanes_i lanes_select(lanes_i mask, lanes_i yes, lanes_i no)
{
    return _mm512_ternarylogic_epi32(mask, yes, no, 0xca);
}

/* Shifts signed numbers. */
static inline lanes_i lanes_sign_shift(lanes_i v, int bits)
{
    return _mm512_srai_epi32(v, (unsigned)bits);
}

static inline lanes_i lanes_equal(lanes_i a, lanes_i b)
{
    return _mm512_movm_epi32(_mm512_cmpeq_epi32_mask(a, b));
}

/* All ones where a > b. */
static inline lanes_i lanes_more(lanes_i a, lanes_i b)
{
    return _mm512_movm_epi32(_mm512_cmpgt_epi32_mask(a, b));
}

/* All ones where cosine > 0 and left <= right. */
static inline lanes_i lanes_flat(lanes_f cosine, lanes_f left, lanes_f right)
{
    __mmask16 ahead = _mm512_cmp_ps_mask(cosine, _mm512_setzero_ps(), _CMP_GT_OQ);
    return _mm512_movm_epi32(_mm512_mask_cmp_ps_mask(ahead, left, right, _CMP_LE_OQ));
}

/* Gathers are a fifth faster overall than sixteen loads each. gcc's are macros in unoptimised builds, and warn about
   their own mask. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

static inline lanes_i lanes_gather(const int32_t *table, lanes_i at)
{
    return _mm512_i32gather_epi32(at, table, 4);
}

/* Reads three bytes past each. */
static inline lanes_i lanes_gather_bytes(const uint8_t *table, lanes_i at)
{
    return _mm512_and_si512(_mm512_i32gather_epi32(at, table, 1), _mm512_set1_epi32(255));
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
