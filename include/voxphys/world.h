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

/** @file
 *  Terrain voxels and their edits. Voxel v fills the box from v to v + 1. The collision surface is a smoothed mesh (Surface Nets): flat
 *  tops of full voxels lie at v + 1 + 1/512, edges are chamfered, single voxels shrink.
 *
 *      vp_world_def def = {.size = {128, 64, 128}};
 *      vp_world_create(&def, &world, &error);
 *      vp_world_fill_sphere(world, (vp_vec3){64, 20, 64}, 12.0f, (vp_voxel){VP_FIRST_SOLID, 255}, NULL, &error);
 *      vp_world_destroy(world);
 *
 *  Materials and occupancies are two arrays of bricks, 512 bytes per chunk of 8x8x8 voxels: eight Y-slices, byte z*8 + x within a slice.
 *  Chunk (cx, cy, cz) is brick (cy*chunks.z + cz)*chunks.x + cx. Voxels outside the world are air. Threads can read a world that nobody
 *  changes. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_AIR = 0,
    VP_WATER = 1,
    VP_FIRST_SOLID = 2,
    VP_CHUNK_EDGE = 8,
    VP_CHUNK_VOXELS = 512,
    VP_NEIGHBOURHOOD_EDGE = 10, /**< Chunk and one voxel around it. */
    VP_NEIGHBOURHOOD_VOXELS = 1000,
    VP_WORLD_MAX_XZ = 2048,
    VP_WORLD_MAX_Y = 256
};

/** Voxel. */
typedef struct vp_voxel {
    uint8_t material; /**< 0 = air, 1 = water, others solid. */
    /** How full, (occupancy + 1)/256. The surface is at 1/2: voxels below 128 show only beside fuller ones. 255 for blocks. Ignored for
     *  air. */
    uint8_t occupancy;
} vp_voxel;

/** Materials, for kernels. */
typedef struct vp_bricks {
    const uint8_t *material; /**< 64-byte aligned. */
    vp_dims chunks;
} vp_bricks;

/** Voxels, for kernels. */
typedef struct vp_voxels {
    const uint8_t *material;  /**< As vp_bricks. */
    const uint8_t *occupancy; /**< Same layout. */
    vp_dims chunks;
} vp_voxels;

/** Bits of vp_chunk_set.changed. Bit VP_CHANGED_X + i = layer x = i. y and z alike. */
enum {
    VP_CHANGED_X = 0,
    VP_CHANGED_Y = 8,
    VP_CHANGED_Z = 16,
    VP_CHANGED_KNOWN = 1 << 24 /**< The bits of layers are complete. */
};

/** Chunks that edits made stale. */
typedef struct vp_chunk_set {
    vp_dims chunks;
    uint64_t *word;    /**< Bit i%64 of word i/64 = chunk i. */
    uint32_t *changed; /**< By chunk. 0 = any voxel may have changed. */
    vp_allocator allocator;
} vp_chunk_set;

/** Creates an empty set for a world of vp_world_chunks.
 *  @return VP_E_ARGUMENT if no world has this size */
VP_API vp_status vp_chunk_set_create(vp_dims chunks, const vp_allocator *allocator, vp_chunk_set *out, vp_error *error);
/** Destroys a set. */
VP_API void vp_chunk_set_destroy(vp_chunk_set *set);
/** Removes all chunks. */
VP_API void vp_chunk_set_clear(vp_chunk_set *set);
/** Returns whether a set has a chunk. */
VP_API bool vp_chunk_set_has(const vp_chunk_set *set, uint32_t chunk);
/** Counts the chunks. */
VP_API uint32_t vp_chunk_set_count(const vp_chunk_set *set);
/** Returns the lowest chunk >= `from`, or UINT32_MAX. */
VP_API uint32_t vp_chunk_set_next(const vp_chunk_set *set, uint32_t from);

/** Voxels of a box. */
typedef struct vp_world vp_world;

/** World settings. */
typedef struct vp_world_def {
    vp_dims size; /**< Voxels, multiples of 8, up to 2048 x 256 x 2048. */
    const vp_allocator *allocator;
} vp_world_def;

/** Creates a world of air. */
VP_API vp_status vp_world_create(const vp_world_def *def, vp_world **out, vp_error *error);
/** Destroys a world. */
VP_API void vp_world_destroy(vp_world *world);

/** Returns the size, voxels. */
VP_API vp_dims vp_world_size(const vp_world *world);
/** Returns the size, chunks. */
VP_API vp_dims vp_world_chunks(const vp_world *world);
/** Returns the material bricks. */
VP_API vp_bricks vp_world_bricks(const vp_world *world);
/** Returns the occupancy bricks. */
VP_API const uint8_t *vp_world_occupancy(const vp_world *world);
/** Returns all bricks. */
VP_API vp_voxels vp_world_voxels(const vp_world *world);

/** Returns a voxel. */
VP_API vp_voxel vp_world_voxel(const vp_world *world, vp_ivec3 at);

/** Writes one voxel.
 *  @param stale  receives the changed layers, and the chunks with a changed voxel in their 10^3 neighbourhood. NULL = none
 *  @return VP_E_ARGUMENT for a voxel outside the world */
VP_API vp_status vp_world_set_voxel(vp_world *world, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Writes voxel[i] at at[i], in order [count].
 *  @return VP_E_ARGUMENT as vp_world_set_voxel */
VP_API vp_status vp_world_set_voxels(vp_world *world, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                     vp_error *error);

/** Fills the box low <= v < high. Skips voxels outside the world. VP_E_ARGUMENT for low > high. */
VP_API vp_status vp_world_fill_box(vp_world *world, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Fills all voxels whose centre is within `radius` of `centre`. Skips voxels outside the world.
 *  @return VP_E_ARGUMENT for a centre or radius that is not finite, or a negative radius */
VP_API vp_status vp_world_fill_sphere(vp_world *world, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);

/** Reads a box. Element (y*size.z + z)*size.x + x is voxel low + (x, y, z). Arrays can be NULL.
 *  @return VP_E_ARGUMENT if size or low + size exceeds INT32_MAX */
VP_API vp_status vp_world_read_rows(const vp_world *world, vp_ivec3 low, vp_dims size, uint8_t *material, uint8_t *occupancy,
                                    vp_error *error);

/** Writes a box, like vp_world_read_rows. Skips voxels outside the world. `occupancy` NULL = 255, and 0 for air.
 *  @return VP_E_ARGUMENT as vp_world_read_rows, and for a missing `material` */
VP_API vp_status vp_world_write_rows(vp_world *world, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                                     vp_chunk_set *stale, vp_error *error);

/** Reads the materials of a chunk with one voxel around it, in rows. */
VP_API vp_status vp_world_neighbourhood(const vp_world *world, vp_ivec3 chunk, uint8_t material[VP_NEIGHBOURHOOD_VOXELS], vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
