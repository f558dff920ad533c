/* SPDX-License-Identifier: MIT */
/* A box in the wide form of the loose kD tree: a node is six comparisons; a leaf six minima and maxima an axis and six
 * comparisons; what is found is moved together by a table of permutations, and stored as eight. */
#ifndef VP_OPTIMIZED_KD_WIDE_BOX_H
#define VP_OPTIMIZED_KD_WIDE_BOX_H

#include "optimized/kd_wide_ray.h"

typedef struct box8 {
    f8 low[3], high[3];
} box8;

static inline uint32_t children_in(const vp_kd_wide *node, const box8 *b)
{
    uint32_t met = 0xff;
    for (int k = 0; k < 3; k++)
        met &= f8_le(f8_load(node->low[k]), b->high[k]) & f8_le(b->low[k], f8_load(node->high[k]));
    return met;
}

/* Triangles of a leaf whose own boxes overlap, as bits of may_meet. The two triangles of a quad have its first and third
   corner each, and the second or the fourth. */
static inline uint32_t triangles_in(const vp_kd_view *tree, const vp_kd_item *items, uint32_t count, const box8 *b)
{
    const p8 ac = two_corners(tree->triangles.vertex, items, 0, 2), bd = two_corners(tree->triangles.vertex, items, 1, 3);
    uint32_t met = ((1u << count) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
    for (int k = 0; k < 3; k++) {
        const f8 ca = f8_swap(ac.axis[k]);
        const f8 least = f8_earlier(f8_earlier(ac.axis[k], ca), bd.axis[k]);
        const f8 most = f8_later(f8_later(ac.axis[k], ca), bd.axis[k]);
        met &= f8_le(least, b->high[k]) & f8_le(b->low[k], most);
    }
    return met;
}

/* @param exact  false: all triangles of the leaves that the box reaches */
static inline uint32_t gather_wide(const vp_kd_view *tree, bool exact, const float low[3], const float high[3], uint32_t *out,
                                   uint32_t capacity)
{
    uint32_t stack[VP_KD_STACK * VP_KD_WIDTH + 8], waits = 0, found = 0, at = 0;
    box8 b;
    ask_for_tree(tree);
    for (int k = 0; k < 3; k++) {
        b.low[k] = f8_set(low[k]);
        b.high[k] = f8_set(high[k]);
    }
    for (;;) {
        if (!vp_kd_is_leaf(at)) {
            const vp_kd_wide *node = &tree->wide[at];
            uint32_t met = children_in(node, &b);
            n8_compress(stack + waits, n8_load(node->child), met);
            waits += (uint32_t)__builtin_popcount(met);
        } else {
            const uint32_t first = vp_kd_first_item(at);
            const uint32_t there = ((1u << vp_kd_items_in(at)) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
            const uint32_t met = exact ? triangles_in(tree, tree->item + first, vp_kd_items_in(at), &b) : there;
            const n8 ids = n8_triangles(tree->item_id + first, tree->triangles.quads);
            const uint32_t count = (uint32_t)__builtin_popcount(met);
            if (found + 8 <= capacity && found + 8 > found) {
                n8_compress(out + found, ids, met);
            } else {
                uint32_t last[8];
                n8_compress(last, ids, met);
                for (uint32_t i = 0; i < count && found + i < capacity; i++)
                    out[found + i] = last[i];
            }
            found += count;
        }
        if (waits == 0)
            return found;
        at = stack[--waits];
    }
}

#endif
