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

/** @file block_jobs.h
 *  Meshes and colliders of a world that is edited, made beside the game's tick, which never waits (third article, "Diviser pour mieux
 *  régner"). A chunk that has changed has a job of two tasks, its mesh and its boxes, which an executor runs; the tick hands over what is
 *  finished, on its own thread.
 *
 *  **No hole.** What is shown is what was handed over last of each chunk. After every tick there is one world, of some version of each
 *  chunk, whose meshes and boxes are exactly these, light at corners included: no face is missing, none is left over. For that, chunks
 *  that see each other's changes are handed over in one tick, when all of their jobs are finished, and so are those that wait for these in
 *  turn. (The article's jobs wait for their neighbours, and not for those that its neighbours wait for.) Which chunks see a change is
 *  found by comparing the blocks: the 6 with a face in common, or all 26 if light is told. A chunk of nothing waits for nobody.
 *
 *  **Newer jobs.** Many edits between two ticks cost each chunk one job. A newer job of a chunk cancels the older one. For chunks that are
 *  edited in each tick there is an end to that: what waits together for VP_BLOCK_JOBS_PATIENCE ticks is handed over before newer changes
 *  are looked at.
 *
 *  **Failures.** Without memory a change or a job stays where it is, and is tried again at the next tick: nothing is lost or shown in
 *  halves. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_BLOCK_JOBS_PATIENCE = 8,    /**< Ticks for which jobs are replaced by newer ones. */
    VP_BLOCK_JOBS_REACH = 1 << 18, /**< Chunks' indices are from -this to this - 1: see vp_block_mesh_create. */
    VP_BLOCK_JOB_TASKS = 2         /**< Of a job: its mesh, its boxes. */
};

/** Jobs over a world. What they know of a chunk, some 150 bytes besides its snapshot, stays until they are destroyed. */
typedef struct vp_block_jobs vp_block_jobs;

/** What has been made of a chunk. */
typedef struct vp_block_made {
    vp_ivec3 chunk;       /**< Its index. */
    uint64_t version;     /**< As of its snapshot; 0: it is absent. */
    vp_block_quads quads; /**< Of the mesh: with its index ranges. None of nothing. */
    vp_block_mesh mesh;   /**< To draw. */
    vp_block_boxes boxes; /**< To collide with. */
} vp_block_made;

/** Receives a chunk, on the thread that ticks. What it keeps it copies and sets to all zero bytes, to destroy it later; the rest is freed.
 *  It may edit the world and note that, but neither tick nor destroy. */
typedef void vp_block_apply_fn(void *user, vp_block_made *made);

/** What jobs are to do. */
typedef struct vp_block_jobs_def {
    vp_blocks *blocks;                 /**< Of VP_BLOCKS_SNAPSHOTS; is there longer than the jobs. */
    bool merged;                       /**< As of vp_block_quads_def. */
    bool occlusion;                    /**< As of vp_block_quads_def. */
    const vp_block_rounding *rounding; /**< As of vp_block_mesh_def; copied. */
    vp_block_apply_fn *apply;          /**< Who receives chunks. */
    void *user;                        /**< Passed back. */
    const vp_executor *executor;       /**< Copied. NULL, or one without `submit`: the tick itself does the work. */
    const vp_kernels *kernels;         /**< NULL: as vp_kernels_default says. */
    const vp_allocator *allocator;     /**< NULL: C's own. Used by the executor's threads, too. */
} vp_block_jobs_def;

/** Makes an object; the first tick looks at all chunks that are there. O(1).
 *  @return VP_E_ARGUMENT for a world of VP_BLOCKS_LOCKS, whose readers wait, and for a rounding that vp_block_mesh_create refuses;
 *          VP_E_MEMORY; what vp_kernels_default returns */
VP_API vp_status vp_block_jobs_create(const vp_block_jobs_def *def, vp_block_jobs **out, vp_error *error);
/** Cancels all jobs, waits for tasks that have begun, and frees everything. NULL is left alone. What has been noted and not been handed
 *  over never is. */
VP_API void vp_block_jobs_destroy(vp_block_jobs *jobs);

/** Notes that chunks may have changed: what vp_blocks_edit or vp_blocks_reside tells. By any thread, at any time, without waiting.
 *  O(changes). What is edited and not noted is not shown; it makes no hole either. Notes in any order will do.
 *  @return VP_E_MEMORY: then the next tick looks at all chunks instead, and nothing is lost */
VP_API vp_status vp_block_jobs_note(vp_block_jobs *jobs, const vp_block_changes *changes, vp_error *error);
/** The same of all chunks: of those that are there and those that were. O(1), and the next tick O(chunks log chunks). */
VP_API void vp_block_jobs_note_all(vp_block_jobs *jobs);

/** What a tick has done. */
typedef struct vp_block_ticked {
    uint32_t begun;    /**< Jobs. */
    uint32_t replaced; /**< Of those before, how many these have cancelled. */
    uint32_t applied;  /**< Chunks that were handed over. */
    uint32_t pending;  /**< Chunks that are to be handed over still, or to be looked at. */
} vp_block_ticked;

/** Compares what was noted, begins jobs, polls the executor once, and hands over what is finished. For one thread at a time. It waits for
 *  nothing, but where it looks at all chunks, for edits by other threads. O(notes * blocks of a chunk compared + chunks pending).
 *  @param out  what it has done, after a failure too; may be NULL
 *  @return VP_E_MEMORY: some is left for the next tick. VP_E_ARGUMENT for a chunk beyond VP_BLOCK_JOBS_REACH, which counts as absent here.
 *          Of several failures the first is told; everything else has been done. */
VP_API vp_status vp_block_jobs_tick(vp_block_jobs *jobs, vp_block_ticked *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
