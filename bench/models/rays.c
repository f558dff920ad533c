/* SPDX-License-Identifier: MIT */
/* A step of the kernels that traverse wide trees, between marks. bench/static-models reads it. */
#if defined(VP_MODEL_neon)
#include "optimized/simd/neon.h"
#else
#include "optimized/simd/avx2.h"
#endif

#include "optimized/kd/wide.h"

#include "src/core/model_marks.h"

/* The test of a node's children, like meet_children in optimized/kd/wide.h. */
void step(const vp_kd_wide *node, const wide_ray *ray, const float *most, float (*enter)[8], uint32_t *met, uint32_t count);
void step(const vp_kd_wide *node, const wide_ray *ray, const float *most, float (*enter)[8], uint32_t *met, uint32_t count)
{
    const ray_units *const u = &ray->world;
    const f32x8 s_most = f32x8_set1(*most), zero = f32x8_set1(0.0f);
    const f32x8 from_near[3] = {f32x8_set1(u->from_near[0]), f32x8_set1(u->from_near[1]), f32x8_set1(u->from_near[2])};
    const f32x8 from_far[3] = {f32x8_set1(u->from_far[0]), f32x8_set1(u->from_far[1]), f32x8_set1(u->from_far[2])};
    const f32x8 against[3] = {f32x8_set1(u->against[0]), f32x8_set1(u->against[1]), f32x8_set1(u->against[2])};
    const uint32_t near_x = ray->near_face[0], near_y = ray->near_face[1], near_z = ray->near_face[2];
    const uint32_t far_x = ray->far_face[0], far_y = ray->far_face[1], far_z = ray->far_face[2];
    for (uint32_t i = 0; i < count; i++) {
        VP_MODEL_BEGIN("kd_ray: the eight children of a node/8 boxes");
        const float *const face = &node[i].low[0][0];
        const f32x8 in_x = reach8(f32x8_load(face + near_x), from_near[0], against[0]),
                    out_x = reach8(f32x8_load(face + far_x), from_far[0], against[0]);
        const f32x8 in_y = reach8(f32x8_load(face + near_y), from_near[1], against[1]),
                    out_y = reach8(f32x8_load(face + far_y), from_far[1], against[1]);
        const f32x8 in_z = reach8(f32x8_load(face + near_z), from_near[2], against[2]),
                    out_z = reach8(f32x8_load(face + far_z), from_far[2], against[2]);
        const f32x8 near = f32x8_max(f32x8_max(in_x, in_y), f32x8_max(in_z, zero));
        const f32x8 far = f32x8_min(f32x8_min(out_x, out_y), f32x8_min(out_z, s_most));
        f32x8_store(enter[i], near);
        met[i] = m32x8_movemask(f32x8_cmp_le(near, far));
        VP_MODEL_END();
    }
}
