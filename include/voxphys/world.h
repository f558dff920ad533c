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
 *  Terrain voxels (voxel terrain article, "voxel data definition and storage").
 *
 *  A voxel is one material byte and one occupancy byte, kept in two separate arrays. Both are stored in *bricks*: 512
 *  bytes a chunk of 8x8x8 voxels, eight Y-slices of 64 bytes one after the other, byte z*8 + x within a slice. Chunk
 *  (cx, cy, cz) is brick number (cy*chunks.z + cz)*chunks.x + cx. Voxels outside the world are air. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_AIR = 0,         /**< Material of nothing. */
    VP_WATER = 1,       /**< Material of water. */
    VP_FIRST_SOLID = 2, /**< This material and every higher one are solid. */
    VP_CHUNK_EDGE = 8,  /**< Voxels along a chunk's edge. */
    VP_CHUNK_VOXELS = 512,
    VP_NEIGHBOURHOOD_EDGE = 10, /**< A chunk with one voxel around it. */
    VP_NEIGHBOURHOOD_VOXELS = 1000,
    VP_WORLD_MAX_XZ = 2048, /**< Largest extent of a world along x and z, in voxels. */
    VP_WORLD_MAX_Y = 256
};

/** One voxel. */
typedef struct vp_voxel {
    uint8_t material;  /**< 0 air, 1 water, 2.. solids. */
    uint8_t occupancy; /**< The voxel is (occupancy + 1)/256 full; meaningless for air. */
} vp_voxel;

/** The material bricks of a world, as kernels read them. */
typedef struct vp_bricks {
    const uint8_t *material; /**< chunks.x * chunks.y * chunks.z bricks of 512 bytes, 64-byte aligned. */
    vp_dims chunks;          /**< Extents of the world in chunks. */
} vp_bricks;

/** All bricks of a world, as kernels read them. */
typedef struct vp_voxels {
    const uint8_t *material;  /**< As in vp_bricks. */
    const uint8_t *occupancy; /**< The same layout. */
    vp_dims chunks;           /**< Extents of the world in chunks. */
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
    vp_dims chunks;         /**< Extents of the world in chunks. */
    uint64_t *word;         /**< Chunks in the set: bit i%64 of word i/64 is chunk i. [(chunk count + 63)/64] */
    uint32_t *changed;      /**< Changed layers of each chunk in the set; 0 = any voxel may have changed. [chunk count] */
    vp_allocator allocator; /**< Allocator of both arrays. */
} vp_chunk_set;

/** Creates an empty set for a world of `chunks` chunks. It takes 4 bytes and a bit a chunk.
 *  @param allocator  NULL = malloc and free
 *  @return VP_E_ARGUMENT for extents that no world has, VP_E_MEMORY. */
VP_API vp_status vp_chunk_set_create(vp_dims chunks, const vp_allocator *allocator, vp_chunk_set *out, vp_error *error);
/** Frees a set; one that is all zero bytes is left alone. */
VP_API void vp_chunk_set_destroy(vp_chunk_set *set);
/** Removes all chunks. O(size of the set / 64 + chunks in the set). */
VP_API void vp_chunk_set_clear(vp_chunk_set *set);
/** Whether the set holds a chunk. */
VP_API bool vp_chunk_set_has(const vp_chunk_set *set, uint32_t chunk);
/** How many chunks the set holds. */
VP_API uint32_t vp_chunk_set_count(const vp_chunk_set *set);
/** The lowest chunk in the set that is >= `from`; UINT32_MAX if there is none. Iterates in ascending order. */
VP_API uint32_t vp_chunk_set_next(const vp_chunk_set *set, uint32_t from);

/* ---- worlds ---- */

/** Terrain: the voxels of a box that begins at the origin. */
typedef struct vp_world vp_world;

