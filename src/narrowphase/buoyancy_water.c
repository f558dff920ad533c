/* SPDX-License-Identifier: MIT */
/* Water of columns of voxels, as levels. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "src/narrowphase/buoyancy_shape.h"

/* Offset of a column's lowest voxel, and of a layer from there. */
static inline size_t column_of(const vp_waters *w, int64_t x, int64_t z)
{
    const size_t to[2] = {(size_t)x, (size_t)z};
    const size_t brick = to[1] / VP_CHUNK_EDGE * w->voxels->chunks.x + to[0] / VP_CHUNK_EDGE;
    return brick * VP_CHUNK_VOXELS + to[1] % VP_CHUNK_EDGE * 8 + to[0] % VP_CHUNK_EDGE;
}

static inline size_t layer_of(const vp_waters *w, int64_t y)
{
    const size_t to = (size_t)y, bricks = (size_t)w->voxels->chunks.x * w->voxels->chunks.z;
    return to / VP_CHUNK_EDGE * (bricks * VP_CHUNK_VOXELS) + to % VP_CHUNK_EDGE * 64;
}

/* Offset of layer y + 1. `layer` is that of y. */
static inline size_t next_layer_of(const vp_waters *w, int64_t y, size_t layer)
{
    return (y + 1) % VP_CHUNK_EDGE != 0 ? layer + 64 : layer_of(w, y + 1);
}

static inline size_t offset_of(const vp_waters *w, int64_t x, int64_t y, int64_t z)
{
    return column_of(w, x, z) + layer_of(w, y);
}

static bool is_water(const vp_waters *w, int64_t x, int64_t y, int64_t z)
{
    return w->voxels->material[offset_of(w, x, y, z)] == VP_WATER;
}

/* Level of a surface in layer y. */
static double surface_of(const vp_waters *w, int64_t x, int64_t y, int64_t z)
{
    return ((double)y + (w->voxels->occupancy[offset_of(w, x, y, z)] + 1) / 256.0) - w->height;
}

uint32_t vp_waters_column(const vp_waters *w, int64_t x, int64_t z, double level[VP_SUBMERGED_LEVELS])
{
    const vp_submerged_range *r = &w->range;
    uint32_t count = 0;
    bool wet = false; /* the voxel below is water */
    if (x < r->low[0] || x >= r->high[0] || z < r->low[2] || z >= r->high[2])
        return 0;
    const size_t column = column_of(w, x, z);
    for (int64_t y = r->low[1]; y < r->high[1];) {
        const int64_t next = (y / VP_CHUNK_EDGE + 1) * VP_CHUNK_EDGE, end = next < r->high[1] ? next : r->high[1];
        const vp_chunk_class tag = vp_waters_tag(w, x / VP_CHUNK_EDGE, y / VP_CHUNK_EDGE, z / VP_CHUNK_EDGE);
        const bool full = tag == VP_CHUNK_FULL_WATER;
        if (tag != VP_CHUNK_MIXED && full == wet)
            y = end; /* nothing begins or ends here */
        for (const uint8_t *at = &w->voxels->material[column + layer_of(w, y)]; y < end; y++, at += 64) {
            const bool here = *at == VP_WATER;
            if (here != wet)
                level[count++] = here ? (double)y - w->height : surface_of(w, x, y - 1, z);
            wet = here;
        }
    }
    if (wet) { /* the voxel above the range decides how full the last one is */
        const bool above = r->high[1] < (int64_t)w->top && is_water(w, x, r->high[1], z);
        level[count++] = above ? (double)r->high[1] - w->height : surface_of(w, x, r->high[1] - 1, z);
    }
    return count;
}

/* ---- one water ---- */

/* The layers of a column in a range, and the layer above it if that decides how full the last one is. */
typedef struct layers {
    uint32_t count, surfaces;
    size_t at[VP_SUBMERGED_LEVELS];         /* offset from the column's lowest voxel */
    uint64_t material[VP_SUBMERGED_LEVELS]; /* eight times */
    size_t surface[VP_SUBMERGED_LEVELS];    /* likewise an offset, of water without water above */
} layers;

static const uint64_t ones = UINT64_C(0x0101010101010101);

