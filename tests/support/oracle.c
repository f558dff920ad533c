/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle.h"

#include <stdlib.h>
#include <string.h>

static size_t at(const oracle *o, int x, int y, int z)
{
    return ((size_t)y * o->size.z + (size_t)z) * o->size.x + (size_t)x;
}

static bool inside(const oracle *o, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < (int)o->size.x && y < (int)o->size.y && z < (int)o->size.z;
}

/* 1 = solid, 2 = water, 0 = air or outside. */
static uint8_t kind(const oracle *o, int x, int y, int z)
{
    if (!inside(o, x, y, z))
        return 0;
    uint8_t material = o->voxel[at(o, x, y, z)].material;
    return material == 0 ? 0 : material == 1 ? VP_TOUCH_WATER : VP_TOUCH_SOLID;
}

oracle oracle_make(const vp_world *world, bool near)
{
    oracle o = {vp_world_size(world), vp_world_chunks(world), NULL, NULL};
    size_t count = (size_t)o.size.x * o.size.y * o.size.z;
    o.voxel = malloc(count * sizeof *o.voxel);
    o.near = calloc(count, 1);
    if (o.voxel == NULL || o.near == NULL)
        abort();
    int sx = (int)o.size.x, sy = (int)o.size.y, sz = (int)o.size.z;
    for (int y = 0; y < sy; y++)
        for (int z = 0; z < sz; z++)
            for (int x = 0; x < sx; x++)
                o.voxel[at(&o, x, y, z)] = vp_world_voxel(world, (vp_ivec3){x, y, z});
    for (int y = 0; near && y < sy; y++)
        for (int z = 0; z < sz; z++)
            for (int x = 0; x < sx; x++)
                for (int n = 0; n < 27; n++)
                    o.near[at(&o, x, y, z)] |= kind(&o, x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1);
    return o;
}

void oracle_free(oracle *o)
{
    free(o->voxel);
    free(o->near);
    memset(o, 0, sizeof *o);
}

static uint32_t chunk_number(const oracle *o, int cx, int cy, int cz)
{
    return ((uint32_t)cy * o->chunks.z + (uint32_t)cz) * o->chunks.x + (uint32_t)cx;
}

uint32_t oracle_chunk_count(const oracle *o)
{
    return o->chunks.x * o->chunks.y * o->chunks.z;
}

vp_ivec3 oracle_chunk_at(const oracle *o, uint32_t number)
{
    uint32_t row = number / o->chunks.x;
    return (vp_ivec3){(int32_t)(number % o->chunks.x), (int32_t)(row / o->chunks.z), (int32_t)(row % o->chunks.z)};
}

vp_chunk_class oracle_tag(const oracle *o, vp_ivec3 chunk)
{
    int count[3] = {0, 0, 0};
    for (int n = 0; n < 1000; n++)
        count[kind(o, chunk.x * 8 + n % 10 - 1, chunk.y * 8 + n / 10 % 10 - 1, chunk.z * 8 + n / 100 - 1)]++;
    if (count[0] == 1000)
        return VP_CHUNK_EMPTY;
    if (count[VP_TOUCH_SOLID] == 1000)
        return VP_CHUNK_FULL_SOLID;
    return count[VP_TOUCH_WATER] == 1000 ? VP_CHUNK_FULL_WATER : VP_CHUNK_MIXED;
}

vp_chunk_masks oracle_masks(const oracle *o, vp_ivec3 chunk)
{
    vp_chunk_masks m;
    memset(&m, 0, sizeof m);
    for (int y = 0; y < 8; y++)
        for (int z = 0; z < 8; z++)
            for (int x = 0; x < 8; x++) {
                uint8_t near = o->near[at(o, chunk.x * 8 + x, chunk.y * 8 + y, chunk.z * 8 + z)];
                if (near & VP_TOUCH_SOLID)
                    m.solid[y] |= UINT64_C(1) << (z * 8 + x);
                if (near & VP_TOUCH_WATER)
                    m.water[y] |= UINT64_C(1) << (z * 8 + x);
            }
    return m;
}

/* Whether the closed interval [min, max] intersects voxel i, [i, i + 1). */
static bool meets(float min, float max, int i)
{
    return (double)min < (double)i + 1 && (double)max >= (double)i;
}

