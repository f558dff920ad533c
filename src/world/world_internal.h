/* SPDX-License-Identifier: MIT */
/* Internals of a world. */
#ifndef VP_WORLD_INTERNAL_H
#define VP_WORLD_INTERNAL_H

#include <voxphys/world.h>

struct vp_world {
    vp_dims size;   /* voxels */
    vp_dims chunks; /* size / 8 */
    uint8_t *material;
    uint8_t *occupancy;
    vp_allocator allocator;
};

static inline size_t vp_chunk_count(vp_dims chunks)
{
    return (size_t)chunks.x * chunks.y * chunks.z;
}

/* The number of chunk (cx, cy, cz), with x fastest, then z, then y. */
static inline uint32_t vp_chunk_number(vp_dims chunks, uint32_t cx, uint32_t cy, uint32_t cz)
{
    return (cy * chunks.z + cz) * chunks.x + cx;
}

static inline vp_ivec3 vp_chunk_at(vp_dims chunks, uint32_t number)
{
    return (vp_ivec3){(int32_t)(number % chunks.x), (int32_t)(number / chunks.x / chunks.z), (int32_t)(number / chunks.x % chunks.z)};
}

/* The offset of a voxel's byte in the bricks. */
static inline size_t vp_voxel_offset(vp_dims chunks, uint32_t x, uint32_t y, uint32_t z)
{
    size_t brick = vp_chunk_number(chunks, x / 8, y / 8, z / 8);
    return brick * VP_CHUNK_VOXELS + (y % 8) * 64 + (z % 8) * 8 + x % 8;
}

static inline bool vp_voxel_inside(vp_dims size, vp_ivec3 at)
{
    return at.x >= 0 && at.y >= 0 && at.z >= 0 && (uint32_t)at.x < size.x && (uint32_t)at.y < size.y && (uint32_t)at.z < size.z;
}

/* vp_world_voxel. */
static inline vp_voxel vp_world_read(const vp_world *world, vp_ivec3 at)
{
    if (!vp_voxel_inside(world->size, at))
        return (vp_voxel){VP_AIR, 0};
    const size_t i = vp_voxel_offset(world->chunks, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z);
    return (vp_voxel){world->material[i], world->occupancy[i]};
}

/* Whether a world may have this size. */
bool vp_world_size_allowed(vp_dims size);

/* VP_E_ARGUMENT if a box of rows ends beyond 32 bits. The error is filled only then. */
vp_status vp_check_rows(vp_ivec3 low, vp_dims size, vp_error *error);
/* The same for rows that are written, and an error without materials. */
vp_status vp_check_write_rows(vp_ivec3 low, vp_dims size, const uint8_t *material, vp_error *error);

/* VP_E_ARGUMENT for voxels that vp_world_set_voxels rejects. The error is filled only then. */
vp_status vp_check_voxels(const vp_world *world, const vp_ivec3 *at, size_t count, vp_error *error);
/* Marks the chunks that become stale, and writes no voxel. The arguments have been checked. */
void vp_mark_voxels(const vp_world *world, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale);

/* Adds a chunk to a set, and bits of `changed`. A chunk that is marked as wholly changed stays so. */
static inline void vp_chunk_set_add(vp_chunk_set *set, uint32_t chunk, uint32_t changed)
{
    const uint64_t bit = UINT64_C(1) << chunk % 64;
    if ((set->word[chunk / 64] & bit) == 0) {
        set->word[chunk / 64] |= bit;
        set->changed[chunk] = changed;
    } else if (set->changed[chunk] != 0) {
        set->changed[chunk] |= changed;
    }
}

/* Removes the chunks first..last from a set that edits filled, and adds them to another. NULL = to none. */
void vp_chunk_set_move(vp_chunk_set *from, uint32_t first, uint32_t last, vp_chunk_set *to);
/* The size of a set's arrays in bytes. */
size_t vp_chunk_set_bytes(vp_dims chunks);

/* vp_chunk_set_next, up to chunk `last`, because an edit's chunks lie close together in a large set. */
uint32_t vp_chunk_set_next_until(const vp_chunk_set *set, uint32_t from, uint32_t last);

/* VP_E_ARGUMENT for a box that vp_world_fill_box rejects. The error is filled only then. */
vp_status vp_check_fill_box(vp_ivec3 low, vp_ivec3 high, vp_error *error);
/* VP_E_ARGUMENT for a sphere that vp_world_fill_sphere rejects. The error is filled only then. */
vp_status vp_check_sphere(vp_vec3 centre, float radius, vp_error *error);

/* The voxels that vp_world_fill_sphere writes: those of a box, low <= v < high, for which vp_sphere_has_voxel holds. */
typedef struct vp_sphere_voxels {
    vp_dims low, high;
    vp_vec3 centre;
    float square; /* of the radius */
} vp_sphere_voxels;

vp_sphere_voxels vp_sphere_voxels_of(vp_dims size, vp_vec3 centre, float radius);

static inline bool vp_sphere_has_voxel(const vp_sphere_voxels *v, uint32_t x, uint32_t y, uint32_t z)
{
    const float dx = (float)x + 0.5f - v->centre.x, dy = (float)y + 0.5f - v->centre.y, dz = (float)z + 0.5f - v->centre.z;
    return (dx * dx + dy * dy) + dz * dz <= v->square;
}

/* VP_E_ARGUMENT for a set of chunks without memory or of another size than a world's. NULL is allowed. The error is
   filled only then. */
vp_status vp_check_chunk_set(const vp_world *world, const vp_chunk_set *stale, vp_error *error);

#endif
