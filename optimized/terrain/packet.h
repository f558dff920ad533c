/* SPDX-License-Identifier: MIT */
/* Up to sixteen rays in a whole terrain. Include after the header of an ISA.
 *
 * Similar rays descend the top level as one beam (optimized/kd/beam.h), column by column in the order of entry. In the
 * tree of each chunk on the way they are a packet, as in optimized/kd/packet.h. The hits of a chunk's triangles are
 * decided before the next chunk. So the nearest of all chunks is known exactly where two are equally near, and limits
 * are as short as possible. Dissimilar rays are cast one by one. A packet that diverges is split, and each ray
 * continues alone from its current hit. A packet diverges if it tests more leaves than similar rays do. Leaves are
 * counted in the forms whose nodes have eight boxes.
 *
 * In a column with several chunks only those that the beam meets are visited, because the others' trees would be
 * fetched for nothing.
 *
 * Cost in addition to that of packets: a column with several chunks is a node, which is assembled in some 40
 * operations. A chunk that is met sets up the beam and its slabs again, some 100 operations. A missing tree takes 6
 * products a ray and box, and crosses_bits for rays that meet the box, until one crosses its bits. */

#ifndef VP_OPTIMIZED_TERRAIN_PACKET_H
#define VP_OPTIMIZED_TERRAIN_PACKET_H

#include "optimized/terrain/ray.h"

#define VP_PACKET 16
#include "optimized/kd/packet_nodes.h"

/* Camera rays in terrain test four leaves a packet. Rays that each start elsewhere test many, each useful for one or
   two rays, and cost more together than alone. */
enum { MAX_WORLD_LEAVES = 24 };

/* The hits so far, ray by ray. */
typedef struct world_best {
    vp_terrain_hit hit[VP_PACKET];
    float s[VP_PACKET];
} world_best;

/* Merges a chunk's hits, and prepares the packet for the next chunk. */
static inline void keep_best(ray_packet *p, uint32_t chunk, world_best *best)
{
    vp_hit hit[VP_PACKET];
    float s[VP_PACKET];
    write_hits(p, hit);
    f32p_store(s, p->s);
    for (uint32_t i = 0; i < VP_PACKET; i++) {
        vp_terrain_hit *to = &best->hit[i];
        if (hit[i].triangle < 0 || (to->in_chunk.triangle >= 0 && s[i] >= best->s[i] && chunk > to->chunk))
            continue;
        *to = (vp_terrain_hit){hit[i], chunk};
        best->s[i] = s[i];
    }
    const f32p depth = f32p_mul(f32p_mul(p->s, f32p_abs(p->along)), f32p_set1(1.0f + 0x1p-20f));
    p->triangle = i32p_set1(NO_TRIANGLE);
    p->limit = f32p_min(depth, p->limit);
    find_most(p);
}

/* A packet in a terrain. */
typedef struct terrain_packet {
    const vp_terrain_view *terrain;
    const vp_ray *ray; /* VP_PACKET of them */
    ray_packet rays;
    beam beam;
    world_best best;
    bool has_alone; /* set when the first missing tree is met */
    wide_ray alone[VP_PACKET];
} terrain_packet;

/* A missing tree. It is built if one of the rays crosses set bits. */
static __attribute__((noinline)) const vp_kd_view *missing_tree_of_many(terrain_packet *w, uint32_t chunk)
{
    const vp_terrain_view *t = w->terrain;
    const vp_ivec3 at = vp_terrain_chunk_at(t, chunk);
    const vp_kd_view whole = {.box = t->box};
    const int32_t to[3] = {at.x, at.y, at.z};
    float s[VP_PACKET], low[3], high[3];
    for (uint32_t i = 0; !w->has_alone && i < VP_PACKET; i++) /* rays of a packet are valid */
        plain_wide_ray(&whole, &w->ray[i], 0.0f, &w->alone[i]);
    w->has_alone = true;
    f32p_store(s, w->rays.s);
    for (int k = 0; k < 3; k++)
        vp_chunk_row_faces(to[k], 1, &low[k], &high[k]);
    for (uint32_t i = 0; i < VP_PACKET; i++) {
        float near = 0.0f, far = s[i];
        for (int k = 0; k < 3; k++)
            pass_faces(&w->alone[i], k, low[k], high[k], &near, &far);
        if (near <= far && crosses_bits(&w->alone[i], vp_chunk_bits(t, at), at, s[i]))
            return t->make(t->user, chunk);
    }
    return NULL;
}

