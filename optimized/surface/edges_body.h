/* SPDX-License-Identifier: MIT */
/* Edge flags with the reference's bits. Include after the header of an ISA (optimized/simd).
 *
 * Idea. The mesh has most of the vertices that are needed, and its quads' edges. The vertices beyond it mostly lie in a
 * ring of cells. So voxels are only needed as bits, and as distances for the cells of that ring.
 * 1. Rows. The 12 x 12 rows of 12 voxels become rows of 16 bytes and rows of bits, as in the mesher. Byte x is voxel x
 *    of the chunk, bytes 8 and 9 are the next chunk's, 14 and 15 the previous chunk's.
 * 2. Configurations. A byte a cell has a bit for each of its eight voxels that is inside. The bytes of three of a
 *    quad's cells, all but the lowest, decide which quads are its neighbours.
 * 3. The mesh's vertices go to a table by cell. An entry is three numbers of ten bits, the place in 1/256 of a voxel
 *    modulo 1024. Places that are subtracted are less than 512 apart, so that is enough.
 * 4. The cells with a surface that have no vertex in the mesh, one a lane. Their vertices are made like the mesher's.
 * 5. The quads, sorted by the direction of their edges, so that everything that depends on the direction is a constant.
 *    One quad is a lane. The four far corners are places in the table, and there are five folds, which share two
 *    normals. Every quad is processed as if it turned from its lowest cell to the first of the other two. If it turns
 *    the other way, only the sign of det and the flags' places change.
 *
 * Exactness. Differences are below 2^9, so components of normals are below 2^20. binary32 represents them exactly, with
 * any way of multiplying and subtracting. det is computed in integers. Then come the operations of the definition in
 * their order. */
#ifndef VP_OPTIMIZED_SURFACE_EDGES_BODY_H
#define VP_OPTIMIZED_SURFACE_EDGES_BODY_H

#include <string.h>

#include <voxphys/kernel/surface.h>

#include "optimized/surface/nets_cells.h"

/* Tables of cells, y*256 + z*16 + x, each from -2 on. */
enum {
    ROWS = 12,
    CELL_ROWS = 11,
    ROW = 16,
    SLICE = 256,
    CELLS = CELL_ROWS * SLICE,
    STEP_X = 1,
    STEP_Z = ROW,
    STEP_Y = SLICE,
    MISSING = CELL_ROWS * CELL_ROWS * CELL_ROWS + 16,
    A_DIRECTION = VP_CHUNK_VOXELS + 16 /* quads in one direction, and the padding that repeats quads */
};

typedef struct edges_scratch {
    _Alignas(64) uint8_t distance[ROWS][ROWS][ROW]; /* [y][z] */
    _Alignas(64) uint8_t sign[ROWS][ROWS][ROW];     /* bit 0: inside; bit 1: the next voxel is inside */
    _Alignas(64) uint8_t material[8][ROW];          /* unused */
    _Alignas(64) uint16_t inside[ROWS][16];         /* [y], lane z, bit x - 2 */
    _Alignas(64) uint16_t used[CELL_ROWS][16];      /* cells with one of the mesh's vertices */
    _Alignas(64) uint8_t config[CELLS + 16];        /* padding, because a gather reads past the last cell */
    _Alignas(64) int32_t place[CELLS];              /* of a cell's vertex */
    /* The mesh's vertices. */
    int32_t whole[VP_CHUNK_MESH_VERTICES * 3 + 16];
    uint16_t cell[VP_CHUNK_MESH_VERTICES];
    /* Cells without a vertex in the mesh. */
    uint8_t corner[8][MISSING], corner_config[MISSING];
    uint16_t missing[MISSING];
    /* Quads by direction, with their highest cells and their numbers. */
    uint16_t highest[3][A_DIRECTION], number[3][A_DIRECTION];
    uint32_t count[3];
} edges_scratch;

/* ---- 1. rows ---- */

