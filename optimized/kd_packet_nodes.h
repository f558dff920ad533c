/* SPDX-License-Identifier: MIT */
/* A packet in the published and the slab form. Part of kd_packet.h.
 *
 * A node has two planes, which all rays share: each is broadcast, and every ray has its own part of itself between near and far, as
 * in kd_nodes.h. That fills vectors where a single ray cannot. A child is visited if any ray has a part left in it, the one that
 * the first ray reaches first before the other; which planes begin a part and which end it goes by each ray's own
 * direction, under a mask where a packet has both. The stack holds parts of all rays.
 *
 * Cost. A branch: two differences, two products, two minima or maxima and two comparisons a register of rays. */

/* A packet that takes more is asked for ray by ray: about half of what its rays may take alone. */
enum { PACKET(MOST_SLAB_VISITS) = 320, PACKET(MOST_VISITS) = 1600 };

/* Rays among planes, by axis as in the world: where lower and upper faces are measured from, and -1/slope along the way. */
typedef struct PACKET(among_planes) {
    LANES from_lower[3][UNITS], from_upper[3][UNITS], inverse[3][UNITS];
    MASK down[3][UNITS];
    uint32_t downs[3]; /* their bits */
} PACKET(among_planes);

typedef struct PACKET(parts) {
    LANES near[UNITS], far[UNITS];
} PACKET(parts);

typedef struct PACKET(node_waiting) {
    PACKET(parts) part;
    uint32_t node;
} PACKET(node_waiting);

static inline void PACKET(find_planes)(const PACKET(packet) *p, PACKET(among_planes) *out)
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

/* What is left of rays between two faces. */
static inline void PACKET(cut)(const PACKET(among_planes) *a, uint32_t axis, float low, float high, PACKET(parts) *part)
{
    for (int h = 0; h < UNITS; h++) {
        const LANES to_low = F(mul)(F(sub)(a->from_lower[axis][h], F(set)(low)), a->inverse[axis][h]);
        const LANES to_high = F(mul)(F(sub)(a->from_upper[axis][h], F(set)(high)), a->inverse[axis][h]);
        part->near[h] = F(later)(F(pick)(a->down[axis][h], to_high, to_low), part->near[h]);
        part->far[h] = F(earlier)(F(pick)(a->down[axis][h], to_low, to_high), part->far[h]);
    }
}

/* Rays that have a part left. */
static inline uint32_t PACKET(left_of)(const PACKET(parts) *part)
{
    uint32_t lanes = 0;
    for (int h = 0; h < UNITS; h++)
        lanes |= M(bits)(M(le)(EVERY, part->near[h], part->far[h])) << (h * VP_UNIT);
    return lanes;
}

/* The two children's parts: the left one's ends, or begins, at the first plane, the right one's begins, or ends, at the second. */
static inline void PACKET(branch)(const PACKET(among_planes) *a, uint32_t axis, const float plane[2], const PACKET(parts) *of,
                                  PACKET(parts) *left, PACKET(parts) *right)
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

/* Depths of an item's corners, from the least that any ray has to the most. */
static inline void PACKET(depths)(const vp_kd_view *tree, const beam_ends *e, const uint32_t v[4], uint32_t corners, float *in, float *out)
{
    float least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < corners; i++) {
        const float z = corner_at(tree, v[i])[e->z];
        least = earlier(z, least);
        most = later(z, most);
    }
    *in = e->backwards ? e->low[e->z] - most : least - e->high[e->z];
    *out = e->backwards ? e->high[e->z] - least : most - e->low[e->z];
}

static inline void PACKET(test_node_leaf)(const vp_kd_view *tree, const PACKET(tester) *t, const vp_kd_node *leaf, const PACKET(parts) *part,
                                          PACKET(packet) *p)
{
    const bool quads = tree->triangles.quads;
    MASK here[UNITS], sure[UNITS];
    for (int h = 0; h < UNITS; h++)
        here[h] = M(le)(EVERY, part->near[h], part->far[h]);
    const uint32_t count = quads ? 1 : vp_kd_child(leaf);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = quads ? leaf->u.triangle[0] / 2 : leaf->u.triangle[i];
        const uint32_t *index = tree->triangles.index + (size_t)item * (quads ? 4 : 3);
        const uint32_t v[4] = {index[0], index[1], index[2], index[quads ? 3 : 2]};
        float in, out;
        PACKET(depths)(tree, &p->ends, v, 4, &in, &out);
        for (int h = 0; h < UNITS; h++)
            sure[h] = M(of)(0);
        p->count += PACKET(test_item)(t, v, item, here, sure, &p->list[p->count]);
        if (in >= 0.0f)
            PACKET(shorten)(sure, out * (1.0f + 0x1p-20f), p);
    }
}

/* @return false if it takes too many visits */
static bool PACKET(visit_nodes)(const vp_kd_view *tree, PACKET(packet) *p)
{
    PACKET(node_waiting) stack[VP_KD_STACK], *top = stack;
    PACKET(among_planes) a;
    const PACKET(tester) t = PACKET(tester_of)(tree, p);
    PACKET(find_planes)(p, &a);
    PACKET(node_waiting) at;
    at.node = 0;
    for (int h = 0; h < UNITS; h++) {
        at.part.near[h] = F(set)(0.0f);
        at.part.far[h] = p->limit[h];
    }
    const float *low = &tree->box.min.x, *high = &tree->box.max.x;
    for (uint32_t k = 0; k < 3; k++)
        PACKET(cut)(&a, k, low[k], high[k], &at.part);
    if (PACKET(left_of)(&at.part) == 0)
        return true;
    const int most = tree->form == VP_KD_SLAB ? PACKET(MOST_SLAB_VISITS) : PACKET(MOST_VISITS);
    for (int visits = 0; visits < most; visits++) {
        const vp_kd_node *node = &tree->node[at.node];
        const uint32_t axis = vp_kd_axis(node), child = vp_kd_child(node);
        if (axis == 3) {
            PACKET(test_node_leaf)(tree, &t, node, &at.part, p);
            if (p->count + 2 > PACKET(MOST_LISTED))
                PACKET(settle)(tree, p);
        } else if (vp_kd_is_slab(node)) {
            PACKET(cut)(&a, axis, node->u.plane[0], node->u.plane[1], &at.part);
            at.node = child;
            if (PACKET(left_of)(&at.part) != 0)
                continue;
        } else {
            PACKET(parts) side[2];
            PACKET(branch)(&a, axis, node->u.plane, &at.part, &side[0], &side[1]);
            const uint32_t first = a.downs[axis] & 1u, second = first ^ 1u;
            const bool both = PACKET(left_of)(&side[second]) != 0;
            if (PACKET(left_of)(&side[first]) != 0) {
                if (both)
                    *top++ = (PACKET(node_waiting)){side[second], child + second};
                at = (PACKET(node_waiting)){side[first], child + first};
                continue;
            }
            if (both) {
                at = (PACKET(node_waiting)){side[second], child + second};
                continue;
            }
        }
        do {
            if (top == stack)
                return true;
            at = *--top;
            for (int h = 0; h < UNITS; h++)
                at.part.far[h] = F(earlier)(p->limit[h], at.part.far[h]);
        } while (PACKET(left_of)(&at.part) == 0);
    }
    return false;
}
