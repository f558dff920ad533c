/* SPDX-License-Identifier: MIT */
/* The vocabulary of the ray kernels on AVX2. Eight floats are one ymm, four corners of four items three xmm. */
#ifndef VP_OPTIMIZED_KD_LANES_AVX2_H
#define VP_OPTIMIZED_KD_LANES_AVX2_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/kernel/kd.h>

#include "src/kd/ray_triangle.h"
#include "optimized/simd/avx2.h"

#define VP_LANES_RAY_SETUP "optimized/kd/ray_setup_x86.h"

typedef f32x8 f8;

static inline f8 f8_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void f8_store(float *p, f8 a)
{
    _mm256_storeu_ps(p, a);
}

static inline f8 f8_set(float a)
{
    return _mm256_set1_ps(a);
}

static inline f8 f8_sub(f8 a, f8 b)
{
    return _mm256_sub_ps(a, b);
}

static inline f8 f8_mul(f8 a, f8 b)
{
    return _mm256_mul_ps(a, b);
}

/* Minimum (maximum) of two. Like the instruction, returns `of` if they are equal or one is NaN. */
static inline f8 f8_earlier(f8 candidate, f8 of)
{
    return _mm256_min_ps(candidate, of);
}

static inline f8 f8_later(f8 candidate, f8 of)
{
    return _mm256_max_ps(candidate, of);
}

/* Bit i is set if a[i] <= b[i]. */
static inline uint32_t f8_le(f8 a, f8 b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

/* Bit i is set if one of a[i], b[i] and c[i] is below zero and one above. */
static inline uint32_t f8_mixed(f8 a, f8 b, f8 c)
{
    const f8 zero = _mm256_setzero_ps();
    f8 least = _mm256_min_ps(_mm256_min_ps(a, b), c), most = _mm256_max_ps(_mm256_max_ps(a, b), c);
    return (uint32_t)_mm256_movemask_ps(_mm256_and_ps(_mm256_cmp_ps(least, zero, _CMP_LT_OQ), _mm256_cmp_ps(most, zero, _CMP_GT_OQ)));
}

/* The halves of eight, swapped. */
static inline f8 f8_swap(f8 a)
{
    return _mm256_permute2f128_ps(a, a, 1);
}

/* Eight bytes as floats. */
static inline f8 f8_from_bytes(const uint8_t *p)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}

/* ---- eight integers ---- */

typedef __m256i n8;

static inline n8 n8_load(const uint32_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* Bit i is the top bit of lane i. */
static inline uint32_t n8_top_bits(n8 a)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a));
}

/* Bit i is the top bit of number i. */
static inline uint32_t n8_top_bits_16(const uint16_t *p)
{
    const __m128i n = _mm_loadu_si128((const __m128i *)(const void *)p);
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(n, _mm_setzero_si128()));
}

/* Four items' numbers. */
static inline n8 n8_two_of(__m128i i, bool quads)
{
    if (!quads)
        return _mm256_set_m128i(i, i);
    __m128i twice = _mm_add_epi32(i, i);
    return _mm256_set_m128i(_mm_add_epi32(twice, _mm_set1_epi32(1)), twice);
}

/* Numbers of the first (lanes 0 to 3) and second triangles of four items. Reads four ids, not eight. */
static inline n8 n8_triangles(const uint32_t *id, bool quads)
{
    return n8_two_of(_mm_loadu_si128((const __m128i *)(const void *)id), quads);
}

static inline n8 n8_from_16(const uint16_t *p)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}

/* n8_triangles for ids of 16 bits, and for the ids of edges, which are quads. */
static inline n8 n8_triangles_16(const uint16_t *id, bool quads)
{
    return n8_two_of(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)id)), quads);
}

static inline n8 n8_triangles_of_edges(const vp_kd_implied_item *edge)
{
    return n8_two_of(_mm_srli_epi32(_mm_loadu_si128((const __m128i *)(const void *)edge), 16), true);
}

/* ---- boxes in bytes ---- */

/* A byte an axis, repeated eight times. */
typedef __m256i b24;