VP_INLINE void read_rows(const bricks27 *b, class_range range, edges_scratch *s)
{
    for (int y = 0; y < ROWS; y++) {
        int slice = (y + 6) % 8 * 64, by = y < 2 ? 0 : y < 10 ? 1 : 2;
        const uint8_t *const *m = b->material[by][1], *const *o = b->occupancy[by][1];
        const uint8_t *const slice_m[3] = {m[0] + slice, m[1] + slice, m[2] + slice};
        const uint8_t *const slice_o[3] = {o[0] + slice, o[1] + slice, o[2] + slice};
        put_slice(slice_m, slice_o, range, s->distance[y][2], s->sign[y][2], s->material[0], &s->inside[y][2]);

        for (int k = 0; k < 2; k++) {
            int before = slice + 48 + 8 * k, behind = slice + 8 * k;
            u8x16 pair_m[3], pair_o[3];
            voxel_row row[2];
            for (int x = 0; x < 3; x++) {
                pair_m[x] = u8x16_load_halves(b->material[by][0][x] + before, b->material[by][2][x] + behind);
                pair_o[x] = u8x16_load_halves(b->occupancy[by][0][x] + before, b->occupancy[by][2][x] + behind);
            }
            uint32_t bits = make_pair(pair_m, pair_o, range, row);
            for (int i = 0; i < 2; i++) {
                u8x16_store(s->distance[y][i * 10 + k], row[i].distance);
                u8x16_store(s->sign[y][i * 10 + k], row[i].sign);
            }
            s->inside[y][k] = (uint16_t)bits;
            s->inside[y][10 + k] = (uint16_t)(bits >> 16);
        }
    }
}

/* ---- 2. configurations ---- */

VP_INLINE void make_configs(edges_scratch *s)
{
    const u8x16 from_first = u8x16_of_words(UINT64_C(0x0504030201000f0e), UINT64_C(0x0d0c0b0a09080706));
    for (int y = 0; y < CELL_ROWS; y++) {
        u8x16 low = u8x16_load(s->sign[y][0]), up = u8x16_load(s->sign[y + 1][0]);
        for (int z = 0; z < CELL_ROWS; z++) {
            u8x16 low_next = u8x16_load(s->sign[y][z + 1]), up_next = u8x16_load(s->sign[y + 1][z + 1]);
            u8x16_store(s->config + y * SLICE + z * ROW, u8x16_permute(merge_signs(low, low_next, up, up_next), from_first));
            low = low_next;
            up = up_next;
        }
    }
}

/* ---- 3. the mesh's vertices ---- */

VP_INLINE void take_vertices(const vp_chunk_mesh *mesh, uint32_t cx, uint32_t cy, uint32_t cz, edges_scratch *s)
{
    const float *from = &mesh->vertex[0].x;
    for (uint32_t i = 0; i < mesh->vertex_count * 3; i += F32N)
        i32n_store(s->whole + i, f32n_to_i32(f32n_mul(f32n_load(from + i), f32n_set1(512.0f))));
    memset(s->used, 0, sizeof s->used);
    /* From the first 1/256 of cell -2 on, in 1/512. */
    const int32_t first_x = (int32_t)(cx * 4096) - 1024 + 257, first_y = (int32_t)(cy * 4096) - 1024 + 257;
    const int32_t first_z = (int32_t)(cz * 4096) - 1024 + 257;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const int32_t *w = s->whole + 3 * (size_t)v;
        uint32_t x = (uint32_t)(w[0] - first_x) >> 1, y = (uint32_t)(w[1] - first_y) >> 1, z = (uint32_t)(w[2] - first_z) >> 1;
        uint32_t cell = (y & ~255u) | (z >> 8) << 4 | x >> 8;
        s->cell[v] = (uint16_t)cell;
        s->place[cell] = (int32_t)((x & 1023) | (y & 1023) << 10 | (z & 1023) << 20);
        s->used[cell >> 8][cell >> 4 & 15] = (uint16_t)(s->used[cell >> 8][cell >> 4 & 15] | 1u << (cell & 15));
    }
}

/* ---- 4. vertices that the mesh does not have ---- */

