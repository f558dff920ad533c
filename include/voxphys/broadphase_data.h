/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_BROADPHASE_DATA_H
#define VOXPHYS_BROADPHASE_DATA_H

#include <stdint.h>

#include <voxphys/geometry.h>

/** @file broadphase_data.h
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
    const uint32_t *slot; /**< Of chunk (0, 0, 0). */
    const vp_chunk_masks *pool; /**< 64-byte aligned. */
    vp_dims chunks;        /**< Of the whole world. */
    int32_t slot_stride_z; /**< chunks.x + 2 */
    int32_t slot_stride_y; /**< (chunks.x + 2)*(chunks.z + 2) */
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
    vp_chunk_masks *pool; /**< Out: the masks of the MIXED chunks, 64-byte aligned, room for one a chunk of the layers. */
    uint32_t first; /**< The number that the slots give to pool[0]; at least 3. */
    void *scratch;  /**< vp_dilate_world_scratch_bytes(chunks) bytes, 64-byte aligned, contents of no matter. */
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

#ifdef __cplusplus
}
#endif

#endif
