/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_BUOYANCY_H
#define VOXPHYS_BUOYANCY_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/broadphase.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>
#include <voxphys/world.h>

/** @file buoyancy.h
 *  Volume and centre of the part of a convex shape that is in water.
 *
 *      vp_submerged_body_of(&shape, &pose, &body, &error);
 *      vp_submerged_in_terrain(&body, terrain, &wet, &error);
 *      apply_force_at(wet.centre, wet.volume * water_density * gravity);
 *
 *  The shape is integrated along vertical lines. Nothing is allocated, and numbers are binary64. One thread at a time can use a body.
 *  Method: docs/kernels/buoyancy.md. Guarantees: docs/CONTRACT.md, BUO-1 to BUO-6. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum reach of a shape from its origin along each axis, voxels. */
#define VP_SUBMERGED_MOST 256.0

/** Part of a shape. */
typedef struct vp_submerged {
    double volume;    /**< Volume, cubic voxels, >= 0. */
    double centre[3]; /**< Centre relative to the shape's position, world axes. 0 without volume. */
} vp_submerged;

/** Prepared shape. A caller can read `whole`, `low` and `high`. */
typedef struct vp_submerged_body {
    const vp_collide_shape *shape; /**< Shape. */
    double position[3];            /**< Position of the shape's origin. */
    double axis[3][3];             /**< Axes in world space (vp_collide_frame). */
    double low[3];                 /**< Minimum of the box, relative to the position. */
    double high[3];                /**< Maximum of the box, relative to the position. */
    vp_submerged whole;            /**< Whole shape, exact. */
    uint32_t nodes;                /**< Lines along each side of a piece. */
    uint32_t known;                /**< Whether `lines` is computed. */
    vp_submerged lines;            /**< Whole shape by lines. */
} vp_submerged_body;

/** Prepares a shape. A flat one has no volume. Cost: O(1), for a hull O(vertices + faces).
 *  @param shape  must outlive the body unchanged
 *  @return VP_E_ARGUMENT for an invalid shape or pose, a reach beyond VP_SUBMERGED_MOST, or NULL */
VP_API vp_status vp_submerged_body_of(const vp_collide_shape *shape, const vp_pose *pose, vp_submerged_body *out, vp_error *error);

/** Computes the part of a body in the water of one chunk. The first call for a body takes longer. Cost: O(columns under it * lines *
 *  height), O(1) where tags suffice.
 *  @param broadphase  tags of the world. NULL = none
 *  @return VP_E_ARGUMENT for NULL or a broadphase of another size */
VP_API vp_status vp_submerged_in_chunk(vp_submerged_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_ivec3 chunk,
                                       vp_submerged *out, vp_error *error);

/** Computes the part of a body in water, the sum over all chunks. Cost and errors as vp_submerged_in_chunk. */
VP_API vp_status vp_submerged_in_world(vp_submerged_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_submerged *out,
                                       vp_error *error);

/** Like vp_submerged_in_world, for one version of a terrain. For several queries, use a reader's world and broadphase. */
VP_API vp_status vp_submerged_in_terrain(vp_submerged_body *body, vp_terrain *terrain, vp_submerged *out, vp_error *error);

/** Adds a part to a sum. */
VP_API void vp_submerged_add(vp_submerged *sum, const vp_submerged *part);

#ifdef __cplusplus
}
#endif

#endif
