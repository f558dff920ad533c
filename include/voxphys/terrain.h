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
 *  Terrain as a whole (voxel terrain article, "Narrowphase data" and "Loose kD tree: queries"): a world that is edited
 *  while it is queried. It has the world's voxels, its bit broadphase, and for chunks that queries came to a mesh and a tree over
 *  it, kept within a budget of bytes: those that were used least recently go first, and an edit drops those that it changes.
 *
 *  **Answers** are those of one mesh of all chunks (vp_mesh_create) asked by brute force, bit for bit, with any kernels, any
 *  form, any budget and any number of threads; an edited terrain answers as one that is made from the edited voxels.
 *
 *  **Versions.** Each edit makes a new version of the terrain. A query sees one version, never half an edit; a function for many
 *  rays sees one for all of them. What is learnt of one version says nothing of another: a triangle's number may be another
 *  triangle's after an edit. Who asks twice about the same thing asks one query that tells all of it, or a reader
 *  (vp_terrain_begin_reading), which holds one version from begin to end.
 *
 *  **Threads.** All functions but create and destroy may be called from any number of threads at once.
 *  Edits wait for the queries that have begun, queries for the edit that is waiting. A chunk's mesh and tree are made by one
 *  thread; others that need them wait for it, those that do not go on. The executor's threads ask on behalf of the thread that called:
 *  what runs on them calls no function of this terrain.
 *
 *  **Memory** besides voxels and broadphase: for each surface 15 bytes and a bit a chunk and some 40 bytes a column of chunks, and
 *  4 bytes and a bit a chunk; meshes and trees, at most the budget; and what they are made in, less than a megabyte for each thread that makes any at
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

/** The budget of a terrain that was given 0: 128 MiB. A chunk of hills with overhangs and caves takes 6.6 KiB in the wide form, the
 *  largest, and 1.3 KiB in the implied one, so it holds some 19,000 such chunks or more: all that rays from above see of 512 x 512
 *  columns of voxels takes 80 MiB, which is more than a game asks around its players. */
#define VP_TERRAIN_DEFAULT_BUDGET (VP_CAST(size_t, 128) << 20)
/** A budget of no bytes: no mesh and no tree is kept, each query makes its own. That takes up to some 20 times as long as a query
 *  whose trees are there. */
#define VP_TERRAIN_NO_CACHE VP_CAST(size_t, 1)
/** A budget of bytes that nothing exceeds. */
#define VP_TERRAIN_NO_LIMIT SIZE_MAX

/** What a terrain is made from. */
typedef struct vp_terrain_def {
    vp_world *world;               /**< The caller's, and must live longer; until the terrain is destroyed only its edits may change it. */
    uint32_t surfaces;             /**< Which surfaces are asked for, VP_TERRAIN_SOLID, VP_TERRAIN_WATER or both; 0: solid. */
    vp_ivec3 first;                /**< The lowest chunk of the box of chunks that queries see; */
    vp_dims chunks;                /**< its extents. All 0: the whole world. As in vp_mesh_def. */
    vp_kd_form form;               /**< Of the chunks' trees. */
    size_t budget;                 /**< Bytes of meshes and trees that are kept, of both surfaces; VP_TERRAIN_NO_LIMIT; VP_TERRAIN_NO_CACHE;
                                        0: VP_TERRAIN_DEFAULT_BUDGET. What finds no room among those in use, or is larger than the budget,
                                        is made for one query and not kept. */
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
/** Frees a terrain, which nobody reads or uses any more, and leaves its world; NULL is left alone. */
VP_API void vp_terrain_destroy(vp_terrain *terrain);

/* ---- answers ---- */

/** What a triangle is. */
typedef struct vp_terrain_triangle {
    vp_vec3 corner[3]; /**< Bit for bit those of the chunk's mesh. */
    vp_vec3 normal;    /**< Of length 1, out of the surface; 0 of a triangle whose area is 0 in double. */
    uint8_t material;  /**< Of the voxel inside. */
} vp_terrain_triangle;

/** Where a ray meets the terrain, and what is there. Of no hit all but `hit` is 0. */
typedef struct vp_terrain_point {
    vp_terrain_hit hit;           /**< As vp_terrain_raycast has it. */
    vp_vec3 point;                /**< origin + t*direction. */
    vp_terrain_triangle triangle; /**< The triangle. */
} vp_terrain_point;

/** Where a swept sphere touches the terrain. Of no hit all but `hit` is 0. */
typedef struct vp_terrain_contact {
    vp_terrain_hit hit;           /**< The triangle, t, and the weights of the point that is touched: as of a tree's sweep (kd.h). */
    vp_sphere_contact at;         /**< How it is touched: the sphere's centre, contact point, contact normal, and whether the sphere
                                       overlaps the terrain at its start. */
    vp_terrain_triangle triangle; /**< The triangle. */
} vp_terrain_contact;

/* ---- queries ---- */

/* Each sees one version of its own. Those of a reader, further below, have the same names, parameters and answers. */

/** The nearest triangle that a ray meets; of equally near ones that of the chunk with the lowest number, and there the lowest.
 *  @param out  hit.triangle VP_NO_HIT and hit.t = t_max if there is none
 *  @return VP_E_ARGUMENT for a ray that is not as vp_ray says (the message names the component), or a surface that the terrain was
 *          not made for; VP_E_MEMORY if there is none to make a chunk's tree in. */
VP_API vp_status vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error);
/** The same, with point, normal, material and corners. O(1) more than the ray; of trees of the packed and the implied form O(n)
 *  in the chunk's quads.
 *  @return as vp_terrain_raycast */
