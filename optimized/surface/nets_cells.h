/* SPDX-License-Identifier: MIT */
/* Shared by the mesher (mesher_body.h) and edge flags (edges_body.h). Finds the bricks around a chunk, reads rows of voxels, and places the
 * vertices of cells, one a lane. mesher_body.h proves that q is exact. Include after the header of an ISA (optimized/simd). */
#ifndef VP_OPTIMIZED_SURFACE_NETS_CELLS_H
#define VP_OPTIMIZED_SURFACE_NETS_CELLS_H

#include <string.h>

#include <voxphys/kernel/surface.h>

#include "optimized/simd/native.h"
#include "src/core/inline.h"

/* ---- voxels of a class ---- */

/* The materials of a class: `first` and the next `more`. */
typedef struct class_range {
    uint8_t first, more;
} class_range;

VP_INLINE class_range class_of(uint8_t first, uint8_t last)
{
    return (class_range){first, (uint8_t)(last - first)};
}

VP_INLINE m8x16 of_class_16(u8x16 material, class_range r)
{
    return u8x16_cmp_le(u8x16_sub(material, u8x16_set1(r.first)), u8x16_set1(r.more));
}

VP_INLINE m8x64 of_class_64(u8x64 material, class_range r)
{
    return u8x64_cmp_le(u8x64_sub(material, u8x64_set1(r.first)), u8x64_set1(r.more));
}

/* |g|, which is |occupancy - 127| for a voxel of the class, else 128. */
VP_INLINE u8x16 distance_16(u8x16 occupancy, m8x16 of_class)
{
    return u8x16_select(of_class, u8x16_abs_diff(occupancy, u8x16_set1(127)), u8x16_set1(128));
}

VP_INLINE u8x64 distance_64(u8x64 occupancy, m8x64 of_class)
{
    return u8x64_select(of_class, u8x64_abs_diff(occupancy, u8x64_set1(127)), u8x64_set1(128));
}

/* From rows of voxels that are inside, as -1. Bit 0 is this voxel's, bit 1 the next one's. */
VP_INLINE u8x16 sign_16(u8x16 inside)
{
    return u8x16_or(u8x16_and(inside, u8x16_set1(1)), u8x16_and(u8x16_rotate_blocks(inside), u8x16_set1(2)));
}

VP_INLINE u8x64 sign_64(u8x64 inside)
{
    return u8x64_or(u8x64_and(inside, u8x64_set1(1)), u8x64_and(u8x64_rotate_blocks(inside), u8x64_set1(2)));
}

/* ---- bricks ---- */

/* Bricks around the chunk, [y][z][x]. */
typedef struct bricks27 {
    const uint8_t *material[3][3][3], *occupancy[3][3][3];
} bricks27;

static const uint8_t brick_of_air[VP_CHUNK_VOXELS];

/* Offset of the chunk's brick in bytes, and the steps to the next bricks. */
typedef struct brick_steps {
    ptrdiff_t own, y, z, x;
    bool there_y[3], there_z[3], there_x[3]; /* whether the world has chunks before, here and after */
} brick_steps;

VP_INLINE brick_steps place_of(vp_dims n, uint32_t cx, uint32_t cy, uint32_t cz)
{
    brick_steps p = {.x = VP_CHUNK_VOXELS,
                     .there_x = {cx > 0, true, cx + 1 < n.x},
                     .there_y = {cy > 0, true, cy + 1 < n.y},
                     .there_z = {cz > 0, true, cz + 1 < n.z}};
    p.z = (ptrdiff_t)n.x * p.x;
    p.y = (ptrdiff_t)n.z * p.z;
    p.own = (ptrdiff_t)cy * p.y + (ptrdiff_t)cz * p.z + (ptrdiff_t)cx * p.x;
    return p;
}

