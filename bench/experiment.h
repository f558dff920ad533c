/* SPDX-License-Identifier: MIT */
/* Shared functions of the experiment programs. */
#ifndef VP_BENCH_EXPERIMENT_H
#define VP_BENCH_EXPERIMENT_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <voxphys/status.h>

#include "host/program.h"

/* Ends the program on an error. */
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

/* Processor time, because other programs may be using the machine. */
static inline double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Adds a member with a new list. */
static inline json_t *new_list(json_t *in, const char *name)
{
    json_t *list = json_array();
    json_object_set_new(in, name, list);
    return list;
}

#endif
