/* SPDX-License-Identifier: MIT */
/* Sorts up to VP_PACKET arbitrary rays. Rays of one kind are a packet. With several kinds, each that has enough rays is
 * a packet, whose spare lanes repeat its first ray. The remaining rays are cast one by one. A packet whose rays diverge
 * is split on the way, and each ray continues alone from the packet's hits. Part of optimized/kd/packet.h. */

/* Continues a ray alone, for hits as near as its own or nearer. A ray that ends at its hit finds the nearest of all. If
   t has lost bits to underflow, the ray would end before its hit. */
static __attribute__((noinline)) void look_on(const vp_kd_view *tree, const vp_ray *ray, vp_hit *hit)
{
    for (uint32_t i = 0; i < VP_PACKET; i++) {
        vp_ray rest = ray[i];
        rest.t_max = hit[i].t >= 0x1p-60f ? hit[i].t : rest.t_max;
        hit[i] = VP_KD_VERSION(ray, VP_KD_ISA)(tree, &rest);
    }
}

static inline bool visit_as_one(const vp_kd_view *tree, packet *p)
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

/* @param hit  written if the rays are DONE
   @param kinds  set if they are UNLIKE */
static inline outcome ask_all(const vp_kd_view *tree, const vp_ray *ray, vp_hit *hit, kinds_of_rays *kinds)
{
    packet p;
    if (vp_kd_has_eight_children(tree->form))
        ask_for_tree(tree); /* arrives while the packet is prepared */
    const outcome prepared = prepare(tree, ray, &p, kinds);
    if (prepared != DONE)
        return prepared;
    const bool whole = visit_as_one(tree, &p);
    if (p.count != 0)
        settle(tree, &p);
    write_hits(&p, hit);
    if (!whole)
        look_on(tree, ray, hit);
    return DONE;
}

/* The same for some of an array's rays, at least one. */
static __attribute__((noinline)) outcome ask_some(const vp_kd_view *tree, const vp_ray *ray, uint32_t rays, vp_hit *hit,
                                                  kinds_of_rays *kinds)
{
    vp_ray some[VP_PACKET];
    vp_hit hits[VP_PACKET];
    uint32_t number[VP_PACKET] = {0}, count = 0;
    for (uint32_t rest = rays; rest != 0; rest &= rest - 1u)
        number[count++] = (uint32_t)__builtin_ctz(rest);
    for (uint32_t i = 0; i < VP_PACKET; i++)
        some[i] = ray[number[i < count ? i : 0]];
    const outcome asked = ask_all(tree, some, hits, kinds);
    for (uint32_t i = 0; asked == DONE && i < count; i++)
        hit[number[i]] = hits[i];
    return asked;
}

static inline void closest_of_many(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    const uint32_t rays = (1u << count) - 1u;
    uint32_t done = 0;
    if (tree->triangles.triangle_count != 0 && count >= MIN_RAYS) {
        kinds_of_rays kinds, unused;
        const outcome asked = rays == ALL ? ask_all(tree, ray, hit, &kinds) : ask_some(tree, ray, rays, hit, &kinds);
        if (asked == DONE)
            return;
        for (int k = 0; asked == UNLIKE && k < 6; k++) {
            const uint32_t alike = kinds.of[k] & rays; /* excludes spare lanes */
            if (__builtin_popcount(alike) >= MIN_RAYS && ask_some(tree, ray, alike, hit, &unused) == DONE)
                done |= alike;
        }
    }
    for (uint32_t rest = rays & ~done; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        hit[i] = VP_KD_VERSION(ray, VP_KD_ISA)(tree, &ray[i]);
    }
}
