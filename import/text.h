/* SPDX-License-Identifier: MIT */
/* Growing text, for notes of worlds and for files made of lines. */
#ifndef VP_IMPORT_TEXT_H
#define VP_IMPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <voxphys/memory.h>
#include <voxphys/world_file.h>

#include "src/core/error.h"

typedef struct vp_text {
    vp_allocator allocator;
    char *bytes; /* NULL = empty */
    size_t size, capacity;
    bool failed; /* Memory ran out. Nothing more is added. */
} vp_text;

/* Returns an empty text. allocator  NULL = malloc and free */
vp_text vp_text_begin(const vp_allocator *allocator);

void vp_text_add(vp_text *text, const char *format, ...) VP_PRINTF(2, 3);

/* Moves the text to `out`, with a terminating zero that its size does not count. Frees it if `out` is NULL or on failure.
   returns VP_E_MEMORY if memory ran out */
vp_status vp_text_finish(vp_text *text, vp_blob *out, vp_error *error);
void vp_text_drop(vp_text *text);

#endif
