/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_EXECUTOR_H
#define VOXPHYS_EXECUTOR_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>

/** @file
 *  Executors, which run the library's parallel work on the caller's threads.
 *
 *      const vp_executor executor = vp_executor_openmp(0); // or your own, as in examples/thread_pool.h
 *      const vp_terrain_def def = {.world = world, .executor = &executor};
 *
 *  The library starts no threads. NULL = calling thread. Most functions use `parallel_for`. Only block jobs (block_jobs.h) use `submit`. */

#ifdef __cplusplus
extern "C" {
#endif

/** Runs piece `index` of a parallel job. */
typedef void vp_task_fn(void *argument, uint32_t index);

/** Executor. Zero-initialize the members that you do not set. */
typedef struct vp_executor {
    void *user; /**< First argument of the functions. */
    /** Calls task(argument, i) once for each i < count, in any order, on any threads. Returns after the last call.
     *  NULL = calling thread. */
    void (*parallel_for)(void *user, uint32_t count, vp_task_fn *task, void *argument);
    uint32_t thread_count; /**< Number of tasks that run at once. 0 = 1. */
    /** Queues one call of task(argument, index) on any thread, and does not wait. NULL = the submitting thread calls it at once.
     *  @return false if the queue is full. The library submits the task again later */
    bool (*submit)(void *user, vp_task_fn *task, void *argument, uint32_t index);
    /** Runs some submitted tasks on this thread, and does not wait. Called repeatedly until all tasks are done. NULL = no-op. */
    void (*poll)(void *user);
} vp_executor;

/** Entry of a thread that holds a lock, such as a reader. For the library. */
typedef struct vp_holder {
    struct vp_holder *next;
    uintptr_t thread;
} vp_holder;

/** Returns the executor of the calling thread. */
VP_API vp_executor vp_executor_serial(void);

/** Returns an executor that uses OpenMP. Submitted tasks run at once. Link voxphys-openmp (CMake voxphys::openmp). Idle threads of
 *  libgomp spin, unless OMP_WAIT_POLICY=passive when the process starts.
 *  @param thread_count  at most OMP_THREAD_LIMIT. 0 = default of OpenMP */
VP_API vp_executor vp_executor_openmp(uint32_t thread_count);

/** Calls vp_executor.submit. If the executor or `submit` is NULL, runs the task at once. */
VP_API bool vp_executor_submit(const vp_executor *executor, vp_task_fn *task, void *argument, uint32_t index);
/** Calls vp_executor.poll. NULL is a no-op. */
VP_API void vp_executor_poll(const vp_executor *executor);

#ifdef __cplusplus
}
#endif

#endif
