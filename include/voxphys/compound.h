/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_COMPOUND_H
#define VOXPHYS_COMPOUND_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/mass.h>
#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file
 *  Bodies of several convex shapes: manifolds, mass, bounds.
 *
 *      const vp_compound_part part[] = {{&plate, high, 1.0}, {&leg, low, 1.0}};
 *      const vp_compound table = {part, 2};
 *      const vp_compound_body body = {&table, pose};
 *      vp_manifold_compound_terrain(&def, &body, &reader, &scratch, m, VP_MANIFOLD_DIRECTIONS, &count, &error);
 *
 *  A body has one list of manifolds, reduced from the points of all parts. Allocates only trees. Details: docs/CONTRACT.md, CPD. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum parts. */
enum { VP_COMPOUND_MAX_PARTS = 4096 };

/** Convex part. */
typedef struct vp_compound_part {
    const vp_collide_shape *shape; /**< Must outlive the compound. */
    vp_pose pose;                  /**< In the body's frame. */
    double density;
} vp_compound_part;

/** Parts, can overlap. */
typedef struct vp_compound {
    const vp_compound_part *part; /**< [count] */
    uint32_t count;               /**< 1 to VP_COMPOUND_MAX_PARTS. */
} vp_compound;

/** Compound to collide. */
typedef struct vp_compound_body {
    const vp_compound *compound; /**< Read during the call. */
    vp_pose pose;
} vp_compound_body;

/** Checks a compound. */
VP_API vp_status vp_compound_check(const vp_compound *compound, vp_error *error);

/** Returns the radius about the body's origin. */
VP_API float vp_compound_radius(const vp_compound *compound);

/** Returns the world pose of a part (CPD-2). */
VP_API vp_pose vp_compound_part_pose(const vp_compound_part *part, const vp_pose *pose);

/** Computes a box around all parts and the margin. */
VP_API vp_status vp_compound_bounds(const vp_compound_body *body, float margin, vp_aabb *out, vp_error *error);

/** Computes the mass, in the body's frame. Overlaps count twice.
 *  @return VP_E_ARGUMENT for an invalid density */
VP_API vp_status vp_mass_of_compound(const vp_compound *compound, vp_mass *out, vp_error *error);

/** Settings of a region's body. */
typedef struct vp_region_body_def {
    uint32_t max_parts;    /**< 0 = 16. */
    uint32_t max_vertices; /**< Per hull, at least 8. 0 = 32. */
    double density;        /**< 0 = 1. */
    const vp_kernels *kernels;
    const vp_allocator *allocator;
} vp_region_body_def;

/** Body of a loose region. Owns its arrays. */
typedef struct vp_region_body {
    vp_compound compound; /**< Boxes and hulls without overlaps, about the centre of mass. */
    vp_pose pose;         /**< Where the region was. */
    vp_mass mass;         /**< Of `compound`. */
    vp_compound_part *part;
    vp_collide_shape *shape;
    vp_collide_owned_hull *hull;
    vp_allocator allocator;
} vp_region_body;

/** Creates a region's body (CPD-7).
 *  @return VP_E_LIMIT for a region longer than VP_WORLD_MAX_XZ voxels */
VP_API vp_status vp_region_body_create(const vp_region_body_def *def, const vp_region *region, vp_region_body *out, vp_error *error);
/** Destroys a body. */
VP_API void vp_region_body_destroy(vp_region_body *body);

/** Like vp_manifold_mesh, for a compound. The scratch holds the triangles of all parts (CPD-5). */
VP_API vp_status vp_manifold_compound_mesh(const vp_manifold_def *def, const vp_compound_body *body, const vp_collide_triangle *triangle,
                                           uint32_t count, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                           uint32_t *manifold_count, vp_error *error);

/** Like vp_manifold_terrain, for a compound. */
VP_API vp_status vp_manifold_compound_terrain(const vp_manifold_def *def, const vp_compound_body *body, const vp_terrain_reader *reader,
                                              vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count,
                                              vp_error *error);

/** Like vp_manifold_blocks, for a compound. */
VP_API vp_status vp_manifold_compound_blocks(const vp_manifold_def *def, const vp_compound_body *body, const vp_block_view *view,
                                             vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count,
                                             vp_error *error);

/** Computes the manifolds of two compounds (CPD-6). In a point, `part` is a's part and at.triangle b's.
 *  @param scratch  up to 9 contacts per pair of parts within the margin
 *  @return VP_E_ARGUMENT for an infinite margin or an invalid scratch
 *          VP_E_LIMIT if the scratch is too small. The deepest points stay */
VP_API vp_status vp_manifold_compounds(const vp_compound_body *a, const vp_compound_body *b, float margin, vp_manifold_scratch *scratch,
                                       vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
