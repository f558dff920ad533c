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

/** @file
 *  Loose regions: parts that an edit cuts off a terrain. They are removed from it and become bodies.
 *
 *      vp_regions_def def = {0};
 *      vp_regions_fill_sphere(&def, terrain, centre, 4.0f, (vp_voxel){0}, NULL, &loose, &error);
 *      for (uint32_t i = 0; i < loose.region_count; i++)
 *          add_body(&loose.region[i]);
 *
 *  Solid voxels hold each other by faces. Voxels and regions are sorted by y, z, x. Details: docs/kernels/regions.md,
 *  docs/CONTRACT.md, REG. */

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of vp_regions_def.anchors. */
enum {
    VP_ANCHOR_BOTTOM = 1, /**< y = 0. */
    VP_ANCHOR_BORDER = 2, /**< Outermost voxels. */
    VP_ANCHOR_MASK = 4,   /**< Voxels in vp_regions_def.mask. */
    VP_ANCHORS_ALL = 7
};

/** Fate of small regions. */
typedef enum vp_regions_small {
    VP_REGIONS_VANISH = 0, /**< Removed, without a vp_region. */
    VP_REGIONS_STAY = 1
} vp_regions_small;

/** Default limits of vp_regions_def. */
enum { VP_REGIONS_DEFAULT_REGIONS = 1 << 16, VP_REGIONS_DEFAULT_VOXELS = 1 << 24, VP_REGIONS_DEFAULT_VISITED = 1 << 26 };

/** Search settings. */
typedef struct vp_regions_def {
    uint32_t anchors;     /**< VP_ANCHOR_ bits. 0 = VP_ANCHOR_BOTTOM. */
    const uint64_t *mask; /**< For VP_ANCHOR_MASK, bit (y*size.z + z)*size.x + x. */
    uint32_t min_voxels;  /**< Regions of fewer voxels are small. */
    vp_regions_small small;
    bool loose_before; /**< Loose regions can exist near an edit before it. */
    uint32_t max_regions;
    uint32_t max_voxels;    /**< Loose voxels. */
    uint32_t max_visited;   /**< Visited voxels. */
    uint32_t attached_from; /**< Size from which a piece counts as attached. 0 = never. */
    const vp_kernels *kernels;
    const vp_allocator *allocator;
} vp_regions_def;

/** Loose region. */
typedef struct vp_region {
    const vp_ivec3 *at;    /**< [count] */
    const vp_voxel *voxel; /**< Former voxels. [count] */
    uint32_t count;
    vp_ivec3 low;  /**< Minimum. */
    vp_ivec3 high; /**< Maximum + 1. */
    vp_mass mass;  /**< World space. A voxel's mass is (occupancy + 1)/256. */
} vp_region;

/** Loose regions. Owns its arrays. */
typedef struct vp_regions {
    vp_region *region; /**< [region_count] */
    uint32_t region_count;
    uint32_t small_count;
    uint32_t voxel_count; /**< Voxels of all regions. */
    uint32_t vanished;    /**< Voxels of small regions that vanish. */
    vp_ivec3 *at;         /**< Voxels of all regions, then vanished ones. [voxel_count + vanished] */
    vp_voxel *voxel;      /**< Their former values. Same size. */
    uint32_t searches;    /**< 0 after vp_regions_label. */
    uint32_t visited;     /**< Visited voxels. After labelling, solid ones. */
    vp_allocator allocator;
    size_t region_capacity;
    size_t voxel_capacity;
} vp_regions;

/** Finds the loose regions at the voxels of an edit. Cost: O(s log w) for s visited voxels and w searches.
 *  @param world   after the edit
 *  @param before  former values, the first at each position [count]. NULL = unknown, as with loose_before
 *  @return VP_E_ARGUMENT for an invalid def or a voxel outside the world
 *          VP_E_LIMIT beyond a limit of the def */
VP_API vp_status vp_regions_find(const vp_regions_def *def, const vp_world *world, const vp_ivec3 *at, const vp_voxel *before, size_t count,
                                 vp_regions *out, vp_error *error);

/** Finds all loose regions, like vp_regions_find. Ignores `max_visited`. Cost: O(voxels), 9 bytes each. */
VP_API vp_status vp_regions_label(const vp_regions_def *def, const vp_world *world, vp_regions *out, vp_error *error);

/** Destroys regions. */
VP_API void vp_regions_destroy(vp_regions *regions);

/** Replaces the voxels of the regions, and vanished ones, with air.
 *  @return VP_E_ARGUMENT for a world that lacks these voxels */
VP_API vp_status vp_regions_remove(const vp_regions *regions, vp_world *world, vp_chunk_set *stale, vp_error *error);

/** Edits a terrain and removes the loose regions, as one edit. Errors of vp_terrain_set_voxels and vp_regions_find. */
VP_API vp_status vp_regions_edit(const vp_regions_def *def, vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count,
                                 vp_chunk_set *stale, vp_regions *out, vp_error *error);

/** Like vp_regions_edit, with a sphere. */
VP_API vp_status vp_regions_fill_sphere(const vp_regions_def *def, vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel,
                                        vp_chunk_set *stale, vp_regions *out, vp_error *error);
/** Like vp_regions_edit, with a box. */
VP_API vp_status vp_regions_fill_box(const vp_regions_def *def, vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel,
                                     vp_chunk_set *stale, vp_regions *out, vp_error *error);

/** All 0 = one convex hull. */
typedef struct vp_region_shape_def {
    bool parts;
    vp_decomposition_def decompose; /**< For `parts`, without mesh, kernels, executor and allocator. */
    vp_hull_def hull;               /**< For one hull, without points, kernels and allocator. */
    const vp_kernels *kernels;
    const vp_executor *executor;
    const vp_allocator *allocator;
} vp_region_shape_def;

/** Surface and hulls. All empty if no voxel is more than half full. */
typedef struct vp_region_shape {
    vp_ivec3 origin;        /**< Origin of the points, vp_region.low - 1. */
    vp_mesh mesh;           /**< Closed surface. */
    vp_hull hull;           /**< Without `parts`. */
    vp_decomposition parts; /**< With `parts`. */
} vp_region_shape;

/** Creates the shape of a region, to draw it. For physics: vp_region_body_create.
 *  @return VP_E_LIMIT for a region longer than 2046 voxels on x or z, or 254 on y
 *          Errors of the mesh, hull or decomposition */
VP_API vp_status vp_region_shape_create(const vp_region_shape_def *def, const vp_region *region, vp_region_shape *out, vp_error *error);
/** Destroys a shape. */
VP_API void vp_region_shape_destroy(vp_region_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
