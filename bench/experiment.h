/* SPDX-License-Identifier: MIT */
/* What programs of experiments share. */
#ifndef VP_BENCH_EXPERIMENT_H
#define VP_BENCH_EXPERIMENT_H

#include <stdio.h>
#include <stdlib.h>

#include <voxphys/status.h>

#include "host/program.h"

/* It is a program of one purpose: what can't be goes no further. */
static inline void must(vp_status status, const vp_error *error)
{
    if (status == VP_OK)
        return;
    fprintf(stderr, "experiments: %s\n", error->message);
    exit(VP_EXIT_FAILED);
}

static inline void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (p == NULL)
        must(VP_E_MEMORY, &(vp_error){VP_E_MEMORY, "no memory"});
    return p;
}

#endif
