/* SPDX-License-Identifier: MIT */
/* Signals, for the commands that start other programs and have to end them. */
#ifndef VP_HOST_SIGNALS_H
#define VP_HOST_SIGNALS_H

#include <signal.h>

/* Lets signals that would end the command, SIGINT, SIGTERM and SIGHUP, set a number instead, which is 0 until one comes, but for those
   that are ignored, as under nohup. @return where the number is */
volatile const sig_atomic_t *vp_watch_signals(void);
/* Lets them end the command again. */
void vp_leave_signals(void);

#endif
