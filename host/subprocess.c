/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/subprocess.h"
#include "src/core/error.h"

enum { MAX_ANSWER = 512 }; /* writes to a pipe of up to this size are atomic */

static void may_take(unsigned seconds)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_CPU, &most) == 0) {
        most.rlim_cur = seconds;
        (void)setrlimit(RLIMIT_CPU, &most);
    }
    alarm(5 * seconds); /* in case it sleeps */
}

static void tell(int to, const void *what, size_t bytes)
{
    if (write(to, what, bytes) != (ssize_t)bytes)
        _exit(2);
}

/* For a library that calls exit: other handlers of it may wait for threads that do not exist in a child process. */
static void leave(void)
{
    _exit(2);
}

static void live(const vp_apart *what, unsigned seconds, int to)
{
    const struct rlimit no_core = {0, 0};
    char answer[MAX_ANSWER] = {0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    if (freopen("/dev/null", "w", stderr) == NULL || freopen("/dev/null", "w", stdout) == NULL)
        _exit(2);
    if (atexit(leave) != 0)
        _exit(2);
    may_take(seconds);
    what->work(what->context);
    may_take(seconds + 60);
    tell(to, "", 1); /* reports the end */
    what->look(what->context, answer);
    tell(to, answer, what->answer_bytes);
    _exit(0);
}

vp_status vp_apart_run(const vp_apart *what, unsigned seconds, void *answer, vp_apart_end *end, int *signal, vp_error *error)
{
    int way[2], how = 0;
    char done;
    bool worked = false, reported = false;
    *end = VP_APART_ENDED;
    *signal = 0;
    fflush(stdout); /* keeps the child from writing buffered output twice */
    if (what->answer_bytes > MAX_ANSWER || pipe(way) != 0)
        return vp_fail(error, VP_E_IO, "no pipe for %s", what->name);
    const pid_t child = fork();
    if (child == 0) {
        close(way[0]);
        live(what, seconds, way[1]);
    }
    close(way[1]);
    if (child > 0) {
        worked = read(way[0], &done, 1) == 1;
        reported = worked && read(way[0], answer, what->answer_bytes) == (ssize_t)what->answer_bytes;
    }
    close(way[0]);
    if (child < 0 || waitpid(child, &how, 0) != child)
        return vp_fail(error, VP_E_IO, "no process for %s", what->name);
    if (WIFSIGNALED(how) && !worked && (WTERMSIG(how) == SIGXCPU || WTERMSIG(how) == SIGALRM)) {
        *end = VP_APART_LATE;
    } else if (WIFSIGNALED(how)) {
        *end = VP_APART_CRASHED;
        *signal = WTERMSIG(how);
    } else if (WEXITSTATUS(how) != 0 || !reported) {
        *end = VP_APART_CRASHED;
    }
    return VP_OK;
}

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
