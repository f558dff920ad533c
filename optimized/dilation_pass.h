/* SPDX-License-Identifier: MIT */
/* Dilation of a whole world in one pass over its bytes, written once over a small vocabulary of vectors.
 *
 * Idea. The reference gathers 10^3 bytes around each chunk: it reads every voxel 1.95 times and works on rows of ten
 * bits. Here every voxel is read once. Each 64-byte slice of a brick is compared to a constant and becomes one 64-bit
 * word, bit z*8 + x; a chunk is eight such words a class, and dilation is separable: along x within and between words'
 * bytes, along z within and between words, along y between words.
 *
 * Order and state. Chunks are visited as they lie in memory: y outermost, then z, then x. Rows of chunks are kept in a
 * ring of three: raw words, and words already dilated along x. When row z arrives, row z - 1 has all its neighbours in
 * the layer and is dilated along z. Along y a chunk lacks the slice above it until the next layer comes: it is stored
 * without, and patched then. What is carried from layer to layer is 16 bytes and a byte of flags a column.
 *
 * A class that occurs nowhere near a row of chunks, water in most rows and solid in the sky, is left out for the whole
 * row. While a row is computed, the bytes of the next are prefetched.
 *
 * Masks are stored only for MIXED chunks, without gaps. A chunk that is still all air, or all solid or all water with
 * its whole neighbourhood so far, stores nothing until the layer above has decided; what it then needs is known: the
 * words of its kind, and the patch.
 *
 * Vocabulary (slices_<isa>.h). `slices` is eight 64-bit words, word y a Y-slice.
 *   slices_dilate_x(left, mid, right)   bits x-1, x, x+1; left and right are the chunks beside it
 *   slices_dilate_z(back, mid, front)   bits z-1, z, z+1; back and front are the chunks before and behind
 *   slices_dilate_y(below, mid, above)  words y-1, y, y+1; below and above are single words
 *   slices_store_last(to, a, b)         word 7 of a and word 7 of b, side by side
 *   slices_zero_words(s)                bit y is set where word y is 0
 *   words_from_slice(p, &s, &w)         64 bytes of a slice to a word of solid and a word of water
 *   words_from_rows(p, stride, &s, &w)  the same of eight rows of 8 bytes
 *   prefetch(p)                         asks for the cache line at p
 *
 * Cost a chunk, both classes, in vector instructions on AVX-512: 8 loads, 16 compares, 16 mask stores, then 7 (x) + 6 (z)
 * + 3 (y) a class. Out of cache it runs at the speed of the bytes; see docs/PORTING.md for measurements. */
#ifndef VP_OPTIMIZED_DILATION_PASS_H
#define VP_OPTIMIZED_DILATION_PASS_H

#include <string.h>

#include "core/inline.h"

#include <voxphys/kernels.h>

enum { SOLID = 0, WATER = 1, CLASSES = 2 };

/* ---- state of one column of chunks, carried from layer to layer ---- */

/* The x- and z-dilated slice 7 of the chunk below. */
typedef struct column_top {
    uint64_t word[CLASSES];
} column_top;

/* What the chunk below, whose top slice is still to be patched, has become so far. */
enum {
    BELOW_STORED = 1,     /* its masks are in the pool */
    BELOW_FULL_SOLID = 2, /* its 10 x 10 columns are solid from the slice under it to its own slice 7 */
    BELOW_FULL_WATER = 4,
    TOP_FULL_SOLID = 8, /* the 10 x 10 voxels around its slice 7 are all solid */
    TOP_FULL_WATER = 16
};

/* One row of chunks, with one more (air) at both ends: 8 words a chunk. */
typedef struct row_words {
    uint64_t *raw[CLASSES], *dilated[CLASSES];
    bool any[CLASSES]; /* the class occurs in the row */
} row_words;

/* How the bytes are laid out. */
typedef struct source {
    void (*read)(const vp_build *build, size_t x, size_t cy, size_t cz, const row_words *row);
    void (*prefetch)(const vp_build *build, size_t x, size_t cy, size_t cz);
} source;

typedef struct pass {
    const vp_build *build;
    row_words ring[3];
    size_t row_bytes; /* of one array of a row */
    column_top *top;
    uint8_t *below;
    uint8_t *row_top; /* of each row: bit c is set where a top slice in it has something of class c */
    uint32_t filled;  /* entries of the pool */
} pass;

