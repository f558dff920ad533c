/* SPDX-License-Identifier: MIT */
/* When threads help. A thread that sleeps costs some time until it has begun, and on a busy processor it may keep the others waiting. So
 * work that is too short for it stays on the calling thread, and each prediction and each round of them is timed. */
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

enum { WINDOW = 8 };                           /* predictions without other threads that are timed at once */
static const double GAIN = 1.05, SLOWER = 1.1; /* least gain by threads, and by how much they slow each other down */
static const double MOST_TIMES = 4.0;          /* a prediction counts as at most this many times the last mean */

bool vp_decompose_use_threads(vp_decomposing *d)
{
    vp_decompose_pace *p = &d->pace;
    if (d->most_ahead < 2 || p->together || d->counts.predictions - p->predictions < WINDOW)
        return p->together;
    const uint64_t now = vp_nanoseconds();
    if (p->begun != 0)
        p->each = (double)(now - p->begun) / (double)(d->counts.predictions - p->predictions);
    p->begun = now;
    p->predictions = d->counts.predictions;
    p->together = vp_decompose_may_use_threads(d, p->each / 2 * d->ahead); /* some of this time is that of collapses */
    p->gain = 2 * GAIN;
    return p->together;
}

void vp_decompose_predict_together(vp_decomposing *d, uint64_t begun, const uint32_t *slot, uint32_t count, vp_task_fn *task,
                                   void *argument)
{
    const vp_executor executor = vp_executor_or_serial(d->def->executor);
    vp_decompose_pace *p = &d->pace;
    if (p->each * (count - 1) < PRICE / 2) {
        for (uint32_t i = 0; i < count; i++)
            task(argument, i);
        p->each = (double)(vp_nanoseconds() - begun) / count;
        return;
    }
    vp_decompose_place_all(d);
    executor.parallel_for(executor.user, count, task, argument);
    const double time = (double)(vp_nanoseconds() - begun);
    const uint64_t used = d->counts.predictions - d->adapted + 1;
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) /* a longer time may include one in which the thread waited */
        sum += vp_double_min(d->prediction[slot[i]].time, MOST_TIMES * p->each);
    p->each = sum / count;
    const double alone = p->each * count * (double)used / (SLOWER * (double)(used + d->wasted));
    p->lost = vp_double_max(p->lost + time - alone, 0.0);
    p->gain += (alone / time - p->gain) / 4;
    p->together = p->gain > GAIN && p->lost < ALLOWED_LOSS * (double)(vp_nanoseconds() - d->begun);
    if (p->together)
        return;
    p->begun = 0; /* the next predictions are already made */
    p->predictions = d->counts.predictions;
}
