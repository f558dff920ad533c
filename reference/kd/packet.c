/* SPDX-License-Identifier: MIT */
/* Packets of rays. The voxel terrain article casts single rays. Renderers, and programs that probe a surface many
 * times, cast them in bundles. Neighbouring rays meet much the same nodes and triangles, so the fetches and decisions
 * for one of them may serve all. That only affects speed. In this reference a packet's hits are its rays' hits, one
 * after the other. */
#include <voxphys/kernel/kd.h>

static void trace_one_by_one(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    for (uint32_t i = 0; i < count; i++)
        hit[i] = vp_kd_ray_scalar(tree, &ray[i]);
}

void vp_kd_ray8_scalar(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    trace_one_by_one(tree, ray, count, hit);
}

void vp_kd_ray16_scalar(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    trace_one_by_one(tree, ray, count, hit);
}