VP_API vp_status vp_terrain_raycast_point(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_point *out,
                                          vp_error *error);
/** The nearest triangles for many rays, in pieces on the executor's threads. Rays that lie near each other in the array and are alike cost
 *  less than one by one; with a budget, rays from all over the terrain are sorted by the chunks in which they begin, so that fewer
 *  trees are made twice. Rays that are asked together may make trees that none of them makes by itself.
 *  @param out  one a ray. Of those that are not as vp_ray says, hit.triangle is VP_RAY_INVALID, t the ray's t_max, u and v 0
 *  @return VP_E_ARGUMENT if there are such rays: the message names the first of them and its component; all the others have
 *          their answers. VP_E_MEMORY: none has. */
VP_API vp_status vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out,
                                         vp_error *error);
/** Whether a ray meets any triangle: cheaper than which. */
VP_API vp_status vp_terrain_raycast_any(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, bool *out, vp_error *error);
/** All triangles that a ray meets, by ascending t, then by chunk, then by number.
 *  @param out    the first `capacity` of them
 *  @param count  how many there are, which may be more than `capacity`
 *  @return as vp_terrain_raycast; after VP_E_MEMORY what is in `out` is nonsense. */
VP_API vp_status vp_terrain_raycast_all(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity,
                                        uint32_t *count, vp_error *error);
/** The first triangle that a sphere touches as its centre moves along a ray, and how. A sphere that touches several triangles
 *  at its start is given the lowest of them, not the nearest.
 *  @param out  hit.hit.triangle VP_NO_HIT and hit.hit.t = t_max if it touches none
 *  @return as vp_terrain_raycast, and VP_E_ARGUMENT for a radius that is negative, NaN or above VP_KD_MAX. */
VP_API vp_status vp_terrain_sphere_sweep(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, float radius, vp_terrain_contact *out,
                                         vp_error *error);
/** The triangles whose own boxes overlap a closed box, in no order.
 *  @param out    the first `capacity` that are found; behind them, up to `capacity`, is nonsense
 *  @param count  how many there are, which may be more than `capacity`; UINT32_MAX: or more
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max on an axis, or a surface that the terrain was not made for;
 *          VP_E_MEMORY, and what is in `out` is nonsense. */
VP_API vp_status vp_terrain_gather(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                   uint32_t capacity, uint32_t *count, vp_error *error);

/** The same, with what each triangle is. O(1) more for each; of trees of the packed and the implied form O(n) in its chunk's quads.
 *  @param triangle  of each of `out`: `capacity` of them
 *  @return as vp_terrain_gather */
VP_API vp_status vp_terrain_gather_triangles(vp_terrain *terrain, vp_surface surface, const vp_aabb *box, vp_terrain_triangle_id *out,
                                             vp_terrain_triangle *triangle, uint32_t capacity, uint32_t *count, vp_error *error);

