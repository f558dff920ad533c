/* SPDX-License-Identifier: MIT */
/* A walk over a tree by its parent links. It needs no memory, so it works at any depth.
 *
 * Nodes come before their children. A walk goes from a node to its first child (vp_scene_into), or skips its subtree
 * (vp_scene_past): up while it was the second child, then to the sibling. The first child depends only on the node and
 * the direction, so the walk finds it again on the way up. */
#ifndef VP_SPHERETREE_WALK_H
#define VP_SPHERETREE_WALK_H

#include <voxphys/kernel/spheretree.h>

/* For a ray the child whose centre comes first along it. Child 0 without a direction. */
static inline int vp_scene_first(const vp_spheretree_view *tree, const vp_spheretree_node *node, const float *direction)
{
    if (direction == NULL)
        return 0;
    const vp_vec3 a = tree->node[node->child[0]].bound.centre, b = tree->node[node->child[1]].bound.centre;
    const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, z = (double)b.z - (double)a.z;
    return ((double)direction[0] * x + (double)direction[1] * y) + (double)direction[2] * z < 0;
}

static inline uint32_t vp_scene_into(const vp_spheretree_view *tree, uint32_t at, const float *direction)
{
    const vp_spheretree_node *node = &tree->node[at];
    return node->child[vp_scene_first(tree, node, direction)];
}

/* @return VP_SPHERETREE_NONE at the end of the walk */
static inline uint32_t vp_scene_past(const vp_spheretree_view *tree, uint32_t at, const float *direction)
{
    for (uint32_t up; (up = tree->node[at].parent) != VP_SPHERETREE_NONE; at = up) {
        const vp_spheretree_node *parent = &tree->node[up];
        const int second = 1 - vp_scene_first(tree, parent, direction);
        if (parent->child[second] != at)
            return parent->child[second];
    }
    return VP_SPHERETREE_NONE;
}

/* The number of a leaf's first triangle, and so on. */
static inline uint32_t vp_scene_triangle_of(const vp_spheretree_node *leaf, uint32_t which)
{
    return (leaf->child[1] >> 1) + which;
}

/* The corners of a triangle of a leaf. */
static inline void vp_scene_corners(const vp_spheretree_view *tree, const vp_spheretree_node *leaf, uint32_t which, vp_vec3 corner[3])
{
    const vp_spheretree_entry *object = &tree->object[vp_spheretree_object_of(leaf)];
    const vp_triangles *triangles = &tree->mesh[object->leaf & ~VP_SPHERETREE_MESH].triangles;
    uint32_t vertex[3];
    vp_triangle_corners(triangles, vp_scene_triangle_of(leaf, which), vertex);
    for (int k = 0; k < 3; k++)
        corner[k] = triangles->vertex[vertex[k]];
}

/* Whether a query visits a node, because their masks have a bit in common. */
static inline bool vp_scene_is_in_mask(const vp_spheretree_query *query, const vp_spheretree_node *node)
{
    return ((query == NULL ? UINT32_MAX : query->mask) & node->mask) != 0;
}

/* The object-level test of a leaf that is a sphere. */
static inline bool vp_scene_is_touched(const vp_spheretree_view *tree, const vp_spheretree_query *query, uint32_t object, float *t)
{
    return query == NULL || query->test == NULL || query->test(query->user, object, tree->object[object].data, t);
}

/* The number of results after which a query ends. */
static inline uint32_t vp_scene_limit(const vp_spheretree_query *query)
{
    return query == NULL || query->limit == 0 ? UINT32_MAX : query->limit;
}

static inline bool vp_scene_is_stopped(const vp_spheretree_query *query)
{
    return query != NULL && query->stop != NULL && *query->stop;
}

static inline void vp_scene_add_cost(const vp_spheretree_query *query, uint64_t nodes, uint64_t tests)
{
    if (query != NULL && query->cost != NULL) {
        query->cost->nodes += nodes;
        query->cost->tests += tests;
    }
}

#endif
