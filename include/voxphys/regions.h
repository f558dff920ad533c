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
 *  Disjoint regions (voxel terrain article): parts of a terrain that an edit cuts off. They are removed from it and become bodies.
 *
 *      vp_regions_def def = {0};
 *      vp_regions loose;
 *      vp_voxel air = {0};
 *      if (vp_regions_fill_sphere(&def, terrain, centre, 4.0f, air, NULL, &loose, &error) == VP_OK) {
 *          for (uint32_t i = 0; i < loose.region_count; i++)
 *              add_body(&loose.region[i]);
 *          vp_regions_destroy(&loose);
 *      }
 *
 *  Solid voxels hold each other by faces. A connected part is attached if one of its voxels is an anchor: in the lowest layer, at the
 *  world's border, or marked by the caller. Other parts are loose regions. Water and air hold nothing.
 *
 *  After an edit, searches start at all solid voxels that it wrote or that touch a written one. Their cost is bounded by all regions but
 *  the largest. vp_regions_label labels the whole world instead (vp_components_fn). Both return equal regions, sorted by their lowest
 *  voxel. Voxels are sorted by y, z, x. Details: docs/kernels/regions.md.
 *
 *  The density is 1: a voxel has the mass (occupancy + 1)/256, spread over its cube. */

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of vp_regions_def.anchors. */
enum {
    VP_ANCHOR_BOTTOM = 1, /**< Solid voxels with y = 0. */
    VP_ANCHOR_BORDER = 2, /**< Solid voxels of the outermost layer on any side. */
    VP_ANCHOR_MASK = 4,   /**< Solid voxels whose bit in vp_regions_def.mask is set. */
    VP_ANCHORS_ALL = 7
};

/** Treatment of loose regions of fewer than vp_regions_def.least voxels. */
typedef enum vp_regions_small {
    VP_REGIONS_VANISH = 0, /**< Removed from the terrain, and not reported. */
    VP_REGIONS_STAY = 1    /**< Stays in the terrain. */
} vp_regions_small;

/** Default limits. */
enum {
    VP_REGIONS_DEFAULT_REGIONS = 1 << 16, /**< Reported regions. */
    VP_REGIONS_DEFAULT_VOXELS = 1 << 24,  /**< Voxels of loose regions. */
    VP_REGIONS_DEFAULT_SEEN = 1 << 26     /**< Voxels that searches visit. */
};

/** Settings for regions. Zero-initialize for anchors in the lowest layer, all sizes and default limits. */
typedef struct vp_regions_def {
    uint32_t anchors;       /**< VP_ANCHOR_ bits. 0 = VP_ANCHOR_BOTTOM. */
    const uint64_t *mask;   /**< Anchors of VP_ANCHOR_MASK. Voxel (x, y, z) is bit i % 64 of word i / 64, i = (y*size.z + z)*size.x + x. */
    uint32_t least;         /**< Loose regions of fewer voxels are small. 0 and 1 = none. */
    vp_regions_small small; /**< Treatment of small regions. */
    bool loose_before; /**< Whether loose regions can exist near the edit before it, such as small ones that stayed. false = everything was
                            attached, so the last search can stop early. */
    uint32_t max_regions; /**< Maximum number of reported regions. 0 = VP_REGIONS_DEFAULT_REGIONS. */
    uint32_t max_voxels;  /**< Maximum number of voxels of all loose regions. 0 = VP_REGIONS_DEFAULT_VOXELS. */
    uint32_t max_seen; /**< Maximum number of visited voxels. 0 = VP_REGIONS_DEFAULT_SEEN. Memory: 8 bytes a visited voxel, 2 KiB a visited
                             chunk. */
    uint32_t attached_from; /**< A connected piece of at least this many voxels counts as attached and is not searched further. This bounds
                                 the cost of an edit with `loose_before`. 0 = no bound. */
    const vp_kernels *kernels;     /**< For vp_regions_label. NULL = vp_kernels_default(). */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
} vp_regions_def;

/** Loose region. */
typedef struct vp_region {
    const vp_ivec3 *at;    /**< Positions, sorted by y, z, x. [count] */
    const vp_voxel *voxel; /**< Former voxels. [count] */
    uint32_t count;        /**< At least 1. */
    vp_ivec3 low;          /**< Lowest voxel coordinate on each axis. */
    vp_ivec3 high;         /**< Highest voxel coordinate + 1 on each axis. */
    vp_mass mass;          /**< Mass properties, world space. `mass.mass` is exact, the others within some roundings of binary64. */
} vp_region;

/** Loose regions. Owns its arrays until vp_regions_destroy. */
typedef struct vp_regions {
    vp_region *region;      /**< Regions, sorted by lowest voxel. [region_count] */
    uint32_t region_count;  /**< Number of regions, can be 0. */
    uint32_t small_count;   /**< Number of small regions. */
    uint32_t taken;         /**< Number of voxels of all regions. */
    uint32_t vanished;      /**< Number of voxels of small regions that vanish. */
    vp_ivec3 *at;           /**< Voxels that become air: of region[0], region[1], ..., then those that vanish. [taken + vanished] */
    vp_voxel *voxel;        /**< Their former values. [taken + vanished] */
    uint32_t searches;      /**< Number of searches. 0 after labelling. */
    uint32_t seen;          /**< Number of visited voxels. After labelling, of solid voxels. */
    vp_allocator allocator; /**< Allocator of the arrays. */
    size_t region_room;     /**< Size of `region`. */
    size_t voxel_room;      /**< Size of `at` and `voxel`. */
} vp_regions;

