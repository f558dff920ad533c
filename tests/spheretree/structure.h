/* SPDX-License-Identifier: MIT */
/* The structure of both forms of the sphere tree, in exact arithmetic, and a small mesh. */
#ifndef VP_TESTS_SPHERETREE_STRUCTURE_H
#define VP_TESTS_SPHERETREE_STRUCTURE_H

#include <stdlib.h>

#include <voxphys/spheretree.h>

#include "src/spheretree/leaf.h"
#include "src/spheretree/tree.h"
#include "src/spheretree/wide.h"
#include "tests/spheretree/exact.h"
#include "tests/support/check.h"

enum { MESH_TRIANGLES = 9 };

/* Two triangles with a common side, twice. Two without one. Three with one common side between two of them. */
static const vp_vec3 corners[] = {{0, 0, 250}, {4, 0, 250}, {0, 4, 250}, {4, 4, 250}, {8, 4, 250}};
static const uint32_t indices[MESH_TRIANGLES * 3] = {0, 1, 2, 2, 1, 3, 0, 1, 2, 2, 1, 3, 0, 0, 0, 4, 4, 4, 0, 1, 2, 4, 4, 4, 2, 1, 4};
static const vp_triangles mesh = {.vertex = corners, .index = indices, .vertex_count = 5, .triangle_count = MESH_TRIANGLES};

static inline vp_spheretree *new_wide(const vp_allocator *allocator, uint32_t capacity)
{
    const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE, .capacity = capacity, .allocator = allocator};
    vp_spheretree *tree = NULL;
    assert_ok(vp_spheretree_create(&def, &tree, &error));
    return tree;
}

/* ---- the published form ---- */

/* Checks parents, children and masks, and that every bound contains all leaves under it, in exact arithmetic. */
static inline void check_published(const vp_spheretree *tree)
{
    const vp_spheretree_view *t = vp_spheretree_view_of(tree);
    const vp_spheretree_stats stats = vp_spheretree_stats_of(tree);
    uint32_t leaves = 0, nodes = 0, deepest = 0;
    exact_spheres e;
    exact_begin(&e);
    if (t->root != VP_SPHERETREE_NONE)
        assert_int_equal(t->node[t->root].parent, VP_SPHERETREE_NONE);
    uint32_t *stack = malloc((stats.nodes + 1) * sizeof *stack), waits = 0;
    if (t->root != VP_SPHERETREE_NONE)
        stack[waits++] = t->root;
    while (waits > 0) {
        const uint32_t at = stack[--waits];
        const vp_spheretree_node *node = &t->node[at];
        nodes++;
        if (!vp_spheretree_is_leaf(node)) {
            uint32_t mask = 0;
            for (int k = 0; k < 2; k++) {
                assert_int_equal(t->node[node->child[k]].parent, at);
                mask |= t->node[node->child[k]].mask;
                stack[waits++] = node->child[k];
            }
            assert_int_equal(mask, node->mask);
            continue;
        }
        uint32_t depth = 1;
        leaves++;
        for (uint32_t up = node->parent; up != VP_SPHERETREE_NONE; up = t->node[up].parent, depth++)
            assert_true(exact_holds(&e, &t->node[up].bound, &node->bound));
        deepest = depth > deepest ? depth : deepest;
        const vp_spheretree_entry *object = &t->object[vp_spheretree_object_of(node)];
        assert_int_equal(object->mask, node->mask);
        if (vp_spheretree_triangles_of(node) == 0)
            assert_int_equal(object->leaf, at);
        for (uint32_t i = 0; i < vp_spheretree_triangles_of(node); i++) {
            const vp_triangles *triangles = &t->mesh[object->leaf & ~VP_SPHERETREE_MESH].triangles;
            uint32_t corner[3];
            vp_triangle_corners(triangles, (node->child[1] >> 1) + i, corner);
            for (int k = 0; k < 3; k++)
                assert_true(exact_within(&e, triangles->vertex[corner[k]], node->bound.centre, node->bound.radius, 0));
        }
    }
    free(stack);
    exact_end(&e);
    assert_int_equal(leaves, stats.leaves);
    assert_int_equal(nodes, stats.nodes);
    assert_int_equal(deepest, stats.depth);
    assert_true(stats.excess > -1 && stats.excess < INFINITY);
}

