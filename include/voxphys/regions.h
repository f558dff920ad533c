/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_REGIONS_H
#define VOXPHYS_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/decompose.h>
#include <voxphys/geometry.h>
#include <voxphys/hull.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/mesh.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>
#include <voxphys/world.h>

/** @file regions.h
 *  Disjoint regions (voxel terrain article): what an edit of terrain cuts off, to be taken out of it and to become bodies.
 *
 *  **Solid voxels hold each other by faces**; edges and corners hold nothing. A region is a connected part of them, and *hangs* if one of
 * its voxels is an anchor: in the lowest layer, at the world's border, or marked by the caller, as he chooses. A region that doesn't hang
 * is loose. Water and air hold nothing.
 *
 *  **Two ways** to the same regions. After an edit, searches begin at all solid voxels that it wrote or that touch what it wrote, breadth
 *  first, all at once: searches that meet become one, and the one that has seen least goes on. A search that meets an anchor hangs and
 *  stops; one that runs dry is a region. So the work is bounded by all regions but the largest. Or the whole world is labelled
 *  (vp_components_fn), and each label that has no anchor is a region: that finds loose ones anywhere.
 *
 *  **The order** is that of lowest voxels, and voxels of a region ascend: by y, then z, then x. So results are the same for both ways, by
 *  any kernels.
 *
 *  **Density** is 1: a voxel has the mass (occupancy + 1)/256, spread over its cube of side 1. */

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of vp_regions_def.anchors. */
enum {
    VP_ANCHOR_BOTTOM = 1, /**< Solid voxels with y = 0. */
    VP_ANCHOR_BORDER = 2, /**< Those of the outermost layer on any of the six sides. */
    VP_ANCHOR_MASK = 4,   /**< Those whose bit of vp_regions_def.mask is set. */
    VP_ANCHORS_ALL = 7
};

/** What becomes of a loose region of fewer than vp_regions_def.least voxels. */
typedef enum vp_regions_small {
    VP_REGIONS_VANISH = 0, /**< It is taken out of the terrain, and is no region of the answer. */
    VP_REGIONS_STAY = 1    /**< It stays in the terrain, loose as it is. */
} vp_regions_small;

/** The limits of a def that has 0. */
enum {
    VP_REGIONS_USUAL_REGIONS = 1 << 16, /**< Regions of one answer. */
    VP_REGIONS_USUAL_VOXELS = 1 << 24,  /**< Voxels that are taken out. */
    VP_REGIONS_USUAL_SEEN = 1 << 26     /**< Voxels that searches see. */
};