static inline void pass_begin(pass *p, const vp_build *build)
{
    vp_dims n = build->chunks;
    uint8_t *at = build->scratch;
    p->build = build;
    p->filled = 0;
    p->row_bytes = ((size_t)n.x + 2) * 64;
    memset(at, 0, 12 * p->row_bytes);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < CLASSES; c++) {
            p->ring[r].raw[c] = (uint64_t *)(void *)at;
            p->ring[r].dilated[c] = (uint64_t *)(void *)(at + p->row_bytes);
            at += 2 * p->row_bytes;
        }
    size_t columns = (size_t)n.x * n.z;
    p->top = (column_top *)(void *)at;
    p->below = at + columns * sizeof(column_top);
    p->row_top = p->below + columns;
    memset(at, 0, columns * (sizeof(column_top) + 1) + n.z);
}

/* ---- bytes to words, and along x ---- */

static inline void row_of_air(const pass *p, row_words *row)
{
    for (int c = 0; c < CLASSES; c++) {
        memset(row->raw[c], 0, p->row_bytes);
        memset(row->dilated[c], 0, p->row_bytes);
        row->any[c] = false;
    }
}

static inline void dilate_row_x(const pass *p, row_words *row)
{
    for (int c = 0; c < CLASSES; c++) {
        slices any = slices_zero(), left = any, mid = slices_load(row->raw[c] + 8);
        for (size_t x = 1; x <= p->build->chunks.x; x++) {
            slices right = slices_load(row->raw[c] + x * 8 + 8);
            slices_store(row->dilated[c] + x * 8, slices_dilate_x(left, mid, right));
            any = slices_or(any, mid);
            left = mid;
            mid = right;
        }
        row->any[c] = slices_any(any);
    }
}

/* Chunk (x, cy, cz) of a world of bricks, to words. */
VP_INLINE void read_brick(const vp_build *build, size_t x, size_t cy, size_t cz, const row_words *row)
{
    vp_dims n = build->chunks;
    const uint8_t *brick = build->material + ((cy * n.z + cz) * n.x + x) * VP_CHUNK_VOXELS;
    uint64_t *solid = row->raw[SOLID] + (x + 1) * 8, *water = row->raw[WATER] + (x + 1) * 8;
    for (size_t y = 0; y < 8; y++)
        words_from_slice(brick + y * 64, &solid[y], &water[y]);
}

VP_INLINE void prefetch_brick(const vp_build *build, size_t x, size_t cy, size_t cz)
{
    vp_dims n = build->chunks;
    const uint8_t *brick = build->material + ((cy * n.z + cz) * n.x + x) * VP_CHUNK_VOXELS;
    for (size_t line = 0; line < 8; line++)
        prefetch(brick + line * 64);
}

/* Chunk (x, cy, cz) of a world in rows of voxels, to words. */
VP_INLINE void read_rows(const vp_build *build, size_t x, size_t cy, size_t cz, const row_words *row)
{
    vp_dims n = build->chunks;
    size_t z_stride = (size_t)n.x * 8, y_stride = z_stride * n.z * 8;
    const uint8_t *corner = build->material + cy * 8 * y_stride + cz * 8 * z_stride + x * 8;
    uint64_t *solid = row->raw[SOLID] + (x + 1) * 8, *water = row->raw[WATER] + (x + 1) * 8;
    for (size_t y = 0; y < 8; y++)
        words_from_rows(corner + y * y_stride, z_stride, &solid[y], &water[y]);
}

/* A line holds a voxel row of 8 chunks: chunk x asks for the lines of slice x % 8 of its eight. */
VP_INLINE void prefetch_rows(const vp_build *build, size_t x, size_t cy, size_t cz)
{
    vp_dims n = build->chunks;
    size_t z_stride = (size_t)n.x * 8, y_stride = z_stride * n.z * 8;
    const uint8_t *first = build->material + (cy * 8 + x % 8) * y_stride + cz * 8 * z_stride + x / 8 * 64;
    for (size_t z = 0; z < 8; z++)
        prefetch(first + z * z_stride);
}

static const source from_bricks = {read_brick, prefetch_brick}, from_rows = {read_rows, prefetch_rows};

/* ---- tags, and the pool ---- */

/* Bit y: the 10 x 10 voxels around slice y are all of this class. The dilation of what is not of the class is empty. */
VP_INLINE uint32_t full_slices(const uint64_t *back, const uint64_t *mid, const uint64_t *front)
{
    slices part[3];
    for (int i = 0; i < 3; i++) {
        ptrdiff_t at = (i - 1) * 8;
        part[i] = slices_dilate_z(slices_not(slices_load(back + at)), slices_not(slices_load(mid + at)),
                                  slices_not(slices_load(front + at)));
    }
    return slices_zero_words(slices_dilate_x(part[0], part[1], part[2]));
}

