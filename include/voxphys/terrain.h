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
 *  Voxel terrain that threads can query while others edit it. Supports ray casts, sphere sweeps, triangle gathering and box overlap.
 *
 *      const vp_terrain_def def = {.world = world};
 *      vp_terrain *terrain = NULL;
 *      vp_error error;
 *      if (vp_terrain_create(&def, &terrain, &error) != VP_OK)
 *          return error.status;
 *      const vp_ray down = {.origin = {32, 100, 32}, .direction = {0, -1, 0}, .t_max = 200};
 *      vp_terrain_point ground;
 *      if (vp_terrain_raycast_point(terrain, VP_SURFACE_SOLID, &down, &ground, &error) == VP_OK && ground.hit.hit.triangle >= 0)
 *          printf("ground at y = %g, material %u\n", (double)ground.point.y, (unsigned)ground.triangle.material);
 *      vp_terrain_destroy(terrain);
 *
 *  Cache. A terrain keeps a mesh and a tree per chunk and surface, up to a memory budget. Queries build the trees that they miss.
 *  Edits drop the trees of the chunks that they change. The least recently used trees are evicted first.
 *
 *  Results do not depend on kernels, tree form, budget or thread count. Gathered triangles have no particular order.
 *  Details: docs/CONTRACT.md, RAY, SWP, BOX and WLD.
 *
 *  Versions. Each edit creates a new version, and each query sees exactly one version. A triangle number is valid in one version only.
 *  Use a reader (vp_terrain_acquire_reader) for several queries of one version.
 *
 *  Threads. All functions except create and destroy can be called from several threads at once. Edits wait for running queries and
 *  open readers. New queries wait for the pending edit. Threads that need the same missing tree wait until one of them has built it,
 *  except with VP_TERRAIN_NO_CACHE. Executor threads must not call functions of the terrain that they work for.
 *
 *  Memory, without the world and the broadphase:
 *  - tables and top level: 15 bytes per chunk and about 40 bytes per chunk column for each surface, and 4 bytes per chunk
 *  - meshes and trees: at most the budget
 *  - build scratch: less than 1 MB per thread that builds at the same time, kept for reuse
 *  - edits: broadphase masks
 *  - vp_terrain_save: little more than 2 bytes per voxel at most, and file names from the C allocator
 *  - vp_terrain_raycast_many: 16 bytes per ray if it sorts the rays */

