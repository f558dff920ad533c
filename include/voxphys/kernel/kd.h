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

/** @file kernel/kd.h
 *  What the kernels of the loose kD tree read and write; the checked functions are in kd.h. Source: voxel terrain
 *  article, "Loose kD tree: construction" and "queries". */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_KD_MAX_TRIANGLES = 1 << 26, /**< Most triangles of one tree. */
    VP_KD_STACK = 96               /**< Branches above any leaf are fewer: at most 63, see reference/kd/build.c. */
};

/** Largest coordinate of a vertex or of a ray's origin, as an absolute value: up to here nothing overflows. */
#define VP_KD_MAX 1099511627776.0f /* 2^40 */

/* ---- triangles ---- */

/** Triangles over shared vertices, or quads of two triangles each. The arrays are the caller's and outlive whatever is
 *  made over them. */
typedef struct vp_triangles {
    const vp_vec3 *vertex;   /**< Finite, at most VP_KD_MAX from zero on each axis. */
    const uint32_t *index;   /**< Three a triangle, or four a quad, each below vertex_count. */
    uint32_t vertex_count;   /**< How many vertices. */
    uint32_t triangle_count; /**< How many triangles, at most VP_KD_MAX_TRIANGLES; of quads, two for each. */
    bool quads;              /**< Triangles 2i and 2i+1 are corners (0, 1, 2) and (0, 2, 3) of quad i, as in vp_mesh. A tree takes
                                  the two as one; queries tell them apart. */
} vp_triangles;

/** The corners of a triangle. */
static inline void vp_triangle_corners(const vp_triangles *triangles, uint32_t triangle, uint32_t corner[3])
{
    const uint32_t second = triangles->quads ? triangle % 2 : 0;
    const uint32_t *index = triangles->index + (triangles->quads ? VP_CAST(size_t, triangle / 2) * 4 : VP_CAST(size_t, triangle) * 3);
    corner[0] = index[0];
    corner[1] = index[1 + second];
    corner[2] = index[2 + second];
}

enum { VP_TRIANGLE_SOA_SLACK = 15 /**< Floats behind the last of each array of a vp_triangle_soa, which are read. */ };

/** Triangles for brute force: corner by corner and axis by axis, an array each. Coordinates as in vp_triangles. */
typedef struct vp_triangle_soa {
    const float *corner[3][3]; /**< [corner][axis]: `count` floats and VP_TRIANGLE_SOA_SLACK more, contents of no matter. */
    uint32_t count;            /**< How many triangles, at most VP_KD_MAX_TRIANGLES. */
} vp_triangle_soa;

/* ---- trees ---- */

/** In which form a tree is stored. Every form answers every query with the same bits. */
typedef enum vp_kd_form {
    VP_KD_PUBLISHED = 0, /**< As the article has it: branches and leaves. */
    VP_KD_SLAB = 1,      /**< With slab nodes, which cut away empty space around one child. */
    VP_KD_WIDE = 2,      /**< Eight children a node, each with its box. */
    VP_KD_PACKED = 3,    /**< The same in little: boxes in bytes, vertices in 16 bits an axis. Of small meshes on a lattice. */
    VP_KD_IMPLIED = 4,   /**< Packed once more: of a surface net, whose quads are edges of a grid and have no indices. */
    VP_KD_FORM_COUNT
} vp_kd_form;

/** A node of the published and of the slab form, 12 bytes. `link` holds the axis in bits 0 and 1, and
 *  - of a branch (axis 0 to 2) the index of its left child in bits 2 to 30; the right one is behind it. The left
 *    child's triangles lie at plane[0] and below on the axis, the right one's at plane[1] and above; the planes fit
 *    tightly, so they may overlap or leave a gap;
 *  - of a slab (a branch with bit 31 set) the index of its only child, whose triangles lie from plane[0] to plane[1];
 *  - of a leaf (axis 3) the number of its triangles, 1 or 2, in bits 2 and 3. */
typedef struct vp_kd_node {
    union {
        float plane[2];       /**< Of a branch or a slab. */
        uint32_t triangle[2]; /**< Of a leaf. */
    } u;                      /**< By link. */
    uint32_t link;            /**< Axis, child, flag. */
} vp_kd_node;

