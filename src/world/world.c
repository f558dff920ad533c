/* SPDX-License-Identifier: MIT */
/* Terrain voxels (voxel terrain article, "voxel data definition and storage"): material and occupancy bytes in two
   arrays of bricks. This file creates and reads worlds, and edit.c changes them. */
#include "src/world/world_internal.h"

#include "src/core/error.h"
#include "src/core/memory.h"

#include <string.h>

/* ---- worlds ---- */

static bool is_size_allowed(uint32_t size, uint32_t limit)
{
    return size >= VP_CHUNK_EDGE && size <= limit && size % VP_CHUNK_EDGE == 0;
}

bool vp_world_size_allowed(vp_dims size)
{
    return is_size_allowed(size.x, VP_WORLD_MAX_XZ) && is_size_allowed(size.y, VP_WORLD_MAX_Y) && is_size_allowed(size.z, VP_WORLD_MAX_XZ);
}

vp_status vp_world_create(const vp_world_def *def, vp_world **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    vp_dims s = def->size;
    if (!vp_world_size_allowed(s))
        return vp_fail(error, VP_E_ARGUMENT, "world size %u x %u x %u: each must be a multiple of 8, at least 8, at most %d x %d x %d", s.x,
                       s.y, s.z, VP_WORLD_MAX_XZ, VP_WORLD_MAX_Y, VP_WORLD_MAX_XZ);

    vp_allocator allocator = vp_allocator_or_default(def->allocator);
    size_t voxels = (size_t)s.x * s.y * s.z;
    vp_world *world = vp_allocate_zero(&allocator, 1, sizeof *world);
    if (world != NULL) {
        world->size = s;
        world->chunks = (vp_dims){s.x / VP_CHUNK_EDGE, s.y / VP_CHUNK_EDGE, s.z / VP_CHUNK_EDGE};
        world->allocator = allocator;
        world->material = vp_allocate_zero(&allocator, voxels, 1);
        world->occupancy = vp_allocate_zero(&allocator, voxels, 1);
    }
    if (world == NULL || world->material == NULL || world->occupancy == NULL) {
        vp_world_destroy(world);
        return vp_fail(error, VP_E_MEMORY, "no memory for a world of %u x %u x %u voxels", s.x, s.y, s.z);
    }
    *out = world;
    return vp_succeed(error);
}

void vp_world_destroy(vp_world *world)
{
    if (world == NULL)
        return;
    vp_allocator allocator = world->allocator;
    size_t voxels = (size_t)world->size.x * world->size.y * world->size.z;
    vp_release(&allocator, world->material, voxels, 1);
    vp_release(&allocator, world->occupancy, voxels, 1);
    vp_release(&allocator, world, 1, sizeof *world);
}

vp_dims vp_world_size(const vp_world *world)
{
    return world->size;
}

vp_dims vp_world_chunks(const vp_world *world)
{
    return world->chunks;
}

vp_bricks vp_world_bricks(const vp_world *world)
{
    return (vp_bricks){world->material, world->chunks};
}

const uint8_t *vp_world_occupancy(const vp_world *world)
{
    return world->occupancy;
}

vp_voxels vp_world_voxels(const vp_world *world)
{
    return (vp_voxels){world->material, world->occupancy, world->chunks};
}

vp_voxel vp_world_voxel(const vp_world *world, vp_ivec3 at)
{
    return vp_world_read(world, at);
}

vp_status vp_world_read_rows(const vp_world *world, vp_ivec3 low, vp_dims size, uint8_t *material, uint8_t *occupancy, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world);
    VP_RETURN_IF_FAILED(vp_check_rows(low, size, error));
    if (size.x == 0 || size.y == 0 || size.z == 0 || (material == NULL && occupancy == NULL))
        return vp_succeed(error); /* no voxels to copy, however large the other extents */
    size_t i = 0;
    for (uint32_t y = 0; y < size.y; y++)
        for (uint32_t z = 0; z < size.z; z++)
            for (uint32_t x = 0; x < size.x; x++, i++) {
                vp_ivec3 at = {low.x + (int32_t)x, low.y + (int32_t)y, low.z + (int32_t)z};
                vp_voxel v = vp_world_voxel(world, at);
                if (material != NULL)
                    material[i] = v.material;
                if (occupancy != NULL)
                    occupancy[i] = v.occupancy;
            }
    return vp_succeed(error);
}

vp_status vp_world_neighbourhood(const vp_world *world, vp_ivec3 chunk, uint8_t material[VP_NEIGHBOURHOOD_VOXELS], vp_error *error)
{
    VP_RETURN_IF_NULL(error, world, material);
    if (!vp_voxel_inside(world->chunks, chunk))
        return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) is outside a world of %u x %u x %u chunks", chunk.x, chunk.y, chunk.z,
                       world->chunks.x, world->chunks.y, world->chunks.z);
    vp_ivec3 low = {chunk.x * 8 - 1, chunk.y * 8 - 1, chunk.z * 8 - 1};
    vp_dims ten = {VP_NEIGHBOURHOOD_EDGE, VP_NEIGHBOURHOOD_EDGE, VP_NEIGHBOURHOOD_EDGE};
    return vp_world_read_rows(world, low, ten, material, NULL, error);
}