VP_INLINE uint32_t list_row(edges_scratch *s, uint32_t count, int y, int z, uint32_t bits)
{
    for (; bits != 0; bits &= bits - 1) {
        uint32_t x = (uint32_t)__builtin_ctz(bits), here = (x + 14) & 15, next = (x + 15) & 15;
        uint32_t cell = (uint32_t)(y * SLICE + z * ROW) + x;
        for (int k = 0; k < 4; k++) {
            const uint8_t *row = s->distance[y + (k >> 1)][z + (k & 1)];
            s->corner[2 * k][count] = row[here];
            s->corner[2 * k + 1][count] = row[next];
        }
        s->corner_config[count] = s->config[cell];
        s->missing[count++] = (uint16_t)cell;
    }
    return count;
}

/* Cells between voxels of both kinds that have no vertex yet. */
VP_INLINE uint32_t list_missing(edges_scratch *s)
{
    static const uint16_t cells[16] = {0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff};
    const u16x16 valid = u16x16_load(cells), zero = u16x16_set1(0);
    uint32_t count = 0;
    u16x16 below_any = valid, below_all = valid; /* for the slice below, over x and z; the initial value is unused */
    for (int y = 0; y < ROWS; y++) {
        u16x16 r = u16x16_load(s->inside[y]);
        r = u16x16_or(u16x16_shl(r, 2), u16x16_shr(r, 14)); /* bit x of a row is now voxel x - 2 */
        u16x16 any = u16x16_or(r, u16x16_shr(r, 1)), all = u16x16_and(r, u16x16_shr(r, 1));
        any = u16x16_or(any, u16x16_ext_second(any, zero));
        all = u16x16_and(all, u16x16_ext_second(all, zero));
        if (y != 0) {
            uint16_t bits[16];
            const u16x16 both = u16x16_xor(u16x16_or(any, below_any), u16x16_and(all, below_all));
            const u16x16 mixed = u16x16_andnot(u16x16_and(both, valid), u16x16_load(s->used[y - 1]));
            u16x16_store(bits, mixed);
            for (uint32_t rows = ~m16x16_movemask(u16x16_cmp_eq(mixed, zero)) & 0xffff; rows != 0; rows &= rows - 1) {
                int z = __builtin_ctz(rows);
                count = list_row(s, count, y - 1, z, bits[z]);
            }
        }
        below_any = any;
        below_all = all;
    }
    return count;
}

VP_INLINE void place_missing(edges_scratch *s, uint32_t count)
{
    const i32n ten = i32n_set1(1023), four = i32n_set1(15);
    /* Pads the last vector of cells with cells without a crossing, at a place that has no vertex. */
    memset(s->missing + count, 0, sizeof s->missing[0] * F32N);
    memset(s->corner_config + count, 0, F32N);
    for (int c = 0; c < 8; c++)
        memset(s->corner[c] + count, 0, F32N);
    for (uint32_t i = 0; i < count; i += F32N) {
        f32n corner[8];
        i32n q[3];
        int32_t packed[F32N];
        for (int c = 0; c < 8; c++)
            corner[c] = i32n_to_f32(i32n_load_u8(s->corner[c] + i));
        place_vertices(corner, i32n_load_u8(s->corner_config + i), q);
        i32n cell = i32n_load_u16(s->missing + i);
        i32n x = i32n_add(i32n_shl(i32n_and(cell, four), 8), q[0]);
        i32n z = i32n_add(i32n_shl(i32n_and(i32n_shr(cell, 4), four), 8), q[2]);
        i32n y = i32n_add(i32n_shl(i32n_shr(cell, 8), 8), q[1]);
        i32n_store(packed, i32n_or(i32n_and(x, ten), i32n_or(i32n_shl(i32n_and(y, ten), 10), i32n_shl(i32n_and(z, ten), 20))));
        for (uint32_t k = 0; k < F32N && i + k < count; k++)
            s->place[s->missing[i + k]] = packed[k];
    }
}

/* ---- 5. quads ---- */

/* Sorts quads by direction. The highest and the lowest cell of a quad are one step apart on both axes other
 * than its edge's. */
