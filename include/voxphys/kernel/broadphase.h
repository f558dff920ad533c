/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_BROADPHASE_H
#define VOXPHYS_KERNEL_BROADPHASE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/world.h>

/** @file
 *  Kernels of the bit broadphase. Details: docs/kernels/dilation.md, docs/kernels/overlap.md, docs/CONTRACT.md, DIL and OVL. */

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of one chunk. Bit z*8 + x of word y is voxel (x, y, z) (DIL-1). */
typedef struct vp_chunk_masks {
    uint64_t solid[8];
    uint64_t water[8];
} vp_chunk_masks;

/** Class of a chunk by its 10^3 neighbourhood (DIL-3). Only MIXED chunks store masks. */
typedef enum vp_chunk_class { VP_CHUNK_EMPTY = 0, VP_CHUNK_FULL_SOLID = 1, VP_CHUNK_FULL_WATER = 2, VP_CHUNK_MIXED = 3 } vp_chunk_class;

/** Broadphase of a world. The slot of chunk (cx, cy, cz) is slot[cy*slot_stride_y + cz*slot_stride_z + cx]. A layer of EMPTY chunks
 *  surrounds the world. slot_stride_y + slot_stride_z + 2 zeros follow the last slot. A slot is an index into `pool`, whose entries 0, 1
 *  and 2 are EMPTY, FULL_SOLID and FULL_WATER. */
typedef struct vp_broadphase_view {
    const uint32_t *slot;       /**< Chunk (0, 0, 0). */
    const vp_chunk_masks *pool; /**< 64-byte aligned. */
    vp_dims chunks;
    int32_t slot_stride_z; /**< chunks.x + 2. */
    int32_t slot_stride_y; /**< (chunks.x + 2)*(chunks.z + 2). */
} vp_broadphase_view;

/** Job of dilate_world and dilate_world_rows. */
typedef struct vp_dilate_job {
    const uint8_t *material; /**< Bricks or rows. */
    vp_dims chunks;
    uint32_t y_begin;
    uint32_t y_end; /**< Past the last layer. */
    uint32_t *slot; /**< Chunk (0, 0, 0). Only the layers are written. */
    int32_t slot_stride_z;
    int32_t slot_stride_y;
    vp_chunk_masks *pool; /**< MIXED chunks, 64-byte aligned. [chunks in the layers] */
    uint32_t first;       /**< Slot value of pool[0], >= 3. */
    void *scratch;        /**< 64-byte aligned. [vp_dilate_world_scratch_bytes(chunks)] */
} vp_dilate_job;

/** Boxes. Each array has `count` elements. */
typedef struct vp_boxes {
    const float *min_x;
    const float *min_y;
    const float *min_z;
    const float *max_x;
    const float *max_y;
    const float *max_z;
    uint32_t count;
} vp_boxes;

/** Results of overlap queries. */
enum {
    VP_TOUCH_SOLID = 1,
    VP_TOUCH_WATER = 2,
    VP_TOUCH_INVALID = 4 /**< No other bit (OVL-2). */
};

/** Chunk that a box touches. */
typedef struct vp_chunk_touch {
    uint32_t chunk;
    uint32_t touch;
} vp_chunk_touch;

static_assert(sizeof(vp_chunk_masks) == 128 && sizeof(vp_chunk_touch) == 8, "size");

/** Computes masks and vp_chunk_class of one chunk in a world of bricks. Masks are written for every class. */
typedef uint32_t vp_dilate_chunk_fn(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out);

/** Like dilate_chunk, from the 10^3 voxels around the chunk, x fastest, then z, then y. */
typedef uint32_t vp_dilate_chunk_rows_fn(const uint8_t *material, vp_chunk_masks *out);

/** Computes slots and masks of layers of a world of bricks. A MIXED chunk c has masks pool[slot[c] - first] (DIL-4).
 *  @return number of MIXED chunks */
typedef uint32_t vp_dilate_world_fn(const vp_dilate_job *build);

/** Like dilate_world, from rows of the whole world, x fastest, then z, then y. */
typedef uint32_t vp_dilate_world_rows_fn(const vp_dilate_job *build);

/** Tests a box, grown by one voxel on every side (OVL-1). Cost: O(chunks in the grown box). @return VP_TOUCH_ bits */
typedef uint32_t vp_overlap_box_fn(const vp_broadphase_view *bits, const vp_aabb *box);

/** Tests boxes like overlap_box. */
typedef void vp_overlap_boxes_fn(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch);

/** Lists the chunks that the grown box touches, ascending. */
typedef uint32_t vp_overlap_chunks_fn(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity);

/** Returns the scratch size of dilate_world and dilate_world_rows, bytes. */
static inline size_t vp_dilate_world_scratch_bytes(vp_dims chunks)
{
    /* A column of chunks: last chunk dilated along x and z (128), slice below it (16), flags (1). A chunk of a row: two rows dilated along
       x (2 * 128), flags (3). */
    return VP_CAST(size_t, chunks.x) * chunks.z * 152 + VP_CAST(size_t, chunks.x) * 264 + 256;
}

/* clang-format off */
/** Kernels. */
#define VP_BROADPHASE_KERNELS(K)                                                                          \
    K(dilate_chunk, dilation, ALL, "Broadphase", "chunks",                                                \
      "Computes the masks of solid and water, and the class, of one chunk in a world of bricks.")         \
    K(dilate_chunk_rows, dilation, ALL, "Broadphase", "chunks",                                           \
      "Computes the masks and the class of one chunk from the 1,000 materials in and around it.")         \
    K(dilate_world, dilation, ALL, "Broadphase", "chunks",                                                \
      "Computes the masks of all chunks in a world of bricks, in one pass; only mixed chunks store any.") \
    K(dilate_world_rows, dilation, ALL, "Broadphase", "chunks",                                           \
      "Computes the masks of all chunks in a world whose voxels lie in rows.")                            \
    K(overlap_box, overlap, ALL, "Broadphase", "queries",                                                 \
      "Tests whether a box touches solid ground or water, by the masks.")                                 \
    K(overlap_boxes, overlap, ALL, "Broadphase", "queries",                                               \
      "Finds which of many boxes touch solid ground or water.")                                           \
    K(overlap_chunks, overlap, ALL, "Broadphase", "queries",                                              \
      "Lists the chunks that a box touches.")
/** Operations. */
#define VP_BROADPHASE_OPERATIONS(O) \
    O(build_world, "Broadphase", "chunks", "Builds the broadphase of a whole world, as a program does, on one thread or many.")
/* clang-format on */

VP_BROADPHASE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
