/* SPDX-License-Identifier: MIT */
/* The published and the slab form's nodes, from plans: see kd_build.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_NODES_H
#define VP_OPTIMIZED_KD_BUILD_NODES_H

#include "optimized/kd_build_big.h"

/* A leaf; of a set that is none, something. */
VP_INLINE void write_leaf(const plan *p, plan_set s, bool quads, vp_kd_node *leaf)
{
    const float *at = p->item + set_at(s);
    const uint32_t first = id_at(at, STRIDE, (uint32_t)__builtin_ctz(set_bits(s) | 0x100u));
    const uint32_t last = id_at(at, STRIDE, 31u - (uint32_t)__builtin_clz(set_bits(s) | 1u));
    leaf->u.triangle[0] = quads ? 2 * first : first;
    leaf->u.triangle[1] = quads ? 2 * first + 1 : last;
    leaf->link = 3u | (quads ? 2u : set_count(s) & 3u) << 2;
}

/* ---- published ---- */

/* Where a set's node is, and those below it. */
typedef struct node_place {
    uint32_t self, children;
} node_place;

/* The nodes of a plan, numbered as by a walk that takes left sides first: a right side's are behind all of the left one's, and
   how many those are is known. @return the next free one */
VP_INLINE uint32_t write_published(const plan *p, vp_kd_node *nodes, uint32_t self, uint32_t next, bool quads)
{
    node_place place[PLAN_PLACES];
    uint16_t below[PLAN_PLACES]; /* splits; of quads one less than items */
    for (uint32_t i = 0; !quads && i < 2 * p->splits + 1; i++)
        below[i] = 0;
    for (uint32_t i = p->splits; !quads && i-- != 0;)
        below[p->parent[i]] = (uint16_t)(1 + below[2 * i + 1] + below[2 * i + 2]);
    place[0] = (node_place){self, next};
    write_leaf(p, p->set[0], quads, &nodes[self]);
    for (uint32_t i = 0; i < p->splits; i++) {
        const uint32_t left = 2 * i + 1, right = left + 1, axis = p->axis[i];
        const node_place here = place[p->parent[i]];
        const uint32_t below_left = quads ? set_count(p->set[left]) - 1 : below[left];
        vp_kd_node *branch = &nodes[here.self];
        branch->u.plane[0] = -p->box[left][4 + axis];
        branch->u.plane[1] = p->box[right][axis];
        branch->link = axis | here.children << 2;
        place[left] = (node_place){here.children, here.children + 2};
        place[right] = (node_place){here.children + 1, here.children + 2 + 2 * below_left};
        write_leaf(p, p->set[left], quads, &nodes[here.children]);
        write_leaf(p, p->set[right], quads, &nodes[here.children + 1]);
    }
    return next + 2 * p->splits;
}

/* ---- slab ---- */

/* Lanes of a box that are of an axis's faces. */
VP_INLINE m8 faces_of_axis(uint32_t axis)
{
    return m8_of(0x11u << axis);
}

/* What is known of the two sides of a set after its planes: the left one is cut above, the right one below. */
VP_INLINE f8 known_of_side(f8 known, const float box[8], uint32_t axis, bool right)
{
    return f8_choose(known, f8_most(known, f8_load(box)), m8_of(right ? 1u << axis : 16u << axis));
}

/* Puts slab nodes where they cut off more than a half, most first. @return where the set's own node is then */
static inline uint32_t write_slabs(vp_kd_node *nodes, uint32_t self, uint32_t *next, const float box[8], f8 *known)
{
    float around[8], share[3];
    f8_store(around, *known);
    for (int k = 0; k < 3; k++)
        share[k] = (box[k] + box[4 + k]) / (around[k] + around[4 + k]); /* NaN of 0/0 is not less */
    for (;;) {
        uint32_t axis = 0;
        for (uint32_t k = 1; k < 3; k++)
            if (share[k] < share[axis] || !(share[axis] < 0.5f))
                axis = k;
        if (!(share[axis] < 0.5f))
            return self;
        nodes[self] = (vp_kd_node){{{box[axis], -box[4 + axis]}}, axis | *next << 2 | 1u << 31};
        *known = f8_choose(*known, f8_load(box), faces_of_axis(axis));
        share[axis] = 1.0f;
        self = (*next)++;
    }
}

