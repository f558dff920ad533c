/* SPDX-License-Identifier: MIT */
/* An executor on POSIX threads. Tasks are taken from a common counter, so that any thread can run any of them. */
#ifndef VP_TESTS_SUPPORT_THREADS_H
#define VP_TESTS_SUPPORT_THREADS_H

#include <voxphys/executor.h>

enum { TEST_THREADS_MAX = 16 };

/* `count` threads, at most TEST_THREADS_MAX, started for each parallel for; the caller only waits. */
vp_executor test_threads(uint32_t count);

#endif
