/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_TERRAIN_H
#define VOXPHYS_TERRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/broadphase.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/kd.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/kernel/terrain.h>
#include <voxphys/world.h>

/** @file terrain.h
 *  Voxel terrain that threads query while others edit it: ray casts, sphere sweeps, triangles near a box, box overlap.
 *
 *      const vp_terrain_def def = {.world = world};
 *      vp_terrain *terrain = NULL;
 *      vp_terrain_create(&def, &terrain, &error);
 *      const vp_ray down = {.origin = {32, 100, 32}, .direction = {0, -1, 0}, .t_max = 200};
 *      vp_terrain_point ground;
 *      if (vp_terrain_raycast_point(terrain, VP_SURFACE_SOLID, &down, &ground, &error) == VP_OK && ground.hit.hit.triangle >= 0)
 *          printf("ground at y = %g, material %u\n", (double)ground.point.y, (unsigned)ground.triangle.material);
 *      vp_terrain_destroy(terrain);
 *
 *  A terrain keeps a mesh and a tree per chunk and surface, up to a budget. Queries build missing trees, and edits drop stale ones.
 *
 *  Each edit creates a version, and each query sees exactly one. Use a reader (vp_terrain_begin_reading) for several queries of one
 *  version. A triangle number is valid in one version only.
 *
 *  Several threads can call all functions except create and destroy at once. Edits wait for running queries and open readers. Executor
 *  threads must not call functions of their terrain. Threads, memory and cache: docs/kernels/terrain.md. Guarantees: docs/CONTRACT.md, RAY,
 *  SWP, BOX and WLD. */

#ifdef __cplusplus
extern "C" {
#endif

/** Broadphase, top level and tree cache of a world. */
typedef struct vp_terrain vp_terrain;

/** Bits of vp_terrain_def.surfaces. */
enum {
    VP_TERRAIN_SOLID = 1 << VP_SURFACE_SOLID, /**< Solid voxels. */
    VP_TERRAIN_WATER = 1 << VP_SURFACE_WATER  /**< Water voxels. */
};

/** Default budget. */
#define VP_TERRAIN_DEFAULT_BUDGET (VP_CAST(size_t, 128) << 20)
/** Budget that keeps no tree. Queries take up to about 20 times as long. */
#define VP_TERRAIN_NO_CACHE VP_CAST(size_t, 1)
/** Unlimited budget. */
#define VP_TERRAIN_NO_LIMIT SIZE_MAX

/** Settings for vp_terrain_create. All except `world` can be 0. */
typedef struct vp_terrain_def {
    vp_world *world;               /**< World. Must outlive the terrain, which alone may change it. */
    uint32_t surfaces;             /**< VP_TERRAIN_ bits. 0 = VP_TERRAIN_SOLID. */
    vp_ivec3 first;                /**< Lowest chunk of the box that queries see. */
    vp_dims chunks;                /**< Size of the box. `first` and `chunks` all 0 = whole world. */
    vp_kd_form form;               /**< Form of the trees. 0 = VP_KD_PUBLISHED. */
    size_t budget;                 /**< Maximum size of kept meshes and trees, bytes. 0 = VP_TERRAIN_DEFAULT_BUDGET. */
    const vp_kernels *kernels;     /**< Copied. NULL = vp_kernels_default(). */
    const vp_executor *executor;   /**< Runs create, prepare and raycast_many. Copied. NULL = calling thread. */
    const vp_allocator *allocator; /**< Copied. NULL = malloc and free. Several threads call it at once. It must not call the terrain. */
} vp_terrain_def;

/** Creates a terrain. Builds no mesh and no tree. Cost: O(voxels).
 *  @return VP_E_ARGUMENT for a missing world, a box of chunks outside it, invalid surfaces or form
 *          VP_E_MEMORY, errors of vp_kernels_default */
VP_API vp_status vp_terrain_create(const vp_terrain_def *def, vp_terrain **out, vp_error *error);
/** Destroys a terrain, but not its world. No thread may be using it. NULL is a no-op. */
VP_API void vp_terrain_destroy(vp_terrain *terrain);

/* ---- results ---- */

/** Surface data of a triangle. */
typedef struct vp_terrain_triangle {
    vp_vec3 corner[3]; /**< Corners, world space. */
    vp_vec3 normal;    /**< Outward unit normal. 0 = no area. */
    uint8_t material;  /**< Material of the voxel inside. */
} vp_terrain_triangle;

/** Hit of a ray. On a miss all fields except `hit` are 0. */
typedef struct vp_terrain_point {
    vp_terrain_hit hit;           /**< As of vp_terrain_raycast. */
    vp_vec3 point;                /**< Hit point, world space. */
    vp_terrain_triangle triangle; /**< Hit triangle. */
} vp_terrain_point;

/** First contact of a moving sphere. On a miss all fields except `hit` are 0. */
typedef struct vp_terrain_contact {
    vp_terrain_hit hit;           /**< Touched triangle, t, and weights of the contact point. */
    vp_sphere_contact at;         /**< Centre, point, normal, and penetration depth at the start. */
    vp_terrain_triangle triangle; /**< Touched triangle. */
} vp_terrain_contact;

/* ---- queries ---- */

/* Errors of each query include VP_E_ARGUMENT for a surface that the terrain lacks, and VP_E_MEMORY if a tree cannot be built. */

/** Casts a ray and returns the closest hit. Ties go to the lowest chunk, then to the lowest triangle.
 *  @param out  On a miss hit.triangle = VP_NO_HIT and hit.t = t_max
 *  @return VP_E_ARGUMENT for a ray that violates vp_ray */
VP_API vp_status vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error);
/** Like vp_terrain_raycast, and also returns the point and its triangle. Extra cost: O(1), in packed and implied trees O(quads of the
 *  chunk). */