#ifdef __cplusplus
extern "C" {
#endif

/** Terrain object. Holds the broadphase, the top level and the tree cache of a world. */
typedef struct vp_terrain vp_terrain;

/** Bits of vp_terrain_def.surfaces. */
enum {
    VP_TERRAIN_SOLID = 1 << VP_SURFACE_SOLID, /**< Surface of solid voxels. */
    VP_TERRAIN_WATER = 1 << VP_SURFACE_WATER  /**< Surface of water voxels. */
};

/** Default budget, 128 MiB. Holds about 19,000 chunks of hills and caves in the wide form (6.6 KiB each), which is the largest form. */
#define VP_TERRAIN_DEFAULT_BUDGET (VP_CAST(size_t, 128) << 20)
/** Budget that keeps no tree. Each query builds the trees that it needs and takes up to about 20 times as long. */
#define VP_TERRAIN_NO_CACHE VP_CAST(size_t, 1)
/** Unlimited budget. */
#define VP_TERRAIN_NO_LIMIT SIZE_MAX

/** Settings for vp_terrain_create. Zero-initialize all fields except `world` for defaults. */
typedef struct vp_terrain_def {
    vp_world *world;               /**< World, owned by the caller. Must outlive the terrain. Only the terrain's edits may change it. */
    uint32_t surfaces;             /**< VP_TERRAIN_SOLID, VP_TERRAIN_WATER or both. 0 = VP_TERRAIN_SOLID. */
    vp_ivec3 first;                /**< Lowest chunk of the box of chunks that queries see. */
    vp_dims chunks;                /**< Size of that box, in chunks. `first` and `chunks` all 0 = whole world. */
    vp_kd_form form;               /**< Form of the trees. 0 = VP_KD_PUBLISHED. */
    size_t budget;                 /**< Maximum size of kept meshes and trees of all surfaces, in bytes. 0 = VP_TERRAIN_DEFAULT_BUDGET.
                                        A tree that does not fit is built for one query and not kept. */
    const vp_kernels *kernels;     /**< Kernel table, copied. NULL = vp_kernels_default(). */
    const vp_executor *executor;   /**< Executor of vp_terrain_create, vp_terrain_prepare and vp_terrain_raycast_many, copied.
                                        NULL = calling thread. */
    const vp_allocator *allocator; /**< Allocator, copied. NULL = vp_allocator_default(). Called from several threads at once.
                                        Must not call functions of the terrain. */
} vp_terrain_def;

/** Creates a terrain with its broadphase and top level. Builds no mesh and no tree. Cost: O(voxels).
 *  @param def  settings, read during the call
 *  @param out  new terrain
 *  @return VP_E_ARGUMENT if the world is NULL, the box of chunks is outside the world, or surfaces or form are invalid
 *          VP_E_MEMORY if an allocation fails
 *          VP_E_UNSUPPORTED or VP_E_ARGUMENT if kernels is NULL and the environment variable VOXPHYS_ISA is unsupported or invalid */
VP_API vp_status vp_terrain_create(const vp_terrain_def *def, vp_terrain **out, vp_error *error);
/** Destroys a terrain. The world is not destroyed. No thread may be using the terrain. NULL is a no-op. */
VP_API void vp_terrain_destroy(vp_terrain *terrain);

/* ---- results ---- */

/** Surface data of a triangle. */
typedef struct vp_terrain_triangle {
    vp_vec3 corner[3]; /**< Corners in world space, in voxels. Same bits as in the chunk's mesh. */
    vp_vec3 normal;    /**< Unit normal, pointing out of the surface. 0 = no area. */
    uint8_t material;  /**< Material of the voxel inside the surface. */
} vp_terrain_triangle;

/** Hit of a ray, with surface data. On a miss all fields except `hit` are zero. */
typedef struct vp_terrain_point {
    vp_terrain_hit hit;           /**< Hit as returned by vp_terrain_raycast. */
    vp_vec3 point;                /**< Hit point, origin + t * direction, world space, in voxels. */
    vp_terrain_triangle triangle; /**< Surface data of the hit triangle. */
} vp_terrain_point;

/** First contact of a moving sphere. On a miss all fields except `hit` are zero. */
typedef struct vp_terrain_contact {
    vp_terrain_hit hit;           /**< Touched triangle, ray parameter t, weights of the contact point (vp_kd_sphere_sweep). */
    vp_sphere_contact at;         /**< Sphere centre, contact point, contact normal, and the penetration depth at its start. */
    vp_terrain_triangle triangle; /**< Surface data of the touched triangle. */
} vp_terrain_contact;

/* ---- queries ---- */

/* Each call sees one version of the terrain. */

/** Casts a ray and returns the closest hit. Ties go to the chunk with the lowest number, then to its lowest triangle.
 *  @param surface  surface to hit, one of vp_terrain_def.surfaces
 *  @param out      closest hit. On a miss out->hit.triangle = VP_NO_HIT and out->hit.t = ray->t_max
 *  @return VP_E_ARGUMENT if the ray violates vp_ray (the message names the component) or the terrain has no such surface
 *          VP_E_MEMORY if a chunk's tree cannot be built */
VP_API vp_status vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error);
/** Like vp_terrain_raycast, and also returns the hit point and the triangle's corners, normal and material.
 *  Extra cost: O(1), or O(quads of the chunk) for packed and implied trees.
 *  @return errors of vp_terrain_raycast */
VP_API vp_status vp_terrain_raycast_point(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_point *out,
                                          vp_error *error);
