/* SPDX-License-Identifier: MIT */
/* The kernels of a whole terrain's queries for one instruction set. Included after lanes_<isa>.h, with
   VP_TERRAIN_ISA its name. */
#ifndef VP_OPTIMIZED_TERRAIN_VERSIONS_H
#define VP_OPTIMIZED_TERRAIN_VERSIONS_H

#include "optimized/terrain/ray.h"

#define VP_KD_ISA                     VP_TERRAIN_ISA
#define VP_KD_VERSION(kernel, isa)    VP_KD_VERSION_OF(kernel, isa)
#define VP_KD_VERSION_OF(kernel, isa) vp_kd_##kernel##_##isa

#define VP_PACKET_MORE "optimized/terrain/packet.h"
#define VP_PACKET      16
#define VP_UNIT        VP_UNIT_OF_16
#include "optimized/kd/packet.h"

#define VP_TERRAIN_VERSION(kernel, isa)    VP_TERRAIN_VERSION_OF(kernel, isa)
#define VP_TERRAIN_VERSION_OF(kernel, isa) vp_terrain_##kernel##_##isa

vp_terrain_hit VP_TERRAIN_VERSION(ray, VP_TERRAIN_ISA)(const vp_terrain_view *terrain, const vp_ray *ray)
{
    return closest_in_world(terrain, ray);
}

void VP_TERRAIN_VERSION(ray16, VP_TERRAIN_ISA)(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit)
{
    closest_of_many_in_world_16(terrain, ray, count, hit);
}

int32_t VP_TERRAIN_VERSION(ray_any, VP_TERRAIN_ISA)(const vp_terrain_view *terrain, const vp_ray *ray)
{
    return meets_any_in_world(terrain, ray);
}

uint32_t VP_TERRAIN_VERSION(ray_all, VP_TERRAIN_ISA)(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out,
                                                     uint32_t capacity)
{
    return list_all_in_world(terrain, ray, out, capacity);
}

vp_terrain_hit VP_TERRAIN_VERSION(sphere_sweep, VP_TERRAIN_ISA)(const vp_terrain_view *terrain, const vp_ray *ray, float radius)
{
    return sweep_in_world(terrain, ray, radius);
}

uint32_t VP_TERRAIN_VERSION(gather, VP_TERRAIN_ISA)(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out,
                                                    uint32_t capacity)
{
    return gather_world(terrain, box, out, capacity);
}

#endif