/* A set whose node is to be written. */
typedef struct slab_waiting {
    f8 known;
    uint32_t place, self;
} slab_waiting;

/* The nodes of a plan with slabs, walking it. @return the next free one */
static inline uint32_t write_slab_form(const plan *p, vp_kd_node *nodes, uint32_t self, uint32_t next, f8 known, bool quads)
{
    slab_waiting stack[VP_KD_STACK], *top = stack;
    uint16_t child[PLAN_PLACES]; /* of a set that was split, one more than its split's number */
    for (uint32_t i = 0; i < 2 * p->splits + 1; i++)
        child[i] = 0;
    for (uint32_t i = 0; i < p->splits; i++)
        child[p->parent[i]] = (uint16_t)(i + 1);
    *top++ = (slab_waiting){known, 0, self};
    while (top != stack) {
        f8 around = (--top)->known;
        const uint32_t place = top->place, at = write_slabs(nodes, top->self, &next, p->box[place], &around);
        if (child[place] == 0) {
            write_leaf(p, p->set[place], quads, &nodes[at]);
            continue;
        }
        const uint32_t split = child[place] - 1u, axis = p->axis[split], left = 2 * split + 1, right = left + 1;
        nodes[at] = (vp_kd_node){{{-p->box[left][4 + axis], p->box[right][axis]}}, axis | next << 2};
        *top++ = (slab_waiting){known_of_side(around, p->box[right], axis, true), right, next + 1};
        *top++ = (slab_waiting){known_of_side(around, p->box[left], axis, false), left, next};
        next += 2;
    }
    return next;
}

/* ---- both ---- */

VP_INLINE uint32_t write_plan(const plan *p, const vp_kd_build *to, uint32_t self, uint32_t next, f8 known)
{
    if (to->form == VP_KD_SLAB)
        return write_slab_form(p, to->node, self, next, known, to->triangles.quads);
    return to->triangles.quads ? write_published(p, to->node, self, next, true)
                               : write_published(p, to->node, self, next, false);
}

VP_INLINE void plan_nodes(plan *p, const vp_kd_build *to, uint32_t count, const float box[8])
{
    const bool pairs = to->triangles.quads && to->form == VP_KD_PUBLISHED;
    if (pairs)
        make_plan(p, count, box, 1, true);
    else
        make_plan(p, count, box, to->triangles.quads ? 1 : 2, false);
}

/* A big set whose node is to be written. */
typedef struct big_node {
    big_set set;
    f8 known;
    uint32_t self;
} big_node;

/* @return how many nodes */
static inline uint32_t make_nodes(const big_items *items, plan *p, const vp_kd_build *to, uint32_t count, const float box[8])
{
    big_node stack[VP_KD_STACK], *top = stack;
    vp_kd_node *nodes = to->node;
    uint32_t next = 1;
    if (count <= PLAN_ITEMS) {
        plan_nodes(p, to, count, box);
        return write_plan(p, to, 0, 1, f8_load(box));
    }
    *top++ = (big_node){big_set_of_all(items, count, box), f8_load(box), 0};
    while (top != stack) {
        const big_node w = *--top;
        if (w.set.count <= PLAN_ITEMS) {
            fetch_items(items, &w.set, p);
            plan_nodes(p, to, w.set.count, w.set.box);
            next = write_plan(p, to, w.self, next, w.known);
            continue;
        }
        f8 known = w.known;
        uint32_t self = w.self;
        if (to->form == VP_KD_SLAB)
            self = write_slabs(nodes, self, &next, w.set.box, &known);
        big_set side[2];
        const uint32_t axis = split_big(items, &w.set, side);
        nodes[self] = (vp_kd_node){{{-side[0].box[4 + axis], side[1].box[axis]}}, axis | next << 2};
        *top++ = (big_node){side[1], known_of_side(known, side[1].box, axis, true), next + 1};
        *top++ = (big_node){side[0], known_of_side(known, side[0].box, axis, false), next};
        next += 2;
    }
    return next;
}

#endif