/** Does a box touch terrain? As vp_broadphase_overlap says, of the world as it is before or after each edit: all of it, whichever chunks
 *  and surfaces the terrain was made for. Nothing is allocated. O(chunks under the box).
 *  @return VP_E_ARGUMENT for a box with a NaN or with min > max. */
VP_API vp_status vp_terrain_overlap(vp_terrain *terrain, const vp_aabb *box, uint32_t *touch, vp_error *error);
/** The same for many boxes, as vp_broadphase_overlap_batch says, all of the same version of the world. They are asked on the calling
 *  thread, and edits wait until the last one is answered.
 *  @param touch  boxes->count bytes; all are written: an invalid box gets VP_TOUCH_INVALID
 *  @return VP_E_ARGUMENT if any box is invalid, naming the first; the answers of the others hold. */
VP_API vp_status vp_terrain_overlap_many(vp_terrain *terrain, const vp_boxes *boxes, uint8_t *touch, vp_error *error);

/** One voxel, as vp_world_voxel says. */
VP_API vp_voxel vp_terrain_voxel(vp_terrain *terrain, vp_ivec3 at);

/* ---- a reader: many questions to one version ---- */

/** Holds one version of a terrain while it is read. The caller's memory; its members are the library's, and it is neither copied nor
 *  moved between begin and end. */
typedef struct vp_terrain_reader {
    vp_terrain *terrain; /**< NULL: it does not read. */
    vp_holder holder;    /**< Its place among the readers of this terrain. */
} vp_terrain_reader;

/** Begins to read: until vp_terrain_end_reading no edit happens. Edits of other threads wait, and queries of other threads wait
 *  behind these edits, so a reader is held for microseconds to a few milliseconds.
 *
 *  The thread that began may call everything meanwhile but what waits for readers to end: edits, vp_terrain_set_budget and
 *  vp_terrain_prepare return VP_E_ARGUMENT at once, in release as in debug builds, for they would wait for ever. It may begin other
 *  readers, of this and of other terrains, which end in any order.
 *  Two threads that each hold a reader of one terrain and edit the other's wait for each other for ever.
 *
 *  Other threads may use the reader too, several at once, until it ends. They must not wait for an edit meanwhile, and use no other
 *  function of this terrain, if the thread that is to end the reader waits for them: it is not known that they belong to it. Any thread
 *  may end it, while the thread that began still runs. O(1).
 *  @param out  not one that reads: that one ends first */
VP_API void vp_terrain_begin_reading(vp_terrain *terrain, vp_terrain_reader *out);
/** Ends it. One that has ended, or is all 0, is left alone. O(readers of the terrain). */
VP_API void vp_terrain_end_reading(vp_terrain_reader *reader);

/* Asked with a reader that has ended, or is all 0, these are VP_E_ARGUMENT or NULL. */

/** The world, whose voxels may be read with all functions of world.h and mesh.h until the reader ends. */
VP_API const vp_world *vp_terrain_reader_world(const vp_terrain_reader *reader);
/** Its broadphase, to be asked until the reader ends. */
VP_API const vp_broadphase *vp_terrain_reader_broadphase(const vp_terrain_reader *reader);

/** vp_terrain_raycast, of the version that is held. */
VP_API vp_status vp_terrain_reader_raycast(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out,
                                           vp_error *error);
/** vp_terrain_raycast_point, of the version that is held. */
VP_API vp_status vp_terrain_reader_raycast_point(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray,
                                                 vp_terrain_point *out, vp_error *error);
/** vp_terrain_raycast_many, of the version that is held. */
VP_API vp_status vp_terrain_reader_raycast_many(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, size_t count,
                                                vp_terrain_hit *out, vp_error *error);
/** vp_terrain_raycast_any, of the version that is held. */
VP_API vp_status vp_terrain_reader_raycast_any(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, bool *out,
                                               vp_error *error);
/** vp_terrain_raycast_all, of the version that is held. */
VP_API vp_status vp_terrain_reader_raycast_all(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out,
                                               uint32_t capacity, uint32_t *count, vp_error *error);
