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

/** @file
 *  Voxel terrain that threads query while others edit it: ray casts, sphere sweeps, triangles near a box.
 *
 *      const vp_terrain_def def = {.world = world};
 *      vp_terrain_create(&def, &terrain, &error);
 *      const vp_ray down = {.origin = {32, 100, 32}, .direction = {0, -1, 0}, .t_max = 200};
 *      vp_terrain_raycast_point(terrain, VP_SURFACE_SOLID, &down, &ground, &error);
 *      if (ground.hit.in_chunk.triangle >= 0)
 *          printf("ground at y = %g\n", (double)ground.point.y);
 *
 *  Queries build missing meshes and trees, which are kept up to a budget. Each edit creates a version, and each query sees exactly one. A
 *  triangle number is valid in one version only. Shapes (manifold.h, casts.h, character.h) query a reader: acquire, query all bodies,
 *  release, then edit. At the world's low faces, bottom included, the outer half voxel has no triangles (MSH-4). At the high faces the
 *  surface bends down. Keep bodies one voxel inside. Threads can call all functions at once, except create and destroy. Details:
 *  docs/kernels/terrain.md. */

#ifdef __cplusplus
extern "C" {
#endif

/** Broadphase and trees of a world. */
typedef struct vp_terrain vp_terrain;

/** Bits of vp_terrain_def.surfaces. */
enum { VP_TERRAIN_SOLID = 1 << VP_SURFACE_SOLID, VP_TERRAIN_WATER = 1 << VP_SURFACE_WATER };

/** Default budget, bytes. */
#define VP_TERRAIN_DEFAULT_BUDGET (VP_CAST(size_t, 128) << 20)
/** Budget that keeps no tree. Queries are up to 20 times slower. */
#define VP_TERRAIN_NO_CACHE VP_CAST(size_t, 1)
/** Unlimited budget. */
#define VP_TERRAIN_NO_LIMIT SIZE_MAX

/** Terrain settings. */
typedef struct vp_terrain_def {
    vp_world *world;   /**< Must outlive the terrain. Afterwards edit it only by vp_terrain_ functions. */
    uint32_t surfaces; /**< VP_TERRAIN_ bits. 0 = solid. */
    vp_ivec3 first;    /**< Lowest chunk. Chunks outside have no triangles. */
    vp_dims chunks;    /**< Number of chunks. All 0 = whole world. */
    vp_kd_form form;   /**< 0 = VP_KD_WIDE, fastest. VP_KD_IMPLIED: a quarter of the memory, 1.5 times the time. */
    size_t budget;     /**< Maximum of meshes and trees, bytes. 0 = default. */
    const vp_kernels *kernels;
    const vp_executor *executor; /**< For create, prepare and raycast_many. */
    const vp_allocator *allocator;
} vp_terrain_def;

/** Creates a terrain without meshes and trees. */
VP_API vp_status vp_terrain_create(const vp_terrain_def *def, vp_terrain **out, vp_error *error);
/** Destroys a terrain, but not its world. */
VP_API void vp_terrain_destroy(vp_terrain *terrain);

/** Surface data of a triangle. */
typedef struct vp_terrain_triangle {
    vp_vec3 corner[3];
    vp_vec3 normal;   /**< Outward, unit. 0 = no area. */
    uint8_t material; /**< Voxel inside. */
} vp_terrain_triangle;

/** Hit of a ray. Zero on a miss, except `hit`. */
typedef struct vp_terrain_point {
    vp_terrain_hit hit;
    vp_vec3 point;
    vp_terrain_triangle triangle;
} vp_terrain_point;

/** Contact of a moving sphere. Zero on a miss, except `hit`. */
typedef struct vp_terrain_contact {
    vp_terrain_hit hit; /**< u and v are of the contact point. */
    vp_sphere_contact at;
    vp_terrain_triangle triangle;
} vp_terrain_contact;

/* Queries return VP_E_ARGUMENT for a surface that the terrain lacks. After VP_E_MEMORY arrays are unspecified. */

/** Returns a ray's closest hit. Ties go to the lowest chunk, then triangle. */
VP_API vp_status vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error);
/** Like vp_terrain_raycast, with surface data. */
VP_API vp_status vp_terrain_raycast_point(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_point *out,
                                          vp_error *error);
/** Returns the closest hits of many rays. Similar adjacent rays cost less.
 *  @param out  [count]. An invalid ray gets in_chunk.triangle = VP_RAY_INVALID
 *  @return VP_E_ARGUMENT if a ray is invalid. Other results are valid */
VP_API vp_status vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out,
                                         vp_error *error);
/** Returns whether a ray hits. */
VP_API vp_status vp_terrain_raycast_any(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error);
/** Returns all hits of a ray, sorted by t, chunk and triangle. A shared edge is hit twice. Points inside: vp_terrain_inside. */
VP_API vp_status vp_terrain_raycast_all(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity,
                                        uint32_t *count, vp_error *error);
/** Returns the first contact of a sphere that moves along a ray. If it starts in contact, this is the nearest triangle, at t = 0.
 *  @return VP_E_ARGUMENT for a radius outside 0 to VP_KD_MAX */
VP_API vp_status vp_terrain_sphere_sweep(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, float radius, vp_terrain_contact *out,
                                         vp_error *error);
/** Returns the triangles whose boxes overlap a closed box, unsorted. `count` is at most UINT32_MAX. */
VP_API vp_status vp_terrain_gather(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                   uint32_t capacity, uint32_t *count, vp_error *error);

/** Like vp_terrain_gather, with the surface data of each triangle. [capacity] */
VP_API vp_status vp_terrain_gather_triangles(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                             vp_terrain_triangle *triangle, uint32_t capacity, uint32_t *count, vp_error *error);

