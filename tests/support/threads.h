/* SPDX-License-Identifier: MIT */
/* An executor on POSIX threads. A common counter hands out tasks, so that any thread can run any of them. */
#ifndef VP_TESTS_SUPPORT_THREADS_H
#define VP_TESTS_SUPPORT_THREADS_H

#include <voxphys/executor.h>

enum { TEST_THREADS_MAX = 16 };

/* `count` threads, at most TEST_THREADS_MAX, start for each parallel for. The caller only waits. */
vp_executor test_threads(uint32_t count);

#endif
