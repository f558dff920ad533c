/* SPDX-License-Identifier: MIT */
/* Edge flags with the reference's bits. Written once over the vocabulary of the mesher (nets_<isa>.h) and a little more
 * (folds_<isa>.h).
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

typedef struct scratch {
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
} scratch;

/* ---- 1. rows ---- */

VP_INLINE void read_rows(const bricks27 *b, class_range range, scratch *s)
{
    for (int y = 0; y < ROWS; y++) {
        int slice = (y + 6) % 8 * 64, by = y < 2 ? 0 : y < 10 ? 1 : 2;
        const uint8_t *const *m = b->material[by][1], *const *o = b->occupancy[by][1];
        const uint8_t *const slice_m[3] = {m[0] + slice, m[1] + slice, m[2] + slice};
        const uint8_t *const slice_o[3] = {o[0] + slice, o[1] + slice, o[2] + slice};
        put_slice(slice_m, slice_o, range, s->distance[y][2], s->sign[y][2], s->material[0], &s->inside[y][2]);

        for (int k = 0; k < 2; k++) {
            int before = slice + 48 + 8 * k, behind = slice + 8 * k;
            vec16 pair_m[3], pair_o[3], row[2][3];
            for (int x = 0; x < 3; x++) {
                pair_m[x] = vec16_pair(b->material[by][0][x] + before, b->material[by][2][x] + behind);
                pair_o[x] = vec16_pair(b->occupancy[by][0][x] + before, b->occupancy[by][2][x] + behind);
            }
            uint32_t bits = make_pair(pair_m, pair_o, range, row);
            for (int i = 0; i < 2; i++) {
                vec16_store(s->distance[y][i * 10 + k], row[i][0]);
                vec16_store(s->sign[y][i * 10 + k], row[i][1]);
            }
            s->inside[y][k] = (uint16_t)bits;
            s->inside[y][10 + k] = (uint16_t)(bits >> 16);
        }
    }
}

/* ---- 2. configurations ---- */

VP_INLINE void make_configs(scratch *s)
{
    const vec16 from_first = vec16_words(UINT64_C(0x0504030201000f0e), UINT64_C(0x0d0c0b0a09080706));
    for (int y = 0; y < CELL_ROWS; y++) {
        vec16 low = vec16_load(s->sign[y][0]), up = vec16_load(s->sign[y + 1][0]);
        for (int z = 0; z < CELL_ROWS; z++) {
            vec16 low_next = vec16_load(s->sign[y][z + 1]), up_next = vec16_load(s->sign[y + 1][z + 1]);
            vec16_store(s->config + y * SLICE + z * ROW, vec16_shuffle(vec16_signs(low, low_next, up, up_next), from_first));
            low = low_next;
            up = up_next;
        }
    }
}

/* ---- 3. the mesh's vertices ---- */

