/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_BLOCK_JOBS_H
#define VOXPHYS_BLOCK_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/block_shapes.h>
#include <voxphys/blocks.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file
 *  Background meshes and colliders of an edited block world. An executor runs the job of each changed chunk, and the tick hands over
 *  finished chunks on its own thread.
 *
 *      vp_block_jobs_create(&(vp_block_jobs_def){.blocks = blocks, .apply = apply, .executor = &pool}, &jobs, &error);
 *      vp_blocks_edit(blocks, edits, count, &changes, &error);
 *      vp_block_jobs_mark_changed(jobs, &changes, &error);
 *      vp_block_jobs_tick(jobs, NULL, &error);
 *
 *  After each tick the chunks handed over last form one world without holes, with consistent faces and light. Without memory, changes stay
 *  pending. Details: docs/CONTRACT.md, BJB-1 to BJB-3. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_BLOCK_JOBS_PATIENCE = 8,    /**< Maximum ticks in which newer jobs cancel older ones. */
    VP_BLOCK_JOBS_REACH = 1 << 18, /**< Limit of chunk indices. */
    VP_BLOCK_JOB_TASKS = 2         /**< Mesh and boxes. */
};

/** Jobs over a world. Takes about 150 bytes and a snapshot for each chunk. */
typedef struct vp_block_jobs vp_block_jobs;

/** Finished chunk. */
typedef struct vp_block_job_result {
    vp_ivec3 chunk;
    uint64_t version; /**< 0 = absent. */
    vp_block_quads quads;
    vp_block_mesh mesh;
    vp_block_boxes boxes;
} vp_block_job_result;

/** Receives a finished chunk on the ticking thread. To keep a member, copy it and set it to zero. It can edit the world and mark
 *  changes, but must not tick or destroy jobs. */
typedef void vp_block_apply_fn(void *user, vp_block_job_result *made);

/** Job settings. */
typedef struct vp_block_jobs_def {
    vp_blocks *blocks;                 /**< With VP_BLOCKS_SNAPSHOTS. Must outlive the jobs. */
    bool merged;                       /**< As vp_block_quads_def. */
    bool occlusion;                    /**< Likewise. */
    const vp_block_rounding *rounding; /**< As vp_block_mesh_def, copied. */
    vp_block_apply_fn *apply;
    void *user;
    const vp_executor *executor; /**< Copied. NULL or without `submit` = the tick runs the tasks. */
    const vp_kernels *kernels;
    const vp_allocator *allocator;
} vp_block_jobs_def;

/** Creates jobs. The first tick considers all chunks.
 *  @return VP_E_ARGUMENT without blocks or apply, for a world of VP_BLOCKS_LOCKS or an invalid rounding (vp_block_mesh_create) */
VP_API vp_status vp_block_jobs_create(const vp_block_jobs_def *def, vp_block_jobs **out, vp_error *error);
/** Cancels all jobs, waits for running tasks and destroys. */
VP_API void vp_block_jobs_destroy(vp_block_jobs *jobs);

/** Marks changes of vp_blocks_edit or vp_blocks_update_residency, on any thread, in any order, without waiting.
 *  @return VP_E_MEMORY. The next tick then considers all chunks, so nothing is lost */
VP_API vp_status vp_block_jobs_mark_changed(vp_block_jobs *jobs, const vp_block_changes *changes, vp_error *error);
/** Marks all chunks as changed. The next tick costs O(chunks log chunks). */
VP_API void vp_block_jobs_mark_all_changed(vp_block_jobs *jobs);

/** Result of a tick. */
typedef struct vp_block_tick_result {
    uint32_t begun;    /**< Jobs begun. */
    uint32_t replaced; /**< Jobs cancelled by newer ones. */
    uint32_t applied;  /**< Chunks handed over. */
    uint32_t pending;  /**< Chunks to be handed over or compared. */
} vp_block_tick_result;

/** Compares marked chunks, begins jobs, polls the executor once and hands over finished chunks. For one thread at a time. Waits for edits
 *  only if it considers all chunks. Cost: O(marks * blocks of a chunk + pending chunks).
 *  @param out  written also after a failure, or NULL
 *  @return first failure, the rest is done. After VP_E_MEMORY the next tick continues
 *          VP_E_ARGUMENT for a chunk beyond VP_BLOCK_JOBS_REACH, which counts as absent */
VP_API vp_status vp_block_jobs_tick(vp_block_jobs *jobs, vp_block_tick_result *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
