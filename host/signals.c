/* SPDX-License-Identifier: MIT */
#include "host/signals.h"

#include <stddef.h>

static volatile sig_atomic_t signal_that_came;

static void on_signal(int number)
{
    signal_that_came = number;
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

volatile const sig_atomic_t *vp_watch_signals(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction now, other = {.sa_handler = on_signal};
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(signals[i], &other, NULL);
    }
    return &signal_that_came;
}

void vp_leave_signals(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == on_signal)
            signal(signals[i], SIG_DFL);
    }
}
