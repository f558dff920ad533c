/* SPDX-License-Identifier: MIT */
/* Additions of edge flags (edges_body.h) to the mesher's vocabulary (nets_avx2.h) on AVX2. */
#ifndef VP_OPTIMIZED_SURFACE_FOLDS_AVX2_H
#define VP_OPTIMIZED_SURFACE_FOLDS_AVX2_H

#include "optimized/surface/nets_avx2.h"

static inline lanes_f lanes_load_f(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void lanes_store(int32_t *to, lanes_i v)
{
    _mm256_storeu_si256((__m256i *)(void *)to, v);
}

static inline lanes_i lanes_from_16(const uint16_t *p)
{
    return _mm256_cvtepu16_epi32(vec16_load(p));
}

static inline lanes_i lanes_sub(lanes_i a, lanes_i b)
{
    return _mm256_sub_epi32(a, b);
}

static inline lanes_f lanes_sub_f(lanes_f a, lanes_f b)
{
    return _mm256_sub_ps(a, b);
}

static inline lanes_i lanes_mul(lanes_i a, lanes_i b)
{
    return _mm256_mullo_epi32(a, b);
}

static inline lanes_i lanes_or(lanes_i a, lanes_i b)
{
    return _mm256_or_si256(a, b);
}

/* b without the bits of a. */
static inline lanes_i lanes_without(lanes_i a, lanes_i b)
{
    return _mm256_andnot_si256(a, b);
}

static inline lanes_i lanes_select(lanes_i mask, lanes_i yes, lanes_i no)
{
    return _mm256_blendv_epi8(no, yes, mask);
}

/* Shifts signed numbers. */
static inline lanes_i lanes_sign_shift(lanes_i v, int bits)
{
    return _mm256_srai_epi32(v, bits);
}

static inline lanes_i lanes_equal(lanes_i a, lanes_i b)
{
    return _mm256_cmpeq_epi32(a, b);
}

/* All ones where a > b. */
static inline lanes_i lanes_more(lanes_i a, lanes_i b)
{
    return _mm256_cmpgt_epi32(a, b);
}

/* All ones where cosine > 0 and left <= right. */
static inline lanes_i lanes_flat(lanes_f cosine, lanes_f left, lanes_f right)
{
    return _mm256_castps_si256(
        _mm256_and_ps(_mm256_cmp_ps(cosine, _mm256_setzero_ps(), _CMP_GT_OQ), _mm256_cmp_ps(left, right, _CMP_LE_OQ)));
}

/* Eight loads, because vpgatherdd is no faster here and much slower on processors whose microcode guards it. A binary
   with it, right on the processor, also gave wrong results under QEMU 7.2. */
static inline lanes_i lanes_gather(const int32_t *table, lanes_i at)
{
    int32_t i[LANES];
    lanes_store(i, at);
    return _mm256_setr_epi32(table[i[0]], table[i[1]], table[i[2]], table[i[3]], table[i[4]], table[i[5]], table[i[6]], table[i[7]]);
}

static inline lanes_i lanes_gather_bytes(const uint8_t *table, lanes_i at)
{
    int32_t i[LANES];
    lanes_store(i, at);
    return _mm256_setr_epi32(table[i[0]], table[i[1]], table[i[2]], table[i[3]], table[i[4]], table[i[5]], table[i[6]], table[i[7]]);
}

#endif
