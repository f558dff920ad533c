/* SPDX-License-Identifier: MIT */
/* Other libraries' code in a process of its own: libraries crash, and do not come to an end. */
#ifndef VP_HOST_SUBPROCESS_H
#define VP_HOST_SUBPROCESS_H

#include <stddef.h>

#include <voxphys/status.h>

typedef enum vp_apart_end {
    VP_APART_ENDED,
    VP_APART_CRASHED, /* or the library has ended the process */
    VP_APART_LATE     /* it took longer than it may */
} vp_apart_end;

typedef struct vp_apart {
    const char *name;                          /* the library's */
    void *context;                             /* as it was when the process began; what becomes of it there stays there */
    void (*work)(void *context);               /* theirs: it may take so many seconds of the processor, and not much longer by the clock */
    void (*look)(void *context, void *answer); /* ours, at what became of it: it may take a minute more */
    size_t answer_bytes;                       /* no more than 512 */
} vp_apart;

/* @param answer  what `look` has put there, where the process has ended
   @param signal  of a crash, 0 if there was none
   @return VP_E_IO without a process */
vp_status vp_apart_run(const vp_apart *what, unsigned seconds, void *answer, vp_apart_end *end, int *signal, vp_error *error);

#endif
