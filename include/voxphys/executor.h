/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_EXECUTOR_H
#define VOXPHYS_EXECUTOR_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>

/** @file executor.h
 *  Who runs parallel work. The library starts no thread: where a function can use several, it takes an executor, and
 *  NULL means the calling thread. No result depends on the executor or on its thread count.
 *
 *  Most functions wait for what they began, by `parallel_for`. Jobs that a game's tick doesn't wait for (block_jobs.h) are submitted. An
 *  executor that has threads for them is in examples/thread_pool.h. */

#ifdef __cplusplus
extern "C" {
#endif

/** One piece of parallel work, number `index`. */
typedef void vp_task_fn(void *argument, uint32_t index);

/** A parallel for, and work that is not waited for. Members behind those that a program knows are 0, which always has a meaning. */
typedef struct vp_executor {
    void *user; /**< Passed back to `parallel_for`. */
    /** Calls task(argument, i) once for each i in [0, count), in any order, on any threads, and returns when all
     *  calls have returned. */
    void (*parallel_for)(void *user, uint32_t count, vp_task_fn *task, void *argument);
    uint32_t thread_count; /**< How many tasks run at once, at least 1: work is cut into about as many pieces. */
    /** Has task(argument, index) called once, now or later, on any thread, and waits for nothing. NULL: it is called at once, by whoever
     *  submits.
     *  @return false if it can't be taken now: it will not be called, and is submitted again later */
    bool (*submit)(void *user, vp_task_fn *task, void *argument, uint32_t index);
    /** Calls some of what was submitted, on this thread, or does nothing; waits for nothing. Who waits in the end for all that he
     *  submitted asks again and again. NULL: threads call it, without help. */
    void (*poll)(void *user);
} vp_executor;

/** A place in a list of who holds something, and on which thread. The caller's memory, the library's content. */
typedef struct vp_holder {
    struct vp_holder *next; /**< Others. */
    uintptr_t thread;       /**< Who began. */
} vp_holder;

/** Runs everything on the calling thread; what is submitted at once. */
VP_API vp_executor vp_executor_serial(void);

/** Runs on OpenMP's threads: `thread_count` of them, or as many as OpenMP thinks right if it is 0, but no more than
 *  its limit (OMP_THREAD_LIMIT) allows; the executor's own thread_count tells. OpenMP has no work that isn't waited for: what is
 *  submitted is called at once. How idle threads wait is OpenMP's choice: libgomp's spin, which costs much where other programs are
 *  busy. OMP_WAIT_POLICY=passive in the environment, before the process starts, makes them sleep.
 *  In the library voxphys-openmp (CMake: voxphys::openmp), so that the core library needs no OpenMP. */
VP_API vp_executor vp_executor_openmp(uint32_t thread_count);

/** Submits: see vp_executor.submit. @param executor  NULL: the calling thread, at once */
VP_API bool vp_executor_submit(const vp_executor *executor, vp_task_fn *task, void *argument, uint32_t index);
/** Polls: see vp_executor.poll. NULL is left alone. */
VP_API void vp_executor_poll(const vp_executor *executor);

#ifdef __cplusplus
}
#endif

#endif
