/* SPDX-License-Identifier: MIT */
/* Sixteen points in the order of their labels. Only AVX-512 has the instruction that this needs, the expansion of lanes (vpexpandd). */
#ifndef VP_OPTIMIZED_HULL_DEAL_AVX512_H
#define VP_OPTIMIZED_HULL_DEAL_AVX512_H

#include <stddef.h>
#include <stdint.h>

#include <immintrin.h>

#include "src/core/inline.h"

#define VP_HULL_DEAL 16

/* Puts at most VP_HULL_DEAL points in the order of their labels, from `from` to `to`. Drops those that have none of the labels
   0, 1, .... Writes VP_HULL_DEAL. end[j] becomes the number of points with labels up to j. @return the number of all points */
VP_INLINE uint32_t deal_points(float *x, float *y, float *z, uint32_t *id, size_t from, size_t to, const uint32_t *label, uint32_t count,
                               uint32_t labels, uint32_t *end)
{
    const __m512i here = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), all = _mm512_loadu_si512(label);
    const __mmask16 there = (__mmask16)((1u << count) - 1);
    __m512i place = here;
    uint32_t made = 0;
    for (uint32_t j = 0; j < labels; j++) {
        const __mmask16 m = _mm512_mask_cmpeq_epi32_mask(there, all, _mm512_set1_epi32((int)j));
        place = _mm512_mask_expand_epi32(place, (__mmask16)(0xffffu << made), _mm512_maskz_compress_epi32(m, here));
        made += (uint32_t)__builtin_popcount(m);
        end[j] = made;
    }
    _mm512_storeu_ps(x + to, _mm512_permutexvar_ps(place, _mm512_loadu_ps(x + from)));
    _mm512_storeu_ps(y + to, _mm512_permutexvar_ps(place, _mm512_loadu_ps(y + from)));
    _mm512_storeu_ps(z + to, _mm512_permutexvar_ps(place, _mm512_loadu_ps(z + from)));
    _mm512_storeu_si512(id + to, _mm512_permutexvar_epi32(place, _mm512_loadu_si512(id + from)));
    return made;
}

#endif
