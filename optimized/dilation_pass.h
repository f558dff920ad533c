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
 * Masks are stored only for MIXED chunks, without gaps. A chunk that is still all air, or all solid or all water with
 * its whole neighbourhood so far, stores nothing until the layer above has decided; what it then needs is known: the
 * words of its kind, and the patch.
 *
 * Vocabulary (slices_<isa>.h). `slices` is eight 64-bit words, word y a Y-slice.
 *   slices_dilate_x(left, mid, right)   bits x-1, x, x+1; left and right are the chunks beside it
 *   slices_dilate_z(back, mid, front)   bits z-1, z, z+1; back and front are the chunks before and behind
 *   slices_dilate_y(below, mid, above)  words y-1, y, y+1; below and above are single words
 *   slices_zero_words(s)                bit y is set where word y is 0
 *   words_from_slice(p, &s, &w)         64 bytes of a slice to a word of solid and a word of water
 *   words_from_rows(p, stride, &s, &w)  the same of eight rows of 8 bytes
 *
 * Cost a chunk, both classes, in vector instructions on AVX-512: 8 loads, 16 compares, 16 mask stores, then 7 (x) + 6 (z)
 * + 3 (y) a class. Out of cache it runs at the speed of the bytes; see docs/PORTING.md for measurements. */
#ifndef VP_OPTIMIZED_DILATION_PASS_H
#define VP_OPTIMIZED_DILATION_PASS_H

#include <string.h>

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
} row_words;

typedef struct pass {
    const vp_build *build;
    row_words ring[3];
    size_t row_bytes; /* of one array of a row */
    column_top *top;
    uint8_t *below;
    uint32_t filled; /* entries of the pool */
} pass;

static inline void pass_begin(pass *p, const vp_build *build)
{
    vp_dims n = build->chunks;
    uint8_t *at = build->scratch;
    p->build = build;
    p->filled = 0;
    p->row_bytes = ((size_t)n.x + 2) * 64;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < CLASSES; c++) {
            p->ring[r].raw[c] = (uint64_t *)(void *)at;
            p->ring[r].dilated[c] = (uint64_t *)(void *)(at + p->row_bytes);
            at += 2 * p->row_bytes;
        }
    p->top = (column_top *)(void *)at;
    at += (size_t)n.x * n.z * sizeof(column_top);
    p->below = at;
    memset(p->top, 0, (size_t)n.x * n.z * sizeof(column_top));
    memset(p->below, 0, (size_t)n.x * n.z);
}

/* ---- bytes to words, and along x ---- */

static inline void row_of_air(const pass *p, row_words *row)
{
    for (int c = 0; c < CLASSES; c++) {
        memset(row->raw[c], 0, p->row_bytes);
        memset(row->dilated[c], 0, p->row_bytes);
    }
}

static inline void dilate_row_x(const pass *p, row_words *row)
{
    uint32_t nx = p->build->chunks.x;
    for (int c = 0; c < CLASSES; c++) {
        memset(row->raw[c], 0, 64);
        memset(row->raw[c] + ((size_t)nx + 1) * 8, 0, 64);
        slices left = slices_zero(), mid = slices_load(row->raw[c] + 8);
        for (size_t x = 1; x <= nx; x++) {
            slices right = slices_load(row->raw[c] + x * 8 + 8);
            slices_store(row->dilated[c] + x * 8, slices_dilate_x(left, mid, right));
            left = mid;
            mid = right;
        }
    }
}

/* Row (cy, cz) of chunks of a world of bricks. */
static inline void read_row_bricks(const pass *p, uint32_t cy, uint32_t cz, row_words *row)
{
    vp_dims n = p->build->chunks;
    const uint8_t *brick = p->build->material + ((size_t)cy * n.z + cz) * n.x * VP_CHUNK_VOXELS;
    for (size_t x = 1; x <= n.x; x++, brick += VP_CHUNK_VOXELS)
        for (size_t y = 0; y < 8; y++)
            words_from_slice(brick + y * 64, &row->raw[SOLID][x * 8 + y], &row->raw[WATER][x * 8 + y]);
}

