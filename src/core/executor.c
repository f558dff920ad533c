/* SPDX-License-Identifier: MIT */
#include <voxphys/executor.h>

#include <stddef.h>

static void serial_for(void *user, uint32_t count, vp_task_fn *task, void *argument)
{
    (void)user;
    for (uint32_t i = 0; i < count; i++)
        task(argument, i);
}

vp_executor vp_executor_serial(void)
{
    vp_executor e = {NULL, serial_for, 1};
    return e;
}
