/* SPDX-License-Identifier: MIT */
/* Pairs of the wide form of the sphere tree. Included after optimized/spheretree/scene_body.h.
 *
 * Idea. Two nodes of one level at a time. Lanes decide which children of one are near the box of the other, and so on down to leaves.
 *
 * Why a lane loses nothing. The sums of two leaves' radii get 2^-62, so that their squares do not underflow, and the square of the distance
 * is multiplied by (1 - 2^-20). That covers 5 roundings of the distance's square, 3 of the radii's, and the exact test's 2^-47. Boxes of
 * two nodes each have the padding of scene_body.h. A box with the half size h around C, and a leaf (c, r) that touches a leaf in it: on
 * each axis |c - C| <= r (1 + 2^-50) + h (1 - 2^-22). r (1 + 2^-20) and the padding of h, at least 2^-92, cover that and the roundings of
 * the difference and the sum. */
#ifndef VP_OPTIMIZED_SPHERETREE_PAIRS_BODY_H
#define VP_OPTIMIZED_SPHERETREE_PAIRS_BODY_H

typedef struct pair_walk {
    const vp_spheretree_view *tree;
    uint32_t mask;
    bool all; /* every two objects have a bit in common, with each other and the query */
    uint64_t nodes, tests;
    vp_pair_list list;
} pair_walk;

/* The box of an inner node's child, in all lanes. */
typedef struct box_lanes {
    f32x16 centre[3], half[3];
} box_lanes;

VP_INLINE box_lanes lanes_of_box_of(const vp_spheretree_wide *wide, uint32_t at, uint32_t lane)
{
    const vp_spheretree_wide_node *n = &wide->node[at];
    const vp_spheretree_wide_box *b = &wide->box[wide->info[at].box];
    return (box_lanes){{f32x16_set1(n->x[lane]), f32x16_set1(n->y[lane]), f32x16_set1(n->z[lane])},
                       {f32x16_set1(b->x[lane]), f32x16_set1(b->y[lane]), f32x16_set1(b->z[lane])}};
}

/* The children of a node that overlap a box, by half their sizes. */
VP_INLINE uint32_t lanes_near_box(const box_lanes *by, const vp_spheretree_wide_node *n, f32x16 x, f32x16 y, f32x16 z)
{
    const m32x16 in_x = f32x16_cmp_le(f32x16_abs(f32x16_sub(f32x16_load(n->x), by->centre[0])), f32x16_add(x, by->half[0])),
                 in_y = f32x16_cmp_le(f32x16_abs(f32x16_sub(f32x16_load(n->y), by->centre[1])), f32x16_add(y, by->half[1])),
                 in_z = f32x16_cmp_le(f32x16_abs(f32x16_sub(f32x16_load(n->z), by->centre[2])), f32x16_add(z, by->half[2]));
    return m32x16_movemask(m32x16_and(m32x16_and(in_x, in_y), in_z));
}

static uint32_t boxes_near_box(const box_lanes *by, const vp_spheretree_wide *wide, uint32_t at)
{
    const vp_spheretree_wide_box *b = &wide->box[wide->info[at].box];
    return lanes_near_box(by, &wide->node[at], f32x16_load(b->x), f32x16_load(b->y), f32x16_load(b->z));
}

static uint32_t leaves_near_box(const box_lanes *by, const vp_spheretree_wide_node *n)
{
    const f32x16 radius = f32x16_mul(f32x16_load(n->radius), f32x16_set1(WIDE_MORE));
    return lanes_near_box(by, n, radius, radius, radius);
}

/* The leaves of a node. Radii have an addend, so that squares of reaches do not underflow. */
typedef struct leaf_lanes {
    f32x16 x, y, z, radius;
} leaf_lanes;

VP_INLINE leaf_lanes lanes_of_leaves(const vp_spheretree_wide_node *n)
{
    return (leaf_lanes){f32x16_load(n->x), f32x16_load(n->y), f32x16_load(n->z), f32x16_add(f32x16_load(n->radius), f32x16_set1(0x1p-62f))};
}

/* The leaves that touch leaf i of a node, or nearly. */
VP_INLINE uint32_t near_leaves(const leaf_lanes *by, const vp_spheretree_wide_node *n, uint32_t i)
{
    const f32x16 reach = f32x16_add(by->radius, f32x16_set1(n->radius[i]));
    const f32x16 square = square_of(f32x16_sub(by->x, f32x16_set1(n->x[i])), f32x16_sub(by->y, f32x16_set1(n->y[i])),
                                    f32x16_sub(by->z, f32x16_set1(n->z[i])));
    return m32x16_movemask(f32x16_cmp_le(f32x16_mul(square, f32x16_set1(WIDE_LESS)), f32x16_mul(reach, reach)));
}

