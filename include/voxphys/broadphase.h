/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_BROADPHASE_H
#define VOXPHYS_BROADPHASE_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/world.h>

/** @file broadphase.h
 *  The bit broadphase (voxel terrain article, "Bit broadphase: construction" and "overlap test"): for each voxel one
 *  bit that says whether solid terrain can have geometry there, one that says the same of water, and a fast test of
 *  boxes against them. Masks take 2 bits a voxel of the chunks at the edge of something; chunks of one kind store none.
 *  Every chunk has a slot of 4 bytes, and so has a border of one chunk around the world. */

#ifdef __cplusplus
extern "C" {
#endif

/** The bits of one world. */
typedef struct vp_broadphase vp_broadphase;

/** What a broadphase is made from. */
typedef struct vp_broadphase_def {
    const vp_world *world;         /**< Read during the calls that take it; not kept. */
    const vp_kernels *kernels;     /**< Copied; NULL: as vp_kernels_default says. */
    const vp_executor *executor;   /**< For the build; NULL: the calling thread. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_broadphase_def;

/** Derives the broadphase of a whole world. O(voxels); while it runs it needs up to 2 bits a voxel more than it keeps, and
 *  for each thread, of which there are no more than layers of chunks, some 152 bytes a column of chunks.
 *  @return VP_E_ARGUMENT without a world, VP_E_MEMORY, VP_E_UNSUPPORTED (VOXPHYS_ISA names what this machine lacks);
 *          VP_E_ARGUMENT for a VOXPHYS_ISA that there is not. */
VP_API vp_status vp_broadphase_create(const vp_broadphase_def *def, vp_broadphase **out, vp_error *error);
/** Frees a broadphase; NULL is left alone. */
VP_API void vp_broadphase_destroy(vp_broadphase *broadphase);

/** Re-derives the given chunks from the edited world: pass the set that the edits filled.
 *  O(chunks in the set + size of the set / 64); now and then all masks move to a larger array, with room for an eighth more than is needed.
 *  @param world  the world it was made from, or one of the same size
 *  @return VP_E_ARGUMENT for a world or a set of another size, VP_E_MEMORY (then nothing is changed). */
VP_API vp_status vp_broadphase_update(vp_broadphase *broadphase, const vp_world *world, const vp_chunk_set *stale, vp_error *error);

/** The bits, valid until the next update or the end. */
VP_API vp_broadphase_view vp_broadphase_bits(const vp_broadphase *broadphase);
/** The kernels it was made with. */
VP_API const vp_kernels *vp_broadphase_kernels(const vp_broadphase *broadphase);

/** Tag of a chunk; EMPTY for one outside the world. O(1). */
VP_API vp_chunk_class vp_broadphase_chunk_class(const vp_broadphase *broadphase, vp_ivec3 chunk);
/** Masks of a chunk, also of EMPTY and FULL ones; those of EMPTY for one outside the world. O(1). */
VP_API const vp_chunk_masks *vp_broadphase_masks(const vp_broadphase *broadphase, vp_ivec3 chunk);

/** What a broadphase takes. */
typedef struct vp_broadphase_memory {
    uint32_t chunks[4];   /**< How many chunks have each vp_chunk_class. */
    uint64_t mask_bytes;  /**< Masks of MIXED chunks in use: 128 each. */
    uint64_t total_bytes; /**< Everything that is allocated: masks, spare masks, slots (of 4 bytes, see vp_broadphase_view), the
                               object. */
} vp_broadphase_memory;

/** Counts it. O(chunks). */
VP_API vp_broadphase_memory vp_broadphase_memory_use(const vp_broadphase *broadphase);

/** Does a box touch terrain? Which voxels a box touches: see vp_overlap_box_fn. Boxes outside the world touch nothing,
 *  infinite ones are allowed. O(chunks under the box).
 *  @param touch  receives VP_TOUCH_SOLID and VP_TOUCH_WATER bits
 *  @return VP_E_ARGUMENT for a box with a NaN or with min > max. */
VP_API vp_status vp_broadphase_overlap(const vp_broadphase *broadphase, const vp_aabb *box, uint32_t *touch, vp_error *error);

/** The same for many boxes.
 *  @param touch  boxes->count bytes; all are written: an invalid box gets VP_TOUCH_INVALID
 *  @return VP_E_ARGUMENT if any box is invalid, naming the first; the answers of the others hold. */
VP_API vp_status vp_broadphase_overlap_batch(const vp_broadphase *broadphase, const vp_boxes *boxes, uint8_t *touch, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
