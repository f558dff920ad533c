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
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file casts.h
 *  Shape casts against terrain, blocks, meshes and other shapes; exact overlap; closest points; rays and points against one shape.
 *
 *      vp_cast_def def = {.shape = &box, .pose = pose, .translation = {0, -10, 0}};
 *      vp_cast_hit hit;
 *      vp_cast_terrain(&reader, VP_SURFACE_SOLID, &def, &hit, &error);
 *      if (hit.hit)
 *          position.y += hit.t * -10;
 *
 *  Nothing is allocated; calls keep up to 24 KiB on the stack. Guarantees: docs/CONTRACT.md, CAS-1 to CAS-8. */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one shape ---- */

/** Closest point of a shape's surface. */
typedef struct vp_shape_point {
    float distance; /**< From the point to the surface, negative inside the shape. */
    vp_vec3 point;  /**< Closest point of the surface, world space. */
    vp_vec3 normal; /**< Outward normal of the surface there, length 1. */
} vp_shape_point;

/** Finds the closest point of a shape's surface and the signed distance. O(1), of a hull O(corners).
 *  @return VP_E_ARGUMENT for an invalid shape, pose or point; `out` is unchanged then */
VP_API vp_status vp_point_shape(const vp_collide_shape *shape, const vp_pose *pose, vp_vec3 point, vp_shape_point *out, vp_error *error);

/** The number of a hit that is on no triangle. */
#define VP_CAST_NO_TRIANGLE UINT32_MAX

/** First hit of a cast or of a ray. On a miss all fields are zero, except `at`. */
typedef struct vp_cast_hit {
    bool found;                /**< Whether anything was hit. */
    bool started_inside;       /**< Whether the shape overlaps at the start. Then t = 0. */
    uint8_t material;          /**< Material of the triangle. 0 = none. */
    float t;                   /**< Fraction of the translation, 0 to 1; of a ray 0 to t_max. */
    float depth;               /**< If started_inside: penetration depth, voxels. 0 = wholly inside the solid, on no triangle. */
    vp_vec3 point;             /**< Contact point, world space. */
    vp_vec3 normal;            /**< Contact normal, length 1, towards the moving shape or the ray's origin. 0 = wholly inside. */
    vp_terrain_triangle_id at; /**< The triangle. VP_COLLIDE_NO_CHUNK and VP_CAST_NO_TRIANGLE = none. */
} vp_cast_hit;

/** Casts a ray against a shape. O(1), of a hull O(faces). An origin inside is a hit at t = 0 with the depth of vp_point_shape.
 *  @return VP_E_ARGUMENT for an invalid shape, pose or ray; `out` is unchanged then */
VP_API vp_status vp_ray_shape(const vp_collide_shape *shape, const vp_pose *pose, const vp_ray *ray, vp_cast_hit *out, vp_error *error);

/* ---- casts ---- */

/** Shape of a query, its pose and its way. */
typedef struct vp_cast_def {
    const vp_collide_shape *shape; /**< Only read. */
    vp_pose pose;                  /**< Pose at the start. It keeps its rotation. */
    vp_vec3 translation;           /**< Way from start to end, voxels. Overlap queries ignore it. */
    const vp_kernels *kernels;     /**< NULL = vp_kernels_default(); ignored for a terrain, which has its own. */
} vp_cast_def;

/** Casts a shape against triangles and returns the first hit. O(count), of a hull O(count * (vertices + edges)).
 *  A hit is where the shape first touches; sliding along a surface or leaving it is none (CAS-3).
 *  Ties: front of a triangle, then lowest chunk, then lowest triangle.
 *  @param triangle  [count]; corners, id and material are read
 *  @return VP_E_ARGUMENT for an invalid shape, pose, translation or corner, and the errors of vp_kernels_default. `out` is unchanged then
 */
VP_API vp_status vp_cast_mesh(const vp_collide_triangle *triangle, uint32_t count, const vp_cast_def *def, vp_cast_hit *out,
                              vp_error *error);

