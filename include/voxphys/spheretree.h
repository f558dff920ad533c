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
 *  The sphere tree over a whole scene (second article, "Scene Collision Detection"): objects, each with a bounding sphere, and triangles of
 *  large objects, in one binary tree, to find what a sphere, a box, a triangle or a ray touches, and which objects touch each other.
 *
 *  **Answers.** What is touched is a property of the question and of each sphere or triangle alone, computed in a stated way
 *  (kernel/spheretree.h). No tree, no rule and no order of insertion changes an answer: all give what testing every object gives, to the
 *  last bit. Nothing is ever dropped, however deep the tree.
 *
 *  **Threads.** Queries don't change a tree and ask for no memory: any number of threads may ask at once. Whoever changes a tree is alone
 *  with it. */

#ifdef __cplusplus
extern "C" {
#endif

/** A tree over a scene. */
typedef struct vp_spheretree vp_spheretree;

/** How a tree is made. All zero bytes are the published tree. */
typedef struct vp_spheretree_def {
    vp_scene_rule rule;            /**< Of insertion. */
    uint32_t room;                 /**< For so many leaves memory is asked for at once; at most VP_SCENE_MAX_LEAVES. More are welcome. */
    const vp_kernels *kernels;     /**< Copied; NULL: as vp_kernels_default says. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_spheretree_def;

/** An object that is a sphere. */
typedef struct vp_spheretree_object {
    vp_sphere sphere; /**< Its bound. */
    uint64_t data;    /**< The caller's, told to object-level tests. */
    uint32_t mask;    /**< Queries see it whose mask has one of these bits; 0: none sees it. */
} vp_spheretree_object;

/** Makes a tree without objects. @return VP_E_ARGUMENT for a rule that there is not, or too much room; VP_E_MEMORY; and what
 * vp_kernels_default says. */
VP_API vp_status vp_spheretree_create(const vp_spheretree_def *def, vp_spheretree **out, vp_error *error);
/** Frees a tree; NULL is left alone. */
VP_API void vp_spheretree_destroy(vp_spheretree *tree);

/* ---- objects ---- */

/** Puts an object into the tree. O(depth). Asks for memory only where there are more leaves than ever before.
 *  @param id  names the object until it is removed; after that another one may get it. Never VP_SCENE_NONE
 *  @return VP_E_ARGUMENT for a sphere that is not as vp_sphere says (the message names the component); VP_E_LIMIT for more than
 *          VP_SCENE_MAX_OBJECTS or VP_SCENE_MAX_LEAVES; VP_E_MEMORY. */
VP_API vp_status vp_spheretree_insert(vp_spheretree *tree, const vp_spheretree_object *object, uint32_t *id, vp_error *error);

/** Puts a large object into the tree, triangle by triangle. Its leaves are, from triangle 0 on, two triangles that follow each other and
 *  have two corners in common, or otherwise one; each leaf's sphere is vp_spheretree_mesh_bound's of its triangles. The arrays are kept,
 * not copied, and must not change while the object is there. O(depth) a leaf.
 *  @return as vp_spheretree_insert; VP_E_ARGUMENT also for triangles that are not as vp_triangles says (the message names the triangle and
 * what is wrong), and for none at all. */
VP_API vp_status vp_spheretree_insert_mesh(vp_spheretree *tree, const vp_triangles *triangles, uint64_t data, uint32_t mask, uint32_t *id,
                                           vp_error *error);

/** Takes an object out. The sibling of each leaf takes their parent's place; bounds above are melded anew from their children where that is
 * smaller, and masks are. O(depth) a leaf. @return VP_E_ARGUMENT for an id that there is not */
VP_API vp_status vp_spheretree_remove(vp_spheretree *tree, uint32_t id, vp_error *error);

/** Moves an object that is a sphere, which keeps its id: removed, and inserted again. O(depth); asks for no memory.
 *  @return VP_E_ARGUMENT as vp_spheretree_insert, for an id that there is not, and for a mesh */
VP_API vp_status vp_spheretree_move(vp_spheretree *tree, uint32_t id, const vp_sphere *sphere, vp_error *error);

/** Takes all objects out. Memory is kept. */
VP_API void vp_spheretree_clear(vp_spheretree *tree);

/** Fills a tree offline: see vp_scene_build_fn. Objects have the ids 0 to count - 1, in their order. O(count^2) on all kinds of sets that
 *  were tried, concentric, equal and in a row too; O(count^2.5) at worst. 1,000 take 5 to 40 ms, VP_SCENE_MAX_BUILD 1 to 10 s. Asks for
 *  16 bytes an object more while it runs.
 *  @param object  `count` of them
 *  @return VP_E_ARGUMENT for a tree that isn't empty, and for an object as vp_spheretree_insert; VP_E_LIMIT for more than
 * VP_SCENE_MAX_BUILD; VP_E_MEMORY */
VP_API vp_status vp_spheretree_build(vp_spheretree *tree, const vp_spheretree_object *object, uint32_t count, vp_error *error);

/** What is known of an object.
 *  @param out  of a mesh, `sphere` is zero
 *  @return whether there is one of that id */
VP_API bool vp_spheretree_find(const vp_spheretree *tree, uint32_t id, vp_spheretree_object *out);

/** A sphere that holds every corner of every triangle, in exact arithmetic: Ritter's ("An Efficient Bounding Sphere", Graphics Gems, 1990),
 * over corners in the order of triangles, then of its centre the least radius that the certain test |corner - centre| (1 + 2^-50) <=
 * radius, in double, says of all. O(n). At most some 20 % larger than the smallest, as a rule 5 %.
 *  @return VP_E_ARGUMENT as vp_spheretree_insert_mesh */
VP_API vp_status vp_spheretree_mesh_bound(const vp_triangles *triangles, vp_sphere *out, vp_error *error);

/* ---- questions ----
   `query` may be NULL: a mask of all bits, and no object-level test. `out` may be NULL where `capacity` is 0. `count` is how many there
   are, which may be more than `capacity`; then any `capacity` of them are written. */

/** What a sphere touches: see vp_scene_sphere_fn. @return VP_E_ARGUMENT for a sphere that is not as vp_sphere says */
VP_API vp_status vp_spheretree_sphere(const vp_spheretree *tree, const vp_sphere *sphere, const vp_scene_query *query, vp_scene_item *out,
                                      uint32_t capacity, uint32_t *count, vp_error *error);
/** What a closed box touches. @return VP_E_ARGUMENT for a box with a NaN or min > max on an axis */
VP_API vp_status vp_spheretree_box(const vp_spheretree *tree, const vp_aabb *box, const vp_scene_query *query, vp_scene_item *out,
                                   uint32_t capacity, uint32_t *count, vp_error *error);
/** What a triangle touches. @return VP_E_ARGUMENT for a corner that is not finite, or beyond VP_SCENE_MAX */
VP_API vp_status vp_spheretree_triangle(const vp_spheretree *tree, const vp_vec3 corner[3], const vp_scene_query *query, vp_scene_item *out,
                                        uint32_t capacity, uint32_t *count, vp_error *error);
/** The nearest that a ray meets. @return VP_E_ARGUMENT for a ray that is not as vp_ray says */
VP_API vp_status vp_spheretree_ray(const vp_spheretree *tree, const vp_ray *ray, const vp_scene_query *query, vp_scene_hit *out,
                                   vp_error *error);
/** Whether a ray meets anything. @return likewise */
VP_API vp_status vp_spheretree_ray_any(const vp_spheretree *tree, const vp_ray *ray, const vp_scene_query *query, bool *out,
                                       vp_error *error);
/** All that a ray meets, in order: the first `capacity` of them. @return likewise */
VP_API vp_status vp_spheretree_ray_all(const vp_spheretree *tree, const vp_ray *ray, const vp_scene_query *query, vp_scene_hit *out,
                                       uint32_t capacity, uint32_t *count, vp_error *error);
/** All pairs that touch each other: see vp_scene_pairs_fn. @return VP_E_LIMIT for UINT32_MAX pairs or more, which `count` can't tell: it is
 * UINT32_MAX then, and `capacity` pairs are written */
VP_API vp_status vp_spheretree_pairs(const vp_spheretree *tree, const vp_scene_query *query, vp_scene_pair *out, uint32_t capacity,
                                     uint32_t *count, vp_error *error);

/* ---- what it is like ---- */

/** A tree in figures. */
typedef struct vp_spheretree_stats {
    uint32_t objects; /**< Spheres and meshes. */
    uint32_t leaves;  /**< Spheres, and ones and twos of triangles. */
    uint32_t nodes;   /**< Leaves too. */
    uint32_t depth;   /**< Nodes from the root to the deepest leaf, both counted; 0 of an empty tree. */
    size_t bytes;     /**< All memory that it has, room for more too. Of meshes without the caller's arrays. */
    double excess; /**< How loose melding has left the bounds: the mean, over nodes that are no leaves, of its volume by that of the sphere
                        around the middle of the box of all leaves below that holds these, less 1. Below 0 where that one is larger. */
} vp_spheretree_stats;

/** Counts; O(n) and, for `excess`, the depths of all leaves together. */
VP_API vp_spheretree_stats vp_spheretree_stats_of(const vp_spheretree *tree);

/** A tree as kernels read it, valid until it is changed. */
VP_API const vp_scene_tree *vp_spheretree_view_of(const vp_spheretree *tree);

#ifdef __cplusplus
}
#endif

#endif
