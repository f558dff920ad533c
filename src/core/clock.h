/* SPDX-License-Identifier: MIT */
/* A monotonic clock. The including file requests POSIX first. */
#ifndef VP_CORE_CLOCK_H
#define VP_CORE_CLOCK_H

#include <stdint.h>

#ifdef _WIN32

uint64_t vp_nanoseconds(void); /* src/core/windows.c */

#else

#include <time.h>

static inline uint64_t vp_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif

#endif