/** What vp_kd_node.link says. */
static inline uint32_t vp_kd_axis(const vp_kd_node *node)
{
    return node->link & 3u;
}
/** Whether a node that is no leaf is a slab. */
static inline bool vp_kd_is_slab(const vp_kd_node *node)
{
    return node->link >> 31 != 0;
}
/** The left or only child of a node, or the number of a leaf's triangles. */
static inline uint32_t vp_kd_child(const vp_kd_node *node)
{
    return node->link >> 2 & 0x1fffffffu;
}

enum {
    VP_KD_WIDTH = 8,             /**< Children of a wide node. */
    VP_KD_WIDE_ITEMS = 4,        /**< Most items (quads or triangles) in a leaf of the wide form. */
    VP_KD_ITEM_SLACK = 3,        /**< Items behind the last one that queries read: their vertices must be numbers of vertices. */
    VP_KD_PLAN_BYTES = 72 * 1024 /**< Of a build's scratch what does not grow with the items. */
};

/** Bit of vp_kd_wide.child: a leaf. */
#define VP_KD_LEAF 0x80000000u

/** A node of the wide form: eight boxes as six arrays. */
typedef struct vp_kd_wide {
    float low[3][VP_KD_WIDTH];   /**< Lower faces by axis; of a child that is not there +infinity. */
    float high[3][VP_KD_WIDTH];  /**< Upper faces; -infinity. */
    uint32_t child[VP_KD_WIDTH]; /**< Index of a node, or bit 31, first item << 3 and their number, 1 to 4. */
} vp_kd_wide;

/** Whether a child is a leaf. */
static inline bool vp_kd_is_leaf(uint32_t child)
{
    return (child & VP_KD_LEAF) != 0;
}
/** The first item of a leaf. */
static inline uint32_t vp_kd_first_item(uint32_t leaf)
{
    return (leaf & ~VP_KD_LEAF) >> 3;
}
/** How many items a leaf has. */
static inline uint32_t vp_kd_items_in(uint32_t leaf)
{
    return leaf & 7u;
}

/** An item of a wide leaf: a quad's four corners, or a triangle's three and the third again. */
typedef struct vp_kd_item {
    uint32_t vertex[4]; /**< Vertices. */
} vp_kd_item;

/* The packed and the implied form keep a mesh and its tree in one piece, and nothing of the caller's. They change no
   answer: what does not go into them without loss is refused. */

enum {
    VP_KD_PACKED_MAX_ITEMS = 8192,     /**< Most items of a packed or implied tree. */
    VP_KD_PACKED_MAX_VERTICES = 65535, /**< Most vertices of the mesh that it is made from. */
    VP_KD_PACKED_STEPS = 254,          /**< Steps that cover a tree's box on each axis. */
    VP_KD_CELLS = 15                   /**< Most cells an axis of an implied tree. */
};

/** vp_kd_packed_node.child of a child that is not there. */
#define VP_KD_NO_CHILD 0xffffu

/** A node of the packed and of the implied form: one cache line. A face is vp_kd_step(axis) times a byte from the lowest
 *  corner of the tree's box: of lower faces rounded down, of upper faces rounded up. */
typedef struct vp_kd_packed_node {
    uint8_t low[3][VP_KD_WIDTH];  /**< Lower faces by axis; of a child that is not there 255, which is beyond all. */
    uint8_t high[3][VP_KD_WIDTH]; /**< Upper faces; 0. */
    uint16_t child[VP_KD_WIDTH];  /**< Index of a node, or bit 15, first item << 2 and their number less 1; or VP_KD_NO_CHILD,
                                       which looks like a leaf. */
} vp_kd_packed_node;

/** Whether a child of a vp_kd_packed_node is a leaf, or not there. */
static inline bool vp_kd_packed_is_leaf(uint32_t child)
{
    return (child & 0x8000u) != 0;
}
/** The first item of such a leaf. */
static inline uint32_t vp_kd_packed_first_item(uint32_t leaf)
{
    return leaf >> 2 & 0x1fffu;
}
/** How many items such a leaf has. */
static inline uint32_t vp_kd_packed_items_in(uint32_t leaf)
{
    return (leaf & 3u) + 1;
}