static inline b24 b24_of(const uint32_t byte[3])
{
    const __m128i xy = _mm_unpacklo_epi64(_mm_set1_epi8((char)byte[0]), _mm_set1_epi8((char)byte[1]));
    return _mm256_set_m128i(_mm_set1_epi8((char)byte[2]), xy);
}

/* Bit i is set if child i of a node overlaps on all axes. The load past the upper faces reads the children. */
static inline uint32_t b24_overlap(const vp_kd_packed_node *node, b24 low, b24 high)
{
    const __m256i lower = _mm256_loadu_si256((const __m256i *)(const void *)node->low);
    const __m256i upper = _mm256_loadu_si256((const __m256i *)(const void *)node->high);
    const __m256i in =
        _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(lower, high), lower), _mm256_cmpeq_epi8(_mm256_max_epu8(upper, low), upper));
    const uint32_t bits = (uint32_t)_mm256_movemask_epi8(in);
    return bits & bits >> 8 & bits >> 16 & 0xffu;
}

/* Stores the lanes whose bits are set, moved together. Writes eight lanes. */
static inline void n8_compress(uint32_t *to, n8 lanes, uint32_t bits)
{
#if defined(__AVX512VL__)
    n8 moved = _mm256_maskz_compress_epi32((__mmask8)bits, lanes);
#elif defined(__BMI2__)
    /* The numbers of the set bits, a byte each, out of all eight. */
    uint64_t numbers = _pext_u64(0x0706050403020100, _pdep_u64(bits, 0x0101010101010101) * 0xff);
    n8 moved = _mm256_permutevar8x32_epi32(lanes, _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)numbers)));
#else
    uint32_t number[8] = {0};
    for (uint32_t i = 0, n = 0; i < 8; i++)
        if ((bits >> i & 1u) != 0)
            number[n++] = i;
    n8 moved = _mm256_permutevar8x32_epi32(lanes, n8_load(number));
#endif
    _mm256_storeu_si256((__m256i *)(void *)to, moved);
}

/* Numbers that compare like eight floats and all differ. No float may be negative. The last three bits are
   the lane's number. */
static inline n8 n8_numbered(f8 a)
{
    const n8 lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_or_si256(_mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(a)), lane);
}

/* Bit i is set if numbered[i] is more than the number of `a` in lane `lane`. */
static inline uint32_t n8_more(n8 numbered, float a, uint32_t lane)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    const n8 than = _mm256_set1_epi32((int)((bits & ~7u) | lane));
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(numbered, than)));
}

/* ---- corners of triangles ---- */

/* Points of eight, by axis. */
typedef struct p8 {
    f8 axis[3];
} p8;

/* The x and y of a vertex, in the lower half. A vertex is aligned to 4 bytes. */
static inline __m128 load_xy(const vp_vec3 *v)
{
    return _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)v));
}

/* Four vertices by axis. Two x and y are loaded to a register, then separated, z one by one. Reads no byte
   past a vertex. */
static inline void four_vertices(const vp_vec3 *v, const uint32_t *a, const uint32_t *b, const uint32_t *c, const uint32_t *d,
                                 __m128 out[3])
{
    const vp_vec3 *va = v + *a, *vb = v + *b, *vc = v + *c, *vd = v + *d;
    __m128 ab = _mm_loadh_pi(load_xy(va), (const __m64 *)(const void *)vb);
    __m128 cd = _mm_loadh_pi(load_xy(vc), (const __m64 *)(const void *)vd);
    out[0] = _mm_shuffle_ps(ab, cd, 0x88);
    out[1] = _mm_shuffle_ps(ab, cd, 0xdd);
    out[2] =
        _mm_movelh_ps(_mm_unpacklo_ps(_mm_load_ss(&va->z), _mm_load_ss(&vb->z)), _mm_unpacklo_ps(_mm_load_ss(&vc->z), _mm_load_ss(&vd->z)));
}

