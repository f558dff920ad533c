/* SPDX-License-Identifier: MIT */
/* Rays through the sphere tree: article "Scene Collision Detection", "Detection". "ray-scene intersections is something
 * I would like to have" is the reason for a tree instead of sweep-and-prune. The child whose centre comes first is
 * visited first, and nodes that are entered after the nearest hit so far are skipped. */
#include <voxphys/kernel/spheretree.h>

#include "reference/spheretree/wide_walk.h"
#include "src/spheretree/leaf.h"

typedef struct ray_leaves {
    const vp_spheretree_view *tree;
    const vp_ray_frame *ray;
    const vp_spheretree_query *query;
    vp_scene_ray_query *by;
    double reach;
    uint64_t tests;
} ray_leaves;

static bool is_ray_near(const void *user, const vp_sphere *bound)
{
    const ray_leaves *w = user;
    return vp_ray_nears(w->ray, bound, w->reach, w->by->s_most);
}

static bool meet_leaf(void *user, const vp_spheretree_node *leaf)
{
    ray_leaves *w = user;
    w->tests += vp_ray_leaf(w->tree, w->ray, w->query, leaf, w->by);
    return w->by->s_most >= 0;
}

static void visit_leaves(const vp_spheretree_view *tree, const vp_ray *of, const vp_spheretree_query *query, vp_scene_ray_query *by)
{
    vp_ray_frame ray;
    uint32_t at = tree->root;
    uint64_t nodes = 0, tests = 0;
    const double reach = vp_scene_shape_of(query) != NULL ? query->shape->reach : 0;
    if (!vp_ray_frame_of(of, &ray))
        return;
    by->s_most = ray.s_max;
    if (tree->wide != NULL) {
        ray_leaves w = {tree, &ray, query, by, reach, 0};
        nodes = vp_wide_walk(tree, query, is_ray_near, meet_leaf, &w);
        vp_scene_add_cost(query, nodes, w.tests);
        return;
    }
    while (at != VP_SPHERETREE_NONE && by->s_most >= 0) {
        const vp_spheretree_node *node = &tree->node[at];
        nodes++;
        if (!vp_scene_is_in_mask(query, node) || !vp_ray_nears(&ray, &node->bound, reach, by->s_most)) {
            at = vp_scene_past(tree, at, ray.direction);
            continue;
        }
        if (!vp_spheretree_is_leaf(node)) {
            at = vp_scene_into(tree, at, ray.direction);
            continue;
        }
        tests += vp_ray_leaf(tree, &ray, query, node, by);
        at = vp_scene_past(tree, at, ray.direction);
    }
    vp_scene_add_cost(query, nodes, tests);
}

vp_spheretree_hit vp_scene_ray_scalar(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query)
{
    vp_spheretree_hit hit = {ray->t_max, {VP_SPHERETREE_NONE, VP_SPHERETREE_NONE}, 0, 0};
    vp_scene_ray_query by = vp_ray_closest(&hit);
    visit_leaves(tree, ray, query, &by);
    return hit;
}

bool vp_scene_ray_any_scalar(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query)
{
    vp_scene_ray_query by = vp_ray_any();
    visit_leaves(tree, ray, query, &by);
    return by.count > 0;
}

uint32_t vp_scene_ray_all_scalar(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query,
                                 vp_spheretree_hit *out, uint32_t capacity)
{
    vp_scene_ray_query by = vp_ray_all(out, capacity);
    visit_leaves(tree, ray, query, &by);
    return by.count;
}