VP_INLINE void take_vertices(const vp_chunk_mesh *mesh, uint32_t cx, uint32_t cy, uint32_t cz, scratch *s)
{
    const float *from = &mesh->vertex[0].x;
    for (uint32_t i = 0; i < mesh->vertex_count * 3; i += LANES)
        lanes_store(s->whole + i, lanes_to_i(lanes_mul_f(lanes_load_f(from + i), lanes_set_f(512.0f))));
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

VP_INLINE uint32_t list_row(scratch *s, uint32_t count, int y, int z, uint32_t bits)
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
VP_INLINE uint32_t list_missing(scratch *s)
{
    static const uint16_t cells[16] = {0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff, 0x7ff};
    const rows16 valid = rows16_load(cells);
    uint32_t count = 0;
    rows16 below_any = valid, below_all = valid; /* for the slice below, over x and z; the initial value is unused */
    for (int y = 0; y < ROWS; y++) {
        rows16 r = rows16_turn(rows16_turn(rows16_load(s->inside[y])));
        rows16 any = rows16_or(r, rows16_shift_down(r)), all = rows16_and(r, rows16_shift_down(r));
        any = rows16_or(any, rows16_next_lane(any));
        all = rows16_and(all, rows16_next_lane(all));
        if (y != 0) {
            uint16_t bits[16];
            rows16 mixed = rows16_and(rows16_xor(rows16_or(any, below_any), rows16_and(all, below_all)), valid);
            mixed = rows16_xor(mixed, rows16_and(mixed, rows16_load(s->used[y - 1])));
            rows16_store(bits, mixed);
            for (uint32_t rows = rows16_nonzero(mixed); rows != 0; rows &= rows - 1) {
                int z = __builtin_ctz(rows);
                count = list_row(s, count, y - 1, z, bits[z]);
            }
        }
        below_any = any;
        below_all = all;
    }
    return count;
}

VP_INLINE void place_missing(scratch *s, uint32_t count)
{
    const lanes_i ten = lanes_set(1023), four = lanes_set(15);
    /* Pads the last vector of cells with cells without a crossing, at a place that has no vertex. */
    memset(s->missing + count, 0, sizeof s->missing[0] * LANES);
    memset(s->corner_config + count, 0, LANES);
    for (int c = 0; c < 8; c++)
        memset(s->corner[c] + count, 0, LANES);
    for (uint32_t i = 0; i < count; i += LANES) {
        lanes_f corner[8];
        lanes_i q[3];
        int32_t packed[LANES];
        for (int c = 0; c < 8; c++)
            corner[c] = lanes_to_f(lanes_from_bytes(s->corner[c] + i));
        place_vertices(corner, lanes_from_bytes(s->corner_config + i), q);
        lanes_i cell = lanes_from_16(s->missing + i);
        lanes_i x = lanes_add(lanes_shift_up(lanes_and(cell, four), 8), q[0]);
        lanes_i z = lanes_add(lanes_shift_up(lanes_and(lanes_shift_down(cell, 4), four), 8), q[2]);
        lanes_i y = lanes_add(lanes_shift_up(lanes_shift_down(cell, 8), 8), q[1]);
        lanes_store(packed,
                    lanes_or(lanes_and(x, ten), lanes_or(lanes_shift_up(lanes_and(y, ten), 10), lanes_shift_up(lanes_and(z, ten), 20))));
        for (uint32_t k = 0; k < LANES && i + k < count; k++)
            s->place[s->missing[i + k]] = packed[k];
    }
}

/* ---- 5. quads ---- */

/* Sorts quads by direction. The highest and the lowest cell of a quad are one step apart on both axes other
 * than its edge's. */
VP_INLINE void sort_quads(const vp_chunk_mesh *mesh, scratch *s)
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
        for (uint32_t k = 0; k < LANES && count[d] != 0; k++) /* repeats the last one to fill its vector */
            s->highest[d][count[d] + k] = s->highest[d][count[d] - 1];
    }
}

/* Differences of places by axis x, y, z, as integers and in binary32. */
typedef struct lanes_3 {
    lanes_i whole[3];
    lanes_f at[3];
} lanes_3;

/* Three numbers of ten bits, each at the top of a word. */
typedef struct packed_3 {
    lanes_i top[3];
} packed_3;

VP_INLINE packed_3 take_place(const scratch *s, lanes_i cell)
{
    const lanes_i top = lanes_set(-(1 << 22));
    lanes_i p = lanes_gather(s->place, cell);
    return (packed_3){{lanes_shift_up(p, 22), lanes_and(lanes_shift_up(p, 12), top), lanes_and(lanes_shift_up(p, 2), top)}};
}

VP_INLINE lanes_3 difference(packed_3 a, packed_3 b)
{
    lanes_3 d;
    for (int k = 0; k < 3; k++) {
        d.whole[k] = lanes_sign_shift(lanes_sub(a.top[k], b.top[k]), 22);
        d.at[k] = lanes_to_f(d.whole[k]);
    }
    return d;
}

typedef struct vector_3 {
    lanes_f at[3];
} vector_3;

VP_INLINE vector_3 cross(const lanes_f a[3], const lanes_f b[3])
{
    return (vector_3){{lanes_sub_f(lanes_mul_f(a[1], b[2]), lanes_mul_f(a[2], b[1])),
                       lanes_sub_f(lanes_mul_f(a[2], b[0]), lanes_mul_f(a[0], b[2])),
                       lanes_sub_f(lanes_mul_f(a[0], b[1]), lanes_mul_f(a[1], b[0]))}};
}

