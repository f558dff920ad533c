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
#include <voxphys/terrain_data.h>
#include <voxphys/world.h>

/** @file terrain.h
 *  Terrain as a whole (voxel terrain article, "Narrowphase data" and "Loose kD tree: queries"): a world that is edited
 *  while it is queried. It has the world's voxels, its bit broadphase, and for chunks that queries came to a mesh and a tree over
 *  it, kept within a budget of bytes: those that were used least recently go first, and an edit drops those that it changes.
 *
 *  **Answers** are those of one mesh of all chunks (vp_mesh_create) asked by brute force, bit for bit, with any kernels, any
 *  form, any budget and any number of threads; an edited terrain answers as one that is made from the edited voxels.
 *
 *  **Threads.** All functions but create and destroy may be called from any number of threads at once. A query sees the
 *  terrain as it is before or after an edit, never in between; of a function for many rays that holds for all of them together.
 *  Edits wait for the queries that have begun, queries for the edit that is waiting. A chunk's mesh and tree are made by one
 *  thread; others that need them wait for it, those that do not go on. The executor's threads ask on behalf of the thread that called:
 *  what runs on them calls no function of this terrain.
 *
 *  **Memory** besides voxels and broadphase: for each surface 15 bytes and a bit a chunk and some 40 bytes a column of chunks, and
 *  a bit a chunk; meshes and trees, at most the budget; and what they are made in, less than a megabyte for each thread that makes any at
 *  one time, kept for the next (vp_terrain_stats.scratch_bytes). Only what meshes and trees are kept or made in, the masks of
 *  edits, the bytes of the file while vp_terrain_save writes them (little more than 2 a voxel at most; its names are C's own), and 16
 *  bytes a ray while vp_terrain_raycast_many sorts its rays (which it does within a budget, and goes without where there is no
 *  memory) is asked for after vp_terrain_create. */

#ifdef __cplusplus
extern "C" {
#endif

/** A world with all that queries need. */
typedef struct vp_terrain vp_terrain;

/** Bits of vp_terrain_def.surfaces. */
enum {
    VP_TERRAIN_SOLID = 1 << VP_SURFACE_SOLID, /**< The surface of solids. */
    VP_TERRAIN_WATER = 1 << VP_SURFACE_WATER  /**< The surface of water. */
};

/** A budget of bytes that nothing exceeds. */
#define VP_TERRAIN_NO_LIMIT SIZE_MAX

/** What a terrain is made from. */
typedef struct vp_terrain_def {
    vp_world *world;       /**< The caller's, and must live longer; until the terrain is destroyed only its edits may change it. */
    uint32_t surfaces;     /**< Which surfaces are asked for, VP_TERRAIN_SOLID, VP_TERRAIN_WATER or both; 0: solid. */
    vp_ivec3 first;        /**< The lowest chunk of the box of chunks that queries see; */
    vp_dims chunks;        /**< its extents. All 0: the whole world. As in vp_mesh_def. */
    vp_kd_form form;       /**< Of the chunks' trees. */
    size_t budget;         /**< Bytes of meshes and trees that are kept, of both surfaces; VP_TERRAIN_NO_LIMIT. What finds no room
                                among those in use, or is larger than the budget, is made for one query and not kept: with 0,
                                everything. */
    const vp_kernels *kernels;     /**< Copied; NULL: as vp_kernels_default says. */
    const vp_executor *executor;   /**< Copied; for the broadphase, vp_terrain_prepare and vp_terrain_raycast_many. NULL: the calling
                                        thread. */
    const vp_allocator *allocator; /**< NULL: C's own. Called by whichever thread needs memory, by several at once; it calls no
                                        function of the terrain. */
} vp_terrain_def;

/** Makes a terrain: the broadphase and the top level. O(voxels). No mesh and no tree is made.
 *  @return VP_E_ARGUMENT without a world, for a box of chunks that is not in it, surfaces or a form that there are not; VP_E_MEMORY;
 *          VP_E_UNSUPPORTED (VOXPHYS_ISA names what this machine lacks); VP_E_ARGUMENT for a VOXPHYS_ISA that there is not. */
VP_API vp_status vp_terrain_create(const vp_terrain_def *def, vp_terrain **out, vp_error *error);
/** Frees a terrain and leaves its world; NULL is left alone. */
VP_API void vp_terrain_destroy(vp_terrain *terrain);

/* ---- queries ---- */

/** The nearest triangle that a ray meets; of equally near ones that of the chunk with the lowest number, and there the lowest.
 *  @param out  hit.triangle VP_NO_HIT and hit.t = t_max if there is none
 *  @return VP_E_ARGUMENT for a ray that is not as vp_ray says (the message names the component), or a surface that the terrain was
 *          not made for; VP_E_MEMORY if there is none to make a chunk's tree in. */
VP_API vp_status vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_world_hit *out, vp_error *error);
/** The same for many rays, in pieces on the executor's threads. Rays that lie near each other in the array and are alike cost
 *  less than one by one; with a budget, rays from all over the terrain are sorted by the chunks in which they begin, so that fewer
 *  trees are made twice. Rays that are asked together may make trees that none of them makes by itself.
 *  @param out  one a ray. Of those that are not as vp_ray says, hit.triangle is VP_RAY_INVALID, t the ray's t_max, u and v 0
 *  @return VP_E_ARGUMENT if there are such rays: the message names the first of them and its component; all the others have
 *          their answers. VP_E_MEMORY: none has. */
