/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_WORLD_H
#define VOXPHYS_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file world.h
 *  Terrain voxels (voxel terrain article, "voxel data definition and storage"): a box of voxels that begins at the origin, and edits.
 *
 *      vp_world_def def = {.size = {128, 64, 128}};
 *      vp_world *world;
 *      vp_error error;
 *      vp_world_create(&def, &world, &error);
 *      vp_world_fill_sphere(world, (vp_vec3){64, 20, 64}, 12.0f, (vp_voxel){VP_FIRST_SOLID, 255}, NULL, &error);
 *      vp_world_destroy(world);
 *
 *  A voxel is a material byte and an occupancy byte, in two separate arrays. Both are stored in bricks: 512 bytes for a chunk of 8x8x8
 *  voxels, eight Y-slices of 64 bytes, byte z*8 + x within a slice. Chunk (cx, cy, cz) is brick (cy*chunks.z + cz)*chunks.x + cx. Voxels
 *  outside the world are air. Any number of threads can read a world that nobody changes. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_AIR = 0,         /**< Material of air. */
    VP_WATER = 1,       /**< Material of water. */
    VP_FIRST_SOLID = 2, /**< First solid material. */
    VP_CHUNK_EDGE = 8,  /**< Voxels along an edge of a chunk. */
    VP_CHUNK_VOXELS = 512,
    VP_NEIGHBOURHOOD_EDGE = 10, /**< Edge of a chunk with one voxel around it. */
    VP_NEIGHBOURHOOD_VOXELS = 1000,
    VP_WORLD_MAX_XZ = 2048, /**< Maximum size of a world along x and z, voxels. */
    VP_WORLD_MAX_Y = 256    /**< Maximum size of a world along y, voxels. */
};

/** Voxel. */
typedef struct vp_voxel {
    uint8_t material;  /**< 0 = air, 1 = water, from 2 on solid. */
    uint8_t occupancy; /**< The voxel is (occupancy + 1)/256 full. Ignored for air. */
} vp_voxel;

/** Material bricks of a world, for kernels. */
typedef struct vp_bricks {
    const uint8_t *material; /**< Bricks of 512 bytes, 64-byte aligned. [chunks.x * chunks.y * chunks.z * 512] */
    vp_dims chunks;          /**< Size of the world, chunks. */
} vp_bricks;

/** Material and occupancy bricks of a world, for kernels. */
typedef struct vp_voxels {
    const uint8_t *material;  /**< See vp_bricks. */
    const uint8_t *occupancy; /**< Same layout. */
    vp_dims chunks;           /**< Size of the world, chunks. */
} vp_voxels;

/* ---- sets of chunks ---- */

/** Bits of vp_chunk_set.changed. Bit VP_CHANGED_X + i: a voxel of the chunk's layer x = i changed, i in 0..7; y and z alike. */
enum {
    VP_CHANGED_X = 0,
    VP_CHANGED_Y = 8,
    VP_CHANGED_Z = 16,
    VP_CHANGED_KNOWN = 1 << 24 /**< Every changed voxel of the chunk lies in a marked layer of each axis. Edits set this bit. */
};

/** Chunks that edits made stale, and where their voxels changed. Bits of `word` past the last chunk are ignored. */
typedef struct vp_chunk_set {
    vp_dims chunks;         /**< Size of the world, chunks. */
    uint64_t *word;         /**< Chunks in the set: bit i%64 of word i/64 is chunk i. [(chunk count + 63)/64] */
    uint32_t *changed;      /**< Changed layers of each chunk in the set; 0 = any voxel may have changed. [chunk count] */
    vp_allocator allocator; /**< Allocator of both arrays. */
} vp_chunk_set;

/** Creates an empty set for a world of `chunks` chunks. Takes 4 bytes and a bit a chunk.
 *  @param allocator  NULL = malloc and free
 *  @return VP_E_ARGUMENT if no world has this size. VP_E_MEMORY */
VP_API vp_status vp_chunk_set_create(vp_dims chunks, const vp_allocator *allocator, vp_chunk_set *out, vp_error *error);
/** Destroys a set. A set that is all zero is a no-op. */
VP_API void vp_chunk_set_destroy(vp_chunk_set *set);
/** Removes all chunks. Cost: O(chunks of the world / 64 + chunks in the set). */
VP_API void vp_chunk_set_clear(vp_chunk_set *set);
/** Returns whether the set contains a chunk. */
VP_API bool vp_chunk_set_has(const vp_chunk_set *set, uint32_t chunk);
/** Returns the number of chunks in the set. */
VP_API uint32_t vp_chunk_set_count(const vp_chunk_set *set);
/** Returns the lowest chunk >= `from` in the set, or UINT32_MAX. Iterates in ascending order. */
VP_API uint32_t vp_chunk_set_next(const vp_chunk_set *set, uint32_t from);

