/* SPDX-License-Identifier: MIT */
/* The executor of --threads. */
#ifndef VP_HOST_THREAD_EXECUTOR_H
#define VP_HOST_THREAD_EXECUTOR_H

#include <stdint.h>

#include <voxphys/executor.h>

/* Whether this build has threads. */
bool vp_has_threads(void);

/* An executor on the calling thread and up to `threads` - 1 other threads of the process. parallel_for starts them when
   it first needs them, never more than the process has processors. Idle threads sleep, and parallel_for waits only for
   threads that have begun a task. So on a busy processor it costs no more than its share. A call inside a task, or
   concurrent with another call, runs on the calling thread. */
vp_executor vp_thread_executor(uint32_t threads);

/* An executor that draws a progress bar. It passes a few pieces at a time to another executor, and reports progress between them. */
typedef struct vp_watched {
    vp_executor inner;
    const char *what;
    uint64_t rounds, round; /* expected, and completed */
    /* the current round */
    vp_task_fn *task;
    void *argument;
    uint32_t from;
} vp_watched;

/* Making a mesh takes a few rounds over pieces of the world. */
enum { VP_MESH_ROUNDS = 4 };

/* An executor that runs on `inner` and shows the bar `what`. Each of its first `rounds` parallel loops counts as an equal part.
   `w` must outlive it. Work for as many pieces as threads is cut into two pieces on one thread, to show some progress. */
vp_executor vp_watch(vp_watched *w, vp_executor inner, const char *what, uint64_t rounds);

#endif
