/* SPDX-License-Identifier: MIT */
/* Shared by the vocabularies of the tree's build on AVX2 and AVX-512. */
#ifndef VP_OPTIMIZED_KD_BUILD_LANES_X86_H
#define VP_OPTIMIZED_KD_BUILD_LANES_X86_H

#include <math.h>

#include "optimized/kd/lanes_avx2.h"

#include "optimized/kd/build/lanes_common.h"

static inline f8 f8_add(f8 a, f8 b)
{
    return _mm256_add_ps(a, b);
}

static inline f8 f8_least(f8 a, f8 b)
{
    return _mm256_min_ps(a, b);
}

/* Lanes 0 to 7, added as the reference adds sixteen lanes whose upper half is zero. */
static inline float f8_folded(f8 a)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

/* A box of the minima of eight items' faces. Vectors 0 to 2 go to lanes 0 to 2, vectors 3 to 5 to lanes 4 to 6,
   with z twice. */
static inline f8 f8_box(const f8 v[6])
{
    f8 half[2];
    for (int i = 0; i < 2; i++) {
        const f8 *a = v + 3 * i;
        const f8 xy = f8_least(_mm256_unpacklo_ps(a[0], a[1]), _mm256_unpackhi_ps(a[0], a[1]));
        const f8 zz = f8_least(a[2], _mm256_permute_ps(a[2], 0x4e)); /* 02 13 02 13 */
        half[i] = f8_least(_mm256_shuffle_ps(xy, zz, 0x04), _mm256_shuffle_ps(xy, zz, 0x5e));
    }
    return f8_least(_mm256_permute2f128_ps(half[0], half[1], 0x20), _mm256_permute2f128_ps(half[0], half[1], 0x31));
}

/* The axis along which a box is longest, the first of equal ones. */
static inline uint32_t longest_axis(const float box[8])
{
    const __m128 shortness = _mm_add_ps(_mm_loadu_ps(box), _mm_loadu_ps(box + 4));
    __m128 least = _mm_min_ps(shortness, _mm_shuffle_ps(shortness, shortness, 0xc9)); /* y z x */
    least = _mm_min_ps(least, _mm_shuffle_ps(shortness, shortness, 0xd2));            /* z x y */
    return (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(shortness, least)));
}

/* Four vectors of two points each, by axis. Lanes 0 to 3 are the first points, 4 to 7 the second. */
static inline void by_axis(const f8 p[4], f8 out[3])
{
    const f8 xy01 = _mm256_unpacklo_ps(p[0], p[1]), xy23 = _mm256_unpacklo_ps(p[2], p[3]); /* x0 x1 y0 y1 */
    const f8 z01 = _mm256_unpackhi_ps(p[0], p[1]), z23 = _mm256_unpackhi_ps(p[2], p[3]);
    out[0] = _mm256_shuffle_ps(xy01, xy23, 0x44);
    out[1] = _mm256_shuffle_ps(xy01, xy23, 0xee);
    out[2] = _mm256_shuffle_ps(z01, z23, 0x44);
}

/* Eight boxes as the faces of a node. */
static inline void faces_of_boxes(const float *const box[8], vp_kd_wide *node)
{
    f8 half[2][4]; /* lower faces of boxes 0 and 4, 1 and 5, 2 and 6, 3 and 7, then negated upper ones */
    for (int i = 0; i < 4; i++) {
        const f8 a = f8_load(box[i]), b = f8_load(box[i + 4]);
        half[0][i] = _mm256_permute2f128_ps(a, b, 0x20);
        half[1][i] = _mm256_permute2f128_ps(a, b, 0x31);
    }
    f8 low[3], back[3];
    by_axis(half[0], low);
    by_axis(half[1], back);
    for (int k = 0; k < 3; k++) {
        f8_store(node->low[k], low[k]);
        f8_store(node->high[k], _mm256_xor_ps(back[k], _mm256_set1_ps(-0.0f)));
    }
}

static inline slab_shares shares_of(f8 box, f8 known)
{
    const __m128 inside = _mm_add_ps(_mm256_castps256_ps128(box), _mm256_extractf128_ps(box, 1));
    const __m128 around = _mm_add_ps(_mm256_castps256_ps128(known), _mm256_extractf128_ps(known, 1));
    const __m128 share = _mm_div_ps(inside, around), cut = _mm_cmplt_ps(share, _mm_set1_ps(0.5f));
    const __m128 key = _mm_blendv_ps(_mm_set1_ps(1.0f), share, cut);
    const __m128 less = _mm_cmplt_ps(_mm_shuffle_ps(key, key, 0xa9), _mm_shuffle_ps(key, key, 0x50)); /* y z z, x x y */
    return (slab_shares){(uint32_t)_mm_movemask_ps(cut) & 7u, (uint32_t)_mm_movemask_ps(less) & 7u};
}

/* ---- sizes of eight parts ---- */

typedef __m128i n8x16; /* each subtracted from 65535, because an instruction finds the minimum of eight */

/* The same sizes, except for one part. */
static inline n8x16 sizes_with(n8x16 sizes, uint32_t part, uint32_t size)
{
    const __m128i lane = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7), here = _mm_cmpeq_epi16(lane, _mm_set1_epi16((short)part));
    return _mm_blendv_epi8(sizes, _mm_set1_epi16((short)~size), here);
}

/* One part, and seven empty ones. */
static inline n8x16 sizes_of_one(uint32_t size)
{
    return sizes_with(_mm_set1_epi16(-1), 0, size);
}

/* The largest part, the first of equal ones. */
static inline size_part largest_part(n8x16 sizes)
{
    const uint32_t least = (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(sizes));
    return (size_part){~least & 0xffffu, least >> 16};
}

/* ---- items of corners ---- */

/* Loads a vertex, and reads nothing past it. A masked load would do the same, but SIMDe's reads all lanes. */
static inline __m128 vertex_at(const vp_vec3 *v)
{
    const __m128 xy = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)v));
    return _mm_movelh_ps(xy, _mm_load_ss(&v->z));
}

static inline f8 two_vertices(const vp_vec3 *v, uint32_t a, uint32_t b)
{
    return _mm256_set_m128(vertex_at(v + b), vertex_at(v + a));
}

/* The faces of eight items whose indices follow each other: the lower ones, and the upper ones negated. Adding zero
   makes zeros positive. */
static inline void faces_of_eight(const vp_vec3 *vertex, const uint32_t *index, uint32_t corners, f8 face[6])
{
    f8 low[4], high[4];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t *a = index + i * corners, *b = a + 4 * corners;
        low[i] = high[i] = two_vertices(vertex, a[0], b[0]);
        for (uint32_t k = 1; k < corners; k++) {
            const f8 v = two_vertices(vertex, a[k], b[k]);
            low[i] = _mm256_min_ps(v, low[i]);
            high[i] = _mm256_max_ps(v, high[i]);
        }
    }
    f8 back[3];
    by_axis(low, face);
    by_axis(high, back);
    for (int k = 0; k < 3; k++) {
        face[k] = _mm256_add_ps(face[k], _mm256_setzero_ps());
        face[3 + k] = _mm256_xor_ps(_mm256_add_ps(back[k], _mm256_setzero_ps()), _mm256_set1_ps(-0.0f));
    }
}

#endif
