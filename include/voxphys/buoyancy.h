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
 *  Volume and centre of the part of a convex shape that is in the water of a world (voxel terrain article, water contacts).
 *
 *      vp_buoyancy_body body;
 *      vp_buoyancy_volume wet;
 *      vp_buoyancy_body_init(&shape, &pose, &body, &error);
 *      vp_buoyancy_in_terrain(&body, terrain, &wet, &error);
 *      apply_force_at(wet.centre, wet.volume * water_density * gravity);
 *
 *  A water voxel under another water voxel is full. Any other one is filled from y to y + (occupancy + 1)/256. Solids and air have no
 * water. The shape is integrated along vertical lines, and a shape wholly in water has its exact volume and centre. Parts of chunks add up.
 *  Method and accuracy: docs/kernels/buoyancy.md.
 *
 *  Nothing is allocated. One thread at a time can use a body. Worlds and broadphases are only read. Numbers are binary64, with the same
 *  bits everywhere. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum reach of a shape from its origin along each axis, voxels. Each column under it costs lines. */
#define VP_SUBMERGED_MOST 256.0

/** Part of a shape. */
typedef struct vp_buoyancy_volume {
    double volume;    /**< Volume, cubic voxels, >= 0. */
    double centre[3]; /**< Centre relative to the shape's position, world axes. 0 if the volume is 0. */
} vp_buoyancy_volume;

/** Shape at a pose, prepared for queries. A caller can read `whole`, `low` and `high`. */
typedef struct vp_buoyancy_body {
    const vp_collide_shape *shape; /**< Shape. */
    double position[3];            /**< Position of the shape's origin. */
    double axis[3][3];             /**< Axes of the shape in world space (vp_collide_frame). */
    double low[3];                 /**< Minimum of the shape's box, relative to its position. */
    double high[3];                /**< Maximum of the shape's box, relative to its position. */
    vp_buoyancy_volume whole;      /**< Volume and centre of the whole shape, exact. */
    uint32_t nodes;                /**< Number of lines along each side of a piece. */
    uint32_t known;                /**< Whether `lines` is computed. */
    vp_buoyancy_volume lines;      /**< Volume and centre of the whole shape by lines. */
} vp_buoyancy_body;

/** Prepares a shape for queries. A flat shape has no volume. Cost: O(1), for a hull O(vertices + faces).
 *  @param shape  must outlive the body unchanged
 *  @param out    unchanged after an error
 *  @return VP_E_ARGUMENT for NULL, an invalid shape (vp_collide_shape_check) or pose (vp_collide_frame_of), and a reach beyond
 *          VP_SUBMERGED_MOST */
VP_API vp_status vp_buoyancy_body_init(const vp_collide_shape *shape, const vp_pose *pose, vp_buoyancy_body *out, vp_error *error);

/** Computes the part of a body in the water of one chunk. Cost: O(columns of the chunk under the body * lines * height). The first call for
 *  a body costs O(all columns under it * lines) more. O(1) if the chunk's tag says no water, or if all of the body is in a full chunk.
 *  @param broadphase  broadphase of the world. NULL = no tags
 *  @param chunk       coordinates of the chunk. There is no water outside the world
 *  @return VP_E_ARGUMENT for NULL or a broadphase of another size */
VP_API vp_status vp_buoyancy_in_chunk(vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_ivec3 chunk,
                                      vp_buoyancy_volume *out, vp_error *error);

/** Computes the part of a body in water, the sum over all chunks up to rounding. Cost: O(columns under it * lines * height), or O(chunks
 *  under it) if tags say that all of them are full or without water. @return errors of vp_buoyancy_in_chunk */
VP_API vp_status vp_buoyancy_in_world(vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase,
                                      vp_buoyancy_volume *out, vp_error *error);

/** Like vp_buoyancy_in_world, for one version of a terrain. For several queries of one version, use a reader's world and broadphase
 *  (vp_terrain_acquire_reader). @return errors of vp_buoyancy_in_chunk */
VP_API vp_status vp_buoyancy_in_terrain(vp_buoyancy_body *body, vp_terrain *terrain, vp_buoyancy_volume *out, vp_error *error);

/** Adds the volume of a part to a sum, and updates the centre. Cost: O(1). */
VP_API void vp_buoyancy_add(vp_buoyancy_volume *sum, const vp_buoyancy_volume *part);

#ifdef __cplusplus
}
#endif

#endif
