/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_KD_H
#define VOXPHYS_KERNEL_KD_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file
 *  Types and kernels of the loose kD tree. Details: docs/kernels/kd-build.md, kd-ray.md, kd-packet.md, brute-ray.md, docs/CONTRACT.md, RAY,
 *  SWP, BOX and TRE. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_KD_MAX_TRIANGLES = 1 << 26,
    VP_KD_STACK = 96 /**< A leaf has at most 63 branches above it. */
};

/** Maximum absolute coordinate of vertices and ray origins. */
#define VP_KD_MAX 1099511627776.0f /* 2^40 */

/** Indexed triangles or quads, owned by the caller. */
typedef struct vp_triangles {
    const vp_vec3 *vertex; /**< Finite, within VP_KD_MAX. [vertex_count] */
    const uint32_t *index; /**< 3 per triangle or 4 per quad. */
    uint32_t vertex_count;
    uint32_t triangle_count; /**< 2 per quad, up to VP_KD_MAX_TRIANGLES. */
    bool quads;              /**< Quad i has triangles 2i, corners (0, 1, 2), and 2i + 1, corners (0, 2, 3). */
} vp_triangles;

/** Returns the vertex numbers of a triangle. */
static inline void vp_triangle_corners(const vp_triangles *triangles, uint32_t triangle, uint32_t corner[3])
{
    const uint32_t second = triangles->quads ? triangle % 2 : 0;
    const uint32_t *index = triangles->index + (triangles->quads ? VP_CAST(size_t, triangle / 2) * 4 : VP_CAST(size_t, triangle) * 3);
    corner[0] = index[0];
    corner[1] = index[1 + second];
    corner[2] = index[2 + second];
}

enum { VP_TRIANGLE_SOA_SLACK = 15 /**< Readable floats past the end of each array. */ };

/** Triangles for brute force. */
typedef struct vp_triangle_soa {
    const float *corner[3][3]; /**< By corner and axis. [count + VP_TRIANGLE_SOA_SLACK] */
    uint32_t count;
} vp_triangle_soa;

/** Form of a tree, without effect on results (docs/kernels/kd-build.md). */
typedef enum vp_kd_form {
    VP_KD_WIDE = 0,      /**< Eight children. Fastest. */
    VP_KD_PACKED = 1,    /**< Compressed, for small meshes on a lattice. */
    VP_KD_IMPLIED = 2,   /**< Packed without indices, for surface nets. */
    VP_KD_PUBLISHED = 3, /**< Two children, as in the voxel terrain article. */
    VP_KD_SLAB = 4,      /**< Published, with nodes that cut off empty space. */
    VP_KD_FORM_COUNT
} vp_kd_form;

/** Returns whether a form's nodes have eight children. */
static inline bool vp_kd_has_eight_children(vp_kd_form form)
{
    return form <= VP_KD_IMPLIED;
}

/** Node of the published and slab form (vp_kd_axis, vp_kd_is_slab, vp_kd_child). A branch's right child follows the left one. Left
 *  triangles are at most plane[0], right ones at least plane[1]. A slab's only child is from plane[0] to plane[1]. */
typedef struct vp_kd_node {
    union {
        float plane[2];       /**< Branch or slab. */
        uint32_t triangle[2]; /**< Leaf. */
    } u;
    uint32_t link;
} vp_kd_node;

/** Returns the axis. 3 = leaf. */
static inline uint32_t vp_kd_axis(const vp_kd_node *node)
{
    return node->link & 3u;
}
/** Returns whether a branch is a slab. */
static inline bool vp_kd_is_slab(const vp_kd_node *node)
{
    return node->link >> 31 != 0;
}
/** Returns the left or only child, or a leaf's number of triangles. */
static inline uint32_t vp_kd_child(const vp_kd_node *node)
{
    return node->link >> 2 & 0x1fffffffu;
}

enum {
    VP_KD_WIDTH = 8,
    VP_KD_WIDE_ITEMS = 4,        /**< Maximum quads or triangles in a leaf. */
    VP_KD_ITEM_SLACK = 3,        /**< Readable items past the end, with valid vertices. */
    VP_KD_PLAN_BYTES = 72 * 1024 /**< Fixed part of the build scratch. */
};

