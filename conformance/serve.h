/* SPDX-License-Identifier: MIT */
/* The adapter's side of the line protocol, for adapters in this repository (docs/CONFORMANCE.md). */
#ifndef VP_CONFORMANCE_SERVE_H
#define VP_CONFORMANCE_SERVE_H

#include "conformance/family.h"

typedef struct vp_server {
    const char *name, *version; /* one word each */
    const void *user;
    bool (*can)(const void *user, const vp_family *family);
    /* Writes the words of an answer, without a line feed. A failure becomes a refusal with its message, and must not
     * have written anything. */
    vp_status (*answer)(const void *user, const vp_question *q, FILE *to, vp_error *error);
} vp_server;

/* Answers the questions on standard input until it ends. @return false without memory for a question, with a message on stderr */
bool vp_serve(const vp_server *server);

#endif
