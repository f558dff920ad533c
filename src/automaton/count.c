/* SPDX-License-Identifier: MIT */
/* Checked functions of count rules. */
#include <voxphys/automaton.h>

#include "src/core/error.h"

vp_status vp_count_rule_step(const vp_count_job *job, const vp_kernels *kernels, vp_error *error)
{
    VP_RETURN_IF_NULL(error, job);
    const vp_dims s = job->size;
    vp_kernels table;
    /* the first product can't overflow once both are small, nor can the second */
    if (s.x == 0 || s.y == 0 || s.z == 0 || s.x > VP_AUTOMATON_MAX_CELLS || s.y > VP_AUTOMATON_MAX_CELLS || s.z > VP_AUTOMATON_MAX_CELLS ||
        (uint64_t)s.x * s.y > VP_AUTOMATON_MAX_CELLS || (uint64_t)s.x * s.y * s.z > VP_AUTOMATON_MAX_CELLS)
        return vp_fail(error, VP_E_ARGUMENT, "%u x %u x %u cells: none may be 0, and all at most %d", s.x, s.y, s.z,
                       VP_AUTOMATON_MAX_CELLS);
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
    kernels->count_rule(job);
    return vp_succeed(error);
}