VP_API vp_status vp_terrain_raycast_point(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_point *out,
                                          vp_error *error);
/** Casts many rays on the executor and returns the closest hit of each. Similar rays that are adjacent cost less.
 *  @param out  hits [count]. An invalid ray gets hit.triangle = VP_RAY_INVALID and hit.t = t_max
 *  @return VP_E_ARGUMENT if a ray is invalid (the message names the first). The other hits are valid
 *          VP_E_MEMORY. `out` is unspecified */
VP_API vp_status vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out,
                                         vp_error *error);
/** Returns whether a ray hits any triangle. Faster than vp_terrain_raycast, with the same errors. */
VP_API vp_status vp_terrain_raycast_any(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error);
/** Returns all triangles that a ray hits, sorted by t, chunk and triangle. Errors as vp_terrain_raycast.
 *  @param out    first hits [capacity]. Unspecified after VP_E_MEMORY
 *  @param count  number of hits, can exceed capacity */
VP_API vp_status vp_terrain_raycast_all(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity,
                                        uint32_t *count, vp_error *error);
/** Sweeps a sphere along a ray and returns the first contact. A sphere that starts in contact gets the triangle nearest to its centre, with
 *  t = 0.
 *  @param radius  voxels, 0 to VP_KD_MAX
 *  @param out     On a miss hit.hit.triangle = VP_NO_HIT and hit.hit.t = t_max
 *  @return VP_E_ARGUMENT for an invalid ray or radius */
VP_API vp_status vp_terrain_sphere_sweep(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, float radius, vp_terrain_contact *out,
                                         vp_error *error);
/** Returns the triangles whose bounding boxes overlap a closed box, in no particular order.
 *  @param out    triangles [capacity]. Unspecified after VP_E_MEMORY
 *  @param count  number of triangles, can exceed capacity. UINT32_MAX = that many or more
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max */
VP_API vp_status vp_terrain_gather(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                   uint32_t capacity, uint32_t *count, vp_error *error);

/** Like vp_terrain_gather, and also returns surface data. Extra cost per triangle: as vp_terrain_raycast_point.
 *  @param triangle  surface data of each element of `out` [capacity]. Unspecified after VP_E_MEMORY */
VP_API vp_status vp_terrain_gather_triangles(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                             vp_terrain_triangle *triangle, uint32_t capacity, uint32_t *count, vp_error *error);

/** Tests a box against the broadphase of the whole world, with both surfaces. Allocates nothing. Cost: O(chunks under the box).
 *  @param touch  VP_TOUCH_ bits
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max */
VP_API vp_status vp_terrain_overlap(vp_terrain *terrain, const vp_aabb *box, uint32_t *touch, vp_error *error);
/** Tests many boxes against one version, on the calling thread.
 *  @param touch  VP_TOUCH_ bits [boxes->count]. An invalid box gets VP_TOUCH_INVALID
 *  @return VP_E_ARGUMENT if a box is invalid (the message names the first). The other results are valid */
