/* SPDX-License-Identifier: MIT */
/* All pairs that touch: article "Scene Collision Detection", "Detection", "if you wanna have more than one dynamic
 * object". Each leaf queries the tree, and keeps the objects with higher ids. */
#include <voxphys/kernel/spheretree.h>

#include "src/spheretree/leaf.h"
#include "src/spheretree/walk.h"
#include "src/spheretree/wide.h"

static bool is_pair_near(const vp_spheretree_query *query, const vp_spheretree_node *leaf, const vp_spheretree_node *node)
{
    return (node->mask & leaf->mask) != 0 && vp_scene_is_in_mask(query, node) && vp_sphere_nears(&leaf->bound, &node->bound);
}

/* The pairs of one leaf in the wide form. */
static uint64_t pair_wide_leaf(const vp_spheretree_view *tree, const vp_spheretree_node *leaf, const vp_spheretree_query *query,
                               vp_pair_list *list, uint64_t *tests)
{
    const vp_spheretree_wide *wide = tree->wide;
    uint32_t stack[VP_WIDE_STACK], waits = 0;
    uint64_t nodes = 0;
    stack[waits++] = wide->root;
    while (waits > 0 && list->count < list->limit) {
        const uint32_t at = stack[--waits];
        nodes++;
        for (uint32_t lane = 0; lane < wide->info[at].count; lane++) {
            const vp_sphere bound = vp_wide_sphere(wide, at * VP_WIDE + lane);
            if (!vp_sphere_nears(&leaf->bound, &bound))
                continue;
            if (wide->info[at].level > 0) {
                stack[waits++] = wide->node[at].child[lane];
                continue;
            }
            const vp_spheretree_node other = vp_wide_leaf_of(tree, &wide->node[at], lane);
            if (vp_spheretree_object_of(leaf) < vp_spheretree_object_of(&other) && is_pair_near(query, leaf, &other))
                *tests += vp_pair_leaves(tree, leaf, &other, list);
        }
    }
    return nodes;
}

static uint32_t pair_wide(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_pair_list *list)
{
    const vp_spheretree_wide *wide = tree->wide;
    uint32_t stack[VP_WIDE_STACK], waits = 0;
    uint64_t nodes = 0, tests = 0;
    if (wide->root != VP_SPHERETREE_NONE)
        stack[waits++] = wide->root;
    while (waits > 0 && list->count < list->limit) {
        const uint32_t at = stack[--waits];
        for (uint32_t lane = 0; lane < wide->info[at].count; lane++) {
            if (wide->info[at].level > 0) {
                stack[waits++] = wide->node[at].child[lane];
                continue;
            }
            const vp_spheretree_node leaf = vp_wide_leaf_of(tree, &wide->node[at], lane);
            if (vp_scene_is_in_mask(query, &leaf))
                nodes += pair_wide_leaf(tree, &leaf, query, list, &tests);
        }
    }
    vp_scene_add_cost(query, nodes, tests);
    return list->count;
}

uint32_t vp_scene_pairs_scalar(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_spheretree_pair *out, uint32_t capacity)
{
    vp_pair_list list = {out, capacity, vp_scene_limit(query), 0};
    uint64_t nodes = 0, tests = 0;
    if (tree->wide != NULL)
        return pair_wide(tree, query, &list);
    for (uint32_t of = tree->root; of != VP_SPHERETREE_NONE && list.count < list.limit;) {
        const vp_spheretree_node *leaf = &tree->node[of];
        nodes++;
        if (!vp_spheretree_is_leaf(leaf) && vp_scene_is_in_mask(query, leaf)) {
            of = vp_scene_into(tree, of, NULL);
            continue;
        }
        if (vp_scene_is_in_mask(query, leaf))
            for (uint32_t at = tree->root; at != VP_SPHERETREE_NONE && list.count < list.limit;) {
                const vp_spheretree_node *node = &tree->node[at];
                nodes++;
                if (!is_pair_near(query, leaf, node)) {
                    at = vp_scene_past(tree, at, NULL);
                } else if (!vp_spheretree_is_leaf(node)) {
                    at = vp_scene_into(tree, at, NULL);
                } else {
                    if (vp_spheretree_object_of(leaf) < vp_spheretree_object_of(node))
                        tests += vp_pair_leaves(tree, leaf, node, &list);
                    at = vp_scene_past(tree, at, NULL);
                }
            }
        of = vp_scene_past(tree, of, NULL);
    }
    vp_scene_add_cost(query, nodes, tests);
    return list.count;
}
