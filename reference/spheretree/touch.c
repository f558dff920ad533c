/* SPDX-License-Identifier: MIT */
/* The objects that a sphere, a box or a triangle touches: article "Scene Collision Detection", "Detection".
 *
 * "Take any geometry your basic collision test functions support and test recursively. If the current object collides
 * with the sphere of the tree search in both children if possible. Otherwise we have a collision with a leaf [...] Now
 * the collision test between sphere and object must be performed e.g. on triangle level." The recursion is a walk by
 * parent links, see src/spheretree/walk.h. */
#include <voxphys/kernel/spheretree.h>

#include "reference/spheretree/wide_walk.h"
#include "src/spheretree/leaf.h"

typedef struct wide_touch {
    const vp_spheretree_view *tree;
    const vp_touch_query *by;
    const vp_spheretree_query *query;
    vp_touch_list *list;
    uint64_t tests;
} wide_touch;

static bool is_touch_near(const void *user, const vp_sphere *bound)
{
    const wide_touch *w = user;
    return w->by->is_near(w->by, bound);
}

static bool touch_leaf(void *user, const vp_spheretree_node *leaf)
{
    wide_touch *w = user;
    w->tests += vp_touch_leaf(w->tree, w->by, w->query, leaf, w->list);
    return w->list->count < w->list->limit && !vp_scene_is_stopped(w->query);
}

static uint32_t list_touched(const vp_spheretree_view *tree, const vp_touch_query *by, const vp_spheretree_query *query,
                             vp_spheretree_item *out, uint32_t capacity)
{
    vp_touch_list list = {out, capacity, vp_scene_limit(query), 0};
    uint32_t at = tree->root;
    uint64_t nodes = 0, tests = 0;
    if (tree->wide != NULL) {
        wide_touch w = {tree, by, query, &list, 0};
        nodes = vp_scene_is_stopped(query) ? 0 : vp_wide_walk(tree, query, is_touch_near, touch_leaf, &w);
        vp_scene_add_cost(query, nodes, w.tests);
        return list.count;
    }
    while (at != VP_SPHERETREE_NONE && list.count < list.limit && !vp_scene_is_stopped(query)) {
        const vp_spheretree_node *node = &tree->node[at];
        nodes++;
        if (!vp_scene_is_in_mask(query, node) || !by->is_near(by, &node->bound)) {
            at = vp_scene_past(tree, at, NULL);
            continue;
        }
        if (!vp_spheretree_is_leaf(node)) {
            at = vp_scene_into(tree, at, NULL);
            continue;
        }
        tests += vp_touch_leaf(tree, by, query, node, &list);
        at = vp_scene_past(tree, at, NULL);
    }
    vp_scene_add_cost(query, nodes, tests);
    return list.count;
}

uint32_t vp_scene_sphere_scalar(const vp_spheretree_view *tree, const vp_sphere *sphere, const vp_spheretree_query *query,
                                vp_spheretree_item *out, uint32_t capacity)
{
    const vp_touch_query by = vp_touch_by_sphere(sphere);
    return list_touched(tree, &by, query, out, capacity);
}

uint32_t vp_scene_box_scalar(const vp_spheretree_view *tree, const vp_aabb *box, const vp_spheretree_query *query, vp_spheretree_item *out,
                             uint32_t capacity)
{
    const vp_touch_query by = vp_touch_by_box(box);
    const vp_scene_shape *shape = vp_scene_shape_of(query);
    return list_touched(tree, shape != NULL ? &shape->touch : &by, query, out, capacity);
}

uint32_t vp_scene_triangle_scalar(const vp_spheretree_view *tree, const vp_vec3 *corner, const vp_spheretree_query *query,
                                  vp_spheretree_item *out, uint32_t capacity)
{
    const vp_touch_query by = vp_touch_by_triangle(corner);
    return list_touched(tree, &by, query, out, capacity);
}
