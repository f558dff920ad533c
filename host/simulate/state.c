/* SPDX-License-Identifier: MIT */
/* Parallel loops of the simulation. */
#include "host/simulate/state.h"

typedef struct pieces {
    vp_sim *sim;
    sim_each_fn *each;
    uint32_t count;
} pieces;

static void run_piece(void *argument, uint32_t index)
{
    const pieces *p = argument;
    sim_task *task = &p->sim->task[index];
    const uint32_t from = (uint32_t)((uint64_t)p->count * index / p->sim->tasks);
    const uint32_t to = (uint32_t)((uint64_t)p->count * (index + 1) / p->sim->tasks);
    task->status = VP_OK;
    for (uint32_t i = from; i < to && task->status == VP_OK; i++)
        task->status = p->each(p->sim, task, i, &task->error);
}

vp_status vp_sim_for(vp_sim *sim, uint32_t count, sim_each_fn *each, vp_error *error)
{
    pieces p = {sim, each, count};
    sim->executor.parallel_for(sim->executor.user, sim->tasks, run_piece, &p);
    for (uint32_t i = 0; i < sim->tasks; i++)
        if (sim->task[i].status != VP_OK)
            return vp_fail(error, sim->task[i].status, "%s", sim->task[i].error.message);
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
