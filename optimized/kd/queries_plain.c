/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree in plain C. The ideas are in optimized/kd/wide.h and optimized/kd/nodes.h. */
#include "optimized/simd/plain.h"

#include "optimized/kd/query.h"

vp_hit vp_kd_ray_plain(const vp_kd_view *tree, const vp_ray *ray)
{
    return closest(tree, ray);
}

int32_t vp_kd_ray_any_plain(const vp_kd_view *tree, const vp_ray *ray)
{
    return meets_any(tree, ray);
}

uint32_t vp_kd_ray_all_plain(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    return list_all(tree, ray, out, capacity);
}

vp_hit vp_kd_sphere_sweep_plain(const vp_kd_view *tree, const vp_ray *ray, float radius)
{
    return sweep(tree, ray, radius);
}

uint32_t vp_kd_gather_plain(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather(tree, true, box, out, capacity);
}

uint32_t vp_kd_gather_leaves_plain(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather(tree, false, box, out, capacity);
}