VP_API vp_status vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_world_hit *out,
                                         vp_error *error);
/** Whether a ray meets any triangle: cheaper than which. */
VP_API vp_status vp_terrain_raycast_any(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error);
/** All triangles that a ray meets, by ascending t, then by chunk, then by number.
 *  @param out    the first `capacity` of them
 *  @param count  how many there are, which may be more than `capacity`
 *  @return as vp_terrain_raycast; after VP_E_MEMORY what is in `out` is nonsense. */
VP_API vp_status vp_terrain_raycast_all(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_world_hit *out, uint32_t capacity,
                                        uint32_t *count, vp_error *error);
/** The first triangle that a sphere touches as its centre moves along a ray: see vp_kd_sweep_fn.
 *  @return as vp_terrain_raycast, and VP_E_ARGUMENT for a radius that is negative, NaN or above VP_KD_MOST. */
VP_API vp_status vp_terrain_sphere_sweep(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, float radius, vp_world_hit *out,
                                         vp_error *error);
/** The triangles whose own boxes overlap a closed box, in no order.
 *  @param out    the first `capacity` that are found; behind them, up to `capacity`, is nonsense
 *  @param count  how many there are, which may be more than `capacity`; UINT32_MAX: or more
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max on an axis, or a surface that the terrain was not made for;
 *          VP_E_MEMORY, and what is in `out` is nonsense. */
VP_API vp_status vp_terrain_gather(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_world_triangle *out, uint32_t capacity,
                                   uint32_t *count, vp_error *error);

/** The corners of a triangle of the terrain as it is now, which need not be as a query saw it before.
 *  @return VP_E_ARGUMENT for a surface, a chunk or a triangle that there is not; VP_E_MEMORY. */
VP_API vp_status vp_terrain_corners(vp_terrain *terrain, vp_surface surface, vp_world_triangle triangle, vp_vec3 out[3], vp_error *error);
/** What is at a hit, as vp_kd_surface says, of the terrain as it is now: the material is that of the voxel inside.
 *  @return as vp_terrain_corners. */
VP_API vp_status vp_terrain_surface(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, const vp_world_hit *hit,
                                    vp_surface_point *out, vp_error *error);

/** One voxel, as vp_world_voxel says, while others may edit. */
VP_API vp_voxel vp_terrain_voxel(vp_terrain *terrain, vp_ivec3 at);

/* ---- edits ---- */

/** Writes one voxel: vp_world_set_voxel, and brings up to date what depends on it: broadphase and top level at once, meshes and
 *  trees of the chunks that it changes by dropping them.
 *  @param stale  if not NULL, receives (in addition to what it holds) the chunks that were derived anew, as for the contacts of
 *                a broadphase (vp_contacts_terrain_changed)
 *  @return as vp_world_set_voxel; VP_E_MEMORY. After a failure nothing is changed. */
