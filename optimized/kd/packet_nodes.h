/* SPDX-License-Identifier: MIT */
/* A packet in the published and the slab form. Part of optimized/kd/packet.h.
 *
 * A node's two planes are the same for all rays. Each is broadcast, and every ray has an interval of depths between
 * near and far, like the parameters of optimized/kd/nodes.h. That fills vectors where a single ray cannot. A child is
 * visited if any ray has an interval in it. With two children, the one that the first ray reaches first is visited
 * first. Each ray's own direction decides whether a plane begins an interval or ends it, under a mask where the packet
 * has both directions. The stack holds the intervals of all rays.
 *
 * Cost of a branch: two differences, two products, two minima, two maxima and two comparisons a register of rays. */

/* Rays among planes, by axis as in the world: origins for lower and upper faces, and -1/slope along the way. */
typedef struct among_planes {
    LANES from_lower[3][UNITS], from_upper[3][UNITS], inverse[3][UNITS];
    MASK down[3][UNITS];
    uint32_t downs[3]; /* bits of `down` */
} among_planes;

typedef struct parts {
    LANES near[UNITS], far[UNITS];
} parts;

typedef struct parts_waiting {
    parts of;
    uint32_t node;
} parts_waiting;

static inline void find_planes(const packet *p, among_planes *out)
{
    const beam_ends *e = &p->ends;
    const LANES pad = F(set)(e->pad), away = F(set)(e->backwards ? 1.0f : -1.0f), zero = F(set)(0.0f);
    for (uint32_t k = 0; k < 3; k++) {
        out->downs[k] = 0;
        for (int h = 0; h < UNITS; h++) {
            out->from_lower[k][h] = F(add)(p->origin[k][h], pad);
            out->from_upper[k][h] = F(sub)(p->origin[k][h], pad);
            out->inverse[k][h] = k == e->z ? away : F(div)(away, p->slope[k == e->x ? 0 : 1][h]);
            out->down[k][h] = M(lt)(EVERY, zero, out->inverse[k][h]);
            out->downs[k] |= M(bits)(out->down[k][h]) << (h * VP_UNIT);
        }
    }
}

/* Cuts intervals to the slab between two faces. */
static inline void cut(const among_planes *a, uint32_t axis, float low, float high, parts *of)
{
    for (int h = 0; h < UNITS; h++) {
        const LANES to_low = F(mul)(F(sub)(a->from_lower[axis][h], F(set)(low)), a->inverse[axis][h]);
        const LANES to_high = F(mul)(F(sub)(a->from_upper[axis][h], F(set)(high)), a->inverse[axis][h]);
        of->near[h] = F(later)(F(pick)(a->down[axis][h], to_high, to_low), of->near[h]);
        of->far[h] = F(earlier)(F(pick)(a->down[axis][h], to_low, to_high), of->far[h]);
    }
}

/* The rays whose interval is not empty. */
static inline uint32_t left_of(const parts *of)
{
    uint32_t rays = 0;
    for (int h = 0; h < UNITS; h++)
        rays |= M(bits)(M(le)(EVERY, of->near[h], of->far[h])) << (h * VP_UNIT);
    return rays;
}

/* The two children's intervals. The left one's ends, or begins, at the first plane, the right one's begins, or ends,
   at the second. */
static inline void branch(const among_planes *a, uint32_t axis, const float plane[2], const parts *of, parts *left, parts *right)
{
    const uint32_t downs = a->downs[axis];
    for (int h = 0; h < UNITS; h++) {
        const LANES first = F(mul)(F(sub)(a->from_upper[axis][h], F(set)(plane[0])), a->inverse[axis][h]);
        const LANES second = F(mul)(F(sub)(a->from_lower[axis][h], F(set)(plane[1])), a->inverse[axis][h]);
        const LANES near = of->near[h], far = of->far[h];
        const LANES from_first = F(later)(first, near), to_first = F(earlier)(first, far);
        const LANES from_second = F(later)(second, near), to_second = F(earlier)(second, far);
        if (downs == 0 || downs == ALL) {
            left->near[h] = downs == 0 ? near : from_first;
            left->far[h] = downs == 0 ? to_first : far;
            right->near[h] = downs == 0 ? from_second : near;
            right->far[h] = downs == 0 ? far : to_second;
            continue;
        }
        const MASK down = a->down[axis][h];
        left->near[h] = F(pick)(down, from_first, near);
        left->far[h] = F(pick)(down, far, to_first);
        right->near[h] = F(pick)(down, near, from_second);
        right->far[h] = F(pick)(down, to_second, far);
    }
}

static inline void test_node_leaf(const vp_kd_view *tree, const tester *t, const vp_kd_node *leaf, const parts *of, packet *p)
{
    const beam_ends *e = &p->ends;
    const bool quads = tree->triangles.quads;
    const uint32_t count = quads ? 1 : vp_kd_child(leaf);
    MASK here[UNITS], sure[UNITS];
    for (int h = 0; h < UNITS; h++)
        here[h] = M(le)(EVERY, of->near[h], of->far[h]);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = quads ? leaf->u.triangle[0] / 2 : leaf->u.triangle[i];
        size_t at[4];
        corners_of(WIDE, tree, item, NULL, at);
        for (int h = 0; h < UNITS; h++)
            sure[h] = M(of)(0);
        p->count += test_item(t, at, item, here, sure, &p->list[p->count]);
        float least = INFINITY, most = -INFINITY;
        for (int j = 0; j < 4; j++) {
            const float z = t->z[at[j]];
            least = earlier(z, least);
            most = later(z, most);
        }
        /* depths, from the minimum of all rays to the maximum */
        const float in = e->backwards ? e->low[e->z] - most : least - e->high[e->z];
        const float out = e->backwards ? e->high[e->z] - least : most - e->low[e->z];
        if (in >= 0.0f)
            shorten(sure, out * (1.0f + 0x1p-20f), p);
    }
}

/* @return false if the packet diverges */
static bool visit_nodes_as_one(const vp_kd_view *tree, packet *p)
{
    parts_waiting stack[VP_KD_STACK], *top = stack;
    parts_waiting at;
    among_planes a;
    const tester t = tester_of(WIDE, tree, p, NULL);
    const int most = tree->form == VP_KD_SLAB ? MAX_SLAB_VISITS : MAX_VISITS;
    const float *low = &tree->box.min.x, *high = &tree->box.max.x;
    find_planes(p, &a);
    at.node = 0;
    for (int h = 0; h < UNITS; h++) {
        at.of.near[h] = F(set)(0.0f);
        at.of.far[h] = p->limit[h];
    }
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
            for (int h = 0; h < UNITS; h++)
                at.of.far[h] = F(earlier)(p->limit[h], at.of.far[h]);
        } while (left_of(&at.of) == 0);
    }
    return false;
}
