/* SPDX-License-Identifier: MIT */
/* The differences between the wide, the packed and the implied form, for traversals that are compiled once
 * for each. They read a node's faces and children, and the corners of a leaf's items, in their own ways.
 * Included after lanes_<isa>.h. */
#ifndef VP_OPTIMIZED_KD_LAYOUT_H
#define VP_OPTIMIZED_KD_LAYOUT_H

#include "src/core/inline.h"
#include "src/kd/corners.h"

/* A constant wherever it is passed. */
typedef enum layout { WIDE, PACKED, IMPLIED } layout;

/* ---- nodes, vp_kd_wide or vp_kd_packed_node ---- */

VP_INLINE const void *node_at(layout l, const vp_kd_view *tree, uint32_t at)
{
    return l == WIDE ? (const void *)&tree->wide[at] : (const void *)&tree->line[at];
}

VP_INLINE uint32_t child_at(layout l, const void *node, uint32_t number)
{
    return l == WIDE ? ((const vp_kd_wide *)node)->child[number] : ((const vp_kd_packed_node *)node)->child[number];
}

VP_INLINE n8 children_at(layout l, const void *node)
{
    return l == WIDE ? n8_load(((const vp_kd_wide *)node)->child) : n8_from_16(((const vp_kd_packed_node *)node)->child);
}

/* Eight faces by their place in a node, which is axis * 8, plus TO_HIGH for upper ones. Bytes are in steps. */
VP_INLINE f8 faces_at(layout l, const void *node, size_t place)
{
    return l == WIDE ? f8_load(&((const vp_kd_wide *)node)->low[0][0] + place)
                     : f8_from_bytes(&((const vp_kd_packed_node *)node)->low[0][0] + place);
}

VP_INLINE bool is_leaf(layout l, uint32_t child)
{
    return l == WIDE ? vp_kd_is_leaf(child) : vp_kd_packed_is_leaf(child);
}

VP_INLINE uint32_t first_item(layout l, uint32_t leaf)
{
    return l == WIDE ? vp_kd_first_item(leaf) : vp_kd_packed_first_item(leaf);
}

/* The number of items of a leaf. A ray with a pad of a hundred steps may reach an absent child, which has none. */
VP_INLINE uint32_t items_in(layout l, uint32_t leaf)
{
    return l == WIDE ? vp_kd_items_in(leaf) : leaf == VP_KD_NO_CHILD ? 0 : vp_kd_packed_items_in(leaf);
}

/* Bits of the children that are leaves. In lines, absent children look like leaves. */
VP_INLINE uint32_t leaves_at(layout l, const void *node)
{
    return l == WIDE ? n8_top_bits(n8_load(((const vp_kd_wide *)node)->child)) : n8_top_bits_16(((const vp_kd_packed_node *)node)->child);
}

/* ---- items ---- */

VP_INLINE uint32_t id_of(layout l, const vp_kd_view *tree, uint32_t item)
{
    return l == WIDE ? tree->item_id[item] : l == PACKED ? tree->corner_id[item] : tree->edge[item].id;
}

/* The numbers of four items' triangles. */
VP_INLINE n8 triangles_of(layout l, const vp_kd_view *tree, uint32_t first)
{
    const bool quads = tree->triangles.quads;
    return l == WIDE     ? n8_triangles(tree->item_id + first, quads)
           : l == PACKED ? n8_triangles_16(tree->corner_id + first, quads)
                         : n8_triangles_of_edges(tree->edge + first);
}

/* ---- corners on a lattice ---- */

VP_INLINE grid grid_of_tree(layout l, const vp_kd_view *tree)
{
    return l == PACKED ? grid_of(&tree->box.min, tree->pitch) : grid_of(&tree->cells->origin, 0x1p-8f);
}

/* Three bytes, and an unspecified one, as the low bytes of numbers of 16 bits. */
static inline uint64_t spread_bytes(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
#if defined(__BMI2__)
    return _pdep_u64(word, 0x000000ff00ff00ff);
#else
    return (word & 0xffu) | (word & 0xff00u) << 8 | (uint64_t)(word & 0xff0000u) << 16;
#endif
}

/* A cell as the high bytes of numbers of 16 bits. */
static inline uint64_t spread_cell(uint32_t cell)
{
#if defined(__BMI2__)
    return _pdep_u64(cell, 0x00000f000f000f00);
#else
    return (uint64_t)(cell & 15u) << 8 | (uint64_t)(cell >> 4 & 15u) << 24 | (uint64_t)(cell >> 8 & 15u) << 40;
#endif
}

