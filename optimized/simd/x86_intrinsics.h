/* SPDX-License-Identifier: MIT */
/* x86 intrinsics, the compiler's own on x86-64, SIMDe's elsewhere, and what AVX2 and AVX-512 share. */
#ifndef VP_OPTIMIZED_SIMD_X86_INTRINSICS_H
#define VP_OPTIMIZED_SIMD_X86_INTRINSICS_H
#include <stddef.h>
#include <stdint.h>

#include "src/core/inline.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>

/* SIMDe also reads the lanes that a masked load skips, which may lie past the end of an array. */
static inline __m128 vp_masked_load(const float *p, __m128i mask)
{
    int32_t chosen[4];
    float lane[4];
    _mm_storeu_si128((__m128i *)(void *)chosen, mask);
    for (int i = 0; i < 4; i++)
        lane[i] = chosen[i] < 0 ? p[i] : 0.0f;
    return _mm_loadu_ps(lane);
}
#undef _mm_maskload_ps
#define _mm_maskload_ps vp_masked_load
#endif

/* 8 bytes each of two rows. */
VP_INLINE __m128i vp_load_two_rows(const uint8_t *from, size_t stride)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)from),
                              _mm_loadl_epi64((const __m128i *)(const void *)(from + stride)));
}

#endif
