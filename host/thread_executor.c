/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "host/thread_executor.h"

#include "host/program.h"

#ifdef VP_WITH_THREADS

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

/* One pool per process. Its threads are detached and end with it. */
static struct {
    pthread_mutex_t lock; /* protects all that follows, released while a task runs */
    pthread_cond_t begun, ended;
    uint32_t threads;    /* started */
    uint32_t processors; /* that this process may use. 0 = not known */
    bool busy;           /* a job is running */
    /* the job */
    vp_task_fn *task;
    void *argument;
    uint32_t next, count; /* tasks */
    uint32_t places;      /* free places for threads */
    uint32_t joined;      /* threads in the job */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .begun = PTHREAD_COND_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

/* The caller holds the lock. */
static void run_tasks(void)
{
    while (pool.next < pool.count) {
        const uint32_t index = pool.next++;
        pthread_mutex_unlock(&pool.lock);
        pool.task(pool.argument, index);
        pthread_mutex_lock(&pool.lock);
    }
}

static void *join_jobs(void *unused)
{
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.places == 0 || pool.next == pool.count)
            pthread_cond_wait(&pool.begun, &pool.lock);
        pool.places--;
        pool.joined++;
        run_tasks();
        if (--pool.joined == 0)
            pthread_cond_signal(&pool.ended);
    }
    return unused;
}

/* The number of processors that this process may use. */
static uint32_t count_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (uint32_t)CPU_COUNT(&set);
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 && count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* Starts threads up to a total of `wanted`. The caller holds the lock. @return their number, at most `wanted` */
static uint32_t start_threads(uint32_t wanted)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    if (pool.threads < wanted && pthread_attr_init(&attributes) == 0) {
        pthread_t thread;
        pthread_sigmask(SIG_SETMASK, &all, &before); /* signals go to the thread that waits for the job */
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        while (pool.threads < wanted && pthread_create(&thread, &attributes, join_jobs, NULL) == 0)
            pool.threads++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    return pool.threads < wanted ? pool.threads : wanted;
}

static void run_job(uint32_t threads, uint32_t count, vp_task_fn *task, void *argument)
{
    pool.busy = true;
    if (pool.processors == 0)
        pool.processors = count_processors();
    threads = threads < pool.processors ? threads : pool.processors;
    const uint32_t helpers = start_threads((threads < count ? threads : count) - 1);
    pool.task = task;
    pool.argument = argument;
    pool.next = 0;
    pool.count = count;
    pool.places = helpers;
    for (uint32_t i = 0; i < helpers; i++)
        pthread_cond_signal(&pool.begun);
    run_tasks();
    while (pool.joined != 0)
        pthread_cond_wait(&pool.ended, &pool.lock);
    pool.busy = false;
}

static void parallel_for(void *user, uint32_t count, vp_task_fn *task, void *argument)
{
    pthread_mutex_lock(&pool.lock);
    const bool alone = pool.busy || count < 2;
    if (!alone)
        run_job((uint32_t)(uintptr_t)user, count, task, argument);
    pthread_mutex_unlock(&pool.lock);
    for (uint32_t i = 0; alone && i < count; i++)
        task(argument, i);
}

bool vp_has_threads(void)
{
    return true;
}

vp_executor vp_thread_executor(uint32_t threads)
{
    if (threads < 2)
        return vp_executor_serial();
    return (vp_executor){.user = (void *)(uintptr_t)threads, .parallel_for = parallel_for, .thread_count = threads};
}

#else

bool vp_has_threads(void)
{
    return false;
}

vp_executor vp_thread_executor(uint32_t threads)
{
    (void)threads;
    return vp_executor_serial();
}

#endif

/* ---- with a progress bar ---- */

enum { PIECES_AT_ONCE = 8 }; /* per thread */

static void run_task(void *argument, uint32_t index)
{
    const vp_watched *w = argument;
    w->task(w->argument, w->from + index);
}

static void watched_for(void *user, uint32_t count, vp_task_fn *task, void *argument)
{
    vp_watched *w = user;
    uint32_t most = w->inner.thread_count * PIECES_AT_ONCE;
    w->task = task;
    w->argument = argument;
    for (w->from = 0; w->from < count; w->from += most) {
        uint32_t left = count - w->from;
        if (w->round < w->rounds)
            vp_progress(w->what, w->round * count + w->from, w->rounds * count);
        w->inner.parallel_for(w->inner.user, left < most ? left : most, run_task, w);
    }
    w->round++;
}

vp_executor vp_watch(vp_watched *w, vp_executor inner, const char *what, uint64_t rounds)
{
    *w = (vp_watched){.inner = inner, .what = what, .rounds = rounds};
    return (vp_executor){.user = w, .parallel_for = watched_for, .thread_count = inner.thread_count > 1 ? inner.thread_count : 2};
}
