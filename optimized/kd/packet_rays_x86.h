/* SPDX-License-Identifier: MIT */
/* Loads rays from an array into lanes, and stores hits from lanes into an array, on x86. Rows of four floats are
 * transposed within 128 bits. A ray is seven floats. Its first four and its last four are two rows, which share the x
 * of the direction, so no byte past it is read. */
#ifndef VP_OPTIMIZED_KD_PACKET_RAYS_X86_H
#define VP_OPTIMIZED_KD_PACKET_RAYS_X86_H

#include <stddef.h>

#include <voxphys/kernel/kd.h>

_Static_assert(offsetof(vp_ray, direction) == 12 && offsetof(vp_ray, t_max) == 24, "vp_ray is seven floats");
_Static_assert(sizeof(vp_hit) == 16 && offsetof(vp_hit, v) == 12, "vp_hit is four words");

/* The two rows of a ray. */
static inline __m128 ray_row(const vp_ray *ray, int row)
{
    return _mm_loadu_ps(row == 0 ? &ray->origin.x : &ray->direction.x);
}

/* Lane i of out[k] is component k of ray i: origin, direction, t_max. low and high are the minima and maxima of origins
   (0 to 2), directions (4 to 6) and t_max (7). Rays must not contain NaN. */
static inline void f8_rays(const vp_ray *ray, f8 out[7], float low[8], float high[8])
{
    for (int row = 0; row < 2; row++) {
        __m256 r[4];
        for (int i = 0; i < 4; i++)
            r[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(ray_row(&ray[i], row)), ray_row(&ray[i + 4], row), 1);
        const __m256 least = _mm256_min_ps(_mm256_min_ps(r[0], r[1]), _mm256_min_ps(r[2], r[3]));
        const __m256 most = _mm256_max_ps(_mm256_max_ps(r[0], r[1]), _mm256_max_ps(r[2], r[3]));
        _mm_storeu_ps(low + 4 * row, _mm_min_ps(_mm256_castps256_ps128(least), _mm256_extractf128_ps(least, 1)));
        _mm_storeu_ps(high + 4 * row, _mm_max_ps(_mm256_castps256_ps128(most), _mm256_extractf128_ps(most, 1)));
        const __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]);
        const __m256 c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
        out[3 * row] = _mm256_shuffle_ps(a, c, 0x44);
        out[3 * row + 1] = _mm256_shuffle_ps(a, c, 0xee);
        out[3 * row + 2] = _mm256_shuffle_ps(b, d, 0x44);
        out[3 * row + 3] = _mm256_shuffle_ps(b, d, 0xee);
    }
}

/* Writes eight hits. The lanes of `triangle` are integers. */
static inline void f8_hits(f8 t, f8 triangle, f8 u, f8 v, vp_hit *hit)
{
    const __m256 a = _mm256_unpacklo_ps(t, triangle), b = _mm256_unpackhi_ps(t, triangle);
    const __m256 c = _mm256_unpacklo_ps(u, v), d = _mm256_unpackhi_ps(u, v);
    const __m256 of[4] = {_mm256_shuffle_ps(a, c, 0x44), _mm256_shuffle_ps(a, c, 0xee), _mm256_shuffle_ps(b, d, 0x44),
                          _mm256_shuffle_ps(b, d, 0xee)};
    for (int i = 0; i < 4; i++) {
        _mm_storeu_ps(&hit[i].t, _mm256_castps256_ps128(of[i]));
        _mm_storeu_ps(&hit[i + 4].t, _mm256_extractf128_ps(of[i], 1));
    }
}

/* The maximum and the minimum of eight. */
static inline float f8_most(f8 a)
{
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_max_ps(m, _mm_shuffle_ps(m, m, 0x4e));
    return _mm_cvtss_f32(_mm_max_ps(m, _mm_shuffle_ps(m, m, 0xb1)));
}

static inline float f8_least(f8 a)
{
    __m128 m = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_min_ps(m, _mm_shuffle_ps(m, m, 0x4e));
    return _mm_cvtss_f32(_mm_min_ps(m, _mm_shuffle_ps(m, m, 0xb1)));
}

#endif