/* Row (cy, cz) of chunks of a world in rows of voxels. */
static inline void read_row_rows(const pass *p, uint32_t cy, uint32_t cz, row_words *row)
{
    vp_dims n = p->build->chunks;
    size_t z_stride = (size_t)n.x * 8, y_stride = z_stride * n.z * 8;
    const uint8_t *corner = p->build->material + cy * 8 * y_stride + cz * 8 * z_stride;
    for (size_t y = 0; y < 8; y++)
        for (size_t x = 1; x <= n.x; x++)
            words_from_rows(corner + y * y_stride + (x - 1) * 8, z_stride, &row->raw[SOLID][x * 8 + y],
                            &row->raw[WATER][x * 8 + y]);
}

/* ---- tags, and the pool ---- */

/* Bit y: the 10 x 10 voxels around slice y are all of this class. The dilation of what is not of the class is empty. */
static inline uint32_t full_slices(const uint64_t *back, const uint64_t *mid, const uint64_t *front)
{
    slices part[3];
    for (int i = 0; i < 3; i++) {
        ptrdiff_t at = (i - 1) * 8;
        part[i] = slices_dilate_z(slices_not(slices_load(back + at)), slices_not(slices_load(mid + at)),
                                  slices_not(slices_load(front + at)));
    }
    return slices_zero_words(slices_dilate_x(part[0], part[1], part[2]));
}

/* full_slices of one class at word `at`; 0 unless slice 0 or 7 of the chunk itself is full, without which neither a tag
   nor a carried flag can come of it. */
