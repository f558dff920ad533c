/* SPDX-License-Identifier: MIT */
/* Online insertion: article "Scene Collision Detection", "Construction".
 *
 * "Each node of the tree has either two children or is a leaf representing some object. To decide in which branch the
 * new leaf should be inserted test which one would have the smaller bounding volume afterwards. [...] A possible
 * alternative would be to use the sphere which growth less." */
#include <voxphys/kernel/spheretree.h>

#include "src/spheretree/meld.h"

void vp_scene_insert_scalar(vp_spheretree_view *tree, uint32_t leaf, uint32_t inner)
{
    vp_spheretree_node *node = tree->node;
    node[leaf].parent = VP_SPHERETREE_NONE;
    if (tree->root == VP_SPHERETREE_NONE) {
        tree->root = leaf;
        return;
    }
    uint32_t at = tree->root;
    vp_sphere bound = vp_scene_melded(&node[at].bound, &node[leaf].bound); /* of the nodes below `at`, and the leaf */
    while (!vp_spheretree_is_leaf(&node[at])) {
        double size[2];
        vp_sphere after[2];
        for (int i = 0; i < 2; i++) {
            const vp_sphere *child = &node[node[at].child[i]].bound;
            after[i] = vp_scene_melded(child, &node[leaf].bound);
            size[i] = tree->rule == VP_SPHERETREE_LEAST ? (double)after[i].radius - (double)child->radius : (double)after[i].radius;
        }
        const int into = size[1] < size[0];
        node[at].bound = bound;
        node[at].mask |= node[leaf].mask;
        bound = after[into];
        at = node[at].child[into];
    }

    const uint32_t parent = node[at].parent;
    node[inner] = (vp_spheretree_node){bound, parent, {at, leaf}, node[at].mask | node[leaf].mask};
    node[at].parent = node[leaf].parent = inner;
    if (parent == VP_SPHERETREE_NONE)
        tree->root = inner;
    else
        node[parent].child[node[parent].child[1] == at] = inner;
}
