/* SPDX-License-Identifier: MIT */
/* Worlds of blocks in one plain array, for brute force. Views are built from it. */
#ifndef VP_TESTS_BLOCKS_WORLDS_H
#define VP_TESTS_BLOCKS_WORLDS_H

#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/block_shapes.h>

#include "datasets/random.h"

enum { STONE = 1, EARTH, GLASS, WATER, GRASS, LAVA, TYPES };
static const vp_block_type types[TYPES] = {{0, 0},
                                           {VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE, 0x808080},
                                           {VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE, 0x604020},
                                           {VP_BLOCK_COLLIDES, 0xf0f0ff},
                                           {VP_BLOCK_FLUID, 0x2040ff},
                                           {0, 0x20ff20},
                                           {VP_BLOCK_FLUID | VP_BLOCK_OPAQUE, 0xff4000}};

typedef enum world_kind { RANDOM, SPARSE, DENSE, CHECKERED, FULL, EMPTY, SLABS, HILLS, WORLD_KINDS } world_kind;

typedef struct world {
    vp_ivec3 low; /* first chunk */
    vp_dims size; /* number of chunks */
    vp_block *block;
    uint8_t *bytes; /* cells of chunks stored as bytes */
    vp_block *words;
    vp_block_cells *chunk;
    vp_block_view view;
} world;

static inline int32_t extent(const world *w, int axis)
{
    return VP_BLOCK_EDGE * (int32_t)(axis == 0 ? w->size.x : axis == 1 ? w->size.y : w->size.z);
}

static inline int32_t lowest(const world *w, int axis)
{
    return VP_BLOCK_EDGE * (axis == 0 ? w->low.x : axis == 1 ? w->low.y : w->low.z);
}

/* The block at a place in the world, 0 outside. */
static inline vp_block block_at(const world *w, int32_t x, int32_t y, int32_t z)
{
    x -= lowest(w, 0), y -= lowest(w, 1), z -= lowest(w, 2);
    if (x < 0 || y < 0 || z < 0 || x >= extent(w, 0) || y >= extent(w, 1) || z >= extent(w, 2))
        return 0;
    return w->block[((size_t)y * (size_t)extent(w, 2) + (size_t)z) * (size_t)extent(w, 0) + (size_t)x];
}

static inline vp_block block_of(vp_random *r, world_kind kind, int32_t x, int32_t y, int32_t z)
{
    switch (kind) {
    case RANDOM:
        return (vp_block)vp_random_below(r, TYPES);
    case SPARSE:
        return vp_random_below(r, 40) == 0 ? (vp_block)(1 + vp_random_below(r, TYPES - 1)) : 0;
    case DENSE:
        return vp_random_below(r, 40) != 0 ? STONE : (vp_block)vp_random_below(r, TYPES);
    case CHECKERED:
        return (x + y + z) % 2 == 0 ? STONE : 0;
    case FULL:
        return STONE;
    case SLABS:
        return y / 3 % 2 == 0 ? (x / 5 % 3 == 0 ? GLASS : EARTH) : z / 4 % 5 == 0 ? WATER : 0;
    case HILLS: {
        const int32_t height = 8 + (x < 16 ? x / 2 : (32 - x) / 2) + z / 8 + (x * 7 + z * 3) % 29 / 27;
        return y < height ? (y < height - 3 ? STONE : EARTH) : y < 14 ? WATER : y == height && (x ^ z) % 7 == 0 ? GRASS : 0;
    }
    default:
        return 0;
    }
}

/* Copies the blocks into chunks: uniform, of bytes, and of words. */
static inline void world_lay(world *w)
{
    const size_t chunks = (size_t)w->size.x * w->size.y * w->size.z;
    for (size_t c = 0; c < chunks; c++) {
        const int32_t cx = lowest(w, 0) + VP_BLOCK_EDGE * (int32_t)(c % w->size.x);
        const int32_t cz = lowest(w, 2) + VP_BLOCK_EDGE * (int32_t)(c / w->size.x % w->size.z);
        const int32_t cy = lowest(w, 1) + VP_BLOCK_EDGE * (int32_t)(c / w->size.x / w->size.z);
        vp_block *words = w->words + c * VP_BLOCK_CELLS;
        uint8_t *bytes = w->bytes + c * VP_BLOCK_CELLS;
        bool alike = true;
        for (int32_t i = 0; i < VP_BLOCK_CELLS; i++) {
            words[i] = block_at(w, cx + i % 32, cy + i / 1024, cz + i / 32 % 32);
            bytes[i] = (uint8_t)words[i];
            alike = alike && words[i] == words[0];
        }
        w->chunk[c] = alike        ? (vp_block_cells){NULL, 0, words[0]}
                      : c % 2 == 0 ? (vp_block_cells){words, 2, 0}
                                   : (vp_block_cells){bytes, 1, 0};
    }
    w->view = (vp_block_view){w->chunk, w->low, w->size, types, TYPES};
}

static inline void world_begin(world *w, vp_random *r, world_kind kind, vp_ivec3 low, vp_dims size)
{
    const size_t chunks = (size_t)size.x * size.y * size.z, blocks = chunks * VP_BLOCK_CELLS;
    *w = (world){.low = low, .size = size};
    w->block = malloc(blocks * sizeof *w->block);
    w->words = malloc(blocks * sizeof *w->words);
    w->bytes = malloc(blocks);
    w->chunk = malloc(chunks * sizeof *w->chunk);
    assert_true(w->block != NULL && w->words != NULL && w->bytes != NULL && w->chunk != NULL);
    size_t i = 0;
    for (int32_t y = 0; y < extent(w, 1); y++)
        for (int32_t z = 0; z < extent(w, 2); z++)
            for (int32_t x = 0; x < extent(w, 0); x++)
                w->block[i++] = block_of(r, kind, x, y, z);
    world_lay(w);
}

static inline void world_end(world *w)
{
    free(w->block);
    free(w->words);
    free(w->bytes);
    free(w->chunk);
}

static inline bool has(vp_block block, uint32_t bits)
{
    return (types[block].flags & bits) != 0;
}

/* Whether a box at centre +- half in binary32 overlaps a colliding block, beyond touching it. */
static inline bool is_in_blocks(const world *w, vp_vec3 c, vp_vec3 h)
{
    const float low[3] = {c.x - h.x, c.y - h.y, c.z - h.z}, high[3] = {c.x + h.x, c.y + h.y, c.z + h.z};
    int32_t from[3], to[3];
    for (int a = 0; a < 3; a++) {
        from[a] = (int32_t)fmaxf(floorf(low[a]), (float)lowest(w, a));
        to[a] = (int32_t)fminf(ceilf(high[a]), (float)(lowest(w, a) + extent(w, a))) - 1;
    }
    for (int32_t y = from[1]; y <= to[1]; y++)
        for (int32_t z = from[2]; z <= to[2]; z++)
            for (int32_t x = from[0]; x <= to[0]; x++)
                if (has(block_at(w, x, y, z), VP_BLOCK_COLLIDES))
                    return true;
    return false;
}

static inline float get(vp_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

#endif