VP_INLINE lanes_f dot(const lanes_f a[3], const lanes_f b[3])
{
    return lanes_add_f(lanes_add_f(lanes_mul_f(a[0], b[0]), lanes_mul_f(a[1], b[1])), lanes_mul_f(a[2], b[2]));
}

/* A triangle's normal, in integers and in binary32. */
typedef struct normal_3 {
    vector_3 f;
    lanes_i whole[3];
} normal_3;

VP_INLINE normal_3 normal_of(const lanes_f a[3], const lanes_f b[3])
{
    normal_3 n = {.f = cross(a, b)};
    for (int k = 0; k < 3; k++)
        n.whole[k] = lanes_to_i(n.f.at[k]);
    return n;
}

/* The flag of a fold between a triangle of normal n and one of normal m along an edge e. g leads to the other
   triangle's far corner. `turn` is all ones where normals point inwards. */
VP_INLINE lanes_i fold(const normal_3 *n, const lanes_f m[3], const lanes_f e[3], const lanes_i g[3], lanes_i turn)
{
    lanes_i det = lanes_add(lanes_add(lanes_mul(n->whole[0], g[0]), lanes_mul(n->whole[1], g[1])), lanes_mul(n->whole[2], g[2]));
    lanes_f sine = lanes_to_f(det), cosine = dot(n->f.at, m);
    lanes_f left = lanes_mul_f(lanes_mul_f(sine, sine), dot(e, e));
    lanes_f right = lanes_mul_f(lanes_mul_f(cosine, cosine), lanes_set_f(VP_EDGE_FLAT_TAN2));
    lanes_i concave = lanes_more(lanes_sub(lanes_xor(det, turn), turn), lanes_set(0)); /* from -1 */
    return lanes_without(lanes_flat(cosine, left, right), lanes_add(concave, lanes_set(VP_EDGE_CONVEX)));
}

/* A fold at a side of a quad along e, which begins or ends where g begins. */
VP_INLINE lanes_i fold_side(const normal_3 *n, const lanes_f e[3], const lanes_3 *g, lanes_i turn)
{
    vector_3 m = cross(g->at, e);
    return fold(n, m.at, e, g->whole, turn);
}

/* Constants of an axis: the step from cell to cell, the difference in the number of a cell's corner, the place of the
 * coordinate in a cell's number. */
