/* SPDX-License-Identifier: MIT */
/* Dilation of a whole world in one pass over its bytes. Written once over the vocabulary of vectors (optimized/simd).
 *
 * Idea. The reference gathers 10^3 bytes around each chunk, so it reads every voxel 1.95 times and works on rows of ten
 * bits. Here every voxel is read once. Each 64-byte slice of a brick is compared to a constant and becomes one 64-bit
 * word, bit z*8 + x. A chunk is eight such words a class. Dilation is separable: along x and z within words and between
 * words' bytes of neighbouring chunks, along y between words.
 *
 * Order and state. Chunks are visited in memory order: y outermost, then z, then x. One loop over x does all steps, so
 * that memory never waits for arithmetic:
 * 1. The chunk four places ahead becomes words.
 * 2. Chunk x of row z is dilated along x.
 * 3. Chunk x of row z - 1 is dilated along z, because all its neighbours in the layer are known now.
 * 4. The chunk below that one is dilated along y. It is finished, and only then stored.
 *
 * The state is the words of two rows dilated along x, in the first-level cache, and a column's last chunk dilated along
 * x and z (145 bytes), in the second.
 *
 * Only one branch depends on a chunk's content: where no voxel is near, nothing is computed. In terrain a chunk differs
 * from the one before it one time in six, and a misprediction costs as much as half a chunk. Masks are always written
 * at the end of the pool, and the end moves on if they must stay.
 *
 * Full chunks. Where the 10^3 voxels around a chunk have no air, and the dilation of the other class is zero, all of
 * them belong to one class. Air needs no dilation for that test, only whether the relevant rows contain any along x.
 *
 * The steps are in slices.h. A class of a chunk is a u64x8, word y a Y-slice.
 * Cost of a chunk, both classes, in vector instructions on AVX-512: 8 loads, 16 compares and 16 mask stores, then 7 (x)
 * + 6 (z) + 3 (y) a class, 4 for air, and about 10 tests. See docs/kernels/dilation.md.
 *
 * Tried without gain:
 * - Three loops, row by row. Memory idles in two of them.
 * - Storing a chunk at once and patching it a layer later. It has more branches, and lines have left the cache.
 * - Leaving out classes that a row lacks.
 * - A test for bricks of air before their compares. It costs in mispredictions as much as it saves.
 * - Prefetch into the second level only.
 * - No compares, but a byte per column of voxels with two bits a voxel, turned into words only where a chunk is stored.
 *   It has a third fewer operations on paper. In terrain it is as fast, because a column of chunks then carries 192
 *   bytes. It is slower where every chunk is stored, because all words are made after all.
 *
 * GFNI, VBMI and VBMI2 are not used, because no instruction set here includes them. They would make words in registers
 * by a transposition of bits, and shift along z in one instruction, which would save a tenth. */
#ifndef VP_OPTIMIZED_BROADPHASE_DILATION_PASS_H
#define VP_OPTIMIZED_BROADPHASE_DILATION_PASS_H

#include <string.h>

#include "optimized/broadphase/slices.h"
#include "src/core/inline.h"

#include <voxphys/kernel/broadphase.h>

enum { SOLID = 0, WATER = 1, CLASSES = 2 };

/* A chunk becomes words LEAD places before they are used, in a ring. Words stored one by one can be loaded as a vector
   only after the stores have left the store buffer. */
enum { LEAD = 4, RING = 8 };

/* Distance of the prefetch in chunks. Memory responds after about ten chunks' work. */
enum { PREFETCH_AHEAD = 24 };

/* ---- state ---- */

/* State that a row of chunks leaves for the next ones, at one x: the words of the last two rows, dilated along x. Row z
   is at z % 2. */
typedef struct strip {
    uint64_t row[2][CLASSES][8];
} strip;

/* Summary of the slices in the 10 voxels along x. */
typedef struct about {
    uint8_t any;    /* bit 0: the last row is not all zero here; bit 1: the row before it */
    uint8_t no_air; /* bit y: slice y has no air in the last row, nor in z = 7 of the row before it */
    uint8_t last;   /* bit y: slice y has no air in z = 7 of the last row */
} about;