VP_API vp_status vp_terrain_overlap_many(vp_terrain *terrain, const vp_boxes *boxes, uint8_t *touch, vp_error *error);

/** Returns whether a point is behind the surface (docs/CONTRACT.md, INS). Reads the voxels of the whole world. Cost: O(1).
 *  @param out  false in front of the surface, on it and outside the world
 *  @return VP_E_ARGUMENT for a coordinate that is not finite, and for NULL */
VP_API vp_status vp_terrain_inside(vp_terrain *terrain, vp_surface surface, vp_vec3 point, bool *out, vp_error *error);

/** Returns one voxel. Voxels outside the world are air. */
VP_API vp_voxel vp_terrain_voxel(vp_terrain *terrain, vp_ivec3 at);

/* ---- readers ---- */

/** Read lock on one version. Must not be copied or moved while reading. The library owns the fields. */
typedef struct vp_terrain_reader {
    vp_terrain *terrain; /**< NULL = not reading. */
    vp_holder holder;    /**< Entry in the terrain's list of readers. */
} vp_terrain_reader;

/** Begins to read one version. Cost: O(1). Edits wait until the reader ends, and other threads' new queries wait for these edits, so hold
 *  it for a few milliseconds at most. A thread with a reader gets VP_E_ARGUMENT from edits, vp_terrain_set_budget and vp_terrain_prepare.
 *  Other threads can share the reader (docs/kernels/terrain.md).
 *  @param out  reader that is not reading */
VP_API void vp_terrain_begin_reading(vp_terrain *terrain, vp_terrain_reader *out);
/** Ends reading. A reader that has ended or is all zero is a no-op. Cost: O(readers of the terrain). */
VP_API void vp_terrain_end_reading(vp_terrain_reader *reader);

/* ---- queries of a reader ---- */

/* As the functions above, in the reader's version. A reader that is not reading yields VP_E_ARGUMENT or NULL. */

/** Returns the world, whose voxels can be read until the reader ends. */
VP_API const vp_world *vp_terrain_reader_world(const vp_terrain_reader *reader);
/** Returns the broadphase, valid until the reader ends. */
VP_API const vp_broadphase *vp_terrain_reader_broadphase(const vp_terrain_reader *reader);

/** See vp_terrain_raycast. */
VP_API vp_status vp_terrain_reader_raycast(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out,
                                           vp_error *error);
/** See vp_terrain_raycast_point. */
VP_API vp_status vp_terrain_reader_raycast_point(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray,
                                                 vp_terrain_point *out, vp_error *error);
/** See vp_terrain_raycast_many. */
VP_API vp_status vp_terrain_reader_raycast_many(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, size_t count,
                                                vp_terrain_hit *out, vp_error *error);
/** See vp_terrain_raycast_any. */
VP_API vp_status vp_terrain_reader_raycast_any(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, bool *out,
                                               vp_error *error);
/** See vp_terrain_raycast_all. */
VP_API vp_status vp_terrain_reader_raycast_all(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out,
                                               uint32_t capacity, uint32_t *count, vp_error *error);
/** See vp_terrain_sphere_sweep. */
VP_API vp_status vp_terrain_reader_sphere_sweep(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, float radius,
                                                vp_terrain_contact *out, vp_error *error);
