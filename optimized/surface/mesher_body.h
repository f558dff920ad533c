/* SPDX-License-Identifier: MIT */
/* The mesher, from the bricks around a chunk to a mesh with the reference's bits. Include after the
 * header of an ISA (optimized/simd).
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

typedef struct mesher_scratch {
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
} mesher_scratch;

/* ---- 1. is there a surface? ---- */

/* Whether some voxels are outside, and some inside. */
enum { OUTSIDE = 1, INSIDE = 2, BOTH = 3 };

/* 64 voxels, with the top bit of each byte set if the voxel is inside. */
VP_INLINE u8x64 inside_64(u8x64 material, u8x64 occupancy, class_range r)
{
    return u8x64_maskz(of_class_64(material, r), occupancy);
}

/* From the or and the and of voxels in top bits. */
VP_INLINE uint32_t find_kinds(u8x64 any, u8x64 all)
{
    return (u8x64_any_negative(any) ? (uint32_t)INSIDE : 0) | (u8x64_all_negative(all) ? 0 : (uint32_t)OUTSIDE);
}

/* Returns the or of all voxels of a brick in top bits, and their and in *all. */
VP_INLINE u8x64 fold_brick(const uint8_t *m, const uint8_t *o, class_range r, u8x64 *all)
{
    u8x64 any = inside_64(u8x64_load(m), u8x64_load(o), r);
    *all = any;
    for (int i = 64; i < VP_CHUNK_VOXELS; i += 64) {
        const u8x64 in = inside_64(u8x64_load(m + i), u8x64_load(o + i), r);
        any = u8x64_or(any, in);
        *all = u8x64_and(*all, in);
    }
    return any;
}

/* Whether the chunk's own voxels and those above it on each axis are of both kinds. Otherwise none of its own edges
   has a crossing. */
