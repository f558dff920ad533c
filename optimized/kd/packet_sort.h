/* SPDX-License-Identifier: MIT */
/* Sorts up to VP_PACKET arbitrary rays. Rays of one kind are a packet. With several kinds, each that has enough rays is
 * a packet, whose spare lanes repeat its first ray. The remaining rays are cast one by one. A packet whose rays diverge
 * is split on the way, and each ray continues alone from the packet's hits. */
#ifndef VP_OPTIMIZED_KD_PACKET_SORT_H
#define VP_OPTIMIZED_KD_PACKET_SORT_H

#include "optimized/kd/packet_nodes.h"

/* Continues a ray alone, for hits as near as its own or nearer. A ray that ends at its hit finds the nearest of all. If
   t has lost bits to underflow, the ray would end before its hit. */
static __attribute__((noinline)) void continue_alone(const vp_kd_view *tree, const vp_ray *ray, vp_hit *hit, vp_kd_ray_fn *cast_ray)
{
    for (uint32_t i = 0; i < VP_PACKET; i++) {
        vp_ray rest = ray[i];
        rest.t_max = hit[i].t >= 0x1p-60f ? hit[i].t : rest.t_max;
        hit[i] = cast_ray(tree, &rest);
    }
}

/* @param hit  written if the rays are DONE
   @param kinds  set if they are UNLIKE */
static inline outcome cast_packet(const vp_kd_view *tree, const vp_ray *ray, vp_hit *hit, kinds_of_rays *kinds, vp_kd_ray_fn *cast_ray)
{
    ray_packet p;
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
        continue_alone(tree, ray, hit, cast_ray);
    return DONE;
}

/* The same for some of an array's rays, at least one. */
static __attribute__((noinline)) outcome cast_some(const vp_kd_view *tree, const vp_ray *ray, uint32_t rays, vp_hit *hit,
                                                   kinds_of_rays *kinds, vp_kd_ray_fn *cast_ray)
{
    vp_ray some[VP_PACKET];
    vp_hit hits[VP_PACKET];
    uint32_t number[VP_PACKET] = {0}, count = 0;
    for (uint32_t rest = rays; rest != 0; rest &= rest - 1u)
        number[count++] = (uint32_t)__builtin_ctz(rest);
    for (uint32_t i = 0; i < VP_PACKET; i++)
        some[i] = ray[number[i < count ? i : 0]];
    const outcome asked = cast_packet(tree, some, hits, kinds, cast_ray);
    for (uint32_t i = 0; asked == DONE && i < count; i++)
        hit[number[i]] = hits[i];
    return asked;
}

/* @param cast_ray  casts one ray */
static inline void cast_rays(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit, vp_kd_ray_fn *cast_ray)
{
    const uint32_t rays = (1u << count) - 1u;
    uint32_t done = 0;
    if (tree->triangles.triangle_count != 0 && count >= MIN_RAYS) {
        kinds_of_rays kinds, unused;
        const outcome asked =
            rays == EVERY_RAY ? cast_packet(tree, ray, hit, &kinds, cast_ray) : cast_some(tree, ray, rays, hit, &kinds, cast_ray);
        if (asked == DONE)
            return;
        for (int k = 0; asked == UNLIKE && k < 6; k++) {
            const uint32_t alike = kinds.of[k] & rays; /* excludes spare lanes */
            if (__builtin_popcount(alike) >= MIN_RAYS && cast_some(tree, ray, alike, hit, &unused, cast_ray) == DONE)
                done |= alike;
        }
    }
    for (uint32_t rest = rays & ~done; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        hit[i] = cast_ray(tree, &ray[i]);
    }
}

#endif
