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
 *  Loose regions: parts of a terrain that an edit cuts off. They are removed from it and become bodies.
 *
 *      vp_regions_def def = {0};
 *      vp_regions loose;
 *      if (vp_regions_fill_sphere(&def, terrain, centre, 4.0f, (vp_voxel){0}, NULL, &loose, &error) == VP_OK) {
 *          for (uint32_t i = 0; i < loose.region_count; i++)
 *              add_body(&loose.region[i]);
 *          vp_regions_destroy(&loose);
 *      }
 *
 *  Solid voxels hold each other by faces. A connected part without an anchor is loose. Water and air hold nothing. Voxels and regions are
 *  sorted by y, z, x. Method: docs/kernels/regions.md. Guarantees: docs/CONTRACT.md, REG-1 to REG-6. */

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of vp_regions_def.anchors. */
enum {
    VP_ANCHOR_BOTTOM = 1, /**< Voxels with y = 0. */
    VP_ANCHOR_BORDER = 2, /**< Outermost voxels on any side. */
    VP_ANCHOR_MASK = 4,   /**< Voxels in vp_regions_def.mask. */
    VP_ANCHORS_ALL = 7
};

/** Treatment of regions of fewer than vp_regions_def.least voxels. */
typedef enum vp_regions_small {
    VP_REGIONS_VANISH = 0, /**< Removed, and not reported. */
    VP_REGIONS_STAY = 1    /**< Stay in the terrain. */
} vp_regions_small;

/** Default limits. */
enum { VP_REGIONS_USUAL_REGIONS = 1 << 16, VP_REGIONS_USUAL_VOXELS = 1 << 24, VP_REGIONS_USUAL_SEEN = 1 << 26 };

/** Settings for regions. All can be 0. */
typedef struct vp_regions_def {
    uint32_t anchors;              /**< VP_ANCHOR_ bits. 0 = VP_ANCHOR_BOTTOM. */
    const uint64_t *mask;          /**< Bit i % 64 of word i / 64 = voxel i = (y*size.z + z)*size.x + x. */
    uint32_t least;                /**< Regions of fewer voxels are small. */
    vp_regions_small small;        /**< Treatment of small regions. */
    bool loose_before;             /**< Whether loose regions can exist near the edit before it. If not, the last search can stop early. */
    uint32_t most_regions;         /**< Maximum number of regions. 0 = VP_REGIONS_USUAL_REGIONS. */
    uint32_t most_voxels;          /**< Maximum number of loose voxels. 0 = VP_REGIONS_USUAL_VOXELS. */
    uint32_t most_seen;            /**< Maximum number of visited voxels. 0 = VP_REGIONS_USUAL_SEEN. */
    uint32_t attached_from;        /**< A piece of so many voxels counts as attached, which bounds the cost. 0 = no bound. */
    const vp_kernels *kernels;     /**< For vp_regions_label. NULL = vp_kernels_default(). */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
} vp_regions_def;

/** Loose region. */
typedef struct vp_region {
    const vp_ivec3 *at;    /**< Positions. [count] */
    const vp_voxel *voxel; /**< Former voxels. [count] */
    uint32_t count;        /**< At least 1. */
    vp_ivec3 low;          /**< Minimum on each axis. */
    vp_ivec3 high;         /**< Maximum + 1 on each axis. */
    double mass;           /**< Sum of (occupancy + 1)/256, exact. */
    double centre[3];      /**< Centre of mass, world space. */
    double inertia[6];     /**< About the centre, as vp_hull.inertia (vp_mass_of_region has the tensor's signs). */
} vp_region;

/** Loose regions. Owns its arrays. */
typedef struct vp_regions {
    vp_region *region;      /**< [region_count] */
    uint32_t region_count;  /**< Number of regions, can be 0. */
    uint32_t small_count;   /**< Number of small regions. */
    uint32_t taken;         /**< Voxels of all regions. */
    uint32_t vanished;      /**< Voxels of small regions that vanish. */
    vp_ivec3 *at;           /**< Voxels of region[0], region[1], ..., then those that vanish. [taken + vanished] */
    vp_voxel *voxel;        /**< Their former values. [taken + vanished] */
    uint32_t searches;      /**< Number of searches. 0 after labelling. */
    uint32_t seen;          /**< Visited voxels. After labelling, solid voxels. */
    vp_allocator allocator; /**< Allocator of the arrays. */
    size_t region_room;     /**< Capacity of `region`. */
    size_t voxel_room;      /**< Capacity of `at` and `voxel`. */
} vp_regions;