/** Casts many rays on the executor's threads and returns the closest hit of each. Similar rays that are adjacent in the array cost less
 *  than single casts. With a budget, scattered rays are sorted by the chunk column of their origin, so that fewer trees are built twice.
 *  @param ray  rays [count]
 *  @param out  closest hits [count]. An invalid ray gets hit.triangle = VP_RAY_INVALID, hit.t = t_max and u = v = 0
 *  @return VP_E_ARGUMENT if a ray is invalid (the message names the first one and its component), all other hits are valid
 *          VP_E_ARGUMENT if the terrain has no such surface
 *          VP_E_MEMORY if a chunk's tree cannot be built, `out` is then unspecified */
VP_API vp_status vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out,
                                         vp_error *error);
/** Returns whether a ray hits any triangle. Faster than vp_terrain_raycast.
 *  @param out  true = at least one hit
 *  @return errors of vp_terrain_raycast */
VP_API vp_status vp_terrain_raycast_any(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error);
/** Returns all triangles that a ray hits, sorted by t, then by chunk, then by triangle number.
 *  @param out    first min(count, capacity) hits [capacity]. Unspecified after VP_E_MEMORY
 *  @param count  number of hits, can exceed capacity
 *  @return errors of vp_terrain_raycast */
VP_API vp_status vp_terrain_raycast_all(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity,
                                        uint32_t *count, vp_error *error);
/** Moves a sphere along a ray and returns the first contact. A sphere that starts in contact gets the triangle nearest to its centre,
 *  with t = 0 and a penetration depth.
 *  @param ray     path of the sphere's centre
 *  @param radius  radius in voxels, 0 to VP_KD_MAX
 *  @param out     first contact. On a miss out->hit.hit.triangle = VP_NO_HIT and out->hit.hit.t = ray->t_max
 *  @return VP_E_ARGUMENT if the radius is negative, NaN or above VP_KD_MAX
 *          otherwise errors of vp_terrain_raycast */
VP_API vp_status vp_terrain_sphere_sweep(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, float radius, vp_terrain_contact *out,
                                         vp_error *error);
/** Returns the triangles whose bounding boxes overlap a closed box, in no particular order.
 *  @param out    triangle ids [capacity]. The first min(count, capacity) elements are valid, the rest is unspecified
 *  @param count  number of triangles, can exceed capacity. UINT32_MAX = UINT32_MAX or more
 *  @return VP_E_ARGUMENT if the box has a NaN or min > max, or the terrain has no such surface
 *          VP_E_MEMORY if a chunk's tree cannot be built, `out` is then unspecified */
VP_API vp_status vp_terrain_gather(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                   uint32_t capacity, uint32_t *count, vp_error *error);

/** Like vp_terrain_gather, and also returns each triangle's corners, normal and material.
 *  Extra cost per triangle: O(1), or O(quads of the chunk) for packed and implied trees.
 *  @param triangle  surface data of each element of `out` [capacity]. Unspecified after VP_E_MEMORY
 *  @return errors of vp_terrain_gather */
VP_API vp_status vp_terrain_gather_triangles(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                             vp_terrain_triangle *triangle, uint32_t capacity, uint32_t *count, vp_error *error);

/** Tests a box against the broadphase, like vp_broadphase_overlap. Covers the whole world and both surfaces, also where the terrain was
 *  created for fewer. Allocates nothing. Cost: O(chunks under the box).
 *  @param touch  VP_TOUCH_SOLID and VP_TOUCH_WATER bits
 *  @return VP_E_ARGUMENT if the box has a NaN or min > max */
VP_API vp_status vp_terrain_overlap(vp_terrain *terrain, const vp_aabb *box, uint32_t *touch, vp_error *error);
/** Tests many boxes against one version of the broadphase, like vp_broadphase_overlap_batch. Runs on the calling thread.
 *  @param touch  VP_TOUCH_ bits of each box [boxes->count]. An invalid box gets VP_TOUCH_INVALID
 *  @return VP_E_ARGUMENT if a box is invalid (the message names the first one), all other results are valid */
