/* SPDX-License-Identifier: MIT */
/* Queries of the wide sphere tree in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/spheretree/scene_body.h"
#include "optimized/spheretree/pairs_body.h"

void vp_scene_bound_plain(const vp_spheretree_wide_node *node, const vp_spheretree_wide_box *box, uint32_t count, vp_sphere *out,
                          vp_vec3 *half)
{
    scene_bound(node, box, count, out, half);
}

uint32_t vp_scene_sphere_plain(const vp_spheretree_view *tree, const vp_sphere *sphere, const vp_spheretree_query *query,
                               vp_spheretree_item *out, uint32_t capacity)
{
    return scene_sphere(tree, sphere, query, out, capacity);
}

uint32_t vp_scene_box_plain(const vp_spheretree_view *tree, const vp_aabb *box, const vp_spheretree_query *query, vp_spheretree_item *out,
                            uint32_t capacity)
{
    return scene_box(tree, box, query, out, capacity);
}

uint32_t vp_scene_triangle_plain(const vp_spheretree_view *tree, const vp_vec3 *corner, const vp_spheretree_query *query,
                                 vp_spheretree_item *out, uint32_t capacity)
{
    return scene_triangle(tree, corner, query, out, capacity);
}

vp_spheretree_hit vp_scene_ray_plain(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query)
{
    return scene_ray(tree, ray, query);
}

bool vp_scene_ray_any_plain(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query)
{
    return scene_ray_any(tree, ray, query);
}

uint32_t vp_scene_ray_all_plain(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query, vp_spheretree_hit *out,
                                uint32_t capacity)
{
    return scene_ray_all(tree, ray, query, out, capacity);
}

uint32_t vp_scene_pairs_plain(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_spheretree_pair *out, uint32_t capacity)
{
    return scene_pairs(tree, query, out, capacity);
}
