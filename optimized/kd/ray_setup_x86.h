/* SPDX-License-Identifier: MIT */
/* plain_wide_ray of optimized/kd/wide.h in vectors of four. The chain of steps is as short as possible, because the
 * first node waits for it. A ray's origin is one load, its direction another. Its longest component is found without a
 * branch, because successive rays would make it unpredictable. The power of two is masked out of that component.
 * 1/direction does not wait for the power, and is multiplied by it afterwards. The frame is stored, for leaves to read.
 * Two kinds of directions use plain_wide_ray instead: those so long that the reciprocal is not a normal float, and
 * those so short that a component with an infinite reciprocal would matter. On the fast path such a component is below
 * 2^-64 of the longest, and the pad allows for the ray's movement along it. */
#ifndef VP_OPTIMIZED_KD_RAY_SETUP_X86_H
#define VP_OPTIMIZED_KD_RAY_SETUP_X86_H

#include <stddef.h>

_Static_assert(offsetof(vp_ray, direction) == 12 && offsetof(vp_ray, t_max) == 24, "vp_ray is seven floats");
_Static_assert(offsetof(vp_aabb, max) == 12, "vp_aabb is six floats");

/* The largest of four, in all lanes. */
static inline __m128 largest_of_4(__m128 a)
{
    a = _mm_max_ps(a, _mm_shuffle_ps(a, a, 0x4e));
    return _mm_max_ps(a, _mm_shuffle_ps(a, a, 0xb1));
}

/* For a radius of 0. */
VP_INLINE bool wide_ray_of(const vp_kd_view *tree, const vp_ray *ray, float radius, wide_ray *out)
{
    const __m128 sign = _mm_set1_ps(-0.0f), xyz = _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0));
    const __m128 origin = _mm_loadu_ps(&ray->origin.x);
    const __m128 direction = _mm_castsi128_ps(_mm_srli_si128(_mm_castps_si128(_mm_loadu_ps(&ray->origin.z)), 4));
    const __m128 far = _mm_and_ps(_mm_andnot_ps(sign, origin), xyz), length = _mm_andnot_ps(sign, direction);
    /* "At most" is false for NaN. SIMDe's "not at most" is "more", which is false for NaN too. */
    const __m128 right = _mm_and_ps(_mm_cmple_ps(far, _mm_set1_ps(VP_KD_MAX)), _mm_cmple_ps(length, _mm_set1_ps(FLT_MAX)));
    const __m128 longest = largest_of_4(length);
    const uint32_t exponent = (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(longest)) >> 23;
    const float t_max = ray->t_max;
    if (_mm_movemask_ps(right) != 15 || !(t_max >= 0.0f) || exponent < 64 || exponent > 252)
        return plain_wide_ray(tree, ray, radius, out);
    const int z = __builtin_ctz((unsigned)_mm_movemask_ps(_mm_cmpeq_ps(length, longest)));
    const __m128i power = _mm_and_si128(_mm_castps_si128(longest), _mm_set1_epi32(255 << 23));
    const __m128 scale = _mm_castsi128_ps(power), unscale = _mm_castsi128_ps(_mm_sub_epi32(_mm_set1_epi32(254 << 23), power));
    const __m128 scaled = _mm_mul_ps(direction, unscale);

    const __m128 box_low = _mm_andnot_ps(sign, _mm_loadu_ps(&tree->box.min.x));
    const __m128 box_high = _mm_andnot_ps(sign, _mm_loadu_ps(&tree->box.min.z));
    const __m128 most = _mm_max_ps(_mm_max_ps(box_low, box_high), _mm_max_ps(far, _mm_set1_ps(0x1p-80f)));
    const __m128 pad = _mm_mul_ps(largest_of_4(most), _mm_set1_ps(0x1p-19f));
    const __m128 low = _mm_add_ps(origin, pad), high = _mm_sub_ps(origin, pad);
    const __m128 against = _mm_mul_ps(_mm_div_ps(_mm_set1_ps(-1.0f), direction), scale);
    __m128 from_near = _mm_blendv_ps(low, high, scaled), from_far = _mm_blendv_ps(high, low, scaled);
#ifdef VP_LANES_FUSED
    from_near = _mm_mul_ps(from_near, against);
    from_far = _mm_mul_ps(from_far, against);
#endif
    _mm_storeu_ps(out->world.against, against);
    _mm_storeu_ps(out->world.from_near, from_near);
    _mm_storeu_ps(out->world.from_far, from_far);
    const __m128i back = _mm_and_si128(_mm_srai_epi32(_mm_castps_si128(scaled), 31), _mm_set1_epi32(TO_HIGH));
    const __m128i faces = _mm_setr_epi32(0, VP_KD_WIDTH, 2 * VP_KD_WIDTH, 0);
    _mm_storeu_si128((__m128i *)(void *)out->near_face, _mm_add_epi32(faces, back));
    _mm_storeu_si128((__m128i *)(void *)out->far_face, _mm_sub_epi32(_mm_add_epi32(faces, _mm_set1_epi32(TO_HIGH)), back));

    static const int32_t next[3][4] = {{1, 2, 0, 0}, {2, 0, 1, 0}, {0, 1, 2, 0}}; /* x, y, z by z */
    const __m128i order = _mm_loadu_si128((const __m128i *)(const void *)next[z]);
    const __m128 in_order = _mm_permutevar_ps(scaled, order);
    vp_ray_frame *frame = &out->frame;
    _mm_storeu_ps(frame->origin, origin); /* each writes one float too many, which the next store overwrites */
    _mm_storeu_ps(frame->direction, scaled);
    _mm_storeu_si128((__m128i *)(void *)&frame->x, order);
    _mm_storel_pi((__m64 *)(void *)&frame->shear_x, _mm_div_ps(in_order, _mm_permute_ps(in_order, 0xaa)));
    frame->unscale = _mm_cvtss_f32(unscale);
    frame->t_max = t_max;
    frame->s_max = t_max * _mm_cvtss_f32(scale);
    return true;
}

/* plain_units_of, with the steps found by vp_kd_step's operations, and their reciprocals by their exponents. */
VP_INLINE ray_units units_of(const vp_kd_view *tree, const wide_ray *r)
{
    const __m128 low = _mm_loadu_ps(&tree->box.min.x);
    const __m128 high = _mm_castsi128_ps(_mm_srli_si128(_mm_castps_si128(_mm_loadu_ps(&tree->box.min.z)), 4));
    const __m128 most = _mm_mul_ps(_mm_sub_ps(high, low), _mm_set1_ps(1.00001f / 127.0f));
    const __m128i power = _mm_and_si128(_mm_castps_si128(most), _mm_set1_epi32(255 << 23));
    const __m128i bits = _mm_max_epi32(power, _mm_set1_epi32((127 - 60) << 23));
    const __m128 step = _mm_castsi128_ps(bits), inverse = _mm_castsi128_ps(_mm_sub_epi32(_mm_set1_epi32(254 << 23), bits));
    ray_units u;
    _mm_storeu_ps(u.against, _mm_mul_ps(_mm_loadu_ps(r->world.against), step));
    _mm_storeu_ps(u.from_near, _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(r->world.from_near), low), inverse));
    _mm_storeu_ps(u.from_far, _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(r->world.from_far), low), inverse));
    return u;
}

#endif
