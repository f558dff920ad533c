/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "tests/support/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct thread_work {
    atomic_uint next;
    uint32_t count;
    vp_task_fn *task;
    void *argument;
} thread_work;

static void *take_tasks(void *user)
{
    thread_work *w = user;
    for (uint32_t i = atomic_fetch_add(&w->next, 1); i < w->count; i = atomic_fetch_add(&w->next, 1))
        w->task(w->argument, i);
    return NULL;
}

static void parallel_for(void *user, uint32_t count, vp_task_fn *task, void *argument)
{
    pthread_t thread[TEST_THREADS_MAX];
    uint32_t thread_count = (uint32_t)(uintptr_t)user;
    thread_work w = {.count = count, .task = task, .argument = argument};
    atomic_init(&w.next, 0);
    for (uint32_t i = 0; i < thread_count; i++)
        if (pthread_create(&thread[i], NULL, take_tasks, &w) != 0)
            abort();
    for (uint32_t i = 0; i < thread_count; i++)
        pthread_join(thread[i], NULL);
}

vp_executor test_threads(uint32_t count)
{
    return (vp_executor){.user = (void *)(uintptr_t)count, .parallel_for = parallel_for, .thread_count = count};
}
