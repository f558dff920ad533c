/* SPDX-License-Identifier: MIT */
#include "src/core/executor.h"

#include <stddef.h>

static void run_serial(void *user, uint32_t count, vp_task_fn *task, void *argument)
{
    (void)user;
    for (uint32_t i = 0; i < count; i++)
        task(argument, i);
}

vp_executor vp_executor_serial(void)
{
    vp_executor e = {.parallel_for = run_serial, .thread_count = 1};
    return e;
}

vp_executor vp_executor_or_serial(const vp_executor *executor)
{
    vp_executor e = executor != NULL ? *executor : vp_executor_serial();
    if (e.parallel_for == NULL) {
        e.parallel_for = run_serial;
        e.thread_count = 1;
    }
    return e;
}

bool vp_executor_submit(const vp_executor *executor, vp_task_fn *task, void *argument, uint32_t index)
{
    if (executor != NULL && executor->submit != NULL)
        return executor->submit(executor->user, task, argument, index);
    task(argument, index);
    return true;
}

void vp_executor_poll(const vp_executor *executor)
{
    if (executor != NULL && executor->poll != NULL)
        executor->poll(executor->user);
}
