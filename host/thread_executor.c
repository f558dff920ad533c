/* SPDX-License-Identifier: MIT */
#include "host/thread_executor.h"

#include "host/program.h"

#ifdef VP_WITH_THREADS

#include <pthread.h>
#include <signal.h>

/* One pool per process. Its threads are detached and end with it. */
static struct {
    pthread_mutex_t lock; /* protects all that follows, released while a task runs */
    pthread_cond_t begun, ended;
    uint32_t threads; /* started */
    bool busy;        /* a job is running */
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

static void run_job(uint32_t threads, uint32_t count, vp_task_fn *task, void *argument)
{
    pool.busy = true;
    pool.task = task;
    pool.argument = argument;
    pool.next = 0;
    pool.count = count;
    pool.places = (threads < count ? threads : count) - 1;
    for (uint32_t i = 0; i < pool.places; i++)
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

/* Starts threads up to a total of `wanted`. @return their number, at most `wanted` */
static uint32_t start_threads(uint32_t wanted)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_mutex_lock(&pool.lock);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals go to the thread that waits for the job */
    if (pool.threads < wanted && pthread_attr_init(&attributes) == 0) {
        pthread_t thread;
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        while (pool.threads < wanted && pthread_create(&thread, &attributes, join_jobs, NULL) == 0)
            pool.threads++;
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    const uint32_t threads = pool.threads < wanted ? pool.threads : wanted;
    pthread_mutex_unlock(&pool.lock);
    return threads;
}

bool vp_has_threads(void)
{
    return true;
}

vp_executor vp_thread_executor(uint32_t threads)
{
    const uint32_t count = threads > 1 ? 1 + start_threads(threads - 1) : 1;
    if (count == 1)
        return vp_executor_serial();
    return (vp_executor){.user = (void *)(uintptr_t)count, .parallel_for = parallel_for, .thread_count = count};
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