VP_INLINE void sort_quads(const vp_chunk_mesh *mesh, edges_scratch *s)
{
    static const uint8_t direction[4] = {0, 1, 2, 0}; /* by steps of y (2) and z (1): y and z is x, z is y, y is z */
    uint32_t count[3] = {0, 0, 0};
    for (uint32_t q = 0; q < mesh->quad_count; q++) {
        uint32_t high = s->cell[mesh->quad[q][2]], steps = high - s->cell[mesh->quad[q][0]];
        uint32_t d = direction[(steps >> 7 & 2) | (steps >> 4 & 1)];
        s->highest[d][count[d]] = (uint16_t)high;
        s->number[d][count[d]++] = (uint16_t)q;
    }
    for (int d = 0; d < 3; d++) {
        s->count[d] = count[d];
        for (uint32_t k = 0; k < F32N && count[d] != 0; k++) /* repeats the last one to fill its vector */
            s->highest[d][count[d] + k] = s->highest[d][count[d] - 1];
    }
}

/* Differences of places by axis x, y, z, as integers and in binary32. */
typedef struct difference_3 {
    i32n whole[3];
    f32n at[3];
} difference_3;

/* Three numbers of ten bits, each at the top of a word. */
typedef struct packed_3 {
    i32n top[3];
} packed_3;

VP_INLINE packed_3 take_place(const edges_scratch *s, i32n cell)
{
    const i32n top = i32n_set1(-(1 << 22));
    i32n p = i32n_gather(s->place, cell);
    return (packed_3){{i32n_shl(p, 22), i32n_and(i32n_shl(p, 12), top), i32n_and(i32n_shl(p, 2), top)}};
}

VP_INLINE difference_3 difference(packed_3 a, packed_3 b)
{
    difference_3 d;
    for (int k = 0; k < 3; k++) {
        d.whole[k] = i32n_sra(i32n_sub(a.top[k], b.top[k]), 22);
        d.at[k] = i32n_to_f32(d.whole[k]);
    }
    return d;
}

typedef struct vector_3 {
    f32n at[3];
} vector_3;

VP_INLINE vector_3 cross(const f32n a[3], const f32n b[3])
{
    return (vector_3){{f32n_sub(f32n_mul(a[1], b[2]), f32n_mul(a[2], b[1])), f32n_sub(f32n_mul(a[2], b[0]), f32n_mul(a[0], b[2])),
                       f32n_sub(f32n_mul(a[0], b[1]), f32n_mul(a[1], b[0]))}};
}

VP_INLINE f32n dot(const f32n a[3], const f32n b[3])
{
    return f32n_add(f32n_add(f32n_mul(a[0], b[0]), f32n_mul(a[1], b[1])), f32n_mul(a[2], b[2]));
}

/* A triangle's normal, in integers and in binary32. */
typedef struct normal_3 {
    vector_3 f;
    i32n whole[3];
} normal_3;

VP_INLINE normal_3 normal_of(const f32n a[3], const f32n b[3])
{
    normal_3 n = {.f = cross(a, b)};
    for (int k = 0; k < 3; k++)
        n.whole[k] = f32n_to_i32(n.f.at[k]);
    return n;
}

/* The flag of a fold between a triangle of normal n and one of normal m along an edge e. g leads to the other
   triangle's far corner. `turn` is -1 where normals point inwards. */
VP_INLINE i32n fold(const normal_3 *n, const f32n m[3], const f32n e[3], const i32n g[3], i32n turn)
{
    const i32n det = i32n_add(i32n_add(i32n_mul(n->whole[0], g[0]), i32n_mul(n->whole[1], g[1])), i32n_mul(n->whole[2], g[2]));
    const f32n sine = i32n_to_f32(det), cosine = dot(n->f.at, m);
    const f32n left = f32n_mul(f32n_mul(sine, sine), dot(e, e));
    const f32n right = f32n_mul(f32n_mul(cosine, cosine), f32n_set1(VP_EDGE_FLAT_TAN2));
    const m32n concave = i32n_cmp_gt(i32n_sub(i32n_xor(det, turn), turn), i32n_set1(0));
    const m32n sharp = m32n_or(f32n_cmp_le(cosine, f32n_set1(0.0f)), f32n_cmp_gt(left, right));
    return i32n_maskz(sharp, i32n_add(i32n_of_mask(concave), i32n_set1(VP_EDGE_CONVEX)));
}

