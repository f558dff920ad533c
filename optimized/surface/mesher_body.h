/* SPDX-License-Identifier: MIT */
/* The mesher, from the bricks around a chunk to a mesh with the reference's bits. Written once over a small vocabulary
 * of vectors (nets_<isa>.h).
 *
 * Idea. Tests of all voxels work on bits. Arithmetic is done only for the cells and edges that remain, many at once. A
 * fifth of a chunk's 729 cells have a vertex, a tenth of its 1536 edges a quad.
 * 1. Is there a surface? The chunk's own slices and the three faces above it are compared. Most chunks end here.
 * 2. Rows. The 10 x 10 rows of 10 voxels become rows of 16 bytes with the voxels' distances, signs and materials, which
 *    the vertices need, and rows of 16 bits with the voxels that are inside.
 * 3. Bits. Edges with a crossing along x, y and z, and from them the cells that a quad uses. Ten rows of z are the
 *    lanes of one vector, and a vector is a slice.
 * 4. Cells. In each row that has some, one byte shuffle a corner moves their corners together. A table of the places of
 *    a mask's set bits controls it. The corners are appended to eight lists of bytes, one a corner. So rows with any
 *    number of cells become full lanes.
 * 5. Vertices, one a lane, with 12 divisions and sums and no branch.
 * 6. Quads. In each row and direction that has some, the numbers of the vertices of all eight possible quads are four
 *    vectors, moved together by the same table, and interleaved.
 *
 * Distances. The field less 128 is g, from -128 to 128. These are 257 values, one too many for a byte. A crossing's
 * ends have different signs, so t = g0/(g0 - g1) = |g0|/(|g0| + |g1|), bit for bit. So |g|, 0 to 128, is stored, and
 * the signs separately, as bits.
 *
 * The row of 16 bytes. Byte x is voxel x of the chunk, 0 to 7. Byte 8 is the first of the chunk to the right, byte 15
 * the last of the one to the left. So the next voxel after byte b is at b + 1 modulo 16. The other bytes are unused.
 * The row is two words of 8 bytes, one from the chunk's own brick, one selected from the bricks to the left and right.
 * So one interleaving makes eight rows from three slices. Rows of bits have the same order, until they are rotated by
 * one. Then bit i is voxel i - 1, and cell i lies between the voxels of bits i and i + 1.
 *
 * The mean. q = floor(256*mean) with mean = sum/n rounded. The rounding never reaches a multiple of 1/256 from below.
 * If sum < n*k/256, it is smaller by at least 2^-24 of it, and the quotient lies further below k/256 than half a step
 * of the numbers there. So q = floor(floor(256*sum)/n), for integers below 2^12. For these (S + 0.5) times a rounded
 * 1/n is exact enough, because it keeps 1/24 away from every integer. The only divisions left are those of the
 * crossings.
 *
 * Cost in terrain (terrain-l3, solid: some 115 vertices and 90 quads a chunk that has a surface): rows an eighth, lists
 * of cells a quarter, vertices a quarter (AVX-512) to a third (AVX2), quads a quarter to a third. Beyond that, the
 * results leave the first-level cache. A row of cells is about 45 instructions, and so is a row and direction of quads.
 * The lower bound is the number of these that have any, 39 and 60. The lower bound of the vertices is the divider: 12
 * divisions a vector, two thirds of them for edges without a crossing.
 *
 * Tried without gain:
 * - Loops over rows with a branch for each direction. A misprediction costs more than the row, so large terrain is a
 *   fifth slower.
 * - A division an edge of the lattice instead of one a cell and edge. That is a ninth of them, but then every cell
 *   gathers twelve numbers.
 * - Corners by gathers, which take 16 loads each where one shuffle is enough. */
#ifndef VP_OPTIMIZED_SURFACE_MESHER_BODY_H
#define VP_OPTIMIZED_SURFACE_MESHER_BODY_H

#include <string.h>

#include <voxphys/kernel/surface.h>

#include "optimized/surface/nets_cells.h"

