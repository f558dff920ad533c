/* SPDX-License-Identifier: MIT */
/* All pairs that touch: article "Scene Collision Detection", "Detection", "if you wanna have more than one dynamic
 * object". Each leaf queries the tree, and keeps the objects with higher ids. */
#include <voxphys/kernel/spheretree.h>

#include "src/spheretree/touch.h"
#include "src/spheretree/walk.h"

typedef struct pair_query {
    const vp_spheretree_view *tree;
    vp_spheretree_pair *out;
    uint32_t capacity, count;
    uint64_t tests;
} pair_query;

/* Item i of a leaf. */
static vp_spheretree_item item_of(const vp_spheretree_view *tree, const vp_spheretree_node *leaf, uint32_t triangles, uint32_t i,
                                  vp_vec3 corner[3])
{
    if (triangles > 0)
        vp_scene_corners(tree, leaf, i, corner);
    return (vp_spheretree_item){vp_spheretree_object_of(leaf), triangles > 0 ? vp_scene_triangle_of(leaf, i) : VP_SPHERETREE_NONE};
}

static void try_leaves(pair_query *by, const vp_spheretree_node *a, const vp_spheretree_node *b)
{
    const uint32_t of_a = vp_spheretree_triangles_of(a), of_b = vp_spheretree_triangles_of(b);
    for (uint32_t i = 0; i < (of_a > 0 ? of_a : 1); i++)
        for (uint32_t k = 0; k < (of_b > 0 ? of_b : 1); k++) {
            vp_vec3 p[3], q[3];
            const vp_spheretree_pair pair = {item_of(by->tree, a, of_a, i, p), item_of(by->tree, b, of_b, k, q)};
            by->tests++;
            if (of_a > 0 ? !(of_b > 0 ? vp_triangles_touch(p, q) : vp_triangle_touches_sphere(p, &b->bound))
                         : !(of_b > 0 ? vp_triangle_touches_sphere(q, &a->bound) : vp_sphere_touches_sphere(&a->bound, &b->bound)))
                continue;
            if (by->count < by->capacity)
                by->out[by->count] = pair;
            by->count = vp_scene_one_more(by->count);
        }
}

uint32_t vp_scene_pairs_scalar(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_spheretree_pair *out, uint32_t capacity)
{
    pair_query by = {tree, out, capacity, 0, 0};
    uint64_t nodes = 0;
    for (uint32_t of = tree->root; of != VP_SPHERETREE_NONE;) {
        const vp_spheretree_node *leaf = &tree->node[of];
        nodes++;
        if (!vp_spheretree_is_leaf(leaf) && vp_scene_is_in_mask(query, leaf)) {
            of = vp_scene_into(tree, of, NULL);
            continue;
        }
        if (vp_scene_is_in_mask(query, leaf))
            for (uint32_t at = tree->root; at != VP_SPHERETREE_NONE;) {
                const vp_spheretree_node *node = &tree->node[at];
                nodes++;
                if ((node->mask & leaf->mask) == 0 || !vp_scene_is_in_mask(query, node) || !vp_sphere_nears(&leaf->bound, &node->bound)) {
                    at = vp_scene_past(tree, at, NULL);
                } else if (!vp_spheretree_is_leaf(node)) {
                    at = vp_scene_into(tree, at, NULL);
                } else {
                    if (vp_spheretree_object_of(leaf) < vp_spheretree_object_of(node))
                        try_leaves(&by, leaf, node);
                    at = vp_scene_past(tree, at, NULL);
                }
            }
        of = vp_scene_past(tree, of, NULL);
    }
    vp_scene_add_cost(query, nodes, by.tests);
    return by.count;
}
