/* SPDX-License-Identifier: MIT */
/* A box in the wide form of the loose kD tree. A node takes six comparisons. A leaf takes six minima and maxima an axis
 * and six comparisons. Results are moved together (n8_compress), and stored as eight. */
#ifndef VP_OPTIMIZED_KD_WIDE_BOX_H
#define VP_OPTIMIZED_KD_WIDE_BOX_H

#include "optimized/kd/layout.h"
#include "optimized/kd/wide_ray.h"

typedef struct box8 {
    f8 low[3], high[3];
    b24 byte_low, byte_high; /* among bytes, rounded outwards like the faces */
} box8;

VP_INLINE box8 box8_of(layout l, const vp_kd_view *tree, const float low[3], const float high[3])
{
    box8 b = {0};
    for (int k = 0; k < 3; k++) {
        b.low[k] = f8_set(low[k]);
        b.high[k] = f8_set(high[k]);
    }
    if (l != WIDE) {
        const vp_kd_faces faces = vp_kd_faces_of(&tree->box);
        uint32_t below[3], above[3];
        for (int k = 0; k < 3; k++) {
            below[k] = vp_kd_byte_below(&faces, k, low[k]);
            above[k] = vp_kd_byte_above(&faces, k, high[k]);
        }
        b.byte_low = b24_of(below);
        b.byte_high = b24_of(above);
    }
    return b;
}

VP_INLINE uint32_t children_in(layout l, const void *of, const box8 *b)
{
    if (l != WIDE)
        return b24_overlap(of, b->byte_low, b->byte_high);
    const vp_kd_wide *node = of;
    uint32_t met = 0xff;
    for (int k = 0; k < 3; k++)
        met &= f8_le(f8_load(node->low[k]), b->high[k]) & f8_le(b->low[k], f8_load(node->high[k]));
    return met;
}

/* Triangles of a leaf whose own boxes overlap, as bits of may_meet. Both triangles of a quad have its first and third
   corner, plus the second or the fourth. */
VP_INLINE uint32_t triangles_in(layout l, const vp_kd_view *tree, uint32_t first, uint32_t count, const box8 *b)
{
    p8 ac, bd;
    leaf_corners(l, tree, first, &ac, &bd);
    uint32_t met = ((1u << count) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
    for (int k = 0; k < 3; k++) {
        const f8 ca = f8_swap(ac.axis[k]);
        const f8 least = f8_earlier(f8_earlier(ac.axis[k], ca), bd.axis[k]);
        const f8 most = f8_later(f8_later(ac.axis[k], ca), bd.axis[k]);
        met &= f8_le(least, b->high[k]) & f8_le(b->low[k], most);
    }
    return met;
}

/* @param exact false = all triangles of the leaves that the box reaches */
VP_INLINE uint32_t gather_wide(layout l, const vp_kd_view *tree, bool exact, const float low[3], const float high[3], uint32_t *out,
                               uint32_t capacity)
{
    uint32_t stack[VP_KD_STACK * VP_KD_WIDTH + 8], waits = 0, found = 0, at = 0;
    ask_for_tree(tree);
    const box8 b = box8_of(l, tree, low, high);
    for (;;) {
        if (!is_leaf(l, at)) {
            const void *node = node_at(l, tree, at);
            uint32_t met = children_in(l, node, &b);
            n8_compress(stack + waits, children_at(l, node), met);
            waits += (uint32_t)__builtin_popcount(met);
        } else {
            const uint32_t first = first_item(l, at), items = items_in(l, at);
            const uint32_t there = ((1u << items) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
            const uint32_t met = exact ? triangles_in(l, tree, first, items, &b) : there;
            const n8 ids = triangles_of(l, tree, first);
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