/* A column of chunks, carried from layer to layer: its last chunk, dilated along x and z. */
typedef struct column_words {
    uint64_t word[CLASSES][8];
} column_words;

/* Slice 7 of the chunk under that one. */
typedef struct column_top {
    uint64_t word[CLASSES];
} column_top;

/* Flags of a column's last chunk. */
enum {
    NO_AIR = 1 << 0,      /* in the 10 x 10 voxels around each of its slices, and around slice 7 under it */
    TOP_NO_AIR = 1 << 1,  /* in the 10 x 10 voxels around its slice 7 */
    NOT_ZERO = 1 << 2,    /* its words may be other than zero */
    TOP_NOT_ZERO = 1 << 3 /* its column_top may be other than zero */
};

/* Layout of the bytes. */
typedef struct source {
    void (*read)(const vp_dilate_job *build, size_t x, size_t cy, size_t cz, uint64_t words[CLASSES][8]);
    void (*prefetch)(const vp_dilate_job *build, size_t x, size_t cy, size_t cz);
} source;

typedef struct pass {
    const vp_dilate_job *build;
    strip *strip; /* one for each x */
    about *about; /* one for each x */
    /* One for each column. Words are valid where `state` is not 0, and are zero at first. */
    column_words *column;
    column_top *top;
    uint8_t *state;
    vp_chunk_masks *masks; /* the end of the pool, */
    uint32_t number;       /* and its number */
} pass;

static inline void pass_begin(pass *p, const vp_dilate_job *build)
{
    size_t x = build->chunks.x, columns = x * build->chunks.z;
    uint8_t *at = build->scratch;
    p->build = build;
    p->masks = build->pool;
    p->number = build->first;
    p->strip = (strip *)(void *)at;
    at += x * sizeof(strip);
    p->column = (column_words *)(void *)at;
    at += columns * sizeof(column_words);
    p->top = (column_top *)(void *)at;
    at += columns * sizeof(column_top);
    p->about = (about *)(void *)at;
    at += x * sizeof(about);
    p->state = at;
    memset(build->scratch, 0, (size_t)(at - (uint8_t *)build->scratch) + columns);
}

/* ---- bytes to words ---- */

/* Stores vectors. For a memset of this size compilers call a function, or loop in microcode. */
VP_INLINE void words_of_air(uint64_t words[CLASSES][8])
{
    u64x8_store(words[SOLID], u64x8_set1(0));
    u64x8_store(words[WATER], u64x8_set1(0));
}

/* Chunk (x, cy, cz) of a world of bricks, to words. */
VP_INLINE void read_brick(const vp_dilate_job *build, size_t x, size_t cy, size_t cz, uint64_t words[CLASSES][8])
{
    vp_dims n = build->chunks;
    const uint8_t *brick = build->material + ((cy * n.z + cz) * n.x + x) * VP_CHUNK_VOXELS;
    for (size_t y = 0; y < 8; y++)
        words_from_slice(brick + y * 64, &words[SOLID][y], &words[WATER][y]);
}

/* Prefetches the cache line at `line`, which may lie outside of all buffers. The empty statement keeps gcc from seeing a function without
 * effect, whose calls it would remove. */
VP_INLINE void prefetch(const void *line)
{
    __asm__ volatile("");
    __builtin_prefetch(line);
}

/* Prefetches a brick. Bricks lie in the order of the loop. */
VP_INLINE void prefetch_brick(const vp_dilate_job *build, size_t x, size_t cy, size_t cz)
{
    vp_dims n = build->chunks;
    const uint8_t *brick = build->material + ((cy * n.z + cz) * n.x + x + PREFETCH_AHEAD) * VP_CHUNK_VOXELS;
    for (size_t line = 0; line < 8; line++)
        prefetch(brick + line * 64);
}