/* ---- worlds ---- */

/** Voxels of a box that begins at the origin. */
typedef struct vp_world vp_world;

/** Settings for vp_world_create. */
typedef struct vp_world_def {
    vp_dims size;                  /**< Size, voxels. Multiples of 8, from 8 to 2048 x 256 x 2048. */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
} vp_world_def;

/** Creates a world of air. Cost: O(voxels). @return VP_E_ARGUMENT for an invalid size. VP_E_MEMORY */
VP_API vp_status vp_world_create(const vp_world_def *def, vp_world **out, vp_error *error);
/** Destroys a world. NULL is a no-op. */
VP_API void vp_world_destroy(vp_world *world);

/** Returns the size in voxels. */
VP_API vp_dims vp_world_size(const vp_world *world);
/** Returns the size in chunks. Chunk numbers run over x fastest, then z, then y. */
VP_API vp_dims vp_world_chunks(const vp_world *world);
/** Returns the material bricks, valid until the world is destroyed. */
VP_API vp_bricks vp_world_bricks(const vp_world *world);
/** Returns the occupancy bricks. */
VP_API const uint8_t *vp_world_occupancy(const vp_world *world);
/** Returns all bricks, valid until the world is destroyed. */
VP_API vp_voxels vp_world_voxels(const vp_world *world);

/** Returns a voxel. Voxels outside the world are air (material 0, occupancy 0). Cost: O(1). */
VP_API vp_voxel vp_world_voxel(const vp_world *world, vp_ivec3 at);

/** Writes one voxel. Writing equal values changes nothing.
 *  @param stale  if not NULL, the chunks whose 10^3 neighbourhood contains a changed voxel and the layers of changed voxels are added.
 *                Created for this world's size
 *  @return VP_E_ARGUMENT for a voxel outside the world or a set of another size */
VP_API vp_status vp_world_set_voxel(vp_world *world, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Writes voxel[i] at at[i]. The last of several at one position counts. Allocates nothing. Cost: O(count).
 *  @param at, voxel  [count]. NULL is valid if count is 0
 *  @param stale      see vp_world_set_voxel. A voxel that is changed and changed back counts as changed
 *  @return VP_E_ARGUMENT for a voxel outside the world (the message names the first), NULL or a set of another size. Nothing is changed
 * then
 */
VP_API vp_status vp_world_set_voxels(vp_world *world, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                     vp_error *error);

/** Writes all voxels with low <= v < high on each axis, clipped to the world. Cost: O(written voxels).
 *  @param stale  see vp_world_set_voxel
 *  @return VP_E_ARGUMENT for low > high on an axis or a set of another size */
VP_API vp_status vp_world_fill_box(vp_world *world, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Writes all voxels whose centre is within `radius` of `centre`, clipped to the world: (dx*dx + dy*dy) + dz*dz <= radius*radius in
 *  binary32 with dx = (x + 0.5) - centre.x. The sphere ends at its box, floor(centre - radius) - 1 to ceil(centre + radius) in binary64.
 *  Cost: O(voxels in the sphere's box).
 *  @param stale  see vp_world_set_voxel
 *  @return VP_E_ARGUMENT if the centre or the radius is not finite, the radius is negative, or the set has another size */
VP_API vp_status vp_world_fill_sphere(vp_world *world, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Reads a box of voxels in rows. Element (y*size.z + z)*size.x + x is voxel low + (x, y, z). Voxels outside the world are air.
 *  @param material, occupancy  [size.x * size.y * size.z]. Either can be NULL
 *  @return VP_E_ARGUMENT if size or low + size exceeds 2147483647 on an axis */
VP_API vp_status vp_world_read_rows(const vp_world *world, vp_ivec3 low, vp_dims size, uint8_t *material, uint8_t *occupancy,
                                    vp_error *error);

/** Writes a box of voxels in rows, like vp_world_read_rows. Skips voxels outside the world.
 *  @param occupancy  NULL = 255 for all voxels except air, 0 for air
 *  @param stale      see vp_world_set_voxel
 *  @return VP_E_ARGUMENT if size or low + size exceeds 2147483647 on an axis, `material` is NULL, or the set has another size */
VP_API vp_status vp_world_write_rows(vp_world *world, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                                     vp_chunk_set *stale, vp_error *error);

/** Reads the 10^3 materials of a chunk and one voxel around it, in rows. Element (y*10 + z)*10 + x is voxel (8*cx + x - 1, 8*cy + y - 1,
 *  8*cz + z - 1). Voxels outside the world are air. @return VP_E_ARGUMENT for a chunk outside the world */
VP_API vp_status vp_world_neighbourhood(const vp_world *world, vp_ivec3 chunk, uint8_t material[VP_NEIGHBOURHOOD_VOXELS], vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
