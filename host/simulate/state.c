/* SPDX-License-Identifier: MIT */
/* Parallel loops of the simulation. */
#include "host/program.h"
#include "host/simulate/state.h"

enum { SLICE = 16 }; /* items of a task between two looks at the clock */

typedef struct pieces {
    vp_sim *sim;
    sim_each_fn *each;
    uint32_t first, count;
} pieces;

static void run_piece(void *argument, uint32_t index)
{
    const pieces *p = argument;
    sim_task *task = &p->sim->task[index];
    const uint32_t from = p->first + (uint32_t)((uint64_t)p->count * index / p->sim->tasks);
    const uint32_t to = p->first + (uint32_t)((uint64_t)p->count * (index + 1) / p->sim->tasks);
    task->status = VP_OK;
    for (uint32_t i = from; i < to && task->status == VP_OK; i++)
        task->status = p->each(p->sim, task, i, &task->error);
}

vp_status vp_sim_for(vp_sim *sim, uint32_t count, sim_each_fn *each, vp_error *error)
{
    const uint32_t most = sim->until < INFINITY ? SLICE * sim->tasks : count;
    do {
        pieces p = {sim, each, sim->at, count - sim->at < most ? count - sim->at : most};
        sim->executor.parallel_for(sim->executor.user, sim->tasks, run_piece, &p);
        for (uint32_t i = 0; i < sim->tasks; i++)
            if (sim->task[i].status != VP_OK)
                return vp_fail(error, sim->task[i].status, "%s", sim->task[i].error.message);
        sim->at += p.count;
    } while (sim->at < count && vp_seconds() < sim->until);
    sim->at = sim->at < count ? sim->at : 0;
    return VP_OK;
}

void vp_sim_wake(vp_sim *sim, uint32_t body)
{
    const uint32_t island = sim->body[body].asleep;
    for (uint32_t i = 0; island != 0 && i < sim->bodies; i++)
        if (sim->body[i].asleep == island && !sim->body[i].lost) {
            sim->body[i].asleep = 0;
            sim->body[i].quiet = 0;
            sim->stats.woken++;
        }
}