/* Chunk (x, cy, cz) of a world in rows of voxels, to words. */
VP_INLINE void read_rows(const vp_dilate_job *build, size_t x, size_t cy, size_t cz, uint64_t words[CLASSES][8])
{
    vp_dims n = build->chunks;
    size_t z_stride = (size_t)n.x * 8, y_stride = z_stride * n.z * 8;
    const uint8_t *corner = build->material + cy * 8 * y_stride + cz * 8 * z_stride + x * 8;
    for (size_t y = 0; y < 8; y++)
        words_from_rows(corner + y * y_stride, z_stride, &words[SOLID][y], &words[WATER][y]);
}

/* Prefetches rows. A line holds a voxel row of 8 chunks, so chunk x fetches the lines of slice x % 8 of its eight, in
 * the next row. */
VP_INLINE void prefetch_rows(const vp_dilate_job *build, size_t x, size_t cy, size_t cz)
{
    vp_dims n = build->chunks;
    size_t z_stride = (size_t)n.x * 8, y_stride = z_stride * n.z * 8;
    const uint8_t *first = build->material + (cy * 8 + x % 8) * y_stride + (cz + 1) * 8 * z_stride + x / 8 * 64;
    for (size_t z = 0; z < 8; z++)
        prefetch(first + z * z_stride);
}

static const source from_bricks = {read_brick, prefetch_brick}, from_rows = {read_rows, prefetch_rows};

/* ---- a chunk ---- */

/* Finishes the column's last chunk, whose number goes to slot, and replaces it by the next one, `d`, which is dilated
 * along x and z. `any` is 0 if all of `d` is zero. Bit y of `no_air` says that slice y's 10 x 10 voxels have no air. */
VP_INLINE void settle(pass *p, size_t column, uint32_t *slot, const u64x8 d[CLASSES], bool any, uint32_t no_air, bool finish)
{
    uint32_t state = p->state[column];
    column_words *words = &p->column[column];
    column_top *top = &p->top[column];
    u64x8 last[CLASSES] = {u64x8_load(words->word[SOLID]), u64x8_load(words->word[WATER])};
    if (finish) {
        u64x8 solid = slices_dilate_y(top->word[SOLID], last[SOLID], d[SOLID]);
        u64x8 water = slices_dilate_y(top->word[WATER], last[WATER], d[WATER]);
        /* Without air, and without water nearby, all is solid. A chunk that is neither full nor stored is EMPTY, 0. */
        uint32_t any_solid = u64x8_any(solid), any_water = u64x8_any(water), full = state & no_air & NO_AIR;
        uint32_t tag = (full & ~any_water) * VP_CHUNK_FULL_SOLID | (full & ~any_solid) * VP_CHUNK_FULL_WATER;
        uint32_t stays = (any_solid | any_water) & (tag == 0);
        u64x8_store(p->masks->solid, solid);
        u64x8_store(p->masks->water, water);
        *slot = stays ? p->number : tag;
        p->masks += stays;
        p->number += stays;
    }
    top->word[SOLID] = words->word[SOLID][7];
    top->word[WATER] = words->word[WATER][7];
    u64x8_store(words->word[SOLID], d[SOLID]);
    u64x8_store(words->word[WATER], d[WATER]);
    uint32_t all = state / TOP_NO_AIR & (no_air == 0xff), top_no_air = no_air >> 7;
    p->state[column] = (uint8_t)(all * NO_AIR | top_no_air * TOP_NO_AIR | any * (uint32_t)NOT_ZERO | (state & NOT_ZERO) << 1);
}

/* ---- a row of chunks ---- */

