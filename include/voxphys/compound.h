/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_COMPOUND_H
#define VOXPHYS_COMPOUND_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/mass.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file compound.h
 *  Bodies of several convex shapes: manifolds on terrain, blocks, meshes and each other, mass, bounds.
 *
 *      const vp_compound_part part[] = {{&plate, vp_pose_at((vp_vec3){0, 1, 0}), 1.0}, {&leg, vp_pose_at((vp_vec3){0, 0, 0}), 1.0}};
 *      const vp_compound table = {part, 2};
 *      const vp_compound_body body = {&table, pose};
 *      vp_manifold_compound_terrain(&def, &body, &reader, &scratch, m, 4, &made, &error);
 *
 *  A body has one list of manifolds, reduced from the points of all parts. Each part collides alone, so parts that cover each other's
 *  sides do not know that. Nothing is allocated. Guarantees: docs/CONTRACT.md, CPD-1 to CPD-6. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of parts. */
enum { VP_COMPOUND_MOST_PARTS = 4096 };

/** Convex part of a compound. */
typedef struct vp_compound_part {
    const vp_collide_shape *shape; /**< Only read. Lives as long as the compound. */
    vp_pose pose;                  /**< Pose in the body's frame. */
    double density;                /**< Mass a unit of volume, for vp_mass_of_compound. Other functions ignore it. */
} vp_compound_part;

/** Shape of several parts. They may overlap. */
typedef struct vp_compound {
    const vp_compound_part *part; /**< Parts [count]. */
    uint32_t count;               /**< 1 to VP_COMPOUND_MOST_PARTS. */
} vp_compound;

/** Compound to collide. */
typedef struct vp_compound_body {
    const vp_compound *compound; /**< Read during the call. */
    vp_pose pose;                /**< Pose in world space. */
} vp_compound_body;

/** Checks the number of parts, and the shape and the pose of each part. O(parts).
 *  @return VP_E_ARGUMENT, with the index of the first invalid part */
VP_API vp_status vp_compound_check(const vp_compound *compound, vp_error *error);

/** Returns the radius of a ball about the body's origin that holds all parts. Valid compounds only. O(parts). */
VP_API float vp_compound_radius(const vp_compound *compound);

/** Returns the world pose of a part of a body at `pose`. Both poses must be valid. O(1).
 *  The position is rounded to binary32, so at coordinate 2^17 parts are off by up to 1/128 voxel. */
VP_API vp_pose vp_compound_part_pose(const vp_compound_part *part, const vp_pose *pose);

/** Computes a box that holds all parts and what is within the margin of them, like vp_collide_bounds. O(parts).
 *  @return VP_E_ARGUMENT for an invalid compound, pose or margin */
VP_API vp_status vp_compound_bounds(const vp_compound_body *body, float margin, vp_aabb *out, vp_error *error);

/** Computes the mass of all parts, in the body's frame. Overlaps count twice. O(parts).
 *  @return VP_E_ARGUMENT for an invalid compound or density, with the index of the part; `out` is unchanged then */
VP_API vp_status vp_mass_of_compound(const vp_compound *compound, vp_mass *out, vp_error *error);

/** Computes the manifolds of a compound against a triangle mesh, like vp_manifold_mesh. Points are relative to the body's position and
 *  have the number of their part. The scratch holds the triangles of all parts together. If they do not fit, each part keeps its deepest
 *  triangles, in an equal share of at least VP_MANIFOLD_LEAST_TRIANGLES.
 *  @return errors of vp_manifold_mesh and vp_compound_check */
VP_API vp_status vp_manifold_compound_mesh(const vp_manifold_def *def, const vp_compound_body *body, const vp_collide_triangle *triangle,
                                           uint32_t count, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                           uint32_t *made, vp_error *error);

/** Like vp_manifold_compound_mesh, against a terrain. @return errors of vp_manifold_terrain and vp_compound_check */
VP_API vp_status vp_manifold_compound_terrain(const vp_manifold_def *def, const vp_compound_body *body, const vp_terrain_reader *reader,
                                              vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made,
                                              vp_error *error);

/** Like vp_manifold_compound_mesh, against blocks. @return errors of vp_manifold_blocks and vp_compound_check */
VP_API vp_status vp_manifold_compound_blocks(const vp_manifold_def *def, const vp_compound_body *body, const vp_block_view *view,
                                             vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made,
                                             vp_error *error);

/** Computes the manifolds of two compounds, one for each direction (5 degrees). The contacts of all pairs of parts, from which
 *  vp_manifold_shapes chooses, are reduced together. In a point `part` is the part of a and at.triangle is the part of b.
 *  Cost: a ball test for each pair of parts, and vp_manifold_shapes for pairs whose balls meet.
 *  @param margin   maximum distance of reported points, finite, >= 0
 *  @param scratch  up to 9 triangles for each pair of parts that is within the margin
 *  @return VP_E_ARGUMENT for an invalid compound, pose, margin or scratch; VP_E_LIMIT if the scratch is too small: the deepest points of
 *          pairs stay, and `needed` has room for all */
VP_API vp_status vp_manifold_compounds(const vp_compound_body *a, const vp_compound_body *b, float margin, vp_manifold_scratch *scratch,
                                       vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