/* Corners i and j of four items, as lanes 0..3 and 4..7. */
static inline p8 two_corners(const vp_vec3 *v, const vp_kd_item *items, int i, int j)
{
    __m128 low[3], high[3];
    four_vertices(v, &items[0].vertex[i], &items[1].vertex[i], &items[2].vertex[i], &items[3].vertex[i], low);
    four_vertices(v, &items[0].vertex[j], &items[1].vertex[j], &items[2].vertex[j], &items[3].vertex[j], high);
    p8 out;
    for (int k = 0; k < 3; k++)
        out.axis[k] = _mm256_set_m128(high[k], low[k]);
    return out;
}

/* Points, one in each half of four, by axis. */
static inline p8 points_by_axis(const f8 at[4])
{
    const __m256d xy01 = _mm256_castps_pd(_mm256_unpacklo_ps(at[0], at[1])), xy23 = _mm256_castps_pd(_mm256_unpacklo_ps(at[2], at[3]));
    const __m256d z01 = _mm256_castps_pd(_mm256_unpackhi_ps(at[0], at[1])), z23 = _mm256_castps_pd(_mm256_unpackhi_ps(at[2], at[3]));
    return (p8){{_mm256_castpd_ps(_mm256_unpacklo_pd(xy01, xy23)), _mm256_castpd_ps(_mm256_unpackhi_pd(xy01, xy23)),
                 _mm256_castpd_ps(_mm256_unpacklo_pd(z01, z23))}};
}

/* A ray's origin in each half, and its axes in the order in which corners are wanted. */
typedef struct ray_eye {
    f8 origin;
    __m256i order;
} ray_eye;

static inline ray_eye ray_eye_of(const vp_ray_frame *f)
{
    return (ray_eye){_mm256_broadcast_ps((const __m128 *)(const void *)f->origin),
                     _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)&f->x))};
}

/* Corners i and j of four items, as lanes 0..3 and 4..7, relative to a ray's origin. Axis 2 is its longest, 0 and
   1 the next. */
static inline p8 corners_seen(const vp_vec3 *v, const vp_kd_item *items, int i, int j, ray_eye eye)
{
    const __m128i xyz = _mm_setr_epi32(-1, -1, -1, 0);
    f8 at[4];
    for (int n = 0; n < 4; n++) {
        const __m128 low = _mm_maskload_ps(&v[items[n].vertex[i]].x, xyz), high = _mm_maskload_ps(&v[items[n].vertex[j]].x, xyz);
        at[n] = _mm256_permutevar_ps(_mm256_sub_ps(_mm256_set_m128(high, low), eye.origin), eye.order);
    }
    return points_by_axis(at);
}

/* ---- corners on a lattice ---- */

/* Origin and step of integer corners, in each half. */
typedef struct grid {
    f8 origin, pitch;
} grid;

static inline grid grid_of(const vp_vec3 *origin, float pitch)
{
    const __m128 at = _mm_setr_ps(origin->x, origin->y, origin->z, 0.0f);
    return (grid){_mm256_set_m128(at, at), _mm256_set1_ps(pitch)};
}

/* Two points of three numbers of 16 bits each, one in each half. */
static inline f8 f8_on_grid(uint64_t low, uint64_t high, grid g)
{
    const __m128i both = _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)low), _mm_cvtsi64_si128((long long)high));
    return _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(both)), g.pitch), g.origin);
}

static inline p8 two_on_grid(const uint64_t low[4], const uint64_t high[4], grid g)
{
    f8 at[4];
    for (int n = 0; n < 4; n++)
        at[n] = f8_on_grid(low[n], high[n], g);
    return points_by_axis(at);
}

static inline p8 two_seen_on_grid(const uint64_t low[4], const uint64_t high[4], grid g, ray_eye eye)
{
    f8 at[4];
    for (int n = 0; n < 4; n++)
        at[n] = _mm256_permutevar_ps(_mm256_sub_ps(f8_on_grid(low[n], high[n], g), eye.origin), eye.order);
    return points_by_axis(at);
}

/* Points as four floats each. */
static inline void store_on_grid(float to[4][4], const uint64_t word[4], grid g)
{
    _mm256_storeu_ps(to[0], f8_on_grid(word[0], word[1], g));
    _mm256_storeu_ps(to[2], f8_on_grid(word[2], word[3], g));
}

#endif
