/* SPDX-License-Identifier: MIT */
/* Writes the nodes of the wide form from plans. See kd/build/build.h. */
#ifndef VP_OPTIMIZED_KD_BUILD_BUILD_WIDE_H
#define VP_OPTIMIZED_KD_BUILD_BUILD_WIDE_H

#include "optimized/kd/build/build_big.h"

/* Keys of sizes, less for larger ones. With a part's number in the last three bits, the least key is that of the largest part, the first of
   equal ones. No set of a plan has 8191 items. */
enum { NO_PART = 0xffff };
#define SIZE_KEY(size) (8u * (8191u - (size)))

/* A plan and the sizes that its nodes are written from. */
typedef struct wide_plan {
    const plan *p;
    uint64_t sides[PLAN_PLACES]; /* for each set that was split, fields of 16 bits from bit 0 on: its left side's place, their keys */
    uint16_t first[PLAN_PLACES]; /* number of items before it */
} wide_plan;

/* Finds a wide node's parts. Opens the largest set's split, over and over, until there are eight parts or none can be
   split. @return the number of parts */
VP_INLINE uint32_t parts_of(const wide_plan *w, uint32_t place, uint32_t parts[VP_KD_WIDTH])
{
    uint64_t sides[VP_KD_WIDTH];
    uint32_t count = 1;
    u16x8 keys = u16x8_replace(u16x8_set1(NO_PART), 0, (uint16_t)SIZE_KEY(set_count(w->p->set[place])));
    parts[0] = place;
    sides[0] = w->sides[place];
    while (count < VP_KD_WIDTH) {
        const uint32_t key = u16x8_min_across(keys), largest = key & 7u;
        if (key >= SIZE_KEY(VP_KD_WIDE_ITEMS))
            break;
        const uint64_t s = sides[largest];
        const uint32_t left = (uint32_t)s & 0xffffu;
        keys = u16x8_replace(keys, largest, (uint16_t)((uint32_t)(s >> 16) | largest));
        keys = u16x8_replace(keys, count, (uint16_t)((uint32_t)(s >> 32) | count));
        parts[largest] = left;
        sides[largest] = w->sides[left];
        parts[count] = left + 1;
        sides[count++] = w->sides[left + 1];
    }
    return count;
}

/* Writes eight boxes as the faces of a node. */
VP_INLINE void write_faces(const float *const box[VP_KD_WIDTH], vp_kd_wide *node)
{
    f32x8 lower[4], upper[4], low[3], back[3];
    for (int i = 0; i < 4; i++) {
        lower[i] = f32x8_of_halves(f32x4_load(box[i]), f32x4_load(box[i + 4]));
        upper[i] = f32x8_of_halves(f32x4_load(box[i] + 4), f32x4_load(box[i + 4] + 4));
    }
    f32x8_transpose3(lower, low);
    f32x8_transpose3(upper, back);
    for (int k = 0; k < 3; k++) {
        f32x8_store(node->low[k], low[k]);
        f32x8_store(node->high[k], f32x8_neg(back[k]));
    }
}

