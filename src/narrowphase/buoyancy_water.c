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

static inline uint64_t row_of(const uint8_t *at)
{
    uint64_t row;
    memcpy(&row, at, sizeof row);
    return row;
}

/* Whether columns of a chunk have the water of column `first` in layers [low, end), and the occupancies of its surfaces. `at` is the first
 * of `rows`, and `columns` masks their bytes. Eight voxels are compared at once. */
static bool is_like(const vp_waters *w, int64_t end, size_t first, size_t at, size_t rows, uint64_t columns)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = ones * 0x7f, water = ones * VP_WATER;
    const uint8_t *material = w->voxels->material, *occupancy = w->voxels->occupancy;
    size_t layer = layer_of(w, w->range.low[1]), next;
    uint64_t wrong = 0;
    bool wet = material[first + layer] == VP_WATER, above;
    for (int64_t y = w->range.low[1]; y < end; y++, wet = above, layer = next) {
        next = next_layer_of(w, y, layer);
        above = y + 1 < (int64_t)w->top && material[first + next] == VP_WATER;
        for (size_t i = 0; i < rows; i++) {
            const uint64_t row = row_of(&material[at + layer + i * 8]) ^ water;
            wrong |= wet ? row : ~(((row & low) + low) | row | low); /* a difference, or a byte that is 0 */
        }
        for (size_t i = 0; i < rows && wet && !above && y < w->range.high[1]; i++)
            wrong |= row_of(&occupancy[at + layer + i * 8]) ^ ones * occupancy[first + layer];
    }
    return (wrong & columns) == 0;
}

bool vp_waters_are_one(const vp_waters *w, const vp_submerged_range *under, double level[VP_SUBMERGED_LEVELS], uint32_t *count)
{
    static const uint8_t window[24] = {0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0};
    const vp_submerged_range *r = &w->range;
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
    const bool wet = w->voxels->material[first + layer_of(w, r->high[1] - 1)] == VP_WATER;
    const int64_t end = r->high[1] + (wet && r->high[1] < (int64_t)w->top); /* the layer above decides how full the last one is */
    for (int64_t z = r->low[2], z_end; z < r->high[2] && one; z = z_end) {
        z_end = (z | (VP_CHUNK_EDGE - 1)) + 1;
        z_end = z_end < r->high[2] ? z_end : r->high[2];
        for (int64_t x = r->low[0], x_end; x < r->high[0] && one; x = x_end) {
            const int64_t brick = x & -VP_CHUNK_EDGE;
            x_end = brick + VP_CHUNK_EDGE < r->high[0] ? brick + VP_CHUNK_EDGE : r->high[0];
            const uint64_t columns = row_of(&window[8 - (x - brick)]) & row_of(&window[16 - (x_end - brick)]);
            one = is_like(w, end, first, column_of(w, brick, z), (size_t)(z_end - z), columns);
        }
    }
    if (one)
        *count = vp_waters_column(w, r->low[0], r->low[2], level);
    return one;
}
