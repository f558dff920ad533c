/* SPDX-License-Identifier: MIT */
/* The differences between the wide, the packed and the implied form, for traversals that are compiled once
 * for each. They read a node's faces and children, and the corners of a leaf's items, in their own ways.
 * Included after a header of optimized/simd. */
#ifndef VP_OPTIMIZED_KD_LAYOUT_H
#define VP_OPTIMIZED_KD_LAYOUT_H

#include <stddef.h>
#include <string.h>

#include "src/core/inline.h"
#include "src/kd/corners.h"
#include "src/kd/ray_triangle.h"

/* A constant wherever it is passed. */
typedef enum layout { WIDE, PACKED, IMPLIED } layout;

/* ---- nodes, vp_kd_wide or vp_kd_packed_node ---- */

VP_INLINE const void *nodes_of(layout l, const vp_kd_view *tree)
{
    return l == WIDE ? (const void *)tree->wide : (const void *)tree->line;
}

VP_INLINE const void *node_of(layout l, const void *nodes, uint32_t at)
{
    return l == WIDE ? (const void *)((const vp_kd_wide *)nodes + at) : (const void *)((const vp_kd_packed_node *)nodes + at);
}

VP_INLINE const void *node_at(layout l, const vp_kd_view *tree, uint32_t at)
{
    return node_of(l, nodes_of(l, tree), at);
}

VP_INLINE uint32_t child_at(layout l, const void *node, uint32_t number)
{
    return l == WIDE ? ((const vp_kd_wide *)node)->child[number] : ((const vp_kd_packed_node *)node)->child[number];
}

VP_INLINE i32x8 children_at(layout l, const void *node)
{
    return l == WIDE ? i32x8_load(((const vp_kd_wide *)node)->child) : i32x8_load_u16(((const vp_kd_packed_node *)node)->child);
}

/* Eight faces by their place in a node, which is axis * 8, plus TO_HIGH for upper ones. Bytes are in steps. */
VP_INLINE f32x8 faces_at(layout l, const void *node, size_t place)
{
    return l == WIDE ? f32x8_load(&((const vp_kd_wide *)node)->low[0][0] + place)
                     : f32x8_load_u8(&((const vp_kd_packed_node *)node)->low[0][0] + place);
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
    return i32x8_sign_bits(l == WIDE ? children_at(l, node) : i32x8_shl(children_at(l, node), 16));
}

/* ---- items ---- */

VP_INLINE uint32_t id_of(layout l, const vp_kd_view *tree, uint32_t item)
{
    return l == WIDE ? tree->item_id[item] : l == PACKED ? tree->corner_id[item] : tree->edge[item].id;
}

/* The numbers of the first (lanes 0 to 3) and second triangles of four items. */
VP_INLINE i32x8 triangles_of(layout l, const vp_kd_view *tree, uint32_t first)
{
    const i32x4 id = l == WIDE     ? i32x4_load(tree->item_id + first)
                     : l == PACKED ? i32x4_load_u16(tree->corner_id + first)
                                   : i32x4_shr(i32x4_load(tree->edge + first), 16);
    const i32x4 twice = i32x4_add(id, id);
    return l == IMPLIED || tree->triangles.quads ? i32x8_of_halves(twice, i32x4_add(twice, i32x4_set1(1))) : i32x8_of_halves(id, id);
}

/* ---- corners ---- */

/* Eight points by axis. */
typedef struct points8 {
    f32x8 axis[3];
} points8;

/* A ray's origin, and its axes in the order in which corners are wanted, in each half. */
typedef struct ray_eye {
    f32x8 origin;
    i32x8 order;
} ray_eye;

VP_INLINE ray_eye ray_eye_of(const vp_ray_frame *f)
{
    return (ray_eye){f32x8_load_twice(f->origin), i32x8_load_twice(&f->x)};
}

/* One point in each half, relative to a ray's origin unless the eye is NULL. Axis 2 is then its longest, 0 and 1 the
   next. */
VP_INLINE f32x8 seen_by(const ray_eye *eye, f32x8 two)
{
    return eye == NULL ? two : f32x8_permute4(f32x8_sub(two, eye->origin), eye->order);
}

VP_INLINE points8 points_by_axis(const f32x8 at[4])
{
    f32x8 axis[4];
    f32x8_transpose4(at, axis);
    return (points8){{axis[0], axis[1], axis[2]}};
}

/* Corners i and j of four items, as lanes 0..3 and 4..7. Reads no byte past a vertex. */
VP_INLINE points8 corners_of_items(const vp_vec3 *v, const vp_kd_item *items, int i, int j, const ray_eye *eye)
{
    f32x8 at[4];
    for (int n = 0; n < 4; n++)
        at[n] = seen_by(eye, f32x8_of_halves(f32x4_load_xyz(&v[items[n].vertex[i]].x), f32x4_load_xyz(&v[items[n].vertex[j]].x)));
    return points_by_axis(at);
}

/* ---- corners on a lattice ---- */

/* Origin and step of integer corners, in each half. */
typedef struct grid {
    f32x8 origin, pitch;
} grid;

VP_INLINE grid grid_of_tree(layout l, const vp_kd_view *tree)
{
    return l == PACKED ? (grid){f32x8_load_twice(&tree->box.min.x), f32x8_set1(tree->pitch)}
                       : (grid){f32x8_load_twice(&tree->cells->origin.x), f32x8_set1(0x1p-8f)};
}

/* Two points of three numbers of 16 bits each, one in each half. The fourth number is unspecified. */
VP_INLINE f32x8 two_on_grid(uint64_t low, uint64_t high, grid g)
{
    return f32x8_add(f32x8_mul(i32x8_to_f32(i32x8_of_u16(low, high)), g.pitch), g.origin);
}

VP_INLINE points8 corners_on_grid(const uint64_t low[4], const uint64_t high[4], grid g, const ray_eye *eye)
{
    f32x8 at[4];
    for (int n = 0; n < 4; n++)
        at[n] = seen_by(eye, two_on_grid(low[n], high[n], g));
    return points_by_axis(at);
}

/* Points as four floats each. */
VP_INLINE void store_on_grid(float to[4][4], const uint64_t word[4], grid g)
{
    f32x8_store(to[0], two_on_grid(word[0], word[1], g));
    f32x8_store(to[2], two_on_grid(word[2], word[3], g));
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

/* Corners of four items, the first and third as lanes 0..3 and 4..7, likewise the second and fourth. See seen_by. */
VP_INLINE void leaf_corners(layout l, const vp_kd_view *tree, uint32_t first, const ray_eye *eye, points8 *ac, points8 *bd)
{
    if (l == WIDE) {
        *ac = corners_of_items(tree->triangles.vertex, tree->item + first, 0, 2, eye);
        *bd = corners_of_items(tree->triangles.vertex, tree->item + first, 1, 3, eye);
        return;
    }
    leaf_words w;
    const grid g = grid_of_tree(l, tree);
    words_of_leaf(l, tree, first, &w);
    *ac = corners_on_grid(w.of[0], w.of[2], g, eye);
    *bd = corners_on_grid(w.of[1], w.of[3], g, eye);
}

#endif