VP_API vp_status vp_terrain_set_voxel(vp_terrain *terrain, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);
/** The same with vp_world_fill_box. */
VP_API vp_status vp_terrain_fill_box(vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);
/** The same with vp_world_fill_sphere. */
VP_API vp_status vp_terrain_fill_sphere(vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale,
                                        vp_error *error);
/** The same with vp_world_write_rows. */
VP_API vp_status vp_terrain_write_rows(vp_terrain *terrain, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy,
                                       vp_chunk_set *stale, vp_error *error);

/* ---- the cache ---- */

/** Makes meshes and trees ahead of time, on the executor's threads: of all chunks that may have triangles and are not made, in
 *  ascending order, solid before water, until one finds no room in the budget; none is dropped for it. At its end it tells the top
 *  level where the triangles are, which makes rays faster until the chunks are edited; for that it waits as an edit does. Edits
 *  come in between, some hundred chunks apart; what they make stale behind it is not made.
 *  @return VP_E_MEMORY: what was made stays. */
VP_API vp_status vp_terrain_prepare(vp_terrain *terrain, vp_error *error);

/** Sets another budget, as an edit in its turn; what is above it is dropped, the least recently used first. Without a limit uses
 *  are not noted: then those that were made first count as used first. */
VP_API void vp_terrain_set_budget(vp_terrain *terrain, size_t budget);

/** What the cache holds, and what has happened since the terrain was made. A *use* is a query's asking for the tree of a chunk:
 *  of one whose bits it crosses, or of one on its way that is made. Of least recently used trees the order is that of
 *  their last uses, as far as trees were made in between; of those used since the same one, that of chunks. */
typedef struct vp_terrain_stats {
    size_t budget;          /**< As set. */
    size_t bytes;           /**< Of meshes and trees that are kept, with everything that belongs to them; never above budget. */
    size_t most_bytes;      /**< The most that it has been. */
    size_t scratch_bytes;   /**< What meshes and trees are made in, kept for the next. */
    size_t fixed_bytes;     /**< Of the object, its tables and the top levels; not of world and broadphase. */
    uint32_t kept;          /**< Chunks with triangles whose mesh and tree are kept. */
    uint32_t empty;         /**< Chunks known to have no triangles: they take no bytes of the budget. */
    uint64_t triangles;     /**< In the meshes that are kept. */
    uint64_t hits;          /**< Uses of chunks that were made; not counted where the budget is VP_TERRAIN_NO_LIMIT. */
    uint64_t misses;        /**< Uses of chunks that had to be made, by this query or by another that was about to. */
    uint64_t built;         /**< Meshes that were made, with their trees if they had triangles. */
    uint64_t evictions;     /**< Trees dropped for the budget. */
    uint64_t invalidations; /**< Trees dropped by edits. */
    uint64_t transient;     /**< Trees made and not kept, for the budget had no room that was not in use, or the allocator none. */
    uint64_t build_ns;      /**< Time spent making them, of all threads together. */
} vp_terrain_stats;

/** Reads them. O(1). */
VP_API vp_terrain_stats vp_terrain_stats_of(vp_terrain *terrain);

/* ---- what it is made of ---- */

/** Begins to read: until vp_terrain_end_reading of the same thread no edit happens, so what follows stays as it is. This thread calls
 *  no other function of this terrain meanwhile but vp_terrain_broadphase, vp_terrain_stats_of and vp_terrain_end_reading: they would
 *  wait for each other. */
VP_API const vp_world *vp_terrain_begin_reading(vp_terrain *terrain);
/** Its broadphase, valid while reading. */
VP_API const vp_broadphase *vp_terrain_broadphase(const vp_terrain *terrain);
/** Ends it. */
VP_API void vp_terrain_end_reading(vp_terrain *terrain);

/** Saves the world as vp_world_save does, as it is before or after each edit. Edits wait until its bytes are in memory, not for
 *  the disk; of two saves to one path at the same time either may be the one that stays.
 *  @return as vp_world_save. */
VP_API vp_status vp_terrain_save(vp_terrain *terrain, const char *note, const char *path, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
