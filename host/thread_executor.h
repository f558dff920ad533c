/* SPDX-License-Identifier: MIT */
/* The executor of --threads. */
#ifndef VP_HOST_THREAD_EXECUTOR_H
#define VP_HOST_THREAD_EXECUTOR_H

#include <stdint.h>

#include <voxphys/executor.h>

/* Whether this build has threads. */
bool vp_has_threads(void);

/* An executor on the calling thread and up to `threads` - 1 other threads of the process, which it starts. Its
   thread_count is smaller if the system refuses some. Idle threads sleep, and parallel_for waits only for threads that
   have begun a task. So on a busy processor it costs no more than its share. A call inside a task, or concurrent with
   another call, runs on the calling thread. */
vp_executor vp_thread_executor(uint32_t threads);

#endif
