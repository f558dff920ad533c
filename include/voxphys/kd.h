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

/** @file kd.h
 *  Loose kD tree over the triangles of a chunk, a world or any mesh, for rays, sphere sweeps and box queries.
 *
 *      vp_kd_def def = {.triangles = triangles, .form = VP_KD_WIDE};
 *      vp_kd_create(&def, &tree, &error);
 *      vp_kd_raycast(tree, &ray, &hit, &error);
 *      if (hit.triangle >= 0)
 *          printf("triangle %d at t = %g\n", (int)hit.triangle, (double)hit.t);
 *      vp_kd_destroy(tree);
 *
 *  Results equal a test of every triangle, bit for bit. Rays hit both sides, and none slips through a closed surface. Any number of threads
 *  can query a tree. Guarantees: docs/CONTRACT.md, RAY, SWP, BOX and TRE. */

#ifdef __cplusplus
extern "C" {
#endif

/** Tree over triangles. */
typedef struct vp_kd vp_kd;

/** Settings for vp_kd_create. */
typedef struct vp_kd_def {
    vp_triangles triangles;        /**< Copied by packed and implied trees. The others keep the pointers. */
    const uint8_t *material;       /**< Material of each triangle or quad, not copied. NULL = 0. */
    vp_kd_form form;               /**< VP_KD_WIDE = fastest. See docs/kernels/kd-build.md. */
    const vp_kernels *kernels;     /**< Copied. NULL = vp_kernels_default(). */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
    void *scratch;                 /**< Temporary memory, 64-byte aligned. NULL = allocated. */
    size_t scratch_bytes;          /**< At least vp_kd_create_scratch_bytes. */
} vp_kd_def;

/** Returns the scratch size of vp_kd_create, bytes. Cost: O(1).
 *  @param items  vp_kd_item_count of the triangles */
VP_API size_t vp_kd_create_scratch_bytes(vp_kd_form form, uint32_t items);

/** Creates a tree. Packed and implied trees accept only meshes that they store without loss (vp_kd_quantize, vp_mesh_chunk). Cost: O(n log
 *  n).
 *  @return VP_E_ARGUMENT for an invalid form, scratch, count, index or vertex, or a mesh that does not suit the form (the message names it)
 *          VP_E_MEMORY, errors of vp_kernels_default */
VP_API vp_status vp_kd_create(const vp_kd_def *def, vp_kd **out, vp_error *error);
/** Destroys a tree. NULL is a no-op. */
VP_API void vp_kd_destroy(vp_kd *tree);

/** Returns the tree for kernels, valid until it is destroyed. */
VP_API const vp_kd_view *vp_kd_view_of(const vp_kd *tree);

/** Memory of a tree. */
typedef struct vp_kd_memory {
    uint32_t nodes;    /**< Number of nodes. */
    size_t node_bytes; /**< Nodes, bytes. */
    size_t item_bytes; /**< Items without slack, bytes. */
    size_t mesh_bytes; /**< Vertices and their index in packed and implied trees, bytes. */
    size_t bytes;      /**< The tree's memory block, bytes. */
} vp_kd_memory;

/** Returns the memory of a tree. Cost: O(1). */
VP_API vp_kd_memory vp_kd_memory_of(const vp_kd *tree);

/** Casts a ray and returns the closest hit. Ties go to the lowest triangle.
 *  @param out  On a miss triangle = VP_NO_HIT and t = t_max
 *  @return VP_E_ARGUMENT for a ray that violates vp_ray (the message names the component) */
VP_API vp_status vp_kd_raycast(const vp_kd *tree, const vp_ray *ray, vp_hit *out, vp_error *error);
/** Casts many rays and returns the closest hit of each. Similar rays that are adjacent cost much less.
 *  @param out  hits [count]. An invalid ray gets triangle = VP_RAY_INVALID and t = t_max
 *  @return VP_E_ARGUMENT if a ray is invalid (the message names the first). The other hits are valid */
VP_API vp_status vp_kd_raycast_many(const vp_kd *tree, const vp_ray *ray, size_t count, vp_hit *out, vp_error *error);
/** Returns whether a ray hits any triangle. Faster than vp_kd_raycast, with the same errors. */
VP_API vp_status vp_kd_raycast_any(const vp_kd *tree, const vp_ray *ray, bool *out, vp_error *error);
/** Returns all triangles that a ray hits, sorted by t and number. Errors as vp_kd_raycast. Cost: O(k^2) at worst for k hits.
 *  @param out    first hits [capacity]
 *  @param count  number of hits, can exceed capacity */
VP_API vp_status vp_kd_raycast_all(const vp_kd *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Sweeps a sphere along a ray and returns the first triangle that it touches. A sphere that starts in contact gets the nearest one, with t
 *  = 0.
 *  @return VP_E_ARGUMENT for an invalid ray, or a radius not in 0 to VP_KD_MAX */
VP_API vp_status vp_kd_sphere_sweep(const vp_kd *tree, const vp_ray *ray, float radius, vp_hit *out, vp_error *error);

/** Returns the triangles whose bounding boxes overlap a closed box, in no particular order.
 *  @param out    triangles [capacity]
 *  @param count  number of triangles, can exceed capacity
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max */
VP_API vp_status vp_kd_gather(const vp_kd *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Surface data at a hit. */
typedef struct vp_surface_point {
    vp_vec3 point;    /**< Hit point, origin + t*direction. */
    vp_vec3 normal;   /**< Unit normal on the counterclockwise side. 0 = no area. */
    uint8_t material; /**< Material of the triangle. */
} vp_surface_point;

/** Returns the corners of a valid triangle, bit for bit. Cost: O(1), in packed and implied trees O(n). */
VP_API void vp_kd_corners(const vp_kd_view *tree, uint32_t triangle, vp_vec3 corner[3]);

/** Rounds vertices to multiples of the pitch, halves up, for the packed form. A closed surface stays closed.
 *  @param pitch    power of two from 2^-100 to 2^40. 0 = finest possible
 *  @param out      [count]. Can be `vertex`. Unchanged after an error
 *  @param largest  largest change of a coordinate. Can be NULL
 *  @param used     pitch used. Can be NULL
 *  @return VP_E_ARGUMENT for an invalid pitch, one of more than 65535 steps, or an invalid vertex (the message names it) */
VP_API vp_status vp_kd_quantize(const vp_vec3 *vertex, uint32_t count, float pitch, vp_vec3 *out, float *largest, float *used,
                                vp_error *error);

/** Computes the surface data at a hit. For a sphere's hit the point is the sphere's centre. Cost: vp_kd_corners. */
VP_API vp_surface_point vp_kd_surface(const vp_kd *tree, const vp_ray *ray, const vp_hit *hit);

/** Contact of a swept sphere (docs/CONTRACT.md, SWP-5 to SWP-7). */
typedef struct vp_sphere_contact {
    vp_vec3 centre;      /**< Centre of the sphere at contact. */
    vp_vec3 point;       /**< Contact point on the triangle. */
    vp_vec3 normal;      /**< Unit normal from the point to the centre. */
    float depth;         /**< Penetration depth at the start. 0 = the sphere does not start inside. */
    bool started_inside; /**< If false and t is 0, the sphere just touches. */
} vp_sphere_contact;

/** Computes the contact of a swept sphere. On a miss all fields are 0. Cost: vp_kd_corners.
 *  @param hit  from vp_kd_sphere_sweep with this tree, ray and radius */
VP_API vp_sphere_contact vp_kd_sphere_contact(const vp_kd *tree, const vp_ray *ray, float radius, const vp_hit *hit);

#ifdef __cplusplus
}
#endif

#endif
