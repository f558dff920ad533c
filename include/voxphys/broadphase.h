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

/** @file
 *  Bit broadphase: per voxel, a bit for solid and a bit for water that mark where geometry can be. Box tests.
 *
 *      vp_broadphase_create(&(vp_broadphase_def){.world = world}, &broadphase, &error);
 *      vp_broadphase_overlap(broadphase, &box, &touch, &error);
 *      if (touch & VP_TOUCH_SOLID)
 *          collide(&box);
 *
 *  Details: docs/kernels/dilation.md, docs/kernels/overlap.md, docs/CONTRACT.md, DIL and OVL. */

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of one world. */
typedef struct vp_broadphase vp_broadphase;

/** Broadphase settings. */
typedef struct vp_broadphase_def {
    const vp_world *world; /**< Not kept. */
    const vp_kernels *kernels;
    const vp_executor *executor;
    const vp_allocator *allocator;
} vp_broadphase_def;

/** Creates the broadphase of a world.
 *  @return VP_E_ARGUMENT for a missing world */
VP_API vp_status vp_broadphase_create(const vp_broadphase_def *def, vp_broadphase **out, vp_error *error);
/** Destroys a broadphase. */
VP_API void vp_broadphase_destroy(vp_broadphase *broadphase);

/** Updates the chunks that edits made stale.
 *  @return VP_E_ARGUMENT for a world of another size */
VP_API vp_status vp_broadphase_update(vp_broadphase *broadphase, const vp_world *world, const vp_chunk_set *stale, vp_error *error);

/** Returns the bits, until an update. */
VP_API vp_broadphase_view vp_broadphase_bits(const vp_broadphase *broadphase);
/** Returns the kernels. */
VP_API const vp_kernels *vp_broadphase_kernels(const vp_broadphase *broadphase);

/** Returns a chunk's class, EMPTY outside the world. */
VP_API vp_chunk_class vp_broadphase_chunk_class(const vp_broadphase *broadphase, vp_ivec3 chunk);
/** Returns a chunk's masks, those of EMPTY outside the world. */
VP_API const vp_chunk_masks *vp_broadphase_masks(const vp_broadphase *broadphase, vp_ivec3 chunk);

/** Memory of a broadphase. */
typedef struct vp_broadphase_memory {
    uint32_t chunks[4];  /**< By vp_chunk_class. */
    uint64_t mask_bytes; /**< 128 bytes a MIXED chunk. */
    uint64_t total_bytes;
} vp_broadphase_memory;

/** Returns the memory. */
VP_API vp_broadphase_memory vp_broadphase_memory_use(const vp_broadphase *broadphase);

/** Tests a box, which can be infinite. Cost: O(chunks under the box). */
VP_API vp_status vp_broadphase_overlap(const vp_broadphase *broadphase, const vp_aabb *box, uint32_t *touch, vp_error *error);

/** Tests many boxes.
 *  @param touch  [boxes->count]. An invalid box gets VP_TOUCH_INVALID
 *  @return VP_E_ARGUMENT if a box is invalid. Other results are valid */
VP_API vp_status vp_broadphase_overlap_batch(const vp_broadphase *broadphase, const vp_boxes *boxes, uint8_t *touch, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
