/* SPDX-License-Identifier: MIT */
/* Signal handling for commands that start other programs and must end them. */
#ifndef VP_HOST_SIGNALS_H
#define VP_HOST_SIGNALS_H

#include <signal.h>

/* Catches SIGINT, SIGTERM and SIGHUP, except signals that are ignored, as under nohup. A caught signal sets a number
   that is 0 before.
   @return the address of the number */
volatile const sig_atomic_t *vp_watch_signals(void);
/* Restores the default handling. */
void vp_leave_signals(void);

#endif
