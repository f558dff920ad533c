/* SPDX-License-Identifier: MIT */
/* Up to VP_PACKET rays, whatever they are. Rays of one kind (see above) are a packet; of several, each that has enough of them is
 * one, with lanes to spare that ask for its first ray again; those that are left over are asked for one by one. A packet
 * whose rays turn out to go apart is given up on the way, and each looks on alone from what the packet has found. Part
 * of kd_packet.h. */

enum { PACKET(LEAST) = 4 }; /* rays that are worth a packet */

/* For what is nearer than what they have. */
static __attribute__((noinline)) void PACKET(look_on)(const vp_kd_view *tree, const vp_ray *ray, const PACKET(packet) *p, vp_hit *hit)
{
    float s[VP_PACKET];
    for (int h = 0; h < UNITS; h++)
        F(store)(s + h * VP_UNIT, p->s[h]);
    for (uint32_t i = 0; i < VP_PACKET; i++) {
        answer a = {.meeting = {s[i], hit[i].t, hit[i].u, hit[i].v},
                    .s = s[i],
                    .triangle = (uint32_t)hit[i].triangle,
                    .found = hit[i].triangle >= 0};
        ask_on(CLOSEST, tree, &ray[i], &a);
        hit[i] = hit_of(&a, &ray[i]);
    }
}

static inline PACKET(outcome) PACKET(ask_all)(const vp_kd_view *tree, const vp_ray *ray, vp_hit *hit, PACKET(kinds) *kinds)
{
    PACKET(packet) p;
    const PACKET(outcome) outcome = PACKET(prepare)(tree, ray, &p, kinds);
    if (outcome != PACKET(DONE))
        return outcome;
    const bool all = tree->form == VP_KD_WIDE ? PACKET(visit_wide)(tree, &p) : PACKET(visit_nodes)(tree, &p);
    if (p.count != 0)
        PACKET(settle)(tree, &p);
    PACKET(write_hits)(&p, hit);
    if (!all)
        PACKET(look_on)(tree, ray, &p, hit);
    return PACKET(DONE);
}

/* Some rays of an array, or all, as a whole packet. */
static __attribute__((noinline)) PACKET(outcome) PACKET(ask_some)(const vp_kd_view *tree, const vp_ray *ray, uint32_t lanes, vp_hit *hit,
                                                                  PACKET(kinds) *kinds)
{
    vp_ray some[VP_PACKET];
    vp_hit hits[VP_PACKET];
    uint32_t number[VP_PACKET] = {0}, count = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1u)
        number[count++] = (uint32_t)__builtin_ctz(rest);
    for (uint32_t i = 0; i < VP_PACKET; i++)
        some[i] = ray[number[i < count ? i : 0]];
    const PACKET(outcome) outcome = PACKET(ask_all)(tree, some, hits, kinds);
    for (uint32_t i = 0; outcome == PACKET(DONE) && i < count; i++)
        hit[number[i]] = hits[i];
    return outcome;
}

static inline void PACKET(closest)(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    const uint32_t lanes = (1u << count) - 1u;
    uint32_t done = 0;
    if (tree->triangles.triangle_count != 0 && count >= PACKET(LEAST)) {
        PACKET(kinds) kinds, unused;
        const PACKET(outcome) outcome = lanes == ALL ? PACKET(ask_all)(tree, ray, hit, &kinds)
                                                     : PACKET(ask_some)(tree, ray, lanes, hit, &kinds);
        if (outcome == PACKET(DONE))
            return;
        for (int k = 0; outcome == PACKET(UNLIKE) && k < 6; k++) {
            const uint32_t of = kinds.lanes[k] & lanes;
            if (__builtin_popcount(of) >= PACKET(LEAST) && PACKET(ask_some)(tree, ray, of, hit, &unused) == PACKET(DONE))
                done |= of;
        }
    }
    for (uint32_t rest = lanes & ~done; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        hit[i] = closest(tree, &ray[i]);
    }
}
