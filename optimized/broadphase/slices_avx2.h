/* SPDX-License-Identifier: MIT */
/* The vocabulary of the dilation kernels on AVX2. Two ymm hold the eight Y-slices of a chunk, one class. The words are
 * documented in dilation_pass.h. */
#ifndef VP_OPTIMIZED_BROADPHASE_SLICES_AVX2_H
#define VP_OPTIMIZED_BROADPHASE_SLICES_AVX2_H

#include "optimized/simd/avx2.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slices {
    __m256i low, high; /* slices 0..3 and 4..7 */
} slices;

static inline slices slices_zero(void)
{
    return (slices){_mm256_setzero_si256(), _mm256_setzero_si256()};
}

static inline slices slices_load(const uint64_t *word)
{
    return (slices){_mm256_loadu_si256((const __m256i *)(const void *)word), _mm256_loadu_si256((const __m256i *)(const void *)(word + 4))};
}

static inline void slices_store(uint64_t *word, slices s)
{
    _mm256_storeu_si256((__m256i *)(void *)word, s.low);
    _mm256_storeu_si256((__m256i *)(void *)(word + 4), s.high);
}

static inline slices slices_or(slices a, slices b)
{
    return (slices){_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}

static inline slices slices_not(slices s)
{
    const __m256i ones = _mm256_set1_epi64x(-1);
    return (slices){_mm256_xor_si256(s.low, ones), _mm256_xor_si256(s.high, ones)};
}

static inline __m256i or3(__m256i a, __m256i b, __m256i c)
{
    return _mm256_or_si256(_mm256_or_si256(a, b), c);
}

static inline __m256i dilate_x4(__m256i left, __m256i mid, __m256i right)
{
    const __m256i column0 = _mm256_set1_epi8(0x01), column7 = _mm256_set1_epi8((char)0x80);
    __m256i up = _mm256_andnot_si256(column0, _mm256_slli_epi64(mid, 1));
    __m256i down = _mm256_andnot_si256(column7, _mm256_srli_epi64(mid, 1));
    __m256i from_left = _mm256_and_si256(column0, _mm256_srli_epi64(left, 7));
    __m256i from_right = _mm256_and_si256(column7, _mm256_slli_epi64(right, 7));
    return or3(or3(mid, up, down), from_left, from_right);
}

static inline slices slices_dilate_x(slices left, slices mid, slices right)
{
    return (slices){dilate_x4(left.low, mid.low, right.low), dilate_x4(left.high, mid.high, right.high)};
}

static inline __m256i dilate_z4(__m256i back, __m256i mid, __m256i front)
{
    __m256i own = or3(mid, _mm256_slli_epi64(mid, 8), _mm256_srli_epi64(mid, 8));
    return or3(own, _mm256_srli_epi64(back, 56), _mm256_slli_epi64(front, 56));
}

static inline __m256i beside4(__m256i left, __m256i mid, __m256i right)
{
    const __m256i column0 = _mm256_set1_epi8(0x01), column7 = _mm256_set1_epi8((char)0x80);
    return or3(mid, _mm256_and_si256(left, column7), _mm256_and_si256(right, column0));
}

static inline slices slices_beside(slices left, slices mid, slices right)
{
    return (slices){beside4(left.low, mid.low, right.low), beside4(left.high, mid.high, right.high)};
}

static inline slices slices_dilate_z(slices back, slices mid, slices front)
{
    return (slices){dilate_z4(back.low, mid.low, front.low), dilate_z4(back.high, mid.high, front.high)};
}

static inline slices slices_dilate_y(uint64_t below, slices mid, slices above)
{
    __m256i b = _mm256_set1_epi64x((long long)below);
    __m256i a = _mm256_broadcastq_epi64(_mm256_castsi256_si128(above.low));
    __m256i low_turned = _mm256_permute4x64_epi64(mid.low, 0x93);                    /* 3 0 1 2 */
    __m256i high_turned = _mm256_permute4x64_epi64(mid.high, 0x93);                  /* 7 4 5 6 */
    __m256i low_back = _mm256_permute4x64_epi64(mid.low, 0x39);                      /* 1 2 3 0 */
    __m256i high_back = _mm256_permute4x64_epi64(mid.high, 0x39);                    /* 5 6 7 4 */
    return (slices){or3(mid.low, _mm256_blend_epi32(low_turned, b, 0x03),            /* b 0 1 2 */
                        _mm256_blend_epi32(low_back, high_back, 0xc0)),              /* 1 2 3 4 */
                    or3(mid.high, _mm256_blend_epi32(high_turned, low_turned, 0x03), /* 3 4 5 6 */
                        _mm256_blend_epi32(high_back, a, 0xc0))};                    /* 5 6 7 a */
}

/* vpmovzxbq extends each byte to a word. */
static inline slices slices_row(uint64_t rows, int z)
{
    __m128i bytes = _mm_cvtsi64_si128((long long)rows);
    return (slices){_mm256_slli_epi64(_mm256_cvtepu8_epi64(bytes), 8 * z),
                    _mm256_slli_epi64(_mm256_cvtepu8_epi64(_mm_srli_epi64(bytes, 32)), 8 * z)};
}

static inline bool slices_any(slices s)
{
    __m256i any = _mm256_or_si256(s.low, s.high);
    return _mm256_testz_si256(any, any) == 0;
}

static inline uint32_t zero_words4(__m256i s)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(s, _mm256_setzero_si256())));
}