/* @return false if the packet diverges */
static inline bool ask_chunk_of_many(terrain_packet *w, uint32_t chunk)
{
    ray_packet *p = &w->rays;
    const vp_kd_view *tree = vp_made_tree(w->terrain, chunk);
    if (tree == NULL)
        tree = missing_tree_of_many(w, chunk);
    if (tree == NULL || tree->triangles.triangle_count == 0)
        return true;
    if (vp_kd_has_eight_children(tree->form))
        ask_for_tree(tree);
    const bool whole = visit_as_one(tree, p);
    if (p->count != 0) {
        settle(tree, p);
        keep_best(p, chunk, &w->best);
    }
    return whole && p->leaves <= MAX_WORLD_LEAVES;
}

/* Finds the chunks, of two to eight of a column, by their layers, that the beam meets, and the depths of entry. */
static inline uint32_t layers_met(const terrain_packet *w, uint32_t x, uint32_t z, const uint32_t layer[VP_KD_WIDTH], uint32_t count,
                                  float enter[VP_KD_WIDTH])
{
    const vp_terrain_view *t = w->terrain;
    vp_kd_wide node;
    f32x8 entered;
    float low[3], high[3];
    vp_chunk_row_faces(t->first.x + (int32_t)x, 1, &low[0], &high[0]);
    vp_chunk_row_faces(t->first.z + (int32_t)z, 1, &low[2], &high[2]);
    for (uint32_t i = 0; i < VP_KD_WIDTH; i++) {
        vp_chunk_row_faces(t->first.y + (int32_t)layer[i < count ? i : 0], 1, &node.low[1][i], &node.high[1][i]);
        node.low[0][i] = low[0];
        node.high[0][i] = high[0];
        node.low[2][i] = low[2];
        node.high[2][i] = high[2];
    }
    const uint32_t met = beam_meets(WIDE, &w->beam, &node, w->rays.most, &entered);
    f32x8_store(enter, entered);
    return met & ((1u << count) - 1u);
}

/* @param column x + (z << 8) @return false if the packet diverges */
static inline bool ask_column_of_many(terrain_packet *w, uint32_t column)
{
    const vp_terrain_view *t = w->terrain;
    const uint32_t x = column & 255u, z = column >> 8;
    const bool down = w->rays.ends.slope_high[1] < 0.0f;
    for (uint32_t layers = t->top.layers[z * t->chunks.x + x]; layers != 0;) {
        uint32_t layer[VP_KD_WIDTH], count = 0;
        float enter[VP_KD_WIDTH];
        for (; layers != 0 && count < VP_KD_WIDTH; layers ^= 1u << layer[count++])
            layer[count] = down ? 31u - (uint32_t)__builtin_clz(layers) : (uint32_t)__builtin_ctz(layers);
        enter[0] = 0.0f; /* a single chunk has been tested by the column's box */
        for (uint32_t met = count == 1 ? 1 : layers_met(w, x, z, layer, count, enter); met != 0; met &= met - 1u) {
            const uint32_t i = (uint32_t)__builtin_ctz(met);
            const vp_ivec3 at = {t->first.x + (int32_t)x, t->first.y + (int32_t)layer[i], t->first.z + (int32_t)z};
            if (enter[i] <= w->rays.most && !ask_chunk_of_many(w, vp_terrain_chunk(t, at)))
                return false;
        }
    }
    return true;
}

