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

/** @file
 *  Types and kernels of block worlds. Block (x, y, z) is the cube from (x, y, z) to (x + 1, y + 1, z + 1). Details: docs/kernels/blocks.md,
 *  docs/CONTRACT.md, BSH and CMP. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_BLOCK_EDGE = 32,
    VP_BLOCK_CELLS = VP_BLOCK_EDGE * VP_BLOCK_EDGE * VP_BLOCK_EDGE,
    VP_BLOCK_WINDOW = VP_BLOCK_EDGE + 2, /**< A chunk and one layer around it. */
    VP_BLOCK_WINDOW_CELLS = VP_BLOCK_WINDOW * VP_BLOCK_WINDOW * VP_BLOCK_WINDOW,
    VP_BLOCK_TYPES_MAX = 65536
};

/** Chunk indices are -VP_BLOCKS_REACH to VP_BLOCKS_REACH - 1. */
#define VP_BLOCKS_REACH (1 << 25)

/** Type of a block. 0 = empty. */
typedef uint16_t vp_block;

/** Bits of vp_block_type.flags. */
enum {
    VP_BLOCK_COLLIDES = 1, /**< Has boxes and stops sweeps. */
    VP_BLOCK_OPAQUE = 2,   /**< Hides faces and darkens corners. */
    VP_BLOCK_FLUID = 4     /**< Is passed and reported by sweeps. */
};

/** Properties of a type. Type 0 has none. */
typedef struct vp_block_type {
    uint32_t flags;  /**< VP_BLOCK_ bits. */
    uint32_t colour; /**< 0xRRGGBB. */
} vp_block_type;

/** Blocks of a chunk. Block (x, y, z) is element (y*32 + z)*32 + x. */
typedef struct vp_block_cells {
    const void *cell; /**< NULL = all are `all`. [VP_BLOCK_CELLS] */
    uint8_t width;    /**< Bytes per element, 1 or 2. 0 = no cells. */
    vp_block all;
} vp_block_cells;

/** Returns a block of a chunk. */
static inline vp_block vp_block_at(const vp_block_cells *cells, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t i = (y * VP_BLOCK_EDGE + z) * VP_BLOCK_EDGE + x;
    if (cells->cell == NULL)
        return cells->all;
    return cells->width == 1 ? VP_CAST(const uint8_t *, cells->cell)[i] : VP_CAST(const uint16_t *, cells->cell)[i];
}

/** Box of chunks that queries read, empty outside. Chunk low + (x, y, z) is element (y*size.z + z)*size.x + x. */
typedef struct vp_block_view {
    const vp_block_cells *chunk; /**< Absent = `cell` NULL and `all` 0. */
    vp_ivec3 low;
    vp_dims size;
    const vp_block_type *type;
    uint32_t type_count;
} vp_block_view;

/** Returns a type's bits, 0 past the table. */
static inline uint32_t vp_block_flags_of(const vp_block_type *type, uint32_t type_count, vp_block block)
{
    return block < type_count ? type[block].flags : 0;
}

/** Side of a block or box, 2 * axis, + 1 if high. */
typedef enum vp_side {
    VP_SIDE_X_LOW = 0,
    VP_SIDE_X_HIGH = 1,
    VP_SIDE_Y_LOW = 2,
    VP_SIDE_Y_HIGH = 3,
    VP_SIDE_Z_LOW = 4,
    VP_SIDE_Z_HIGH = 5,
    VP_SIDE_COUNT = 6, /**< Or no side. */
    VP_SIDES_ALL = 63  /**< Bits 1 << side. */
} vp_side;

/** Returns a side's axis and the others, u contiguous. */
static inline void vp_side_axes(uint32_t side, uint32_t *axis, uint32_t *u, uint32_t *v)
{
    *axis = side / 2;
    *u = *axis == 0 ? 2 : 0;
    *v = *axis == 1 ? 2 : 1;
}

/** Chunk with one layer around it. Block (x, y, z) of the chunk is cell ((y + 1)*w + z + 1)*w + x + 1, with w = edge + 2. */
typedef struct vp_block_window {
    const vp_block *cell;
    uint32_t edge;             /**< 1 to VP_BLOCK_EDGE. Halved chunks have 16 or 8. */
    const vp_block_type *type; /**< Types past the end have no bits. */
    uint32_t type_count;
} vp_block_window;

