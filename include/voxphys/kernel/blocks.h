/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_BLOCKS_H
#define VOXPHYS_KERNEL_BLOCKS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file kernel/blocks.h
 *  What the kernels of the block world read and write; the checked functions are in blocks.h. Source: third article, "Les bases d'un voxel
 *  engine". A block is a cube of edge 1: block (x, y, z) fills [x, x + 1] and so on, y upwards. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_BLOCK_EDGE = 32,                                             /**< Blocks along a chunk's edge. */
    VP_BLOCK_CELLS = VP_BLOCK_EDGE * VP_BLOCK_EDGE * VP_BLOCK_EDGE, /**< Blocks of a chunk. */
    VP_BLOCK_WINDOW = VP_BLOCK_EDGE + 2,                            /**< Blocks along the edge of a chunk and a layer around it. */
    VP_BLOCK_WINDOW_CELLS = VP_BLOCK_WINDOW * VP_BLOCK_WINDOW * VP_BLOCK_WINDOW, /**< Blocks of these. */
    VP_BLOCK_TYPES_MAX = 65536                                                   /**< Types of one table. */
};

/** Chunks' indices are from -VP_BLOCKS_REACH to VP_BLOCKS_REACH - 1, so that blocks have numbers of 32 bits. */
#define VP_BLOCKS_REACH (1 << 25)

/** An index into a table of types; 0 is nothing. */
typedef uint16_t vp_block;

/** What a type of block is: bits of vp_block_type.is. */
enum {
    VP_BLOCK_COLLIDES = 1, /**< Colliders are made of it, sweeps stop at it. */
    VP_BLOCK_OPAQUE = 2,   /**< It hides faces behind it, and darkens corners. */
    VP_BLOCK_FLUID = 4     /**< Bodies pass, and are told so. */
};

/** A type of block. Type 0 is nothing, and has no bits. */
typedef struct vp_block_type {
    uint32_t is;     /**< VP_BLOCK_COLLIDES, ... */
    uint32_t colour; /**< 0xRRGGBB. */
} vp_block_type;

/** The blocks of a chunk. Block (x, y, z) of it is element (y*32 + z)*32 + x. */
typedef struct vp_block_cells {
    const void *cell; /**< VP_BLOCK_CELLS elements; NULL: all blocks are `all`. */
    uint8_t width;    /**< Bytes an element: 1, or 2; 0 if `cell` is NULL. */
    vp_block all;     /**< What all blocks are if `cell` is NULL. */
} vp_block_cells;

/** A block of a chunk; each coordinate 0 to 31. */
static inline vp_block vp_block_at(const vp_block_cells *cells, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t i = (y * VP_BLOCK_EDGE + z) * VP_BLOCK_EDGE + x;
    if (cells->cell == NULL)
        return cells->all;
    return cells->width == 1 ? VP_CAST(const uint8_t *, cells->cell)[i] : VP_CAST(const uint16_t *, cells->cell)[i];
}

/** A box of chunks, as queries read them: chunk low + (x, y, z) is element (y*size.z + z)*size.x + x. Outside of it there is nothing. */
typedef struct vp_block_view {
    const vp_block_cells *chunk; /**< size.x * size.y * size.z of them; an absent chunk has cell NULL and all 0. */
    vp_ivec3 low;                /**< The first chunk's index; its first block is 32 times that. */
    vp_dims size;                /**< In chunks. */
    const vp_block_type *type;   /**< The table. */
    uint32_t type_count;         /**< Its length; no block is of a type beyond it. */
} vp_block_view;

/** The bits of a type; none of one beyond the table. */
static inline uint32_t vp_block_is(const vp_block_type *type, uint32_t type_count, vp_block block)
{
    return block < type_count ? type[block].is : 0;
}

/* ---- sides ---- */

/** The six sides of a block or a box: 2 * axis, and 1 more for the side where the coordinate is higher. */
typedef enum vp_side {
    VP_SIDE_X_LOW = 0,
    VP_SIDE_X_HIGH = 1,
    VP_SIDE_Y_LOW = 2, /**< Downwards. */
    VP_SIDE_Y_HIGH = 3,
    VP_SIDE_Z_LOW = 4,
    VP_SIDE_Z_HIGH = 5,
    VP_SIDE_COUNT = 6, /**< As a side: none. */
    VP_SIDES_ALL = 63  /**< Of a mask, bit 1 << side: all of them. */
} vp_side;