enum {
    ROWS = 10,                         /* rows along z, slices along y, of voxels */
    CELL_ROWS = 9,                     /* the same for cells */
    ROW_BYTES = 16,                    /* of a row of voxels */
    LANES16 = 16,                      /* bits of a row, of which 10 are used */
    LIST = VP_CHUNK_MESH_VERTICES + 16 /* bytes of a list of cells, with padding for whole vectors */
};

/* ---- where set bits are ---- */

/* For each mask of 9 bits the numbers of its set bits less 1 (modulo 16), ascending, which are the places of cells in
   rows of bytes. The ninth, if any, is 7. Numbers after the last one are unspecified, but below 16. */
#include "optimized/surface/mesher_table.h"

/* ---- state ---- */

typedef struct scratch {
    /* Rows of voxels, [y][z]. */
    _Alignas(64) uint8_t distance[ROWS][ROWS][ROW_BYTES]; /* |g| */
    _Alignas(64) uint8_t sign[ROWS][ROWS][ROW_BYTES];     /* bit 0: inside; bit 1: the next voxel is inside */
    _Alignas(64) uint8_t material[ROWS][ROWS][ROW_BYTES];
    /* Rows of bits, [y][z]. Bit i is voxel, edge or cell i - 1. Edges are by their direction, along x, y, z. */
    _Alignas(64) uint16_t inside[ROWS][LANES16];
    _Alignas(64) uint16_t edge[3][ROWS][LANES16];
    _Alignas(64) uint16_t used[CELL_ROWS][LANES16];
    /* Rows of cells that have some, y*16 + z. */
    uint8_t cell_row[CELL_ROWS * CELL_ROWS + 8];
    /* Rows and directions of edges that have some, in the order of quads, (y - 1)*32 + (z - 1)*4 + direction. */
    uint8_t edge_row[64 * 3 + 8];
    uint32_t cell_rows, edge_rows;
    /* Numbers of vertices by cell, [y][z][x], for cells of x >= 0. Those at x = -1 have the number before. Entries of
       unused cells are unspecified. */
    _Alignas(64) uint16_t number[CELL_ROWS][CELL_ROWS][8];
    /* Lists of cells. */
    uint8_t corner[8][LIST], config[LIST], cell_x[LIST], cell_yz[LIST];
} scratch;

/* ---- 1. is there a surface? ---- */

/* Whether the chunk's own voxels and those above it on each axis are of both kinds. Otherwise none of its own edges
   has a crossing. */
VP_INLINE bool has_both(const vp_voxels *world, const place *p, class_range range)
{
    const uint8_t *m = world->material + p->own, *o = world->occupancy + p->own, *air = brick_of_air;
    bool up = p->there_y[2], front = p->there_z[2], right = p->there_x[2];
    uint32_t kinds = kinds_of_brick(m, o, range);
    if (kinds == BOTH)
        return true;
    kinds |= kinds_of_slice(up ? m + p->y : air, up ? o + p->y : air, range);
    kinds |= kinds_of_rows(front ? m + p->z : air, front ? o + p->z : air, range);
    kinds |= kinds_of_column(right ? m + p->x : air, right ? o + p->x : air, range);
    return kinds == BOTH;
}

/* ---- 2. rows ---- */

/* Returns the layer of bricks, of three, that contains slice y of the field. *slice is its offset in bytes
 * in a brick. */
VP_INLINE int layer_of(int y, ptrdiff_t *slice)
{
    *slice = (y + 7) % 8 * 64;
    return y == 0 ? 0 : y < ROWS - 1 ? 1 : 2;
}

/* Prefetches all lines at once. They lie in 90 places in each array, which no hardware prefetcher predicts. Without
   this every slice would wait for its lines. */
VP_INLINE void prefetch_bricks(const bricks27 *b)
{
    for (int y = 0; y < ROWS; y++) {
        ptrdiff_t slice;
        int layer = layer_of(y, &slice);
        for (int z = 0; z < 3; z++)
            for (int x = 0; x < 3; x++) {
                __builtin_prefetch(b->material[layer][z][x] + slice);
                __builtin_prefetch(b->occupancy[layer][z][x] + slice);
            }
    }
}