/** Like vp_cast_mesh, against a surface of a terrain. The cast gathers triangles piece by piece and stops at the first hit.
 *  A shape that starts inside the solid and touches no triangle is a hit at t = 0 with started_inside and depth 0.
 *  @return also VP_E_ARGUMENT for a surface that the terrain was not made for and an inactive reader; VP_E_MEMORY */
VP_API vp_status vp_cast_terrain(const vp_terrain_reader *reader, vp_surface surface, const vp_cast_def *def, vp_cast_hit *out,
                                 vp_error *error);

/** Like vp_cast_terrain, against the blocks that collide. Triangles have the numbers and materials of vp_collide_blocks.
 *  @return also VP_E_ARGUMENT for a way that is not nearer than VP_COLLIDE_BLOCK_REACH, and the errors of vp_block_view_check */
VP_API vp_status vp_cast_blocks(const vp_block_view *view, const vp_cast_def *def, vp_cast_hit *out, vp_error *error);

/** Casts a shape against another shape that rests. Hits as of vp_cast_mesh; the material is 0 and there is no triangle.
 *  Cost: about 5 to 10 times vp_shapes_collide, up to 100 times where the shapes barely touch. `def->kernels` is not used.
 *  @return VP_E_ARGUMENT as vp_cast_mesh and for an invalid shape or pose of the other body */
VP_API vp_status vp_cast_shape(const vp_cast_def *def, const vp_manifold_body *other, vp_cast_hit *out, vp_error *error);

/* ---- overlap ---- */

/** Reports whether a shape overlaps or touches any triangle. Stops at the first. @return as vp_cast_mesh */
VP_API vp_status vp_overlap_mesh(const vp_collide_triangle *triangle, uint32_t count, const vp_cast_def *def, bool *out, vp_error *error);
/** Like vp_overlap_mesh, of a terrain's surface and the solid inside it. @return as vp_cast_terrain */
VP_API vp_status vp_overlap_terrain(const vp_terrain_reader *reader, vp_surface surface, const vp_cast_def *def, bool *out,
                                    vp_error *error);
/** Like vp_overlap_mesh, of the blocks that collide, as solid cubes. @return as vp_cast_blocks */
VP_API vp_status vp_overlap_blocks(const vp_block_view *view, const vp_cast_def *def, bool *out, vp_error *error);

/* ---- closest point ---- */

/** Closest point of some triangles. If none is near enough all fields are zero, except `at`. */
typedef struct vp_closest {
    bool found;                /**< Whether a triangle is within the distance. */
    uint8_t material;          /**< Material of the triangle. */
    float distance;            /**< From the point to the triangle, voxels. */
    vp_vec3 point;             /**< Closest point of the triangle, world space. */
    vp_vec3 normal;            /**< Normal of the triangle. */
    vp_terrain_triangle_id at; /**< The triangle. */
} vp_closest;

/** Finds the triangle closest to a point. O(count). Ties: lowest chunk, then triangle.
 *  @param triangle      [count]; corners, normal, id and material are read
 *  @param max_distance  >= 0, INFINITY = any
 *  @return VP_E_ARGUMENT for an invalid point, distance or corner; `out` is unchanged then */
VP_API vp_status vp_closest_mesh(const vp_collide_triangle *triangle, uint32_t count, vp_vec3 point, float max_distance, vp_closest *out,
                                 vp_error *error);
/** Like vp_closest_mesh, on a surface of a terrain. Searches boxes of doubling size about the point. @return as vp_cast_terrain */
VP_API vp_status vp_closest_terrain(const vp_terrain_reader *reader, vp_surface surface, vp_vec3 point, float max_distance, vp_closest *out,
                                    vp_error *error);
/** Like vp_closest_terrain, on the sides of the blocks that collide. @return as vp_cast_blocks */
VP_API vp_status vp_closest_blocks(const vp_block_view *view, vp_vec3 point, float max_distance, vp_closest *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
