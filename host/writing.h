/* SPDX-License-Identifier: MIT */
/* A growing text, for drawings and results.json. Out of memory sets `failed`, which callers check once at the end. */
#ifndef VP_HOST_WRITING_H
#define VP_HOST_WRITING_H

#include <stdbool.h>
#include <stddef.h>

#include "src/core/error.h"

/* All zero bytes = an empty text. */
typedef struct vp_writing {
    char *bytes; /* NULL while it is empty. Otherwise zero-terminated */
    size_t length, capacity;
    bool failed;
} vp_writing;

void vp_writing_destroy(vp_writing *text);

/* Append a text as it is, or by the rules of printf. */
void vp_writing_put(vp_writing *text, const char *raw);
void vp_writing_add(vp_writing *text, const char *format, ...) VP_PRINTF(2, 3);

#endif
