/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on AVX2. The ideas are in kd_wide.h and kd_nodes.h. */
#include "optimized/lanes_avx2.h"

#include "optimized/kd_query.h"

vp_hit vp_kd_ray_avx2(const vp_kd_view *tree, const vp_ray *ray)
{
    return closest(tree, ray);
}

int32_t vp_kd_ray_any_avx2(const vp_kd_view *tree, const vp_ray *ray)
{
    return meets_any(tree, ray);
}

uint32_t vp_kd_box_avx2(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather(tree, box, out, capacity);
}