/* Reads the first column of a range. @return the number of levels, as vp_waters_column */
static uint32_t read_layers(const vp_waters *w, layers *out, double level[VP_SUBMERGED_LEVELS])
{
    const vp_submerged_range *r = &w->range;
    const size_t column = column_of(w, r->low[0], r->low[2]);
    const uint8_t *material = &w->voxels->material[column], *occupancy = &w->voxels->occupancy[column];
    uint32_t count = 0, layer = 0;
    size_t at = layer_of(w, r->low[1]), below = at;
    bool wet = false; /* the voxel below is water */
    out->surfaces = 0;
    for (int64_t y = r->low[1]; y < r->high[1] + wet; y++, layer++) {
        const uint8_t here = y < (int64_t)w->top ? material[at] : VP_AIR;
        out->at[layer] = at;
        out->material[layer] = ones * here;
        if ((here == VP_WATER) != wet || y == r->high[1]) {
            const bool ends = wet && here != VP_WATER;
            level[count++] = (ends ? (double)(y - 1) + (occupancy[below] + 1) / 256.0 : (double)y) - w->height;
            out->surface[out->surfaces] = below;
            out->surfaces += ends;
        }
        wet = here == VP_WATER;
        below = at;
        at = next_layer_of(w, y, at);
    }
    out->count = layer - (r->low[1] + layer > (int64_t)w->top); /* above the world is no water */
    return count;
}

static inline uint64_t row_of(const uint8_t *at)
{
    uint64_t row;
    memcpy(&row, at, sizeof row);
    return row;
}

/* Whether columns of a chunk have the water of column `first`, and the occupancies of its surfaces. `at` is the first of `rows`, and
 * `columns` masks their bytes. Eight voxels are compared at once. */
static bool is_like(const vp_waters *w, const layers *all, size_t first, size_t at, size_t rows, uint64_t columns)
{
    const uint64_t low = ones * 0x7f, water = ones * VP_WATER;
    const uint8_t *material = &w->voxels->material[at], *occupancy = w->voxels->occupancy;
    uint64_t other = 0, wrong = 0;
    for (uint32_t k = 0; k < all->count; k++)
        for (size_t i = 0; i < rows; i++)
            other |= row_of(&material[all->at[k] + i * 8]) ^ all->material[k];
    for (uint32_t k = 0; k < all->count && (other & columns) != 0; k++)
        for (size_t i = 0; i < rows; i++) {
            const uint64_t row = row_of(&material[all->at[k] + i * 8]) ^ water;
            wrong |= all->material[k] == water ? row : ~(((row & low) + low) | row | low); /* a difference, or a byte that is 0 */
        }
    for (uint32_t k = 0; k < all->surfaces; k++)
        for (size_t i = 0; i < rows; i++)
            wrong |= row_of(&occupancy[at + all->surface[k] + i * 8]) ^ ones * occupancy[first + all->surface[k]];
    return (wrong & columns) == 0;
}

bool vp_waters_are_one(const vp_waters *w, const vp_submerged_range *under, double level[VP_SUBMERGED_LEVELS], uint32_t *count)
{
    static const uint8_t window[24] = {0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0};
    const vp_submerged_range *r = &w->range;
    layers all;
    bool one = true;
    *count = 0;
    for (int i = 0; i < 3; i++) {
        if (r->low[i] >= r->high[i])
            return true; /* no column is in the range */
        one = one && (i == 1 || (r->low[i] == under->low[i] && r->high[i] == under->high[i]));
    }
    if (!one)
        return false;
    const size_t first = column_of(w, r->low[0], r->low[2]);
    *count = read_layers(w, &all, level);
    for (int64_t z = r->low[2], z_end; z < r->high[2] && one; z = z_end) {
        z_end = (z | (VP_CHUNK_EDGE - 1)) + 1;
        z_end = z_end < r->high[2] ? z_end : r->high[2];
        for (int64_t x = r->low[0], x_end; x < r->high[0] && one; x = x_end) {
            const int64_t brick = x & -VP_CHUNK_EDGE;
            x_end = brick + VP_CHUNK_EDGE < r->high[0] ? brick + VP_CHUNK_EDGE : r->high[0];
            const uint64_t columns = row_of(&window[8 - (x - brick)]) & row_of(&window[16 - (x_end - brick)]);
            one = is_like(w, &all, first, column_of(w, brick, z), (size_t)(z_end - z), columns);
        }
    }
    return one;
}
