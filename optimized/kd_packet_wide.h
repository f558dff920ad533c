/* SPDX-License-Identifier: MIT */
/* A packet in the wide form: nodes by its beam (kd_beam.h), leaves by its rays. Part of kd_packet.h.
 *
 * A leaf that the beam meets is asked for by every ray with its own slopes, all rays to a comparison: one in four is
 * missed by all of them, and its quads are spared. The answers are also the rays for which its quads are tested. */

/* What rays are among boxes: where lower and upper faces are measured from, along x and y, and -1/slope along the way.
   */
typedef struct slabs {
    LANES from_lower[2][UNITS], from_upper[2][UNITS], inverse[2][UNITS];
} slabs;

static inline void slabs_of(const packet *p, slabs *out)
{
    const beam_ends *e = &p->ends;
    const LANES away = F(set)(e->backwards ? 1.0f : -1.0f), pad = F(set)(e->pad);
    for (int h = 0; h < UNITS; h++)
        for (int k = 0; k < 2; k++) {
            const LANES origin = p->origin[k == 0 ? e->x : e->y][h];
            out->from_lower[k][h] = F(add)(origin, pad);
            out->from_upper[k][h] = F(sub)(origin, pad);
            out->inverse[k][h] = F(div)(away, p->slope[k][h]);
        }
}

/* Which rays meet a child's box, from its lower faces along x and y and the depths of those along z.
   @return their bits */
static inline uint32_t meet_box(const packet *p, const slabs *s, const float *x, const float *y, float in, float out,
                                MASK here[UNITS])
{
    uint32_t any = 0;
    for (int h = 0; h < UNITS; h++) {
        const LANES x0 = F(mul)(F(sub)(s->from_lower[0][h], F(set)(x[0])), s->inverse[0][h]);
        const LANES x1 = F(mul)(F(sub)(s->from_upper[0][h], F(set)(x[TO_HIGH])), s->inverse[0][h]);
        const LANES y0 = F(mul)(F(sub)(s->from_lower[1][h], F(set)(y[0])), s->inverse[1][h]);
        const LANES y1 = F(mul)(F(sub)(s->from_upper[1][h], F(set)(y[TO_HIGH])), s->inverse[1][h]);
        LANES near = F(later)(F(earlier)(x0, x1), F(earlier)(y0, y1));
        LANES far = F(earlier)(F(later)(x0, x1), F(later)(y0, y1));
        near = F(later)(near, F(set)(later(in, 0.0f)));
        far = F(earlier)(far, F(earlier)(F(set)(out), p->limit[h]));
        here[h] = M(le)(EVERY, near, far);
        any |= M(bits)(here[h]) << (h * VP_UNIT);
    }
    return any;
}

/* Leaves among a node's children. A function of its own: what it keeps in registers is not what the traversal keeps
   there. */
static __attribute__((noinline)) void test_leaves(const vp_kd_view *tree, const vp_kd_wide *node, uint32_t leaves,
                                                  const slabs *s, packet *p)
{
    const tester t = tester_of(tree, p);
    const beam_ends *e = &p->ends;
    const float way = e->backwards ? -1.0f : 1.0f;
    const float nearest = e->backwards ? e->low[e->z] : e->high[e->z];
    const float farthest = e->backwards ? e->high[e->z] : e->low[e->z];
    const float *near_z = e->backwards ? node->high[e->z] : node->low[e->z];
    const float *far_z = e->backwards ? node->low[e->z] : node->high[e->z];
    uint32_t count = p->count;
    for (; leaves != 0; leaves &= leaves - 1u) {
        const uint32_t lane = (uint32_t)__builtin_ctz(leaves), leaf = node->child[lane];
        const float in = (near_z[lane] - nearest) * way, out = (far_z[lane] - farthest) * way;
        MASK here[UNITS], sure[UNITS];
        if (meet_box(p, s, node->low[e->x] + lane, node->low[e->y] + lane, in, out, here) == 0)
            continue;
        for (int h = 0; h < UNITS; h++)
            sure[h] = M(of)(0);
        const uint32_t first = (leaf & ~VP_KD_LEAF) >> 3, end = first + (leaf & 7u);
        for (uint32_t item = first; item < end; item++)
            count += test_item(&t, tree->item[item].vertex, item, here, sure, &p->list[count]);
        if (in >= 0.0f) /* all of it lies ahead of all rays */
            shorten(sure, out * (1.0f + 0x1p-20f), p);
    }
    p->count = count;
}

/* @return false if the packet is given up */
static inline bool visit_wide_as_one(const vp_kd_view *tree, packet *p)
{
    wide_waiting stack[MOST_WAITING + 2 * VP_KD_WIDTH + 2], *top = stack;
    wide_waiting at = {0, 0.0f};
    beam b;
    slabs s;
    int tested = 0;
    beam_of(&p->ends, &b);
    slabs_of(p, &s);
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        f8 enter;
        const vp_kd_wide *node = &tree->wide[at.child];
        const uint32_t met = beam_meets(&b, node, p->most, &enter), leaves = met & n8_top_bits(n8_load(node->child));
        /* another one that is about as near */
        const vp_kd_wide *other = NULL;
        uint32_t other_leaves = 0;
        if (top > stack && top[-1].near * ABOUT_AS_NEAR <= at.near && (--top)->near <= p->most) {
            f8 other_enter;
            other = &tree->wide[top->child];
            const uint32_t other_met = beam_meets(&b, other, p->most, &other_enter);
            other_leaves = other_met & n8_top_bits(n8_load(other->child));
            top = push_met(top, other, other_met & ~other_leaves, other_enter);
        }
        top = push_met(top, node, met & ~leaves, enter);
        if ((leaves | other_leaves) != 0) {
            tested += __builtin_popcount(leaves) + __builtin_popcount(other_leaves);
            if (leaves != 0)
                test_leaves(tree, node, leaves, &s, p);
            if (other_leaves != 0)
                test_leaves(tree, other, other_leaves, &s, p);
            if (p->sure == ALL)
                find_most(p);
            if (p->count + 2 * VP_KD_WIDTH * VP_KD_WIDE_ITEMS > MOST_LISTED)
                settle(tree, p);
        }
        if (top - stack > MOST_WAITING || tested > MOST_LEAVES)
            return false;
        do {
            if (top == stack)
                return true;
            top--;
        } while (top->near > p->most);
        at = *top;
    }
    return false;
}