/** Finds regions that are loose after an edit and contain or touch a written voxel. Cost: O(s log w) for s visited voxels and w searches.
 *  If everything was attached before, s is at most twice all regions but the largest, and the edit's surroundings.
 *  @param world   world after the edit
 *  @param at      written voxels [count]
 *  @param before  their former values, the first of several at one position [count]. NULL = unknown, as with def->loose_before
 *  @param out     destroyed by vp_regions_destroy. Unchanged after an error
 *  @return VP_E_ARGUMENT for invalid anchors, `small`, a missing mask or a voxel outside the world. VP_E_LIMIT if a limit of the def is
 *          exceeded (the message names it). VP_E_MEMORY */
VP_API vp_status vp_regions_find(const vp_regions_def *def, const vp_world *world, const vp_ivec3 *at, const vp_voxel *before, size_t count,
                                 vp_regions *out, vp_error *error);

/** Finds all loose regions of a world by labelling it. Cost: O(voxels of the world), and 9 bytes for each of them.
 *  @return errors of vp_regions_find and vp_kernels_default. `max_seen` is ignored */
VP_API vp_status vp_regions_label(const vp_regions_def *def, const vp_world *world, vp_regions *out, vp_error *error);

/** Destroys regions. Regions that are all zero are a no-op. */
VP_API void vp_regions_destroy(vp_regions *regions);

/** Replaces the voxels of all regions, and of small ones that vanish, with air.
 *  @param stale  see vp_world_set_voxel
 *  @return VP_E_ARGUMENT for a set of another size or a world that lacks these voxels. VP_E_MEMORY. Nothing is changed then */
VP_API vp_status vp_regions_remove(const vp_regions *regions, vp_world *world, vp_chunk_set *stale, vp_error *error);

/** Edits a terrain and removes the loose regions, as one edit. Queries see the terrain before or after both. No voxel is lost except those
 *  that the edit overwrites and small regions that vanish. Cost: vp_terrain_set_voxels and vp_regions_find.
 *  @param at, voxel  see vp_terrain_set_voxels [count]
 *  @param stale      see vp_terrain_set_voxels
 *  @return errors of vp_terrain_set_voxels and vp_regions_find. Nothing is changed then */
VP_API vp_status vp_regions_edit(const vp_regions_def *def, vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count,
                                 vp_chunk_set *stale, vp_regions *out, vp_error *error);

/** Like vp_terrain_fill_sphere, and removes the loose regions like vp_regions_edit. Temporary memory: 20 bytes a voxel of the sphere.
 *  @return errors of vp_terrain_fill_sphere and vp_regions_edit. Nothing is changed then */
VP_API vp_status vp_regions_fill_sphere(const vp_regions_def *def, vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel,
                                        vp_chunk_set *stale, vp_regions *out, vp_error *error);
/** Like vp_terrain_fill_box, and removes the loose regions like vp_regions_edit. Temporary memory: 20 bytes a voxel of the box.
 *  @return errors of vp_terrain_fill_box and vp_regions_edit. Nothing is changed then */
VP_API vp_status vp_regions_fill_box(const vp_regions_def *def, vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel,
                                     vp_chunk_set *stale, vp_regions *out, vp_error *error);

/* ---- shapes ---- */

/** Settings for vp_region_shape_create. Zero-initialize for the convex hull. */
typedef struct vp_region_shape_def {
    bool parts;                     /**< Several convex hulls by vp_decomposition_create, instead of one. */
    vp_decomposition_def decompose; /**< Settings of `parts`. Mesh, kernels, executor and allocator are ignored. */
    vp_hull_def hull;               /**< Settings of one hull. Points, kernels and allocator are ignored. */
    const vp_kernels *kernels;      /**< NULL = vp_kernels_default(). */
    const vp_executor *executor;    /**< NULL = calling thread. */
    const vp_allocator *allocator;  /**< NULL = malloc and free. Several threads call it at once. */
} vp_region_shape_def;

/** Surface of a region in an empty world, with its hull or hulls. A region without a voxel that is more than half full has no surface: its
 *  mesh has no quads, and the hulls are all zero. */
typedef struct vp_region_shape {
    vp_ivec3 origin;        /**< Origin of the points: one voxel below vp_region.low on each axis. */
    vp_mesh mesh;           /**< Closed surface. */
    vp_hull hull;           /**< Hull of mesh.vertex. All zero with `parts`. */
    vp_decomposition parts; /**< Decomposition of the mesh. All zero without `parts`. */
} vp_region_shape;

/** Creates the shape of a region. To collide it, pass mesh.vertex and `hull` to vp_collide_hull_create, with the region's centre minus
 *  `origin` as its origin. The surface cuts the voxels' edges, so a convex region has less volume than mass.
 *  Cost: O(voxels of its box), 2 bytes each while it runs, and vp_mesh_create, vp_hull_create or vp_decomposition_create.
 *  @param out  destroyed by vp_region_shape_destroy. Unchanged after an error
 *  @return VP_E_LIMIT for a region longer than 2046 voxels on x or z, or 254 on y. Errors of these functions */
VP_API vp_status vp_region_shape_create(const vp_region_shape_def *def, const vp_region *region, vp_region_shape *out, vp_error *error);
/** Destroys a shape. One that is all zero is a no-op. */
VP_API void vp_region_shape_destroy(vp_region_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
