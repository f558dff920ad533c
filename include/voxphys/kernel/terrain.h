/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_TERRAIN_H
#define VOXPHYS_KERNEL_TERRAIN_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/kernel/broadphase.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/kernel/surface.h>
#include <voxphys/world.h>

/** @file
 *  Types and kernels of terrain queries. Each chunk has a mesh and a tree, below a top level made from the broadphase. Queries request a
 *  missing tree only if they cross set broadphase bits of its chunk. Details: docs/kernels/terrain.md, docs/CONTRACT.md, WLD. */

#ifdef __cplusplus
extern "C" {
#endif

/** Hit of a ray. */
typedef struct vp_terrain_hit {
    vp_hit in_chunk; /**< `triangle` is VP_NO_HIT on a miss. */
    uint32_t chunk;  /**< 0 on a miss. */
} vp_terrain_hit;

/** Triangle by chunk and number in its mesh. */
typedef struct vp_terrain_triangle_id {
    uint32_t chunk;
    uint32_t triangle;
} vp_terrain_triangle_id;

/** Returns the tree of a chunk. NULL = none, and none can be built now. */
typedef const vp_kd_view *vp_chunk_tree_fn(void *user, uint32_t chunk);

/** Top level, a pyramid of boxes over the columns of the grid (docs/kernels/terrain.md, The layout). */
typedef struct vp_top {
    /** From the root. Child without bit 31: node. With bit 31: chunk, the only one in its column that can have triangles. With bits 31 and
     *  30: column x + (z << 8). */
    const vp_kd_wide *node;
    const uint32_t *layers; /**< Bit y of element z*chunks.x + x = chunk y can have triangles. */
} vp_top;

/** Column bit. */
#define VP_TOP_COLUMN 0x40000000u

/** One surface of a terrain that kernels query. */
typedef struct vp_terrain_view {
    vp_broadphase_view bits;
    vp_surface surface;
    vp_ivec3 first; /**< Lowest chunk. Chunks outside have no triangles. */
    vp_dims chunks;
    vp_aabb box; /**< Half a voxel larger than the chunks. */
    vp_top top;
    /** By chunk. NULL entry = not built. Kernels load entries with acquire order, or call `find` if `tree` is NULL. */
    const vp_kd_view *const *tree;
    vp_chunk_tree_fn *find; /**< Returns a built tree, until the next call. So the view serves one query at a time. */
    vp_chunk_tree_fn *make; /**< Builds a tree, unless it is built meanwhile. */
    void *user;
} vp_terrain_view;

static_assert(sizeof(vp_terrain_hit) == 20 && sizeof(vp_terrain_triangle_id) == 8, "size");

/** Returns a ray's closest hit (WLD-1). */
typedef vp_terrain_hit vp_terrain_ray_fn(const vp_terrain_view *terrain, const vp_ray *ray);

/** Casts up to 16 rays like terrain_ray. */
typedef void vp_terrain_ray16_fn(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit);

/** Returns whether a ray hits, 1, 0 or VP_RAY_INVALID. */
typedef int32_t vp_terrain_ray_any_fn(const vp_terrain_view *terrain, const vp_ray *ray);

/** Lists a ray's hits, by ascending t, chunk and triangle. @return count or VP_RAY_ALL_INVALID */
typedef uint32_t vp_terrain_ray_all_fn(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity);

/** Sweeps a sphere like kd_sphere_sweep (SWP-2). */
typedef vp_terrain_hit vp_terrain_sphere_sweep_fn(const vp_terrain_view *terrain, const vp_ray *ray, float radius);

/** Lists triangles like kd_gather. Requests trees of chunks with set bits in the box, grown by one voxel.
 *  @return count, at most UINT32_MAX */
typedef uint32_t vp_terrain_gather_fn(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity);

/* clang-format off */
/** Kernels. */
#define VP_TERRAIN_KERNELS(K)                                                                          \
    K(terrain_ray, queries, ALL, "Terrain", "rays",                                                    \
      "Finds the nearest triangle that a ray meets in a terrain: chunks with a mesh and a tree each.") \
    K(terrain_ray16, queries, ALL, "Terrain", "rays",                                                  \
      "Finds the nearest triangles that up to sixteen rays meet in a terrain.")                        \
    K(terrain_ray_any, queries, ALL, "Terrain", "rays",                                                \
      "Finds out whether a ray meets a terrain.")                                                      \
    K(terrain_ray_all, queries, ALL, "Terrain", "rays",                                                \
      "Lists all triangles of a terrain that a ray meets, in their order along it.")                   \
    K(terrain_sphere_sweep, queries, ALL, "Terrain", "sweeps",                                         \
      "Finds the first triangle of a terrain that a sphere touches as it moves along a ray.")          \
    K(terrain_gather, queries, ALL, "Terrain", "queries",                                              \
      "Lists the triangles of a terrain whose own boxes overlap a box.")
/** Operations. */
#define VP_TERRAIN_OPERATIONS(O)                                                                              \
    O(terrain_prepare, "Terrain", "chunks", "Builds all meshes and trees of a terrain from its voxels.")      \
    O(terrain_cast, "Terrain", "rays",                                                                        \
      "Casts rays through a terrain, including its locks and its cache.")                                     \
    O(terrain_wander, "Terrain", "rays",                                                                      \
      "Casts rays all over a world with a limited cache.")                                                    \
    O(edit_to_ray, "Terrain", "edits",                                                                        \
      "Edits a terrain, then casts a ray there, including rebuilds.")
/* clang-format on */

VP_TERRAIN_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