/** Where the faces of a side lie: u and v are the two other axes, u the one along which blocks are nearer in memory. */
static inline void vp_side_axes(uint32_t side, uint32_t *axis, uint32_t *u, uint32_t *v)
{
    *axis = side / 2;
    *u = *axis == 0 ? 2 : 0;
    *v = *axis == 1 ? 2 : 1;
}

/* ---- faces ---- */

/** A chunk and one layer of what is around it, in blocks of one size: a chunk as it is has edge 32; halved, as it is seen from afar, 16
 *  or 8. Block (x, y, z) of the chunk is cell ((y + 1)*w + z + 1)*w + x + 1, with w = edge + 2. */
typedef struct vp_block_window {
    const vp_block *cell;      /**< w*w*w of them. */
    uint32_t edge;             /**< 1 to VP_BLOCK_EDGE. */
    const vp_block_type *type; /**< The table; blocks beyond it have no bits. */
    uint32_t type_count;       /**< Its length. */
} vp_block_window;

/** Where a block of the chunk, or of the layer around it (-1, edge), is in a window. */
static inline size_t vp_block_window_at(uint32_t edge, int32_t x, int32_t y, int32_t z)
{
    const size_t w = VP_CAST(size_t, edge) + 2;
    return (VP_CAST(size_t, y + 1) * w + VP_CAST(size_t, z + 1)) * w + VP_CAST(size_t, x + 1);
}

/** Faces of one side, of blocks of one type that lie in a rectangle. A single face has u = v = 1. */
typedef struct vp_block_quad {
    uint8_t x, y, z;   /**< The lowest block. */
    uint8_t u, v;      /**< Blocks along the axes u and v of its side, see vp_side_axes. */
    uint8_t occlusion; /**< Light at its corners: bits 2k and 2k + 1 are of corner k, which is at high u if k & 1, at high v if k & 2.
                            3: nothing is near; 0: it is in a corner of two blocks. */
    vp_block type;     /**< Of the blocks. */
} vp_block_quad;

/** Nothing darkens any corner. */
#define VP_BLOCK_LIGHT 0xffu

/** What quads are made of, and what becomes of it.
 *
 *  **A face is there** where a block that isn't nothing has a neighbour that does not hide it: one that is neither opaque nor of the same
 *  type. So a pane of glass has no faces inside, and water has one towards a pane: two types that can be seen through each keep the
 *  face between them, turned towards each other.
 *
 *  **Light at a corner** of a face is told by three blocks before it, in the layer that the face looks into: the two beside the corner
 *  along u and along v, and the one across. If both beside are opaque it is 0, otherwise 3 less one for each opaque one. */
typedef struct vp_faces_job {
    vp_block_window window;
    bool occlusion;      /**< Whether light is told; else it is VP_BLOCK_LIGHT everywhere. */
    vp_block_quad *quad; /**< Out: side by side. Room for vp_block_faces_most. */
    uint32_t *first;     /**< Out: 7 numbers: quads first[s] to first[s + 1] - 1 are of side s. So whoever draws leaves out the sides
                              that a camera can't see. */
} vp_faces_job;

/** The most faces of a chunk: six of each block, where all neighbours are of different types that can be seen through. */
static inline size_t vp_block_faces_most(uint32_t edge)
{
    return VP_CAST(size_t, 6) * edge * edge * edge;
}

/* ---- boxes ---- */

/** What is beyond a face of a box: vp_block_box_side. */
enum {
    VP_BOX_COVERED = 1, /**< Every block beyond it collides: nothing gets there. */
    VP_BOX_EXPOSED = 2, /**< None does. */
    VP_BOX_MIXED = 3    /**< Some do. */
};

/** A box of blocks that collide. */
typedef struct vp_block_box {
    uint8_t low[3];  /**< The first block. */
    uint8_t size[3]; /**< In blocks. */
    uint16_t beyond; /**< Bits 2s and 2s + 1: what is beyond side s, see vp_block_box_side. */
    uint16_t edges;  /**< Bit e: edge e is a T-edge, see vp_boxes_job. Edge 4a + j + 2k is along axis a; of the two other axes it is on
                          the high side of the lower if j, on that of the higher if k. */
} vp_block_box;

