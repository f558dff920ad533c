/* SPDX-License-Identifier: MIT */
/* A packet in the wide form: nodes by its beam (kd_beam.h), leaves by its rays. Part of kd_packet.h.
 *
 * A leaf that the beam meets is asked for by every ray with its own slopes, all rays to a comparison: one in four is missed
 * by all of them, and its quads are spared. The answers are also the lanes that its quads are tested for. */

enum {
    /* A packet that takes more steps, or leaves, or leaves more nodes waiting, is asked for ray by ray. */
    PACKET(MOST_STEPS) = 48,
    PACKET(MOST_LEAVES) = 64,
    PACKET(MOST_WAITING) = 16,
    PACKET(LEAF_ITEMS) = 2 * VP_KD_WIDTH * VP_KD_WIDE_ITEMS /* of one step */
};

/* What rays are among boxes: where lower and upper faces are measured from, along x and y, and -1/slope along the way. */
typedef struct PACKET(slabs) {
    LANES from_lower[2][UNITS], from_upper[2][UNITS], inverse[2][UNITS];
} PACKET(slabs);

static inline void PACKET(slabs_of)(const PACKET(packet) *p, PACKET(slabs) *out)
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

/* Which rays meet a child's box, whose faces along z lie at these depths. @return their bits */
static inline uint32_t PACKET(meet_box)(const PACKET(packet) *p, const PACKET(slabs) *s, const float *low_x, const float *low_y,
                                        float in, float out, MASK here[UNITS])
{
    uint32_t any = 0;
    for (int h = 0; h < UNITS; h++) {
        const LANES x0 = F(mul)(F(sub)(s->from_lower[0][h], F(set)(low_x[0])), s->inverse[0][h]);
        const LANES x1 = F(mul)(F(sub)(s->from_upper[0][h], F(set)(low_x[TO_HIGH])), s->inverse[0][h]);
        const LANES y0 = F(mul)(F(sub)(s->from_lower[1][h], F(set)(low_y[0])), s->inverse[1][h]);
        const LANES y1 = F(mul)(F(sub)(s->from_upper[1][h], F(set)(low_y[TO_HIGH])), s->inverse[1][h]);
        const LANES near = F(later)(F(later)(F(earlier)(x0, x1), F(earlier)(y0, y1)), F(set)(later(in, 0.0f)));
        const LANES far = F(earlier)(F(earlier)(F(later)(x0, x1), F(later)(y0, y1)), F(earlier)(F(set)(out), p->limit[h]));
        here[h] = M(le)(EVERY, near, far);
        any |= M(bits)(here[h]) << (h * VP_UNIT);
    }
    return any;
}

/* Leaves among a node's children. A function of its own: what it keeps in registers is not what traversal keeps there. */
static __attribute__((noinline)) void PACKET(test_leaves)(const vp_kd_view *tree, const vp_kd_wide *node, uint32_t leaves,
                                                          const PACKET(slabs) *s, PACKET(packet) *p)
{
    const PACKET(tester) t = PACKET(tester_of)(tree, p);
    uint32_t count = p->count;
    const beam_ends *e = &p->ends;
    const float way = e->backwards ? -1.0f : 1.0f;
    const float nearest = e->backwards ? e->low[e->z] : e->high[e->z], farthest = e->backwards ? e->high[e->z] : e->low[e->z];
    const float *lower = node->low[e->z], *upper = node->high[e->z];
    const float *near_z = e->backwards ? upper : lower, *far_z = e->backwards ? lower : upper;
    for (; leaves != 0; leaves &= leaves - 1u) {
        const uint32_t lane = (uint32_t)__builtin_ctz(leaves), leaf = node->child[lane];
        const float in = (near_z[lane] - nearest) * way, out = (far_z[lane] - farthest) * way;
        MASK here[UNITS], sure[UNITS];
        if (PACKET(meet_box)(p, s, node->low[e->x] + lane, node->low[e->y] + lane, in, out, here) == 0)
            continue;
        for (int h = 0; h < UNITS; h++)
            sure[h] = M(of)(0);
        const uint32_t first = (leaf & ~VP_KD_LEAF) >> 3, end = first + (leaf & 7u);
        for (uint32_t item = first; item < end; item++)
            count += PACKET(test_item)(&t, tree->item[item].vertex, item, here, sure, &p->list[count]);
        if (in >= 0.0f) /* all of it lies ahead */
            PACKET(shorten)(sure, out * (1.0f + 0x1p-20f), p);
    }
    p->count = count;
}

/* @return false if it takes too many steps */
static inline bool PACKET(visit_wide)(const vp_kd_view *tree, PACKET(packet) *p)
{
    wide_waiting stack[PACKET(MOST_WAITING) + 2 * VP_KD_WIDTH + 2], *top = stack;
    beam b;
    PACKET(slabs) s;
    beam_of(&p->ends, &b);
    PACKET(slabs_of)(p, &s);
    wide_waiting at = {0, 0.0f};
    int tested = 0;
    for (int steps = 0; steps < PACKET(MOST_STEPS); steps++) {
        f8 enter;
        const vp_kd_wide *node = &tree->wide[at.child];
        const uint32_t met = beam_meets(&b, node, p->most, &enter), leaves = met & n8_top_bits(n8_load(node->child));
        /* another that is about as near */
        const vp_kd_wide *other = NULL;
        uint32_t other_leaves = 0;
        if (top > stack && top[-1].near * 0.75f <= at.near && (--top)->near <= p->most) {
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
                PACKET(test_leaves)(tree, node, leaves, &s, p);
            if (other_leaves != 0)
                PACKET(test_leaves)(tree, other, other_leaves, &s, p);
            if (p->sure == ALL)
                PACKET(find_most)(p);
            if (p->count + PACKET(LEAF_ITEMS) > PACKET(MOST_LISTED))
                PACKET(settle)(tree, p);
        }
        if (top - stack > PACKET(MOST_WAITING) || tested > PACKET(MOST_LEAVES))
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