/** How regions are found. All zero bytes: anchored by the lowest layer, all sizes, usual limits. */
typedef struct vp_regions_def {
    uint32_t anchors;       /**< VP_ANCHOR_ bits; 0: VP_ANCHOR_BOTTOM. */
    const uint64_t *mask;   /**< For VP_ANCHOR_MASK: voxel (x, y, z) is bit i % 64 of word i / 64, with i = (y*size.z + z)*size.x + x. */
    uint32_t least;         /**< Loose regions of fewer voxels are small; 0 and 1: none is. */
    vp_regions_small small; /**< What becomes of those. */
    bool loose_before;      /**< Before the edit there may have been loose regions where it is. Otherwise all hung, and a search that is the
                                 last one left, where no other hangs, needs not go on: it must have the anchor. Small regions that stay
                                 count as such. */
    uint32_t most_regions;  /**< Loose regions that are no small ones; 0: VP_REGIONS_USUAL_REGIONS. */
    uint32_t most_voxels;   /**< Voxels of all loose regions together; 0: VP_REGIONS_USUAL_VOXELS. */
    uint32_t most_seen;     /**< Voxels that searches see; 0: VP_REGIONS_USUAL_SEEN. Each takes 8 bytes, and each chunk with one of them
                                 2 KiB. */
    uint32_t attached_from; /**< A connected piece of at least this many voxels counts as attached and is not searched further. This bounds
                                 the cost of an edit with `loose_before`. 0 = no bound. */
    const vp_kernels *kernels;     /**< For vp_regions_label. NULL: as vp_kernels_default says. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_regions_def;

/** A loose region. */
typedef struct vp_region {
    const vp_ivec3 *at;    /**< Its voxels, ascending: `count` of them. */
    const vp_voxel *voxel; /**< What they are: material and occupancy as they were. */
    uint32_t count;        /**< At least 1. */
    vp_ivec3 low;          /**< The lowest voxel coordinates on each axis; */
    vp_ivec3 high;         /**< the highest, and 1. */
    double mass;           /**< Exact. */
    double centre[3];      /**< Of mass, in the world. Right to some roundings of binary64. */
    double inertia[6];     /**< About the centre, as vp_hull.inertia: xx, yy, zz moments; xy, yz, zx integrals of products. Likewise. */
} vp_region;

/** Loose regions. Its arrays are its own, and live until vp_regions_destroy. */
typedef struct vp_regions {
    vp_region *region;      /**< By their lowest voxels. */
    uint32_t region_count;  /**< May be 0. */
    uint32_t small_count;   /**< Small regions, which vanish or stay. */
    uint32_t taken;         /**< Voxels of `region`, all together. */
    uint32_t vanished;      /**< Voxels of small regions that vanish. */
    vp_ivec3 *at;           /**< Where there is to be air: those of region[0], region[1], ..., and behind them those that vanish. */
    vp_voxel *voxel;        /**< What they were. */
    uint32_t searches;      /**< Where searches began; 0 of labelling. */
    uint32_t seen;          /**< Voxels that searches saw; of labelling, all that are solid. */
    vp_allocator allocator; /**< Where the arrays come from. */
    size_t region_room;     /**< Of the arrays. */
    size_t voxel_room;      /**< The same. */
} vp_regions;

/** Finds what is loose after an edit that has been made: regions that have a voxel that it wrote, or that touch one. O(s log w) for s
 *  voxels that are seen, and w where searches begin: in a world where everything hung, s is no more than all regions but the largest and
 *  as much again, and what is around the edit.
 *  @param world   as it is after the edit; not changed
 *  @param at      voxels that the edit wrote; of several at one place the first has what was there. May be NULL if `count` is 0
 *  @param before  what they were; NULL: it is not known, as if def->loose_before
 *  @param out     VP_OK: the regions, to be freed by vp_regions_destroy; what was in it before is not looked at. Otherwise it is left as it
 *                 was
 *  @return VP_E_ARGUMENT for anchors or a kind of `small` that there are not, VP_ANCHOR_MASK without a mask, a voxel outside the world;
 *          VP_E_LIMIT for more regions, voxels or voxels seen than the def allows (the message names the limit); VP_E_MEMORY. */
VP_API vp_status vp_regions_find(const vp_regions_def *def, const vp_world *world, const vp_ivec3 *at, const vp_voxel *before, size_t count,
                                 vp_regions *out, vp_error *error);

/** Finds all that is loose in a world, by labelling it whole. Nothing but the order of the answer depends on an edit, for there is none.
 *  O(voxels of the world), and 9 bytes for each of them.
 *  @return as vp_regions_find, and what vp_kernels_default says; most_seen is no limit. */
VP_API vp_status vp_regions_label(const vp_regions_def *def, const vp_world *world, vp_regions *out, vp_error *error);

/** Frees regions, which are not NULL; those that are all zero bytes are left alone. */
VP_API void vp_regions_destroy(vp_regions *regions);

/** Makes air of what was found, in the world where it was found: of all regions, and of small ones that vanish.
 *  @param stale  as vp_world_set_voxel
 *  @return VP_E_ARGUMENT for a set of another size or a world where they can't have been found; VP_E_MEMORY. After a failure nothing is
 *          changed. */
VP_API vp_status vp_regions_remove(const vp_regions *regions, vp_world *world, vp_chunk_set *stale, vp_error *error);

/** Edits a terrain, and takes out of it what the edit cuts off, as one edit: queries see the terrain before or after both. Terrain and
 *  regions together hold every voxel once, but for what the edit wrote over and small regions that vanish. As
 *  vp_terrain_set_voxels and vp_regions_find take.
 *  @param at, voxel  `count` voxels to write, as vp_terrain_set_voxels has them; of several at one place the last counts
 *  @param stale      as vp_terrain_set_voxels
 *  @return as vp_terrain_set_voxels and vp_regions_find. After a failure nothing is changed. */
VP_API vp_status vp_regions_edit(const vp_regions_def *def, vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count,
                                 vp_chunk_set *stale, vp_regions *out, vp_error *error);

/** Like vp_terrain_fill_sphere, and takes out of the terrain what the edit cuts off, as vp_regions_edit does. Temporary memory: 20 bytes a
 *  voxel of the sphere.
 *  @return VP_E_ARGUMENT for a sphere that vp_terrain_fill_sphere refuses; errors of vp_regions_edit. After a failure nothing is changed.
 */
VP_API vp_status vp_regions_fill_sphere(const vp_regions_def *def, vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel,
                                        vp_chunk_set *stale, vp_regions *out, vp_error *error);
/** Like vp_terrain_fill_box, and takes out of the terrain what the edit cuts off, as vp_regions_edit does. Temporary memory: 20 bytes a
 * voxel of the box.
 *  @return VP_E_ARGUMENT for a box that vp_terrain_fill_box refuses; errors of vp_regions_edit. After a failure nothing is changed. */
VP_API vp_status vp_regions_fill_box(const vp_regions_def *def, vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel,
                                     vp_chunk_set *stale, vp_regions *out, vp_error *error);

/* ---- shapes ---- */

/** What a region's shape is to be. All zero bytes: its convex hull. */
typedef struct vp_region_shape_def {
    bool parts;                    /**< Several convex hulls, by vp_decompose_create; otherwise one. */
    vp_decompose_def decompose;    /**< How: all but points, triangles, kernels, executor and allocator. */
    vp_hull_def hull;              /**< How one is made: all but points, kernels and allocator. */
    const vp_kernels *kernels;     /**< NULL: as vp_kernels_default says. */
    const vp_executor *executor;   /**< NULL: the calling thread. */
    const vp_allocator *allocator; /**< NULL: C's own. Called by the executor's threads, by several at once. */
} vp_region_shape_def;

/** A region's surface, as if nothing else was in the world, and what is made of it. A region of voxels none of which is more than half full
 *  has no surface (kernel/surface.h): its mesh has no quads, and both others are all zero bytes. */
typedef struct vp_region_shape {
    vp_ivec3 origin;        /**< Points are told from here: one voxel below vp_region.low on each axis. */
    vp_mesh mesh;           /**< The surface, closed. */
    vp_hull hull;           /**< Of mesh.vertex; all zero bytes with `parts`. */
    vp_decomposition parts; /**< Of the mesh; all zero bytes without `parts`. */
} vp_region_shape;

/** Makes a region's shape. To be collided: vp_collide_hull_create of mesh.vertex and `hull`, with the region's centre, less `origin`, as
 *  its origin; then vp_pose.position is the centre. The surface cuts edges of voxels, so a convex region has less volume than mass.
 *  O(voxels of its box), 2 bytes each while it runs, and as vp_mesh_create, vp_hull_create or vp_decompose_create take.
 *  @param out  VP_OK: the shape, to be freed by vp_region_shape_destroy; what was in it before is not looked at. Otherwise it is left as it
 *              was
 *  @return VP_E_LIMIT for a region that is more than 2046 voxels long on x or z, or 254 on y, which leaves no room around it; and what
 * these functions say. */
VP_API vp_status vp_region_shape_create(const vp_region_shape_def *def, const vp_region *region, vp_region_shape *out, vp_error *error);
/** Frees a shape, which is not NULL; one that is all zero bytes is left alone. */
VP_API void vp_region_shape_destroy(vp_region_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