VP_INLINE void read_rows(const bricks27 *b, class_range range, scratch *s)
{
    prefetch_bricks(b);
    for (int y = 0; y < ROWS; y++) {
        ptrdiff_t slice;
        int by = layer_of(y, &slice);
        const uint8_t *const *m = b->material[by][1], *const *o = b->occupancy[by][1];
        const uint8_t *const slice_m[3] = {m[0] + slice, m[1] + slice, m[2] + slice};
        const uint8_t *const slice_o[3] = {o[0] + slice, o[1] + slice, o[2] + slice};
        put_slice(slice_m, slice_o, range, s->distance[y][1], s->sign[y][1], s->material[y][1], &s->inside[y][1]);

        const uint8_t *const *before_m = b->material[by][0], *const *behind_m = b->material[by][2];
        const uint8_t *const *before_o = b->occupancy[by][0], *const *behind_o = b->occupancy[by][2];
        vec16 pair_m[3], pair_o[3], row[2][3];
        for (int x = 0; x < 3; x++) {
            pair_m[x] = vec16_pair(before_m[x] + slice + 56, behind_m[x] + slice);
            pair_o[x] = vec16_pair(before_o[x] + slice + 56, behind_o[x] + slice);
        }
        uint32_t bits = make_pair(pair_m, pair_o, range, row);
        for (int i = 0; i < 2; i++) {
            vec16_store(s->distance[y][i * 9], row[i][0]);
            vec16_store(s->sign[y][i * 9], row[i][1]);
            vec16_store(s->material[y][i * 9], row[i][2]);
        }
        s->inside[y][0] = (uint16_t)bits;
        s->inside[y][9] = (uint16_t)(bits >> 16);
    }
}

/* ---- 3. bits ---- */

/* Appends the numbers of a byte's set bits, counted from `first`, to a list. @return its new end */
VP_INLINE uint32_t list_bits(uint8_t *list, uint32_t count, uint32_t bits, uint32_t first)
{
    uint64_t eight = set_bits[bits << 1 & 0x1fe] + first * UINT64_C(0x0101010101010101);
    memcpy(list + count, &eight, 8);
    return count + (uint32_t)__builtin_popcount(bits & 0xff);
}

/* @return false if no edge has a crossing */
VP_INLINE bool find_edges(scratch *s)
{
    const rows16 valid = rows16_and(rows16_own_lanes(), rows16_set(0x1fe)), none = rows16_set(0);
    for (int direction = 0; direction < 3; direction++) {
        rows16_store(s->edge[direction][0], none);
        rows16_store(s->edge[direction][ROWS - 1], none);
    }
    rows16 next = rows16_turn(rows16_load(s->inside[1]));
    rows16_store(s->inside[1], next);
    s->edge_rows = 0;
    for (uint32_t y = 1; y < ROWS - 1; y++) {
        rows16 r = next;
        next = rows16_turn(rows16_load(s->inside[y + 1]));
        rows16_store(s->inside[y + 1], next);
        rows16 x = rows16_and(rows16_xor(r, rows16_shift_down(r)), valid);
        rows16 up = rows16_and(rows16_xor(r, next), valid);
        rows16 z = rows16_and(rows16_xor(r, rows16_next_lane(r)), valid);
        rows16_store(s->edge[0][y], x);
        rows16_store(s->edge[1][y], up);
        rows16_store(s->edge[2][y], z);
        uint32_t rows = rows16_nonzero_of_three(x, up, z);
        for (uint32_t i = 0; i < 4; i++)
            s->edge_rows = list_bits(s->edge_row, s->edge_rows, rows >> 8 * i & 0xff, (y - 1) * 32 + i * 8);
    }
    return s->edge_rows != 0;
}