/** Tests a box against the broadphase of the whole world. Cost: O(chunks under the box).
 *  @param touch  VP_TOUCH_ bits */
VP_API vp_status vp_terrain_overlap(vp_terrain *terrain, const vp_aabb *box, uint32_t *touch, vp_error *error);
/** Tests many boxes.
 *  @param touch  [boxes->count]. An invalid box gets VP_TOUCH_INVALID
 *  @return VP_E_ARGUMENT if a box is invalid. Other results are valid */
VP_API vp_status vp_terrain_overlap_many(vp_terrain *terrain, const vp_boxes *boxes, uint8_t *touch, vp_error *error);

/** Returns whether a point is in the solid or the water (docs/CONTRACT.md, INS), false on the surface and outside the world.
 *  @return VP_E_ARGUMENT for a coordinate that is not finite */
VP_API vp_status vp_terrain_inside(vp_terrain *terrain, vp_surface surface, vp_vec3 point, bool *out, vp_error *error);

/** Returns one voxel, air outside the world. */
VP_API vp_voxel vp_terrain_voxel(vp_terrain *terrain, vp_ivec3 at);

/** Read lock on one version. Must not be moved while reading. */
typedef struct vp_terrain_reader {
    vp_terrain *terrain; /**< NULL = not reading. */
    vp_holder holder;
} vp_terrain_reader;

/** Begins to read one version. Edits wait until the reader ends, and new queries of other threads wait for these edits, so end it
 *  within milliseconds. A reading thread can query, not edit (docs/kernels/terrain.md). `out` must not be reading. */
VP_API void vp_terrain_acquire_reader(vp_terrain *terrain, vp_terrain_reader *out);
/** Ends reading. No-op if not reading. Cost: O(readers of the terrain). */
VP_API void vp_terrain_release_reader(vp_terrain_reader *reader);

/* Queries of a reader's version. A reader that is not reading yields VP_E_ARGUMENT or NULL. */

/** Returns the world, until the reader ends. */
VP_API const vp_world *vp_terrain_reader_world(const vp_terrain_reader *reader);
/** Returns the broadphase, until the reader ends. */
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
/** Returns the surface data of a triangle from this reader's query.
 *  @return VP_E_ARGUMENT for an invalid triangle */
VP_API vp_status vp_terrain_reader_triangle(const vp_terrain_reader *reader, vp_surface surface, vp_terrain_triangle_id triangle,
                                            vp_terrain_triangle *out, vp_error *error);

/* Edits, prepare and set_budget return VP_E_ARGUMENT for a thread that holds a reader. */

/** Writes one voxel.
 *  @param stale  receives the changed chunks and layers, for vp_contacts_terrain_changed, before readers continue. Clear it yourself. NULL
 *                = none
 *  @return VP_E_ARGUMENT for a voxel outside the world */
VP_API vp_status vp_terrain_set_voxel(vp_terrain *terrain, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);
/** Writes many voxels as one edit, like vp_world_set_voxels.
 *  @return VP_E_ARGUMENT as vp_terrain_set_voxel */
VP_API vp_status vp_terrain_set_voxels(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                       vp_error *error);
/** Fills a box as one edit, like vp_world_fill_box. */
VP_API vp_status vp_terrain_fill_box(vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale,
                                     vp_error *error);
/** Fills a sphere as one edit, like vp_world_fill_sphere. */
VP_API vp_status vp_terrain_fill_sphere(vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale,
                                        vp_error *error);
/** Copies a box of voxels as one edit. Errors also of vp_world_write_rows. */
VP_API vp_status vp_terrain_write_rows(vp_terrain *terrain, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                                       vp_chunk_set *stale, vp_error *error);

/** Builds missing trees, by ascending chunk, until the budget is full. Waits for readers.
 *  @return VP_E_MEMORY. Built trees are kept */
VP_API vp_status vp_terrain_prepare(vp_terrain *terrain, vp_error *error);

/** Sets vp_terrain_def.budget and evicts the least recently used trees. Waits for readers. */
VP_API vp_status vp_terrain_set_budget(vp_terrain *terrain, size_t budget, vp_error *error);

/** Cache statistics since creation. A use is a query's request for a tree. Counts are per chunk and surface. */
typedef struct vp_terrain_stats {
    size_t budget; /**< Bytes. 0 if there is no cache. */
    size_t bytes;  /**< Kept meshes and trees. */
    size_t peak_bytes;
    size_t scratch_bytes;
    size_t fixed_bytes; /**< Object, tables, top levels. */
    uint32_t kept;
    uint32_t empty;         /**< Chunks known to be empty. */
    uint64_t triangles;     /**< In kept meshes. */
    uint64_t hits;          /**< Uses that found a tree. 0 with VP_TERRAIN_NO_LIMIT. */
    uint64_t misses;        /**< Uses that built or awaited a tree. */
    uint64_t built;         /**< Meshes built, also empty ones. */
    uint64_t evictions;     /**< Trees dropped for the budget. */
    uint64_t invalidations; /**< Trees dropped by edits. */
    uint64_t transient;     /**< Built, not kept. */
    uint64_t build_ns;      /**< Build time of all threads. */
} vp_terrain_stats;

/** Returns statistics. */
VP_API vp_terrain_stats vp_terrain_stats_of(vp_terrain *terrain);

/** Returns the broadphase. Query it only while reading. */
VP_API const vp_broadphase *vp_terrain_broadphase(const vp_terrain *terrain);

/** Saves one version of the world, like vp_world_save. Edits do not wait for the disk. */
VP_API vp_status vp_terrain_save(vp_terrain *terrain, const char *note, const char *path, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
