/* SPDX-License-Identifier: MIT */
/* Writes the nodes of the published and the slab form from plans. See kd/build/build.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_BUILD_NODES_H
#define VP_OPTIMIZED_KD_BUILD_BUILD_NODES_H

#include "optimized/kd/build/build_big.h"

/* Writes a leaf. If the set is not a leaf, the result is unused. */
VP_INLINE void write_leaf(const plan *p, plan_set s, bool quads, vp_kd_node *leaf)
{
    const float *at = p->item + set_at(s);
    const uint32_t first = id_at(at, STRIDE, (uint32_t)__builtin_ctz(set_bits(s) | 0x100u));
    const uint32_t last = id_at(at, STRIDE, 31u - (uint32_t)__builtin_clz(set_bits(s) | 1u));
    leaf->u.triangle[0] = quads ? 2 * first : first;
    leaf->u.triangle[1] = quads ? 2 * first + 1 : last;
    leaf->link = 3u | (quads ? 2u : set_count(s) & 3u) << 2;
}

/* ---- slabs ---- */

/* Returns the known box of a side after the set's planes. The left one is cut above, the right one below. */
VP_INLINE f32x8 known_of_side(f32x8 known, f32x8 box, uint32_t axis, bool right)
{
    static const uint8_t lanes[3] = {1, 2, 4 + 8}; /* a box has z twice */
    return f32x8_select(m32x8_of_bits((uint32_t)lanes[axis] << (right ? 0 : 4)), box, known);
}

/* The slab nodes above a set. Bits 0 and 1 are their number, followed by two bits for the axis of each. Slabs that cut
   off most come first. */
typedef uint8_t slab_axes;
#define SLAB_ORDER(first, second, third) ((first) << 2 | (second) << 4 | (third) << 6)

/* The order of three shares, by bits 0 to 2: whether the second is less than the first, the third than the first, and
   the third than the second. Two combinations are impossible. */
static const slab_axes slab_order[8] = {SLAB_ORDER(0, 1, 2), SLAB_ORDER(1, 0, 2), 0, SLAB_ORDER(1, 2, 0), SLAB_ORDER(0, 2, 1), 0,
                                        SLAB_ORDER(2, 0, 1), SLAB_ORDER(2, 1, 0)};

/* Returns the slabs of a set, and updates `known`. An axis has a slab if the box covers less than half of the known extent. */
VP_INLINE slab_axes slabs_of(f32x8 box, f32x8 *known)
{
    const f32x4 share = f32x4_div(f32x4_add(f32x8_low(box), f32x8_high(box)), f32x4_add(f32x8_low(*known), f32x8_high(*known)));
    const m32x4 is_cut = f32x4_cmp_gt(f32x4_set1(0.5f), share);
    const f32x4 key = f32x4_select(is_cut, share, f32x4_set1(1.0f));
    const uint32_t cut = m32x4_movemask(is_cut);                                                                     /* x, y, z, z */
    const uint32_t order = m32x4_movemask(f32x4_cmp_gt(f32x4_interleave_low(key, key), f32x4_ext_second(key, key))); /* x x y > y z z */
    *known = f32x8_select(m32x8_of_bits(cut | cut << 4), box, *known);
    return (slab_axes)(slab_order[order & 7] | (uint32_t)__builtin_popcount(cut & 7));
}

/* The place of a set's node, and of the first of those below it. */
typedef struct node_place {
    uint32_t self, next;
} node_place;

/* Writes a set's slab nodes, and always the first one. If the set has none, its own node overwrites it. */
VP_INLINE node_place write_slabs(vp_kd_node *nodes, node_place at, slab_axes s, const float box[8])
{
    const uint32_t count = s & 3u;
    for (uint32_t i = 0; i == 0 || i < count; i++) {
        const uint32_t axis = (uint32_t)s >> (2 * i + 2) & 3u;
        nodes[at.self] = (vp_kd_node){{{box[axis], -box[4 + axis]}}, axis | at.next << 2 | 1u << 31};
        at.self = count != 0 ? at.next : at.self;
        at.next += count != 0;
    }
    return at;
}

/* ---- nodes of a plan ---- */

/* Writes the nodes, numbered as by a walk that takes left sides first, so a right side's nodes follow all of the left
   one's. For quads in the published form the number of nodes follows from the number of items. Otherwise it is counted
   from the last split to the first. @return the next free node */
