/* SPDX-License-Identifier: MIT */
/* Other libraries' code in a child process, because libraries crash or run forever, and signals that end such work. */
#ifndef VP_HOST_SUBPROCESS_H
#define VP_HOST_SUBPROCESS_H

#include <signal.h>
#include <stddef.h>

#include <voxphys/status.h>

typedef enum vp_apart_end {
    VP_APART_ENDED,
    VP_APART_CRASHED, /* also if the library has ended the process */
    VP_APART_LATE     /* the time limit was exceeded */
} vp_apart_end;

typedef struct vp_apart {
    const char *name;                          /* library, for messages */
    void *context;                             /* copied with the process. Changes there are not visible here */
    void (*work)(void *context);               /* the library's work, limited in processor time, and loosely in wall-clock time */
    void (*look)(void *context, void *answer); /* checks the result in the child, with one more minute */
    size_t answer_bytes;                       /* at most 512 */
} vp_apart;

/* Runs a child process.
   @param answer  out: the answer of `look`, if the process has ended
   @param signal  out: the signal of a crash, or 0
   @return VP_E_IO if no process could be started */
vp_status vp_apart_run(const vp_apart *what, unsigned seconds, void *answer, vp_apart_end *end, int *signal, vp_error *error);

/* Catches SIGINT, SIGTERM and SIGHUP, except signals that are ignored, as under nohup. A caught signal sets a number
   that is 0 before.
   @return the address of the number */
volatile const sig_atomic_t *vp_watch_signals(void);
/* Restores the default handling. */
void vp_leave_signals(void);

#endif