static inline uint32_t slices_zero_words(slices s)
{
    return zero_words4(s.low) | zero_words4(s.high) << 4;
}

static inline uint32_t slices_zero_in(slices s, uint64_t bits)
{
    const __m256i b = _mm256_set1_epi64x((long long)bits);
    return zero_words4(_mm256_and_si256(s.low, b)) | zero_words4(_mm256_and_si256(s.high, b)) << 4;
}

/* movemask takes each byte's top bit. Adding 126 with saturation sets it for materials 2.. only. */
static inline void words_from_vectors(__m256i low, __m256i high, uint64_t *solid, uint64_t *water)
{
    const __m256i to_top = _mm256_set1_epi8(126), one = _mm256_set1_epi8(1);
    uint32_t solid_low = (uint32_t)_mm256_movemask_epi8(_mm256_adds_epu8(low, to_top));
    uint32_t solid_high = (uint32_t)_mm256_movemask_epi8(_mm256_adds_epu8(high, to_top));
    uint32_t water_low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, one));
    uint32_t water_high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, one));
    *solid = solid_low | (uint64_t)solid_high << 32;
    *water = water_low | (uint64_t)water_high << 32;
}

static inline void words_from_slice(const uint8_t *slice, uint64_t *solid, uint64_t *water)
{
    words_from_vectors(_mm256_loadu_si256((const __m256i *)(const void *)slice),
                       _mm256_loadu_si256((const __m256i *)(const void *)(slice + 32)), solid, water);
}

static inline __m128i two_rows(const uint8_t *row, size_t z_stride)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)row),
                              _mm_loadl_epi64((const __m128i *)(const void *)(row + z_stride)));
}

static inline void words_from_rows(const uint8_t *row, size_t z_stride, uint64_t *solid, uint64_t *water)
{
    __m256i low = _mm256_set_m128i(two_rows(row + 2 * z_stride, z_stride), two_rows(row, z_stride));
    __m256i high = _mm256_set_m128i(two_rows(row + 6 * z_stride, z_stride), two_rows(row + 4 * z_stride, z_stride));
    words_from_vectors(low, high, solid, water);
}

/* The empty statement keeps gcc from seeing a function without effect, whose calls it would remove. */
static inline void prefetch(const void *line)
{
    __asm__ volatile("");
    _mm_prefetch((const char *)line, _MM_HINT_T0);
}

#endif
