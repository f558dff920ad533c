/* SPDX-License-Identifier: MIT */
/* Queries of a whole terrain on NEON. The ideas are in optimized/terrain/ray.h, and those of trees in optimized/kd/wide.h. */
#include "optimized/simd/neon.h"

#include "optimized/terrain/packet.h"

vp_terrain_hit vp_terrain_ray_neon(const vp_terrain_view *terrain, const vp_ray *ray)
{
    return closest_in_world(terrain, ray);
}

void vp_terrain_ray16_neon(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit)
{
    cast_rays_in_world(terrain, ray, count, hit);
}

int32_t vp_terrain_ray_any_neon(const vp_terrain_view *terrain, const vp_ray *ray)
{
    return meets_any_in_world(terrain, ray);
}

uint32_t vp_terrain_ray_all_neon(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity)
{
    return list_all_in_world(terrain, ray, out, capacity);
}

vp_terrain_hit vp_terrain_sphere_sweep_neon(const vp_terrain_view *terrain, const vp_ray *ray, float radius)
{
    return sweep_in_world(terrain, ray, radius);
}

uint32_t vp_terrain_gather_neon(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity)
{
    return gather_world(terrain, box, out, capacity);
}
