/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_SPHERETREE_H
#define VOXPHYS_KERNEL_SPHERETREE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernel/versions.h>

/** @file
 *  Types and kernels of the sphere tree. Details: docs/kernels/scene.md, docs/CONTRACT.md, SPH. */

#ifdef __cplusplus
extern "C" {
#endif

/** Closed ball. */
typedef struct vp_sphere {
    vp_vec3 centre; /**< Within VP_SPHERETREE_MAX. */
    float radius;   /**< 0 to VP_SPHERETREE_MAX. */
} vp_sphere;

/** Maximum radius and absolute coordinate. Meshes, ray origins: VP_KD_MAX. */
#define VP_SPHERETREE_MAX 1152921504606846976.0f /* 2^60 */

enum {
    VP_SPHERETREE_MAX_OBJECTS = 1 << 24,
    VP_SPHERETREE_MAX_LEAVES = 1 << 30,
    VP_SPHERETREE_MAX_BUILD = 16384 /**< Takes seconds. */
};

/** No node, object or triangle. */
#define VP_SPHERETREE_NONE 0xffffffffu
/** Leaf bit of child[0]. */
#define VP_SPHERETREE_LEAF 0x80000000u
/** Mesh bit of vp_spheretree_entry.leaf. */
#define VP_SPHERETREE_MESH 0x80000000u

/** Node. Its bound contains all leaves below it exactly. A leaf has child[0] = VP_SPHERETREE_LEAF + object. Its child[1] is
 *  VP_SPHERETREE_NONE for a sphere, or first triangle << 1, + 1 if it has the next one. */
typedef struct vp_spheretree_node {
    vp_sphere bound;
    uint32_t parent; /**< VP_SPHERETREE_NONE = root. */
    uint32_t child[2];
    uint32_t mask; /**< Union over the objects. */
} vp_spheretree_node;

/** Object of a tree. */
typedef struct vp_spheretree_entry {
    uint64_t data; /**< Caller's data, or next free entry. */
    uint32_t mask;
    uint32_t leaf; /**< Leaf or slot, VP_SPHERETREE_MESH + mesh, or VP_SPHERETREE_NONE if free. */
} vp_spheretree_entry;

/** Mesh object. */
typedef struct vp_spheretree_mesh {
    vp_triangles triangles; /**< Caller's arrays. */
    uint32_t *leaf;
    uint32_t leaf_count;
    uint32_t object; /**< VP_SPHERETREE_NONE = free entry. */
} vp_spheretree_mesh;

static_assert(sizeof(vp_sphere) == 16 && sizeof(vp_spheretree_node) == 32 && sizeof(vp_spheretree_entry) == 16, "size");

enum { VP_SPHERETREE_WIDTH = 16, VP_SPHERETREE_MAX_LEVELS = 24 };

/** Node of the wide form. Unused lanes have the radius NaN. */
typedef struct vp_spheretree_wide_node {
    float x[VP_SPHERETREE_WIDTH];
    float y[VP_SPHERETREE_WIDTH];
    float z[VP_SPHERETREE_WIDTH];
    float radius[VP_SPHERETREE_WIDTH];
    uint32_t child[VP_SPHERETREE_WIDTH]; /**< Node. On level 0: object, or VP_SPHERETREE_LEAF + leaf. */
} vp_spheretree_wide_node;

/** Half sizes of boxes around an inner node's children. Unused lanes: NaN. */
typedef struct vp_spheretree_wide_box {
    float x[VP_SPHERETREE_WIDTH];
    float y[VP_SPHERETREE_WIDTH];
    float z[VP_SPHERETREE_WIDTH];
} vp_spheretree_wide_box;

/** Rest of a node. */
typedef struct vp_spheretree_wide_info {
    uint32_t parent; /**< Slot, node * VP_SPHERETREE_WIDTH + lane. */
    uint32_t mask;   /**< Includes all objects'. */
    uint32_t next;   /**< Dirty or free node. */
    uint32_t box;    /**< Index. */
    float size;      /**< Range of children. */
    uint8_t level, count, dirty;
} vp_spheretree_wide_info;

/** Leaf with triangles. */
typedef struct vp_spheretree_wide_leaf {
    uint32_t object, triangles; /**< Like vp_spheretree_node.child. */
    uint32_t slot;
} vp_spheretree_wide_leaf;

/** Wide form. Lanes contain their leaves exactly. */
typedef struct vp_spheretree_wide {
    vp_spheretree_wide_node *node;
    vp_spheretree_wide_info *info;
    vp_spheretree_wide_box *box;
    vp_spheretree_wide_leaf *leaf;
    uint32_t root;
    uint32_t common_mask; /**< Bits of every object. */
    uint32_t meshes;
} vp_spheretree_wide;

static_assert(sizeof(vp_spheretree_wide_node) == 320 && sizeof(vp_spheretree_wide_info) == 24, "size");

/** Child that a new leaf descends to. */
typedef enum vp_spheretree_rule {
    VP_SPHERETREE_SMALLER = 0, /**< Smaller radius afterwards, as published. */
    VP_SPHERETREE_LEAST = 1,   /**< Least growth of the radius. */
    VP_SPHERETREE_RULE_COUNT
} vp_spheretree_rule;

/** Layout. Answers are equal. */
typedef enum vp_spheretree_form {
    VP_SPHERETREE_PUBLISHED = 0,
    VP_SPHERETREE_WIDE = 1, /**< Faster. */
    VP_SPHERETREE_FORM_COUNT
} vp_spheretree_form;

/** Tree that kernels query. */
typedef struct vp_spheretree_view {
    vp_spheretree_node *node;
    const vp_spheretree_entry *object; /**< By id. */
    const vp_spheretree_mesh *mesh;
    uint32_t root; /**< VP_SPHERETREE_NONE = empty. */
    vp_spheretree_rule rule;
    const vp_spheretree_wide *wide; /**< NULL = published form. */
} vp_spheretree_view;

/** Returns whether a node is a leaf. */
static inline bool vp_spheretree_is_leaf(const vp_spheretree_node *node)
{
    return (node->child[0] & VP_SPHERETREE_LEAF) != 0;
}
/** Returns a leaf's object. */
static inline uint32_t vp_spheretree_object_of(const vp_spheretree_node *leaf)
{
    return leaf->child[0] & ~VP_SPHERETREE_LEAF;
}
/** Returns a leaf's number of triangles. 0 = sphere. */
static inline uint32_t vp_spheretree_triangles_of(const vp_spheretree_node *leaf)
{
    return leaf->child[1] == VP_SPHERETREE_NONE ? 0 : 1 + (leaf->child[1] & 1u);
}

/** Returns whether an object is touched whose sphere is. For rays `t` is the entry, and may be raised. */
typedef bool vp_spheretree_test_fn(void *user, uint32_t object, uint64_t data, float *t);

/** Counters of queries. */
typedef struct vp_spheretree_cost {
    uint64_t nodes;
    uint64_t tests;
} vp_spheretree_cost;

/** Options of a query. NULL = all mask bits and no test. */
typedef struct vp_spheretree_query {
    uint32_t mask; /**< Skips objects without any of these bits. */
    vp_spheretree_test_fn *test;
    void *user;
    vp_spheretree_cost *cost;           /**< One per thread. */
    uint32_t limit;                     /**< Ends after so many items or pairs. 0 = none. */
    const bool *stop;                   /**< Ends a query, not pairs, if true. `test` can set it. */
    const struct vp_scene_shape *shape; /**< NULL. Private. */
} vp_spheretree_query;

/** Sphere object, or triangle of a mesh. */
typedef struct vp_spheretree_item {
    uint32_t object;
    uint32_t triangle; /**< VP_SPHERETREE_NONE = sphere. */
} vp_spheretree_item;

/** Items that touch, `a` of the lower object. */
typedef struct vp_spheretree_pair {
    vp_spheretree_item a;
    vp_spheretree_item b;
} vp_spheretree_pair;

/** Hit of a ray. */
typedef struct vp_spheretree_hit {
    float t;                 /**< 0 = start in a sphere. t_max = miss. */
    vp_spheretree_item item; /**< object VP_SPHERETREE_NONE = miss. */
    float u;                 /**< Weights of corners 1 and 2. */
    float v;
} vp_spheretree_hit;

static_assert(sizeof(vp_spheretree_item) == 8 && sizeof(vp_spheretree_pair) == 16 && sizeof(vp_spheretree_hit) == 20, "size");

/** Computes the smallest spheres that contain a[i] and b[i], rounded outwards (SPH-1). Numbers: up to 2^100. */
typedef void vp_scene_meld_fn(const vp_sphere *a, const vp_sphere *b, uint32_t count, vp_sphere *out);

/** Inserts a leaf with bound, mask and children (SPH-8). The unused node `inner` becomes its parent. Cost: O(depth). */
typedef void vp_scene_insert_fn(vp_spheretree_view *tree, uint32_t leaf, uint32_t inner);

/** Builds a tree bottom up (SPH-8). Cost: usually O(n^2), at most O(n^2.5).
 *  @param node     [2 * count - 1], leaves set
 *  @param count    leaves, 1 to VP_SPHERETREE_MAX_BUILD
 *  @param scratch  [4 * count] */
typedef void vp_scene_build_fn(vp_spheretree_node *node, uint32_t count, uint32_t *scratch);

/** Computes nodes' bounds (SPH-9).
 *  @param box   [count], NULL = leaves
 *  @param half  [count], half sizes of boxes */
typedef void vp_scene_bound_fn(const vp_spheretree_wide_node *node, const vp_spheretree_wide_box *box, uint32_t count, vp_sphere *out,
                               vp_vec3 *half);

/** Lists any `capacity` spheres and triangles that a sphere touches (SPH-3). */
typedef uint32_t vp_scene_sphere_fn(const vp_spheretree_view *tree, const vp_sphere *sphere, const vp_spheretree_query *query,
                                    vp_spheretree_item *out, uint32_t capacity);

/** Like scene_sphere, for a closed box, possibly infinite (SPH-4). */
typedef uint32_t vp_scene_box_fn(const vp_spheretree_view *tree, const vp_aabb *box, const vp_spheretree_query *query,
                                 vp_spheretree_item *out, uint32_t capacity);

/** Like scene_sphere, for a triangle within VP_SPHERETREE_MAX (SPH-4). */
typedef uint32_t vp_scene_triangle_fn(const vp_spheretree_view *tree, const vp_vec3 *corner, const vp_spheretree_query *query,
                                      vp_spheretree_item *out, uint32_t capacity);

/** Returns a valid ray's closest hit (SPH-5). */
typedef vp_spheretree_hit vp_scene_ray_fn(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query);

/** Returns whether a ray hits. */
typedef bool vp_scene_ray_any_fn(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query);

/** Lists a ray's hits in order (RAY-10). */
typedef uint32_t vp_scene_ray_all_fn(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query,
                                     vp_spheretree_hit *out, uint32_t capacity);

/** Lists any `capacity` touching pairs (SPH-7). Ignores query->test.
 *  @return count, at most UINT32_MAX */
typedef uint32_t vp_scene_pairs_fn(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_spheretree_pair *out,
                                   uint32_t capacity);

/* clang-format off */
/** Kernels. */
#define VP_SPHERETREE_KERNELS(K)                                                     \
    K(scene_meld, meld, NONE, "Sphere tree", "pairs",                                \
      "Computes the smallest sphere that contains two.")                             \
    K(scene_insert, insert, NONE, "Sphere tree", "objects",                          \
      "Inserts a leaf into a sphere tree by one of two rules.")                      \
    K(scene_build, build, NONE, "Sphere tree", "objects",                            \
      "Builds a sphere tree offline: the closest pair, again and again.")            \
    K(scene_bound, scene, ALL, "Sphere tree", "nodes",                               \
      "Computes a sphere and a box around a wide node.")                             \
    K(scene_sphere, scene, ALL, "Sphere tree", "queries",                            \
      "Lists the items that a sphere touches.")                                      \
    K(scene_box, scene, ALL, "Sphere tree", "queries",                               \
      "Lists the items that a box touches.")                                         \
    K(scene_triangle, scene, ALL, "Sphere tree", "queries",                          \
      "Lists the items that a triangle touches.")                                    \
    K(scene_ray, scene, ALL, "Sphere tree", "rays",                                  \
      "Finds the nearest object or triangle that a ray meets.")                      \
    K(scene_ray_any, scene, ALL, "Sphere tree", "rays",                              \
      "Finds out whether a ray meets anything.")                                     \
    K(scene_ray_all, scene, ALL, "Sphere tree", "rays",                              \
      "Lists all that a ray meets, in order along it.")                              \
    K(scene_pairs, scene, ALL, "Sphere tree", "objects",                             \
      "Lists all pairs of objects that touch each other.")
/** Operations. */
#define VP_SPHERETREE_OPERATIONS(O) \
    O(scene_fill, "Sphere tree", "objects", "Makes a wide sphere tree of all objects.")  \
    O(scene_move, "Sphere tree", "moves", "Moves, removes and inserts objects of a sphere tree.")
/* clang-format on */

VP_SPHERETREE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
