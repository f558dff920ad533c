/* SPDX-License-Identifier: MIT */
/* Text that grows: notes of worlds, and files made of lines. */
#ifndef VP_IMPORT_TEXT_H
#define VP_IMPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <voxphys/geometry.h>

#include "src/core/error.h"

typedef struct vp_text {
    char *bytes; /* malloc's; NULL while nothing was added */
    size_t size, capacity;
    bool failed; /* memory ran out; nothing more is added */
} vp_text;

void vp_text_add(vp_text *text, const char *format, ...) VP_PRINTF(2, 3);

/* "NAME": ["X", "Y", "Z"], hexadecimal and so exact. */
void vp_text_add_vec3(vp_text *text, const char *name, vp_vec3 v);
/* Something, and points behind it: ["X", "Y", "Z"], ... */
void vp_text_add_points(vp_text *text, const char *before, const vp_vec3 *point, uint32_t count);

/* Hands the text over through `out`, which may be NULL, or fails with VP_E_MEMORY; either way it is freed here. */
vp_status vp_text_finish(vp_text *text, char **out, vp_error *error);
void vp_text_drop(vp_text *text);

#endif