/* @return false if the packet diverges */
static inline bool visit_world_as_one(terrain_packet *w)
{
    enum { MAX_TOP_STEPS = 96 };
    const vp_terrain_view *t = w->terrain;
    const ray_packet *p = &w->rays;
    wide_waiting stack[MAX_TOP_STEPS * VP_KD_WIDTH + 1], *top = stack;
    beam_of(&p->ends, &w->beam);
    *top++ = (wide_waiting){0, 0.0f};
    for (int steps = 0; steps < MAX_TOP_STEPS; steps++) {
        do {
            if (top == stack)
                return true;
            top--;
        } while (top->near > p->most);
        const uint32_t at = top->child, number = at & ~(VP_KD_LEAF | VP_TOP_COLUMN);
        if (!vp_kd_is_leaf(at)) {
            f32x8 enter;
            const vp_kd_wide *node = &t->top.node[at];
            const uint32_t met = beam_meets(WIDE, &w->beam, node, p->most, &enter);
            top = push_met(WIDE, top, node, met, enter);
        } else if ((at & VP_TOP_COLUMN) != 0 ? !ask_column_of_many(w, number) : !ask_chunk_of_many(w, number)) {
            return false;
        }
    }
    return false;
}

/* Like continue_alone of one tree: a ray that ends at its hit finds the nearest of all. */
static __attribute__((noinline)) void continue_alone_in_world(const vp_terrain_view *t, const vp_ray *ray, world_best *best)
{
    for (uint32_t i = 0; i < VP_PACKET; i++) {
        vp_ray rest = ray[i];
        const vp_hit *hit = &best->hit[i].in_chunk;
        rest.t_max = hit->triangle >= 0 && hit->t >= 0x1p-60f ? hit->t : rest.t_max;
        best->hit[i] = closest_in_world(t, &rest);
    }
}

/* @param hit  written if the rays are DONE
   @param kinds  set if they are UNLIKE */
static inline outcome cast_world_packet(const vp_terrain_view *t, const vp_ray *ray, vp_terrain_hit *hit, kinds_of_rays *kinds)
{
    const vp_kd_view whole = {.box = t->box};
    terrain_packet w;
    const outcome prepared = prepare(&whole, ray, &w.rays, kinds);
    if (prepared != DONE)
        return prepared;
    w.terrain = t;
    w.ray = ray;
    w.has_alone = false;
    for (uint32_t i = 0; i < VP_PACKET; i++)
        w.best.hit[i] = (vp_terrain_hit){{ray[i].t_max, VP_NO_HIT, 0.0f, 0.0f}, 0};
    if (!visit_world_as_one(&w))
        continue_alone_in_world(t, ray, &w.best);
    memcpy(hit, w.best.hit, sizeof w.best.hit);
    return DONE;
}

/* The same for some of an array's rays, at least one. Spare lanes repeat its first ray. */
static __attribute__((noinline)) outcome cast_some_in_world(const vp_terrain_view *t, const vp_ray *ray, uint32_t rays, vp_terrain_hit *hit,
                                                            kinds_of_rays *kinds)
{
    vp_ray some[VP_PACKET];
    vp_terrain_hit hits[VP_PACKET];
    uint32_t number[VP_PACKET] = {0}, count = 0;
    for (uint32_t rest = rays; rest != 0; rest &= rest - 1u)
        number[count++] = (uint32_t)__builtin_ctz(rest);
    for (uint32_t i = 0; i < VP_PACKET; i++)
        some[i] = ray[number[i < count ? i : 0]];
    const outcome asked = cast_world_packet(t, some, hits, kinds);
    for (uint32_t i = 0; asked == DONE && i < count; i++)
        hit[number[i]] = hits[i];
    return asked;
}

static inline void cast_rays_in_world(const vp_terrain_view *t, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit)
{
    const uint32_t rays = (1u << count) - 1u;
    uint32_t done = 0;
    if (count >= MIN_RAYS) {
        kinds_of_rays kinds, unused;
        const outcome asked = rays == EVERY_RAY ? cast_world_packet(t, ray, hit, &kinds) : cast_some_in_world(t, ray, rays, hit, &kinds);
        if (asked == DONE)
            return;
        for (int k = 0; asked == UNLIKE && k < 6; k++) {
            const uint32_t alike = kinds.of[k] & rays; /* excludes spare lanes */
            if (__builtin_popcount(alike) >= MIN_RAYS && cast_some_in_world(t, ray, alike, hit, &unused) == DONE)
                done |= alike;
        }
    }
    for (uint32_t rest = rays & ~done; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        hit[i] = closest_in_world(t, &ray[i]);
    }
}

#endif