/** The power of two by which a tree's faces are apart on an axis along which its box is so long: 127 to 254 of them cover it,
 *  or it is 2^-60. */
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

/** An item of the implied form: four cells around an edge of the grid, whose vertices are a quad. */
typedef struct vp_kd_implied_item {
    uint16_t cell; /**< The lowest of the four: x, y << 4, z << 8 within the tree's cells; vp_kd_around << 12. */
    uint16_t id;   /**< The quad's number. */
} vp_kd_implied_item;

/** The cells that follow the lowest in a quad of the implied form, in the words of vp_kd_implied_item.cell: corner 1 is the first
 *  of these away, corner 3 the second, corner 2 both. By bits 12 to 14 of a vp_kd_implied_item.cell. */
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

/** The cells of an implied tree. Cell (x, y, z) is number x + row*z + slice*y. Behind it, at once, are words of which each says
 *  of 64 cells, lowest bit first, which have a vertex; before it, the first one next to it and so on backwards, are numbers of 16
 *  bits: how many cells in the words before each word have one. Vertices are in the order of cells. */
typedef struct vp_kd_cells {
    vp_vec3 origin; /**< A vertex is at origin + (cell + q/256) with q of view.within; exact. */
    uint16_t row;   /**< Cells along x. */
    uint16_t slice; /**< Cells along x and z. */
} vp_kd_cells;

/** The words behind a vp_kd_cells. */
static inline const uint64_t *vp_kd_cell_words(const vp_kd_cells *cells)
{
    return VP_CAST(const uint64_t *, VP_CAST(const void *, cells + 1));
}

/** How many cells in the words before one have a vertex. */
static inline uint32_t vp_kd_cells_before(const vp_kd_cells *cells, uint32_t word)
{
    return *(VP_CAST(const uint16_t *, VP_CAST(const void *, cells)) - 1 - word);
}

/** A tree, as kernels read it. Each array may lie anywhere; those of a small packed or implied tree are asked for ahead of time
 *  where they lie as vp_kd_create has them, one behind the other in this order. */
typedef struct vp_kd_view {
    vp_kd_form form;        /**< Which of the arrays there are. */
    float pitch;            /**< Packed form: a power of two. A vertex is at box.min + lattice*pitch; exact. */
    vp_triangles triangles; /**< What it is made over. Of the packed and the implied form the numbers alone: no arrays. */
    vp_aabb box;            /**< Of all triangles; of none, min is +infinity and max is -infinity. */
    union {
        const vp_kd_node *node;        /**< Published and slab form; the root is node 0. */
        const vp_kd_wide *wide;        /**< Wide form; the root is node 0. 64-byte aligned. */
        const vp_kd_packed_node *line; /**< Packed and implied form; the root is node 0. 64-byte aligned. */
    };
    union {
        const vp_kd_item *item;         /**< Wide form: items in the order of leaves, and VP_KD_ITEM_SLACK more. */
        const uint16_t (*corner)[4];    /**< Packed form: as many, four numbers of vertices each. */
        const vp_kd_implied_item *edge; /**< Implied form: as many. */
    };
    union {
        const uint32_t *item_id;   /**< Wide form: the quad's or triangle's number of each, and as many more, of no matter. */
        const uint16_t *corner_id; /**< Packed form: the same. */
        const vp_kd_cells *cells;  /**< Implied form: where vertices are. */
    };
    union {
        const uint16_t (*lattice)[3]; /**< Packed form: vertices; 2 bytes more are read. */
        const uint8_t (*within)[3];   /**< Implied form: vertices in 256ths of their cell; 1 byte more is read. */
    };
} vp_kd_view;