/** Leaf bit of vp_kd_wide.child. */
#define VP_KD_LEAF 0x80000000u

/** Node of the wide form. */
typedef struct vp_kd_wide {
    float low[3][VP_KD_WIDTH];   /**< +infinity = no child. */
    float high[3][VP_KD_WIDTH];  /**< -infinity = no child. */
    uint32_t child[VP_KD_WIDTH]; /**< Node, or VP_KD_LEAF | first item << 3 | count. */
} vp_kd_wide;

/** Returns whether a child is a leaf. */
static inline bool vp_kd_is_leaf(uint32_t child)
{
    return (child & VP_KD_LEAF) != 0;
}
/** Returns the first item of a leaf. */
static inline uint32_t vp_kd_first_item(uint32_t leaf)
{
    return (leaf & ~VP_KD_LEAF) >> 3;
}
/** Returns the number of items of a leaf. */
static inline uint32_t vp_kd_items_in(uint32_t leaf)
{
    return leaf & 7u;
}

/** Item of a leaf. Triangles repeat their third vertex. */
typedef struct vp_kd_item {
    uint32_t vertex[4];
} vp_kd_item;

enum {
    VP_KD_PACKED_MAX_ITEMS = 8192,
    VP_KD_PACKED_MAX_VERTICES = 65535,
    VP_KD_PACKED_STEPS = 254, /**< Maximum along an axis. */
    VP_KD_CELLS = 15          /**< Likewise. */
};

/** Missing child, which looks like a leaf. */
#define VP_KD_NO_CHILD 0xffffu

/** Node of packed and implied trees, in vp_kd_step from the box's minimum. */
typedef struct vp_kd_packed_node {
    uint8_t low[3][VP_KD_WIDTH];  /**< Rounded down. 255 = no child. */
    uint8_t high[3][VP_KD_WIDTH]; /**< Rounded up. 0 = no child. */
    uint16_t child[VP_KD_WIDTH];  /**< Node, 0x8000 | first item << 2 | count - 1, or VP_KD_NO_CHILD. */
} vp_kd_packed_node;

/** Returns whether a packed child is a leaf or missing. */
static inline bool vp_kd_packed_is_leaf(uint32_t child)
{
    return (child & 0x8000u) != 0;
}
/** Returns the first item of a packed leaf. */
static inline uint32_t vp_kd_packed_first_item(uint32_t leaf)
{
    return leaf >> 2 & 0x1fffu;
}
/** Returns the number of items of a packed leaf. */
static inline uint32_t vp_kd_packed_items_in(uint32_t leaf)
{
    return (leaf & 3u) + 1;
}

/** Returns an axis' step, a power of two >= 2^-60. 127 to 254 steps cover `length`. */
static inline float vp_kd_step(float length)
{
    const float most = length * (1.00001f / 127.0f);
    uint32_t bits;
    float step;
    memcpy(&bits, &most, sizeof bits);
    bits &= 0x7f800000u;
    memcpy(&step, &bits, sizeof step);
    const float least = 8.67361738e-19f; /* 2^-60 */
    return step > least ? step : least;
}

/** Item of implied trees, a quad of four cells around a grid edge. */
typedef struct vp_kd_implied_item {
    uint16_t cell; /**< Lowest cell, x | y << 4 | z << 8 | kind << 12. */
    uint16_t id;
} vp_kd_implied_item;

/** Returns the offset from the lowest cell to a corner's, x | y << 4 | z << 8. */
static inline uint32_t vp_kd_around(uint32_t kind, uint32_t corner)
{
    static const uint16_t way[8][4] = {{0, 0x100, 0x110, 0x010},
                                       {0, 0x010, 0x110, 0x100},
                                       {0, 0x001, 0x101, 0x100},
                                       {0, 0x100, 0x101, 0x001},
                                       {0, 0x001, 0x011, 0x010},
                                       {0, 0x010, 0x011, 0x001},
                                       {0},
                                       {0}};
    return way[kind][corner];
}

/** Cells of an implied tree, with vertices in this order. Cell (x, y, z) is number x + row*z + slice*y. Memory around it:
 *  docs/kernels/kd-build.md, The implied form. */
typedef struct vp_kd_cells {
    vp_vec3 origin; /**< A vertex is origin + cell + within/256, exact. */
    uint16_t row;
    uint16_t slice;
} vp_kd_cells;