/** VP_BOX_COVERED, VP_BOX_EXPOSED or VP_BOX_MIXED. */
static inline uint32_t vp_block_box_side(const vp_block_box *box, uint32_t side)
{
    return VP_CAST(uint32_t, box->beyond) >> 2 * side & 3u;
}

/** The edge between two sides of different axes. */
static inline uint32_t vp_block_box_edge(uint32_t side, uint32_t other)
{
    const uint32_t low = side < other ? side : other, high = side < other ? other : side, along = 3 - low / 2 - high / 2;
    return 4 * along + (low & 1u) + 2 * (high & 1u);
}

/** What boxes are made of, and what becomes of it.
 *
 *  **Merging**: the first block that collides and is in no box yet, by x, then z, then y, begins one. It grows along x as far as there
 *  are such blocks, then along z while whole rows are, then along y while whole layers are. Boxes stay within their chunk.
 *
 *  **T-edges**: two boxes that touch share a rectangle. Each of its four edges is an edge of one box, or of both; if it is of one alone, it
 *  lies inside the other's face, and is a T-edge of the box that it is of. Physics engines that join inner edges by matching corners
 *  can't join there, and bodies that slide over it may be stopped by nothing. Across the chunk's border boxes are not known: all four
 *  edges of a face at the border with a block that collides behind it are marked. */
typedef struct vp_boxes_job {
    vp_block_window window;
    uint16_t *scratch; /**< edge^3 of them. */
    vp_block_box *box; /**< Out: room for edge^3. */
} vp_boxes_job;

/* ---- components ---- */

enum { VP_COMPONENTS_MAX_CELLS = 1 << 30 /**< Cells of one grid. */ };
/** The label of a cell that is in no component. */
#define VP_NO_COMPONENT UINT32_MAX

/** A grid whose connected parts are to be told: cells that are set, and have a face in common. Cell (x, y, z) is number
 *  (y*size.z + z)*size.x + x. */
typedef struct vp_components_job {
    vp_dims size;         /**< At most VP_COMPONENTS_MAX_CELLS cells; may be none. */
    const uint8_t *cell;  /**< A byte each, set unless 0; NULL: `bits` says it. */
    const uint64_t *bits; /**< Cell i is bit i % 64 of word i / 64. */
    uint32_t *scratch;    /**< A number a cell. */
    uint32_t *label;      /**< Out: of each cell; VP_NO_COMPONENT if it isn't set. Components have the numbers 0, 1, 2, ... in the order of
                               their lowest cells. */
} vp_components_job;

/* ---- sweeps and rays ---- */

/** Largest coordinate of a box or an origin, as an absolute value: up to here planes between blocks are told apart. */
#define VP_BLOCK_FAR 1099511627776.0f /* 2^40 */

/** A box that moves. */
typedef struct vp_block_path {
    vp_aabb box;  /**< min < max on every axis; within VP_BLOCK_FAR. */
    vp_vec3 move; /**< Finite. It is at box + t*move, t from 0 to 1. */
} vp_block_path;

/** A ray. */
typedef struct vp_block_line {
    vp_vec3 origin; /**< Within VP_BLOCK_FAR. */
    vp_vec3 move;   /**< Finite. It is at origin + t*move, t from 0 to 1. */
    uint32_t stops; /**< It stops at types that have one of these bits (VP_BLOCK_COLLIDES, ...); 0: at any block that isn't nothing. */
} vp_block_line;

/** How a path ends. */
typedef enum vp_block_end {
    VP_BLOCK_PASSES = 0, /**< Nothing is met. */
    VP_BLOCK_MEETS = 1,  /**< A block is met. */
    VP_BLOCK_INSIDE = 2  /**< It begins in a block. */
} vp_block_end;

/** What a path meets. */
typedef struct vp_block_hit {
    double t; /**< When: 0 to 1; 1 if nothing is met, 0 inside. */
    double
        fluid_t; /**< When a sweep first meets a fluid: not after t, of a path that begins inside at the start alone; 1 if it meets none. */
    vp_ivec3 block; /**< Which; 0, 0, 0 if nothing is met. */
    uint32_t end;   /**< A vp_block_end. */
    uint32_t side;  /**< The block's side that is met, and so the normal; VP_SIDE_COUNT if there is none. */
    vp_block type;  /**< The block's; 0. */
    vp_block fluid; /**< The type of the fluid that is met first; 0: none. Rays tell of none. */
} vp_block_hit;