/* Reads row (cy, cz), if `read`, and with it finishes row cz - 1, if `derive`. */
VP_INLINE void advance(pass *whole, uint32_t cy, uint32_t cz, bool read, bool derive, bool finish, const source *from)
{
    /* Copies that stay in registers. `state` is bytes, and a store of bytes may alias anything in memory. */
    pass here = *whole, *p = &here;
    const vp_dilate_job build = *whole->build, *b = &build;
    _Alignas(64) uint64_t raw[RING][CLASSES][8]; /* chunk x is at x % RING */
    size_t nx = b->chunks.x, column = derive ? (size_t)(cz - 1) * nx : 0;
    about *at = p->about;
    uint64_t(*front)[8] = p->strip->row[cz % 2], (*mid)[8] = p->strip->row[1 - cz % 2];
    uint32_t *slot = b->slot;
    if (finish)
        slot += ((ptrdiff_t)cy - 1) * b->slot_stride_y + ((ptrdiff_t)cz - 1) * b->slot_stride_z;
    p->column += column;
    p->top += column;
    p->state += column;
    u64x8 left_s = u64x8_set1(0), left_w = left_s, left_air = u64x8_not(left_s);
    u64x8 mid_s = left_s, mid_w = left_s, mid_air = left_air;
    if (read) {
        for (size_t x = 0; x < LEAD; x++)
            if (x < nx)
                from->read(b, x, cy, cz, raw[x]);
            else
                words_of_air(raw[x]);
        mid_s = u64x8_load(raw[0][SOLID]), mid_w = u64x8_load(raw[0][WATER]);
        mid_air = u64x8_not(u64x8_or(mid_s, mid_w));
    }
    for (size_t x = 0; x < nx; x++, at++, front += 2 * CLASSES, mid += 2 * CLASSES) {
        u64x8 solid_x = u64x8_set1(0), water_x = solid_x;
        uint32_t any = at->any, no_air = 0;
        if (read) {
            from->prefetch(b, x, cy, cz);
            if (x + LEAD < nx)
                from->read(b, x + LEAD, cy, cz, raw[(x + LEAD) % RING]);
            else
                words_of_air(raw[(x + LEAD) % RING]);
            u64x8 right_s = u64x8_load(raw[(x + 1) % RING][SOLID]), right_w = u64x8_load(raw[(x + 1) % RING][WATER]);
            u64x8 right_air = u64x8_not(u64x8_or(right_s, right_w));
            u64x8 air = slices_beside(left_air, mid_air, right_air);
            solid_x = slices_dilate_x(left_s, mid_s, right_s);
            water_x = slices_dilate_x(left_w, mid_w, right_w);
            left_s = mid_s, left_w = mid_w, left_air = mid_air;
            mid_s = right_s, mid_w = right_w, mid_air = right_air;
            any |= (uint32_t)u64x8_any(u64x8_or(solid_x, water_x)) << 2;
            no_air = at->no_air & slices_zero_in(air, 0xff);
            at->any = (uint8_t)(any >> 1);
            at->no_air = at->last & (uint8_t)slices_zero_words(air);
            at->last = (uint8_t)slices_zero_in(air, (uint64_t)0xff << 56);
        }
        if (derive && (any | p->state[x]) != 0) {
            u64x8 d[CLASSES];
            d[SOLID] = slices_dilate_z(u64x8_load(front[SOLID]), u64x8_load(mid[SOLID]), solid_x);
            d[WATER] = slices_dilate_z(u64x8_load(front[WATER]), u64x8_load(mid[WATER]), water_x);
            settle(p, x, slot + x, d, any != 0, no_air, finish);
        } else if (derive && finish) {
            slot[x] = VP_CHUNK_EMPTY;
        }
        if (read) { /* overwrites the row before `mid`, which is no longer needed */
            u64x8_store(front[SOLID], solid_x);
            u64x8_store(front[WATER], water_x);
        }
    }
    whole->masks = p->masks;
    whole->number = p->number;
}

/* Processes layer cy. Its chunks finish those of the layer below, if these are wanted. */
VP_INLINE void advance_layer(pass *p, uint32_t cy, bool finish, const source *from)
{
    vp_dims n = p->build->chunks;
    memset(p->strip, 0, n.x * sizeof(strip));
    memset(p->about, 0, n.x * sizeof(about));
    advance(p, cy, 0, true, false, false, from);
    for (uint32_t cz = 1; cz < n.z; cz++)
        advance(p, cy, cz, true, true, finish, from);
    advance(p, cy, n.z, false, true, finish, from);
}

/* Finishes the last layer, with air above the world. */
VP_INLINE void advance_to_sky(pass *p, const source *from)
{
    vp_dims n = p->build->chunks;
    memset(p->strip, 0, n.x * sizeof(strip));
    memset(p->about, 0, n.x * sizeof(about));
    for (uint32_t cz = 1; cz <= n.z; cz++)
        advance(p, n.y, cz, false, true, true, from);
}