/** Returns the masks of cells with a vertex, 64 per word. */
static inline const uint64_t *vp_kd_cell_words(const vp_kd_cells *cells)
{
    return VP_CAST(const uint64_t *, VP_CAST(const void *, cells + 1));
}

/** Returns the number of vertices before a word. */
static inline uint32_t vp_kd_cells_before(const vp_kd_cells *cells, uint32_t word)
{
    return *(VP_CAST(const uint16_t *, VP_CAST(const void *, cells)) - 1 - word);
}

/** Tree that kernels query. Small packed and implied trees are prefetched as if the arrays followed each other in this order. */
typedef struct vp_kd_view {
    vp_kd_form form;
    float pitch;            /**< Packed, power of two. A vertex is box.min + lattice*pitch, exact. */
    vp_triangles triangles; /**< Packed and implied: counts only. */
    vp_aabb box;            /**< All triangles. Empty = +infinity to -infinity. */
    union {
        const vp_kd_node *node;        /**< Published and slab. */
        const vp_kd_wide *wide;        /**< Wide, 64-byte aligned. */
        const vp_kd_packed_node *line; /**< Packed and implied, likewise. */
    };
    union {
        const vp_kd_item *item;         /**< Wide, by leaf. [items + VP_KD_ITEM_SLACK] */
        const uint16_t (*corner)[4];    /**< Packed. Same size. */
        const vp_kd_implied_item *edge; /**< Implied. Same size. */
    };
    union {
        const uint32_t *item_id;   /**< Wide, quads or triangles. Same size. */
        const uint16_t *corner_id; /**< Packed. */
        const vp_kd_cells *cells;  /**< Implied. */
    };
    union {
        const uint16_t (*lattice)[3]; /**< Packed, + 2 readable bytes. */
        const uint8_t (*within)[3];   /**< Implied, 1/256 cell, + 1 readable byte. */
    };
} vp_kd_view;

/** Job of kd_build. */
typedef struct vp_kd_build_job {
    vp_triangles triangles; /**< As for vp_kd_create. */
    vp_kd_form form;        /**< Published, slab or wide. */
    vp_kd_node *node;       /**< Published, slab. [vp_kd_max_nodes] */
    vp_kd_wide *wide;       /**< Wide, 64-byte aligned. [vp_kd_max_nodes] */
    vp_kd_item *item;       /**< Wide. The slack is not written. [items + VP_KD_ITEM_SLACK] */
    uint32_t *item_id;      /**< Wide. Same size. */
    void *scratch;          /**< 64-byte aligned. [vp_kd_scratch_bytes(items)] */
} vp_kd_build_job;

/** Result of kd_build. */
typedef struct vp_kd_build_result {
    uint32_t node_count;
    vp_aabb box;
} vp_kd_build_result;

/** Returns the number of quads or triangles. */
static inline uint32_t vp_kd_item_count(const vp_triangles *triangles)
{
    return triangles->quads ? triangles->triangle_count / 2 : triangles->triangle_count;
}

/** Returns the maximum number of nodes. */
static inline size_t vp_kd_max_nodes(vp_kd_form form, uint32_t items)
{
    return vp_kd_has_eight_children(form) ? VP_CAST(size_t, items) / 2 + 1 : VP_CAST(size_t, items) * (form == VP_KD_SLAB ? 8 : 2);
}

/** Returns the scratch size of kd_build, bytes. */
static inline size_t vp_kd_scratch_bytes(uint32_t items)
{
    return (VP_CAST(size_t, items) + 32) * 64 + VP_KD_PLAN_BYTES;
}

/** Ray origin + t*direction, 0 <= t <= t_max. */
typedef struct vp_ray {
    vp_vec3 origin;    /**< Finite, within VP_KD_MAX. */
    vp_vec3 direction; /**< Finite, not 0, of any length. */
    float t_max;       /**< 0 = the origin alone, up to INFINITY. */
} vp_ray;

enum { VP_NO_HIT = -1, VP_RAY_INVALID = -2 };

/** Hits of an invalid ray. */
#define VP_RAY_ALL_INVALID UINT32_MAX

