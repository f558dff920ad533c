/* SPDX-License-Identifier: MIT */
/* The kernels of a whole terrain's queries for one instruction set: after lanes_<isa>.h, with VP_WORLD_ISA its name. */
#ifndef VP_OPTIMIZED_WORLD_VERSIONS_H
#define VP_OPTIMIZED_WORLD_VERSIONS_H

#include "optimized/world_ray.h"

#define VP_WORLD_VERSION(kernel, isa)    VP_WORLD_VERSION_OF(kernel, isa)
#define VP_WORLD_VERSION_OF(kernel, isa) vp_world_##kernel##_##isa

vp_world_hit VP_WORLD_VERSION(ray, VP_WORLD_ISA)(const vp_terrain_view *terrain, const vp_ray *ray)
{
    return closest_in_world(terrain, ray);
}

void VP_WORLD_VERSION(ray16, VP_WORLD_ISA)(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_world_hit *hit)
{
    for (uint32_t i = 0; i < count; i++)
        hit[i] = closest_in_world(terrain, &ray[i]);
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
