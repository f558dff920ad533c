/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KD_H
#define VOXPHYS_KD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file
 *  Loose kD tree over triangles, for rays, sphere sweeps and boxes.
 *
 *      vp_kd_def def = {.triangles = triangles, .form = VP_KD_WIDE};
 *      vp_kd_create(&def, &tree, &error);
 *      vp_kd_raycast(tree, &ray, &hit, &error);
 *      if (hit.triangle >= 0)
 *          printf("t = %g\n", (double)hit.t);
 *
 *  Threads can query a tree at once. Details: docs/kernels/kd-build.md, docs/CONTRACT.md, RAY, SWP, BOX and TRE. */

#ifdef __cplusplus
extern "C" {
#endif

/** Tree over triangles. */
typedef struct vp_kd vp_kd;

/** Tree settings. */
typedef struct vp_kd_def {
    vp_triangles triangles;  /**< Kept by pointer, except in packed and implied trees. */
    const uint8_t *material; /**< Materials of triangles or quads, kept by pointer. NULL = 0. */
    vp_kd_form form;
    const vp_kernels *kernels;
    const vp_allocator *allocator;
    void *scratch;        /**< 64-byte aligned. NULL = allocated. */
    size_t scratch_bytes; /**< At least vp_kd_create_scratch_bytes. */
} vp_kd_def;

/** Returns the scratch size of vp_kd_create for vp_kd_item_count items, bytes. */
VP_API size_t vp_kd_create_scratch_bytes(vp_kd_form form, uint32_t items);

/** Creates a tree. Packed and implied trees need a mesh that they store without loss (vp_kd_quantize, vp_mesh_chunk). Cost: O(n log n).
 *  @return VP_E_ARGUMENT for invalid settings or an unsuitable mesh */
VP_API vp_status vp_kd_create(const vp_kd_def *def, vp_kd **out, vp_error *error);
/** Destroys a tree. */
VP_API void vp_kd_destroy(vp_kd *tree);

/** Returns the tree for kernels. */
VP_API const vp_kd_view *vp_kd_view_of(const vp_kd *tree);

/** Memory of a tree. */
typedef struct vp_kd_memory {
    uint32_t nodes;
    size_t node_bytes;
    size_t item_bytes;
    size_t mesh_bytes; /**< Mesh of packed and implied trees. */
    size_t bytes;
} vp_kd_memory;

/** Returns a tree's memory. */
VP_API vp_kd_memory vp_kd_memory_of(const vp_kd *tree);

/** Returns a ray's closest hit. Ties go to the lowest triangle. On a miss triangle = VP_NO_HIT. */
VP_API vp_status vp_kd_raycast(const vp_kd *tree, const vp_ray *ray, vp_hit *out, vp_error *error);
/** Returns the closest hits of many rays. Similar adjacent rays cost much less.
 *  @param out  [count]. An invalid ray gets triangle = VP_RAY_INVALID
 *  @return VP_E_ARGUMENT if a ray is invalid. Other results are valid */
VP_API vp_status vp_kd_raycast_many(const vp_kd *tree, const vp_ray *ray, size_t count, vp_hit *out, vp_error *error);
/** Returns whether a ray hits. */
VP_API vp_status vp_kd_raycast_any(const vp_kd *tree, const vp_ray *ray, bool *out, vp_error *error);
/** Returns all hits of a ray, sorted by t and number. Cost: up to O(k^2) for k hits. */
VP_API vp_status vp_kd_raycast_all(const vp_kd *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Returns the first triangle that a sphere touches on its way. If it starts in contact, this is the nearest one, at t = 0.
 *  @return VP_E_ARGUMENT for a radius outside 0 to VP_KD_MAX */
VP_API vp_status vp_kd_sphere_sweep(const vp_kd *tree, const vp_ray *ray, float radius, vp_hit *out, vp_error *error);

/** Returns the triangles whose boxes overlap a closed box, unsorted. */
VP_API vp_status vp_kd_gather(const vp_kd *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Surface data at a hit. */
typedef struct vp_surface_point {
    vp_vec3 point;
    vp_vec3 normal; /**< Unit, counterclockwise side. 0 = no area. */
    uint8_t material;
} vp_surface_point;

/** Returns the corners of a valid triangle. Cost: O(n) in packed and implied trees. */
VP_API void vp_kd_corners(const vp_kd_view *tree, uint32_t triangle, vp_vec3 corner[3]);

/** Rounds vertices to multiples of the pitch, for packed trees.
 *  @param pitch    power of two from 2^-100 to 2^40. 0 = finest possible
 *  @param out      [count]. Can be `vertex`
 *  @param largest  largest change, or NULL
 *  @param used     pitch, or NULL
 *  @return VP_E_ARGUMENT for an invalid vertex or pitch, or more than 65535 steps */
VP_API vp_status vp_kd_quantize(const vp_vec3 *vertex, uint32_t count, float pitch, vp_vec3 *out, float *largest, float *used,
                                vp_error *error);

/** Returns the surface data at a hit. A sphere's point is its centre. */
VP_API vp_surface_point vp_kd_surface(const vp_kd *tree, const vp_ray *ray, const vp_hit *hit);

/** Contact of a swept sphere (SWP-5 to SWP-7). */
typedef struct vp_sphere_contact {
    vp_vec3 centre; /**< At contact. */
    vp_vec3 point;
    vp_vec3 normal;      /**< Unit, from the point to the centre. */
    float depth;         /**< At the start. 0 = not inside. */
    bool started_inside; /**< If not and t is 0, it just touches. */
} vp_sphere_contact;

/** Computes the contact of a swept sphere, from a hit of vp_kd_sphere_sweep with equal arguments. Zero on a miss. Cost:
 *  vp_kd_corners. */
VP_API vp_sphere_contact vp_kd_sphere_contact(const vp_kd *tree, const vp_ray *ray, float radius, const vp_hit *hit);

#ifdef __cplusplus
}
#endif

#endif