VP_API vp_status vp_terrain_overlap_many(vp_terrain *terrain, const vp_boxes *boxes, uint8_t *touch, vp_error *error);

/** Returns whether a point is inside the solid or the water, behind the surface that bodies rest on. Docs: CONTRACT.md, INS-1 to INS-5.
 *  Reads the voxels of the whole world, also outside the terrain's chunks. Needs no mesh and allocates nothing. Cost: O(1).
 *  @param out  false in front of the surface, on it and outside the world
 *  @return VP_E_ARGUMENT if a coordinate is not finite, the terrain has no such surface, or an argument is NULL */
VP_API vp_status vp_terrain_inside(vp_terrain *terrain, vp_surface surface, vp_vec3 point, bool *out, vp_error *error);

/** Returns one voxel. Voxels outside the world are air (material 0, occupancy 0). */
VP_API vp_voxel vp_terrain_voxel(vp_terrain *terrain, vp_ivec3 at);

/* ---- readers ---- */

/** Read lock on one version of a terrain. The caller owns the memory, and the library owns the fields. Must not be copied or moved
 *  between begin and end. */
typedef struct vp_terrain_reader {
    vp_terrain *terrain; /**< Terrain. NULL = not reading. */
    vp_holder holder;    /**< Entry in the terrain's list of readers. */
} vp_terrain_reader;

/** Begins to read one version of a terrain. Cost: O(1).
 *  Edits wait until the reader ends, and new queries of other threads wait for these edits. Hold a reader for a few milliseconds at most.
 *  The calling thread can use all functions except edits, vp_terrain_set_budget and vp_terrain_prepare, which return VP_E_ARGUMENT.
 *  It can begin more readers, of this and other terrains, and end them in any order. Two threads deadlock if each reads a terrain that the
 *  other one edits.
 *  Other threads can query the reader until it ends. If the thread that ends the reader waits for them, they must not wait for an edit
 *  or call other functions of this terrain. Any thread can end the reader while the thread that began it still runs.
 *  @param out  reader that is not reading */
VP_API void vp_terrain_acquire_reader(vp_terrain *terrain, vp_terrain_reader *out);
/** Ends reading. A reader that has ended or is all zero is a no-op. Cost: O(readers of the terrain). */
VP_API void vp_terrain_release_reader(vp_terrain_reader *reader);

/* ---- queries of a reader ---- */

/* Same parameters, results and errors as the functions above. A reader that has ended or is all zero yields VP_E_ARGUMENT or NULL. */

/** Returns the world. Functions of world.h and mesh.h can read its voxels until the reader ends. */
VP_API const vp_world *vp_terrain_reader_world(const vp_terrain_reader *reader);
/** Returns the broadphase, which can be queried until the reader ends. */
VP_API const vp_broadphase *vp_terrain_reader_broadphase(const vp_terrain_reader *reader);

/** Like vp_terrain_raycast, in the reader's version. */
VP_API vp_status vp_terrain_reader_raycast(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out,
                                           vp_error *error);
/** Like vp_terrain_raycast_point, in the reader's version. */
VP_API vp_status vp_terrain_reader_raycast_point(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray,
                                                 vp_terrain_point *out, vp_error *error);
/** Like vp_terrain_raycast_many, in the reader's version. */
VP_API vp_status vp_terrain_reader_raycast_many(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, size_t count,
                                                vp_terrain_hit *out, vp_error *error);
/** Like vp_terrain_raycast_any, in the reader's version. */
VP_API vp_status vp_terrain_reader_raycast_any(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, bool *out,
                                               vp_error *error);
/** Like vp_terrain_raycast_all, in the reader's version. */
VP_API vp_status vp_terrain_reader_raycast_all(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out,
                                               uint32_t capacity, uint32_t *count, vp_error *error);
