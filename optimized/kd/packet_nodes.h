/* SPDX-License-Identifier: MIT */
/* A packet in the published and the slab form, and in a tree of any form.
 *
 * A node's two planes are the same for all rays. Each is broadcast, and every ray has an interval of depths between
 * near and far, like the parameters of optimized/kd/nodes.h. That fills vectors where a single ray cannot. A child is
 * visited if any ray has an interval in it. With two children, the one that the first ray reaches first is visited
 * first. Each ray's own direction decides whether a plane begins an interval or ends it, under a mask where the packet
 * has both directions. The stack holds the intervals of all rays.
 *
 * Cost of a branch: two differences, two products, two minima, two maxima and two comparisons a register of rays. */
#ifndef VP_OPTIMIZED_KD_PACKET_NODES_H
#define VP_OPTIMIZED_KD_PACKET_NODES_H

#include "optimized/kd/packet_wide.h"

/* Rays among planes, by axis as in the world: origins for lower and upper faces, and -1/slope along the way. */
typedef struct among_planes {
    f32p from_lower[3], from_upper[3], inverse[3];
    m32p down[3];
    uint32_t downs[3]; /* bits of `down` */
} among_planes;

typedef struct parts {
    f32p near, far;
} parts;

typedef struct parts_waiting {
    parts of;
    uint32_t node;
} parts_waiting;

static inline void find_planes(const ray_packet *p, among_planes *out)
{
    const beam_ends *e = &p->ends;
    const f32p pad = f32p_set1(e->pad), away = f32p_set1(e->backwards ? 1.0f : -1.0f), zero = f32p_set1(0.0f);
    for (uint32_t k = 0; k < 3; k++) {
        out->from_lower[k] = f32p_add(p->origin[k], pad);
        out->from_upper[k] = f32p_sub(p->origin[k], pad);
        out->inverse[k] = k == e->z ? away : f32p_div(away, p->slope[k == e->x ? 0 : 1]);
        out->down[k] = f32p_cmp_lt(zero, out->inverse[k]);
        out->downs[k] = m32p_movemask(out->down[k]);
    }
}

/* Cuts intervals to the slab between two faces. */
static inline void cut(const among_planes *a, uint32_t axis, float low, float high, parts *of)
{
    const f32p to_low = f32p_mul(f32p_sub(a->from_lower[axis], f32p_set1(low)), a->inverse[axis]);
    const f32p to_high = f32p_mul(f32p_sub(a->from_upper[axis], f32p_set1(high)), a->inverse[axis]);
    of->near = f32p_max(f32p_select(a->down[axis], to_high, to_low), of->near);
    of->far = f32p_min(f32p_select(a->down[axis], to_low, to_high), of->far);
}

/* The rays whose interval is not empty. */
static inline uint32_t left_of(const parts *of)
{
    return m32p_movemask(f32p_cmp_le(of->near, of->far));
}

/* The two children's intervals. The left one's ends, or begins, at the first plane, the right one's begins, or ends,
   at the second. */
static inline void branch(const among_planes *a, uint32_t axis, const float plane[2], const parts *of, parts *left, parts *right)
{
    const uint32_t downs = a->downs[axis];
    const f32p first = f32p_mul(f32p_sub(a->from_upper[axis], f32p_set1(plane[0])), a->inverse[axis]);
    const f32p second = f32p_mul(f32p_sub(a->from_lower[axis], f32p_set1(plane[1])), a->inverse[axis]);
    const f32p near = of->near, far = of->far;
    const f32p from_first = f32p_max(first, near), to_first = f32p_min(first, far);
    const f32p from_second = f32p_max(second, near), to_second = f32p_min(second, far);
    if (downs == 0 || downs == EVERY_RAY) {
        left->near = downs == 0 ? near : from_first;
        left->far = downs == 0 ? to_first : far;
        right->near = downs == 0 ? from_second : near;
        right->far = downs == 0 ? far : to_second;
        return;
    }
    const m32p down = a->down[axis];
    left->near = f32p_select(down, from_first, near);
    left->far = f32p_select(down, far, to_first);
    right->near = f32p_select(down, near, from_second);
    right->far = f32p_select(down, to_second, far);
}