/* A fold at a side of a quad along e, which begins or ends where g begins. */
VP_INLINE i32n fold_side(const normal_3 *n, const f32n e[3], const difference_3 *g, i32n turn)
{
    vector_3 m = cross(g->at, e);
    return fold(n, m.at, e, g->whole, turn);
}

/* Constants of an axis: the step from cell to cell, the difference in the number of a cell's corner, the place of the
 * coordinate in a cell's number. */
typedef struct axis_3 {
    int step;
    unsigned corner, shift;
} axis_3;

/* Constants of the direction of a quad's edge: its axis, and the axes of the steps from the lowest cell to the other
   two. The first of these is corner 1 where the inside voxel is the lower one, or along y, the upper one. */
typedef struct direction_3 {
    axis_3 along, a, b;
    bool turned;
} direction_3;

/* The far corner across a side, from the highest and the lowest corner that the next quad may have. The next quad goes
   straight on, or up or down along the edge's axis. n0 and n1 say whether the voxels next to the lower and the upper
   one are inside. */
VP_INLINE i32n far_corner(m32n low, m32n n0, m32n n1, i32n straight, i32n above, i32n below)
{
    const i32n if_low = i32n_select(n0, i32n_select(n1, above, straight), below);
    return i32n_select(low, if_low, i32n_select(n1, i32n_select(n0, below, straight), above));
}

/* Flags of a vector of quads, those of the first triangle plus 256 times those of the second. */
VP_INLINE i32n flag_quads(const edges_scratch *s, const direction_3 *d, i32n high, i32n open_a, i32n open_b)
{
    const i32n step = i32n_set1(d->along.step), step_a = i32n_set1(d->a.step), step_b = i32n_set1(d->b.step);
    i32n cell_a = i32n_sub(high, step_b), cell_b = i32n_sub(high, step_a), lowest = i32n_sub(cell_b, step_b);
    i32n at_high = i32n_gather_u8(s->config, high), at_a = i32n_gather_u8(s->config, cell_a);
    i32n at_b = i32n_gather_u8(s->config, cell_b);
    const unsigned up = d->along.corner; /* bit of the upper voxel, if the lower one's is bit 0 */
    const m32n low = i32n_test_bit(at_high, 0);
    const i32n turn = d->turned ? i32n_of_mask(low) : i32n_xor(i32n_of_mask(low), i32n_set1(-1));

    i32n far_ah = far_corner(low, i32n_test_bit(at_high, d->a.corner), i32n_test_bit(at_high, up + d->a.corner), i32n_add(high, step_a),
                             i32n_add(high, step), i32n_sub(cell_a, step));
    i32n far_hb = far_corner(low, i32n_test_bit(at_high, d->b.corner), i32n_test_bit(at_high, up + d->b.corner), i32n_add(high, step_b),
                             i32n_add(high, step), i32n_sub(cell_b, step));
    i32n far_bl = far_corner(low, i32n_test_bit(at_b, 0), i32n_test_bit(at_b, up), i32n_sub(lowest, step_a), i32n_add(cell_b, step),
                             i32n_sub(lowest, step));
    i32n far_la = far_corner(low, i32n_test_bit(at_a, 0), i32n_test_bit(at_a, up), i32n_sub(lowest, step_b), i32n_add(cell_a, step),
                             i32n_sub(lowest, step));

    packed_3 l = take_place(s, lowest), h = take_place(s, high);
    difference_3 a = difference(take_place(s, cell_a), l), b = difference(take_place(s, cell_b), l), diagonal = difference(h, l);
    difference_3 to_ah = difference(take_place(s, far_ah), h), to_hb = difference(take_place(s, far_hb), h);
    difference_3 to_bl = difference(take_place(s, far_bl), l), to_la = difference(take_place(s, far_la), l);
    /* Triangles (lowest, a, highest) and (lowest, highest, b). */
    normal_3 of_a = normal_of(a.at, diagonal.at), of_b = normal_of(diagonal.at, b.at);
    f32n ah[3], hb[3], bl[3];
    for (int k = 0; k < 3; k++) {
        ah[k] = f32n_sub(diagonal.at[k], a.at[k]);
        hb[k] = f32n_sub(b.at[k], diagonal.at[k]);
        bl[k] = f32n_sub(f32n_set1(0.0f), b.at[k]);
    }
    i32n side_la = fold_side(&of_a, a.at, &to_la, turn), side_ah = fold_side(&of_a, ah, &to_ah, turn);
    i32n side_hb = fold_side(&of_b, hb, &to_hb, turn), side_bl = fold_side(&of_b, bl, &to_bl, turn);
    i32n middle = fold(&of_a, of_b.f.at, diagonal.at, b.whole, turn);
    side_la = i32n_or(side_la, open_b);
    side_bl = i32n_or(side_bl, open_a);

    /* The triangle whose other corner is a comes first, with its sides in this order, or second, with them in
     * the opposite order. */
    i32n a_first = i32n_or(side_la, i32n_or(i32n_shl(side_ah, 2), i32n_shl(middle, 4)));
    i32n a_second = i32n_or(middle, i32n_or(i32n_shl(side_ah, 2), i32n_shl(side_la, 4)));
    i32n b_first = i32n_or(side_bl, i32n_or(i32n_shl(side_hb, 2), i32n_shl(middle, 4)));
    i32n b_second = i32n_or(middle, i32n_or(i32n_shl(side_hb, 2), i32n_shl(side_bl, 4)));
    const i32n first = d->turned ? i32n_select(low, b_first, a_first) : i32n_select(low, a_first, b_first);
    const i32n second = d->turned ? i32n_select(low, a_second, b_second) : i32n_select(low, b_second, a_second);
    return i32n_or(first, i32n_shl(second, 8));
}

