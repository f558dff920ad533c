/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_EXECUTOR_H
#define VOXPHYS_EXECUTOR_H

#include <stdint.h>

#include <voxphys/api.h>

/** @file executor.h
 *  Who runs parallel work. The library starts no thread: where a function can use several, it takes an executor, and
 *  NULL means the calling thread. No result depends on the executor or on its thread count. */

#ifdef __cplusplus
extern "C" {
#endif

/** One piece of parallel work, number `index`. */
typedef void vp_task_fn(void *argument, uint32_t index);

/** A parallel for. */
typedef struct vp_executor {
    void *user; /**< Passed back to `parallel_for`. */
    /** Calls task(argument, i) once for each i in [0, count), in any order, on any threads, and returns when all
     *  calls have returned. */
    void (*parallel_for)(void *user, uint32_t count, vp_task_fn *task, void *argument);
    uint32_t thread_count; /**< How many tasks run at once, at least 1: work is cut into about as many pieces. */
} vp_executor;

/** A place in a list of who holds something, and on which thread. The caller's memory, the library's content. */
typedef struct vp_holder {
    struct vp_holder *next; /**< Others. */
    uintptr_t thread;       /**< Who began. */
} vp_holder;

/** Runs everything on the calling thread. */
VP_API vp_executor vp_executor_serial(void);

/** Runs on OpenMP's threads: `thread_count` of them, or as many as OpenMP thinks right if it is 0, but no more than
 *  its limit (OMP_THREAD_LIMIT) allows; the executor's own thread_count tells.
 *  In the library voxphys-openmp (CMake: voxphys::openmp), so that the core library needs no OpenMP. */
VP_API vp_executor vp_executor_openmp(uint32_t thread_count);

#ifdef __cplusplus
}
#endif

#endif