static_assert(sizeof(vp_block_type) == 8 && sizeof(vp_block_quad) == 8 && sizeof(vp_block_box) == 10, "as documented");
static_assert(sizeof(vp_block_path) == 36 && sizeof(vp_block_line) == 28 && sizeof(vp_block_hit) == 40, "as documented");

/* ---- kernels ---- */

/** The faces of a chunk: see vp_faces_job. Of each side by ascending block: by x, then z, then y. O(blocks of the window). */
typedef void vp_faces_fn(const vp_faces_job *job);

/** The same faces, merged: in a plane those of equal type and equal light, where it is the same at all four corners. The first that is in
 *  no quad yet, by u, then v, begins one; it grows along u, then along v while whole rows fit. Of each side plane by plane upwards.
 * O(blocks of the window). */
typedef void vp_greedy_quads_fn(const vp_faces_job *job);

/** The boxes of a chunk: see vp_boxes_job. In the order of their first blocks. O(blocks of the window). @return how many */
typedef uint32_t vp_greedy_boxes_fn(const vp_boxes_job *job);

/** Connected components of a grid: see vp_components_job. O(cells). @return how many */
typedef uint32_t vp_components_fn(const vp_components_job *job);

/** The block that a moving box meets first. Box and block meet while they share more than their surfaces: a box that touches, slides along
 *  or ends at a block does not meet it. Of a block with bits COLLIDES it is `t` when that begins; of several a face counts
 *  before an edge before a corner, that is the fewest axes on which they are apart until then; of these the lowest y, z, x, and its lowest
 *  such axis. Blocks that are FLUID and don't collide are passed, and told. If the
 *  box begins in blocks that collide, the lowest y, z, x of them is told.
 *  All times are ((double)plane - (double)face) / (double)move, each operation rounded; they are compared as they are.
 *  O(blocks on its way in the view): each is looked at four times at most, however long the path. */
typedef void vp_block_sweep_fn(const vp_block_view *view, const vp_block_path *path, vp_block_hit *out);

/** The block that a ray meets first. Here block x goes from x up to, but without, x + 1 on each axis, so each point is in one block, and no
 *  ray gets between two blocks with a face in common. Times are as in a sweep; of several axes on which it enters at that time the
 *  lowest counts. O(blocks on its way in the view). */
typedef void vp_block_ray_fn(const vp_block_view *view, const vp_block_line *line, vp_block_hit *out);

/* clang-format off */
/** Kernel rows, see versions.h. */
#define VP_BLOCKS_KERNELS(K)                                                                      \
    K(faces, faces, NONE, "Block world", "chunks",                                                \
      "Finds the faces of a chunk's blocks that can be seen, with the light at their corners.")   \
    K(greedy_quads, quads, NONE, "Block world", "chunks",                                         \
      "Merges a chunk's faces into rectangles.")                                                  \
    K(greedy_boxes, boxes, NONE, "Block world", "chunks",                                         \
      "Merges a chunk's blocks that collide into boxes, and tells what is beyond their sides.")   \
    K(components, components, NONE, "Block world", "cells",                                       \
      "Labels the connected parts of a grid of cells.")                                           \
    K(block_sweep, sweep, NONE, "Block world", "sweeps",                                          \
      "Finds the first block that a moving box meets.")                                           \
    K(block_ray, ray, NONE, "Block world", "rays",                                                \
      "Finds the first block that a ray meets.")
/** Operation rows. */
#define VP_BLOCKS_OPERATIONS(O)                                                                                             \
    O(block_edit, "Block world", "edits", "Edits blocks, a tick's at once, and tells which chunks see it.")               \
    O(block_job, "Block world", "edits", "Takes an edit to meshes and colliders of all chunks that see it.")              \
    O(region_save, "Block world", "chunks", "Writes all chunks of a world into region files.")                            \
    O(region_load, "Block world", "chunks", "Makes a world of region files.")
/* clang-format on */

VP_BLOCKS_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
