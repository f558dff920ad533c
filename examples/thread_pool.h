/* SPDX-License-Identifier: MIT */
/* An executor with its own threads, to be copied into a program. It runs tasks with and without waiting for them. Needs C17 and POSIX
 * threads. */
#ifndef THREAD_POOL_H
#define THREAD_POOL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <voxphys/executor.h>

enum { THREAD_POOL_MOST = 64, THREAD_POOL_QUEUE = 1024 /* queued tasks; further tasks are rejected, and submitted again later */ };

typedef struct thread_pool {
    pthread_t thread[THREAD_POOL_MOST];
    uint32_t thread_count;
    pthread_mutex_t lock;
    pthread_cond_t more, less; /* more: a task was added, or the pool ends; less: a loop's helper is done */
    struct {
        vp_task_fn *task;
        void *argument;
        uint32_t index;
    } queue[THREAD_POOL_QUEUE]; /* a ring */
    uint32_t first, count;
    bool ends;
} thread_pool;

static inline void *thread_pool_work(void *user)
{
    thread_pool *p = user;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->count == 0 && !p->ends)
            pthread_cond_wait(&p->more, &p->lock);
        if (p->count == 0)
            break;
        const uint32_t at = p->first;
        vp_task_fn *task = p->queue[at].task;
        void *argument = p->queue[at].argument;
        const uint32_t index = p->queue[at].index;
        p->first = (at + 1) % THREAD_POOL_QUEUE;
        p->count--;
        pthread_mutex_unlock(&p->lock);
        task(argument, index);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static inline bool thread_pool_submit(void *user, vp_task_fn *task, void *argument, uint32_t index)
{
    thread_pool *p = user;
    pthread_mutex_lock(&p->lock);
    const bool room = p->count < THREAD_POOL_QUEUE;
    if (room) {
        const uint32_t at = (p->first + p->count++) % THREAD_POOL_QUEUE;
        p->queue[at].task = task;
        p->queue[at].argument = argument;
        p->queue[at].index = index;
        pthread_cond_signal(&p->more);
    }
    pthread_mutex_unlock(&p->lock);
    return room;
}

/* A parallel for. Its caller works too, and threads help. */
typedef struct thread_pool_loop {
    thread_pool *pool;
    vp_task_fn *task;
    void *argument;
    uint32_t count, helpers;
    atomic_uint next;
} thread_pool_loop;

static inline void thread_pool_take(thread_pool_loop *l)
{
    for (uint32_t i = atomic_fetch_add(&l->next, 1); i < l->count; i = atomic_fetch_add(&l->next, 1))
        l->task(l->argument, i);
}

static inline void thread_pool_help(void *loop, uint32_t index)
{
    thread_pool_loop *l = loop;
    thread_pool *p = l->pool;
    (void)index;
    thread_pool_take(l);
    pthread_mutex_lock(&p->lock);
    l->helpers--;
    pthread_cond_broadcast(&p->less);
    pthread_mutex_unlock(&p->lock);
}

/* Not for tasks of the pool itself, which would wait for themselves. */
static inline void thread_pool_for(void *user, uint32_t count, vp_task_fn *task, void *argument)
{
    thread_pool *p = user;
    thread_pool_loop l = {.pool = p, .task = task, .argument = argument, .count = count};
    atomic_init(&l.next, 0);
    for (uint32_t i = 0; i < p->thread_count && i + 1 < count; i++) {
        pthread_mutex_lock(&p->lock);
        l.helpers++;
        pthread_mutex_unlock(&p->lock);
        if (!thread_pool_submit(p, thread_pool_help, &l, i)) {
            pthread_mutex_lock(&p->lock);
            l.helpers--;
            pthread_mutex_unlock(&p->lock);
        }
    }
    thread_pool_take(&l);
    pthread_mutex_lock(&p->lock);
    while (l.helpers != 0)
        pthread_cond_wait(&p->less, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

/* Finishes all submitted work and ends the threads. */
static inline void thread_pool_end(thread_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->ends = true;
    pthread_cond_broadcast(&p->more);
    pthread_mutex_unlock(&p->lock);
    for (uint32_t i = 0; i < p->thread_count; i++)
        pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->less);
    pthread_cond_destroy(&p->more);
    pthread_mutex_destroy(&p->lock);
}

/* Starts `threads` threads, at most THREAD_POOL_MOST. The pool must not move. Returns false if no thread could be started. */
static inline bool thread_pool_begin(thread_pool *p, uint32_t threads)
{
    p->thread_count = p->first = p->count = 0;
    p->ends = false;
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return false;
    pthread_cond_init(&p->more, NULL);
    pthread_cond_init(&p->less, NULL);
    while (p->thread_count < threads && p->thread_count < THREAD_POOL_MOST &&
           pthread_create(&p->thread[p->thread_count], NULL, thread_pool_work, p) == 0)
        p->thread_count++;
    if (p->thread_count == 0)
        thread_pool_end(p);
    return p->thread_count != 0;
}

static inline vp_executor thread_pool_executor(thread_pool *p)
{
    return (vp_executor){.user = p, .parallel_for = thread_pool_for, .thread_count = p->thread_count + 1, .submit = thread_pool_submit};
}

#endif
