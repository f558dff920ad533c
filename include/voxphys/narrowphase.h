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

/** @file narrowphase.h
 *  Contacts between convex shapes and triangles, with distances, points and normals. manifold.h makes manifolds of them for a solver.
 *
 *      const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
 *      const vp_pose pose = vp_pose_at((vp_vec3){16.0f, 8.375f, 12.0f});
 *      vp_collide_connect(triangle, count, scratch, &error);
 *      vp_collide_triangles(NULL, &box, &pose, 0.1f, triangle, count, answer, &error);
 *      vp_collide_correct(NULL, &box, &pose, 0.1f, triangle, count, answer, &error);
 *
 *  Lengths are in voxels. Outputs are unchanged after VP_E_ARGUMENT, unless stated otherwise. Only vp_collide_hull_create allocates.
 *  Threads can share a hull. Terms: kernel/narrowphase.h. Accuracy: docs/CONTRACT.md, NAR, COR and BTR. */

#ifdef __cplusplus
extern "C" {
#endif

/** Minimum radius of a shape about its origin. */
#define VP_COLLIDE_MIN_LENGTH (1.0f / 1048576.0f)
/** Maximum of that radius, and of each length. */
#define VP_COLLIDE_MAX_LENGTH 1048576.0f
/** Maximum absolute coordinate of a corner or a position. */
#define VP_COLLIDE_REACH 1099511627776.0f

/* ---- shapes ---- */

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

/** Settings for vp_collide_hull_create. Zero-initialize all fields except `point` and `count` for defaults. */
typedef struct vp_collide_hull_def {
    const vp_vec3 *point; /**< Points, read during the call. [count] */
    uint32_t count;       /**< Number of points. */
    const vp_hull *hull;  /**< Hull of these points, dimension 2 or 3. NULL = vp_hull_create. Only its vertices count, so to enclose all
                             points pass those of vp_hull_enclose as points. */
    vp_vec3 origin;       /**< Origin of the shape, best near the middle. */
    const vp_kernels *kernels;     /**< Kernels of vp_hull_create. NULL = vp_kernels_default(). */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
} vp_collide_hull_def;

/** Hull for collision, with its memory. */
typedef struct vp_collide_owned_hull {
    vp_collide_hull hull;   /**< Hull for vp_collide_hull_shape. */
    vp_allocator allocator; /**< Allocator of the block. */
    void *block;            /**< Arrays. */
    size_t block_bytes;     /**< Size of it. */
} vp_collide_owned_hull;

/** Creates a hull for collision. Usual cost: O(vertices), at worst O(faces * vertices), and vp_hull_create if def->hull is NULL.
 *  @return VP_E_ARGUMENT if the dimension is 0 or 1, a vertex is not among the points, or the origin is not finite
 *          VP_E_ARGUMENT if the radius about the origin is outside VP_COLLIDE_MIN_LENGTH to VP_COLLIDE_MAX_LENGTH
 *          VP_E_MEMORY, and errors of vp_hull_create if def->hull is NULL */
VP_API vp_status vp_collide_hull_create(const vp_collide_hull_def *def, vp_collide_owned_hull *out, vp_error *error);
/** Destroys a hull. A hull that is all zero is a no-op. */
VP_API void vp_collide_hull_destroy(vp_collide_owned_hull *solid);

/** Returns the radius of the shape about its origin, rounded up. Cost: O(1). */
VP_API float vp_collide_radius(const vp_collide_shape *shape);

/** Checks a shape, without a hull's arrays. A box can be flat, a capsule can have radius 0. Cost: O(1).
 *  @return VP_E_ARGUMENT if the shape is NULL, the kind is invalid, or a length is not finite, negative or above VP_COLLIDE_MAX_LENGTH
 *          VP_E_ARGUMENT if the radius about the origin is outside VP_COLLIDE_MIN_LENGTH to VP_COLLIDE_MAX_LENGTH
 *          VP_E_ARGUMENT if the hull is NULL or has fewer than 3 vertices, 2 faces or 3 edges */
VP_API vp_status vp_collide_shape_check(const vp_collide_shape *shape, vp_error *error);

/* ---- poses ---- */

/** Returns a pose without rotation. */
static inline vp_pose vp_pose_at(vp_vec3 position)
{
    vp_pose pose = {position, {0.0f, 0.0f, 0.0f, 1.0f}};
    return pose;
}

/** Converts a pose to a frame, in binary64, each entry rounded once.
 *  @return VP_E_ARGUMENT if the position is not finite or beyond VP_COLLIDE_REACH
 *          VP_E_ARGUMENT if the quaternion is not finite or its squared length is outside 2^-60 to 2^60 */
VP_API vp_status vp_collide_frame_of(const vp_pose *pose, vp_collide_frame *out, vp_error *error);

/** Computes a box that contains all points within `margin` of the shape. Cost: O(1), or O(vertices) for a hull.
 *  @param margin  finite, >= 0
 *  @return VP_E_ARGUMENT if the shape, the pose or the margin is invalid */
VP_API vp_status vp_collide_bounds(const vp_collide_shape *shape, const vp_pose *pose, float margin, vp_aabb *out, vp_error *error);

/** Returns the growth of that box that gathers all neighbours for vp_collide_correct. For terrain 2 is enough too. */
static inline float vp_collide_gather_margin(const vp_collide_shape *shape)
{
    return vp_collide_radius(shape) * 1.001f; /* and rounding */
}

/* ---- triangles ---- */

/** Returns a triangle without neighbours, with its computed normal, open edges and id {VP_COLLIDE_NO_CHUNK, number}. */
VP_API vp_collide_triangle vp_collide_triangle_of(const vp_vec3 corner[3], uint32_t number);

/** Scratch of vp_collide_connect for `count` triangles, in 32-bit words. */
#define VP_COLLIDE_CONNECT_WORDS(count) (VP_CAST(size_t, count) * 6)

/** Computes `normal`, `beside` and `flags` of triangles from their corners. Details: docs/kernels/narrowphase.md, "Neighbours".
 *  Cost: O(count log count).
 *  @param triangle  corners are read [count]
 *  @param scratch   [VP_COLLIDE_CONNECT_WORDS(count)]
 *  @return VP_E_ARGUMENT if a corner is not finite or beyond VP_COLLIDE_REACH, or count > UINT32_MAX / 3 */
VP_API vp_status vp_collide_connect(vp_collide_triangle *triangle, uint32_t count, uint32_t *scratch, vp_error *error);

/** Collides a shape with each triangle (NAR). Cost: O(count). For a hull O(size) per triangle, and O(vertices * edges) if they are apart
 *  by up to the margin.
 *  @param margin    >= 0. Farther pairs get VP_COLLIDE_NONE and a lower bound of their distance. INFINITY = all pairs
 *  @param triangle  only corners are read [count]
 *  @param answer    results [count]
 *  @return VP_E_ARGUMENT if the shape, pose, margin or a corner is invalid
 *          errors of vp_kernels_default if kernels is NULL */
VP_API vp_status vp_collide_triangles(const vp_kernels *kernels, const vp_collide_shape *shape, const vp_pose *pose, float margin,
                                      const vp_collide_triangle *triangle, uint32_t count, vp_collide_answer *answer, vp_error *error);

/* ---- correction ---- */

/** Corrects answers at shared edges and corners, so that a sliding body feels no ghost contacts (COR). Answers can become
 *  VP_COLLIDE_NONE. A body wholly inside solid gets no contact, see vp_push_out_of_terrain. Cost: O(count^2) at worst.
 *  Details: docs/kernels/narrowphase.md, "Correction in detail".
 *  @param triangle  all connected triangles near the shape (vp_collide_gather_margin) [count]
 *  @param answer    results of vp_collide_triangles, corrected in place [count]
 *  @return errors of vp_collide_triangles
 *          VP_E_ARGUMENT if a triangle's normal is neither 0 nor of length 1, or an answer has no finite distance or unit normal */
VP_API vp_status vp_collide_correct(const vp_kernels *kernels, const vp_collide_shape *shape, const vp_pose *pose, float margin,
                                    const vp_collide_triangle *triangle, uint32_t count, vp_collide_answer *answer, vp_error *error);

/* ---- blocks ---- */

/** Maximum number of triangles. */
enum { VP_COLLIDE_BOX_TRIANGLES = 12 };

/** Returns the exposed sides of a box as connected triangles. Not for boxes with a VP_BOX_MIXED side or with a solid at an edge alone
 *  (vp_collide_blocks).
 *  @param sides   exposed sides, bits 1 << vp_side. Other bits are ignored
 *  @param number  id of the first triangle
 *  @param out     two triangles a side, also sides without area
 *  @return number of triangles. 0 if the box is not finite or has min > max */
VP_API uint32_t vp_collide_box_triangles(const vp_aabb *box, uint32_t sides, uint32_t number,
                                         vp_collide_triangle out[VP_COLLIDE_BOX_TRIANGLES]);

/** Limit of block coordinates, below which they are exact in binary32. */
#define VP_COLLIDE_BLOCK_REACH 16777216.0f

/** Returns the sides of colliding blocks towards others, of all blocks that touch a box, as connected triangles (BTR-1). Cost: O(blocks
 *  under the box).
 *  @param out    triangles by chunk, block and side [capacity]. id = {index in view->chunk, (block * 6 + side) * 2 + half},
 *                material = low byte of the type. Can be NULL if capacity is 0. Unspecified after an error
 *  @param count  number of triangles, can exceed capacity
 *  @return VP_E_ARGUMENT if the box has a NaN, min > max, or a coordinate of VP_COLLIDE_BLOCK_REACH or more, or a pointer is NULL
 *          VP_E_ARGUMENT for 2^32 or more triangles or chunks. Errors of vp_block_view_check */
VP_API vp_status vp_collide_blocks(const vp_block_view *view, const vp_aabb *box, vp_collide_triangle *out, uint32_t capacity,
                                   uint32_t *count, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
