/* SPDX-License-Identifier: MIT */
/* Files of JSON that users write, read strictly: messages name the place, the member and the value. */
#ifndef VP_TOOLS_SOURCES_JSON_FILE_H
#define VP_TOOLS_SOURCES_JSON_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/error.h"

/* Where a reader is: "species 2". */
typedef struct vp_json_place {
    const char *of;
    size_t number; /* from 1; 0: the file itself */
    vp_error *error;
} vp_json_place;

/* VP_E_FORMAT, with the place in front of the message. */
vp_status vp_json_wrong(const vp_json_place *p, const char *format, ...) VP_PRINTF(2, 3);

/* A value as a message shows it. */
typedef struct vp_json_shown {
    char text[60];
} vp_json_shown;
vp_json_shown vp_json_show(const json_t *value);

/* Refuses members that are not among the names, which end with NULL. */
vp_status vp_json_members(const vp_json_place *p, json_t *object, const char *const *names);

/* A whole number; the same of an optional member, without which *out stays as it is. */
vp_status vp_json_whole(const vp_json_place *p, const char *name, const json_t *value, int64_t low, int64_t high, int64_t *out);
vp_status vp_json_whole_member(const vp_json_place *p, const json_t *object, const char *name, int64_t low, int64_t high, int64_t *out);
/* A number; the same of an optional member. */
vp_status vp_json_number(const vp_json_place *p, const char *name, const json_t *value, double low, double high, double *out);
vp_status vp_json_number_member(const vp_json_place *p, const json_t *object, const char *name, double low, double high, double *out);
/* An optional list of so many numbers. */
vp_status vp_json_numbers_member(const vp_json_place *p, const json_t *object, const char *name, size_t count, double low, double high,
                                 double *out);
/* An optional true or false. */
vp_status vp_json_flag_member(const vp_json_place *p, const json_t *object, const char *name, bool *out);
/* An optional list. */
vp_status vp_json_list(const vp_json_place *p, const json_t *root, const char *name, size_t most, const json_t **out, size_t *count);

/* Reads a file of at most so many bytes. @return VP_E_FORMAT with the file's name and the line, VP_E_IO, VP_E_MEMORY */
vp_status vp_json_load(const char *path, size_t most_bytes, json_t **root, vp_error *error);

#endif