/* full_slices of both classes at word `at`; 0 unless slice 0 or 7 of the chunk itself is full, without which neither a
   tag nor a carried flag can come of it. */
VP_INLINE void find_full(const row_words *back, const row_words *mid, const row_words *front, size_t at,
                             const bool has[CLASSES], uint32_t full[CLASSES])
{
    for (int c = 0; c < CLASSES; c++) {
        const uint64_t *own = mid->raw[c] + at;
        full[c] = 0;
        if (has[c] && ((own[0] == UINT64_MAX) | (own[7] == UINT64_MAX)) != 0)
            full[c] = full_slices(back->raw[c] + at, own, front->raw[c] + at);
    }
}

/* A new entry of the pool whose words are all `solid` and all `water`, with slice 7 patched. */
static inline uint32_t store_uniform(pass *p, uint64_t solid, uint64_t water, const uint64_t patch[CLASSES])
{
    vp_masks *m = &p->build->pool[p->filled];
    for (int y = 0; y < 8; y++) {
        m->solid[y] = solid;
        m->water[y] = water;
    }
    m->solid[7] |= patch[SOLID];
    m->water[7] |= patch[WATER];
    return p->build->first + p->filled++;
}

/* The slice above a chunk has come: finishes it. `patch` is that slice, dilated along x and z; bit 0 of
   full_above[c] says whether the 10 x 10 voxels around it are all of class c. */
VP_INLINE void finish(pass *p, uint32_t *slot, uint32_t below, const uint64_t patch[CLASSES],
                          const uint32_t full_above[CLASSES], const bool has[CLASSES])
{
    if (below & BELOW_STORED) {
        vp_masks *m = &p->build->pool[*slot - p->build->first];
        if (has[SOLID])
            m->solid[7] |= patch[SOLID];
        if (has[WATER])
            m->water[7] |= patch[WATER];
    } else if (below & BELOW_FULL_SOLID) {
        *slot = full_above[SOLID] & 1 ? VP_TAG_FULL_SOLID : store_uniform(p, UINT64_MAX, 0, patch);
    } else if (below & BELOW_FULL_WATER) {
        *slot = full_above[WATER] & 1 ? VP_TAG_FULL_WATER : store_uniform(p, 0, UINT64_MAX, patch);
    } else {
        *slot = (patch[SOLID] | patch[WATER]) == 0 ? VP_TAG_EMPTY : store_uniform(p, 0, 0, patch);
    }
}

/* Begins a chunk: stores what is known of it, if that is already known to be MIXED. @return its BELOW_ flags */
VP_INLINE uint32_t begin_chunk(pass *p, uint32_t *slot, uint32_t below, const column_top *top, const slices d[CLASSES],
                                   const uint32_t full[CLASSES], const bool has[CLASSES])
{
    if (full[SOLID] == 0xff && (below & TOP_FULL_SOLID))
        return BELOW_FULL_SOLID;
    if (full[WATER] == 0xff && (below & TOP_FULL_WATER))
        return BELOW_FULL_WATER;
    slices solid = has[SOLID] ? slices_dilate_y(top->word[SOLID], d[SOLID], 0) : slices_zero();
    slices water = has[WATER] ? slices_dilate_y(top->word[WATER], d[WATER], 0) : slices_zero();
    if (!slices_any(slices_or(solid, water)))
        return 0;
    vp_masks *m = &p->build->pool[p->filled];
    slices_store(m->solid, solid);
    slices_store(m->water, water);
    *slot = p->build->first + p->filled++;
    return BELOW_STORED;
}

/* ---- the pass ---- */

/* Row (cy, cz), whose neighbours in the layer are all there: mid is the row itself. has[c] says whether class c occurs in
   the three rows or in the top slices below; a class that does not is zero and costs nothing. */
