/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_CASTS_H
#define VOXPHYS_CASTS_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernels.h>
#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file
 *  Shape casts, exact overlap and closest points against terrain, blocks, meshes and shapes.
 *
 *      vp_cast_def def = {.shape = &box, .pose = pose, .translation = {0, -10, 0}};
 *      vp_cast_terrain(&reader, VP_SURFACE_SOLID, &def, &hit, &error);
 *      position.y += (hit.found ? hit.t : 1) * -10; // on a miss t is 0, too
 *
 *  Calls allocate only missing trees and use 24 KiB of stack. VP_E_ARGUMENT is also for an invalid translation, point, distance or
 *  corner. Details: docs/CONTRACT.md, CAS. */

#ifdef __cplusplus
extern "C" {
#endif

/** Closest point of a shape's surface. */
typedef struct vp_shape_point {
    float distance; /**< Negative inside the shape. */
    vp_vec3 point;
    vp_vec3 normal; /**< Outward, unit. */
} vp_shape_point;

/** Finds the closest point of a shape's surface. */
VP_API vp_status vp_shape_closest_point(const vp_collide_shape *shape, const vp_pose *pose, vp_vec3 point, vp_shape_point *out,
                                        vp_error *error);

/** No triangle. */
#define VP_CAST_NO_TRIANGLE UINT32_MAX

/** First hit. On a miss all members are 0, also `t`, except `at`. */
typedef struct vp_cast_hit {
    bool found;
    bool started_inside; /**< Overlaps at the start. Then t = 0. */
    uint8_t material;    /**< 0 = no triangle. */
    float t;             /**< Part of the translation, or ray parameter. Read it only if `found`. */
    /** Overlap at the start. 0 = none, or wholly inside. `normal` is on the nearer side of the triangle and can lead into the solid, so
     *  resolve overlaps by manifold.h and push_out.h. */
    float depth;
    vp_vec3 point;
    vp_vec3 normal;            /**< Unit, towards the mover. 0 = wholly inside. */
    vp_terrain_triangle_id at; /**< Triangle, or VP_COLLIDE_NO_CHUNK and VP_CAST_NO_TRIANGLE, both UINT32_MAX. */
} vp_cast_hit;

/** Casts a ray against a shape. An origin inside hits at t = 0. */
VP_API vp_status vp_shape_raycast(const vp_collide_shape *shape, const vp_pose *pose, const vp_ray *ray, vp_cast_hit *out, vp_error *error);

/** Moving shape. */
typedef struct vp_cast_def {
    const vp_collide_shape *shape;
    vp_pose pose;              /**< Start. */
    vp_vec3 translation;       /**< Ignored by overlap queries. */
    const vp_kernels *kernels; /**< Ignored for a terrain. */
} vp_cast_def;

/** Casts a shape against triangles. One that only touches does not hit the surface that it slides along or leaves. One that overlaps hits
 *  at t = 0 in every direction (CAS-3, CAS-4).
 *  @param triangle  [count]. Corners, id and material are read */
VP_API vp_status vp_cast_mesh(const vp_collide_triangle *triangle, uint32_t count, const vp_cast_def *def, vp_cast_hit *out,
                              vp_error *error);

/** Like vp_cast_mesh, against terrain. A shape wholly inside it hits at t = 0.
 *  @return VP_E_ARGUMENT also for a missing surface or an inactive reader */
VP_API vp_status vp_cast_terrain(const vp_terrain_reader *reader, vp_surface surface, const vp_cast_def *def, vp_cast_hit *out,
                                 vp_error *error);

/** Like vp_cast_mesh, against blocks, with triangles of vp_collide_blocks.
 *  @return VP_E_ARGUMENT also beyond VP_COLLIDE_BLOCK_REACH, errors of vp_block_view_check
 *          VP_E_LIMIT beyond 2^23, if over 128 triangles meet */
VP_API vp_status vp_cast_blocks(const vp_block_view *view, const vp_cast_def *def, vp_cast_hit *out, vp_error *error);

/** Casts a shape against a resting one. Cost: 5 to 100 times vp_shapes_collide. */
VP_API vp_status vp_cast_shape(const vp_cast_def *def, const vp_manifold_body *other, vp_cast_hit *out, vp_error *error);

/** Returns whether a shape touches any triangle. */
VP_API vp_status vp_overlap_mesh(const vp_collide_triangle *triangle, uint32_t count, const vp_cast_def *def, bool *out, vp_error *error);
/** Like vp_overlap_mesh, with the solid of a terrain. Errors as vp_cast_terrain. */
VP_API vp_status vp_overlap_terrain(const vp_terrain_reader *reader, vp_surface surface, const vp_cast_def *def, bool *out,
                                    vp_error *error);
/** Like vp_overlap_mesh, with blocks as solid cubes. Errors as vp_cast_blocks. */
VP_API vp_status vp_overlap_blocks(const vp_block_view *view, const vp_cast_def *def, bool *out, vp_error *error);

/** Closest point of triangles. Zero if none is near enough, except `at`. */
typedef struct vp_closest {
    bool found;
    uint8_t material;
    float distance; /**< >= 0, also inside the solid (vp_terrain_inside). */
    vp_vec3 point;
    vp_vec3 normal; /**< Triangle's normal. */
    vp_terrain_triangle_id at;
} vp_closest;

/** Finds the closest triangle within `max_distance`, which can be INFINITY.
 *  @param triangle  [count]. Corners, normal, id and material are read */
VP_API vp_status vp_closest_mesh(const vp_collide_triangle *triangle, uint32_t count, vp_vec3 point, float max_distance, vp_closest *out,
                                 vp_error *error);
/** Like vp_closest_mesh, on terrain. Errors as vp_cast_terrain. */
VP_API vp_status vp_closest_terrain(const vp_terrain_reader *reader, vp_surface surface, vp_vec3 point, float max_distance, vp_closest *out,
                                    vp_error *error);
/** Like vp_closest_mesh, on blocks. Errors as vp_cast_blocks. */
VP_API vp_status vp_closest_blocks(const vp_block_view *view, vp_vec3 point, float max_distance, vp_closest *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