vp_status vp_check_rows(vp_ivec3 low, vp_dims size, vp_error *error)
{
    const int32_t lows[3] = {low.x, low.y, low.z};
    const uint32_t sizes[3] = {size.x, size.y, size.z};
    for (int axis = 0; axis < 3; axis++)
        if (sizes[axis] > INT32_MAX || (int64_t)lows[axis] + sizes[axis] > INT32_MAX)
            return vp_fail(error, VP_E_ARGUMENT, "rows from %d of size %u on axis %c end beyond 32 bits", lows[axis], sizes[axis],
                           "xyz"[axis]);
    return VP_OK;
}

/* ---- sets of chunks ---- */

static size_t set_words(vp_dims chunks)
{
    return (vp_chunk_count(chunks) + 63) / 64;
}

size_t vp_chunk_set_bytes(vp_dims chunks)
{
    return set_words(chunks) * sizeof(uint64_t) + vp_chunk_count(chunks) * sizeof(uint32_t);
}

vp_status vp_chunk_set_create(vp_dims chunks, const vp_allocator *allocator, vp_chunk_set *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, out);
    if (chunks.x > VP_WORLD_MAX_XZ / 8 || chunks.y > VP_WORLD_MAX_Y / 8 || chunks.z > VP_WORLD_MAX_XZ / 8 || vp_chunk_count(chunks) == 0)
        return vp_fail(error, VP_E_ARGUMENT, "no world has %u x %u x %u chunks", chunks.x, chunks.y, chunks.z);
    vp_chunk_set set = {.chunks = chunks, .allocator = vp_allocator_or_default(allocator)};
    set.word = vp_allocate_zero(&set.allocator, vp_chunk_set_bytes(chunks), 1); /* both arrays */
    if (set.word == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a set of %u x %u x %u chunks", chunks.x, chunks.y, chunks.z);
    set.changed = (uint32_t *)(set.word + set_words(chunks));
    *out = set;
    return vp_succeed(error);
}

void vp_chunk_set_destroy(vp_chunk_set *set)
{
    if (set == NULL)
        return;
    vp_release(&set->allocator, set->word, vp_chunk_set_bytes(set->chunks), 1);
    *set = (vp_chunk_set){0};
}

void vp_chunk_set_clear(vp_chunk_set *set)
{
    const size_t chunks = vp_chunk_count(set->chunks);
    for (size_t w = 0; w < set_words(set->chunks); w++) {
        if (set->word[w] == 0)
            continue;
        const size_t rest = chunks - w * 64;
        memset(set->changed + w * 64, 0, (rest < 64 ? rest : 64) * sizeof *set->changed);
        set->word[w] = 0;
    }
}

void vp_chunk_set_move(vp_chunk_set *from, uint32_t first, uint32_t last, vp_chunk_set *to)
{
    for (uint32_t c = vp_chunk_set_next_until(from, first, last); c != UINT32_MAX; c = vp_chunk_set_next_until(from, c + 1, last)) {
        if (to != NULL)
            vp_chunk_set_add(to, c, from->changed[c]);
        from->changed[c] = 0;
        from->word[c / 64] &= ~(UINT64_C(1) << c % 64);
    }
}

bool vp_chunk_set_has(const vp_chunk_set *set, uint32_t chunk)
{
    return chunk < vp_chunk_count(set->chunks) && (set->word[chunk / 64] >> (chunk % 64) & 1) != 0;
}

uint32_t vp_chunk_set_count(const vp_chunk_set *set)
{
    uint32_t count = 0;
    for (uint32_t c = vp_chunk_set_next(set, 0); c != UINT32_MAX; c = vp_chunk_set_next(set, c + 1))
        count++;
    return count;
}

uint32_t vp_chunk_set_next_until(const vp_chunk_set *set, uint32_t from, uint32_t last)
{
    const size_t end = last / 64;
    for (size_t w = from / 64; w <= end; w++) {
        uint64_t rest = set->word[w];
        if (w == from / 64)
            rest &= UINT64_MAX << (from % 64);
        if (rest == 0)
            continue;
        uint32_t bit = 0;
        while ((rest >> bit & 0xff) == 0)
            bit += 8;
        while ((rest >> bit & 1) == 0)
            bit++;
        const uint32_t chunk = (uint32_t)(w * 64) + bit;
        return chunk <= last ? chunk : UINT32_MAX;
    }
    return UINT32_MAX;
}

uint32_t vp_chunk_set_next(const vp_chunk_set *set, uint32_t from)
{
    const uint32_t count = (uint32_t)vp_chunk_count(set->chunks); /* bits after the last chunk are unspecified */
    return from < count ? vp_chunk_set_next_until(set, from, count - 1) : UINT32_MAX;
}
