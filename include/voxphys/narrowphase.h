/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_NARROWPHASE_H
#define VOXPHYS_NARROWPHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/hull.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernel/narrowphase.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>
#include <voxphys/world.h>

/** @file
 *  Convex shapes, and their contacts with single triangles. For your own manifolds. Solvers use manifold.h.
 *
 *      const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
 *      const vp_pose pose = vp_pose_at((vp_vec3){16.0f, 8.375f, 12.0f});
 *      vp_collide_connect(triangle, count, scratch, &error);
 *      vp_collide_triangles(NULL, &box, &pose, 0.1f, triangle, count, result, &error);
 *      vp_collide_correct(NULL, &box, &pose, 0.1f, triangle, count, result, &error);
 *
 *      vp_collide_hull_create(&(vp_collide_hull_def){.point = points, .count = count}, &owned, &error); // a hull's shape
 *      const vp_collide_shape rock = vp_collide_hull_shape(&owned.hull);
 *      vp_collide_hull_destroy(&owned);
 *
 *  Only vp_collide_hull_create allocates. Threads can share a hull. Terms: kernel/narrowphase.h. Details: docs/CONTRACT.md, NAR, COR and
 *  BTR. */

#ifdef __cplusplus
extern "C" {
#endif

/** Minimum shape radius about the origin. */
#define VP_COLLIDE_MIN_LENGTH (1.0f / 1048576.0f)
/** Maximum radius and length. */
#define VP_COLLIDE_MAX_LENGTH 1048576.0f
/** Maximum absolute coordinate of a corner or a position. */
#define VP_COLLIDE_REACH 1099511627776.0f

/** Returns a sphere. */
VP_API vp_collide_shape vp_collide_sphere(float radius);
/** Returns a capsule along y, with a segment from -half_height to half_height. */
VP_API vp_collide_shape vp_collide_capsule(float radius, float half_height);
/** Returns a box from -half to half. */
VP_API vp_collide_shape vp_collide_box(vp_vec3 half);
/** Returns a cylinder along y, from -half_height to half_height. */
VP_API vp_collide_shape vp_collide_cylinder(float radius, float half_height);
/** Returns a hull shape. The hull must outlive the shape. */
VP_API vp_collide_shape vp_collide_hull_shape(const vp_collide_hull *hull);

/** Hull shape settings. */
typedef struct vp_collide_hull_def {
    const vp_vec3 *point; /**< Read during the call. [count] */
    uint32_t count;
    /** Hull of these points, dimension 2 or 3. NULL = vp_hull_create. Only its vertices count. To enclose all points, pass `point` and
     *  `hull` of a vp_hull_enclosure. */
    const vp_hull *hull;
    vp_vec3 origin;            /**< Point, in the points' frame, that pose.position places. Use the hull's centroid. */
    const vp_kernels *kernels; /**< For vp_hull_create. */
    const vp_allocator *allocator;
} vp_collide_hull_def;

/** Hull for collision, with its memory. */
typedef struct vp_collide_owned_hull {
    vp_collide_hull hull; /**< For vp_collide_hull_shape. */
    vp_allocator allocator;
    void *block;
    size_t block_bytes;
} vp_collide_owned_hull;

/** Creates a hull for collision. Usual cost: O(vertices), at worst O(faces * vertices), and vp_hull_create if def->hull is NULL.
 *  @return VP_E_ARGUMENT for dimension 0 or 1, or a vertex that is not among the points
 *          Errors of vp_collide_shape_check, and of vp_hull_create if def->hull is NULL */
VP_API vp_status vp_collide_hull_create(const vp_collide_hull_def *def, vp_collide_owned_hull *out, vp_error *error);
/** Destroys a hull. */
VP_API void vp_collide_hull_destroy(vp_collide_owned_hull *hull);

/** Returns the shape's radius about its origin, rounded up. */
VP_API float vp_collide_radius(const vp_collide_shape *shape);

/** Checks a shape, without a hull's arrays. A box can be flat, a capsule can have radius 0.
 *  @return VP_E_ARGUMENT for a length that is not finite, negative or above VP_COLLIDE_MAX_LENGTH, or a radius about the origin
 *          outside VP_COLLIDE_MIN_LENGTH to VP_COLLIDE_MAX_LENGTH */
VP_API vp_status vp_collide_shape_check(const vp_collide_shape *shape, vp_error *error);

/** Returns a pose without rotation. */
static inline vp_pose vp_pose_at(vp_vec3 position)
{
    vp_pose pose = {position, {0.0f, 0.0f, 0.0f, 1.0f}};
    return pose;
}

/** Converts a pose to a frame, in binary64, each entry rounded once.
 *  @return VP_E_ARGUMENT for a position that is not finite or beyond VP_COLLIDE_REACH, or a squared length of the quaternion outside
 *          2^-60 to 2^60 */
VP_API vp_status vp_collide_frame_of(const vp_pose *pose, vp_collide_frame *out, vp_error *error);

/** Computes a box that contains all points within `margin` of the shape.
 *  @return VP_E_ARGUMENT for a margin that is not finite */
VP_API vp_status vp_collide_bounds(const vp_collide_shape *shape, const vp_pose *pose, float margin, vp_aabb *out, vp_error *error);

/** Returns a margin for vp_collide_bounds that includes all neighbours for vp_collide_correct. On terrain 2 suffices. */
static inline float vp_collide_gather_margin(const vp_collide_shape *shape)
{
    return vp_collide_radius(shape) * 1.001f; /* and rounding */
}

/** Returns a triangle without neighbours, with its computed normal, open edges and id {VP_COLLIDE_NO_CHUNK, number}. */
VP_API vp_collide_triangle vp_collide_triangle_of(const vp_vec3 corner[3], uint32_t number);

/** Scratch of vp_collide_connect, in 32-bit words. */
#define VP_COLLIDE_CONNECT_WORDS(count) (VP_CAST(size_t, count) * 6)

/** Computes `normal`, `neighbour_normal` and `flags` of triangles from their corners (docs/kernels/narrowphase.md, "Neighbours"). Cost:
 *  O(count) expected.
 *  @param scratch  [VP_COLLIDE_CONNECT_WORDS(count)]
 *  @return VP_E_ARGUMENT for a corner that is not finite or beyond VP_COLLIDE_REACH, or count > UINT32_MAX / 3 */
VP_API vp_status vp_collide_connect(vp_collide_triangle *triangle, uint32_t count, uint32_t *scratch, vp_error *error);

/** Collides a shape with each triangle (NAR).
 *  Cost: O(count), for a hull as vp_collide_hull_fn.
 *  @param margin    farther pairs get VP_COLLIDE_NONE and a lower bound of their distance. INFINITY = all pairs
 *  @param triangle  only corners are read [count]
 *  @param result    [count] */
VP_API vp_status vp_collide_triangles(const vp_kernels *kernels, const vp_collide_shape *shape, const vp_pose *pose, float margin,
                                      const vp_collide_triangle *triangle, uint32_t count, vp_collide_result *result, vp_error *error);

/** Corrects results at shared edges and corners, so that a sliding body feels no ghost contacts (COR, docs/kernels/narrowphase.md,
 *  "Correction in detail"). Results can become VP_COLLIDE_NONE. Cost:
 *  O(count^2) at worst.
 *  @param triangle  all connected triangles near the shape (vp_collide_gather_margin) [count]
 *  @param result    results of vp_collide_triangles, corrected in place [count]
 *  @return errors of vp_collide_triangles, VP_E_ARGUMENT for a normal that is not 0 or of length 1, or a result without finite distance or
 *          unit normal */
VP_API vp_status vp_collide_correct(const vp_kernels *kernels, const vp_collide_shape *shape, const vp_pose *pose, float margin,
                                    const vp_collide_triangle *triangle, uint32_t count, vp_collide_result *result, vp_error *error);

/** Maximum triangles of a box. */
enum { VP_COLLIDE_BOX_TRIANGLES = 12 };

/** Returns the exposed sides of a box as connected triangles, two per side, some without area. For VP_BOX_MIXED sides, or edges
 *  that other solids touch, use vp_collide_blocks.
 *  @param sides   exposed sides, bits 1 << vp_side. Other bits are ignored
 *  @param number  first id
 *  @return number of triangles. 0 if the box is invalid or not finite */
VP_API uint32_t vp_collide_box_triangles(const vp_aabb *box, uint32_t sides, uint32_t number,
                                         vp_collide_triangle out[VP_COLLIDE_BOX_TRIANGLES]);

/** Limit of block coordinates, below which they are exact in binary32. */
#define VP_COLLIDE_BLOCK_REACH 16777216.0f

/** Returns the sides of colliding blocks towards blocks that do not collide, if they touch a box, as connected triangles (BTR-1).
 *  Cost: O(blocks under the box).
 *  @param out  triangles by chunk, block and side. id = {index in view->chunk, (block * 6 + side) * 2 + half}, material = low byte of
 *              the type. Unspecified after an error
 *  @return VP_E_ARGUMENT for a coordinate of VP_COLLIDE_BLOCK_REACH or more, or 2^32 or more triangles or chunks. Errors of
 *          vp_block_view_check */
VP_API vp_status vp_collide_blocks(const vp_block_view *view, const vp_aabb *box, vp_collide_triangle *out, uint32_t capacity,
                                   uint32_t *count, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