VP_INLINE void derive_row(pass *whole, uint32_t cy, uint32_t cz, row_words back, row_words mid, row_words front,
                              const bool has[CLASSES], const source *from)
{
    /* Copies that live in registers: flags are bytes, and a byte written may alias anything in memory. */
    pass here = *whole, *p = &here;
    const vp_build build = *whole->build, *b = &build;
    p->build = b;
    size_t column = (size_t)cz * b->chunks.x, at = 8;
    uint32_t *slot = b->slot + ((ptrdiff_t)cy * b->slot_stride_y + (ptrdiff_t)cz * b->slot_stride_z);
    bool derive_below = cy > b->y_begin, derive = cy >= b->y_begin && cy < b->y_end;
    for (uint32_t x = 0; x < b->chunks.x; x++, slot++, column++, at += 8) {
        from->prefetch(b, x, cy, cz + 2);
        slices d[CLASSES];
        uint64_t bottom[CLASSES];
        uint32_t full[CLASSES], flags = 0, below = p->below[column];
        for (int c = 0; c < CLASSES; c++) {
            d[c] = slices_zero();
            if (has[c])
                d[c] = slices_dilate_z(slices_load(back.dilated[c] + at), slices_load(mid.dilated[c] + at),
                                       slices_load(front.dilated[c] + at));
            bottom[c] = has[c] ? slices_first(d[c]) : 0;
        }
        find_full(&back, &mid, &front, at, has, full);
        if (derive_below)
            finish(p, slot - b->slot_stride_y, below, bottom, full, has);
        if (derive)
            flags = begin_chunk(p, slot, below, &p->top[column], d, full, has);
        flags |= full[SOLID] >> 7 ? TOP_FULL_SOLID : 0;
        flags |= full[WATER] >> 7 ? TOP_FULL_WATER : 0;
        p->below[column] = (uint8_t)flags;
        slices_store_last(p->top[column].word, d[SOLID], d[WATER]);
    }
    whole->filled = p->filled;
}

/* The same where nothing is solid or water, nor in the top slices below: there is nothing to patch with. A chunk below
   that has stored nothing is EMPTY; one that was stored, for what it touches further down, stays as it is. */
static inline void derive_row_of_air(pass *p, uint32_t cy, uint32_t cz)
{
    const vp_build *b = p->build;
    ptrdiff_t at = (ptrdiff_t)cy * b->slot_stride_y + (ptrdiff_t)cz * b->slot_stride_z;
    uint32_t *slot_below = b->slot + at - b->slot_stride_y;
    uint8_t *below = p->below + (size_t)cz * b->chunks.x;
    for (uint32_t x = 0; cy > b->y_begin && x < b->chunks.x; x++)
        if (below[x] == 0)
            slot_below[x] = VP_TAG_EMPTY;
    memset(below, 0, b->chunks.x);
}

/* Picks the form of derive_row for what occurs near row (cy, cz). */
VP_INLINE void derive_row_of(pass *p, uint32_t cy, uint32_t cz, const source *from)
{
    static const bool both[CLASSES] = {true, true}, only_solid[CLASSES] = {true, false},
                      only_water[CLASSES] = {false, true};
    const row_words *back = &p->ring[(cz + 2) % 3], *mid = &p->ring[cz % 3], *front = &p->ring[(cz + 1) % 3];
    bool here[CLASSES], has[CLASSES];
    for (int c = 0; c < CLASSES; c++) {
        here[c] = back->any[c] | mid->any[c] | front->any[c];
        has[c] = here[c] || (p->row_top[cz] >> c & 1) != 0;
    }
    if (has[SOLID] && has[WATER])
        derive_row(p, cy, cz, *back, *mid, *front, both, from);
    else if (has[SOLID])
        derive_row(p, cy, cz, *back, *mid, *front, only_solid, from);
    else if (has[WATER])
        derive_row(p, cy, cz, *back, *mid, *front, only_water, from);
    else
        derive_row_of_air(p, cy, cz);
    p->row_top[cz] = (uint8_t)(here[SOLID] << SOLID | here[WATER] << WATER);
}

VP_INLINE void read_row(const pass *p, uint32_t cy, uint32_t cz, row_words *row, const source *from)
{
    const vp_build build = *p->build;
    for (size_t x = 0; x < build.chunks.x; x++)
        from->read(&build, x, cy, cz, row);
}

/* Above the world there is air. */
static inline void finish_top_layer(pass *p)
{
    const vp_build *b = p->build;
    const uint64_t air[CLASSES] = {0, 0};
    const uint32_t not_full[CLASSES] = {0, 0};
    const bool has[CLASSES] = {false, false};
    for (uint32_t cz = 0; cz < b->chunks.z; cz++)
        for (uint32_t cx = 0; cx < b->chunks.x; cx++) {
            ptrdiff_t at = (ptrdiff_t)(b->y_end - 1) * b->slot_stride_y + (ptrdiff_t)cz * b->slot_stride_z + cx;
            finish(p, b->slot + at, p->below[(size_t)cz * b->chunks.x + cx], air, not_full, has);
        }
}