static inline void test_node_leaf(const vp_kd_view *tree, const tester *t, const vp_kd_node *leaf, const parts *of, ray_packet *p)
{
    const beam_ends *e = &p->ends;
    const bool quads = tree->triangles.quads;
    const uint32_t count = quads ? 1 : vp_kd_child(leaf);
    const m32p here = f32p_cmp_le(of->near, of->far);
    const uint32_t rays = m32p_movemask(here);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = quads ? leaf->u.triangle[0] / 2 : leaf->u.triangle[i];
        size_t at[4];
        corners_of(WIDE, tree, item, NULL, at);
        m32p sure = m32p_of_bits(0);
        p->count += test_item(t, at, item, rays, &sure, &p->list[p->count]);
        float least = INFINITY, most = -INFINITY;
        for (int j = 0; j < 4; j++) {
            const float z = t->z[at[j]];
            least = vp_min(z, least);
            most = vp_max(z, most);
        }
        /* depths, from the minimum of all rays to the maximum */
        const float in = e->backwards ? e->low[e->z] - most : least - e->high[e->z];
        const float out = e->backwards ? e->high[e->z] - least : most - e->low[e->z];
        if (in >= 0.0f)
            shorten(m32p_and(here, sure), out * (1.0f + 0x1p-20f), p);
    }
}

/* @return false if the packet diverges */
static bool visit_nodes_as_one(const vp_kd_view *tree, ray_packet *p)
{
    parts_waiting stack[VP_KD_STACK], *top = stack;
    parts_waiting at;
    among_planes a;
    const tester t = tester_of(WIDE, tree, p, NULL);
    const int most = tree->form == VP_KD_SLAB ? MAX_SLAB_VISITS : MAX_VISITS;
    const float *low = &tree->box.min.x, *high = &tree->box.max.x;
    find_planes(p, &a);
    at.node = 0;
    at.of.near = f32p_set1(0.0f);
    at.of.far = p->limit;
    for (uint32_t k = 0; k < 3; k++)
        cut(&a, k, low[k], high[k], &at.of);
    if (left_of(&at.of) == 0)
        return true;
    for (int visits = 0; visits < most; visits++) {
        const vp_kd_node *node = &tree->node[at.node];
        const uint32_t axis = vp_kd_axis(node), child = vp_kd_child(node);
        if (axis == 3) {
            test_node_leaf(tree, &t, node, &at.of, p);
            if (p->count + 2 > MAX_LISTED)
                settle(tree, p);
        } else if (vp_kd_is_slab(node)) {
            cut(&a, axis, node->u.plane[0], node->u.plane[1], &at.of);
            at.node = child;
            if (left_of(&at.of) != 0)
                continue;
        } else {
            parts side[2];
            branch(&a, axis, node->u.plane, &at.of, &side[0], &side[1]);
            const uint32_t first = a.downs[axis] & 1u, second = first ^ 1u;
            const bool in_second = left_of(&side[second]) != 0;
            if (left_of(&side[first]) != 0) {
                if (in_second)
                    *top++ = (parts_waiting){side[second], child + second};
                at = (parts_waiting){side[first], child + first};
                continue;
            }
            if (in_second) {
                at = (parts_waiting){side[second], child + second};
                continue;
            }
        }
        do {
            if (top == stack)
                return true;
            at = *--top;
            at.of.far = f32p_min(p->limit, at.of.far);
        } while (left_of(&at.of) == 0);
    }
    return false;
}

static inline bool visit_as_one(const vp_kd_view *tree, ray_packet *p)
{
    switch (tree->form) {
    case VP_KD_WIDE:
        return visit_wide_as_one(WIDE, tree, p);
    case VP_KD_PACKED:
        return visit_wide_as_one(PACKED, tree, p);
    case VP_KD_IMPLIED:
        return visit_wide_as_one(IMPLIED, tree, p);
    default:
        return visit_nodes_as_one(tree, p);
    }
}

#endif