/** Returns the cell of a block, -1 to edge. */
static inline size_t vp_block_window_at(uint32_t edge, int32_t x, int32_t y, int32_t z)
{
    const size_t w = VP_CAST(size_t, edge) + 2;
    return (VP_CAST(size_t, y + 1) * w + VP_CAST(size_t, z + 1)) * w + VP_CAST(size_t, x + 1);
}

/** Rectangle of faces of one type and side, from its lowest block. */
typedef struct vp_block_quad {
    uint8_t x, y, z;
    uint8_t u, v;      /**< Size along vp_side_axes, blocks. */
    uint8_t occlusion; /**< Light of corner k, 0 (dark) to 3, in bits 2k and 2k + 1. Bit 0 of k is high u, bit 1 high v. */
    vp_block type;
} vp_block_quad;

/** Occlusion with four free corners. */
#define VP_BLOCK_LIGHT 0xffu

/** Job of faces and greedy_quads (BSH-1, BSH-2). */
typedef struct vp_faces_job {
    vp_block_window window;
    bool occlusion;      /**< false = VP_BLOCK_LIGHT everywhere. */
    vp_block_quad *quad; /**< Sorted by side. [vp_block_max_faces(edge)] */
    uint32_t *first;     /**< Side s has quads first[s] to first[s + 1] - 1. [7] */
} vp_faces_job;

/** Returns the maximum number of faces. */
static inline size_t vp_block_max_faces(uint32_t edge)
{
    return VP_CAST(size_t, 6) * edge * edge * edge;
}

/** Blocks beyond a side of a box. */
enum {
    VP_BOX_COVERED = 1, /**< All collide. */
    VP_BOX_EXPOSED = 2, /**< None collides. */
    VP_BOX_MIXED = 3    /**< Some collide. */
};

/** Box of blocks that collide. */
typedef struct vp_block_box {
    uint8_t low[3];
    uint8_t size[3];
    uint16_t beyond; /**< VP_BOX_ of side s in bits 2s and 2s + 1. */
    uint16_t edges;  /**< T-edges (BSH-5, docs/kernels/blocks.md, "The idea"), numbered by vp_block_box_edge. */
} vp_block_box;

/** Returns a side's VP_BOX_. */
static inline uint32_t vp_block_box_side(const vp_block_box *box, uint32_t side)
{
    return VP_CAST(uint32_t, box->beyond) >> 2 * side & 3u;
}

/** Returns the edge between two sides of different axes. */
static inline uint32_t vp_block_box_edge(uint32_t side, uint32_t other)
{
    const uint32_t low = side < other ? side : other, high = side < other ? other : side, along = 3 - low / 2 - high / 2;
    return 4 * along + (low & 1u) + 2 * (high & 1u);
}

/** Job of greedy_boxes (BSH-4). */
typedef struct vp_boxes_job {
    vp_block_window window;
    uint16_t *scratch; /**< [edge^3] */
    vp_block_box *box; /**< By lowest block. [edge^3] */
} vp_boxes_job;

enum { VP_COMPONENTS_MAX_CELLS = 1 << 30 };
/** Label of unset cells. */
#define VP_NO_COMPONENT UINT32_MAX

/** Job of components. Set cells that share a face are connected. Cell (x, y, z) is number (y*size.z + z)*size.x + x. */
typedef struct vp_components_job {
    vp_dims size;         /**< Up to VP_COMPONENTS_MAX_CELLS, can be 0. */
    const uint8_t *cell;  /**< Not 0 = set. NULL = `bits`. */
    const uint64_t *bits; /**< Bit i % 64 of word i / 64. */
    uint32_t *scratch;    /**< [cells] */
    uint32_t *label;      /**< By lowest cell, or VP_NO_COMPONENT. [cells] */
} vp_components_job;

/** Maximum absolute coordinate. */
#define VP_BLOCK_FAR 1099511627776.0f /* 2^40 */

/** Moving box, box + t*move, 0 <= t <= 1, finite. */
typedef struct vp_block_path {
    vp_aabb box; /**< min < max, within VP_BLOCK_FAR. */
    vp_vec3 move;
} vp_block_path;

