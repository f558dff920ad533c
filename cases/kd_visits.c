/* SPDX-License-Identifier: MIT */
/* Counts the nodes and triangles that a ray visits. The reference's source is compiled again, with counting versions of the functions that
 * decode a node and fetch a triangle. It is never timed. */
#include "cases/derived.h"

#include <voxphys/kd.h>

#include "src/kd/corners.h"

static uint64_t nodes, triangles;

/* Called once for every node of the published and the slab form. */
static uint32_t counted_axis(const vp_kd_node *node)
{
    nodes++;
    return vp_kd_axis(node);
}

/* Called once for every node and leaf of the wide form. */
static bool counted_is_leaf(uint32_t child)
{
    nodes++;
    return vp_kd_is_leaf(child);
}

/* The same for the packed and the implied form. */
static bool counted_packed_is_leaf(uint32_t child)
{
    nodes++;
    return vp_kd_packed_is_leaf(child);
}

/* Called once for every triangle of these forms. */
static uint32_t counted_id(const vp_kd_view *tree, uint32_t item)
{
    triangles++;
    return vp_kd_packed_id(tree, item);
}

static void counted_corners(const vp_triangles *of, uint32_t triangle, uint32_t corner[3])
{
    triangles++;
    vp_triangle_corners(of, triangle, corner);
}

#define vp_kd_axis                counted_axis
#define vp_kd_is_leaf             counted_is_leaf
#define vp_kd_packed_is_leaf      counted_packed_is_leaf
#define vp_kd_packed_id           counted_id
#define vp_triangle_corners       counted_corners
#define vp_kd_ray_scalar          counted_kd_ray
#define vp_kd_ray_any_scalar      counted_kd_ray_any
#define vp_kd_ray_all_scalar      counted_kd_ray_all
#define vp_kd_sphere_sweep_scalar counted_kd_sphere_sweep
#define vp_kd_nearest             counted_kd_nearest
#define vp_kd_each_hit            counted_kd_each_hit
vp_kd_ray_fn counted_kd_ray;
vp_kd_ray_any_fn counted_kd_ray_any;
vp_kd_ray_all_fn counted_kd_ray_all;
vp_kd_sphere_sweep_fn counted_kd_sphere_sweep;
#include "reference/kd/ray.c"

vp_kd_visits vp_kd_visits_of_rays(const vp_kd_view *const *tree, const vp_ray *ray, const uint32_t *mesh, uint32_t count)
{
    nodes = triangles = 0;
    for (uint32_t i = 0; i < count; i++)
        counted_kd_ray(tree[mesh[i]], &ray[i]);
    return (vp_kd_visits){(double)nodes / count, (double)triangles / count};
}
