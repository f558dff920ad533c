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
#include <voxphys/world_file.h>

/** @file
 *  Tree over bounding spheres and mesh triangles, for overlap queries, rays and touching pairs.
 *
 *      vp_spheretree_object object = {.sphere = {.centre = {1, 2, 3}, .radius = 0.5f}, .mask = 1};
 *      vp_spheretree_create(&def, &tree, &error);
 *      vp_spheretree_insert(tree, &object, &id, &error);
 *      vp_spheretree_ray(tree, &ray, NULL, &hit, &error);
 *
 *  Queries allocate nothing and can run on several threads. A change must run alone. VP_E_ARGUMENT is also for unknown ids.
 *  Details: docs/kernels/scene.md, docs/CONTRACT.md, SPH. */

#ifdef __cplusplus
extern "C" {
#endif

/** Tree. */
typedef struct vp_spheretree vp_spheretree;

/** Settings. */
typedef struct vp_spheretree_def {
    vp_spheretree_form form;
    vp_spheretree_rule rule; /**< Published form. */
    uint32_t capacity;       /**< Initial leaves. A tree can grow. */
    bool events;             /**< For vp_spheretree_events. */
    const vp_kernels *kernels;
    const vp_allocator *allocator;
} vp_spheretree_def;

/** Object with a bounding sphere. */
typedef struct vp_spheretree_object {
    vp_sphere sphere;
    uint64_t data; /**< For the caller. */
    uint32_t mask; /**< Visible to queries that share a bit. */
    uint32_t with; /**< Masks that it has events with. 0 = `mask`. */
} vp_spheretree_object;

/** Creates an empty tree. */
VP_API vp_status vp_spheretree_create(const vp_spheretree_def *def, vp_spheretree **out, vp_error *error);
/** Destroys a tree. */
VP_API void vp_spheretree_destroy(vp_spheretree *tree);

/** Inserts an object. Its id is reused after removal. Cost: O(depth).
 *  @return VP_E_LIMIT above VP_SPHERETREE_MAX_OBJECTS or VP_SPHERETREE_MAX_LEAVES */
VP_API vp_status vp_spheretree_insert(vp_spheretree *tree, const vp_spheretree_object *object, uint32_t *id, vp_error *error);

/** Inserts all objects, or on errors none. */
VP_API vp_status vp_spheretree_insert_batch(vp_spheretree *tree, const vp_spheretree_object *object, uint32_t count, uint32_t *id,
                                            vp_error *error);

/** Inserts a mesh, whose arrays must not change. Consecutive triangles with a common edge become one leaf. Cost: O(depth) a leaf.
 *  @return errors of vp_spheretree_insert, VP_E_ARGUMENT for no triangles */
VP_API vp_status vp_spheretree_insert_mesh(vp_spheretree *tree, const vp_triangles *triangles, uint64_t data, uint32_t mask, uint32_t *id,
                                           vp_error *error);

/** Removes an object. */
VP_API vp_status vp_spheretree_remove(vp_spheretree *tree, uint32_t id, vp_error *error);

/** Moves an object, unless it is a mesh (VP_E_ARGUMENT). Needs no memory. Cost: O(depth). */
VP_API vp_status vp_spheretree_move(vp_spheretree *tree, uint32_t id, const vp_sphere *sphere, vp_error *error);

/** Stops at the first error. */
VP_API vp_status vp_spheretree_remove_batch(vp_spheretree *tree, const uint32_t *id, uint32_t count, vp_error *error);
/** Stops at the first error. */
VP_API vp_status vp_spheretree_move_batch(vp_spheretree *tree, const uint32_t *id, const vp_sphere *sphere, uint32_t count,
                                          vp_error *error);

/** Removes all objects. */
VP_API void vp_spheretree_clear(vp_spheretree *tree);

/** Builds an empty tree, with ids 0 to count - 1. Cost: O(count log count), published form about O(count^2).
 *  @return VP_E_ARGUMENT for a tree with objects
 *          VP_E_LIMIT above VP_SPHERETREE_MAX_BUILD in published form */
VP_API vp_status vp_spheretree_build(vp_spheretree *tree, const vp_spheretree_object *object, uint32_t count, vp_error *error);

/** Returns whether an id exists, and its object. Meshes have no sphere. */
VP_API bool vp_spheretree_find(const vp_spheretree *tree, uint32_t id, vp_spheretree_object *out);

/** Computes a sphere around all corners. Errors of vp_spheretree_insert_mesh. */
VP_API vp_status vp_spheretree_mesh_bound(const vp_triangles *triangles, vp_sphere *out, vp_error *error);

/* Queries. */

/** Finds objects that touch a sphere. */
VP_API vp_status vp_spheretree_sphere(const vp_spheretree *tree, const vp_sphere *sphere, const vp_spheretree_query *query,
                                      vp_spheretree_item *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds objects that touch a closed box. */
VP_API vp_status vp_spheretree_box(const vp_spheretree *tree, const vp_aabb *box, const vp_spheretree_query *query, vp_spheretree_item *out,
                                   uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds objects that touch a triangle within VP_SPHERETREE_MAX. */
VP_API vp_status vp_spheretree_triangle(const vp_spheretree *tree, const vp_vec3 corner[3], const vp_spheretree_query *query,
                                        vp_spheretree_item *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds a ray's nearest hit. */
VP_API vp_status vp_spheretree_ray(const vp_spheretree *tree, const vp_ray *ray, const vp_spheretree_query *query, vp_spheretree_hit *out,
                                   vp_error *error);
/** Returns whether a ray hits. */
VP_API vp_status vp_spheretree_ray_any(const vp_spheretree *tree, const vp_ray *ray, const vp_spheretree_query *query, bool *out,
                                       vp_error *error);
/** Finds a ray's first `capacity` hits. */
VP_API vp_status vp_spheretree_ray_all(const vp_spheretree *tree, const vp_ray *ray, const vp_spheretree_query *query,
                                       vp_spheretree_hit *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds all touching pairs.
 *  @return VP_E_LIMIT for UINT32_MAX pairs or more. `capacity` pairs are written */
VP_API vp_status vp_spheretree_pairs(const vp_spheretree *tree, const vp_spheretree_query *query, vp_spheretree_pair *out,
                                     uint32_t capacity, uint32_t *count, vp_error *error);

/** Sphere, capsule, box or rounded box. */
typedef struct vp_spheretree_shape {
    vp_vec3 centre;
    vp_vec3 axis[3]; /**< From the centre to faces, perpendicular. Capsule: one. Sphere: none. Rest: 0. */
    float radius;    /**< Added to all sides. */
} vp_spheretree_shape;

/** Half-space: normal . p + offset >= 0. */
typedef struct vp_spheretree_plane {
    vp_vec3 normal;
    float offset;
} vp_spheretree_plane;

/** Finds objects that touch a shape (SPH-10). */
VP_API vp_status vp_spheretree_touch(const vp_spheretree *tree, const vp_spheretree_shape *shape, const vp_spheretree_query *query,
                                     vp_spheretree_item *out, uint32_t capacity, uint32_t *count, vp_error *error);
/** Finds objects partly within each half-space. */
VP_API vp_status vp_spheretree_frustum(const vp_spheretree *tree, const vp_spheretree_plane *plane, uint32_t planes,
                                       const vp_spheretree_query *query, vp_spheretree_item *out, uint32_t capacity, uint32_t *count,
                                       vp_error *error);
/** Finds a moving shape's first contact. */
VP_API vp_status vp_spheretree_sweep(const vp_spheretree *tree, const vp_spheretree_shape *shape, vp_vec3 direction, float t_max,
                                     const vp_spheretree_query *query, vp_spheretree_hit *out, vp_error *error);
/** Finds the `capacity` nearest items, in order. `t` is their distance. */
VP_API vp_status vp_spheretree_nearest(const vp_spheretree *tree, vp_vec3 point, float distance, const vp_spheretree_query *query,
                                       vp_spheretree_hit *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Begin or end of a contact, a < b. */
typedef struct vp_spheretree_event {
    uint32_t a, b;
    bool begins;
} vp_spheretree_event;

/** Returns whether two objects have events. */
typedef bool vp_spheretree_filter_fn(void *user, uint32_t a, uint32_t b);

/** Returns contacts that began or ended since the last call, unsorted. Cost: changed objects.
 *  @return VP_E_ARGUMENT for a tree without def.events
 *          VP_E_MEMORY, also for 2^31 pairs. The next call returns these events too */
VP_API vp_status vp_spheretree_events(vp_spheretree *tree, vp_spheretree_filter_fn *filter, void *user, const vp_spheretree_event **out,
                                      uint32_t *count, vp_error *error);

/** Returns the first id from `id` on, or VP_SPHERETREE_NONE. */
VP_API uint32_t vp_spheretree_next(const vp_spheretree *tree, uint32_t id);
/** Computes a box around all objects. @return false if there are none */
VP_API bool vp_spheretree_bounds(const vp_spheretree *tree, vp_aabb *out);

/** Statistics. */
typedef struct vp_spheretree_stats {
    uint32_t objects;
    uint32_t leaves;
    uint32_t nodes;
    uint32_t depth;
    size_t bytes;  /**< Without the caller's arrays. */
    double excess; /**< Mean looseness of bounds. */
} vp_spheretree_stats;

/** Computes statistics. */
VP_API vp_spheretree_stats vp_spheretree_stats_of(const vp_spheretree *tree);

/** Returns the tree for kernels. */
VP_API const vp_spheretree_view *vp_spheretree_view_of(const vp_spheretree *tree);

/** Encodes a wide tree (docs/FORMATS.md).
 *  @return VP_E_ARGUMENT for the published form or meshes */
VP_API vp_status vp_spheretree_encode(const vp_spheretree *tree, const vp_allocator *allocator, vp_blob *out, vp_error *error);

/** Decodes a tree, which then returns equal results in equal order.
 *  @return VP_E_FORMAT for damaged bytes. Errors of vp_spheretree_create */
VP_API vp_status vp_spheretree_decode(const void *bytes, size_t size, const vp_spheretree_def *def, vp_spheretree **out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