/* Edge i along an axis belongs to the cells i - 1 and i along each of the other two. */
VP_INLINE void find_cells(scratch *s)
{
    s->cell_rows = 0;
    for (uint32_t y = 0; y < CELL_ROWS; y++) {
        rows16 x = rows16_or(rows16_load(s->edge[0][y]), rows16_load(s->edge[0][y + 1]));
        rows16 up = rows16_load(s->edge[1][y]);
        rows16 z = rows16_or(rows16_load(s->edge[2][y]), rows16_load(s->edge[2][y + 1]));
        rows16 across_z = rows16_or(x, rows16_or(up, rows16_shift_down(up)));
        rows16 used = rows16_or(rows16_or(across_z, rows16_next_lane(across_z)), rows16_or(z, rows16_shift_down(z)));
        rows16_store(s->used[y], used);
        uint32_t rows = rows16_nonzero(used);
        s->cell_rows = list_bits(s->cell_row, s->cell_rows, rows & 0xff, y * 16);
        s->cell_row[s->cell_rows] = (uint8_t)(y * 16 + 8);
        s->cell_rows += rows >> 8 & 1;
    }
}

/* ---- 4. cells ---- */

/* Moves the corners of each row's cells together. @return the number of cells */
VP_INLINE uint32_t list_cells(scratch *s)
{
    const vec16 one = vec16_set(1), low_four = vec16_set(15);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->cell_rows; i++) {
        uint32_t y = s->cell_row[i] >> 4, z = s->cell_row[i] & 15, used = s->used[y][z];
        vec16 at = vec16_words(set_bits[used], UINT64_C(0x0707070707070707));
        vec16 next = vec16_and(vec16_add(at, one), low_four);
        for (uint32_t k = 0; k < 4; k++) {
            vec16 row = vec16_load(s->distance[y + (k >> 1)][z + (k & 1)]);
            vec16_store(s->corner[2 * k] + count, vec16_shuffle(row, at));
            vec16_store(s->corner[2 * k + 1] + count, vec16_shuffle(row, next));
        }
        vec16 signs = vec16_signs(vec16_load(s->sign[y][z]), vec16_load(s->sign[y][z + 1]), vec16_load(s->sign[y + 1][z]),
                                  vec16_load(s->sign[y + 1][z + 1]));
        vec16_store(s->config + count, vec16_shuffle(signs, at));
        vec16_store(s->cell_x + count, next);
        vec16_store(s->cell_yz + count, vec16_set(s->cell_row[i]));
        /* Number of cells before each of the cells of bits 1 to 8. The bits become bytes, and a
         * multiplication sums them. */
        uint64_t bytes = (used >> 1 & 0x7f) * UINT64_C(0x0002040810204081) & UINT64_C(0x0101010101010101);
        vec16_store_numbers(s->number[y][z], bytes * UINT64_C(0x0101010101010100), count + (used & 1));
        count += (uint32_t)__builtin_popcount(used);
    }
    /* Pads the last vector of cells with cells without a crossing. */
    for (int c = 0; c < 8; c++)
        vec16_store(s->corner[c] + count, vec16_set(0));
    vec16_store(s->config + count, vec16_set(0));
    vec16_store(s->cell_x + count, vec16_set(0));
    vec16_store(s->cell_yz + count, vec16_set(0));
    return count;
}

/* ---- 5. vertices ---- */

/* Coordinates, from the place of the mean in its cell and the cell's position. */
VP_INLINE lanes_f coordinates(lanes_i q, lanes_i cell, int32_t first)
{
    lanes_i at = lanes_add(lanes_add(lanes_shift_up(cell, 9), lanes_add(q, q)), lanes_set(first));
    return lanes_mul_f(lanes_to_f(at), lanes_set_f(1.0f / 512.0f));
}

