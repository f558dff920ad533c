/* SPDX-License-Identifier: MIT */
/* The kernels of the loose kD tree's queries for one instruction set. Included after lanes_<isa>.h and packet_<isa>.h,
 * with VP_KD_ISA its name. */
#ifndef VP_OPTIMIZED_KD_VERSIONS_H
#define VP_OPTIMIZED_KD_VERSIONS_H

#include "optimized/kd/query.h"

#define VP_KD_VERSION(kernel, isa)    VP_KD_VERSION_OF(kernel, isa)
#define VP_KD_VERSION_OF(kernel, isa) vp_kd_##kernel##_##isa

#define VP_PACKET 8
#define VP_UNIT   8
#include "optimized/kd/packet.h"

#define VP_PACKET 16
#define VP_UNIT   VP_UNIT_OF_16
#include "optimized/kd/packet.h"

vp_hit VP_KD_VERSION(ray, VP_KD_ISA)(const vp_kd_view *tree, const vp_ray *ray)
{
    return closest(tree, ray);
}

void VP_KD_VERSION(ray8, VP_KD_ISA)(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    closest_of_many_8(tree, ray, count, hit);
}

void VP_KD_VERSION(ray16, VP_KD_ISA)(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    closest_of_many_16(tree, ray, count, hit);
}

int32_t VP_KD_VERSION(ray_any, VP_KD_ISA)(const vp_kd_view *tree, const vp_ray *ray)
{
    return meets_any(tree, ray);
}

uint32_t VP_KD_VERSION(ray_all, VP_KD_ISA)(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    return list_all(tree, ray, out, capacity);
}

vp_hit VP_KD_VERSION(sphere_sweep, VP_KD_ISA)(const vp_kd_view *tree, const vp_ray *ray, float radius)
{
    return sweep(tree, ray, radius);
}

uint32_t VP_KD_VERSION(gather, VP_KD_ISA)(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather(tree, true, box, out, capacity);
}

uint32_t VP_KD_VERSION(gather_leaves, VP_KD_ISA)(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather(tree, false, box, out, capacity);
}

#endif