/** Ray origin + t*move, 0 <= t <= 1, finite. */
typedef struct vp_block_line {
    vp_vec3 origin; /**< Within VP_BLOCK_FAR. */
    vp_vec3 move;
    uint32_t stops; /**< Type bits that stop it. 0 = any block that is not empty. */
} vp_block_line;

/** End of a path. */
typedef enum vp_block_end {
    VP_BLOCK_PASSES = 0,
    VP_BLOCK_MEETS = 1,
    VP_BLOCK_INSIDE = 2 /**< Starts in a block. */
} vp_block_end;

/** Hit. On a miss `block` and `type` are 0. */
typedef struct vp_block_hit {
    double t;       /**< 1 on a miss, 0 in a block. `end` decides. */
    double fluid_t; /**< Sweep's first fluid, up to t. 1 = none. */
    vp_ivec3 block;
    uint32_t end;  /**< vp_block_end. */
    uint32_t side; /**< VP_SIDE_COUNT = none. */
    vp_block type;
    vp_block fluid; /**< Sweep's first. 0 = none. */
} vp_block_hit;

static_assert(sizeof(vp_block_type) == 8 && sizeof(vp_block_quad) == 8 && sizeof(vp_block_box) == 10, "size");
static_assert(sizeof(vp_block_path) == 36 && sizeof(vp_block_line) == 28 && sizeof(vp_block_hit) == 40, "size");

/** Lists a chunk's faces, one quad each, in the order of the blocks. */
typedef void vp_faces_fn(const vp_faces_job *job);

/** Merges a chunk's faces to rectangles of one type and light (BSH-3). Planes ascend. */
typedef void vp_greedy_quads_fn(const vp_faces_job *job);

/** Merges a chunk's colliding blocks to boxes. @return number of boxes */
typedef uint32_t vp_greedy_boxes_fn(const vp_boxes_job *job);

/** Labels a grid's connected components. @return number of components */
typedef uint32_t vp_components_fn(const vp_components_job *job);

/** Finds the first colliding block that a moving box hits. Touching is no hit. Times, ties, fluids: BSH-6 to BSH-8.
 *  Cost: O(blocks on the way). */
typedef void vp_block_sweep_fn(const vp_block_view *view, const vp_block_path *path, vp_block_hit *out);

/** Finds the first block that a ray hits (BSH-9), at times like block_sweep. `side` has the lowest axis along which it enters. Cost:
 *  O(blocks on the way). */
typedef void vp_block_ray_fn(const vp_block_view *view, const vp_block_line *line, vp_block_hit *out);

/* clang-format off */
/** Kernels. */
#define VP_BLOCKS_KERNELS(K)                                                                      \
    K(faces, faces, NONE, "Block world", "chunks",                                                \
      "Finds the faces of a chunk's blocks that can be seen, with the light at their corners.")   \
    K(greedy_quads, quads, NONE, "Block world", "chunks",                                         \
      "Merges a chunk's faces into rectangles.")                                                  \
    K(greedy_boxes, boxes, NONE, "Block world", "chunks",                                         \
      "Merges a chunk's blocks that collide into boxes, and classes the blocks beyond each side.") \
    K(components, components, ALL, "Block world", "cells",                                        \
      "Labels the connected parts of a grid of cells.")                                           \
    K(block_sweep, sweep, ALL, "Block world", "sweeps",                                           \
      "Finds the first block that a moving box meets.")                                           \
    K(block_ray, ray, NONE, "Block world", "rays",                                                \
      "Finds the first block that a ray meets.")
/** Operations. */
#define VP_BLOCKS_OPERATIONS(O)                                                                                             \
    O(block_edit, "Block world", "edits", "Applies one tick's edits and lists the chunks to rebuild.")                    \
    O(block_job, "Block world", "edits", "Rebuilds meshes and colliders of all chunks that an edit changes.")             \
    O(region_save, "Block world", "chunks", "Writes all chunks of a world into region files.")                            \
    O(region_load, "Block world", "chunks", "Loads a world from region files.")
/* clang-format on */

VP_BLOCKS_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
