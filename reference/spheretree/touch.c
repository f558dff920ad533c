/* SPDX-License-Identifier: MIT */
/* The objects that a sphere, a box or a triangle touches: article "Scene Collision Detection", "Detection".
 *
 * "Take any geometry your basic collision test functions support and test recursively. If the current object collides
 * with the sphere of the tree search in both children if possible. Otherwise we have a collision with a leaf [...] Now
 * the collision test between sphere and object must be performed e.g. on triangle level." The recursion is a walk by
 * parent links, see src/spheretree/walk.h. */
#include <voxphys/kernel/spheretree.h>

#include "src/spheretree/leaf.h"
#include "src/spheretree/walk.h"
#include "src/spheretree/wide.h"

/* The same over nodes of many children. */
static uint32_t list_touched_wide(const vp_spheretree_view *tree, const vp_touch_query *by, const vp_spheretree_query *query,
                                  vp_touch_list *list)
{
    const vp_spheretree_wide *wide = tree->wide;
    uint32_t stack[VP_WIDE_STACK], waits = 0;
    uint64_t nodes = 0, tests = 0;
    if (wide->root != VP_SPHERETREE_NONE)
        stack[waits++] = wide->root;
    while (waits > 0 && list->count < list->limit && !vp_scene_is_stopped(query)) {
        const uint32_t at = stack[--waits];
        nodes++;
        for (uint32_t lane = 0; lane < wide->info[at].count && !vp_scene_is_stopped(query); lane++) {
            const vp_sphere bound = vp_wide_sphere(wide, at * VP_WIDE + lane);
            if (!by->is_near(by, &bound))
                continue;
            if (wide->info[at].level > 0) {
                stack[waits++] = wide->node[at].child[lane];
                continue;
            }
            const vp_spheretree_node leaf = vp_wide_leaf_of(tree, &wide->node[at], lane);
            if (vp_scene_is_in_mask(query, &leaf))
                tests += vp_touch_leaf(tree, by, query, &leaf, list);
        }
    }
    vp_scene_add_cost(query, nodes, tests);
    return list->count;
}

static uint32_t list_touched(const vp_spheretree_view *tree, const vp_touch_query *by, const vp_spheretree_query *query,
                             vp_spheretree_item *out, uint32_t capacity)
{
    vp_touch_list list = {out, capacity, vp_scene_limit(query), 0};
    uint32_t at = tree->root;
    uint64_t nodes = 0, tests = 0;
    if (tree->wide != NULL)
        return list_touched_wide(tree, by, query, &list);
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
