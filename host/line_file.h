/* SPDX-License-Identifier: MIT */
/* Reading files of text line by line: of JSON, a value a line, as `voxphys dataset make` writes them, and of plain numbers.
 * A mistake is told with the line's number; the file's name is put in front of that by the caller. */
#ifndef VP_HOST_LINE_FILE_H
#define VP_HOST_LINE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

struct json_t;

enum { VP_LINE_BYTES = 1024 }; /* a box or a ray takes about a hundred */

/* Where a reader is, for messages. */
typedef struct vp_place {
    uint32_t line; /* from 1 */
    vp_error *error;
} vp_place;

#define VP_PLACE "line %u: "

/* Opens a regular file. Opening a pipe that nobody writes to would wait for ever: it is opened without waiting, and
   refused. A byte order mark of UTF-8 at the file's beginning is passed over.
   @return VP_E_IO, VP_E_MEMORY, with a message that names the file */
vp_status vp_open_lines(const char *path, FILE **out, vp_error *error);

/* The next line, without its end. @return false after the last; *length is VP_LINE_BYTES if it is too long */
bool vp_next_line(FILE *file, char line[VP_LINE_BYTES], size_t *length);

/* The whole line as JSON, to be freed with json_decref. A byte 0 is refused: what follows it would be lost. */
vp_status vp_line_json(const vp_place *p, const char *line, size_t length, struct json_t **out);

/* That an object lacks a member: "line 3: "radius" is missing". @return VP_E_FORMAT */
vp_status vp_line_missing(const vp_place *p, const char *name);

/* A number: a text that strtof reads whole, or a JSON number that binary32 holds exactly. `name` is what it is called.
   NULL is a number that is missing. */
vp_status vp_line_float(const vp_place *p, const struct json_t *value, const char *name, float *out);

/* A list of three numbers, x, y and z; NULL is one that is missing. */
vp_status vp_line_vec3(const vp_place *p, const struct json_t *value, const char *name, vp_vec3 *out);

/* A text that strtof reads whole, and that is not too large for binary32. */
bool vp_text_float(const char *text, float *out);

/* Whether a comma of a text has no word before or after it, as in "1,,2" or "1,"; blanks separate words too. */
bool vp_text_has_empty_word(const char *text);

#endif