/* ---- the wide form ---- */

typedef struct structure {
    const vp_spheretree_view *tree;
    exact_spheres exact;
    uint32_t leaves, nodes, slot[VP_SPHERETREE_MAX_LEVELS]; /* slots above a node */
} structure;

/* An inner lane's box has room for a leaf's, and for the roundings of queries. */
static inline void check_box(const vp_spheretree_wide *wide, uint32_t slot, const vp_sphere *leaf)
{
    const vp_spheretree_wide_box *box = &wide->box[wide->info[slot / VP_WIDE].box];
    const uint32_t lane = slot % VP_WIDE;
    const vp_vec3 c = vp_wide_sphere(wide, slot).centre;
    const double from[3] = {c.x, c.y, c.z}, to[3] = {leaf->centre.x, leaf->centre.y, leaf->centre.z},
                 half[3] = {box->x[lane], box->y[lane], box->z[lane]};
    for (int k = 0; k < 3; k++)
        assert_true((fabs(from[k] - to[k]) + leaf->radius) * (1 + 0x1p-21) <= half[k]);
}

/* Every leaf is on level 0, in its slot, within all lanes above it, and has no mask that they lack. */
static inline void check_leaf(structure *s, uint32_t slot, uint32_t depth)
{
    const vp_spheretree_wide *wide = s->tree->wide;
    const vp_spheretree_node leaf = vp_wide_leaf_of(s->tree, &wide->node[slot / VP_WIDE], slot % VP_WIDE);
    const uint32_t child = wide->node[slot / VP_WIDE].child[slot % VP_WIDE], object = vp_spheretree_object_of(&leaf);
    s->leaves++;
    if ((child & VP_SPHERETREE_LEAF) != 0)
        assert_int_equal(wide->leaf[child & ~VP_SPHERETREE_LEAF].slot, slot);
    else
        assert_int_equal(s->tree->object[object].leaf, slot);
    assert_int_equal(wide->common_mask & ~leaf.mask, 0);
    assert_int_equal(leaf.mask & ~wide->info[slot / VP_WIDE].mask, 0);
    for (uint32_t k = 0; k < depth; k++) {
        const vp_sphere bound = vp_wide_sphere(wide, s->slot[k]);
        assert_int_equal(leaf.mask & ~wide->info[s->slot[k] / VP_WIDE].mask, 0);
        assert_true(exact_holds(&s->exact, &bound, &leaf.bound));
        check_box(wide, s->slot[k], &leaf.bound);
    }
}

static inline void check_node(structure *s, uint32_t at, uint32_t depth)
{
    const vp_spheretree_wide *wide = s->tree->wide;
    const vp_spheretree_wide_info *info = &wide->info[at];
    s->nodes++;
    assert_int_equal(info->parent, depth > 0 ? s->slot[depth - 1] : VP_SPHERETREE_NONE);
    assert_in_range(info->count, depth == 0 && info->level > 0 ? 2 : 1, VP_WIDE);
    assert_int_equal(info->dirty, false);
    for (uint32_t lane = 0; lane < VP_WIDE; lane++) {
        const uint32_t slot = at * VP_WIDE + lane, child = wide->node[at].child[lane];
        if (lane >= info->count) {
            assert_true(isnan(wide->node[at].radius[lane]) && (info->level == 0 || isnan(wide->box[info->box].x[lane])));
        } else if (info->level == 0) {
            check_leaf(s, slot, depth);
        } else {
            assert_int_equal(wide->info[child].level, info->level - 1);
            s->slot[depth] = slot;
            check_node(s, child, depth + 1);
        }
    }
}

static inline void check_wide(const vp_spheretree *tree)
{
    structure s = {.tree = vp_spheretree_view_of(tree)};
    const vp_spheretree_stats stats = vp_spheretree_stats_of(tree);
    exact_begin(&s.exact);
    if (s.tree->wide->root != VP_SPHERETREE_NONE)
        check_node(&s, s.tree->wide->root, 0);
    exact_end(&s.exact);
    assert_int_equal(s.leaves, stats.leaves);
    assert_int_equal(s.nodes, stats.nodes);
}

static inline void check_tree(const vp_spheretree *tree)
{
    if (vp_spheretree_view_of(tree)->wide != NULL)
        check_wide(tree);
    else
        check_published(tree);
}

#endif