/** See vp_terrain_gather. */
VP_API vp_status vp_terrain_reader_gather(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box,
                                          vp_terrain_triangle_id *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** See vp_terrain_gather_triangles. */
VP_API vp_status vp_terrain_reader_gather_triangles(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box,
                                                    vp_terrain_triangle_id *out, vp_terrain_triangle *triangle, uint32_t capacity,
                                                    uint32_t *count, vp_error *error);
/** See vp_terrain_inside. */
VP_API vp_status vp_terrain_reader_inside(const vp_terrain_reader *reader, vp_surface surface, vp_vec3 point, bool *out, vp_error *error);
/** Returns the surface data of a triangle that a query of this reader returned. Builds the chunk's tree if it is not kept.
 *  @return VP_E_ARGUMENT if the terrain has no such surface, chunk or triangle
 *          VP_E_MEMORY */
VP_API vp_status vp_terrain_reader_triangle(const vp_terrain_reader *reader, vp_surface surface, vp_terrain_triangle_id triangle,
                                            vp_terrain_triangle *out, vp_error *error);

/* ---- edits ---- */

/* A failed edit changes nothing. Errors include VP_E_MEMORY, and VP_E_ARGUMENT for a thread that holds a reader of the terrain. */

/** Writes one voxel.
 *  @param stale  set to which the changed chunks and layers are added, for vp_contacts_terrain_changed. NULL = none. All edits can share
 *                one, which is only written while nobody reads
 *  @return VP_E_ARGUMENT for a voxel outside the world or a set of another size */
VP_API vp_status vp_terrain_set_voxel(vp_terrain *terrain, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);
/** Writes many voxels as one edit, like vp_world_set_voxels. Cost: O(count + changed chunks + range of changed chunk numbers / 64).
 *  @param at, voxel  [count]. The last of several at one position counts
 *  @return VP_E_ARGUMENT as vp_terrain_set_voxel, and for NULL if count > 0 */
VP_API vp_status vp_terrain_set_voxels(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                       vp_error *error);
/** Fills the box low <= v < high, clipped to the world, as one edit.
 *  @return VP_E_ARGUMENT for low > high on an axis or a set of another size */
VP_API vp_status vp_terrain_fill_box(vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale,
                                     vp_error *error);
/** Fills a sphere as one edit, like vp_world_fill_sphere.
 *  @return VP_E_ARGUMENT for an invalid centre or radius or a set of another size */
VP_API vp_status vp_terrain_fill_sphere(vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale,
                                        vp_error *error);
/** Copies a box of voxels into the world as one edit, like vp_world_write_rows.
 *  @return VP_E_ARGUMENT as vp_world_write_rows */
VP_API vp_status vp_terrain_write_rows(vp_terrain *terrain, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                                       vp_chunk_set *stale, vp_error *error);

/* ---- the cache ---- */

/** Builds missing meshes and trees on the executor until the budget is full, by ascending chunk. Evicts nothing. Rays are faster
 *  afterwards. Waits for readers at the end. Edits can run in between (docs/kernels/terrain.md).
 *  @return VP_E_ARGUMENT if the calling thread holds a reader
 *          VP_E_MEMORY. The trees built so far are kept */
VP_API vp_status vp_terrain_prepare(vp_terrain *terrain, vp_error *error);

/** Sets the budget and evicts the least recently used trees that exceed it. Waits for readers.
 *  @param budget  see vp_terrain_def
 *  @return VP_E_ARGUMENT if the calling thread holds a reader. The budget is unchanged */
VP_API vp_status vp_terrain_set_budget(vp_terrain *terrain, size_t budget, vp_error *error);

/** Cache statistics since creation. A use is a query's request for the tree of a chunk. */
typedef struct vp_terrain_stats {
    size_t budget;          /**< Budget, bytes. 0 = VP_TERRAIN_NO_CACHE. */
    size_t bytes;           /**< Kept meshes and trees, bytes. */
    size_t most_bytes;      /**< Maximum of `bytes` so far. */
    size_t scratch_bytes;   /**< Build scratch, bytes. */
    size_t fixed_bytes;     /**< Object, tables and top levels, bytes. */
    uint32_t kept;          /**< Kept trees, per chunk and surface. */
    uint32_t empty;         /**< Chunks known to have no triangles, per surface. */
    uint64_t triangles;     /**< Triangles in kept meshes. */
    uint64_t hits;          /**< Uses that found a tree. Not counted with VP_TERRAIN_NO_LIMIT. */
    uint64_t misses;        /**< Uses that built a tree or waited for it. */
    uint64_t built;         /**< Meshes built, including empty ones. */
    uint64_t evictions;     /**< Trees dropped for the budget. */
    uint64_t invalidations; /**< Trees dropped by edits. */
    uint64_t transient;     /**< Trees built and not kept, for lack of budget or memory. */
    uint64_t build_ns;      /**< Build time of all threads, nanoseconds. */
} vp_terrain_stats;

/** Returns the cache statistics. Cost: O(1). */
VP_API vp_terrain_stats vp_terrain_stats_of(vp_terrain *terrain);

/* ---- parts and files ---- */

/** Returns the broadphase, valid until the terrain is destroyed. Query it only while reading. */
VP_API const vp_broadphase *vp_terrain_broadphase(const vp_terrain *terrain);

/** Saves one version of the world to a file. Edits wait until its bytes are in memory, not for the disk.
 *  @return errors of vp_world_save */
VP_API vp_status vp_terrain_save(vp_terrain *terrain, const char *note, const char *path, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