/** Hit of a ray on either side of a triangle. */
typedef struct vp_hit {
    float t;          /**< t_max on a miss. */
    int32_t triangle; /**< Or VP_NO_HIT, VP_RAY_INVALID. */
    float u;          /**< Weights of corners 1 and 2, 0 on a miss. */
    float v;
} vp_hit;

static_assert(sizeof(vp_kd_node) == 12 && sizeof(vp_kd_wide) == 224 && sizeof(vp_kd_item) == 16, "size");
static_assert(sizeof(vp_kd_packed_node) == 64 && sizeof(vp_kd_implied_item) == 4 && sizeof(vp_kd_cells) == 16, "size");
static_assert(sizeof(vp_ray) == 28 && sizeof(vp_hit) == 16, "size");

/** Casts a ray by testing every triangle. */
typedef vp_hit vp_brute_ray_fn(const vp_triangle_soa *soup, const vp_ray *ray);

/** Builds a tree. Cost: O(n log n) for n items, at most O(n^2). */
typedef vp_kd_build_result vp_kd_build_fn(const vp_kd_build_job *build);

/** Returns a ray's closest hit (RAY-2). */
typedef vp_hit vp_kd_ray_fn(const vp_kd_view *tree, const vp_ray *ray);

/** Casts up to 8 rays like kd_ray, fastest if they are coherent. */
typedef void vp_kd_ray8_fn(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit);

/** Like kd_ray8, for up to 16 rays. */
typedef void vp_kd_ray16_fn(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit);

/** Returns whether a ray hits, 1, 0 or VP_RAY_INVALID. */
typedef int32_t vp_kd_ray_any_fn(const vp_kd_view *tree, const vp_ray *ray);

/** Lists a ray's hits, by ascending t, then triangle. A hit found out of order costs O(hits). @return count or VP_RAY_ALL_INVALID */
typedef uint32_t vp_kd_ray_all_fn(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity);

/** Sweeps a sphere and returns the first triangle that it touches, with the contact point (SWP-2, SWP-3). */
typedef vp_hit vp_kd_sphere_sweep_fn(const vp_kd_view *tree, const vp_ray *ray, float radius);

/** Lists the triangles whose own boxes overlap a closed box, unordered (BOX-1, BOX-2). */
typedef uint32_t vp_kd_gather_fn(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity);

/** Lists all triangles in the leaves that a box reaches (BOX-4). */
typedef uint32_t vp_kd_gather_leaves_fn(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity);

/* clang-format off */
/** Kernels. */
#define VP_KD_KERNELS(K)                                                           \
    K(brute_ray, brute, ALL, "Triangle trees", "rays",                             \
      "Finds the nearest triangle that a ray meets, by trying every one.")         \
    K(kd_build, build, ALL, "Triangle trees", "triangles",                         \
      "Builds a loose kD tree over the triangles of a mesh, in one of its forms.") \
    K(kd_ray, queries, ALL, "Triangle trees", "rays",                              \
      "Finds the nearest triangle that a ray meets, by the tree.")                 \
    K(kd_ray8, packet8, ALL, "Triangle trees", "rays",                             \
      "Finds the nearest triangles that up to eight rays meet, by the tree.")      \
    K(kd_ray16, packet16, ALL, "Triangle trees", "rays",                            \
      "Finds the nearest triangles that up to sixteen rays meet, by the tree.")    \
    K(kd_ray_any, queries, ALL, "Triangle trees", "rays",                          \
      "Finds out whether a ray meets any triangle.")                               \
    K(kd_ray_all, queries, ALL, "Triangle trees", "rays",                          \
      "Lists all triangles that a ray meets, in their order along it.")            \
    K(kd_sphere_sweep, queries, ALL, "Triangle trees", "sweeps",                   \
      "Finds the first triangle that a sphere touches as it moves along a ray.")   \
    K(kd_gather, queries, ALL, "Triangle trees", "queries",                        \
      "Lists the triangles whose own boxes overlap a box.")                        \
    K(kd_gather_leaves, queries, ALL, "Triangle trees", "queries",                 \
      "Lists all triangles in the leaves that a box reaches, without a test of each.")
/** Operations. */
#define VP_KD_OPERATIONS(O) \
    O(kd_create, "Triangle trees", "triangles", "Creates trees, including checks of the triangles and allocation.")
/* clang-format on */

VP_KD_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
