/* SPDX-License-Identifier: MIT */
/* POSIX's locks, where the system has them. On Windows the same names are functions of src/core/windows.c. In a program
 * with one thread, as on WebAssembly without threads, they do nothing, because a lock is always free. A wait then means
 * that the thread has entered a gate that it is inside of. Elsewhere that is a deadlock, here it ends the program. */
#ifndef VP_CORE_LOCKS_H
#define VP_CORE_LOCKS_H

#include <stdint.h>

#if defined(__wasi__) && !__has_include(<pthread.h>)
#define VP_ONE_THREAD
#endif

#if defined(_WIN32)

typedef struct pthread_mutex_t {
    void *system; /* an SRWLOCK */
} pthread_mutex_t;

typedef struct pthread_cond_t {
    void *system; /* a CONDITION_VARIABLE */
} pthread_cond_t;

/* The library renames them, because a program may link POSIX's threads for Windows. */
#define pthread_mutex_init     vp_mutex_init
#define pthread_mutex_lock     vp_mutex_lock
#define pthread_mutex_trylock  vp_mutex_trylock
#define pthread_mutex_unlock   vp_mutex_unlock
#define pthread_mutex_destroy  vp_mutex_destroy
#define pthread_cond_init      vp_cond_init
#define pthread_cond_wait      vp_cond_wait
#define pthread_cond_signal    vp_cond_signal
#define pthread_cond_broadcast vp_cond_broadcast
#define pthread_cond_destroy   vp_cond_destroy
#define sched_yield            vp_thread_yield

int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes);
int pthread_mutex_lock(pthread_mutex_t *lock);
int pthread_mutex_trylock(pthread_mutex_t *lock);
int pthread_mutex_unlock(pthread_mutex_t *lock);
int pthread_mutex_destroy(pthread_mutex_t *lock);
int pthread_cond_init(pthread_cond_t *condition, const void *attributes);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_destroy(pthread_cond_t *condition);
int sched_yield(void);
/* The calling thread's number, unique among running threads. */
uintptr_t vp_this_thread(void);

#elif !defined(VP_ONE_THREAD)

#include <pthread.h>
#include <sched.h>

static inline uintptr_t vp_this_thread(void)
{
    return (uintptr_t)pthread_self(); /* a number, or a pointer */
}

#else

#include <stdlib.h>

static inline uintptr_t vp_this_thread(void)
{
    return 0;
}

typedef struct pthread_mutex_t {
    char unused;
} pthread_mutex_t;

typedef struct pthread_cond_t {
    char unused;
} pthread_cond_t;

static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes)
{
    (void)lock, (void)attributes;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

static inline int pthread_mutex_trylock(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes)
{
    (void)condition, (void)attributes;
    return 0;
}

static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
    (void)condition, (void)lock;
    abort();
}

static inline int pthread_cond_signal(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

static inline int sched_yield(void)
{
    return 0;
}

#endif

#endif
