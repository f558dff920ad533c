/* SPDX-License-Identifier: MIT */
/* The corners of an item of a packed or an implied tree, decoded to the caller's coordinates, bit for bit. The decoding
 * is defined here only. Vectors do the same steps for many items. All steps are exact. An integer below 2^16 times a
 * power of two is a float. That its sum with the origin is one was checked for every vertex when the tree was made. */
#ifndef VP_KD_CORNERS_H
#define VP_KD_CORNERS_H

#include <voxphys/kernel/kd.h>

static inline uint32_t vp_bits_of(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcountll(word);
#else
    uint32_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
#endif
}

/* The number of a cell, from vp_kd_implied_item.cell. */
static inline uint32_t vp_kd_cell_number(const vp_kd_cells *cells, uint32_t cell)
{
    return (cell & 15u) + cells->row * (cell >> 8 & 15u) + cells->slice * (cell >> 4 & 15u);
}

/* The number of cells before a number that have a vertex, which is the number of its own vertex. */
static inline uint32_t vp_kd_rank(const vp_kd_cells *cells, uint32_t number)
{
    const uint64_t below = (UINT64_C(1) << (number & 63u)) - 1;
    return vp_kd_cells_before(cells, number >> 6) + vp_bits_of(vp_kd_cell_words(cells)[number >> 6] & below);
}

/* Corner 0 to 3 of an item. */
static inline void vp_kd_packed_corner(const vp_kd_view *tree, uint32_t item, uint32_t corner, float out[3])
{
    if (tree->form == VP_KD_PACKED) {
        const uint16_t *q = tree->lattice[tree->corner[item][corner]];
        const float origin[3] = {tree->box.min.x, tree->box.min.y, tree->box.min.z};
        for (int k = 0; k < 3; k++)
            out[k] = origin[k] + (float)q[k] * tree->pitch;
        return;
    }
    const vp_kd_cells *cells = tree->cells;
    const uint32_t edge = tree->edge[item].cell, cell = (edge & 0xfffu) + vp_kd_around(edge >> 12, corner);
    const uint8_t *q = tree->within[vp_kd_rank(cells, vp_kd_cell_number(cells, cell))];
    out[0] = cells->origin.x + (float)((cell & 15u) << 8 | q[0]) * 0x1p-8f;
    out[1] = cells->origin.y + (float)((cell >> 4 & 15u) << 8 | q[1]) * 0x1p-8f;
    out[2] = cells->origin.z + (float)((cell >> 8) << 8 | q[2]) * 0x1p-8f;
}

/* The number of an item's quad or triangle. */
static inline uint32_t vp_kd_packed_id(const vp_kd_view *tree, uint32_t item)
{
    return tree->form == VP_KD_PACKED ? tree->corner_id[item] : tree->edge[item].id;
}

/* The faces of a tree's nodes, in bytes. Rounding is monotonic, so bytes have the same order as their places. */
typedef struct vp_kd_faces {
    float origin[3], step[3], inverse[3];
} vp_kd_faces;

static inline vp_kd_faces vp_kd_faces_of(const vp_aabb *box)
{
    vp_kd_faces f = {.origin = {box->min.x, box->min.y, box->min.z}};
    const float length[3] = {box->max.x - box->min.x, box->max.y - box->min.y, box->max.z - box->min.z};
    for (int k = 0; k < 3; k++) {
        f.step[k] = vp_kd_step(length[k]);
        f.inverse[k] = 1.0f / f.step[k];
    }
    return f;
}

/* The largest byte at or below a place within the tree's box, and the smallest at or above it. */
static inline uint32_t vp_kd_byte_below(const vp_kd_faces *f, int axis, float at)
{
    return (uint32_t)(int32_t)((at - f->origin[axis]) * f->inverse[axis]);
}
static inline uint32_t vp_kd_byte_above(const vp_kd_faces *f, int axis, float at)
{
    const float exact = (at - f->origin[axis]) * f->inverse[axis];
    const uint32_t below = (uint32_t)(int32_t)exact;
    return below + ((float)below < exact);
}

#endif
