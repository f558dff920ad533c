/* SPDX-License-Identifier: MIT */
/* Implements src/core/locks.h and src/core/clock.h on Windows. It is a separate file because the system's header
 * defines macros of everyday names, like near and far. */
#include "src/core/clock.h"
#include "src/core/locks.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>

/* Both are one pointer, NULL while they are free, need no other memory, and are never released. */
_Static_assert(sizeof(pthread_mutex_t) == sizeof(SRWLOCK), "a mutex has room for the system's lock");
_Static_assert(sizeof(pthread_cond_t) == sizeof(CONDITION_VARIABLE), "a condition has room for the system's");

static SRWLOCK *lock_of(pthread_mutex_t *lock)
{
    return (SRWLOCK *)&lock->system;
}

static CONDITION_VARIABLE *condition_of(pthread_cond_t *condition)
{
    return (CONDITION_VARIABLE *)&condition->system;
}

int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes)
{
    (void)attributes;
    InitializeSRWLock(lock_of(lock));
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *lock)
{
    AcquireSRWLockExclusive(lock_of(lock));
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *lock)
{
    return TryAcquireSRWLockExclusive(lock_of(lock)) ? 0 : EBUSY;
}

int pthread_mutex_unlock(pthread_mutex_t *lock)
{
    ReleaseSRWLockExclusive(lock_of(lock));
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const void *attributes)
{
    (void)attributes;
    InitializeConditionVariable(condition_of(condition));
    return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
    return SleepConditionVariableSRW(condition_of(condition), lock_of(lock), INFINITE, 0) ? 0 : EINVAL;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    WakeConditionVariable(condition_of(condition));
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    WakeAllConditionVariable(condition_of(condition));
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int sched_yield(void)
{
    SwitchToThread();
    return 0;
}

uintptr_t vp_this_thread(void)
{
    return GetCurrentThreadId();
}

uint64_t vp_nanoseconds(void)
{
    LARGE_INTEGER ticks, frequency; /* neither can fail since Windows XP */
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&frequency);
    const uint64_t t = (uint64_t)ticks.QuadPart, f = (uint64_t)frequency.QuadPart;
    return t / f * 1000000000u + t % f * 1000000000u / f;
}