VP_INLINE bool has_both(const vp_voxels *world, const brick_steps *p, class_range range)
{
    const uint64_t first_column = UINT64_C(0x0101010101010101);
    const uint8_t *m = world->material + p->own, *o = world->occupancy + p->own, *air = brick_of_air;
    const bool up = p->there_y[2], front = p->there_z[2], right = p->there_x[2];
    u8x64 all, any = fold_brick(m, o, range, &all);
    uint32_t kinds = find_kinds(any, all);
    if (kinds == BOTH)
        return true;
    const u8x64 slice = inside_64(u8x64_load(up ? m + p->y : air), u8x64_load(up ? o + p->y : air), range);
    const u8x64 rows = inside_64(u8x64_load_rows(front ? m + p->z : air, 64), u8x64_load_rows(front ? o + p->z : air, 64), range);
    kinds |= find_kinds(slice, slice) | find_kinds(rows, rows);
    any = fold_brick(right ? m + p->x : air, right ? o + p->x : air, range, &all);
    kinds |= (m8x64_movemask(u8x64_is_negative(any)) & first_column) != 0 ? (uint32_t)INSIDE : 0;
    kinds |= (~m8x64_movemask(u8x64_is_negative(all)) & first_column) != 0 ? (uint32_t)OUTSIDE : 0;
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

VP_INLINE void read_rows(const bricks27 *b, class_range range, mesher_scratch *s)
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
        u8x16 pair_m[3], pair_o[3];
        voxel_row row[2];
        for (int x = 0; x < 3; x++) {
            pair_m[x] = u8x16_load_halves(before_m[x] + slice + 56, behind_m[x] + slice);
            pair_o[x] = u8x16_load_halves(before_o[x] + slice + 56, behind_o[x] + slice);
        }
        uint32_t bits = make_pair(pair_m, pair_o, range, row);
        for (int i = 0; i < 2; i++) {
            u8x16_store(s->distance[y][i * 9], row[i].distance);
            u8x16_store(s->sign[y][i * 9], row[i].sign);
            u8x16_store(s->material[y][i * 9], row[i].material);
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

/* Bit 4*z + direction is set if that direction of row z + 1 of the slice has edges. */
VP_INLINE uint32_t rows_with_edges(const mesher_scratch *s, uint32_t y)
{
    const u16x8 zero = u16x8_set1(0), low_byte = u16x8_set1(0x80), high_byte = u16x8_set1(0x8000);
    const m16x8 no_x = u16x8_cmp_eq(u16x8_load(s->edge[0][y] + 1), zero), no_up = u16x8_cmp_eq(u16x8_load(s->edge[1][y] + 1), zero);
    const m16x8 no_z = u16x8_cmp_eq(u16x8_load(s->edge[2][y] + 1), zero);
    const u16x8 two = u16x8_or(u16x8_maskz(no_x, low_byte), u16x8_maskz(no_up, high_byte)), one = u16x8_maskz(no_z, low_byte);
    const m8x16 first = u8x16_is_negative(u16x8_as_u8(u16x8_interleave_low(two, one)));
    const m8x16 last = u8x16_is_negative(u16x8_as_u8(u16x8_interleave_high(two, one)));
    return ~m8x16_movemask_pair(first, last) & 0x77777777;
}

/* Bit i of the result is bit i - 1, and bit 0 is bit 15. */
VP_INLINE u16x16 rotate_bits(u16x16 r)
{
    return u16x16_or(u16x16_shl(r, 1), u16x16_shr(r, 15));
}

/* @return false if no edge has a crossing */
VP_INLINE bool find_edges(mesher_scratch *s)
{
    static const uint16_t own[16] = {0, 0x1fe, 0x1fe, 0x1fe, 0x1fe, 0x1fe, 0x1fe, 0x1fe, 0x1fe}; /* the chunk's own voxels */
    const u16x16 valid = u16x16_load(own), none = u16x16_set1(0);
    for (int direction = 0; direction < 3; direction++) {
        u16x16_store(s->edge[direction][0], none);
        u16x16_store(s->edge[direction][ROWS - 1], none);
    }
    u16x16 next = rotate_bits(u16x16_load(s->inside[1]));
    u16x16_store(s->inside[1], next);
    for (uint32_t y = 1; y < ROWS - 1; y++) {
        const u16x16 r = next;
        next = rotate_bits(u16x16_load(s->inside[y + 1]));
        u16x16_store(s->inside[y + 1], next);
        u16x16_store(s->edge[0][y], u16x16_and(u16x16_xor(r, u16x16_shr(r, 1)), valid));
        u16x16_store(s->edge[1][y], u16x16_and(u16x16_xor(r, next), valid));
        u16x16_store(s->edge[2][y], u16x16_and(u16x16_xor(r, u16x16_ext_second(r, none)), valid));
    }
    s->edge_rows = 0;
    for (uint32_t y = 1; y < ROWS - 1; y++) {
        const uint32_t rows = rows_with_edges(s, y);
        for (uint32_t i = 0; i < 4; i++)
            s->edge_rows = list_bits(s->edge_row, s->edge_rows, rows >> 8 * i & 0xff, (y - 1) * 32 + i * 8);
    }
    return s->edge_rows != 0;
}

/* Edge i along an axis belongs to the cells i - 1 and i along each of the other two. */
VP_INLINE void find_cells(mesher_scratch *s)
{
    s->cell_rows = 0;
    for (uint32_t y = 0; y < CELL_ROWS; y++) {
        u16x16 x = u16x16_or(u16x16_load(s->edge[0][y]), u16x16_load(s->edge[0][y + 1]));
        u16x16 up = u16x16_load(s->edge[1][y]);
        u16x16 z = u16x16_or(u16x16_load(s->edge[2][y]), u16x16_load(s->edge[2][y + 1]));
        u16x16 across_z = u16x16_or(x, u16x16_or(up, u16x16_shr(up, 1)));
        u16x16 used = u16x16_or(u16x16_or(across_z, u16x16_ext_second(across_z, u16x16_set1(0))), u16x16_or(z, u16x16_shr(z, 1)));
        u16x16_store(s->used[y], used);
        const uint32_t rows = ~m16x16_movemask(u16x16_cmp_eq(used, u16x16_set1(0))) & 0xffff;
        s->cell_rows = list_bits(s->cell_row, s->cell_rows, rows & 0xff, y * 16);
        s->cell_row[s->cell_rows] = (uint8_t)(y * 16 + 8);
        s->cell_rows += rows >> 8 & 1;
    }
}

/* ---- 4. cells ---- */

/* Moves the corners of each row's cells together. @return the number of cells */
VP_INLINE uint32_t list_cells(mesher_scratch *s)
{
    const u8x16 one_more = u8x16_of_words(UINT64_C(0x0807060504030201), UINT64_C(0x000f0e0d0c0b0a09)), zero = u8x16_set1(0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->cell_rows; i++) {
        uint32_t y = s->cell_row[i] >> 4, z = s->cell_row[i] & 15, used = s->used[y][z];
        u8x16 at = u8x16_of_words(set_bits[used], UINT64_C(0x0707070707070707));
        u8x16 next = u8x16_permute(one_more, at);
        for (uint32_t k = 0; k < 4; k++) {
            u8x16 row = u8x16_load(s->distance[y + (k >> 1)][z + (k & 1)]);
            u8x16_store(s->corner[2 * k] + count, u8x16_permute(row, at));
            u8x16_store(s->corner[2 * k + 1] + count, u8x16_permute(row, next));
        }
        u8x16 signs = merge_signs(u8x16_load(s->sign[y][z]), u8x16_load(s->sign[y][z + 1]), u8x16_load(s->sign[y + 1][z]),
                                  u8x16_load(s->sign[y + 1][z + 1]));
        u8x16_store(s->config + count, u8x16_permute(signs, at));
        u8x16_store(s->cell_x + count, next);
        u8x16_store(s->cell_yz + count, u8x16_set1(s->cell_row[i]));
        /* Number of cells before each of the cells of bits 1 to 8. The bits become bytes, and a
         * multiplication sums them. */
        uint64_t bytes = (used >> 1 & 0x7f) * UINT64_C(0x0002040810204081) & UINT64_C(0x0101010101010101);
        const u16x8 before = u16x8_of_bytes(bytes * UINT64_C(0x0101010101010100));
        u16x8_store(s->number[y][z], u16x8_add(before, u16x8_set1((uint16_t)(count + (used & 1)))));
        count += (uint32_t)__builtin_popcount(used);
    }
    /* Pads the last vector of cells with cells without a crossing. */
    for (int c = 0; c < 8; c++)
        u8x16_store(s->corner[c] + count, zero);
    u8x16_store(s->config + count, zero);
    u8x16_store(s->cell_x + count, zero);
    u8x16_store(s->cell_yz + count, zero);
    return count;
}

/* ---- 5. vertices ---- */

/* Coordinates, from the place of the mean in its cell and the cell's position. */
VP_INLINE f32n coordinates(i32n q, i32n cell, int32_t first)
{
    i32n at = i32n_add(i32n_add(i32n_shl(cell, 9), i32n_add(q, q)), i32n_set1(first));
    return f32n_mul(i32n_to_f32(at), f32n_set1(1.0f / 512.0f));
}

VP_INLINE void make_vertices(const mesher_scratch *s, uint32_t count, uint32_t cx, uint32_t cy, uint32_t cz, vp_vec3 *out)
{
    /* 512 times the coordinate of the middle of the first 1/256 of cell 0, which is the cell at -1. */
    const int32_t first_x = (int32_t)(cx * 4096) - 512 + 257, first_y = (int32_t)(cy * 4096) - 512 + 257;
    const int32_t first_z = (int32_t)(cz * 4096) - 512 + 257;
    for (uint32_t i = 0; i < count; i += F32N) {
        f32n corner[8];
        for (int c = 0; c < 8; c++)
            corner[c] = i32n_to_f32(i32n_load_u8(s->corner[c] + i));
        i32n q[3], yz = i32n_load_u8(s->cell_yz + i);
        place_vertices(corner, i32n_load_u8(s->config + i), q);
        f32n px = coordinates(q[0], i32n_load_u8(s->cell_x + i), first_x);
        f32n py = coordinates(q[1], i32n_shr(yz, 4), first_y);
        f32n pz = coordinates(q[2], i32n_and(yz, i32n_set1(15)), first_z);
        f32n_store3(&out[i].x, px, py, pz);
    }
}

/* ---- 6. quads ---- */

/* Layout of the quads of edges in one direction. The cells other than the highest are steps from it, in rows of
   numbers. Those at x - 1 have the number before that of x. */
typedef struct edge_direction {
    int lowest, a, b; /* sources of the steps of a quad's corners 1 and 3, see reference/surface/mesher.c */
    uint16_t before;  /* 0xffff if the lowest cell and b lie at x - 1 */
    uint8_t turned;   /* 0xff if a and b turn the other way */
    uint8_t upper;    /* distance from the lower voxel's material to the upper one's, in bytes */
} edge_direction;

static const edge_direction directions[3] = {
    {-CELL_ROWS - 1, -1, -CELL_ROWS, 0, 0, 1},
    {-1, -1, 0, 0xffff, 0xff, ROWS *ROW_BYTES},
    {-CELL_ROWS, -CELL_ROWS, 0, 0xffff, 0, ROW_BYTES},
};

/* From the numbers of eight lanes of 16 bits, in the low bytes, those of their 16 bytes. */
VP_INLINE u8x16 places_of_16_bits(u8x16 lanes)
{
    const u16x8 twice = u8x16_as_u16(u8x16_interleave_low(lanes, lanes));
    return u16x8_as_u8(u16x8_add(u16x8_add(twice, twice), u16x8_set1(0x0100)));
}

VP_INLINE u16x8 permute_16_bits(u16x8 a, u8x16 at)
{
    return u8x16_as_u16(u8x16_permute(u16x8_as_u8(a), at));
}

VP_INLINE uint32_t make_quads(const mesher_scratch *s, vp_chunk_mesh *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->edge_rows; i++) {
        uint32_t entry = s->edge_row[i], y = (entry >> 5) + 1, z = (entry >> 2 & 7) + 1;
        const edge_direction *d = &directions[entry & 3];
        uint32_t edges = s->edge[entry & 3][y][z], low = s->inside[y][z] >> 1 & 0xff;
        const uint16_t(*number)[8] = &s->number[y][z];
        const uint8_t *material = s->material[y][z];
        uint64_t bits = set_bits[edges];
        const u8x16 packed = u8x16_of_words(bits, 0), at = places_of_16_bits(packed);
        const u16x8 before = u16x8_set1(d->before), c2 = u16x8_load(*number);
        const u16x8 a = u16x8_load(number[d->a]), b = u16x8_add(u16x8_load(number[d->b]), before);
        const u16x8 c0 = u16x8_add(u16x8_load(number[d->lowest]), before);
        const m16x8 outward = m16x8_of_bits(low ^ d->turned);
        const u16x8 c1 = u16x8_select(outward, a, b), c3 = u16x8_select(outward, b, a);
        u16x8_store4(out->quad[count], permute_16_bits(c0, at), permute_16_bits(c1, at), permute_16_bits(c2, at), permute_16_bits(c3, at));
        const u8x16 m = u8x16_select(m8x16_of_bits(low), u8x16_load(material), u8x16_load(material + d->upper));
        u8x16_store_low(out->material + count, u8x16_permute(m, packed));
        count += (uint32_t)__builtin_popcount(edges);
    }
    return count;
}

/* ---- all of it ---- */

VP_INLINE void mesh_chunk(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, vp_chunk_mesh *out)
{
    const class_range range = surface == VP_SURFACE_WATER ? class_of(VP_WATER, VP_WATER) : class_of(VP_FIRST_SOLID, 255);
    const brick_steps here = place_of(world->chunks, cx, cy, cz);
    bricks27 bricks;
    mesher_scratch s;
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