/** Finds the loose regions that contain or touch a voxel of an edit. Cost: O(s log w) for s visited voxels and w searches.
 *  @param world   world after the edit
 *  @param before  former values of `at`, the first of several at one position [count]. NULL = unknown, as with loose_before
 *  @param out     unchanged after an error
 *  @return VP_E_ARGUMENT for an invalid def or a voxel outside the world
 *          VP_E_LIMIT beyond a limit of the def (the message names it)
 *          VP_E_MEMORY */
VP_API vp_status vp_regions_find(const vp_regions_def *def, const vp_world *world, const vp_ivec3 *at, const vp_voxel *before, size_t count,
                                 vp_regions *out, vp_error *error);

/** Finds all loose regions of a world. Cost: O(voxels of the world), and 9 bytes each.
 *  @return errors of vp_regions_find and vp_kernels_default. `most_seen` is ignored */
VP_API vp_status vp_regions_label(const vp_regions_def *def, const vp_world *world, vp_regions *out, vp_error *error);

/** Destroys regions. All zero is a no-op. */
VP_API void vp_regions_destroy(vp_regions *regions);

/** Replaces the voxels of all regions, and of small ones that vanish, with air.
 *  @param stale  see vp_world_set_voxel
 *  @return VP_E_ARGUMENT for a set of another size or a world that lacks these voxels. Nothing is changed
 *          VP_E_MEMORY. Nothing is changed */
VP_API vp_status vp_regions_remove(const vp_regions *regions, vp_world *world, vp_chunk_set *stale, vp_error *error);

/** Edits a terrain and removes the loose regions, as one edit. Cost: vp_terrain_set_voxels and vp_regions_find.
 *  @return errors of these. Nothing is changed */
VP_API vp_status vp_regions_edit(const vp_regions_def *def, vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count,
                                 vp_chunk_set *stale, vp_regions *out, vp_error *error);

/** Like vp_regions_edit, of a sphere (vp_terrain_fill_sphere). Temporary memory: 20 bytes a voxel. */
VP_API vp_status vp_regions_fill_sphere(const vp_regions_def *def, vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel,
                                        vp_chunk_set *stale, vp_regions *out, vp_error *error);
/** Like vp_regions_edit, of a box (vp_terrain_fill_box). Temporary memory: 20 bytes a voxel. */
VP_API vp_status vp_regions_fill_box(const vp_regions_def *def, vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel,
                                     vp_chunk_set *stale, vp_regions *out, vp_error *error);

/* ---- shapes ---- */

/** Settings for vp_region_shape_create. 0 = one convex hull. */
typedef struct vp_region_shape_def {
    bool parts;                    /**< Several hulls by vp_decompose_create. */
    vp_decompose_def decompose;    /**< For `parts`. Mesh, kernels, executor and allocator are ignored. */
    vp_hull_def hull;              /**< For one hull. Points, kernels and allocator are ignored. */
    const vp_kernels *kernels;     /**< NULL = vp_kernels_default(). */
    const vp_executor *executor;   /**< NULL = calling thread. */
    const vp_allocator *allocator; /**< NULL = malloc and free. Several threads call it at once. */
} vp_region_shape_def;

/** Surface and hulls of a region. Without a voxel more than half full, the mesh is empty and the hulls are all zero. */
typedef struct vp_region_shape {
    vp_ivec3 origin;        /**< Origin of the points, one voxel below vp_region.low. */
    vp_mesh mesh;           /**< Closed surface. */
    vp_hull hull;           /**< Hull. All zero with `parts`. */
    vp_decomposition parts; /**< Decomposition. All zero without `parts`. */
} vp_region_shape;

/** Creates the shape of a region. To collide it, pass mesh.vertex and `hull` to vp_collide_hull_create, with the region's centre minus
 *  `origin` as origin. Cost: O(voxels of its box), 2 bytes each, and these functions.
 *  @param out  unchanged after an error
 *  @return VP_E_LIMIT for a region longer than 2046 voxels on x or z, or 254 on y
 *          Errors of vp_mesh_create, vp_hull_create or vp_decompose_create */
VP_API vp_status vp_region_shape_create(const vp_region_shape_def *def, const vp_region *region, vp_region_shape *out, vp_error *error);
/** Destroys a shape. All zero is a no-op. */
VP_API void vp_region_shape_destroy(vp_region_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