/* `from` is from_bricks or from_rows, a constant that the compiler inlines. The layers next to the wanted ones are read
   too, the one below for its slice 7, the one above for its slice 0. */
VP_INLINE uint32_t dilate_world_pass(const vp_dilate_job *build, const source *from)
{
    pass state, *p = &state;
    uint32_t first = build->y_begin;
    if (build->y_begin >= build->y_end)
        return 0;
    pass_begin(p, build);
    advance_layer(p, first > 0 ? first - 1 : 0, false, from);
    for (uint32_t cy = first > 0 ? first : 1; cy <= build->y_end && cy < build->chunks.y; cy++)
        advance_layer(p, cy, cy > first, from);
    if (build->y_end == build->chunks.y)
        advance_to_sky(p, from);
    return p->number - build->first;
}

/* ---- one chunk of a world of bricks ---- */

/* The bricks around a chunk, [y][z][x]. Outside the world they are air. All are found first, row by row, because a test of all
 * bounds for each brick took a seventh of the instructions on AVX2. */
typedef struct neighbours {
    const uint8_t *brick[3][3][3];
} neighbours;

VP_INLINE neighbours bricks_around(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz)
{
    static const uint8_t air[VP_CHUNK_VOXELS];
    const vp_dims n = world->chunks;
    neighbours around;
    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t z = 0; z < 3; z++) {
            const uint32_t row_y = cy + y - 1, row_z = cz + z - 1; /* before 0 comes the largest number */
            const bool inside = row_y < n.y && row_z < n.z;
            const uint8_t *mid = inside ? world->material + (((size_t)row_y * n.z + row_z) * n.x + cx) * VP_CHUNK_VOXELS : air;
            around.brick[y][z][0] = inside && cx > 0 ? mid - VP_CHUNK_VOXELS : air;
            around.brick[y][z][1] = mid;
            around.brick[y][z][2] = inside && cx + 1 < n.x ? mid + VP_CHUNK_VOXELS : air;
        }
    return around;
}

/* Bit y is set if the 10 x 10 voxels around slice y are all of this class, given that the dilation of the other
 * class is empty. */
VP_INLINE uint32_t full_slices(const uint64_t *back, const uint64_t *mid, const uint64_t *front)
{
    u64x8 part[3];
    for (int i = 0; i < 3; i++) {
        ptrdiff_t at = (i - 1) * 8;
        part[i] = slices_dilate_z(u64x8_not(u64x8_load(back + at)), u64x8_not(u64x8_load(mid + at)), u64x8_not(u64x8_load(front + at)));
    }
    return slices_zero_words(slices_dilate_x(part[0], part[1], part[2]));
}

/* Dilates a 3 x 3 group of columns of words along x and z. Word i of the result belongs to the middle column. */
VP_INLINE u64x8 dilate_group(uint64_t words[3][3][8])
{
    u64x8 row[3];
    for (int z = 0; z < 3; z++)
        row[z] = slices_dilate_x(u64x8_load(words[z][0]), u64x8_load(words[z][1]), u64x8_load(words[z][2]));
    return slices_dilate_z(row[0], row[1], row[2]);
}

VP_INLINE uint32_t group_full(uint64_t words[3][3][8])
{
    return full_slices(words[0][1], words[1][1], words[2][1]);
}

/* The words of one class around a chunk, [z][x]: its own layer, and in words 0 and 1 the slices under and over it.
   Where only one row of a word counts, as in the neighbouring chunks along z, the other rows are unspecified. */
typedef struct word_group {
    _Alignas(64) uint64_t own[3][3][8], beside[3][3][8];
} word_group;

/* Brick [z][x] of the layer under (edge 0) or over (edge 1) the chunk: its slice that touches the chunk's layer. */
VP_INLINE const uint8_t *edge_slice(const neighbours *around, int edge, int z, int x)
{
    return edge == 0 ? around->brick[0][z][x] + 448 : around->brick[2][z][x];
}

/* Puts the six relevant rows of six slices next to each other. Long before they are converted, because a load of several stores waits for
 * them to leave the store buffer. */
