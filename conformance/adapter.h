/* SPDX-License-Identifier: MIT */
/* An adapter: a program that answers questions by the line protocol (docs/CONFORMANCE.md). It is started, asked, and started again if it
 * does not answer, crashes or sends something that is no answer. */
#ifndef VP_CONFORMANCE_ADAPTER_H
#define VP_CONFORMANCE_ADAPTER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "conformance/family.h"

enum { VP_ADAPTER_MAX_NAME = 64, VP_ADAPTER_MAX_ANSWER = 64 << 20, VP_ADAPTER_MAX_SURPLUS = 64 };

typedef struct vp_adapter {
    const char *command; /* for /bin/sh */
    bool errors;         /* its standard error is passed on */
    double limit;        /* seconds that an answer may take, see vp_adapter_patience for the greeting */

    /* from its first greeting */
    char name[VP_ADAPTER_MAX_NAME], version[VP_ADAPTER_MAX_NAME];
    const vp_family *can[VP_FAMILIES_MAX + 1]; /* ends with NULL */
    char unknown[160];                         /* printable names it announced that are no families, "" = none */
    bool late;                                 /* the last greeting did not come in time */

    pid_t process; /* 0 = none is running */
    int to, from;
    char *answer; /* the last line, followed by any output after it */
    size_t size, room;
    size_t taken; /* bytes of `answer` that belong to the last line and its line feed */
    uint32_t starts;
    bool answered;                        /* has answered since it was started, so its next line may belong to an earlier question */
    int64_t number;                       /* number of the last question */
    bool more;                            /* the answer to the question before the last one was followed by more output */
    char surplus[VP_ADAPTER_MAX_SURPLUS]; /* that output, or its beginning */
    volatile const sig_atomic_t *stop;    /* not NULL, the signal that stops all waiting, 0 = none */
} vp_adapter;

typedef enum vp_reply {
    VP_REPLY_LINE,  /* an answer */
    VP_REPLY_LATE,  /* no answer in time, so the process was ended */
    VP_REPLY_ENDED, /* the process ended, or closed its output */
    VP_REPLY_LONG,  /* longer than an answer may be, so the process was ended */
    VP_REPLY_ZERO   /* a line that contains a byte 0 */
} vp_reply;

/* Starts a program and reads its greeting. Set the first three members and `stop` before. Close it, also after a failure.
 * @return VP_E_ARGUMENT for a wrong greeting (the message quotes it, or says how the program ended), VP_E_IO, VP_E_MEMORY */
vp_status vp_adapter_open(vp_adapter *adapter, vp_error *error);
void vp_adapter_close(vp_adapter *adapter);

/* Whether it knows a family. */
bool vp_adapter_can(const vp_adapter *adapter, const vp_family *family);

/* Asks a question. Starts the program again first if it does not run.
 * If output has followed the last answer, the program is started again and `more` is set, with any return value. The same holds if the line
 * that comes does not answer this question, and does not come again from a restarted program.
 * @param line    a number, higher than all before, then the question and a line feed
 * @param answer  VP_REPLY_LINE: the line without its line feed, valid until the next call
 * @param ending  VP_REPLY_ENDED: how the program ended, in words
 * @return VP_OK for every reply, VP_E_ARGUMENT if a restarted program does not greet. Then `late` says whether it was too slow. */
vp_status vp_adapter_ask(vp_adapter *adapter, const char *line, size_t length, vp_reply *reply, const char **answer, char ending[80],
                         vp_error *error);

/* Ends a program after its last question. @return whether the last question got more than one line. The rest is in `surplus` */
bool vp_adapter_finish(vp_adapter *adapter);

/* Returns the words that follow an answer's number, or NULL if the number is another one. */
const char *vp_answer_words(const char *line, size_t number);

/* Ends the program. The next question starts it again. Use it after an answer that belongs to another question. */
void vp_adapter_end(vp_adapter *adapter);

#endif
