/* SPDX-License-Identifier: MIT */
/* An executor that draws a progress bar: it hands a few pieces at a time to another one, and between them tells how far it
 * is. */
#ifndef VP_HOST_PROGRESS_EXECUTOR_H
#define VP_HOST_PROGRESS_EXECUTOR_H

#include <stdint.h>

#include <voxphys/executor.h>

typedef struct vp_watched {
    vp_executor inner;
    const char *what;
    uint64_t rounds, round; /* to come, and done */
    /* Of the running round: */
    vp_task_fn *task;
    void *argument;
    uint32_t from;
} vp_watched;

/* A mesh is made in a few rounds over pieces of the world. */
enum { VP_MESH_ROUNDS = 4 };

/* An executor that runs on `inner` and shows `what`; each of its first `rounds` parallel fors is told as an equal part.
   `w` outlives it. Work that may be cut into as many pieces as there are threads is cut into two even for one thread, so
   that there is something to tell. */
vp_executor vp_watch(vp_watched *w, vp_executor inner, const char *what, uint64_t rounds);

#endif