VP_INLINE void make_vertices(const scratch *s, uint32_t count, uint32_t cx, uint32_t cy, uint32_t cz, vp_vec3 *out)
{
    /* 512 times the coordinate of the middle of the first 1/256 of cell 0, which is the cell at -1. */
    const int32_t first_x = (int32_t)(cx * 4096) - 512 + 257, first_y = (int32_t)(cy * 4096) - 512 + 257;
    const int32_t first_z = (int32_t)(cz * 4096) - 512 + 257;
    for (uint32_t i = 0; i < count; i += LANES) {
        lanes_f corner[8];
        for (int c = 0; c < 8; c++)
            corner[c] = lanes_to_f(lanes_from_bytes(s->corner[c] + i));
        lanes_i q[3], yz = lanes_from_bytes(s->cell_yz + i);
        place_vertices(corner, lanes_from_bytes(s->config + i), q);
        lanes_f px = coordinates(q[0], lanes_from_bytes(s->cell_x + i), first_x);
        lanes_f py = coordinates(q[1], lanes_shift_down(yz, 4), first_y);
        lanes_f pz = coordinates(q[2], lanes_and(yz, lanes_set(15)), first_z);
        lanes_store_vec3(&out[i].x, px, py, pz);
    }
}

/* ---- 6. quads ---- */

/* Layout of the quads of edges in one direction. The cells other than the highest are steps from it, in rows of
   numbers. Those at x - 1 have the number before that of x. */
typedef struct direction {
    int lowest, a, b; /* sources of the steps of a quad's corners 1 and 3, see reference/surface/mesher.c */
    uint16_t before;  /* 0xffff if the lowest cell and b lie at x - 1 */
    uint8_t turned;   /* 0xff if a and b turn the other way */
    uint8_t upper;    /* distance from the lower voxel's material to the upper one's, in bytes */
} direction;

static const direction directions[3] = {
    {-CELL_ROWS - 1, -1, -CELL_ROWS, 0, 0, 1},
    {-1, -1, 0, 0xffff, 0xff, ROWS *ROW_BYTES},
    {-CELL_ROWS, -CELL_ROWS, 0, 0xffff, 0, ROW_BYTES},
};

VP_INLINE uint32_t make_quads(const scratch *s, vp_chunk_mesh *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->edge_rows; i++) {
        uint32_t entry = s->edge_row[i], y = (entry >> 5) + 1, z = (entry >> 2 & 7) + 1;
        const direction *d = &directions[entry & 3];
        uint32_t edges = s->edge[entry & 3][y][z], low = s->inside[y][z] >> 1 & 0xff;
        const uint16_t(*number)[8] = &s->number[y][z];
        const uint8_t *material = s->material[y][z];
        uint64_t bits = set_bits[edges];
        vec16 before = vec16_set16(d->before), outward = vec16_bits16(low ^ d->turned), at = vec16_spread(bits);
        vec16 a = vec16_load(number[d->a]), b = vec16_add16(vec16_load(number[d->b]), before);
        vec16 c0 = vec16_add16(vec16_load(number[d->lowest]), before);
        vec16 c1 = vec16_select(outward, a, b), c3 = vec16_select(outward, b, a);
        vec16 m = vec16_select(vec16_bits8(low), vec16_load(material), vec16_load(material + d->upper));
        vec16_store_quads(out->quad[count], vec16_shuffle(c0, at), vec16_shuffle(c1, at), vec16_shuffle(vec16_load(*number), at),
                          vec16_shuffle(c3, at));
        vec16_store_half(out->material + count, vec16_shuffle(m, vec16_words(bits, 0)));
        count += (uint32_t)__builtin_popcount(edges);
    }
    return count;
}

/* ---- all of it ---- */

VP_INLINE void mesh_chunk(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, vp_chunk_mesh *out)
{
    const class_range range = surface == VP_SURFACE_WATER ? class_of(VP_WATER, VP_WATER) : class_of(VP_FIRST_SOLID, 255);
    const place here = place_of(world->chunks, cx, cy, cz);
    bricks27 bricks;
    scratch s;
    out->vertex_count = out->quad_count = 0;
    if (!has_both(world, &here, range))
        return;
    find_bricks(world, &here, &bricks);
    read_rows(&bricks, range, &s);
    if (!find_edges(&s))
        return;
    find_cells(&s);
    out->vertex_count = list_cells(&s);
    make_vertices(&s, out->vertex_count, cx, cy, cz, out->vertex);
    out->quad_count = make_quads(&s, out);
}

#endif
