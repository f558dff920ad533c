/* SPDX-License-Identifier: MIT */
/* All pairs that touch: article "Scene Collision Detection", "Detection", "if you wanna have more than one dynamic
 * object". Each leaf queries the tree, and keeps the objects with higher ids. */
#include <voxphys/kernel/spheretree.h>

#include "reference/spheretree/wide_walk.h"
#include "src/spheretree/leaf.h"

static bool is_pair_near(const vp_spheretree_query *query, const vp_spheretree_node *leaf, const vp_spheretree_node *node)
{
    return (node->mask & leaf->mask) != 0 && vp_scene_is_in_mask(query, node) && vp_sphere_nears(&leaf->bound, &node->bound);
}

typedef struct wide_pairs {
    const vp_spheretree_view *tree;
    const vp_spheretree_query *query;
    const vp_spheretree_node *leaf;
    vp_pair_list *list;
    uint64_t nodes, tests;
} wide_pairs;

static bool is_leaf_near(const void *user, const vp_sphere *bound)
{
    return vp_sphere_nears(&((const wide_pairs *)user)->leaf->bound, bound);
}

static bool pair_with(void *user, const vp_spheretree_node *other)
{
    wide_pairs *w = user;
    if (vp_spheretree_object_of(w->leaf) < vp_spheretree_object_of(other) && is_pair_near(w->query, w->leaf, other))
        w->tests += vp_pair_leaves(w->tree, w->leaf, other, w->list);
    return w->list->count < w->list->limit;
}

static bool pair_leaf(void *user, const vp_spheretree_node *leaf)
{
    wide_pairs *w = user;
    w->leaf = leaf;
    w->nodes += vp_wide_walk(w->tree, w->query, is_leaf_near, pair_with, w);
    return w->list->count < w->list->limit;
}

uint32_t vp_scene_pairs_scalar(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_spheretree_pair *out, uint32_t capacity)
{
    vp_pair_list list = {out, capacity, vp_scene_limit(query), 0};
    uint64_t nodes = 0, tests = 0;
    if (tree->wide != NULL) {
        wide_pairs w = {tree, query, NULL, &list, 0, 0};
        vp_wide_walk(tree, query, NULL, pair_leaf, &w);
        vp_scene_add_cost(query, w.nodes, w.tests);
        return list.count;
    }
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