/* The grown interval covers a voxel if the interval intersects it or one of its neighbours. */
static void cover(float min, float max, uint32_t size, bool *covered)
{
    for (int i = 0; i < (int)size; i++)
        covered[i] = meets(min, max, i - 1) || meets(min, max, i) || meets(min, max, i + 1);
}

uint32_t oracle_overlap(const oracle *o, const vp_aabb *box, uint8_t *chunk)
{
    bool x_in[VP_WORLD_MAX_XZ], y_in[VP_WORLD_MAX_Y], z_in[VP_WORLD_MAX_XZ];
    if (chunk != NULL)
        memset(chunk, 0, oracle_chunk_count(o));
    if (!(box->min.x <= box->max.x) || !(box->min.y <= box->max.y) || !(box->min.z <= box->max.z))
        return VP_TOUCH_INVALID;
    cover(box->min.x, box->max.x, o->size.x, x_in);
    cover(box->min.y, box->max.y, o->size.y, y_in);
    cover(box->min.z, box->max.z, o->size.z, z_in);
    uint32_t touch = 0;
    for (int y = 0; y < (int)o->size.y; y++)
        for (int z = 0; z < (int)o->size.z; z++)
            for (int x = 0; y_in[y] && z_in[z] && x < (int)o->size.x; x++) {
                if (!x_in[x])
                    continue;
                uint8_t near = o->near[at(o, x, y, z)];
                touch |= near;
                if (chunk != NULL)
                    chunk[chunk_number(o, x / 8, y / 8, z / 8)] |= near;
            }
    return touch;
}

static bool same_voxel(vp_voxel a, vp_voxel b)
{
    return a.material == b.material && a.occupancy == b.occupancy;
}

void oracle_stale(const oracle *before, const oracle *after, bool *stale)
{
    for (uint32_t c = 0; c < oracle_chunk_count(before); c++) {
        vp_ivec3 chunk = oracle_chunk_at(before, c);
        stale[c] = false;
        for (int n = 0; n < 1000 && !stale[c]; n++) {
            int x = chunk.x * 8 + n % 10 - 1, y = chunk.y * 8 + n / 10 % 10 - 1, z = chunk.z * 8 + n / 100 - 1;
            if (!inside(before, x, y, z))
                continue;
            vp_voxel a = before->voxel[at(before, x, y, z)], b = after->voxel[at(after, x, y, z)];
            stale[c] = !same_voxel(a, b);
        }
    }
}

void oracle_layers(const oracle *before, const oracle *after, uint32_t *changed)
{
    const int sx = (int)before->size.x, sy = (int)before->size.y, sz = (int)before->size.z;
    for (int y = 0; y < sy; y++)
        for (int z = 0; z < sz; z++)
            for (int x = 0; x < sx; x++)
                if (!same_voxel(before->voxel[at(before, x, y, z)], after->voxel[at(after, x, y, z)]))
                    changed[chunk_number(before, x / 8, y / 8, z / 8)] |= 1u << x % 8 | 256u << y % 8 | 65536u << z % 8;
}

/* Whether voxel v, [v, v + 1), is within `grow` of [low, high]. */
static bool within_reach(int v, float low, float high, long double grow)
{
    return v - grow <= high && v + 1 + grow > low;
}

bool oracle_meets(const oracle *o, const vp_aabb *box, float margin, const uint32_t *changed)
{
    const long double grow = 2 + (long double)margin;
    for (uint32_t c = 0; c < oracle_chunk_count(o); c++) {
        const vp_ivec3 chunk = oracle_chunk_at(o, c);
        bool x = false, y = false, z = false;
        for (int i = 0; i < 8; i++) {
            x = x || (within_reach(chunk.x * 8 + i, box->min.x, box->max.x, grow) && (changed[c] >> i & 1) != 0);
            y = y || (within_reach(chunk.y * 8 + i, box->min.y, box->max.y, grow) && (changed[c] >> (8 + i) & 1) != 0);
            z = z || (within_reach(chunk.z * 8 + i, box->min.z, box->max.z, grow) && (changed[c] >> (16 + i) & 1) != 0);
        }
        if (x && y && z)
            return true;
    }
    return false;
}