/** What a build is given. */
typedef struct vp_kd_build_job {
    vp_triangles triangles; /**< Of finite corners; see vp_kd_create for what is checked before. */
    vp_kd_form form;        /**< What to build: published, slab or wide. The other forms are made out of a wide one. */
    vp_kd_node *node;       /**< Out, published and slab form: room for vp_kd_most_nodes. */
    vp_kd_wide *wide;       /**< Out, wide form: room for vp_kd_most_nodes, 64-byte aligned. */
    vp_kd_item *item;       /**< Out, wide form: one an item. Queries want VP_KD_ITEM_SLACK more, which builds do not write: 0 will do. */
    uint32_t *item_id;      /**< Out, wide form: one an item; queries want room for as many more. */
    void *scratch;          /**< vp_kd_scratch_bytes, 64-byte aligned, contents of no matter. */
} vp_kd_build_job;

/** What a build has made. */
typedef struct vp_kd_build_result {
    uint32_t node_count; /**< Nodes in use. */
    vp_aabb box;         /**< As in vp_kd_view. */
} vp_kd_build_result;

/** What a tree sorts: quads where triangles come in quads, otherwise triangles. */
static inline uint32_t vp_kd_item_count(const vp_triangles *triangles)
{
    return triangles->quads ? triangles->triangle_count / 2 : triangles->triangle_count;
}

/** Nodes that a form may need for so many items. Each branch splits a set of items into two, so there are fewer
 *  branches than items; each branch and each leaf has at most one slab an axis above it; a wide node has at least two children
 *  but for a root that is alone. */
static inline size_t vp_kd_most_nodes(vp_kd_form form, uint32_t items)
{
    return form >= VP_KD_WIDE ? VP_CAST(size_t, items) / 2 + 1 : VP_CAST(size_t, items) * (form == VP_KD_SLAB ? 8 : 2);
}

/** Bytes of scratch that any version of the build needs. */
static inline size_t vp_kd_scratch_bytes(uint32_t items)
{
    return (VP_CAST(size_t, items) + 32) * 64 + VP_KD_PLAN_BYTES;
}

/* ---- queries ---- */

/** The points origin + t*direction, 0 <= t <= t_max; where t is beyond a float, nothing is met. */
typedef struct vp_ray {
    vp_vec3 origin;    /**< Finite, at most VP_KD_MAX from zero on each axis. */
    vp_vec3 direction; /**< Finite, not zero; of any length. */
    float t_max;       /**< Not negative, not NaN; may be infinite. */
} vp_ray;

enum {
    VP_NO_HIT = -1,     /**< vp_hit.triangle of a ray that meets nothing. */
    VP_RAY_INVALID = -2 /**< vp_hit.triangle of a ray that is not as vp_ray says. */
};

/** Count of the list of all hits of an invalid ray. */
#define VP_RAY_ALL_INVALID UINT32_MAX

/** Where a ray meets a triangle. Both sides count, and so do its edges and corners. */
typedef struct vp_hit {
    float t;          /**< Parameter of the point; of no hit t_max. */
    int32_t triangle; /**< Its number, or one of the above. */
    float u;          /**< Weight of its second corner; 0 of no hit. */
    float v;          /**< Weight of its third corner; the first one's is 1 - u - v. */
} vp_hit;

static_assert(sizeof(vp_kd_node) == 12 && sizeof(vp_kd_wide) == 224 && sizeof(vp_kd_item) == 16, "as documented");
static_assert(sizeof(vp_kd_packed_node) == 64 && sizeof(vp_kd_implied_item) == 4 && sizeof(vp_kd_cells) == 16, "as documented");
static_assert(sizeof(vp_ray) == 28 && sizeof(vp_hit) == 16, "as documented");

/* ---- kernels ---- */

/** The nearest triangle that a ray meets, as vp_kd_ray_fn, by trying every one. O(n). */
typedef vp_hit vp_brute_ray_fn(const vp_triangle_soa *soup, const vp_ray *ray);

/** A tree over triangles, in one of its forms: see kernel/kd.h. O(n log n), but for triangles that are laid out so that the
 *  reference's selection (Hoare's FIND) does its worst, O(n^2). The published and the slab form are the same nodes
 *  by every version. */
typedef vp_kd_build_result vp_kd_build_fn(const vp_kd_build_job *build);

