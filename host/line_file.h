/* SPDX-License-Identifier: MIT */
/* Readers of text files, line by line: JSON values as `voxphys dataset make` writes them, and plain numbers. Messages
 * name the line's number. The caller adds the file's name. */
#ifndef VP_HOST_LINE_FILE_H
#define VP_HOST_LINE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

struct json_t;

enum { VP_LINE_BYTES = 1024 }; /* a line with a box or a ray has about a hundred */

/* A reader's position, for messages. */
typedef struct vp_line_place {
    uint32_t line; /* from 1 */
    vp_error *error;
} vp_line_place;

#define VP_PLACE "line %u: "

/* Opens a regular file and skips a byte order mark of UTF-8. Opening a pipe without a writer would block, so the file
   is opened without waiting and a pipe is refused.
   @return VP_E_IO, VP_E_MEMORY. The message names the file */
vp_status vp_open_lines(const char *path, FILE **out, vp_error *error);

/* Reads the next line, without its end. @return false after the last. *length is VP_LINE_BYTES if the line is too long */
bool vp_next_line(FILE *file, char line[VP_LINE_BYTES], size_t *length);

/* Reads one line, which a zero byte ends. */
typedef vp_status vp_line_fn(void *user, const vp_line_place *p, char *line, size_t length);
/* Reads a regular file line by line. `what` is the name of an element, for messages: "a ray".
   @return VP_E_FORMAT, VP_E_IO, VP_E_MEMORY, or the error of `read`. The message names the file */
vp_status vp_read_lines(const char *path, const char *what, vp_line_fn *read, void *user, vp_error *error);

/* Reports a line that has a zero byte. */
vp_status vp_line_is_text(const vp_line_place *p, const char *line, size_t length);

/* Reads the whole line as JSON, for json_decref. A zero byte is refused, because the text after it would be lost. */
vp_status vp_line_json(const vp_line_place *p, const char *line, size_t length, struct json_t **out);

/* Reports a missing member of an object: "line 3: "radius" is missing". @return VP_E_FORMAT */
vp_status vp_line_missing(const vp_line_place *p, const char *name);

/* Reads a number: a text that strtof reads whole, or a JSON number that binary32 holds exactly. `name` is for messages.
   NULL = the number is missing. */
vp_status vp_line_float(const vp_line_place *p, const struct json_t *value, const char *name, float *out);

/* Reads a list of three numbers, x, y and z. NULL = the list is missing. */
vp_status vp_line_vec3(const vp_line_place *p, const struct json_t *value, const char *name, vp_vec3 *out);

/* Reads a text as binary32. False if strtof does not read it whole or it overflows. */
bool vp_text_float(const char *text, float *out);

/* Whether a comma of a text has no word before or after it, as in "1,,2" or "1,". Blanks separate words too. */
bool vp_text_has_empty_word(const char *text);

#endif