VP_INLINE uint32_t write_nodes(plan *p, vp_kd_node *nodes, node_place root, const float known_of_root[8], bool quads, bool with_slabs)
{
    node_place place[PLAN_PLACES];
    uint16_t below[PLAN_PLACES];
    slab_axes slab[PLAN_PLACES];
    const uint32_t splits = p->splits;
    const bool counted = with_slabs || !quads;
    if (with_slabs) {
        f32x8 known = f32x8_load(known_of_root);
        slab[0] = slabs_of(f32x8_load(p->box[0]), &known);
        f32x8_store(p->known[0], known);
        for (uint32_t i = 0; i < splits; i++)
            for (uint32_t k = 0; k < 2; k++) {
                const uint32_t child = 2 * i + 1 + k;
                const f32x8 box = f32x8_load(p->box[child]);
                known = known_of_side(f32x8_load(p->known[p->parent[i]]), box, p->axis[i], k != 0);
                slab[child] = slabs_of(box, &known);
                f32x8_store(p->known[child], known);
            }
    }
    for (uint32_t i = 0; counted && i < 2 * splits + 1; i++)
        below[i] = with_slabs ? slab[i] & 3u : 0;
    for (uint32_t i = splits; counted && i-- != 0;)
        below[p->parent[i]] = (uint16_t)(below[p->parent[i]] + 2 + below[2 * i + 1] + below[2 * i + 2]);
    place[0] = with_slabs ? write_slabs(nodes, root, slab[0], p->box[0]) : root;
    write_leaf(p, p->set[0], quads, &nodes[place[0].self]);
    for (uint32_t i = 0; i < splits; i++) {
        const uint32_t left = 2 * i + 1, axis = p->axis[i];
        const node_place here = place[p->parent[i]];
        const uint32_t below_left = counted ? below[left] : 2 * (set_count(p->set[left]) - 1);
        vp_kd_node *branch = &nodes[here.self];
        branch->u.plane[0] = -p->box[left][4 + axis];
        branch->u.plane[1] = p->box[left + 1][axis];
        branch->link = axis | here.next << 2;
        for (uint32_t k = 0; k < 2; k++) {
            node_place at = {here.next + k, here.next + 2 + k * below_left};
            if (with_slabs)
                at = write_slabs(nodes, at, slab[left + k], p->box[left + k]);
            write_leaf(p, p->set[left + k], quads, &nodes[at.self]);
            place[left + k] = at;
        }
    }
    return root.next + (counted ? below[0] : 2 * splits);
}

/* The known box goes through memory. gcc does not clear the upper halves of registers after a call that takes a vector,
   and then all later SSE code is twice as slow. */
static inline uint32_t write_plan(plan *p, const vp_kd_build_job *to, node_place root, const float known[8])
{
    const bool quads = to->triangles.quads;
    if (to->form == VP_KD_SLAB)
        return write_nodes(p, to->node, root, known, quads, true);
    return quads ? write_nodes(p, to->node, root, known, true, false) : write_nodes(p, to->node, root, known, false, false);
}

VP_INLINE void plan_nodes(plan *p, const vp_kd_build_job *to, uint32_t count, const float box[8])
{
    const bool pairs = to->triangles.quads && to->form == VP_KD_PUBLISHED;
    if (pairs)
        make_plan(p, count, box, 1, true);
    else
        make_plan(p, count, box, to->triangles.quads ? 1 : 2, false);
}

/* ---- all ---- */

/* A big set whose node is still to be written. */
typedef struct big_node {
    big_set set;
    float known[8];
    uint32_t self;
} big_node;

/* @return the number of nodes */
static inline uint32_t make_nodes(const big_items *items, plan *p, const vp_kd_build_job *to, uint32_t count, const float box[8])
{
    big_node stack[VP_KD_STACK], *top = stack;
    uint32_t next = 1;
    if (count <= PLAN_ITEMS) {
        plan_nodes(p, to, count, box);
        return write_plan(p, to, (node_place){0, 1}, box);
    }
    *top = (big_node){.set = big_set_of_all(items, count, box)};
    f32x8_store(top++->known, f32x8_load(box));
    while (top != stack) {
        const big_set s = (--top)->set;
        node_place at = {top->self, next};
        if (s.count <= PLAN_ITEMS) {
            fetch_items(items, &s, p);
            plan_nodes(p, to, s.count, s.box);
            next = write_plan(p, to, at, top->known);
            continue;
        }
        f32x8 known = f32x8_load(top->known);
        if (to->form == VP_KD_SLAB)
            at = write_slabs(to->node, at, slabs_of(f32x8_load(s.box), &known), s.box);
        big_set side[2];
        float around[8];
        f32x8_store(around, known);
        const uint32_t axis = split_big(items, &s, side);
        to->node[at.self] = (vp_kd_node){{{-side[0].box[4 + axis], side[1].box[axis]}}, axis | at.next << 2};
        next = at.next + 2;
        for (uint32_t k = 2; k-- != 0; top++) {
            *top = (big_node){.set = side[k], .self = at.next + k};
            f32x8_store(top->known, known_of_side(f32x8_load(around), f32x8_load(side[k].box), axis, k != 0));
        }
    }
    return next;
}

#endif
