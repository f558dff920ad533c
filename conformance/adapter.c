/* SPDX-License-Identifier: MIT */
/* The pipes in both directions are non-blocking, so that neither a program that does not read nor one that writes without end
 * can stop us. */
#include "conformance/adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <voxphys/version.h>

#include "src/core/error.h"
#include "host/program.h"

static const char greeting[] = "hello 1\n";

enum { TIMES_TO_BEGIN = 10, SECONDS_TO_BEGIN = 2, SECONDS_TO_END = 1, MAX_GREETING = 1 << 16, MAX_FAREWELL = 1 << 16 };

/* How long to read output of processes that outlive the program. */
#define SECONDS_AFTER_END 0.2
/* How long to wait for a surplus line after the last answer. */
#define SECONDS_BEHIND 0.05

/* ---- a process ---- */

static _Noreturn void become(const vp_adapter *a, int in, int out)
{
    const int nowhere = a->errors ? -1 : open("/dev/null", O_WRONLY);
    setpgid(0, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (nowhere != -1)
        dup2(nowhere, 2);
    if (dup2(in, 0) != -1 && dup2(out, 1) != -1)
        execl("/bin/sh", "sh", "-c", a->command, (char *)NULL);
    _exit(127);
}

static vp_status start(vp_adapter *a, vp_error *error)
{
    int to[2], from[2];
    if (pipe(to) != 0)
        return vp_fail(error, VP_E_IO, "cannot make a pipe: %s", strerror(errno));
    if (pipe(from) != 0) {
        const int reason = errno;
        close(to[0]);
        close(to[1]);
        return vp_fail(error, VP_E_IO, "cannot make a pipe: %s", strerror(reason));
    }
    const int ends[4] = {to[0], to[1], from[0], from[1]};
    for (int i = 0; i < 4; i++)
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(to[1], F_SETFL, O_NONBLOCK);
    fcntl(from[0], F_SETFL, O_NONBLOCK);
    fflush(NULL); /* otherwise the child would write the buffer again */
    const pid_t child = fork();
    if (child == 0)
        become(a, to[0], from[1]);
    const int reason = errno;
    close(to[0]);
    close(from[1]);
    if (child == -1) {
        close(to[1]);
        close(from[0]);
        return vp_fail(error, reason == ENOMEM ? VP_E_MEMORY : VP_E_IO, "cannot start a process: %s", strerror(reason));
    }
    setpgid(child, child); /* parent and child both do this, because either may run first */
    a->process = child;
    a->to = to[1];
    a->from = from[0];
    a->size = a->taken = 0;
    a->answered = false;
    a->starts++;
    return VP_OK;
}

/* Ends the running process. @param ending  the status of waitpid, may be NULL. @return false if it had to be killed */
static bool end(vp_adapter *a, double patience, int *ending)
{
    int status = 0;
    bool ended_itself = true;
    const double begin = vp_seconds();
    if (a->to != -1)
        close(a->to); /* end of its input, so that it can exit */
    for (;;) {
        const pid_t ended = waitpid(a->process, &status, WNOHANG);
        if (ended == a->process || (ended == -1 && errno != EINTR))
            break;
        if (vp_seconds() - begin > patience) {
            ended_itself = false;
            kill(-a->process, SIGKILL);
            kill(a->process, SIGKILL);
            while (waitpid(a->process, &status, 0) == -1 && errno == EINTR)
                continue;
            break;
        }
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    kill(-a->process, SIGKILL); /* its remaining children */
    close(a->from);
    a->process = 0;
    if (ending != NULL)
        *ending = status;
    return ended_itself;
}

void vp_adapter_end(vp_adapter *a)
{
    if (a->process != 0)
        end(a, 0.0, NULL);
}

/* Describes how a process ended whose output has ended. */
static void end_and_tell(vp_adapter *a, char text[80])
{
    int ending;
    if (!end(a, SECONDS_TO_END, &ending))
        snprintf(text, 80, "it closed its output, and went on");
    else if (WIFSIGNALED(ending))
        snprintf(text, 80, "it ended by signal %d, %.40s", WTERMSIG(ending), strsignal(WTERMSIG(ending)));
    else if (WIFEXITED(ending) && WEXITSTATUS(ending) > 128 && WEXITSTATUS(ending) < 160) /* like a shell's exit status */
        snprintf(text, 80, "it ended by signal %d, %.40s", WEXITSTATUS(ending) - 128, strsignal(WEXITSTATUS(ending) - 128));
    else
        snprintf(text, 80, "it ended with exit code %d", WIFEXITED(ending) ? WEXITSTATUS(ending) : -1);
}

/* ---- talking ---- */

/* The end of the next line from `taken` on, NULL if the line is incomplete. */
static char *line_end(const vp_adapter *a)
{
    return a->size > a->taken ? memchr(a->answer + a->taken, '\n', a->size - a->taken) : NULL;
}

/* Grows the buffer. @return false without memory */
static bool make_room(vp_adapter *a)
{
    if (a->size + 1 < a->room)
        return true;
    const size_t room = a->room < 4096 ? 65536 : a->room * 2;
    char *more = realloc(a->answer, room);
    if (more == NULL)
        return false;
    a->answer = more;
    a->room = room;
    return true;
}

/* Reads the available output. @return false at its end */
static bool read_some(vp_adapter *a)
{
    for (;;) {
        const ssize_t got = read(a->from, a->answer + a->size, a->room - a->size - 1);
        if (got > 0)
            a->size += (size_t)got;
        if (got >= 0)
            return got > 0;
        if (errno != EINTR)
            return errno == EAGAIN;
    }
}

/* Writes pending input. @return false if the process does not read any more */
static bool write_some(vp_adapter *a, const char **line, size_t *length)
{
    for (;;) {
        const ssize_t put = write(a->to, *line, *length);
        if (put >= 0) {
            *line += put;
            *length -= (size_t)put;
            return true;
        }
        if (errno != EINTR)
            return errno == EAGAIN;
    }
}

/* Whether the process has exited, even if a child holds its output open. The caller must still wait for it. */
static bool has_ended(const vp_adapter *a)
{
    siginfo_t about = {0};
    return waitid(P_PID, (id_t)a->process, &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid == a->process;
}

/* Waits for a line of at most `most` bytes from `taken` on, and writes pending input meanwhile. */
static vp_status wait_line(vp_adapter *a, const char *line, size_t length, double seconds, size_t most, vp_reply *reply, vp_error *error)
{
    double until = vp_seconds() + seconds;
    bool ended = false;
    while (line_end(a) == NULL) {
        const double now = vp_seconds(), left = until - now;
        if (a->size - a->taken >= most) {
            *reply = VP_REPLY_LONG;
            return VP_OK;
        }
        if (left <= 0.0 || *a->stop != 0) {
            *reply = ended ? VP_REPLY_ENDED : VP_REPLY_LATE;
            return VP_OK;
        }
        if (!make_room(a))
            return vp_fail(error, VP_E_MEMORY, "no memory for an answer of %zu bytes", a->size);
        struct pollfd files[2] = {{a->from, POLLIN, 0}, {length > 0 ? a->to : -1, POLLOUT, 0}};
        if (poll(files, 2, left > 0.1 ? 100 : (int)(left * 1000.0) + 1) < 0 && errno != EINTR)
            return vp_fail(error, VP_E_IO, "cannot wait for an answer: %s", strerror(errno));
        const bool reads = (files[1].revents & (POLLOUT | POLLERR)) == 0 || write_some(a, &line, &length);
        if ((files[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !read_some(a)) {
            *reply = VP_REPLY_ENDED;
            return VP_OK;
        }
        if (!reads)
            length = 0; /* earlier output may still come, then the end */
        if (!ended && has_ended(a)) {
            ended = true;
            until = until < now + SECONDS_AFTER_END ? until : now + SECONDS_AFTER_END;
        }
    }
    *reply = (size_t)(line_end(a) - (a->answer + a->taken)) < most ? VP_REPLY_LINE : VP_REPLY_LONG;
    return VP_OK;
}

/* The buffer as a string. Reading leaves room for the terminator. */
static const char *as_text(vp_adapter *a)
{
    a->answer[a->size] = '\0';
    return a->answer;
}

/* Terminates the line that has come. A byte 0 within it would cut it short. */
static void take_line(vp_adapter *a, vp_reply *reply)
{
    char *begin = a->answer + a->taken, *feed = line_end(a);
    if (memchr(begin, '\0', (size_t)(feed - begin)) != NULL)
        *reply = VP_REPLY_ZERO;
    *feed = '\0';
    if (feed > begin && feed[-1] == '\r')
        feed[-1] = '\0';
    a->taken = (size_t)(feed - a->answer) + 1;
}

/* Moves the output after the last line to the beginning. */
static void shift(vp_adapter *a)
{
    if (a->size > a->taken)
        memmove(a->answer, a->answer + a->taken, a->size - a->taken);
    a->size -= a->taken;
    a->taken = 0;
}

/* Sends a line or nothing, and waits for a line, which is then at the beginning of the buffer. */
static vp_status exchange(vp_adapter *a, const char *line, size_t length, double seconds, size_t most, vp_reply *reply, vp_error *error)
{
    shift(a);
    const vp_status status = wait_line(a, line, length, seconds, most, reply, error);
    if (status == VP_OK && *reply == VP_REPLY_LINE)
        take_line(a, reply);
    return status;
}

/* ---- the greeting ---- */

/* Reads a name or version, a printable word. @return false if there is none */
static bool read_name(vp_words *words, char out[VP_ADAPTER_MAX_NAME])
{
    const char *word;
    size_t length;
    if (!vp_word_next(words, &word, &length) || length >= VP_ADAPTER_MAX_NAME)
        return false;
    for (size_t i = 0; i < length; i++)
        if (word[i] <= ' ' || word[i] > '~')
            return false;
    memcpy(out, word, length);
    out[length] = '\0';
    return true;
}

bool vp_adapter_can(const vp_adapter *a, const vp_family *family)
{
    size_t i = 0;
    while (a->can[i] != NULL && a->can[i] != family)
        i++;
    return a->can[i] != NULL;
}

/* Seconds that a greeting may take. It is longer than `limit`, because the program must be loaded first. */
static double adapter_patience(const vp_adapter *a)
{
    const double seconds = a->limit * TIMES_TO_BEGIN;
    return seconds > SECONDS_TO_BEGIN ? seconds : SECONDS_TO_BEGIN;
}

static vp_status no_greeting(vp_adapter *a, vp_reply reply, const char *line, vp_error *error)
{
    char ending[80], shown[128];
    a->late = reply == VP_REPLY_LATE;
    if (reply == VP_REPLY_ENDED) {
        end_and_tell(a, ending);
        return vp_fail(error, VP_E_ARGUMENT, "'%.80s' does not greet: %s", a->command, ending);
    }
    vp_escape(line, shown, sizeof shown);
    vp_adapter_end(a);
    if (reply == VP_REPLY_LONG)
        return vp_fail(error, VP_E_ARGUMENT,
                       "'%.80s' says more than %d bytes without an end of line where 'hello 1 NAME VERSION' "
                       "and 'can FAMILY...' should be",
                       a->command, MAX_GREETING);
    if (reply == VP_REPLY_LATE)
        return vp_fail(error, VP_E_ARGUMENT,
                       "'%.80s' does not greet within %g seconds (a program has to flush its output after every line)", a->command,
                       adapter_patience(a));
    return vp_fail(error, VP_E_ARGUMENT, "'%.80s' says '%.60s'%s where 'hello 1 NAME VERSION' and 'can FAMILY...' should be", a->command,
                   shown, reply == VP_REPLY_ZERO ? " and a byte 0" : "");
}

/* Adds the name of a family that is unknown here, for the report. */
static void add_unknown(char unknown[160], const char *word, size_t length)
{
    char text[64], shown[64];
    const size_t at = strlen(unknown);
    snprintf(text, sizeof text, "%.*s", (int)(length < 60 ? length : 60), word);
    vp_escape(text, shown, sizeof shown);
    if (at + strlen(shown) + 8 < 160)
        snprintf(unknown + at, 160 - at, "%s'%s'", at > 0 ? ", " : "", shown);
}

static vp_status greet(vp_adapter *a, vp_error *error)
{
    vp_reply reply;
    const char *word;
    size_t length, count = 0;
    int64_t version;
    vp_adapter said = {.name = ""};
    vp_status status = exchange(a, greeting, sizeof greeting - 1, adapter_patience(a), MAX_GREETING, &reply, error);
    if (status != VP_OK)
        return status;
    if (reply != VP_REPLY_LINE)
        return no_greeting(a, reply, reply == VP_REPLY_ZERO ? a->answer : "", error);
    vp_words words = {a->answer};
    if (!vp_word_said(&words, "hello") || !vp_word_whole(&words, 1, 1, &version) || !read_name(&words, said.name) ||
        !read_name(&words, said.version))
        return no_greeting(a, reply, a->answer, error);
    status = exchange(a, NULL, 0, adapter_patience(a), MAX_GREETING, &reply, error); /* sent without a request */
    if (status != VP_OK)
        return status;
    if (reply != VP_REPLY_LINE)
        return no_greeting(a, reply, "", error);
    words.at = a->answer;
    if (!vp_word_said(&words, "can"))
        return no_greeting(a, reply, a->answer, error);
    while (vp_word_next(&words, &word, &length)) {
        const vp_family *family = vp_family_named(word, length);
        if (family == NULL) /* unknown here */
            add_unknown(said.unknown, word, length);
        else if (!vp_adapter_can(&said, family))
            said.can[count++] = family;
    }
    if (a->starts > 1)
        return VP_OK; /* the same program as before */
    memcpy(a->name, said.name, sizeof a->name);
    memcpy(a->version, said.version, sizeof a->version);
    memcpy(a->can, said.can, sizeof a->can);
    memcpy(a->unknown, said.unknown, sizeof a->unknown);
    return VP_OK;
}

/* ---- surplus lines ---- */

/* Returns the number at the beginning of a line, or -1. */
static int64_t number_of(const char *line)
{
    vp_words words = {line};
    int64_t number;
    return vp_word_whole(&words, 0, INT32_MAX, &number) ? number : -1;
}

/* Keeps the beginning of a line that is no answer. It may lack its end. */
static void keep_surplus(vp_adapter *a, const char *line, size_t length)
{
    enum { SHOWN = VP_ADAPTER_MAX_SURPLUS - 4 };
    const char *feed = memchr(line, '\n', length);
    const size_t whole = feed != NULL ? (size_t)(feed - line) : length;
    snprintf(a->surplus, sizeof a->surplus, "%.*s%s", (int)(whole < SHOWN ? whole : SHOWN), line, whole > SHOWN ? "..." : "");
}

/* Reads output that follows the last answer, as far as it is available. */
static vp_status look_behind(vp_adapter *a, bool *more, vp_error *error)
{
    if (!make_room(a))
        return vp_fail(error, VP_E_MEMORY, "no memory for an answer of %zu bytes", a->size);
    if (a->size == a->taken)
        read_some(a);
    *more = a->size > a->taken;
    if (*more)
        keep_surplus(a, a->answer + a->taken, a->size - a->taken);
    return VP_OK;
}

/* Waits for output that follows the last answer, until the output ends. @return whether any came */
static bool wait_behind(vp_adapter *a, double seconds)
{
    const double until = vp_seconds() + seconds;
    bool more = true;
    const size_t before = a->size;
    for (double left = seconds; more && left > 0.0 && *a->stop == 0 && a->size < a->taken + MAX_FAREWELL; left = until - vp_seconds()) {
        struct pollfd file = {a->from, POLLIN, 0};
        const bool ended = has_ended(a); /* then all its output is available */
        if (poll(&file, 1, ended ? 0 : 10) > 0)
            more = make_room(a) && read_some(a);
        else if (ended)
            more = false;
        if (a->to != -1 && a->size > before)
            break; /* one byte is enough */
    }
    return a->size > a->taken;
}

bool vp_adapter_finish(vp_adapter *a)
{
    if (a->process == 0 || !a->answered)
        return false;
    bool more = wait_behind(a, SECONDS_BEHIND);
    const double begin = vp_seconds();
    if (more) {
        keep_surplus(a, a->answer + a->taken, a->size - a->taken);
    } else if (*a->stop == 0) {
        close(a->to);
        a->to = -1;
        wait_behind(a, SECONDS_TO_END);
        as_text(a);
        for (char *line = a->answer + a->taken; !more && line < a->answer + a->size; line += strlen(line) + 1) {
            line[strcspn(line, "\n")] = '\0';
            more = number_of(line) == a->number; /* lines without the number may be a farewell */
            if (more)
                keep_surplus(a, line, strlen(line));
        }
    }
    end(a, SECONDS_TO_END - (vp_seconds() - begin), NULL);
    return more;
}

/* ---- interface ---- */

const char *vp_answer_words(const char *line, size_t number)
{
    if (number_of(line) != (int64_t)number)
        return NULL;
    line += strspn(line, " ");
    line += strcspn(line, " ");
    return line + strspn(line, " ");
}

vp_status vp_adapter_open(vp_adapter *a, vp_error *error)
{
    const vp_status status = start(a, error);
    return status == VP_OK ? greet(a, error) : status;
}

void vp_adapter_close(vp_adapter *a)
{
    if (a->process != 0)
        end(a, SECONDS_TO_END, NULL);
    free(a->answer);
    a->answer = NULL;
    a->size = a->room = a->taken = 0;
}

/* Asks a program, and starts it if necessary. */
static vp_status ask(vp_adapter *a, const char *line, size_t length, vp_reply *reply, vp_error *error)
{
    vp_status status = a->process == 0 ? vp_adapter_open(a, error) : VP_OK;
    if (status == VP_OK)
        status = exchange(a, line, length, a->limit, VP_ADAPTER_MAX_ANSWER, reply, error);
    a->answered = a->answered || (status == VP_OK && (*reply == VP_REPLY_LINE || *reply == VP_REPLY_ZERO));
    return status;
}

vp_status vp_adapter_ask(vp_adapter *a, const char *line, size_t length, vp_reply *reply, const char **answer, char ending[80],
                         vp_error *error)
{
    const int64_t number = number_of(line);
    vp_status status = VP_OK;
    a->more = false;
    if (a->process != 0 && a->answered)
        status = look_behind(a, &a->more, error);
    if (a->more)
        vp_adapter_end(a);
    const bool anew = a->process == 0 || !a->answered;
    if (status == VP_OK)
        status = ask(a, line, length, reply, error);
    if (status == VP_OK && !anew && *reply != VP_REPLY_LATE && *reply != VP_REPLY_ENDED && number_of(as_text(a)) != number) {
        /* Check whether the line belongs to an earlier question. A restarted program has not had one. */
        const bool before = *reply == VP_REPLY_LINE && number_of(a->answer) >= 0 && number_of(a->answer) < number;
        keep_surplus(a, a->answer, *reply == VP_REPLY_LINE ? strlen(a->answer) : a->size);
        a->more = before;
        vp_adapter_end(a);
        status = ask(a, line, length, reply, error);
        if (status == VP_OK && (*reply == VP_REPLY_LINE || *reply == VP_REPLY_ZERO))
            a->more = number_of(a->answer) == number;
    }
    a->number = number;
    if (status != VP_OK)
        return status;
    *answer = a->answer;
    if (*reply == VP_REPLY_ENDED)
        end_and_tell(a, ending);
    else if (*reply != VP_REPLY_LINE && *reply != VP_REPLY_ZERO)
        vp_adapter_end(a);
    return VP_OK;
}
