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
 *  Loose kD tree (voxel terrain article, "Loose kD tree: construction" and "queries"): a tree over the triangles of a chunk, a world or any
 *  mesh, for rays, sphere sweeps and box queries.
 *
 *      vp_kd_def def = {.triangles = triangles, .form = VP_KD_WIDE};
 *      vp_kd *tree;
 *      vp_hit hit;
 *      vp_error error;
 *      vp_kd_create(&def, &tree, &error);
 *      vp_kd_raycast(tree, &ray, &hit, &error);
 *      if (hit.triangle >= 0)
 *          printf("triangle %d at t = %g\n", (int)hit.triangle, (double)hit.t);
 *      vp_kd_destroy(tree);
 *
 *  Results equal a test of every triangle, bit for bit, for every form and instruction set. Rays hit both sides. No ray slips through the
 *  edge or corner of a closed surface. Details: docs/CONTRACT.md, RAY, SWP, BOX and TRE.
 *
 *  Any number of threads can query a tree at once. */

#ifdef __cplusplus
extern "C" {
#endif

/** Tree over triangles. */
typedef struct vp_kd vp_kd;

/** Settings for vp_kd_create. */
typedef struct vp_kd_def {
    vp_triangles triangles;        /**< Triangles. The packed and the implied form copy them. The other forms keep the pointers,
                                        so the arrays must not change. */
    const uint8_t *material;       /**< Material of each triangle or quad, not copied. NULL = 0. */
    vp_kd_form form;               /**< VP_KD_WIDE = fastest. Least memory: VP_KD_IMPLIED for chunk meshes, VP_KD_PACKED for other small
                                        meshes, VP_KD_SLAB for any. VP_KD_PUBLISHED = as published. */
    const vp_kernels *kernels;     /**< Kernel table, copied. NULL = vp_kernels_default(). */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
    void *scratch;                 /**< Temporary memory, 64-byte aligned, reusable for the next tree. NULL = allocated. */
    size_t scratch_bytes;          /**< Its size, at least vp_kd_create_scratch_bytes. */
} vp_kd_def;

/** Returns the scratch size of vp_kd_create, in bytes. Cost: O(1). @param items  vp_kd_item_count of the triangles */
VP_API size_t vp_kd_create_scratch_bytes(vp_kd_form form, uint32_t items);

/** Creates a tree. Degenerate and equal triangles are valid. The packed and the implied form accept only meshes that they can store without
 *  loss (docs/kernels/kd-build.md). vp_kd_quantize prepares any mesh for the packed form, vp_mesh_chunk returns meshes for the implied
 * form. Cost: O(n log n), and vp_kd_create_scratch_bytes of temporary memory.
 *  @return VP_E_ARGUMENT if form, scratch, number of triangles, an index or a vertex in use is invalid, or the mesh does not suit the form
 *          (the message names the vertex or quad)
 *          VP_E_MEMORY, errors of vp_kernels_default */
VP_API vp_status vp_kd_create(const vp_kd_def *def, vp_kd **out, vp_error *error);
/** Destroys a tree. NULL is a no-op. */
VP_API void vp_kd_destroy(vp_kd *tree);

/** Returns the tree for kernels, valid until it is destroyed. */
VP_API const vp_kd_view *vp_kd_view_of(const vp_kd *tree);

/** Memory of a tree. */
typedef struct vp_kd_memory {
    uint32_t nodes;    /**< Number of nodes. */
    size_t node_bytes; /**< Size of the nodes: 12 bytes each, wide 224, packed and implied 64. */
    size_t item_bytes; /**< Size of the items: wide 20 bytes a quad or triangle, packed 10, implied 4, without slack. */
    size_t mesh_bytes; /**< Size of the vertices and their index in packed and implied trees. */
    size_t bytes;      /**< Size of the tree's one memory block. Includes the mesh in packed and implied trees only. */
} vp_kd_memory;

/** Returns the memory of a tree. Cost: O(1). */
VP_API vp_kd_memory vp_kd_memory_of(const vp_kd *tree);

/** Casts a ray and returns the closest hit. Ties go to the lowest triangle.
 *  @param out  closest hit. On a miss triangle = VP_NO_HIT and t = t_max
 *  @return VP_E_ARGUMENT if the ray violates vp_ray (the message names the component) */
VP_API vp_status vp_kd_raycast(const vp_kd *tree, const vp_ray *ray, vp_hit *out, vp_error *error);
/** Casts many rays and returns the closest hit of each. Similar rays that are adjacent in the array, such as a camera's tiles, cost much
 *  less than single casts.
 *  @param out  closest hits [count]. An invalid ray gets triangle = VP_RAY_INVALID, t = t_max and u = v = 0
 *  @return VP_E_ARGUMENT if a ray is invalid (the message names the first one and its component). All other hits are valid */
VP_API vp_status vp_kd_raycast_many(const vp_kd *tree, const vp_ray *ray, size_t count, vp_hit *out, vp_error *error);
/** Returns whether a ray hits any triangle. Faster than vp_kd_raycast. @return errors of vp_kd_raycast */
VP_API vp_status vp_kd_raycast_any(const vp_kd *tree, const vp_ray *ray, bool *out, vp_error *error);
/** Returns all triangles that a ray hits, sorted by t, then by number. Cost: O(k^2) at worst for k hits, if all have one t.
 *  @param out    first min(count, capacity) hits [capacity]
 *  @param count  number of hits, can exceed capacity
 *  @return errors of vp_kd_raycast */
VP_API vp_status vp_kd_raycast_all(const vp_kd *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Sweeps a sphere along a ray and returns the first triangle that it touches. A sphere that starts in contact gets the triangle
 *  nearest to its centre, with t = 0. See vp_kd_sphere_contact for point, normal and depth.
 *  @return VP_E_ARGUMENT as vp_kd_raycast, and for a radius that is negative, NaN or above VP_KD_MAX. */
VP_API vp_status vp_kd_sphere_sweep(const vp_kd *tree, const vp_ray *ray, float radius, vp_hit *out, vp_error *error);

/** Returns the triangles whose bounding boxes overlap a closed box, in no particular order.
 *  @param out    triangles [capacity]. The first min(count, capacity) elements are valid, the rest is unspecified
 *  @param count  number of triangles, can exceed capacity
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max on an axis */
VP_API vp_status vp_kd_gather(const vp_kd *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Surface data at a hit. */
typedef struct vp_surface_point {
    vp_vec3 point;    /**< Hit point, origin + t*direction. */
    vp_vec3 normal;   /**< Unit normal on the counterclockwise side. 0 if the area is 0 in double. */
    uint8_t material; /**< Material of the triangle. */
} vp_surface_point;

/** Returns the corners of a triangle, bit for bit those of the mesh. Cost: O(1), in packed and implied trees O(n).
 *  @param triangle  a valid triangle number */
VP_API void vp_kd_corners(const vp_kd_view *tree, uint32_t triangle, vp_vec3 corner[3]);

/** Rounds vertices to a lattice for the packed form: each coordinate to the nearest multiple of the pitch, halves up.
 *  A closed surface stays closed. Effects on hits: docs/kernels/kd-build.md.
 *  @param pitch    power of two from 2^-100 to 2^40. 0 = finest pitch for the packed form
 *  @param out      [count]. Can be `vertex`
 *  @param largest  largest change of a coordinate, at most pitch/2. Can be NULL
 *  @param used     pitch used. Can be NULL
 *  @return VP_E_ARGUMENT for an invalid pitch, one that would need more than 65535 steps, and a vertex that is not finite or beyond
 *          VP_KD_MAX (the message names it). `out` is unchanged then */
VP_API vp_status vp_kd_quantize(const vp_vec3 *vertex, uint32_t count, float pitch, vp_vec3 *out, float *largest, float *used,
                                vp_error *error);

/** Computes the surface data at a hit of this tree. For a sphere's hit the point is the sphere's centre (see vp_kd_sphere_contact).
 *  Cost: vp_kd_corners. @param hit  a hit, with a valid triangle number */
VP_API vp_surface_point vp_kd_surface(const vp_kd *tree, const vp_ray *ray, const vp_hit *hit);

/** Contact of a swept sphere with the triangle of its hit, in binary64, rounded once (docs/CONTRACT.md, SWP-5 to SWP-7). */
typedef struct vp_sphere_contact {
    vp_vec3 centre;      /**< Centre of the sphere at contact. The ray's origin if it starts in contact. */
    vp_vec3 point;       /**< Contact point: the triangle's point nearest to the centre. */
    vp_vec3 normal;      /**< Unit normal from the point to the centre. If both coincide, the triangle's normal on the sphere's side,
                              without area the opposite of the direction. */
    float depth;         /**< Penetration depth at the start: radius - distance; 0 = the sphere does not start inside. */
    bool started_inside; /**< The distance of the triangle from the sphere's start, rounded to binary32, is less than the radius.
                              If false and t is 0, the sphere just touches. */
} vp_sphere_contact;

/** Computes the contact of a swept sphere. On a miss all fields are 0. Cost: vp_kd_corners.
 *  @param hit  from vp_kd_sphere_sweep with this tree, ray and radius */
VP_API vp_sphere_contact vp_kd_sphere_contact(const vp_kd *tree, const vp_ray *ray, float radius, const vp_hit *hit);

#ifdef __cplusplus
}
#endif

#endif
