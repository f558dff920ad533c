/* SPDX-License-Identifier: MIT */
/* Checked functions of count rules. */
#include <voxphys/automaton.h>

#include "src/core/error.h"
#include "src/core/executor.h"

enum { LAYERS_A_TASK = 12 };

typedef struct count_tasks {
    const vp_count_job *job;
    vp_count_rule_fn *kernel;
    uint32_t first, layers;
} count_tasks;

static void count_layers(void *argument, uint32_t task)
{
    const count_tasks *tasks = argument;
    vp_count_job part = *tasks->job;
    const uint32_t done = task * LAYERS_A_TASK, left = tasks->layers - done;
    part.first_layer = tasks->first + done;
    part.layer_count = left < LAYERS_A_TASK ? left : LAYERS_A_TASK;
    tasks->kernel(&part);
}

vp_status vp_count_rule_step(const vp_count_job *job, const vp_kernels *kernels, const vp_executor *executor, vp_error *error)
{
    VP_RETURN_IF_NULL(error, job);
    const vp_dims s = job->size;
    vp_kernels table;
    /* the first product can't overflow once both are small, nor can the second */
    if (s.x == 0 || s.y == 0 || s.z == 0 || s.x > VP_AUTOMATON_MAX_CELLS || s.y > VP_AUTOMATON_MAX_CELLS || s.z > VP_AUTOMATON_MAX_CELLS ||
        (uint64_t)s.x * s.y > VP_AUTOMATON_MAX_CELLS || (uint64_t)s.x * s.y * s.z > VP_AUTOMATON_MAX_CELLS)
        return vp_fail(error, VP_E_ARGUMENT, "%u x %u x %u cells: none may be 0, and all at most %d", s.x, s.y, s.z,
                       VP_AUTOMATON_MAX_CELLS);
    if (job->first_layer >= s.y || job->layer_count > s.y - job->first_layer)
        return vp_fail(error, VP_E_ARGUMENT, "%u layers from layer %u on are not all inside of %u", job->layer_count, job->first_layer,
                       s.y);
    if (job->species > VP_COUNT_RULE_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "%u species; at most %u", job->species, VP_COUNT_RULE_MAX);
    for (uint32_t i = 0; i < job->species; i++)
        if ((job->rules[i].survive | job->rules[i].born) >> 27 != 0)
            return vp_fail(error, VP_E_ARGUMENT, "species %u: sets %08x and %08x have a bit above 26", i + 1, job->rules[i].survive,
                           job->rules[i].born);
    if (job->out == job->cell)
        return vp_fail(error, VP_E_ARGUMENT, "a count rule can't write the cells that it reads, at %p", (const void *)job->cell);
    if (kernels == NULL) {
        const vp_status status = vp_kernels_default(&table, error);
        if (status != VP_OK)
            return status;
        kernels = &table;
    }
    count_tasks tasks = {job, kernels->count_rule, job->first_layer, job->layer_count > 0 ? job->layer_count : s.y - job->first_layer};
    const vp_executor by = vp_executor_or_serial(executor);
    by.parallel_for(by.user, (tasks.layers + LAYERS_A_TASK - 1) / LAYERS_A_TASK, count_layers, &tasks);
    return vp_succeed(error);
}
