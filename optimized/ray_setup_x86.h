/* SPDX-License-Identifier: MIT */
/* plain_setup of kd_wide.h in vectors of four, the same bits: a ray's origin and the x of its direction are one load, its
 * direction and t_max another, and its longest component is found without a branch, which no two rays need take alike. A
 * direction so short or long that a float does not hold its reciprocal power of two goes the plain way. */
#ifndef VP_OPTIMIZED_RAY_SETUP_X86_H
#define VP_OPTIMIZED_RAY_SETUP_X86_H

#include <stddef.h>

_Static_assert(offsetof(vp_ray, direction) == 12 && offsetof(vp_ray, t_max) == 24, "vp_ray is seven floats");
_Static_assert(offsetof(vp_aabb, max) == 12, "vp_aabb is six floats");

/* The largest of four, in all lanes. */
static inline __m128 largest_of_4(__m128 a)
{
    a = _mm_max_ps(a, _mm_shuffle_ps(a, a, 0x4e));
    return _mm_max_ps(a, _mm_shuffle_ps(a, a, 0xb1));
}

static inline bool ray_setup_of(const vp_kd_view *tree, const vp_ray *ray, vp_ray_frame *frame, ray_setup *out)
{
    const __m128 sign = _mm_set1_ps(-0.0f), xyz = _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0));
    const __m128 origin = _mm_loadu_ps(&ray->origin.x), direction = _mm_loadu_ps(&ray->direction.x);
    const __m128 far = _mm_andnot_ps(sign, origin), length = _mm_andnot_ps(sign, direction);
    const __m128 fine = _mm_and_ps(_mm_cmple_ps(far, _mm_set1_ps(VP_KD_MOST)), _mm_cmple_ps(length, _mm_set1_ps(FLT_MAX)));
    const __m128 longest = largest_of_4(_mm_and_ps(length, xyz));
    const uint32_t exponent = (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(longest)) >> 23;
    if ((_mm_movemask_ps(fine) & 7) != 7 || !(ray->t_max >= 0.0f) || exponent < 2 || exponent > 252)
        return plain_setup(tree, ray, 0.0f, frame, out);
    const int z = __builtin_ctz((unsigned)_mm_movemask_ps(_mm_cmpeq_ps(_mm_and_ps(length, xyz), longest)));
    const __m128 unscale = _mm_castsi128_ps(_mm_set1_epi32((int)((254 - exponent) << 23)));
    const __m128 scale = _mm_castsi128_ps(_mm_set1_epi32((int)(exponent << 23)));
    const __m128 scaled = _mm_mul_ps(direction, unscale);

    const __m128 box_low = _mm_andnot_ps(sign, _mm_loadu_ps(&tree->box.min.x));
    const __m128 box_high = _mm_andnot_ps(sign, _mm_loadu_ps(&tree->box.min.z));
    const __m128 most = _mm_max_ps(_mm_max_ps(box_low, box_high), _mm_max_ps(_mm_and_ps(far, xyz), _mm_set1_ps(0x1p-80f)));
    const __m128 pad = _mm_mul_ps(largest_of_4(most), _mm_set1_ps(0x1p-19f));
    const __m128 low = _mm_add_ps(origin, pad), high = _mm_sub_ps(origin, pad);
    out->backwards = (uint32_t)_mm_movemask_ps(scaled) & 7u;
    _mm_storeu_ps(out->inverse, _mm_div_ps(_mm_set1_ps(1.0f), scaled));
    _mm_storeu_ps(out->from_near, _mm_blendv_ps(low, high, scaled));
    _mm_storeu_ps(out->from_far, _mm_blendv_ps(high, low, scaled));

    static const int next[5] = {0, 1, 2, 0, 1};
    float d[4], o[4];
    _mm_storeu_ps(d, scaled);
    _mm_storeu_ps(o, origin);
    frame->z = z;
    frame->x = next[z + 1];
    frame->y = next[z + 2];
    for (int k = 0; k < 3; k++) {
        frame->origin[k] = o[k];
        frame->direction[k] = d[k];
    }
    frame->shear_x = d[frame->x] / d[z];
    frame->shear_y = d[frame->y] / d[z];
    frame->unscale = _mm_cvtss_f32(unscale);
    frame->t_max = ray->t_max;
    frame->s_max = ray->t_max * _mm_cvtss_f32(scale);
    return true;
}

#endif
