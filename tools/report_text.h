/* SPDX-License-Identifier: MIT */
/* A text that grows, for the report's pages. Without memory it stops growing and says so in `failed`, which
 * is looked at once, at the end. */
#ifndef VP_TOOLS_REPORT_TEXT_H
#define VP_TOOLS_REPORT_TEXT_H

#include <stdarg.h>
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
void vp_writing_add_list(vp_writing *text, const char *format, va_list values) VP_PRINTF(2, 0);

/* What must show as it is: in HTML (also in an attribute between double quotes), in Markdown (also in a
   table's cell), and as a part of a relative address, where slashes stay. Control characters become spaces.
 */
void vp_writing_html(vp_writing *text, const char *plain);
void vp_writing_markdown(vp_writing *text, const char *plain);
void vp_writing_address(vp_writing *text, const char *path);

/* A text that the caller frees; NULL without memory. */
char *vp_writing_format(const char *format, va_list values) VP_PRINTF(1, 0);

#endif
