/* SPDX-License-Identifier: MIT */
/* The kernels of a whole terrain's queries for one instruction set: after lanes_<isa>.h, with VP_WORLD_ISA its name. */
#ifndef VP_OPTIMIZED_TERRAIN_VERSIONS_H
#define VP_OPTIMIZED_TERRAIN_VERSIONS_H

#include "optimized/terrain/ray.h"

#define VP_KD_ISA                  VP_WORLD_ISA
#define VP_KD_VERSION(kernel, isa) VP_KD_VERSION_OF(kernel, isa)
#define VP_KD_VERSION_OF(kernel, isa) vp_kd_##kernel##_##isa

#define VP_PACKET_MORE "optimized/terrain/packet.h"
#define VP_PACKET 16
#define VP_UNIT   VP_UNIT_OF_16
#include "optimized/kd/packet.h"

#define VP_WORLD_VERSION(kernel, isa)    VP_WORLD_VERSION_OF(kernel, isa)
#define VP_WORLD_VERSION_OF(kernel, isa) vp_world_##kernel##_##isa

vp_world_hit VP_WORLD_VERSION(ray, VP_WORLD_ISA)(const vp_terrain_view *terrain, const vp_ray *ray)
{
    return closest_in_world(terrain, ray);
}

void VP_WORLD_VERSION(ray16, VP_WORLD_ISA)(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_world_hit *hit)
{
    closest_of_many_in_world_16(terrain, ray, count, hit);
}

int32_t VP_WORLD_VERSION(ray_any, VP_WORLD_ISA)(const vp_terrain_view *terrain, const vp_ray *ray)
{
    return meets_any_in_world(terrain, ray);
}

uint32_t VP_WORLD_VERSION(ray_all, VP_WORLD_ISA)(const vp_terrain_view *terrain, const vp_ray *ray, vp_world_hit *out,
                                                 uint32_t capacity)
{
    return list_all_in_world(terrain, ray, out, capacity);
}

vp_world_hit VP_WORLD_VERSION(sweep, VP_WORLD_ISA)(const vp_terrain_view *terrain, const vp_ray *ray, float radius)
{
    return sweep_in_world(terrain, ray, radius);
}

uint32_t VP_WORLD_VERSION(box, VP_WORLD_ISA)(const vp_terrain_view *terrain, const vp_aabb *box, vp_world_triangle *out,
                                             uint32_t capacity)
{
    return gather_world(terrain, box, out, capacity);
}

#endif