/* `from` is from_bricks or from_rows, a constant that the compiler inlines. */
VP_INLINE uint32_t dilate_world_pass(const vp_build *build, const source *from)
{
    pass state, *p = &state;
    uint32_t ny = build->chunks.y, nz = build->chunks.z;
    if (build->y_begin >= build->y_end)
        return 0;
    pass_begin(p, build);
    /* The layers beside the wanted ones are read too: the one below for what it carries, the one above for its patch. */
    uint32_t first = build->y_begin > 0 ? build->y_begin - 1 : 0, end = build->y_end < ny ? build->y_end + 1 : ny;
    for (uint32_t cy = first; cy < end; cy++) {
        row_of_air(p, &p->ring[2]); /* before the first row */
        for (uint32_t cz = 0; cz <= nz; cz++) {
            row_words *row = &p->ring[cz % 3];
            if (cz < nz) {
                read_row(p, cy, cz, row, from);
                dilate_row_x(p, row);
            } else {
                row_of_air(p, row);
            }
            if (cz > 0)
                derive_row_of(p, cy, cz - 1, from);
        }
    }
    if (build->y_end == ny)
        finish_top_layer(p);
    return p->filled;
}

/* ---- one chunk of a world of bricks ---- */

/* The raw words of brick (cx, cy, cz): all eight slices, or air outside the world. */
VP_INLINE void brick_words(const vp_bricks *world, int64_t cx, int64_t cy, int64_t cz, uint32_t first, uint32_t last,
                               uint64_t *solid, uint64_t *water)
{
    vp_dims n = world->chunks;
    if (cx < 0 || cy < 0 || cz < 0 || cx >= n.x || cy >= n.y || cz >= n.z)
        return; /* they are zero already */
    const uint8_t *brick = world->material + (((size_t)cy * n.z + (size_t)cz) * n.x + (size_t)cx) * VP_CHUNK_VOXELS;
    for (uint32_t y = first; y <= last; y++)
        words_from_slice(brick + y * 64, &solid[y - first], &water[y - first]);
}

/* Dilates a 3 x 3 group of columns of words along x and z: word i of the middle column. */
VP_INLINE slices dilate_group(uint64_t words[3][3][8])
{
    slices row[3];
    for (int z = 0; z < 3; z++)
        row[z] = slices_dilate_x(slices_load(words[z][0]), slices_load(words[z][1]), slices_load(words[z][2]));
    return slices_dilate_z(row[0], row[1], row[2]);
}

VP_INLINE uint32_t group_full(uint64_t words[3][3][8])
{
    return full_slices(words[0][1], words[1][1], words[2][1]);
}

/* The chunk's own layer is one group of 3 x 3 bricks; the slices under and over it are words 0 and 1 of another. */
VP_INLINE uint32_t dilate_chunk_bricks(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_masks *out)
{
    _Alignas(64) uint64_t own[CLASSES][3][3][8], beside[CLASSES][3][3][8];
    memset(own, 0, sizeof own);
    memset(beside, 0, sizeof beside);
    for (int z = 0; z < 3; z++)
        for (int x = 0; x < 3; x++) {
            int64_t bx = (int64_t)cx + x - 1, by = cy, bz = (int64_t)cz + z - 1;
            brick_words(world, bx, by, bz, 0, 7, own[SOLID][z][x], own[WATER][z][x]);
            brick_words(world, bx, by - 1, bz, 7, 7, &beside[SOLID][z][x][0], &beside[WATER][z][x][0]);
            brick_words(world, bx, by + 1, bz, 0, 0, &beside[SOLID][z][x][1], &beside[WATER][z][x][1]);
        }
    slices result[CLASSES];
    uint32_t tag = VP_TAG_MIXED;
    for (int c = 0; c < CLASSES; c++) {
        _Alignas(64) uint64_t edge[8];
        slices_store(edge, dilate_group(beside[c]));
        result[c] = slices_dilate_y(edge[0], dilate_group(own[c]), edge[1]);
        if (own[c][1][1][0] == UINT64_MAX && group_full(own[c]) == 0xff && (group_full(beside[c]) & 3) == 3)
            tag = c == SOLID ? VP_TAG_FULL_SOLID : VP_TAG_FULL_WATER;
    }
    slices_store(out->solid, result[SOLID]);
    slices_store(out->water, result[WATER]);
    return slices_any(slices_or(result[SOLID], result[WATER])) ? tag : VP_TAG_EMPTY;
}

#endif