/** vp_terrain_sphere_sweep, of the version that is held. */
VP_API vp_status vp_terrain_reader_sphere_sweep(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, float radius,
                                                vp_terrain_contact *out, vp_error *error);
/** vp_terrain_gather, of the version that is held. */
VP_API vp_status vp_terrain_reader_gather(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box,
                                          vp_terrain_triangle_id *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** vp_terrain_gather_triangles, of the version that is held. */
VP_API vp_status vp_terrain_reader_gather_triangles(const vp_terrain_reader *reader, vp_surface surface, const vp_aabb *box,
                                                    vp_terrain_triangle_id *out, vp_terrain_triangle *triangle, uint32_t capacity,
                                                    uint32_t *count, vp_error *error);
/** What a triangle is that a query of this reader told of. O(1); of trees of the packed and the implied form O(n) in the chunk's quads.
 *  @return VP_E_ARGUMENT for a surface, a chunk or a triangle that there is not; VP_E_MEMORY. */
VP_API vp_status vp_terrain_reader_triangle(const vp_terrain_reader *reader, vp_surface surface, vp_terrain_triangle_id triangle,
                                            vp_terrain_triangle *out, vp_error *error);

/* ---- edits ---- */

/* By a thread that has begun to read and not ended, each of them is VP_E_ARGUMENT, and nothing is changed. */

/** Writes one voxel: vp_world_set_voxel, and brings up to date what depends on it: broadphase and top level at once, meshes and
 *  trees of the chunks that it changes by dropping them.
 *  @param stale  if not NULL, receives (in addition to what it holds) the chunks that were derived anew and their changed layers,
 *                as vp_contacts_terrain_changed takes them. It is written while nobody reads: edits of all threads may have the
 *                same set, and who reads (vp_terrain_begin_reading) may look at it and, one thread at a time, change it.
 *  @return as vp_world_set_voxel; VP_E_MEMORY. After a failure nothing is changed. */
VP_API vp_status vp_terrain_set_voxel(vp_terrain *terrain, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error);
/** The same with vp_world_set_voxels, for many voxels anywhere, as one edit: queries see none of them or all, and each chunk that they
 *  change is derived anew once. O(count + chunks that are derived anew + chunks from the lowest to the highest of them / 64). Only
 *  masks take memory. */
VP_API vp_status vp_terrain_set_voxels(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                                       vp_error *error);
/** The same with vp_world_fill_box. */
VP_API vp_status vp_terrain_fill_box(vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel, vp_chunk_set *stale,
                                     vp_error *error);
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
 *  @return VP_E_MEMORY: what was made stays; VP_E_ARGUMENT if this thread reads. */
VP_API vp_status vp_terrain_prepare(vp_terrain *terrain, vp_error *error);

/** Sets another budget, as vp_terrain_def.budget says, as an edit in its turn; what is above it is dropped, the least recently used
 *  first. Without a limit uses are not noted: then those that were made first count as used first.
 *  @return VP_E_ARGUMENT if this thread reads: the budget stays. */
VP_API vp_status vp_terrain_set_budget(vp_terrain *terrain, size_t budget, vp_error *error);

/** What the cache holds, and what has happened since the terrain was made. A *use* is a query's asking for the tree of a chunk:
 *  of one whose bits it crosses, or of one on its way that is made. Of least recently used trees the order is that of
 *  their last uses, as far as trees were made in between; of those used since the same one, that of chunks. */
typedef struct vp_terrain_stats {
    size_t budget;          /**< In bytes: VP_TERRAIN_DEFAULT_BUDGET where 0 was set, 0 where VP_TERRAIN_NO_CACHE was. */
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

/** Its broadphase: the same one until the terrain is destroyed, so contacts may keep it (contacts.h says how). Edits change what it holds:
 *  it is asked while reading. */
VP_API const vp_broadphase *vp_terrain_broadphase(const vp_terrain *terrain);

/** Saves the world as vp_world_save does, as it is before or after each edit. Edits wait until its bytes are in memory, not for
 *  the disk; of two saves to one path at the same time either may be the one that stays.
 *  @return as vp_world_save. */
VP_API vp_status vp_terrain_save(vp_terrain *terrain, const char *note, const char *path, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
