/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_PUSH_OUT_H
#define VOXPHYS_PUSH_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>
#include <voxphys/world.h>

/** @file
 *  Finds pushes out of solid terrain. A body wholly inside has no contacts (docs/CONTRACT.md, PSH).
 *
 *      vp_push_out push;
 *      vp_push_out_of_terrain(terrain, centre, 8, 0, &push, &error);
 *      if (push.end == VP_PUSH_OUT_FOUND)
 *          centre = vp_vec3_add(centre, push.by); */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum search distance. */
enum { VP_PUSH_OUT_MAX_VOXELS = 64 };

/** Result of pushing a centre out. */
typedef enum vp_push_out_end {
    VP_PUSH_OUT_FREE = 0,
    VP_PUSH_OUT_FOUND = 1,
    VP_PUSH_OUT_DEEP = 2 /**< No surface near enough. */
} vp_push_out_end;

/** Way out. Except `end`, all 0 unless VP_PUSH_OUT_FOUND. */
typedef struct vp_push_out {
    vp_push_out_end end;
    vp_ivec3 voxel;    /**< In front of the surface. */
    vp_vec3 by;        /**< To a place in front of the surface. Not 0 if found. */
    vp_vec3 direction; /**< Unit, along `by`. */
    float distance;    /**< To the surface. */
} vp_push_out;

/** Finds the shortest push of a centre out of solid (vp_terrain_inside).
 *  Cost: O((2 * voxels + 1)^3), less if the surface is near.
 *  @param voxels  maximum distance to the surface, at most VP_PUSH_OUT_MAX_VOXELS. 0 = only whether the centre is inside
 *  @param closed  sides of the world that block the push, bits 1 << vp_side
 *  @return VP_E_ARGUMENT for a coordinate that is not finite */
VP_API vp_status vp_push_out_of_world(const vp_world *world, vp_vec3 centre, uint32_t voxels, uint32_t closed, vp_push_out *out,
                                      vp_error *error);
/** Like vp_push_out_of_world, for the current version of a terrain. With a reader, use vp_terrain_reader_world. */
VP_API vp_status vp_push_out_of_terrain(vp_terrain *terrain, vp_vec3 centre, uint32_t voxels, uint32_t closed, vp_push_out *out,
                                        vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