VP_INLINE void find_bricks(const vp_voxels *world, const brick_steps *p, bricks27 *out)
{
    for (int y = 0; y < 3; y++)
        for (int z = 0; z < 3; z++)
            for (int x = 0; x < 3; x++) {
                bool there = p->there_x[x] & p->there_y[y] & p->there_z[z];
                ptrdiff_t at = p->own + (y - 1) * p->y + (z - 1) * p->z + (x - 1) * p->x;
                out->material[y][z][x] = there ? world->material + at : brick_of_air;
                out->occupancy[y][z][x] = there ? world->occupancy + at : brick_of_air;
            }
}

/* ---- rows of voxels ---- */

/* Distances, signs and materials of a row of 16 voxels. */
typedef struct voxel_row {
    u8x16 distance, sign, material;
} voxel_row;

/* The rows before and after a slice, from two rows of 8 of the chunks to the left, in the middle, and to the right. A voxel is inside if it
 * belongs to the class, and the top bit of its occupancy is set. @return the bits of voxels that are inside, 16 a row */
VP_INLINE uint32_t make_pair(const u8x16 m[3], const u8x16 o[3], class_range r, voxel_row row[2])
{
    const u8x16 side_m = u8x16_blend_halves(m[2], m[0]), side_o = u8x16_blend_halves(o[2], o[0]);
    const m8x16 own_class = of_class_16(m[1], r), side_class = of_class_16(side_m, r);
    const u8x16 own_d = distance_16(o[1], own_class), side_d = distance_16(side_o, side_class);
    const u8x16 own_in = u8x16_maskz(own_class, o[1]), side_in = u8x16_maskz(side_class, side_o);
    const m8x16 first = u8x16_is_negative(u8x16_interleave_low_words(own_in, side_in));
    const m8x16 second = u8x16_is_negative(u8x16_interleave_high_words(own_in, side_in));
    row[0] =
        (voxel_row){u8x16_interleave_low_words(own_d, side_d), sign_16(u8x16_of_mask(first)), u8x16_interleave_low_words(m[1], side_m)};
    row[1] =
        (voxel_row){u8x16_interleave_high_words(own_d, side_d), sign_16(u8x16_of_mask(second)), u8x16_interleave_high_words(m[1], side_m)};
    return m8x16_movemask_pair(first, second);
}

/* Stores four rows. */
VP_INLINE void put_rows(u8x64 d, u8x64 in, u8x64 m, uint8_t *distance, uint8_t *sign, uint8_t *material, uint16_t *inside)
{
    const m8x64 negative = u8x64_is_negative(in);
    const uint64_t bits = m8x64_movemask(negative);
    u8x64_store(distance, d);
    u8x64_store(sign, sign_64(u8x64_of_mask(negative)));
    u8x64_store(material, m);
    memcpy(inside, &bits, sizeof bits);
}

/* The eight rows of a slice, from the slices to the left, in the middle, to the right. */
VP_INLINE void put_slice(const uint8_t *const m[3], const uint8_t *const o[3], class_range r, uint8_t *distance, uint8_t *sign,
                         uint8_t *material, uint16_t *inside)
{
    const u8x64 own_m = u8x64_load(m[1]), side_m = u8x64_blend_halves(u8x64_load(m[2]), u8x64_load(m[0]));
    const u8x64 own_o = u8x64_load(o[1]), side_o = u8x64_blend_halves(u8x64_load(o[2]), u8x64_load(o[0]));
    const m8x64 own_class = of_class_64(own_m, r), side_class = of_class_64(side_m, r);
    const u8x64 own_d = distance_64(own_o, own_class), side_d = distance_64(side_o, side_class);
    const u8x64 own_in = u8x64_maskz(own_class, own_o), side_in = u8x64_maskz(side_class, side_o);
    put_rows(u8x64_interleave_low_words(own_d, side_d), u8x64_interleave_low_words(own_in, side_in),
             u8x64_interleave_low_words(own_m, side_m), distance, sign, material, inside);
    put_rows(u8x64_interleave_high_words(own_d, side_d), u8x64_interleave_high_words(own_in, side_in),
             u8x64_interleave_high_words(own_m, side_m), distance + 64, sign + 64, material + 64, inside + 4);
}