/* Writes the nodes of a plan, and the numbers of its items in the order of leaves. @return the next free node */
static inline uint32_t write_wide(wide_plan *w, const vp_kd_build_job *to, uint32_t self, uint32_t next, uint32_t begins)
{
    static const float nothing[8] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    struct {
        uint32_t place, self;
    } stack[PLAN_ITEMS], *top = stack;
    const plan *p = w->p;
    w->first[0] = 0;
    for (uint32_t i = 0; i < p->splits; i++) {
        const uint32_t left = 2 * i + 1, parent = p->parent[i];
        const uint32_t sizes[2] = {set_count(p->set[left]), set_count(p->set[left + 1])};
        w->sides[parent] = left | SIZE_KEY(sizes[0]) << 16 | (uint64_t)SIZE_KEY(sizes[1]) << 32;
        w->first[left] = w->first[parent];
        w->first[left + 1] = (uint16_t)(w->first[parent] + sizes[0]);
    }
    top->place = 0;
    top->self = self;
    top++;
    while (top != stack) {
        uint32_t parts[VP_KD_WIDTH], waits = 0;
        const uint32_t count = parts_of(w, (--top)->place, parts), children = next;
        vp_kd_wide *node = &to->wide[top->self];
        const float *box[VP_KD_WIDTH] = {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing};
        memset(node->child, 0, sizeof node->child);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t place = parts[i], first = begins + w->first[place];
            const plan_set s = p->set[place];
            box[i] = p->box[place];
            if (set_count(s) <= VP_KD_WIDE_ITEMS) {
                node->child[i] = VP_KD_LEAF | first << 3 | set_count(s);
                i32x8_compress_copy4(to->item_id + first, p->item + set_at(s) + FACES * STRIDE, set_bits(s));
            } else {
                node->child[i] = next++;
                parts[waits++] = place;
            }
        }
        write_faces(box, node);
        for (uint32_t i = waits; i-- != 0; top++) {
            top->place = parts[i];
            top->self = children + i;
        }
    }
    return next;
}

/* Writes items in the form that leaves test. */
static inline void write_items(const vp_kd_build_job *to, uint32_t first, uint32_t count)
{
    const vp_triangles *t = &to->triangles;
    const uint32_t corners = t->quads ? 4 : 3;
    for (uint32_t i = first; i < first + count; i++) {
        const uint32_t *corner = t->index + (size_t)to->item_id[i] * corners;
        to->item[i] = (vp_kd_item){{corner[0], corner[1], corner[2], corner[corners - 1]}};
    }
}

/* A plan's nodes and items. @return the next free node */
static inline uint32_t plan_wide(plan *p, const vp_kd_build_job *to, uint32_t count, const float box[8], uint32_t first, uint32_t self,
                                 uint32_t next)
{
    wide_plan w;
    w.p = p;
    make_plan(p, count, box, VP_KD_WIDE_ITEMS, false);
    next = write_wide(&w, to, self, next, first);
    write_items(to, first, count);
    return next;
}

/* The place of the largest of eight sizes, the first of equal ones. */
static inline uint32_t largest_of(const uint32_t size[VP_KD_WIDTH])
{
    uint32_t largest = 0;
    for (uint32_t i = 1; i < VP_KD_WIDTH; i++)
        if (size[i] > size[largest])
            largest = i;
    return largest;
}

/* Writes a big set's node and all nodes below it. Eight such parts need one node each, because the part that is split
   has more than a seventh of the items. @return the next free node */
static uint32_t big_wide(const big_items *items, plan *p, const vp_kd_build_job *to, const big_set *s, uint32_t self, uint32_t next)
{
    if (s->count <= PLAN_ITEMS) {
        fetch_items(items, s, p);
        return plan_wide(p, to, s->count, s->box, big_set_begins(items, s), self, next);
    }
    big_set part[VP_KD_WIDTH] = {*s};
    uint32_t size[VP_KD_WIDTH] = {s->count};
    const float *box[VP_KD_WIDTH];
    for (uint32_t count = 1; count < VP_KD_WIDTH; count++) {
        const uint32_t i = largest_of(size);
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
    write_faces(box, node);
    for (uint32_t i = 0; i < VP_KD_WIDTH; i++)
        next = big_wide(items, p, to, &part[i], children + i, next);
    return next;
}

/* @return the number of nodes */
static inline uint32_t make_wide(const big_items *items, plan *p, const vp_kd_build_job *to, uint32_t count, const float box[8])
{
    if (count <= PLAN_ITEMS)
        return plan_wide(p, to, count, box, 0, 0, 1);
    const big_set all = big_set_of_all(items, count, box);
    return big_wide(items, p, to, &all, 0, 1);
}

#endif