/* VP_EDGE_OPEN where a quad's lower voxel is at a low face of the world on an axis, because there the side at its lower
 * cells is open. */
VP_INLINE i32n open_sides(const axis_3 *axis, i32n high, bool at_face)
{
    i32n coordinate = i32n_and(i32n_shr(high, axis->shift), i32n_set1(15));
    return i32n_maskz(i32n_cmp_eq(coordinate, i32n_set1(at_face ? 2 : -1)), i32n_set1(VP_EDGE_OPEN));
}

VP_INLINE void flag_direction(const edges_scratch *s, int direction, const direction_3 *d, bool face_a, bool face_b, uint8_t *flags)
{
    for (uint32_t i = 0; i < s->count[direction]; i += F32N) {
        int32_t both[F32N];
        i32n high = i32n_load_u16(s->highest[direction] + i);
        i32n_store(both, flag_quads(s, d, high, open_sides(&d->a, high, face_a), open_sides(&d->b, high, face_b)));
        for (uint32_t k = 0; k < F32N && i + k < s->count[direction]; k++) {
            uint8_t *to = flags + 2 * (size_t)s->number[direction][i + k];
            to[0] = (uint8_t)both[k];
            to[1] = (uint8_t)(both[k] >> 8);
        }
    }
}

/* ---- all of it ---- */

VP_INLINE void edge_flags(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, const vp_chunk_mesh *mesh,
                          uint8_t *flags)
{
    const axis_3 x = {STEP_X, 1, 0}, y = {STEP_Y, 4, 8}, z = {STEP_Z, 2, 4};
    const direction_3 along_x = {x, y, z, false}, along_y = {y, x, z, true}, along_z = {z, x, y, false};
    const class_range range = surface == VP_SURFACE_WATER ? class_of(VP_WATER, VP_WATER) : class_of(VP_FIRST_SOLID, 255);
    bricks27 bricks;
    edges_scratch s;
    if (mesh->quad_count == 0)
        return;
    const brick_steps here = place_of(world->chunks, cx, cy, cz);
    find_bricks(world, &here, &bricks);
    read_rows(&bricks, range, &s);
    make_configs(&s);
    take_vertices(mesh, cx, cy, cz, &s);
    place_missing(&s, list_missing(&s));
    sort_quads(mesh, &s);
    flag_direction(&s, 0, &along_x, cy == 0, cz == 0, flags);
    flag_direction(&s, 1, &along_y, cx == 0, cz == 0, flags);
    flag_direction(&s, 2, &along_z, cx == 0, cy == 0, flags);
}

#endif