static inline uint32_t class_full(const row_words *back, const row_words *mid, const row_words *front, int c, size_t at)
{
    const uint64_t *own = mid->raw[c] + at;
    if (own[0] != UINT64_MAX && own[7] != UINT64_MAX)
        return 0;
    return full_slices(back->raw[c] + at, own, front->raw[c] + at);
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

/* The slice above a chunk has come: finishes it. `patch` is that slice, dilated along x and z; full_above says whether
   the 10 x 10 voxels around it are all solid (bit SOLID) or all water (bit WATER). */
static inline void finish(pass *p, uint32_t *slot, uint32_t below, const uint64_t patch[CLASSES], uint32_t full_above)
{
    if (below & BELOW_STORED) {
        vp_masks *m = &p->build->pool[*slot - p->build->first];
        m->solid[7] |= patch[SOLID];
        m->water[7] |= patch[WATER];
    } else if (below & BELOW_FULL_SOLID) {
        *slot = full_above & 1u << SOLID ? VP_TAG_FULL_SOLID : store_uniform(p, UINT64_MAX, 0, patch);
    } else if (below & BELOW_FULL_WATER) {
        *slot = full_above & 1u << WATER ? VP_TAG_FULL_WATER : store_uniform(p, 0, UINT64_MAX, patch);
    } else {
        *slot = (patch[SOLID] | patch[WATER]) == 0 ? VP_TAG_EMPTY : store_uniform(p, 0, 0, patch);
    }
}

/* Begins a chunk: stores what is known of it, if that is already known to be MIXED. @return its BELOW_ flags */
static inline uint32_t begin_chunk(pass *p, uint32_t *slot, uint32_t below, const column_top *top, const slices d[CLASSES],
                                   const uint32_t full[CLASSES])
{
    if (full[SOLID] == 0xff && (below & TOP_FULL_SOLID))
        return BELOW_FULL_SOLID;
    if (full[WATER] == 0xff && (below & TOP_FULL_WATER))
        return BELOW_FULL_WATER;
    slices solid = slices_dilate_y(top->word[SOLID], d[SOLID], 0);
    slices water = slices_dilate_y(top->word[WATER], d[WATER], 0);
    if (!slices_any(slices_or(solid, water)))
        return 0;
    vp_masks *m = &p->build->pool[p->filled];
    slices_store(m->solid, solid);
    slices_store(m->water, water);
    *slot = p->build->first + p->filled++;
    return BELOW_STORED;
}

/* ---- the pass ---- */

/* Row (cy, cz), whose neighbours in the layer are all there. */
static inline void derive_row(pass *p, uint32_t cy, uint32_t cz, const row_words *back, const row_words *mid,
                              const row_words *front)
{
    const vp_build *b = p->build;
    uint32_t nx = b->chunks.x;
    bool derive_below = cy > b->y_begin, derive = cy >= b->y_begin && cy < b->y_end;
    ptrdiff_t first_slot = (ptrdiff_t)cy * b->slot_stride_y + (ptrdiff_t)cz * b->slot_stride_z;
    for (uint32_t x = 0; x < nx; x++) {
        size_t column = (size_t)cz * nx + x, at = ((size_t)x + 1) * 8;
        uint32_t *slot = b->slot + first_slot + x;
        slices d[CLASSES];
        uint64_t bottom[CLASSES];
        uint32_t full[CLASSES], full_first = 0, flags = 0, below = p->below[column];
        for (int c = 0; c < CLASSES; c++) {
            d[c] = slices_dilate_z(slices_load(back->dilated[c] + at), slices_load(mid->dilated[c] + at),
                                   slices_load(front->dilated[c] + at));
            bottom[c] = slices_first(d[c]);
            full[c] = class_full(back, mid, front, c, at);
            full_first |= (full[c] & 1) << c;
        }
        if (derive_below)
            finish(p, slot - b->slot_stride_y, below, bottom, full_first);
        if (derive)
            flags = begin_chunk(p, slot, below, &p->top[column], d, full);
        flags |= full[SOLID] >> 7 ? TOP_FULL_SOLID : 0;
        flags |= full[WATER] >> 7 ? TOP_FULL_WATER : 0;
        p->below[column] = (uint8_t)flags;
        p->top[column].word[SOLID] = slices_last(d[SOLID]);
        p->top[column].word[WATER] = slices_last(d[WATER]);
    }
}

/* Above the world there is air. */
static inline void finish_top_layer(pass *p)
{
    const vp_build *b = p->build;
    const uint64_t air[CLASSES] = {0, 0};
    for (uint32_t cz = 0; cz < b->chunks.z; cz++)
        for (uint32_t cx = 0; cx < b->chunks.x; cx++) {
            ptrdiff_t at = (ptrdiff_t)(b->y_end - 1) * b->slot_stride_y + (ptrdiff_t)cz * b->slot_stride_z + cx;
            finish(p, b->slot + at, p->below[(size_t)cz * b->chunks.x + cx], air, 0);
        }
}

/* read_row is read_row_bricks or read_row_rows, a constant that the compiler inlines. */
static inline uint32_t dilate_world_pass(const vp_build *build,
                                         void (*read_row)(const pass *, uint32_t, uint32_t, row_words *))
{
    pass state, *p = &state;
    uint32_t ny = build->chunks.y, nz = build->chunks.z;
    if (build->y_begin >= build->y_end)
        return 0;
    pass_begin(p, build);
    /* The layers beside the wanted ones are read too: the one below for what it carries, the one above for its patch. */
    uint32_t from = build->y_begin > 0 ? build->y_begin - 1 : 0, to = build->y_end < ny ? build->y_end + 1 : ny;
    for (uint32_t cy = from; cy < to; cy++) {
        row_of_air(p, &p->ring[2]); /* behind the first row */
        for (uint32_t cz = 0; cz <= nz; cz++) {
            row_words *row = &p->ring[cz % 3];
            if (cz < nz) {
                read_row(p, cy, cz, row);
                dilate_row_x(p, row);
            } else {
                row_of_air(p, row);
            }
            if (cz > 0)
                derive_row(p, cy, cz - 1, &p->ring[(cz + 1) % 3], &p->ring[(cz + 2) % 3], row);
        }
    }
    if (build->y_end == ny)
        finish_top_layer(p);
    return p->filled;
}

/* ---- one chunk of a world of bricks ---- */

/* The raw words of brick (cx, cy, cz): all eight slices, or air outside the world. */
static inline void brick_words(const vp_bricks *world, int64_t cx, int64_t cy, int64_t cz, uint32_t first, uint32_t last,
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
static inline slices dilate_group(uint64_t words[3][3][8])
{
    slices row[3];
    for (int z = 0; z < 3; z++)
        row[z] = slices_dilate_x(slices_load(words[z][0]), slices_load(words[z][1]), slices_load(words[z][2]));
    return slices_dilate_z(row[0], row[1], row[2]);
}

static inline uint32_t group_full(uint64_t words[3][3][8])
{
    return full_slices(words[0][1], words[1][1], words[2][1]);
}

/* The chunk's own layer is one group of 3 x 3 bricks; the slices under and over it are words 0 and 1 of another. */
static inline uint32_t dilate_chunk_bricks(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_masks *out)
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
