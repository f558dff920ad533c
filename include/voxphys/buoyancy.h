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

/** @file
 *  Volume and centre of the part of a convex shape in water, from voxels (BUO-1). vp_terrain_def.surfaces can omit VP_TERRAIN_WATER.
 *
 *      vp_buoyancy_body_init(&shape, &pose, &body, &error);
 *      vp_buoyancy_in_terrain(&body, terrain, &wet, &error);
 *      apply_force(wet.volume * water_density * gravity, wet.centre); // relative to the position
 *
 *  Nothing is allocated. Threads can share a body. Details: docs/kernels/buoyancy.md, docs/CONTRACT.md, BUO. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum distance of a shape's point from its position, along an axis. */
#define VP_BUOYANCY_MAX_REACH 256.0

/** Part of a shape. */
typedef struct vp_buoyancy_volume {
    double volume;    /**< Cubic voxels. */
    double centre[3]; /**< Relative to the shape's position. 0 without volume. */
} vp_buoyancy_volume;

/** Prepared shape. Only `whole`, `low` and `high` are for the caller. */
typedef struct vp_buoyancy_body {
    const vp_collide_shape *shape;
    double position[3];
    double axis[3][3];
    double low[3];            /**< Relative to `position`. */
    double high[3];           /**< Likewise. */
    vp_buoyancy_volume whole; /**< Exact. */
} vp_buoyancy_body;

/** Prepares a shape, which must outlive the body.
 *  @return VP_E_ARGUMENT for a shape beyond VP_BUOYANCY_MAX_REACH */
VP_API vp_status vp_buoyancy_body_init(const vp_collide_shape *shape, const vp_pose *pose, vp_buoyancy_body *out, vp_error *error);

/** Computes the part in the water of one chunk. `broadphase` can be NULL. With it, full and dry chunks are O(1).
 *  @return VP_E_ARGUMENT for a broadphase of another size */
VP_API vp_status vp_buoyancy_in_chunk(vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_ivec3 chunk,
                                      vp_buoyancy_volume *out, vp_error *error);

/** Computes the part in all water. Cost and errors as vp_buoyancy_in_chunk. */
VP_API vp_status vp_buoyancy_in_world(vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase,
                                      vp_buoyancy_volume *out, vp_error *error);

/** Like vp_buoyancy_in_world, for one version of a terrain. */
VP_API vp_status vp_buoyancy_in_terrain(vp_buoyancy_body *body, vp_terrain *terrain, vp_buoyancy_volume *out, vp_error *error);

/** Adds a part to a sum. */
VP_API void vp_buoyancy_add(vp_buoyancy_volume *sum, const vp_buoyancy_volume *part);

#ifdef __cplusplus
}
#endif

#endif
