/* SPDX-License-Identifier: MIT */
#include "host/progress_executor.h"

#include "host/program.h"

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
