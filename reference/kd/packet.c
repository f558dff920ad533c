/* SPDX-License-Identifier: MIT */
/* Packets of rays. The voxel terrain article casts single rays; it is those who render, or probe a surface many times,
 * that cast them in bundles: neighbouring rays meet much the same nodes and triangles, so what is fetched, and
 * decided, for one of them may serve all. That is a matter of speed alone, and this is the reference: what a packet
 * meets is what its rays meet, one after the other. */
#include <voxphys/kernel/kd.h>

static void one_by_one(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    for (uint32_t i = 0; i < count; i++)
        hit[i] = vp_kd_ray_scalar(tree, &ray[i]);
}

void vp_kd_ray8_scalar(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    one_by_one(tree, ray, count, hit);
}

void vp_kd_ray16_scalar(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    one_by_one(tree, ray, count, hit);
}
