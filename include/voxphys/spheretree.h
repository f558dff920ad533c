/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_SPHERETREE_H
#define VOXPHYS_SPHERETREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/spheretree.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file spheretree.h
 *  Sphere tree over a scene (second article, "Scene Collision Detection"): objects with bounding spheres, and triangles of large objects,
 * in one binary tree. Finds what a sphere, box, triangle or ray touches, and all touching pairs.
 *
 *      vp_spheretree_def def = {0};
 *      vp_spheretree *tree;
 *      vp_spheretree_object object = {.sphere = {.centre = {1, 2, 3}, .radius = 0.5f}, .mask = 1};
 *      vp_spheretree_hit hit;
 *      uint32_t id;
 *      vp_spheretree_create(&def, &tree, &error);
 *      vp_spheretree_insert(tree, &object, &id, &error);
 *      vp_spheretree_ray(tree, &ray, NULL, &hit, &error);
 *
 *  Results equal a test of every object, bit for bit. They do not depend on tree, rule or order of insertion. Nothing is dropped at any
 *  depth. Details: docs/CONTRACT.md, SPH.
 *
 *  Queries allocate nothing, and any number of threads can run them at once. A thread that changes a tree must be alone. */

#ifdef __cplusplus
extern "C" {
#endif

/** Tree over a scene. */
typedef struct vp_spheretree vp_spheretree;

/** Settings for vp_spheretree_create. Zero-initialize for the published tree. */
typedef struct vp_spheretree_def {
    vp_spheretree_rule rule;       /**< Rule of insertion. */
    uint32_t room;                 /**< Number of leaves to allocate at once, up to VP_SPHERETREE_MAX_LEAVES. The tree can grow. */
    const vp_kernels *kernels;     /**< Kernel table, copied. NULL = vp_kernels_default(). */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
} vp_spheretree_def;

/** Object with a bounding sphere. */
typedef struct vp_spheretree_object {
    vp_sphere sphere; /**< Bounding sphere. */
    uint64_t data;    /**< User data, passed to object-level tests. */
    uint32_t mask;    /**< Visible to queries whose mask shares a bit. 0 = invisible. */
} vp_spheretree_object;

/** Creates an empty tree. @return VP_E_ARGUMENT for an invalid rule or room. VP_E_MEMORY. Errors of vp_kernels_default */
VP_API vp_status vp_spheretree_create(const vp_spheretree_def *def, vp_spheretree **out, vp_error *error);
/** Destroys a tree. NULL is a no-op. */
VP_API void vp_spheretree_destroy(vp_spheretree *tree);

/* ---- objects ---- */

/** Inserts an object. Allocates only if the tree never had as many leaves. Cost: O(depth).
 *  @param id  id until the object is removed, then reused. Never VP_SPHERETREE_NONE
 *  @return VP_E_ARGUMENT if the sphere violates vp_sphere (the message names the component). VP_E_LIMIT above VP_SPHERETREE_MAX_OBJECTS or
 *          VP_SPHERETREE_MAX_LEAVES. VP_E_MEMORY */
VP_API vp_status vp_spheretree_insert(vp_spheretree *tree, const vp_spheretree_object *object, uint32_t *id, vp_error *error);

/** Inserts a mesh. Consecutive triangles that share an edge become one leaf, other triangles get a leaf of their own. A leaf's sphere is
 *  the vp_spheretree_mesh_bound of its triangles. The arrays are not copied and must not change. Cost: O(depth) a leaf.
 *  @return errors of vp_spheretree_insert, and VP_E_ARGUMENT for no triangles or triangles that violate vp_triangles (the message names the
 *          triangle) */
VP_API vp_status vp_spheretree_insert_mesh(vp_spheretree *tree, const vp_triangles *triangles, uint64_t data, uint32_t mask, uint32_t *id,
                                           vp_error *error);

/** Removes an object. The sibling of each leaf replaces their parent, and bounds above shrink where possible. Cost: O(depth) a leaf.
 *  @return VP_E_ARGUMENT for an unknown id */
VP_API vp_status vp_spheretree_remove(vp_spheretree *tree, uint32_t id, vp_error *error);

/** Moves an object. Removes it and inserts it again with its id. Allocates nothing. Cost: O(depth).
 *  @return VP_E_ARGUMENT as vp_spheretree_insert, and for an unknown id or a mesh */
VP_API vp_status vp_spheretree_move(vp_spheretree *tree, uint32_t id, const vp_sphere *sphere, vp_error *error);

/** Removes all objects. Keeps the memory. */
VP_API void vp_spheretree_clear(vp_spheretree *tree);

/** Builds an empty tree offline (vp_scene_build_fn). Objects get the ids 0 to count - 1. Temporary memory: 16 bytes an object.
 *  Cost: O(count^2) on all sets tried, such as concentric, equal and aligned spheres, O(count^2.5) at worst. 1,000 objects take 5 to 40 ms,
 *  VP_SPHERETREE_MAX_BUILD objects 1 to 10 s.
 *  @param object  [count]
 *  @return VP_E_ARGUMENT if the tree is not empty, and as vp_spheretree_insert. VP_E_LIMIT above VP_SPHERETREE_MAX_BUILD. VP_E_MEMORY */
VP_API vp_status vp_spheretree_build(vp_spheretree *tree, const vp_spheretree_object *object, uint32_t count, vp_error *error);

/** Looks up an object.
 *  @param out  the object. The sphere of a mesh is zero
 *  @return whether the id exists */
VP_API bool vp_spheretree_find(const vp_spheretree *tree, uint32_t id, vp_spheretree_object *out);

/** Computes a sphere that exactly contains all corners (Ritter, "An Efficient Bounding Sphere", Graphics Gems, 1990). Usually 5 %, at most
 *  about 20 % larger than the smallest one. The radius is the least for which |corner - centre| (1 + 2^-50) <= radius in double. Cost:
 * O(n).
 *  @return VP_E_ARGUMENT as vp_spheretree_insert_mesh */
VP_API vp_status vp_spheretree_mesh_bound(const vp_triangles *triangles, vp_sphere *out, vp_error *error);

/* ---- queries ----
   `query` NULL = a mask of all bits and no object-level test. `out` can be NULL if `capacity` is 0. `count` can exceed `capacity`, then any
   `capacity` results are written. */

/** Finds what a sphere touches (vp_scene_sphere_fn). @return VP_E_ARGUMENT if the sphere violates vp_sphere */
VP_API vp_status vp_spheretree_sphere(const vp_spheretree *tree, const vp_sphere *sphere, const vp_spheretree_query *query,
                                      vp_spheretree_item *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds what a closed box touches. @return VP_E_ARGUMENT for a box with a NaN or min > max on an axis */
VP_API vp_status vp_spheretree_box(const vp_spheretree *tree, const vp_aabb *box, const vp_spheretree_query *query, vp_spheretree_item *out,
                                   uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds what a triangle touches. @return VP_E_ARGUMENT for a corner that is not finite or beyond VP_SPHERETREE_MAX */
VP_API vp_status vp_spheretree_triangle(const vp_spheretree *tree, const vp_vec3 corner[3], const vp_spheretree_query *query,
                                        vp_spheretree_item *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds the nearest hit of a ray. @return VP_E_ARGUMENT if the ray violates vp_ray */
VP_API vp_status vp_spheretree_ray(const vp_spheretree *tree, const vp_ray *ray, const vp_spheretree_query *query, vp_spheretree_hit *out,
                                   vp_error *error);
/** Returns whether a ray hits anything. @return errors of vp_spheretree_ray */
VP_API vp_status vp_spheretree_ray_any(const vp_spheretree *tree, const vp_ray *ray, const vp_spheretree_query *query, bool *out,
                                       vp_error *error);
/** Finds all hits of a ray in order, the first `capacity` of them. @return errors of vp_spheretree_ray */
VP_API vp_status vp_spheretree_ray_all(const vp_spheretree *tree, const vp_ray *ray, const vp_spheretree_query *query,
                                       vp_spheretree_hit *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds all touching pairs (vp_scene_pairs_fn).
 *  @return VP_E_LIMIT for UINT32_MAX pairs or more. `count` is UINT32_MAX then, and `capacity` pairs are written */
VP_API vp_status vp_spheretree_pairs(const vp_spheretree *tree, const vp_spheretree_query *query, vp_spheretree_pair *out,
                                     uint32_t capacity, uint32_t *count, vp_error *error);

/* ---- statistics ---- */

/** Statistics of a tree. */
typedef struct vp_spheretree_stats {
    uint32_t objects; /**< Number of spheres and meshes. */
    uint32_t leaves;  /**< Number of leaves: spheres, and one or two triangles each. */
    uint32_t nodes;   /**< Number of nodes, including leaves. */
    uint32_t depth;   /**< Nodes from the root to the deepest leaf, including both. 0 = empty tree. */
    size_t bytes;     /**< All memory, including free capacity, without the caller's mesh arrays. */
    double excess;    /**< Looseness of the bounds: mean over inner nodes of volume / volume of the sphere around the centre of its leaves'
                         box,    minus 1. Negative if that sphere is larger. */
} vp_spheretree_stats;

/** Computes the statistics. Cost: O(n), and for `excess` the sum of all leaf depths. */
VP_API vp_spheretree_stats vp_spheretree_stats_of(const vp_spheretree *tree);

/** Returns the tree for kernels, valid until it is changed. */
VP_API const vp_spheretree_view *vp_spheretree_view_of(const vp_spheretree *tree);

#ifdef __cplusplus
}
#endif

#endif
