/* SPDX-License-Identifier: MIT */
/* A ray against every triangle, F32N at once. Included after a header of optimized/simd.
 *
 * Idea. Corners are nine arrays, so a vector of triangles is nine loads. The ray decides before the first triangle
 * which array is depth and which two are the plane. Each corner is sheared once, and three edge functions are three
 * differences of products. Their signs in floats are right or zero, so a triangle with mixed signs is certainly missed.
 * The others, about one for each time that the whole line crosses the surface, go to the exact test of
 * src/kd/ray_triangle.h.
 *
 * Cost of a vector of triangles: 9 loads, 18 subtractions, 12 products and the signs, some 50 operations. All branches
 * are predictable except those of the few candidates. */
#ifndef VP_OPTIMIZED_KD_BRUTE_BODY_H
#define VP_OPTIMIZED_KD_BRUTE_BODY_H

#include <voxphys/kernel/kd.h>

#include "src/kd/ray_triangle.h"
#include "optimized/simd/native.h"

/* A ray's part of the vectors. */
typedef struct brute_ray {
    f32n origin[3], shear_x, shear_y; /* origin by x, y, z of the frame */
} brute_ray;

/* Corners from the ray's origin, sheared. */
typedef struct brute_corner {
    f32n x, y;
} brute_corner;

static inline brute_corner brute_corner_at(const brute_ray *r, const float *const from[3], uint32_t i)
{
    const f32n z = f32n_sub(f32n_load(from[2] + i), r->origin[2]);
    const f32n x = f32n_sub(f32n_sub(f32n_load(from[0] + i), r->origin[0]), f32n_mul(r->shear_x, z));
    const f32n y = f32n_sub(f32n_sub(f32n_load(from[1] + i), r->origin[1]), f32n_mul(r->shear_y, z));
    return (brute_corner){x, y};
}

static inline f32n brute_cross(brute_corner a, brute_corner b)
{
    return f32n_sub(f32n_mul(a.x, b.y), f32n_mul(a.y, b.x));
}

/* Bit i is set if one of a[i], b[i], c[i] is below zero and one above. No lane is NaN. */
static inline uint32_t brute_mixed_signs(f32n a, f32n b, f32n c)
{
    const f32n zero = f32n_set1(0.0f);
    const f32n least = f32n_min_fast(f32n_min_fast(a, b), c), most = f32n_max_fast(f32n_max_fast(a, b), c);
    return m32n_movemask(m32n_and(f32n_cmp_lt(least, zero), f32n_cmp_gt(most, zero)));
}

static inline vp_hit brute_ray_closest(const vp_triangle_soa *soup, const vp_ray *ray)
{
    vp_hit best = {ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    vp_ray_frame f;
    if (!vp_ray_frame_of(ray, &f)) {
        best.triangle = VP_RAY_INVALID;
        return best;
    }
    const int axis[3] = {f.x, f.y, f.z};
    const float *from[3][3];
    brute_ray r = {.shear_x = f32n_set1(f.shear_x), .shear_y = f32n_set1(f.shear_y)};
    for (int k = 0; k < 3; k++) {
        r.origin[k] = f32n_set1(f.origin[axis[k]]);
        for (int c = 0; c < 3; c++)
            from[c][k] = soup->corner[c][axis[k]];
    }
    float nearest = INFINITY;
    for (uint32_t i = 0; i < soup->count; i += F32N) {
        const brute_corner a = brute_corner_at(&r, from[0], i), b = brute_corner_at(&r, from[1], i);
        const brute_corner c = brute_corner_at(&r, from[2], i);
        const uint32_t left = soup->count - i, there = left < F32N ? (1u << left) - 1u : (1u << F32N) - 1u;
        uint32_t maybe = ~brute_mixed_signs(brute_cross(c, b), brute_cross(a, c), brute_cross(b, a)) & there;
        for (; maybe != 0; maybe &= maybe - 1u) {
            const uint32_t at = i + (uint32_t)__builtin_ctz(maybe);
            float corner[3][3];
            vp_meeting m;
            for (int n = 0; n < 3; n++)
                for (int k = 0; k < 3; k++)
                    corner[n][k] = soup->corner[n][k][at];
            if (vp_ray_meets(&f, corner[0], corner[1], corner[2], &m) && m.s < nearest) {
                nearest = m.s;
                best = (vp_hit){m.t, (int32_t)at, m.u, m.v};
            }
        }
    }
    return best;
}

#endif
