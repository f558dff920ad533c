/* SPDX-License-Identifier: MIT */
/* A program that answers questions by the line protocol (docs/CONFORMANCE.md): started, asked, and started
 * again when it does not answer, crashes, or says what is no answer. */
#ifndef VP_CONFORMANCE_ADAPTER_H
#define VP_CONFORMANCE_ADAPTER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "conformance/family.h"

enum { VP_ADAPTER_MAX_NAME = 64, VP_ADAPTER_MAX_ANSWER = 64 << 20, VP_ADAPTER_MAX_SURPLUS = 64 };

typedef struct vp_adapter {
    const char *command; /* for /bin/sh */
    bool errors;         /* what it writes to standard error is let through */
    double limit;        /* seconds that an answer may take; the greeting: vp_adapter_patience */

    /* what it says of itself, the first time that it is greeted */
    char name[VP_ADAPTER_MAX_NAME], version[VP_ADAPTER_MAX_NAME];
    const vp_family *can[VP_FAMILIES_MAX + 1]; /* ends with NULL */
    char unknown[160];                         /* what it can that is no family, as it may be shown; "" if there is nothing */
    bool late;                                 /* the last greeting did not come in time */

    pid_t process; /* 0: none is running */
    int to, from;
    char *answer; /* the last line, and what came behind it */
    size_t size, room;
    size_t taken; /* of it, by the last line and its end */
    uint32_t starts;
    bool answered;                        /* since it was started: what it says next may be from before */
    int64_t number;                       /* of the last question */
    bool more;                            /* behind the answer to the question before the last one came more than that line: */
    char surplus[VP_ADAPTER_MAX_SURPLUS]; /* this, or its beginning */
    volatile const sig_atomic_t *stop;    /* not NULL; not 0: a signal: what is waited for is given up */
} vp_adapter;

typedef enum vp_reply {
    VP_REPLY_LINE,  /* there is an answer */
    VP_REPLY_LATE,  /* none came in time; the process was ended */
    VP_REPLY_ENDED, /* the process ended, or closed its output */
    VP_REPLY_LONG,  /* it says more than an answer may have; the process was ended */
    VP_REPLY_ZERO   /* a line with a byte 0 in it */
} vp_reply;

/* Starts a program and greets it; the first three members and `stop` are set.
   @return VP_E_ARGUMENT if it does not say what an adapter says, with what it said or how it ended; VP_E_IO,
   VP_E_MEMORY. Close it, also after a failure. */
vp_status vp_adapter_open(vp_adapter *adapter, vp_error *error);
void vp_adapter_close(vp_adapter *adapter);

/* Whether it knows a family. */
bool vp_adapter_can(const vp_adapter *adapter, const vp_family *family);

/* Seconds that a greeting may take: a program has to be loaded first, however short its answers are to be. */
double vp_adapter_patience(const vp_adapter *adapter);

/* Asks, after starting the program again if it does not run. `line` begins with a number, higher than those before, and ends with a line
   feed. What has come behind the last answer is no answer: the program is started again, and `more` is set, whatever is returned. So it is
   if the line that comes is not to this question, and comes no more from the program when it is started anew.
   @param answer  VP_REPLY_LINE: the line without its end, until the next call
   @param ending  VP_REPLY_ENDED: how it ended, in words
   @return VP_OK, whatever the reply is; VP_E_ARGUMENT if it does not greet when it is started again: `late` says whether it was in no time,
   or otherwise */
vp_status vp_adapter_ask(vp_adapter *adapter, const char *line, size_t length, vp_reply *reply, const char **answer, char ending[80],
                         vp_error *error);

/* Ends a program that is asked nothing more. @return whether there was more than one line for the last question: `surplus` */
bool vp_adapter_finish(vp_adapter *adapter);

/* The words behind an answer's number; NULL if it has another one. */
const char *vp_answer_words(const char *line, size_t number);

/* Ends the program: the next question starts it again. For answers that are to another question. */
void vp_adapter_end(vp_adapter *adapter);

#endif
