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

/** @file kernel/terrain.h
 *  What the kernels of a whole terrain read and write; the checked functions are in terrain.h.
 *
 *  A terrain is a grid of chunks, each with a mesh (kernel/surface.h) and a tree over it (kernel/kd.h) of its own, under a top
 *  level made from the bit broadphase. Trees need not be there: one is asked for when a query comes to a chunk whose
 *  broadphase bits it crosses. */

#ifdef __cplusplus
extern "C" {
#endif

/** Where a ray meets terrain. */
typedef struct vp_terrain_hit {
    vp_hit hit;     /**< As of one mesh; `triangle` is a number in the chunk's mesh, or VP_NO_HIT, or VP_RAY_INVALID. */
    uint32_t chunk; /**< The chunk's number in its world; 0 of no hit. */
} vp_terrain_hit;

/** A triangle of terrain. */
typedef struct vp_terrain_triangle_id {
    uint32_t chunk;    /**< The chunk's number in its world. */
    uint32_t triangle; /**< Its number in the chunk's mesh. */
} vp_terrain_triangle_id;

/** The tree of a chunk. @return NULL: there is none, and none can be made now
 *  @param user  vp_terrain_view.user */
typedef const vp_kd_view *vp_chunk_tree_fn(void *user, uint32_t chunk);

/** The top level: what space chunks may have triangles in, made from the broadphase's bits, over the columns of the
 *  grid. It is a pyramid of eight boxes a node: a node of the lowest level has 4 x 2 columns (x and z), one above it 2
 *  x 4 nodes, and so on in turn, so an edit changes one node a level. Where every node is, is a matter of arithmetic. */
typedef struct vp_top {
    const vp_kd_wide *node; /**< The root is node 0. A child is a node; or, with bit 31, a chunk of the world that is the only
                                 one of its column which may have triangles; or, with bits 31 and 30, a column, x + (z << 8) in
                                 the terrain's box. */
    const uint32_t *layers; /**< Of each column, z*chunks.x + x: bit y says whether chunk y of it, from the box's lowest,
                                 may have triangles. */
} vp_top;

/** Bit of a child in a vp_top: a column. */
#define VP_TOP_COLUMN 0x40000000u

/** A terrain, one surface of it, as kernels read it. */
typedef struct vp_terrain_view {
    vp_broadphase_view bits;       /**< Of the whole world. */
    vp_surface surface;            /**< Whose triangles and bits are meant. */
    vp_ivec3 first;                /**< The lowest chunk of the box of chunks that is there; what is outside it has no triangles. */
    vp_dims chunks;                /**< Its extents. Queries see the quads that its chunks own, as in vp_mesh_def. */
    vp_aabb box;                   /**< Where its triangles can be: from half a voxel below its lowest corner to half a voxel above its
                                        highest. */
    vp_top top;                    /**< Of the box. */
    const vp_kd_view *const *tree; /**< Of each chunk of the world, by its number: NULL where it is not made. Read as
                                        with atomic_load_explicit(..., memory_order_acquire). NULL: `find` is asked. */
    vp_chunk_tree_fn *find;        /**< The tree of a chunk if it is made; it stays until the next call of find or make from this
                                        view, so a view of this kind is one query's. */
    vp_chunk_tree_fn *make;        /**< The tree of a chunk, made now; called only where the query crosses set bits of it. May be
                                        called of chunks that are made meanwhile. */
    void *user;                    /**< For both. */
} vp_terrain_view;

static_assert(sizeof(vp_terrain_hit) == 20 && sizeof(vp_terrain_triangle_id) == 8, "as documented");

/* ---- kernels ---- */

/** The nearest triangle of a terrain that a ray meets; of equally near ones that of the chunk with the lowest number, and there
 *  that with the lowest number: what kd_ray says of one mesh of all chunks (vp_mesh_create) in t, u and v. Trees are asked for as
 *  vp_terrain_view says. */
typedef vp_terrain_hit vp_terrain_ray_fn(const vp_terrain_view *terrain, const vp_ray *ray);

/** The same for up to sixteen rays: hit[i] is what terrain_ray says of ray i, whatever the other rays are. */
typedef void vp_terrain_ray16_fn(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit);

/** Whether a ray meets terrain. @return 1, 0, or VP_RAY_INVALID */
typedef int32_t vp_terrain_ray_any_fn(const vp_terrain_view *terrain, const vp_ray *ray);

/** The triangles of a terrain that a ray meets, by ascending t, then by chunk, then by triangle; at most `capacity` are
 *  written. @return how many there are, which may be more than `capacity`; VP_RAY_ALL_INVALID */
typedef uint32_t vp_terrain_ray_all_fn(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity);

/** Sweeps a sphere along a ray and returns the first triangle of a terrain that it touches, as kd_sphere_sweep does with one tree of
 *  all chunks. Of equal ones the lowest chunk is returned, and there the lowest number. */
typedef vp_terrain_hit vp_terrain_sphere_sweep_fn(const vp_terrain_view *terrain, const vp_ray *ray, float radius);

/** The triangles of a terrain whose own boxes overlap a closed box, in no order; at most `capacity` are written. An invalid
 *  box overlaps none. Trees are asked for only of chunks that have set bits in the box, grown by one voxel.
 *  What is in `out` behind them, up to `capacity`, is of no matter afterwards.
 *  @return how many there are, which may be more than `capacity`; UINT32_MAX: or more */
typedef uint32_t vp_terrain_gather_fn(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity);

/* clang-format off */
/** Kernel rows, see versions.h. */
#define VP_TERRAIN_KERNELS(K)                                                                          \
    K(terrain_ray, queries, ALL, "Terrain", "rays",                                                    \
      "Finds the nearest triangle that a ray meets in a terrain: chunks with a mesh and a tree each.") \
    K(terrain_ray16, queries, ALL, "Terrain", "rays",                                                  \
      "Finds the nearest triangles that up to sixteen rays meet in a terrain.")                        \
    K(terrain_ray_any, queries, ALL, "Terrain", "rays",                                                \
      "Tells whether a ray meets a terrain.")                                                          \
    K(terrain_ray_all, queries, ALL, "Terrain", "rays",                                                \
      "Lists all triangles of a terrain that a ray meets, in their order along it.")                   \
    K(terrain_sphere_sweep, queries, ALL, "Terrain", "sweeps",                                         \
      "Finds the first triangle of a terrain that a sphere touches as it moves along a ray.")          \
    K(terrain_gather, queries, ALL, "Terrain", "queries",                                              \
      "Lists the triangles of a terrain whose own boxes overlap a box.")
/** Operation rows. */
#define VP_TERRAIN_OPERATIONS(O)                                                                              \
    O(terrain_prepare, "Terrain", "chunks", "Makes all meshes and trees of a terrain, from voxels.")          \
    O(terrain_cast, "Terrain", "rays",                                                                        \
      "Casts rays through a terrain as a program holds it, with its locks and its cache.")                    \
    O(terrain_wander, "Terrain", "rays",                                                                      \
      "Casts rays that wander over a world, of whose meshes and trees no more than a budget is kept.")       \
    O(edit_to_ray, "Terrain", "edits",                                                                        \
      "Edits a terrain and casts a ray to the place, with all that must be made anew in between.")
/* clang-format on */

VP_TERRAIN_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
