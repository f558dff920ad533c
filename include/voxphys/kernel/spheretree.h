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

/** @file kernel/spheretree.h
 *  What the kernels of the sphere tree read and write; the checked functions are in spheretree.h. Source: second article, "Scene
 *  Collision Detection". */

#ifdef __cplusplus
extern "C" {
#endif

/** A closed ball: centre and radius. */
typedef struct vp_sphere {
    vp_vec3 centre; /**< At most VP_SPHERETREE_MAX from zero on each axis. */
    float radius;   /**< From 0 to VP_SPHERETREE_MAX. */
} vp_sphere;

/** Largest coordinate of a centre or of a corner, and largest radius: up to here nothing overflows, however deep the tree. Vertices of
 *  meshes and origins of rays end at VP_KD_MAX. */
#define VP_SPHERETREE_MAX 1152921504606846976.0f /* 2^60 */

enum {
    VP_SPHERETREE_MAX_OBJECTS = 1 << 24, /**< Most objects of one tree. */
    VP_SPHERETREE_MAX_LEAVES = 1 << 30,  /**< Most leaves: one an object that is a sphere, one each one or two triangles of a mesh. */
    VP_SPHERETREE_MAX_BUILD = 16384      /**< Most objects of scene_build: some seconds. */
};

/** No node, no object, no triangle. */
#define VP_SPHERETREE_NONE 0xffffffffu
/** Bit of a leaf's child[0]. */
#define VP_SPHERETREE_LEAF 0x80000000u
/** Bit of vp_spheretree_entry.leaf: the object is a mesh, and the other bits are its number in vp_spheretree_view.mesh. */
#define VP_SPHERETREE_MESH 0x80000000u

/** A node: a bound and two children, or a leaf. The bound holds, in exact arithmetic, the bound of every leaf below it; it need not hold
 *  its children's bounds. A leaf is an object that is a sphere, or one or two triangles of an object that is a mesh. */
typedef struct vp_spheretree_node {
    vp_sphere bound;   /**< Of a leaf the object's sphere, or one that holds its triangles. */
    uint32_t parent;   /**< VP_SPHERETREE_NONE of the root. */
    uint32_t child[2]; /**< Nodes. Of a leaf: VP_SPHERETREE_LEAF + object, and VP_SPHERETREE_NONE or the first triangle << 1, + 1 if the
                          next triangle is in it too. */
    uint32_t mask;     /**< All masks of objects below. */
} vp_spheretree_node;

/** An object. */
typedef struct vp_spheretree_entry {
    uint64_t data; /**< The caller's; of a free entry the next free one. */
    uint32_t mask; /**< The caller's bits. */
    uint32_t leaf; /**< A node; or VP_SPHERETREE_MESH + mesh; or VP_SPHERETREE_NONE of a free entry. */
} vp_spheretree_entry;

/** A mesh of a tree. */
typedef struct vp_spheretree_mesh {
    vp_triangles triangles; /**< The caller's arrays. */
    uint32_t *leaf;         /**< Its leaves. */
    uint32_t leaf_count;    /**< How many. */
    uint32_t object;        /**< It is of; VP_SPHERETREE_NONE of a free entry. */
} vp_spheretree_mesh;

static_assert(sizeof(vp_sphere) == 16 && sizeof(vp_spheretree_node) == 32 && sizeof(vp_spheretree_entry) == 16, "as documented");

/** Into which child a new leaf goes. */
typedef enum vp_spheretree_rule {
    VP_SPHERETREE_SMALLER = 0, /**< Whose bound has the smaller radius afterwards, as published. */
    VP_SPHERETREE_LEAST = 1,   /**< Whose bound's radius grows least: the author's alternative. */
    VP_SPHERETREE_RULE_COUNT
} vp_spheretree_rule;

/** A tree as kernels see it. */
typedef struct vp_spheretree_view {
    vp_spheretree_node *node;          /**< Of any order. */
    const vp_spheretree_entry *object; /**< By id. */
    const vp_spheretree_mesh *mesh;    /**< Of objects that are meshes. */
    uint32_t root;                     /**< VP_SPHERETREE_NONE: there is no object. */
    vp_spheretree_rule rule;           /**< Of insertion. */
} vp_spheretree_view;

static inline bool vp_spheretree_is_leaf(const vp_spheretree_node *node)
{
    return (node->child[0] & VP_SPHERETREE_LEAF) != 0;
}
/** The object of a leaf. */
static inline uint32_t vp_spheretree_object_of(const vp_spheretree_node *leaf)
{
    return leaf->child[0] & ~VP_SPHERETREE_LEAF;
}
/** How many triangles a leaf has: 0 of an object that is a sphere. */
static inline uint32_t vp_spheretree_triangles_of(const vp_spheretree_node *leaf)
{
    return leaf->child[1] == VP_SPHERETREE_NONE ? 0 : 1 + (leaf->child[1] & 1u);
}

/* ---- what is asked ---- */

/** The object-level test behind a leaf that is a sphere: asked when the query touches the sphere.
 *  @param object  its id
 *  @param data    what the caller gave with it
 *  @param t       of rays the parameter at which the ray enters the sphere; the test puts the one at which it meets the object there,
 *                 which is not less, or leaves it. Of all other queries 0, and not read
 *  @return whether the object is touched */
typedef bool vp_spheretree_test_fn(void *user, uint32_t object, uint64_t data, float *t);

/** What queries looked at: added to what is there. */
typedef struct vp_spheretree_cost {
    uint64_t nodes; /**< Visited: their bounds were tested, leaves too. */
    uint64_t tests; /**< Primitive tests: of the objects' spheres and triangles. */
} vp_spheretree_cost;

/** How a query is asked. NULL in its place: a mask of all bits, and no object-level test. */
typedef struct vp_spheretree_query {
    uint32_t mask;               /**< Objects that have none of these bits are not looked at. */
    vp_spheretree_test_fn *test; /**< NULL: objects that are spheres are just spheres. */
    void *user;                  /**< The test's. */
    vp_spheretree_cost *cost;    /**< NULL: nothing is counted. One a thread. */
} vp_spheretree_query;

/** What is touched: an object that is a sphere, or a triangle of one that is a mesh. */
typedef struct vp_spheretree_item {
    uint32_t object;   /**< Its id. */
    uint32_t triangle; /**< VP_SPHERETREE_NONE: the object is a sphere. */
} vp_spheretree_item;

/** Two that touch each other; of different objects, `a` the one with the lower id. */
typedef struct vp_spheretree_pair {
    vp_spheretree_item a; /**< One. */
    vp_spheretree_item b; /**< The other. */
} vp_spheretree_pair;

/** Where a ray meets something. */
typedef struct vp_spheretree_hit {
    float t;                 /**< Parameter of the point; 0 if the ray begins in a sphere; of no hit t_max. */
    vp_spheretree_item item; /**< object VP_SPHERETREE_NONE: nothing is met. */
    float u;                 /**< Of a triangle the weight of its second corner; otherwise 0. */
    float v;                 /**< And of its third corner. */
} vp_spheretree_hit;

static_assert(sizeof(vp_spheretree_item) == 8 && sizeof(vp_spheretree_pair) == 16 && sizeof(vp_spheretree_hit) == 20, "as documented");

/* ---- kernels ---- */

/** The smallest sphere that holds two, each of `count` times: the outer one where one holds the other (of equal ones a), otherwise with a
 *  centre on the line through both centres. Conservative: it holds both in exact arithmetic. Its centre is that of the smallest, with each
 *  coordinate rounded once from double; its radius is at most one ulp above the least float with which a sphere of that centre holds
 *  both. Spheres are of any finite numbers up to 2^100, radii not below 0. */
typedef void vp_scene_meld_fn(const vp_sphere *a, const vp_sphere *b, uint32_t count, vp_sphere *out);

/** Puts a leaf into a tree: from the root always down to a leaf, by the tree's rule, ties to child[0]; bounds and masks on the way are
 *  melded with the leaf's. The leaf that is reached gets a parent, which stands in its place, with the two as child[0] and child[1].
 *  O(depth).
 *  @param leaf   a node with bound, mask and children as of a leaf
 *  @param inner  a node that is not in use: the parent. Not used, nor written, if the tree is empty */
typedef void vp_scene_insert_fn(vp_spheretree_view *tree, uint32_t leaf, uint32_t inner);

/** Makes a tree of leaves, offline: again and again the two nodes whose common sphere (scene_meld of the one with the lower number first)
 * has the least radius become children of a new one, until one is left. Of equal radii the pair with the lowest lower number, of these the
 *  one with the lowest higher number is taken. Nodes 0 to count - 1 are the leaves, count to 2 count - 2 are made in this order, with
 *  the lower number as child[0]; the last is the root. O(n^2) on all kinds of sets that were
 *  tried, fewer than 2 n^2 pairs; O(n^2.5) at worst.
 *  @param node     2 count - 1 of them; the leaves with bound, mask and children
 *  @param count    1 to VP_SPHERETREE_MAX_BUILD
 *  @param scratch  4 count words; contents ignored */
typedef void vp_scene_build_fn(vp_spheretree_node *node, uint32_t count, uint32_t *scratch);

/** What a sphere touches, closed sets: spheres whose centres are no further apart than the sum of both radii, and triangles that have a
 * point no further than the radius from the centre; src/spheretree/touch.h says how this is computed, in double. In no order; at most
 *  `capacity` are written, and which of them is left open where there are more.
 *  @return how many there are, which may be more than `capacity` */
typedef uint32_t vp_scene_sphere_fn(const vp_spheretree_view *tree, const vp_sphere *sphere, const vp_spheretree_query *query,
                                    vp_spheretree_item *out, uint32_t capacity);

/** The same of a closed box, min <= max on each axis; infinities are welcome. Triangles by exact arithmetic. */
typedef uint32_t vp_scene_box_fn(const vp_spheretree_view *tree, const vp_aabb *box, const vp_spheretree_query *query,
                                 vp_spheretree_item *out, uint32_t capacity);

/** The same of a triangle, which may be a segment or a point. Triangles by exact arithmetic, also those in one plane.
 *  @param corner  three, each coordinate at most VP_SPHERETREE_MAX from zero */
typedef uint32_t vp_scene_triangle_fn(const vp_spheretree_view *tree, const vp_vec3 *corner, const vp_spheretree_query *query,
                                      vp_spheretree_item *out, uint32_t capacity);

/** The nearest that a ray meets: spheres by src/spheretree/ray_sphere.h, triangles by src/kd/ray_triangle.h. Near is compared as in
 *  kd_ray; of equally near ones the one with the lowest object, then the lowest triangle.
 *  @param ray  as vp_ray says */
typedef vp_spheretree_hit vp_scene_ray_fn(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query);

/** Whether a ray meets anything. */
typedef bool vp_scene_ray_any_fn(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query);

/** All that a ray meets, by ascending t, then object, then triangle: the first `capacity` of them. O(k) more for each of k that is not in
 * order as it is found. Parameters so small that floats of t don't tell them apart may tell scene_ray another first one.
 *  @return how many there are, which may be more than `capacity` */
typedef uint32_t vp_scene_ray_all_fn(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query,
                                     vp_spheretree_hit *out, uint32_t capacity);

/** All pairs of spheres and triangles of different objects that touch each other and whose masks have a bit in common, each once. In no
 *  order; `capacity` and @return as scene_sphere, but UINT32_MAX says: so many or more. Of the query only `cost` and `mask` are used: both
 *  objects must have a bit of it. */
typedef uint32_t vp_scene_pairs_fn(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_spheretree_pair *out,
                                   uint32_t capacity);

/* clang-format off */
/** Its kernels: see versions.h for what a row says. */
#define VP_SPHERETREE_KERNELS(K)                                                     \
    K(scene_meld, meld, NONE, "Sphere tree", "pairs",                                \
      "Melds two spheres into the smallest that holds both.")                        \
    K(scene_insert, insert, NONE, "Sphere tree", "objects",                          \
      "Puts a leaf into a sphere tree, by one of the two rules.")                    \
    K(scene_build, build, NONE, "Sphere tree", "objects",                            \
      "Builds a sphere tree offline: the closest pair, again and again.")            \
    K(scene_sphere, touch, NONE, "Sphere tree", "queries",                           \
      "Lists what a sphere touches.")                                                \
    K(scene_box, touch, NONE, "Sphere tree", "queries",                              \
      "Lists what a box touches.")                                                   \
    K(scene_triangle, touch, NONE, "Sphere tree", "queries",                         \
      "Lists what a triangle touches.")                                              \
    K(scene_ray, ray, NONE, "Sphere tree", "rays",                                   \
      "Finds the nearest object or triangle that a ray meets.")                      \
    K(scene_ray_any, ray, NONE, "Sphere tree", "rays",                               \
      "Tells whether a ray meets anything.")                                         \
    K(scene_ray_all, ray, NONE, "Sphere tree", "rays",                               \
      "Lists all that a ray meets, in order along it.")                              \
    K(scene_pairs, pairs, NONE, "Sphere tree", "objects",                            \
      "Lists all pairs of objects that touch each other.")
/** Its whole operations. */
#define VP_SPHERETREE_OPERATIONS(O) \
    O(scene_move, "Sphere tree", "moves", "Moves, removes and inserts objects of a sphere tree, by a script.")
/* clang-format on */

VP_SPHERETREE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
