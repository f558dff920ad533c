/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_BLOCKS_H
#define VOXPHYS_KERNEL_BLOCKS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/sets.h>

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

static_assert(sizeof(vp_block_type) == 8, "as documented");

/* clang-format off */
/** Its kernels: see sets.h for what a row says. */
#define VP_BLOCKS_KERNELS(K)
/** Its whole operations. */
#define VP_BLOCKS_OPERATIONS(O)                                                                                             \
    O(block_edit, "Block world", "edits", "Edits blocks, a tick's at once, and tells which chunks see it.")               \
    O(region_save, "Block world", "chunks", "Writes all chunks of a world into region files.")                            \
    O(region_load, "Block world", "chunks", "Makes a world of region files.")
/* clang-format on */

VP_BLOCKS_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
