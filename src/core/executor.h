/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_SRC_CORE_EXECUTOR_H
#define VOXPHYS_SRC_CORE_EXECUTOR_H

#include <voxphys/executor.h>

/* Returns a copy of the executor whose `parallel_for` can be called. The calling thread replaces an executor or `parallel_for` that is
 * NULL. */
vp_executor vp_executor_or_serial(const vp_executor *executor);

#endif