/* Two bits a row to the eight of a cell. Bits 0 and 1 are corners 0 and 1. Nothing crosses the end of a byte, so lanes of 16 bits are
 * shifted, for which x86 has an instruction. */
VP_INLINE u8x16 merge_signs(u8x16 low, u8x16 low_next, u8x16 up, u8x16 up_next)
{
    const u16x8 lower = u16x8_or(u8x16_as_u16(low), u16x8_shl(u8x16_as_u16(low_next), 2));
    const u16x8 upper = u16x8_or(u16x8_shl(u8x16_as_u16(up), 4), u16x8_shl(u8x16_as_u16(up_next), 6));
    return u16x8_as_u8(u16x8_or(lower, upper));
}

/* ---- vertices ---- */

/* The four edges of a cell along one axis, with t of each, and -1 where it has a crossing. */
typedef struct edges4 {
    f32n t[4];
    i32n cut[4];
} edges4;

/* `low` are the corners where the edges begin. `step` is the distance to their ends, in numbers and in bits. */
VP_INLINE edges4 cut_edges(const f32n corner[8], i32n config, const int low[4], int step)
{
    const i32n changes = i32n_xor(config, i32n_shr(config, (unsigned)step));
    edges4 e;
    for (int i = 0; i < 4; i++) {
        const f32n a = corner[low[i]], b = corner[low[i] + step];
        const m32n cut = i32n_test_bit(changes, (unsigned)low[i]);
        e.cut[i] = i32n_of_mask(cut);
        e.t[i] = f32n_maskz(cut, f32n_div(a, f32n_add(a, b)));
    }
    return e;
}

/* The place of the mean on one axis. `others` is minus the number of crossings of other edges at coordinate 1. */
VP_INLINE i32n place_mean(const edges4 *e, i32n others, f32n one_nth)
{
    f32n sum = f32n_add(f32n_add(e->t[0], e->t[1]), f32n_add(e->t[2], e->t[3]));
    sum = f32n_sub(sum, i32n_to_f32(others));
    const f32n whole = i32n_to_f32(f32n_to_i32(f32n_mul(sum, f32n_set1(256.0f))));
    return i32n_min(f32n_to_i32(f32n_mul(f32n_add(whole, f32n_set1(0.5f)), one_nth)), i32n_set1(255));
}

/* q of cells on each axis, x, y, z, from their corners' distances and signs. */
VP_INLINE void place_vertices(const f32n corner[8], i32n config, i32n q[3])
{
    static const int low_x[4] = {0, 2, 4, 6}, low_y[4] = {0, 1, 2, 3}, low_z[4] = {0, 1, 4, 5};
    edges4 x = cut_edges(corner, config, low_x, 1), z = cut_edges(corner, config, low_z, 2);
    edges4 y = cut_edges(corner, config, low_y, 4);
    /* Pairs of edges that are counted twice.  */
    i32n y_at_x1 = i32n_add(y.cut[1], y.cut[3]), z_at_x1 = i32n_add(z.cut[1], z.cut[3]);
    i32n x_at_z1 = i32n_add(x.cut[1], x.cut[3]), y_at_z1 = i32n_add(y.cut[2], y.cut[3]);
    i32n x_at_y1 = i32n_add(x.cut[2], x.cut[3]), z_at_y1 = i32n_add(z.cut[2], z.cut[3]);
    i32n all = i32n_add(i32n_add(i32n_add(y.cut[0], y.cut[2]), y_at_x1),
                        i32n_add(i32n_add(i32n_add(z.cut[0], z.cut[2]), z_at_x1), i32n_add(i32n_add(x.cut[0], x.cut[2]), x_at_z1)));
    const f32n one_nth = i32n_reciprocal(i32n_sub(i32n_set1(0), all));
    q[0] = place_mean(&x, i32n_add(y_at_x1, z_at_x1), one_nth);
    q[1] = place_mean(&y, i32n_add(x_at_y1, z_at_y1), one_nth);
    q[2] = place_mean(&z, i32n_add(x_at_z1, y_at_z1), one_nth);
}

#endif
