/* SPDX-License-Identifier: MIT */
/* The adapter's side of the line protocol, for adapters written here: docs/CONFORMANCE.md. */
#ifndef VP_CONFORMANCE_SERVE_H
#define VP_CONFORMANCE_SERVE_H

#include "conformance/family.h"

typedef struct vp_server {
    const char *name, *version; /* a word each */
    const void *user;
    bool (*can)(const void *user, const vp_family *family);
    /* Writes the words of an answer, and no end of line. A failure is a refusal, with its message; then nothing was written. */
    vp_status (*answer)(const void *user, const vp_question *q, FILE *to, vp_error *error);
} vp_server;

/* Answers what comes on standard input, until it ends. @return false without memory for a question, which is told on stderr */
bool vp_serve(const vp_server *server);

#endif
