/* SPDX-License-Identifier: MIT */
/* A walk over the wide form, child by child in double. */
#ifndef VP_REFERENCE_WIDE_WALK_H
#define VP_REFERENCE_WIDE_WALK_H

#include "src/spheretree/walk.h"
#include "src/spheretree/wide.h"

/* Whether a walk goes below a bound. */
typedef bool wide_near_fn(const void *user, const vp_sphere *bound);
/* @return false = the walk ends */
typedef bool wide_leaf_fn(void *user, const vp_spheretree_node *leaf);

/* Visits the leaves of a query's mask. @param is_near NULL = all @return the number of visited nodes */
static inline uint64_t vp_wide_walk(const vp_spheretree_view *tree, const vp_spheretree_query *query, wide_near_fn *is_near,
                                    wide_leaf_fn *visit, void *user)
{
    const vp_spheretree_wide *wide = tree->wide;
    uint32_t stack[VP_WIDE_STACK], waits = 0;
    uint64_t nodes = 0;
    if (wide->root != VP_SPHERETREE_NONE)
        stack[waits++] = wide->root;
    while (waits > 0) {
        const uint32_t at = stack[--waits];
        nodes++;
        for (uint32_t lane = 0; lane < wide->info[at].count; lane++) {
            const vp_sphere bound = vp_wide_sphere(wide, at * VP_WIDE + lane);
            if (is_near != NULL && !is_near(user, &bound))
                continue;
            if (wide->info[at].level > 0) {
                stack[waits++] = wide->node[at].child[lane];
                continue;
            }
            const vp_spheretree_node leaf = vp_wide_leaf_of(tree, &wide->node[at], lane);
            if (vp_scene_is_in_mask(query, &leaf) && !visit(user, &leaf))
                return nodes;
        }
    }
    return nodes;
}

#endif
