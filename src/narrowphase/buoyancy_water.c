/* SPDX-License-Identifier: MIT */
/* Water of columns of voxels, as levels. */
#include <stddef.h>
#include <string.h>

#include "src/narrowphase/buoyancy_shape.h"

static size_t offset_of(const vp_waters *w, int64_t x, int64_t y, int64_t z)
{
    const vp_dims n = w->voxels.chunks;
    const uint32_t at[3] = {(uint32_t)x, (uint32_t)y, (uint32_t)z};
    const size_t brick = ((size_t)(at[1] / VP_CHUNK_EDGE) * n.z + at[2] / VP_CHUNK_EDGE) * n.x + at[0] / VP_CHUNK_EDGE;
    return brick * VP_CHUNK_VOXELS + at[1] % VP_CHUNK_EDGE * 64 + at[2] % VP_CHUNK_EDGE * 8 + at[0] % VP_CHUNK_EDGE;
}

static bool is_water(const vp_waters *w, int64_t x, int64_t y, int64_t z)
{
    return w->voxels.material[offset_of(w, x, y, z)] == VP_WATER;
}

/* Level of a surface in layer y. */
static double surface_of(const vp_waters *w, int64_t x, int64_t y, int64_t z)
{
    return ((double)y + (w->voxels.occupancy[offset_of(w, x, y, z)] + 1) / 256.0) - w->height;
}

uint32_t vp_waters_column(const vp_waters *w, int64_t x, int64_t z, double level[VP_SUBMERGED_LEVELS])
{
    const vp_submerged_range *r = &w->range;
    uint32_t count = 0;
    bool wet = false; /* the voxel below is water */
    if (x < r->low[0] || x >= r->high[0] || z < r->low[2] || z >= r->high[2])
        return 0;
    for (int64_t y = r->low[1]; y < r->high[1];) {
        const int64_t next = (y / VP_CHUNK_EDGE + 1) * VP_CHUNK_EDGE, end = next < r->high[1] ? next : r->high[1];
        const vp_chunk_class tag = vp_waters_tag(w, x / VP_CHUNK_EDGE, y / VP_CHUNK_EDGE, z / VP_CHUNK_EDGE);
        const bool full = tag == VP_CHUNK_FULL_WATER;
        if (tag != VP_CHUNK_MIXED && full == wet)
            y = end; /* nothing begins or ends here */
        for (; y < end; y++) {
            const bool here = is_water(w, x, y, z);
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

/* Whether bytes [from, to) of a row of a brick are all `value`, or, for `equal` false, none of them is. */
static bool is_row(const uint8_t *row, uint32_t from, uint32_t to, uint8_t value, bool equal)
{
    static const uint8_t window[24] = {0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0};
    const uint64_t ones = UINT64_C(0x0101010101010101), low = ones * 0x7f;
    uint64_t bytes, begin, end;
    memcpy(&bytes, row, sizeof bytes);
    memcpy(&begin, &window[8 - from], sizeof begin);
    memcpy(&end, &window[16 - to], sizeof end);
    bytes ^= ones * value;
    if (equal)
        return (bytes & begin & end) == 0;
    return (~(((bytes & low) + low) | bytes | low) & begin & end) == 0; /* no byte is 0 */
}

/* Whether the voxels of a layer all have the byte `value`, or none of them has. */
static bool is_layer(const vp_waters *w, const vp_submerged_range *under, int64_t y, const uint8_t *bytes, uint8_t value, bool equal)
{
    for (int64_t x = under->low[0]; x < under->high[0];) {
        const int64_t brick = x / VP_CHUNK_EDGE * VP_CHUNK_EDGE, next = brick + VP_CHUNK_EDGE,
                      end = next < under->high[0] ? next : under->high[0];
        for (int64_t z = under->low[2]; z < under->high[2]; z++)
            if (!is_row(&bytes[offset_of(w, brick, y, z)], (uint32_t)(x - brick), (uint32_t)(end - brick), value, equal))
                return false;
        x = end;
    }
    return true;
}

bool vp_waters_are_one(const vp_waters *w, const vp_submerged_range *under, double level[VP_SUBMERGED_LEVELS], uint32_t *count)
{
    const int64_t x = under->low[0], z = under->low[2];
    bool wet = false, covered = true;
    *count = 0;
    for (int i = 0; i < 3; i++) {
        if (w->range.low[i] >= w->range.high[i])
            return true; /* no column is in the range */
        covered = covered && (i == 1 || (w->range.low[i] == under->low[i] && w->range.high[i] == under->high[i]));
    }
    for (int64_t y = w->range.low[1]; y <= w->range.high[1] && covered; y++) {
        const bool above = y == w->range.high[1]; /* decides how full the last layer is */
        const bool here = y < (int64_t)w->top && is_water(w, x, y, z);
        if (above && !wet)
            break;
        if (y < (int64_t)w->top && !is_layer(w, under, y, w->voxels.material, VP_WATER, here))
            return false;
        if (here != wet || above)
            level[(*count)++] = here ? (double)y - w->height : surface_of(w, x, y - 1, z);
        if (wet && !here && !is_layer(w, under, y - 1, w->voxels.occupancy, w->voxels.occupancy[offset_of(w, x, y - 1, z)], true))
            return false;
        wet = here;
    }
    return covered;
}
