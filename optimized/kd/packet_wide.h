/* SPDX-License-Identifier: MIT */
/* A packet in the wide form. Nodes are tested by its beam (optimized/kd/beam.h), leaves by its rays.
 *
 * If the beam meets a leaf, every ray tests it with its own slopes, all rays in one comparison. All of them miss one
 * leaf in four, whose quads are then skipped. The result is also the mask of rays for which the quads are tested. */
#ifndef VP_OPTIMIZED_KD_PACKET_WIDE_H
#define VP_OPTIMIZED_KD_PACKET_WIDE_H

#include "optimized/kd/packet.h"

/* Rays among boxes: origins for lower and upper faces, along x and y, and -1/slope along the way. */
typedef struct slabs {
    f32p from_lower[2], from_upper[2], inverse[2];
} slabs;

static inline void slabs_of(const ray_packet *p, slabs *out)
{
    const beam_ends *e = &p->ends;
    const f32p away = f32p_set1(e->backwards ? 1.0f : -1.0f), pad = f32p_set1(e->pad);
    for (int k = 0; k < 2; k++) {
        const f32p origin = p->origin[k == 0 ? e->x : e->y];
        out->from_lower[k] = f32p_add(origin, pad);
        out->from_upper[k] = f32p_sub(origin, pad);
        out->inverse[k] = f32p_div(away, p->slope[k]);
    }
}

/* Tests rays against a child's box, from its lower faces along x and y and the depths of those along z. @return the
   bits of rays that meet it */
static inline uint32_t meet_box(const ray_packet *p, const slabs *s, const float *x, const float *y, float in, float out, m32p *here)
{
    const f32p x0 = f32p_mul(f32p_sub(s->from_lower[0], f32p_set1(x[0])), s->inverse[0]);
    const f32p x1 = f32p_mul(f32p_sub(s->from_upper[0], f32p_set1(x[TO_HIGH])), s->inverse[0]);
    const f32p y0 = f32p_mul(f32p_sub(s->from_lower[1], f32p_set1(y[0])), s->inverse[1]);
    const f32p y1 = f32p_mul(f32p_sub(s->from_upper[1], f32p_set1(y[TO_HIGH])), s->inverse[1]);
    f32p near = f32p_max(f32p_min(x0, x1), f32p_min(y0, y1));
    f32p far = f32p_min(f32p_max(x0, x1), f32p_max(y0, y1));
    near = f32p_max(near, f32p_set1(vp_max(in, 0.0f)));
    far = f32p_min(far, f32p_min(f32p_set1(out), p->limit));
    *here = f32p_cmp_le(near, far);
    return m32p_movemask(*here);
}

/* A node's faces as floats. Faces of lines are decoded to `room`. */
VP_INLINE const float *float_faces(layout l, const vp_kd_view *tree, const void *node, float room[2 * TO_HIGH])
{
    if (l == WIDE)
        return &((const vp_kd_wide *)node)->low[0][0];
    const vp_kd_faces faces = vp_kd_faces_of(&tree->box);
    for (size_t k = 0; k < 6; k++) {
        const f32x8 step = f32x8_set1(faces.step[k % 3]), low = f32x8_set1(faces.origin[k % 3]);
        f32x8_store(room + VP_KD_WIDTH * k, f32x8_add(f32x8_mul(faces_at(l, node, VP_KD_WIDTH * k), step), low));
    }
    return room;
}