/** What a new world is to be. */
typedef struct vp_world_def {
    vp_dims size;                  /**< Voxels; each a multiple of 8, at least 8, at most 2048 x 256 x 2048. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_world_def;

/** Makes a world of air. O(voxels).
 *  @return VP_E_ARGUMENT for a size that is not allowed, VP_E_MEMORY. */
VP_API vp_status vp_world_create(const vp_world_def *def, vp_world **out, vp_error *error);
/** Frees a world; NULL is left alone. */
VP_API void vp_world_destroy(vp_world *world);

/** Extents in voxels. */
VP_API vp_dims vp_world_size(const vp_world *world);
/** Extents in chunks: a chunk's number runs over x fastest, then z, then y, below chunks.x * chunks.y * chunks.z. */
VP_API vp_dims vp_world_chunks(const vp_world *world);
/** The material bricks, valid until the world is destroyed. */
VP_API vp_bricks vp_world_bricks(const vp_world *world);
/** The occupancy bricks: the same layout. */
VP_API const uint8_t *vp_world_occupancy(const vp_world *world);
/** Both, valid until the world is destroyed. */
VP_API vp_voxels vp_world_voxels(const vp_world *world);

/** One voxel; air (material 0, occupancy 0) outside the world. O(1). */
VP_API vp_voxel vp_world_voxel(const vp_world *world, vp_ivec3 at);

/** Writes one voxel.
 *  @param stale  if not NULL, receives (in addition to what it holds) the chunks whose 10^3 neighbourhood holds a
 *                voxel that this edit changed, and the layers of its changed voxels. Writing the same material and
 *                occupancy changes nothing. Made for this world's chunk count.
 *  @return VP_E_ARGUMENT for a voxel outside the world or a set of another size. */
VP_API vp_status vp_world_set_voxel(vp_world *world, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Writes many voxels, anywhere: voxel[i] at at[i]. Of several at one position the last counts. O(count); nothing is allocated.
 *  @param at, voxel  `count` each; may be NULL if that is 0
 *  @param stale      as vp_world_set_voxel one by one: a voxel that is changed and changed back counts as changed.
 *  @return VP_E_ARGUMENT for a voxel outside the world (the message names the first of them and where it is), for NULL, for a
 *          set of another size. After a failure nothing is changed. */
VP_API vp_status vp_world_set_voxels(vp_world *world, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                     vp_error *error);

/** Writes all voxels with low <= v < high on every axis, as far as they lie in the world. O(voxels written).
 *  @param stale  as for vp_world_set_voxel.
 *  @return VP_E_ARGUMENT for low > high on an axis or a set of another size. */
VP_API vp_status vp_world_fill_box(vp_world *world, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Writes all voxels of the world whose centre (x + 0.5, ...) is at most `radius` from `centre`: those with
 *  (dx*dx + dy*dy) + dz*dz <= radius*radius in binary32, where dx = (x + 0.5) - centre.x, of those from
 *  floor(centre - radius) - 1 to ceil(centre + radius) on each axis, in binary64: so where binary32 no longer tells
 *  voxels apart, a sphere still ends at its box. O(voxels in the sphere's box).
 *  @param stale  as for vp_world_set_voxel.
 *  @return VP_E_ARGUMENT for a centre that is not finite, a radius that is negative or not finite, a set of another
 *          size. */
VP_API vp_status vp_world_fill_sphere(vp_world *world, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Copies a box of voxels out, in rows: element (y*size.z + z)*size.x + x is voxel low + (x, y, z); air outside.
 *  @param material, occupancy  size.x * size.y * size.z bytes each; either may be NULL.
 *  @return VP_E_ARGUMENT if size or low + size is above 2147483647 on an axis. */
VP_API vp_status vp_world_read_rows(const vp_world *world, vp_ivec3 low, vp_dims size, uint8_t *material, uint8_t *occupancy,
                                    vp_error *error);

/** Copies a box of voxels in, in rows as above; what lies outside the world is passed over.
 *  @param occupancy  NULL: 255 for every voxel that is not air, 0 for air.
 *  @param stale      as for vp_world_set_voxel.
 *  @return VP_E_ARGUMENT if size or low + size is above 2147483647 on an axis, for a material of NULL, for a set of another
 *          size. */
VP_API vp_status vp_world_write_rows(vp_world *world, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                                     vp_chunk_set *stale, vp_error *error);

/** Copies out the 10^3 materials around a chunk: the chunk and one voxel around it, in rows.
 *  Element (y*10 + z)*10 + x is voxel (8*cx + x - 1, 8*cy + y - 1, 8*cz + z - 1); air outside the world.
 *  @return VP_E_ARGUMENT for a chunk outside the world. */
VP_API vp_status vp_world_neighbourhood(const vp_world *world, vp_ivec3 chunk, uint8_t material[VP_NEIGHBOURHOOD_VOXELS], vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
