/* SPDX-License-Identifier: MIT */
/* A box in the wide form of the loose kD tree. A node takes six comparisons. A leaf takes six minima and maxima an axis
 * and six comparisons. Results are moved together (compress_store), and stored as eight. */
#ifndef VP_OPTIMIZED_KD_WIDE_BOX_H
#define VP_OPTIMIZED_KD_WIDE_BOX_H

#include "optimized/kd/wide.h"

typedef struct box8 {
    f32x8 low[3], high[3];
    u8x32 byte_low, byte_high; /* among bytes, rounded outwards like the faces, each axis eight times */
} box8;

VP_INLINE box8 box8_of(layout l, const vp_kd_view *tree, const float low[3], const float high[3])
{
    box8 b = {0};
    for (int k = 0; k < 3; k++) {
        b.low[k] = f32x8_set1(low[k]);
        b.high[k] = f32x8_set1(high[k]);
    }
    if (l != WIDE) {
        const vp_kd_faces faces = vp_kd_faces_of(&tree->box);
        uint64_t below[4], above[4];
        for (int k = 0; k < 3; k++) {
            below[k] = vp_kd_byte_below(&faces, k, low[k]) * UINT64_C(0x0101010101010101);
            above[k] = vp_kd_byte_above(&faces, k, high[k]) * UINT64_C(0x0101010101010101);
        }
        below[3] = above[3] = 0;
        b.byte_low = u8x32_load((const uint8_t *)below);
        b.byte_high = u8x32_load((const uint8_t *)above);
    }
    return b;
}

VP_INLINE uint32_t children_in(layout l, const void *of, const box8 *b)
{
    if (l != WIDE) { /* the load past the upper faces reads the children */
        const vp_kd_packed_node *line = of;
        const m8x32 begins = u8x32_cmp_le(u8x32_load(line->low[0]), b->byte_high),
                    ends = u8x32_cmp_le(b->byte_low, u8x32_load(line->high[0]));
        const uint32_t bits = m8x32_movemask(m8x32_and(begins, ends));
        return bits & bits >> 8 & bits >> 16 & 0xffu;
    }
    const vp_kd_wide *node = of;
    uint32_t met = 0xff;
    for (int k = 0; k < 3; k++)
        met &= m32x8_movemask(f32x8_cmp_le(f32x8_load(node->low[k]), b->high[k])) &
               m32x8_movemask(f32x8_cmp_le(b->low[k], f32x8_load(node->high[k])));
    return met;
}

/* Triangles of a leaf whose own boxes overlap, as bits of may_meet. Both triangles of a quad have its first and third
   corner, plus the second or the fourth. */
VP_INLINE uint32_t triangles_in(layout l, const vp_kd_view *tree, uint32_t first, uint32_t count, const box8 *b)
{
    points8 ac, bd;
    leaf_corners(l, tree, first, NULL, &ac, &bd);
    uint32_t met = ((1u << count) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
    for (int k = 0; k < 3; k++) {
        const f32x8 ca = f32x8_swap_halves(ac.axis[k]);
        const f32x8 least = f32x8_min(f32x8_min(ac.axis[k], ca), bd.axis[k]);
        const f32x8 most = f32x8_max(f32x8_max(ac.axis[k], ca), bd.axis[k]);
        met &= m32x8_movemask(f32x8_cmp_le(least, b->high[k])) & m32x8_movemask(f32x8_cmp_le(b->low[k], most));
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
            i32x8_compress_store(stack + waits, met, children_at(l, node));
            waits += (uint32_t)__builtin_popcount(met);
        } else {
            const uint32_t first = first_item(l, at), items = items_in(l, at);
            const uint32_t there = ((1u << items) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
            const uint32_t met = exact ? triangles_in(l, tree, first, items, &b) : there;
            const i32x8 ids = triangles_of(l, tree, first);
            const uint32_t count = (uint32_t)__builtin_popcount(met);
            if (found + 8 <= capacity && found + 8 > found) {
                i32x8_compress_store(out + found, met, ids);
            } else {
                uint32_t last[8];
                i32x8_compress_store(last, met, ids);
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
