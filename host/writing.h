/* SPDX-License-Identifier: MIT */
/* A text that grows: drawings, results.json. Without memory it stops growing and says so in `failed`, which
 * is looked at once, at the end. */
#ifndef VP_HOST_WRITING_H
#define VP_HOST_WRITING_H

#include <stdbool.h>
#include <stddef.h>

#include "src/core/error.h"

/* All zero is an empty text. */
typedef struct vp_writing {
    char *bytes; /* NULL while it is empty; else a zero follows the last byte */
    size_t length, capacity;
    bool failed;
} vp_writing;

void vp_writing_destroy(vp_writing *text);

/* As it is, and by printf's rules. */
void vp_writing_put(vp_writing *text, const char *raw);
void vp_writing_add(vp_writing *text, const char *format, ...) VP_PRINTF(2, 3);

#endif