/* The last eight leaves that touch leaf i of their node, or nearly. */
VP_INLINE uint32_t near_last_leaves(const vp_spheretree_wide_node *n, uint32_t i)
{
    enum { HALF = VP_WIDE / 2 };
    const f32x8 x = f32x8_sub(f32x8_load(n->x + HALF), f32x8_set1(n->x[i])), y = f32x8_sub(f32x8_load(n->y + HALF), f32x8_set1(n->y[i])),
                z = f32x8_sub(f32x8_load(n->z + HALF), f32x8_set1(n->z[i])),
                reach = f32x8_add(f32x8_load(n->radius + HALF), f32x8_set1(n->radius[i] + 0x1p-62f));
    const f32x8 square = f32x8_add(f32x8_add(f32x8_mul(x, x), f32x8_mul(y, y)), f32x8_mul(z, z));
    return m32x8_movemask(f32x8_cmp_le(f32x8_mul(square, f32x8_set1(WIDE_LESS)), f32x8_mul(reach, reach)));
}

static inline uint32_t object_of_child(const vp_spheretree_wide *wide, uint32_t child)
{
    return (child & VP_SPHERETREE_LEAF) != 0 ? wide->leaf[child & ~VP_SPHERETREE_LEAF].object : child;
}

/* Tests two leaves with triangles or different masks. Cold, so that its callers save no vector unless they call it. */
VP_COLD void pair_items(pair_walk *w, const vp_spheretree_wide_node *a, uint32_t i, const vp_spheretree_wide_node *b, uint32_t k)
{
    const uint32_t x = object_of_child(w->tree->wide, a->child[i]), y = object_of_child(w->tree->wide, b->child[k]),
                   mask = w->tree->object[x].mask & w->tree->object[y].mask;
    if (x == y || mask == 0 || (w->tree->object[x].mask & w->mask) == 0 || (w->tree->object[y].mask & w->mask) == 0)
        return;
    const vp_spheretree_node of_a = vp_wide_leaf_of(w->tree, a, i), of_b = vp_wide_leaf_of(w->tree, b, k);
    if (x < y)
        vp_pair_leaves(w->tree, &of_a, &of_b, &w->list);
    else
        vp_pair_leaves(w->tree, &of_b, &of_a, &w->list);
}

/* Tests leaf i of one node and k of another exactly. */
VP_INLINE void pair_leaves(pair_walk *w, const vp_spheretree_wide_node *a, uint32_t i, const vp_spheretree_wide_node *b, uint32_t k)
{
    const uint32_t x = a->child[i], y = b->child[k];
    w->tests++;
    if (!w->all || ((x | y) & VP_SPHERETREE_LEAF) != 0) {
        pair_items(w, a, i, b, k);
        return;
    }
    const vp_sphere s = {{a->x[i], a->y[i], a->z[i]}, a->radius[i]}, t = {{b->x[k], b->y[k], b->z[k]}, b->radius[k]};
    if (vp_sphere_touches_sphere(&s, &t))
        vp_pair_add(&w->list, (vp_spheretree_pair){{x < y ? x : y, VP_SPHERETREE_NONE}, {x < y ? y : x, VP_SPHERETREE_NONE}});
}

/* Pairs of two nodes' leaves. `box` is around the second. */
VP_INLINE void pair_leaf_nodes(pair_walk *w, const vp_spheretree_wide_node *a, const vp_spheretree_wide_node *b, const box_lanes *box)
{
    const leaf_lanes of_b = lanes_of_leaves(b);
    for (uint32_t near_b = leaves_near_box(box, a); near_b != 0; near_b &= near_b - 1) {
        const uint32_t i = lowest_bit(near_b);
        for (uint32_t near = near_leaves(&of_b, a, i); near != 0; near &= near - 1)
            pair_leaves(w, a, i, b, lowest_bit(near));
    }
}

