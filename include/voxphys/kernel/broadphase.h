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

/** @file kernel/broadphase.h
 *  What the broadphase's kernels read and write; the checked functions are in broadphase.h. */

#ifdef __cplusplus
extern "C" {
#endif

/** The broadphase bits of one chunk: word y is a Y-slice, bit z*8 + x of it a voxel. A bit is set where any voxel of
 *  the 3^3 around it is solid (water). */
typedef struct vp_chunk_masks {
    uint64_t solid[8]; /**< Of materials from VP_FIRST_SOLID on. */
    uint64_t water[8]; /**< Of VP_WATER. */
} vp_chunk_masks;

/** What is known of a chunk without its masks. */
typedef enum vp_chunk_class {
    VP_CHUNK_EMPTY = 0,      /**< All 1000 voxels of the 10^3 neighbourhood are air; no masks are stored. */
    VP_CHUNK_FULL_SOLID = 1, /**< All 1000 are solid; no masks are stored. */
    VP_CHUNK_FULL_WATER = 2, /**< All 1000 are water; no masks are stored. */
    VP_CHUNK_MIXED = 3       /**< Anything else; the masks are stored. */
} vp_chunk_class;

/** The broadphase of a world, as kernels read it.
 *
 *  `slot` holds one number a chunk, in the order of chunks but with one more chunk (EMPTY) on every side, so that a
 *  query needs no test for the world's border: chunk (cx, cy, cz), each from -1 to its extent, is
 *  slot[cy*slot_stride_y + cz*slot_stride_z + cx]. Behind the last one come another slot_stride_y + slot_stride_z + 2
 *  zeros. A number is an index into `pool`; the pool's first three entries are what EMPTY, FULL_SOLID and FULL_WATER
 *  stand for, so a number below 3 is the tag itself and any other means MIXED. */
typedef struct vp_broadphase_view {
    const uint32_t *slot;       /**< Of chunk (0, 0, 0). */
    const vp_chunk_masks *pool; /**< 64-byte aligned. */
    vp_dims chunks;             /**< Of the whole world. */
    int32_t slot_stride_z;      /**< chunks.x + 2 */
    int32_t slot_stride_y;      /**< (chunks.x + 2)*(chunks.z + 2) */
} vp_broadphase_view;

/** What a world build works on. */
typedef struct vp_dilate_job {
    const uint8_t *material; /**< Bricks (dilate_world) or rows of the whole world (dilate_world_rows). */
    vp_dims chunks;          /**< Of the whole world. */
    uint32_t y_begin;        /**< The first layer of chunks to derive; its neighbours are read. */
    uint32_t y_end;          /**< The layer after the last one. */
    uint32_t *slot;          /**< Out: slot of chunk (0, 0, 0), laid out as in vp_broadphase_view; written for the layers only. */
    int32_t slot_stride_z;   /**< As in vp_broadphase_view. */
    int32_t slot_stride_y;   /**< As in vp_broadphase_view. */
    vp_chunk_masks *pool;    /**< Out: the masks of the MIXED chunks, 64-byte aligned, room for one a chunk of the layers. */
    uint32_t first;          /**< The number that the slots give to pool[0]; at least 3. */
    void *scratch;           /**< vp_dilate_world_scratch_bytes(chunks) bytes, 64-byte aligned, contents of no matter. */
} vp_dilate_job;

/** Boxes as six arrays, for queries in batches. */
typedef struct vp_boxes {
    const float *min_x; /**< `count` floats, as in the other arrays. */
    const float *min_y; /**< Lower faces. */
    const float *min_z; /**< Lower faces. */
    const float *max_x; /**< Upper faces. */
    const float *max_y; /**< Upper faces. */
    const float *max_z; /**< Upper faces. */
    uint32_t count;     /**< How many boxes. */
} vp_boxes;

/** Answers of an overlap query. */
enum {
    VP_TOUCH_SOLID = 1,
    VP_TOUCH_WATER = 2,
    VP_TOUCH_INVALID = 4 /**< Alone: the box has a NaN, or min > max on an axis. */
};

/** A chunk that a box touches. */
typedef struct vp_chunk_touch {
    uint32_t chunk; /**< Its number. */
    uint32_t touch; /**< VP_TOUCH_SOLID, VP_TOUCH_WATER or both. */
} vp_chunk_touch;

static_assert(sizeof(vp_chunk_masks) == 128 && sizeof(vp_chunk_touch) == 8, "as documented");

/* ---- kernels ---- */

/** Masks and tag of one chunk of a world of bricks, as after an edit. `out` is always written: zeros for EMPTY, all
 *  ones in one class for FULL. @return the vp_chunk_class */
typedef uint32_t vp_dilate_chunk_fn(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out);

/** The same from the 10^3 materials around the chunk, in rows (x fastest, then z, then y). @return the vp_chunk_class */
typedef uint32_t vp_dilate_chunk_rows_fn(const uint8_t *material, vp_chunk_masks *out);

/** Slots and masks of all chunks in some layers of a world of bricks. The masks of chunk c are
 *  pool[slot[c] - first]; in what order the pool is filled is each version's own affair, but it is filled without
 *  gaps. @return how many entries of the pool were filled: the number of MIXED chunks */
typedef uint32_t vp_dilate_world_fn(const vp_dilate_job *build);

/** The same from rows: x fastest, then z, then y, 8*chunks.x by 8*chunks.z by 8*chunks.y voxels. */
typedef uint32_t vp_dilate_world_rows_fn(const vp_dilate_job *build);

/** What a box, grown by one voxel on every side, touches: with voxel i covering [i, i+1), the voxels from
 *  floor(min) - 1 to floor(max) + 1 on each axis, computed without rounding. O(chunks under the grown box that
 *  lie in the world); versions may stop where both answers are yes. @return VP_TOUCH_ bits */
typedef uint32_t vp_overlap_box_fn(const vp_broadphase_view *bits, const vp_aabb *box);

/** The same for many boxes: touch[i] is the answer for box i. */
typedef void vp_overlap_boxes_fn(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch);

/** The chunks that the grown box touches, in ascending order of their numbers; at most `capacity` are written.
 *  An invalid box touches none. @return how many there are, which may be more than `capacity` */
typedef uint32_t vp_overlap_chunks_fn(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity);

/** Bytes of scratch that any version of dilate_world and dilate_world_rows needs. */
static inline size_t vp_dilate_world_scratch_bytes(vp_dims chunks)
{
    /* Per column of chunks: the last chunk, dilated along x and z (128), the slice under it (16) and flags (1); it is
       carried, for a chunk is stored once and for good when the layer above it is known. Per chunk of a row: two rows
       dilated along x (2 * 128) and flags (3). */
    return VP_CAST(size_t, chunks.x) * chunks.z * 152 + VP_CAST(size_t, chunks.x) * 264 + 256;
}

/* clang-format off */
/** Kernel rows, see versions.h. */
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
      "Tells whether a box touches solid ground or water, by the masks alone.")                           \
    K(overlap_boxes, overlap, ALL, "Broadphase", "queries",                                               \
      "Tells which of many boxes touch solid ground or water, by the masks alone.")                       \
    K(overlap_chunks, overlap, ALL, "Broadphase", "queries",                                              \
      "Lists the chunks that a box touches.")
/** Operation rows. */
#define VP_BROADPHASE_OPERATIONS(O) \
    O(build_world, "Broadphase", "chunks", "Builds the broadphase of a whole world, as a program does, on one thread or many.")
/* clang-format on */

VP_BROADPHASE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