/** Like vp_terrain_sphere_sweep, in the reader's version. */
VP_API vp_status vp_terrain_reader_sphere_sweep(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, float radius,
                                                vp_terrain_contact *out, vp_error *error);
/** Like vp_terrain_gather, in the reader's version. */
VP_API vp_status vp_terrain_reader_gather(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box,
                                          vp_terrain_triangle_id *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** Like vp_terrain_gather_triangles, in the reader's version. */
VP_API vp_status vp_terrain_reader_gather_triangles(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box,
                                                    vp_terrain_triangle_id *out, vp_terrain_triangle *triangle, uint32_t capacity,
                                                    uint32_t *count, vp_error *error);
/** Like vp_terrain_inside, in the reader's version. */
VP_API vp_status vp_terrain_reader_inside(const vp_terrain_reader *reader, vp_surface surface, vp_vec3 point, bool *out, vp_error *error);
/** Returns the surface data of a triangle that a query of this reader returned. Builds the chunk's tree if it is not kept.
 *  Cost with a kept tree: O(1), or O(quads of the chunk) for packed and implied trees.
 *  @return VP_E_ARGUMENT if the terrain has no such surface, chunk or triangle
 *          VP_E_MEMORY if the chunk's tree cannot be built */
VP_API vp_status vp_terrain_reader_triangle(const vp_terrain_reader *reader, vp_surface surface, vp_terrain_triangle_id triangle,
                                            vp_terrain_triangle *out, vp_error *error);

/* ---- edits ---- */

/* An edit returns VP_E_ARGUMENT if the calling thread holds a reader of the terrain. A failed edit changes nothing. */

/** Writes one voxel. Updates the broadphase and the top level, and drops the meshes and trees of the chunks that change.
 *  @param at     voxel inside the world
 *  @param stale  set to which the changed chunks and their changed layers are added, for vp_contacts_terrain_changed. NULL = not needed.
 *                All edits can share one set. It is written only while nobody reads. A thread that holds a reader can read it, and one
 *                such thread at a time can clear it
 *  @return VP_E_ARGUMENT if `at` is outside the world or `stale` has another size
 *          VP_E_MEMORY if the broadphase masks cannot be allocated */
VP_API vp_status vp_terrain_set_voxel(vp_terrain *terrain, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);
/** Writes many voxels as one edit, like vp_world_set_voxels. Queries see all of them or none. Updates each changed chunk once.
 *  Cost: O(count + changed chunks + range of changed chunk numbers / 64). Allocates only broadphase masks.
 *  @param at     positions [count]. If a position occurs more than once, its last value counts
 *  @param voxel  values [count]
 *  @return errors of vp_terrain_set_voxel, and VP_E_ARGUMENT if `at` or `voxel` is NULL and count > 0 */
VP_API vp_status vp_terrain_set_voxels(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                       vp_error *error);
/** Fills the box low <= v < high, clipped to the world, as one edit (vp_world_fill_box).
 *  @return VP_E_ARGUMENT if low > high on an axis or `stale` has another size
 *          VP_E_MEMORY if the broadphase masks cannot be allocated */
VP_API vp_status vp_terrain_fill_box(vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale,
                                     vp_error *error);
/** Fills all voxels whose centre is at most `radius` voxels from `centre`, as one edit (vp_world_fill_sphere).
 *  @return VP_E_ARGUMENT if the centre is not finite, the radius is negative or not finite, or `stale` has another size
 *          VP_E_MEMORY if the broadphase masks cannot be allocated */
VP_API vp_status vp_terrain_fill_sphere(vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale,
                                        vp_error *error);
/** Copies a box of voxels into the world as one edit (vp_world_write_rows). Skips voxels outside the world.
 *  @param material   element (y * size.z + z) * size.x + x is voxel low + (x, y, z) [size.x * size.y * size.z]
 *  @param occupancy  same layout. NULL = 255 for all voxels except air, 0 for air
 *  @return VP_E_ARGUMENT if size or low + size exceeds 2147483647 on an axis, `material` is NULL, or `stale` has another size
 *          VP_E_MEMORY if the broadphase masks cannot be allocated */
VP_API vp_status vp_terrain_write_rows(vp_terrain *terrain, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                                       vp_chunk_set *stale, vp_error *error);

/* ---- the cache ---- */

/** Builds missing meshes and trees in advance, on the executor's threads, until one does not fit into the budget. Evicts nothing.
 *  The order is ascending by chunk, solid before water. Afterwards passes the triangles' bounds to the top level, which makes rays faster
 *  until the chunks are edited. This step waits for readers like an edit. Other edits can run after every 256 chunks at most. Chunks that
 *  they change are not built again if their turn is over.
 *  @return VP_E_ARGUMENT if the calling thread holds a reader of the terrain
 *          VP_E_MEMORY if a tree cannot be built, the trees built so far are kept */
VP_API vp_status vp_terrain_prepare(vp_terrain *terrain, vp_error *error);

/** Sets the budget and evicts the least recently used trees that exceed it. Waits for readers like an edit.
 *  With VP_TERRAIN_NO_LIMIT uses are not recorded, so the trees built first count as least recently used.
 *  @param budget  as vp_terrain_def.budget
 *  @return VP_E_ARGUMENT if the calling thread holds a reader of the terrain, the budget is then unchanged */
VP_API vp_status vp_terrain_set_budget(vp_terrain *terrain, size_t budget, vp_error *error);

/** Cache statistics. Counters start when the terrain is created. A use is a query's request for the tree of a chunk.
 *  Eviction goes by last use, counted in trees built. Ties go to the lowest chunk. */
typedef struct vp_terrain_stats {
    size_t budget;          /**< Budget, in bytes. 0 = VP_TERRAIN_NO_CACHE. */
    size_t bytes;           /**< Size of kept meshes and trees, in bytes. At most `budget`. */
    size_t most_bytes;      /**< Maximum of `bytes` so far. */
    size_t scratch_bytes;   /**< Size of build scratch, in bytes. */
    size_t fixed_bytes;     /**< Size of the object, its tables and top levels, in bytes. Excludes world and broadphase. */
    uint32_t kept;          /**< Number of kept trees, counted per chunk and surface. */
    uint32_t empty;         /**< Number of chunks known to have no triangles, counted per surface. They take no budget. */
    uint64_t triangles;     /**< Number of triangles in kept meshes. */
    uint64_t hits;          /**< Number of uses that found a tree. Not counted with VP_TERRAIN_NO_LIMIT. */
    uint64_t misses;        /**< Number of uses that had to build a tree or wait for another thread to build it. */
    uint64_t built;         /**< Number of meshes built, including those without triangles. */
    uint64_t evictions;     /**< Number of trees dropped for the budget. */
    uint64_t invalidations; /**< Number of trees dropped by edits. */
    uint64_t transient;     /**< Number of trees built and not kept, because budget or memory was missing. */
    uint64_t build_ns;      /**< Build time of all threads in total, in nanoseconds. */
} vp_terrain_stats;

/** Returns the cache statistics. Cost: O(1). */
VP_API vp_terrain_stats vp_terrain_stats_of(vp_terrain *terrain);

/* ---- parts and files ---- */

/** Returns the broadphase. The pointer stays valid until the terrain is destroyed, so that contacts can keep it (contacts.h).
 *  Edits change its content. Query it only while reading. */
VP_API const vp_broadphase *vp_terrain_broadphase(const vp_terrain *terrain);

/** Saves one version of the world to a file, like vp_world_save. Edits wait until the file's bytes are in memory, not for the disk.
 *  If two threads save to the same path at once, either file can remain.
 *  @return errors of vp_world_save */
VP_API vp_status vp_terrain_save(vp_terrain *terrain, const char *note, const char *path, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
