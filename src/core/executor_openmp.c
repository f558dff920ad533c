/* SPDX-License-Identifier: MIT */
/* In its own library, voxphys-openmp, so that the core library does not depend on OpenMP's run-time. */
#include <voxphys/executor.h>

#include <omp.h>
#include <stddef.h>

/* Never more threads than tasks, because a thread too many costs its start and its stack, and far too many
   end the process. */
static void run_openmp(uint32_t threads, uint32_t count, vp_task_fn *task, void *argument)
{
    if (threads > count)
        threads = count;
    if (threads == 0)
        return;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint32_t i = 0; i < count; i++)
        task(argument, i);
}

static void run_openmp_user(void *user, uint32_t count, vp_task_fn *task, void *argument)
{
    run_openmp((uint32_t)(uintptr_t)user, count, task, argument);
}

vp_executor vp_executor_openmp(uint32_t thread_count)
{
    uint32_t n = thread_count != 0 ? thread_count : (uint32_t)omp_get_max_threads();
    if (n > (uint32_t)omp_get_thread_limit()) /* more are not started, whatever is requested */
        n = (uint32_t)omp_get_thread_limit();
    vp_executor e = {.user = (void *)(uintptr_t)n, .parallel_for = run_openmp_user, .thread_count = n};
    return e;
}