VP_INLINE void copy_edge_rows(const neighbours *around, int edge, uint8_t rows[64])
{
    memset(rows, 0, 64);
    for (int x = 0; x < 3; x++) {
        memcpy(rows + x * 8, edge_slice(around, edge, 0, x) + 56, 8);
        memcpy(rows + 24 + x * 8, edge_slice(around, edge, 2, x), 8);
    }
}

/* Reads the nine slices under or over the chunk, three whole and the rows of six. */
VP_INLINE void read_edge(const neighbours *around, int edge, const uint8_t rows[64], word_group g[CLASSES])
{
    uint64_t word[CLASSES];
    for (int x = 0; x < 3; x++)
        words_from_slice(edge_slice(around, edge, 1, x), &g[SOLID].beside[1][x][edge], &g[WATER].beside[1][x][edge]);
    words_from_slice(rows, &word[SOLID], &word[WATER]);
    for (int c = 0; c < CLASSES; c++)
        for (int x = 0; x < 3; x++) {
            g[c].beside[0][x][edge] = word[c] >> x * 8 << 56;
            g[c].beside[2][x][edge] = word[c] >> (24 + x * 8);
        }
}

/* Reads the chunk's layer. A neighbouring chunk along z contributes one row a slice, and its eight rows
 * take one conversion. */
VP_INLINE void read_layer(const neighbours *around, word_group g[CLASSES])
{
    uint64_t word[CLASSES];
    for (int x = 0; x < 3; x++) {
        const uint8_t *brick = around->brick[1][1][x];
        for (size_t y = 0; y < 8; y++)
            words_from_slice(brick + y * 64, &g[SOLID].own[1][x][y], &g[WATER].own[1][x][y]);
        words_from_rows(around->brick[1][0][x] + 56, 64, &word[SOLID], &word[WATER]);
        u64x8_store(g[SOLID].own[0][x], u64x8_shl(u64x8_of_bytes(word[SOLID]), 56));
        u64x8_store(g[WATER].own[0][x], u64x8_shl(u64x8_of_bytes(word[WATER]), 56));
        words_from_rows(around->brick[1][2][x], 64, &word[SOLID], &word[WATER]);
        u64x8_store(g[SOLID].own[2][x], u64x8_of_bytes(word[SOLID]));
        u64x8_store(g[WATER].own[2][x], u64x8_of_bytes(word[WATER]));
    }
}

VP_INLINE uint32_t dilate_chunk_bricks(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out)
{
    const neighbours around = bricks_around(world, cx, cy, cz);
    word_group g[CLASSES];
    uint8_t rows[2][64];
    for (int z = 0; z < 3; z++)
        for (int x = 0; x < 3; x++) {
            u64x8_store(g[SOLID].beside[z][x], u64x8_set1(0));
            u64x8_store(g[WATER].beside[z][x], u64x8_set1(0));
        }
    copy_edge_rows(&around, 0, rows[0]);
    copy_edge_rows(&around, 1, rows[1]);
    read_layer(&around, g);
    read_edge(&around, 0, rows[0], g);
    read_edge(&around, 1, rows[1], g);
    u64x8 result[CLASSES];
    uint32_t tag = VP_CHUNK_MIXED;
    for (int c = 0; c < CLASSES; c++) {
        const u64x8 own = dilate_group(g[c].own), edges = dilate_group(g[c].beside); /* word 0 below the chunk, word 1 above it */
        _Alignas(64) uint64_t edge[8];
        u64x8_store(edge, edges);
        result[c] = slices_dilate_y(edge[0], own, u64x8_ext_second(edges, edges));
        if (g[c].own[1][1][0] == UINT64_MAX && group_full(g[c].own) == 0xff && (group_full(g[c].beside) & 3) == 3)
            tag = c == SOLID ? VP_CHUNK_FULL_SOLID : VP_CHUNK_FULL_WATER;
    }
    u64x8_store(out->solid, result[SOLID]);
    u64x8_store(out->water, result[WATER]);
    return u64x8_any(u64x8_or(result[SOLID], result[WATER])) ? tag : VP_CHUNK_EMPTY;
}

#endif
