/* SPDX-License-Identifier: MIT */
/* The vocabulary of the dilation kernels on AVX-512. One zmm holds the eight Y-slices of a chunk, one class. The words
 * are documented in dilation_pass.h. */
#ifndef VP_OPTIMIZED_BROADPHASE_SLICES_AVX512_H
#define VP_OPTIMIZED_BROADPHASE_SLICES_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef __m512i slices;

static inline slices slices_zero(void)
{
    return _mm512_setzero_si512();
}

static inline slices slices_load(const uint64_t *word)
{
    return _mm512_loadu_si512(word);
}

static inline void slices_store(uint64_t *word, slices s)
{
    _mm512_storeu_si512(word, s);
}

static inline slices slices_or(slices a, slices b)
{
    return _mm512_or_si512(a, b);
}

/* vpternlogq looks its three operands' bits up in an 8-bit truth table. */
static inline slices slices_not(slices s)
{
    return _mm512_ternarylogic_epi64(s, s, s, 0x55);
}

static inline slices or3(slices a, slices b, slices c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0xfe);
}

/* Bits of `a` where `mask` is set, of `b` elsewhere. */
static inline slices select_bits(slices mask, slices a, slices b)
{
    return _mm512_ternarylogic_epi64(mask, a, b, 0xca);
}

static inline slices slices_dilate_x(slices left, slices mid, slices right)
{
    const slices column0 = _mm512_set1_epi64(0x0101010101010101), column7 = _mm512_slli_epi64(column0, 7);
    slices up = select_bits(column0, _mm512_srli_epi64(left, 7), _mm512_slli_epi64(mid, 1));
    slices down = select_bits(column7, _mm512_slli_epi64(right, 7), _mm512_srli_epi64(mid, 1));
    return or3(mid, up, down);
}

/* 0xf8 is a | (b & c). */
static inline slices slices_beside(slices left, slices mid, slices right)
{
    const slices column0 = _mm512_set1_epi64(0x0101010101010101), column7 = _mm512_slli_epi64(column0, 7);
    return _mm512_ternarylogic_epi64(_mm512_ternarylogic_epi64(mid, left, column7, 0xf8), right, column0, 0xf8);
}

static inline slices slices_dilate_z(slices back, slices mid, slices front)
{
    slices own = or3(mid, _mm512_slli_epi64(mid, 8), _mm512_srli_epi64(mid, 8));
    return or3(own, _mm512_srli_epi64(back, 56), _mm512_slli_epi64(front, 56));
}

static inline slices slices_dilate_y(uint64_t below, slices mid, slices above)
{
    slices up = _mm512_alignr_epi64(mid, _mm512_set1_epi64((long long)below), 7);
    slices down = _mm512_alignr_epi64(above, mid, 1);
    return or3(mid, up, down);
}

/* vpmovzxbq extends each byte to a word. */
static inline slices slices_row(uint64_t rows, int z)
{
    return _mm512_slli_epi64(_mm512_cvtepu8_epi64(_mm_cvtsi64_si128((long long)rows)), (unsigned)(8 * z));
}

static inline bool slices_any(slices s)
{
    return _mm512_test_epi64_mask(s, s) != 0;
}

static inline uint32_t slices_zero_words(slices s)
{
    return _mm512_testn_epi64_mask(s, s);
}

static inline uint32_t slices_zero_in(slices s, uint64_t bits)
{
    return _mm512_testn_epi64_mask(s, _mm512_set1_epi64((long long)bits));
}

/* One 64-byte compare a class yields one word. This instruction makes bricks the best layout. */
static inline void words_from_vector(__m512i material, uint64_t *solid, uint64_t *water)
{
    *solid = _mm512_cmpge_epu8_mask(material, _mm512_set1_epi8(2));
    *water = _mm512_cmpeq_epi8_mask(material, _mm512_set1_epi8(1));
}

static inline void words_from_slice(const uint8_t *slice, uint64_t *solid, uint64_t *water)
{
    words_from_vector(_mm512_loadu_si512(slice), solid, water);
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
    words_from_vector(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1), solid, water);
}

/* The empty statement keeps gcc from seeing a function without effect, whose calls it would remove. */
static inline void prefetch(const void *line)
{
    __asm__ volatile("");
    _mm_prefetch((const char *)line, _MM_HINT_T0);
}

#endif
