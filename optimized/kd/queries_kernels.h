/* SPDX-License-Identifier: MIT */
/* The query kernels of an ISA. Its vocabulary is included before. */
#ifndef VP_OPTIMIZED_KD_QUERIES_KERNELS_H
#define VP_OPTIMIZED_KD_QUERIES_KERNELS_H

#include "optimized/kd/query.h"

vp_hit VP_VERSION(vp_kd_ray)(const vp_kd_view *tree, const vp_ray *ray)
{
    return closest(tree, ray);
}

int32_t VP_VERSION(vp_kd_ray_any)(const vp_kd_view *tree, const vp_ray *ray)
{
    return meets_any(tree, ray);
}

uint32_t VP_VERSION(vp_kd_ray_all)(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    return list_all(tree, ray, out, capacity);
}

vp_hit VP_VERSION(vp_kd_sphere_sweep)(const vp_kd_view *tree, const vp_ray *ray, float radius)
{
    return sweep(tree, ray, radius);
}

uint32_t VP_VERSION(vp_kd_gather)(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather(tree, true, box, out, capacity);
}

uint32_t VP_VERSION(vp_kd_gather_leaves)(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather(tree, false, box, out, capacity);
}

#endif