/* Leaves among a node's children. */
VP_INLINE void test_leaves_of(layout l, const vp_kd_view *tree, const void *node, uint32_t leaves, const slabs *s, ray_packet *p)
{
    decoded place;
    float room[2 * TO_HIGH];
    const tester t = tester_of(l, tree, p, &place);
    const beam_ends *e = &p->ends;
    const float way = e->backwards ? -1.0f : 1.0f;
    const float nearest = e->backwards ? e->low[e->z] : e->high[e->z];
    const float farthest = e->backwards ? e->high[e->z] : e->low[e->z];
    const float *face = float_faces(l, tree, node, room), *low_z = face + VP_KD_WIDTH * e->z, *high_z = low_z + TO_HIGH;
    const float *near_z = e->backwards ? high_z : low_z, *far_z = e->backwards ? low_z : high_z;
    uint32_t count = p->count;
    for (; leaves != 0; leaves &= leaves - 1u) {
        const uint32_t lane = (uint32_t)__builtin_ctz(leaves), leaf = child_at(l, node, lane);
        const float in = (near_z[lane] - nearest) * way, out = (far_z[lane] - farthest) * way;
        m32p here, sure = m32p_of_bits(0);
        const uint32_t rays = meet_box(p, s, face + VP_KD_WIDTH * e->x + lane, face + VP_KD_WIDTH * e->y + lane, in, out, &here);
        if (rays == 0)
            continue;
        const uint32_t first = first_item(l, leaf), end = first + items_in(l, leaf);
        for (uint32_t item = first; item < end; item++) {
            size_t at[4];
            corners_of(l, tree, item, &place, at);
            count += test_item(&t, at, item, rays, &sure, &p->list[count]);
        }
        if (in >= 0.0f) /* the whole node lies ahead of all rays */
            shorten(m32p_and(here, sure), out * (1.0f + 0x1p-20f), p);
    }
    p->count = count;
}

/* Separate functions, so that their registers do not compete with the traversal's. */
static __attribute__((noinline)) void test_leaves_wide(const vp_kd_view *tree, const void *node, uint32_t leaves, const slabs *s,
                                                       ray_packet *p)
{
    test_leaves_of(WIDE, tree, node, leaves, s, p);
}
static __attribute__((noinline)) void test_leaves_packed(const vp_kd_view *tree, const void *node, uint32_t leaves, const slabs *s,
                                                         ray_packet *p)
{
    test_leaves_of(PACKED, tree, node, leaves, s, p);
}
static __attribute__((noinline)) void test_leaves_implied(const vp_kd_view *tree, const void *node, uint32_t leaves, const slabs *s,
                                                          ray_packet *p)
{
    test_leaves_of(IMPLIED, tree, node, leaves, s, p);
}

VP_INLINE void test_leaves(layout l, const vp_kd_view *tree, const void *node, uint32_t leaves, const slabs *s, ray_packet *p)
{
    (l == WIDE ? test_leaves_wide : l == PACKED ? test_leaves_packed : test_leaves_implied)(tree, node, leaves, s, p);
}

/* @return false if the packet diverges */
VP_INLINE bool visit_wide_as_one(layout l, const vp_kd_view *tree, ray_packet *p)
{
    wide_waiting stack[MAX_WAITING + 2 * VP_KD_WIDTH + 2], *top = stack;
    wide_waiting at = {0, 0.0f};
    beam b;
    slabs s;
    const uint32_t most_leaves = p->leaves + MAX_LEAVES;
    beam_of(&p->ends, &b);
    if (l != WIDE)
        beam_in_steps(tree, &b);
    slabs_of(p, &s);
    for (int steps = 0; steps < MAX_STEPS; steps++) {
        f32x8 enter;
        const void *node = node_at(l, tree, at.child);
        const uint32_t met = beam_meets(l, &b, node, p->most, &enter), leaves = met & leaves_at(l, node);
        /* another one that is about as near */
        const void *other = NULL;
        uint32_t other_leaves = 0;
        if (top > stack && top[-1].near * ABOUT_AS_NEAR <= at.near && (--top)->near <= p->most) {
            f32x8 other_enter;
            other = node_at(l, tree, top->child);
            const uint32_t other_met = beam_meets(l, &b, other, p->most, &other_enter);
            other_leaves = other_met & leaves_at(l, other);
            top = push_met(l, top, other, other_met & ~other_leaves, other_enter);
        }
        top = push_met(l, top, node, met & ~leaves, enter);
        if ((leaves | other_leaves) != 0) {
            p->leaves += (uint32_t)__builtin_popcount(leaves) + (uint32_t)__builtin_popcount(other_leaves);
            if (leaves != 0)
                test_leaves(l, tree, node, leaves, &s, p);
            if (other_leaves != 0)
                test_leaves(l, tree, other, other_leaves, &s, p);
            if (p->sure == EVERY_RAY)
                find_most(p);
            if (p->count + 2 * VP_KD_WIDTH * VP_KD_WIDE_ITEMS > MAX_LISTED)
                settle(tree, p);
        }
        if (top - stack > MAX_WAITING || p->leaves > most_leaves)
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

#endif