/** The nearest triangle that a ray meets, and of equally near ones that with the lowest number. Near is compared along the
 *  direction scaled to a longest component from 1 to 2, where parameters have all their bits. */
typedef vp_hit vp_kd_ray_fn(const vp_kd_view *tree, const vp_ray *ray);

/** The same for up to eight rays: hit[i] is what kd_ray says of ray i, whatever the other rays are. Rays that are alike, as a
 *  camera's are, cost much less together than one by one; rays that are not, about as much. */
typedef void vp_kd_ray8_fn(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit);

/** The same for up to sixteen rays. */
typedef void vp_kd_ray16_fn(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit);

/** Whether a ray meets a triangle. @return 1, 0, or VP_RAY_INVALID */
typedef int32_t vp_kd_ray_any_fn(const vp_kd_view *tree, const vp_ray *ray);

/** The triangles that a ray meets, by ascending t, then by ascending number; at most `capacity` are written.
 *  O(k) more for each of k that is not in order as it is found. @return how many there are, which may be more than `capacity`;
 *  VP_RAY_ALL_INVALID */
typedef uint32_t vp_kd_ray_all_fn(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity);

/** Sweeps a sphere of this radius along a ray and returns the first triangle that it touches; u and v are of the contact point. A
 *  sphere that starts in contact gets t = 0 and the triangle nearest to its centre. Of equal ones the lowest number is returned
 *  (docs/CONTRACT.md, SWP-2). The radius is not negative, not NaN, and at most VP_KD_MAX; otherwise it is as with an invalid ray. */
typedef vp_hit vp_kd_sphere_sweep_fn(const vp_kd_view *tree, const vp_ray *ray, float radius);

/** The triangles whose own boxes overlap a closed box, in no order; at most `capacity` are written. An invalid box
 *  overlaps none. What is in `out` behind them, up to `capacity`, is of no matter afterwards. @return how many there are, which
 *  may be more than `capacity` */
typedef uint32_t vp_kd_gather_fn(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity);

/** The same of all triangles in the leaves that a box reaches: what they are depends on the form. */
typedef uint32_t vp_kd_gather_leaves_fn(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity);

/* clang-format off */
/** Kernel rows, see versions.h. */
#define VP_KD_KERNELS(K)                                                           \
    K(brute_ray, brute, ALL, "Triangle trees", "rays",                             \
      "Finds the nearest triangle that a ray meets, by trying every one.")         \
    K(kd_build, build, ALL, "Triangle trees", "triangles",                         \
      "Builds a loose kD tree over the triangles of a mesh, in one of its forms.") \
    K(kd_ray, queries, ALL, "Triangle trees", "rays",                              \
      "Finds the nearest triangle that a ray meets, by the tree.")                 \
    K(kd_ray8, queries, ALL, "Triangle trees", "rays",                             \
      "Finds the nearest triangles that up to eight rays meet, by the tree.")      \
    K(kd_ray16, queries, ALL, "Triangle trees", "rays",                            \
      "Finds the nearest triangles that up to sixteen rays meet, by the tree.")    \
    K(kd_ray_any, queries, ALL, "Triangle trees", "rays",                          \
      "Tells whether a ray meets any triangle.")                                   \
    K(kd_ray_all, queries, ALL, "Triangle trees", "rays",                          \
      "Lists all triangles that a ray meets, in their order along it.")            \
    K(kd_sphere_sweep, queries, ALL, "Triangle trees", "sweeps",                   \
      "Finds the first triangle that a sphere touches as it moves along a ray.")   \
    K(kd_gather, queries, ALL, "Triangle trees", "queries",                        \
      "Lists the triangles whose own boxes overlap a box.")                        \
    K(kd_gather_leaves, queries, ALL, "Triangle trees", "queries",                 \
      "Lists all triangles in the leaves that a box reaches, without a test of each.")
/** Operation rows. */
#define VP_KD_OPERATIONS(O) \
    O(kd_create, "Triangle trees", "triangles", "Makes whole trees, as a program does: triangles are checked, memory is asked for.")
/* clang-format on */

VP_KD_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
