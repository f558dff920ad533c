/* SPDX-License-Identifier: MIT */
/* The executor of --threads runs every task once, on at most the requested number of threads. Also from inside a task, and from two
 * threads. */
#include "tests/support/check.h"

#include <pthread.h>
#include <stdatomic.h>

#include "host/thread_executor.h"

enum { TASKS = 1000 };

typedef struct executor_work {
    atomic_uint done[TASKS], running, most, nested;
    const vp_executor *inner;
} executor_work;

static void count_nested(void *argument, uint32_t index)
{
    executor_work *w = argument;
    (void)index;
    atomic_fetch_add(&w->nested, 1);
}

static void count_task(void *argument, uint32_t index)
{
    executor_work *w = argument;
    const unsigned running = atomic_fetch_add(&w->running, 1) + 1;
    unsigned most = atomic_load(&w->most);
    while (most < running && !atomic_compare_exchange_weak(&w->most, &most, running))
        continue;
    if (w->inner != NULL)
        w->inner->parallel_for(w->inner->user, 3, count_nested, w);
    atomic_fetch_add(&w->done[index], 1);
    atomic_fetch_sub(&w->running, 1);
}

static void run_round(const vp_executor *e, uint32_t count, const vp_executor *inner)
{
    static _Thread_local executor_work w;
    memset(&w, 0, sizeof w);
    w.inner = inner;
    e->parallel_for(e->user, count, count_task, &w);
    for (uint32_t i = 0; i < TASKS; i++)
        assert_int_equal(atomic_load(&w.done[i]), i < count ? 1 : 0);
    assert_true(atomic_load(&w.most) <= e->thread_count);
    assert_int_equal(atomic_load(&w.nested), inner != NULL ? 3 * count : 0);
}

TEST(tasks)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 7, TASKS};
    /* The pool has more threads than later, smaller executors may use. */
    for (uint32_t threads = 8; threads > 0; threads--) {
        const vp_executor e = vp_thread_executor(threads);
        assert_true(e.thread_count >= 1 && e.thread_count <= threads);
        for (int round = 0; round < 20; round++)
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
                run_round(&e, counts[c], NULL);
        run_round(&e, TASKS, &e);
    }
}

static void *run_beside(void *unused)
{
    const vp_executor e = vp_thread_executor(3);
    for (int round = 0; round < 100; round++)
        run_round(&e, 50, round % 10 == 0 ? &e : NULL);
    return unused;
}

TEST(callers)
{
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, run_beside, NULL), 0);
    run_beside(NULL);
    pthread_join(other, NULL);
}
