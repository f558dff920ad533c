/* SPDX-License-Identifier: MIT */
/* When threads help. A thread that sleeps costs some time until it has begun, and on a busy processor it may keep the others waiting. So
 * work that is too short for it stays on the calling thread, and predictions are timed with and without other threads. */
#define _POSIX_C_SOURCE 200809L
#include "src/core/clock.h"
#include "src/core/executor.h"
#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

static const double PRICE = 2e5;         /* nanoseconds of work for which threads are worth waking */
static const double ALLOWED_LOSS = 0.01; /* part of all time that threads may lose */

/* ---- loops ---- */

typedef struct rest_of_loop {
    vp_task_fn *task;
    void *argument;
    uint32_t from;
} rest_of_loop;

static void run_rest(void *argument, uint32_t i)
{
    const rest_of_loop *rest = argument;
    rest->task(rest->argument, rest->from + i);
}

bool vp_decompose_may_use_threads(const vp_decomposing *d, double each)
{
    return d->most_ahead > 1 && each > PRICE && d->pace.lost + PRICE < ALLOWED_LOSS * (double)(vp_nanoseconds() - d->begun);
}

void vp_decompose_for(vp_decomposing *d, uint32_t count, vp_task_fn *task, void *argument, double *each)
{
    const vp_executor executor = vp_executor_or_serial(d->def->executor);
    rest_of_loop rest = {.task = task, .argument = argument};
    double mean = each != NULL ? *each : 0.0;
    while (rest.from < count) {
        const uint64_t begun = d->most_ahead > 1 ? vp_nanoseconds() : 0;
        const uint32_t left = count - rest.from;
        if (left > 1 && vp_decompose_may_use_threads(d, mean * (left - 1))) {
            executor.parallel_for(executor.user, left, run_rest, &rest);
            if (each != NULL)
                d->pace.lost = vp_double_max(d->pace.lost + (double)(vp_nanoseconds() - begun) - mean * left, 0.0);
            return;
        }
        task(argument, rest.from++);
        if (d->most_ahead < 2)
            continue;
        const double time = (double)(vp_nanoseconds() - begun);
        mean += (time - mean) / (each != NULL ? mean > 0.0 ? 8 : 1 : rest.from);
        if (each != NULL)
            *each = mean;
    }
}

/* ---- predictions ---- */

enum {
    WINDOW = 64,   /* predictions that are timed at once, without other threads */
    TOGETHER = 16, /* windows with threads, before one without them */
    MOST_WAIT = 64 /* windows without threads, before one with them */
};
static const double GAIN = 0.95; /* part of the time without threads */

static void begin_window(vp_decompose_pace *p, bool together, uint32_t windows, const vp_decomposing *d, uint64_t now)
{
    p->together = together;
    p->windows = windows;
    p->begun = now;
    p->predictions = d->counts.predictions;
}

/* Ends a window that was too slow with threads. The next such window is later. */
static void stop_threads(vp_decompose_pace *p, const vp_decomposing *d, uint64_t now)
{
    p->wait = 2 * p->wait < MOST_WAIT ? 2 * p->wait : MOST_WAIT;
    begin_window(p, false, p->wait, d, now);
}

bool vp_decompose_use_threads(vp_decomposing *d)
{
    vp_decompose_pace *p = &d->pace;
    const uint64_t count = d->counts.predictions - p->predictions;
    if (d->most_ahead < 2 || count < WINDOW)
        return p->together;
    const uint64_t now = vp_nanoseconds();
    const double each = (double)(now - p->begun) / (double)count;
    if (p->together) {
        p->lost = vp_double_max(p->lost + (each - p->alone) * (double)count, 0.0);
        if (each > GAIN * p->alone)
            stop_threads(p, d, now);
        else if (p->windows > 1)
            begin_window(p, true, p->windows - 1, d, now);
        else
            begin_window(p, false, p->wait = 2, d, now); /* the first of them uses predictions that are left */
    } else if (p->windows > 1) {
        begin_window(p, false, p->windows - 1, d, now);
    } else {
        p->alone = each;
        const bool pays = vp_decompose_may_use_threads(d, each * d->ahead);
        begin_window(p, pays, pays ? TOGETHER : 1, d, now);
    }
    return p->together;
}

void vp_decompose_end_round(vp_decomposing *d, uint64_t begun, uint32_t count)
{
    vp_decompose_pace *p = &d->pace;
    const uint64_t now = vp_nanoseconds();
    const double late = (double)(now - begun) - p->alone * count;
    if (late <= p->alone * count + PRICE)
        return;
    p->lost += late;
    stop_threads(p, d, now);
}
