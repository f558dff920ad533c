/* SPDX-License-Identifier: MIT */
/* The wide form's nodes, from plans: see kd_build.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_WIDE_H
#define VP_OPTIMIZED_KD_BUILD_WIDE_H

#include "optimized/kd_build_big.h"

/* A wide node's parts are the eight that are left when a plan's splits are undone, the largest set's first. */
typedef struct wide_parts {
    uint32_t place[VP_KD_WIDTH];
    uint32_t count;
} wide_parts;

/* Which part is the largest, the first of equal ones: of their sizes and, below them, what is left to the eighth. */
VP_INLINE uint32_t largest_of(const uint32_t size[VP_KD_WIDTH])
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < VP_KD_WIDTH; i++) {
        const uint32_t key = size[i] << 3 | (7u - i);
        most = key > most ? key : most;
    }
    return most;
}

/* What a plan's nodes are written from. */
typedef struct wide_plan {
    const plan *p;
    uint16_t child[PLAN_PLACES]; /* of a set that was split, its left side's place */
    uint16_t first[PLAN_PLACES]; /* how many items are before it */
    uint32_t order[PLAN_ITEMS];  /* items in the order of leaves */
} wide_plan;

VP_INLINE wide_parts parts_of(const wide_plan *w, uint32_t place)
{
    wide_parts parts = {{place}, 1};
    uint32_t size[VP_KD_WIDTH] = {set_count(w->p->set[place])};
    while (parts.count < VP_KD_WIDTH) {
        const uint32_t most = largest_of(size), i = 7u - (most & 7u);
        if (most >> 3 <= VP_KD_WIDE_ITEMS)
            break;
        const uint32_t left = w->child[parts.place[i]];
        parts.place[i] = left;
        size[i] = set_count(w->p->set[left]);
        parts.place[parts.count] = left + 1;
        size[parts.count++] = set_count(w->p->set[left + 1]);
    }
    return parts;
}

/* The numbers of a leaf's items, in its place in the order. */
VP_INLINE void order_leaf(wide_plan *w, uint32_t place)
{
    const plan_set s = w->p->set[place];
    const float *at = w->p->item + set_at(s);
    uint64_t lanes = build_order[set_bits(s)];
    uint32_t nowhere;
    for (uint32_t i = 0; i < VP_KD_WIDE_ITEMS; i++, lanes >>= 8) {
        uint32_t *to = i < set_count(s) ? &w->order[w->first[place] + i] : &nowhere;
        *to = id_at(at, STRIDE, (uint32_t)lanes & 7u);
    }
}

/* The nodes of a plan. @return the next free one */
static inline uint32_t write_wide(wide_plan *w, const vp_kd_build *to, uint32_t self, uint32_t next, uint32_t first)
{
    static const float nothing[8] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    struct {
        uint32_t place, self;
    } stack[PLAN_ITEMS], *top = stack;
    const plan *p = w->p;
    w->first[0] = 0;
    for (uint32_t i = 0; i < p->splits; i++) {
        const uint32_t left = 2 * i + 1;
        w->child[p->parent[i]] = (uint16_t)left;
        w->first[left] = w->first[p->parent[i]];
        w->first[left + 1] = (uint16_t)(w->first[left] + set_count(p->set[left]));
    }
    top->place = 0;
    top->self = self;
    top++;
    while (top != stack) {
        const wide_parts parts = parts_of(w, (--top)->place);
        vp_kd_wide *node = &to->wide[top->self];
        const float *box[VP_KD_WIDTH];
        uint32_t waits = 0, places[VP_KD_WIDTH], begins = next;
        for (uint32_t i = 0; i < VP_KD_WIDTH; i++) {
            node->child[i] = 0;
            box[i] = nothing;
        }
        for (uint32_t i = 0; i < parts.count; i++) {
            const uint32_t place = parts.place[i], count = set_count(p->set[place]);
            box[i] = p->box[place];
            places[waits] = place;
            if (count <= VP_KD_WIDE_ITEMS) {
                node->child[i] = VP_KD_LEAF | (first + w->first[place]) << 3 | count;
                order_leaf(w, place);
            } else {
                node->child[i] = next++;
                waits++;
            }
        }
        faces_of_boxes(box, node);
        for (uint32_t i = waits; i-- != 0; top++) {
            top->place = places[i];
            top->self = begins + i;
        }
    }
    return next;
}

/* Items as leaves test them. */
static inline void write_items(const vp_kd_build *to, const uint32_t *order, uint32_t first, uint32_t count)
{
    const vp_triangles *t = &to->triangles;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = order[i], *corner = t->index + (size_t)id * (t->quads ? 4 : 3);
        to->item[first + i] = (vp_kd_item){{corner[0], corner[1], corner[2], corner[t->quads ? 3 : 2]}};
        to->item_id[first + i] = id;
    }
}

/* A plan's nodes and items. @return the next free node */
static inline uint32_t plan_wide(plan *p, const vp_kd_build *to, uint32_t count, const float box[8], uint32_t first,
                                 uint32_t self, uint32_t next)
{
    wide_plan w;
    w.p = p;
    make_plan(p, count, box, VP_KD_WIDE_ITEMS, false);
    next = write_wide(&w, to, self, next, first);
    write_items(to, w.order, first, count);
    return next;
}

/* A big set's node and all below it. Each of its eight parts has a node: the one that is split has more than a seventh of the items.
   @return the next free node */
static uint32_t big_wide(const big_items *items, plan *p, const vp_kd_build *to, const big_set *s, uint32_t self, uint32_t next)
{
    if (s->count <= PLAN_ITEMS) {
        fetch_items(items, s, p);
        return plan_wide(p, to, s->count, s->box, big_set_begins(items, s), self, next);
    }
    big_set part[VP_KD_WIDTH] = {*s};
    uint32_t size[VP_KD_WIDTH] = {s->count};
    const float *box[VP_KD_WIDTH];
    for (uint32_t count = 1; count < VP_KD_WIDTH; count++) {
        const uint32_t i = 7u - (largest_of(size) & 7u);
        big_set side[2];
        split_big(items, &part[i], side);
        part[i] = side[0];
        size[i] = side[0].count;
        part[count] = side[1];
        size[count] = side[1].count;
    }
    vp_kd_wide *node = &to->wide[self];
    const uint32_t children = next;
    for (uint32_t i = 0; i < VP_KD_WIDTH; i++) {
        box[i] = part[i].box;
        node->child[i] = next++;
    }
    faces_of_boxes(box, node);
    for (uint32_t i = 0; i < VP_KD_WIDTH; i++)
        next = big_wide(items, p, to, &part[i], children + i, next);
    return next;
}

/* @return how many nodes */
static inline uint32_t make_wide(const big_items *items, plan *p, const vp_kd_build *to, uint32_t count, const float box[8])
{
    if (count <= PLAN_ITEMS)
        return plan_wide(p, to, count, box, 0, 0, 1);
    const big_set all = big_set_of_all(items, count, box);
    return big_wide(items, p, to, &all, 0, 1);
}

#endif