/* Pairs of a node's leaves. `near` has a row of the last lanes for leaf i, and for each one after it. */
VP_INLINE void pair_bits(pair_walk *w, const vp_spheretree_wide_node *n, uint32_t i, uint32_t lanes, uint64_t near)
{
    for (; near != 0; near &= near - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(near);
        pair_leaves(w, n, i + bit / lanes, n, VP_WIDE - lanes + bit % lanes);
    }
}

/* Pairs of one node's leaves. Many leaves at a time, so that few branches depend on their results. */
VP_INLINE void pair_leaves_within(pair_walk *w, const vp_spheretree_wide_node *n, uint32_t count)
{
    static const uint64_t greater[] = {0xfff0fff8fffcfffe, 0xff00ff80ffc0ffe0, 0x80c0e0f0f8fcfe};
    const leaf_lanes leaves = lanes_of_leaves(n);
    for (uint32_t i = 0; i < 8; i += 4) {
        uint64_t near = 0;
        for (uint32_t k = 0; k < 4; k++)
            near |= (uint64_t)near_leaves(&leaves, n, i + k) << VP_WIDE * k;
        pair_bits(w, n, i, VP_WIDE, near & greater[i / 4]);
    }
    uint64_t near = 0;
    for (uint32_t k = 0; k + 9 < count; k++)
        near |= (uint64_t)near_last_leaves(n, 8 + k) << 8 * k;
    pair_bits(w, n, 8, 8, near & greater[2]);
}

static void pair_nodes(pair_walk *w, uint32_t of, uint32_t with, uint32_t level, const box_lanes *box);

/* Pairs of a node with some of the children of another. `box` is around the node, and in lanes, so it comes second. */
VP_INLINE void pair_children(pair_walk *w, uint32_t with, const box_lanes *box, const uint32_t *child, uint32_t near, uint32_t level)
{
    const vp_spheretree_wide *wide = w->tree->wide;
    for (; near != 0 && w->list.count != w->list.limit; near &= near - 1) {
        const uint32_t of = child[lowest_bit(near)];
        w->nodes++;
        if (!w->all && (wide->info[of].mask & wide->info[with].mask) == 0)
            continue;
        if (level == 0)
            pair_leaf_nodes(w, &wide->node[of], &wide->node[with], box);
        else
            pair_nodes(w, of, with, level, box);
    }
}

/* Pairs of two nodes of a level above 0. `box` is around the second. The recursion is at most as deep as the tree. */
static void pair_nodes(pair_walk *w, uint32_t of, uint32_t with, uint32_t level, const box_lanes *box)
{
    const vp_spheretree_wide *wide = w->tree->wide;
    const uint32_t *a = wide->node[of].child, *b = wide->node[with].child;
    for (uint32_t near_b = boxes_near_box(box, wide, of); near_b != 0; near_b &= near_b - 1) {
        const uint32_t i = lowest_bit(near_b);
        const box_lanes child = lanes_of_box_of(wide, of, i);
        pair_children(w, a[i], &child, b, boxes_near_box(&child, wide, with), level - 1);
    }
}

static void pair_within(pair_walk *w, uint32_t at, uint32_t level)
{
    const vp_spheretree_wide *wide = w->tree->wide;
    const vp_spheretree_wide_node *n = &wide->node[at];
    const uint32_t count = wide->info[at].count;
    w->nodes++;
    if ((!w->all && (wide->info[at].mask & w->mask) == 0) || w->list.count == w->list.limit)
        return;
    if (level == 0)
        pair_leaves_within(w, n, count);
    for (uint32_t i = 0; level > 0 && i < count; i++) {
        const box_lanes child = lanes_of_box_of(wide, at, i);
        pair_children(w, n->child[i], &child, n->child, boxes_near_box(&child, wide, at) & ~((2u << i) - 1), level - 1);
        pair_within(w, n->child[i], level - 1);
    }
}

VP_INLINE uint32_t scene_pairs(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_spheretree_pair *out, uint32_t capacity)
{
    const vp_spheretree_wide *wide = tree->wide;
    if (wide == NULL)
        return vp_scene_pairs_scalar(tree, query, out, capacity);
    const uint32_t mask = mask_of_query(query);
    pair_walk w = {.tree = tree, .mask = mask, .all = (mask & wide->common_mask) != 0, .list = {out, capacity, vp_scene_limit(query), 0}};
    if (wide->root != VP_SPHERETREE_NONE)
        pair_within(&w, wide->root, wide->info[wide->root].level);
    vp_scene_add_cost(query, w.nodes, w.tests);
    return w.list.count;
}

#endif