typedef struct axis_3 {
    int step, corner, shift;
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
VP_INLINE lanes_i far_corner(lanes_i low, lanes_i n0, lanes_i n1, lanes_i straight, lanes_i above, lanes_i below)
{
    lanes_i both = lanes_and(n0, n1), all = lanes_set(-1);
    lanes_i up = lanes_select(low, both, lanes_xor(n1, all)), down = lanes_select(low, lanes_xor(n0, all), both);
    return lanes_select(up, above, lanes_select(down, below, straight));
}

/* Flags of a vector of quads, those of the first triangle plus 256 times those of the second. */
VP_INLINE lanes_i flag_quads(const scratch *s, const direction_3 *d, lanes_i high, lanes_i open_a, lanes_i open_b)
{
    const lanes_i step = lanes_set(d->along.step), step_a = lanes_set(d->a.step), step_b = lanes_set(d->b.step);
    lanes_i cell_a = lanes_sub(high, step_b), cell_b = lanes_sub(high, step_a), lowest = lanes_sub(cell_b, step_b);
    lanes_i at_high = lanes_gather_bytes(s->config, high), at_a = lanes_gather_bytes(s->config, cell_a);
    lanes_i at_b = lanes_gather_bytes(s->config, cell_b);
    const int up = 1 << d->along.corner; /* bit of the upper voxel, if the lower one's is bit 0 */
    lanes_i low = lanes_test(at_high, 1);
    lanes_i turn = d->turned ? low : lanes_xor(low, lanes_set(-1));

    lanes_i far_ah = far_corner(low, lanes_test(at_high, 1 << d->a.corner), lanes_test(at_high, up << d->a.corner), lanes_add(high, step_a),
                                lanes_add(high, step), lanes_sub(cell_a, step));
    lanes_i far_hb = far_corner(low, lanes_test(at_high, 1 << d->b.corner), lanes_test(at_high, up << d->b.corner), lanes_add(high, step_b),
                                lanes_add(high, step), lanes_sub(cell_b, step));
    lanes_i far_bl = far_corner(low, lanes_test(at_b, 1), lanes_test(at_b, up), lanes_sub(lowest, step_a), lanes_add(cell_b, step),
                                lanes_sub(lowest, step));
    lanes_i far_la = far_corner(low, lanes_test(at_a, 1), lanes_test(at_a, up), lanes_sub(lowest, step_b), lanes_add(cell_a, step),
                                lanes_sub(lowest, step));

    packed_3 l = take_place(s, lowest), h = take_place(s, high);
    lanes_3 a = difference(take_place(s, cell_a), l), b = difference(take_place(s, cell_b), l), diagonal = difference(h, l);
    lanes_3 to_ah = difference(take_place(s, far_ah), h), to_hb = difference(take_place(s, far_hb), h);
    lanes_3 to_bl = difference(take_place(s, far_bl), l), to_la = difference(take_place(s, far_la), l);
    /* Triangles (lowest, a, highest) and (lowest, highest, b). */
    normal_3 of_a = normal_of(a.at, diagonal.at), of_b = normal_of(diagonal.at, b.at);
    lanes_f ah[3], hb[3], bl[3];
    for (int k = 0; k < 3; k++) {
        ah[k] = lanes_sub_f(diagonal.at[k], a.at[k]);
        hb[k] = lanes_sub_f(b.at[k], diagonal.at[k]);
        bl[k] = lanes_sub_f(lanes_set_f(0.0f), b.at[k]);
    }
    lanes_i side_la = fold_side(&of_a, a.at, &to_la, turn), side_ah = fold_side(&of_a, ah, &to_ah, turn);
    lanes_i side_hb = fold_side(&of_b, hb, &to_hb, turn), side_bl = fold_side(&of_b, bl, &to_bl, turn);
    lanes_i middle = fold(&of_a, of_b.f.at, diagonal.at, b.whole, turn);
    side_la = lanes_or(side_la, open_b);
    side_bl = lanes_or(side_bl, open_a);

    /* The triangle whose other corner is a comes first, with its sides in this order, or second, with them in
     * the opposite order. */
    lanes_i a_first = lanes_or(side_la, lanes_or(lanes_shift_up(side_ah, 2), lanes_shift_up(middle, 4)));
    lanes_i a_second = lanes_or(middle, lanes_or(lanes_shift_up(side_ah, 2), lanes_shift_up(side_la, 4)));
    lanes_i b_first = lanes_or(side_bl, lanes_or(lanes_shift_up(side_hb, 2), lanes_shift_up(middle, 4)));
    lanes_i b_second = lanes_or(middle, lanes_or(lanes_shift_up(side_hb, 2), lanes_shift_up(side_bl, 4)));
    return lanes_or(lanes_select(turn, b_first, a_first), lanes_shift_up(lanes_select(turn, a_second, b_second), 8));
}

/* VP_EDGE_OPEN where a quad's lower voxel is at a low face of the world on an axis, because there the side at its lower
 * cells is open. */
VP_INLINE lanes_i open_sides(const axis_3 *axis, lanes_i high, bool at_face)
{
    lanes_i coordinate = lanes_and(lanes_shift_down(high, axis->shift), lanes_set(15));
    return lanes_and(lanes_equal(coordinate, lanes_set(at_face ? 2 : -1)), lanes_set(VP_EDGE_OPEN));
}

VP_INLINE void flag_direction(const scratch *s, int direction, const direction_3 *d, bool face_a, bool face_b, uint8_t *flags)
{
    for (uint32_t i = 0; i < s->count[direction]; i += LANES) {
        int32_t both[LANES];
        lanes_i high = lanes_from_16(s->highest[direction] + i);
        lanes_store(both, flag_quads(s, d, high, open_sides(&d->a, high, face_a), open_sides(&d->b, high, face_b)));
        for (uint32_t k = 0; k < LANES && i + k < s->count[direction]; k++) {
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
    scratch s;
    if (mesh->quad_count == 0)
        return;
    const place here = place_of(world->chunks, cx, cy, cz);
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