/* The word of an implied vertex, from its number in its cell, and the cell. */
VP_INLINE uint64_t word_in_cell(const vp_kd_view *tree, const vp_kd_cells *cells, uint32_t number, uint64_t cell)
{
    return spread_bytes(tree->within[vp_kd_rank(cells, number)]) | cell;
}

/* The corners of an item, three numbers of 16 bits each, and 16 unspecified bits. */
VP_INLINE void words_of(layout l, const vp_kd_view *tree, uint32_t item, uint64_t *w0, uint64_t *w1, uint64_t *w2, uint64_t *w3)
{
    if (l == PACKED) {
        const uint16_t *v = tree->corner[item];
        memcpy(w0, tree->lattice[v[0]], sizeof *w0);
        memcpy(w1, tree->lattice[v[1]], sizeof *w1);
        memcpy(w2, tree->lattice[v[2]], sizeof *w2);
        memcpy(w3, tree->lattice[v[3]], sizeof *w3);
        return;
    }
    /* ways from the lowest cell to corners 1 and 3, by kind; axes x, y, z are 0, 1, 2 */
    static const uint8_t ways[8][2] = {{2, 1}, {1, 2}, {0, 2}, {2, 0}, {0, 1}, {1, 0}, {0, 0}, {0, 0}};
    static const uint64_t high[3] = {UINT64_C(1) << 8, UINT64_C(1) << 24, UINT64_C(1) << 40};
    const vp_kd_cells *cells = tree->cells;
    const uint32_t stride[3] = {1, cells->slice, cells->row};
    const uint32_t cell = tree->edge[item].cell, kind = cell >> 12, number = vp_kd_cell_number(cells, cell);
    const uint64_t at = spread_cell(cell);
    const uint32_t to_1 = stride[ways[kind][0]], to_3 = stride[ways[kind][1]];
    const uint64_t high_1 = high[ways[kind][0]], high_3 = high[ways[kind][1]];
    *w0 = word_in_cell(tree, cells, number, at);
    *w1 = word_in_cell(tree, cells, number + to_1, at + high_1);
    *w2 = word_in_cell(tree, cells, number + to_1 + to_3, at + high_1 + high_3);
    *w3 = word_in_cell(tree, cells, number + to_3, at + high_3);
}

/* Corners of four items. Corner j of item i is of[j][i]. */
typedef struct leaf_words {
    uint64_t of[4][4];
} leaf_words;

VP_INLINE void words_of_leaf(layout l, const vp_kd_view *tree, uint32_t first, leaf_words *out)
{
    for (uint32_t i = 0; i < 4; i++)
        words_of(l, tree, first + i, &out->of[0][i], &out->of[1][i], &out->of[2][i], &out->of[3][i]);
}

/* Corners of four items, the first and third as lanes 0..3 and 4..7, likewise the second and fourth. */
VP_INLINE void leaf_corners(layout l, const vp_kd_view *tree, uint32_t first, p8 *ac, p8 *bd)
{
    if (l == WIDE) {
        *ac = two_corners(tree->triangles.vertex, tree->item + first, 0, 2);
        *bd = two_corners(tree->triangles.vertex, tree->item + first, 1, 3);
        return;
    }
    leaf_words w;
    const grid g = grid_of_tree(l, tree);
    words_of_leaf(l, tree, first, &w);
    *ac = two_on_grid(w.of[0], w.of[2], g);
    *bd = two_on_grid(w.of[1], w.of[3], g);
}

/* The same, relative to a ray's origin. Axis 2 is its longest. */
VP_INLINE void leaf_corners_seen(layout l, const vp_kd_view *tree, uint32_t first, const vp_ray_frame *f, p8 *ac, p8 *bd)
{
    const ray_eye eye = ray_eye_of(f);
    if (l == WIDE) {
        *ac = corners_seen(tree->triangles.vertex, tree->item + first, 0, 2, eye);
        *bd = corners_seen(tree->triangles.vertex, tree->item + first, 1, 3, eye);
        return;
    }
    leaf_words w;
    const grid g = grid_of_tree(l, tree);
    words_of_leaf(l, tree, first, &w);
    *ac = two_seen_on_grid(w.of[0], w.of[2], g, eye);
    *bd = two_seen_on_grid(w.of[1], w.of[3], g, eye);
}

#endif
