/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_TERRAIN_DATA_H
#define VOXPHYS_TERRAIN_DATA_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/broadphase_data.h>
#include <voxphys/geometry.h>
#include <voxphys/kd_data.h>
#include <voxphys/mesh_data.h>
#include <voxphys/world.h>

/** @file terrain_data.h
 *  What the kernels of a whole terrain read and write; the checked functions are in terrain.h.
 *
 *  A terrain is a grid of chunks, each with a mesh (mesh_data.h) and a tree over it (kd_data.h) of its own, under a top
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
    vp_surface surface; /**< Whose triangles and bits are meant. */
    vp_ivec3 first;     /**< The lowest chunk of the box of chunks that is there; what is outside it has no triangles. */
    vp_dims chunks;     /**< Its extents. Queries see the quads that its chunks own, as in vp_mesh_def. */
    vp_aabb box;        /**< Where its triangles can be: from half a voxel below its lowest corner to half a voxel above its
                             highest. */
    vp_top top;         /**< Of the box. */
    const vp_kd_view *const *tree; /**< Of each chunk of the world, by its number: NULL where it is not made. Read as
                                        with atomic_load_explicit(..., memory_order_acquire). NULL: `find` is asked. */
    vp_chunk_tree_fn *find; /**< The tree of a chunk if it is made; it stays until the next call of find or make from this
                                 view, so a view of this kind is one query's. */
    vp_chunk_tree_fn *make; /**< The tree of a chunk, made now; called only where the query crosses set bits of it. May be
                                 called of chunks that are made meanwhile. */
    void *user;             /**< For both. */
} vp_terrain_view;

#ifdef __cplusplus
}
#endif

#endif
