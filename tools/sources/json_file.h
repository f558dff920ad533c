/* SPDX-License-Identifier: MIT */
/* Strict reading of JSON files that users write. Messages name the place, the member and the value. */
#ifndef VP_TOOLS_SOURCES_JSON_FILE_H
#define VP_TOOLS_SOURCES_JSON_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/error.h"

/* The place of an element, for messages: "species 2". */
typedef struct vp_json_place {
    const char *of;
    size_t number; /* from 1. 0 = the file itself */
    vp_error *error;
} vp_json_place;

/* Reports an error at a place. @return VP_E_FORMAT */
vp_status vp_json_wrong(const vp_json_place *p, const char *format, ...) VP_PRINTF(2, 3);

/* A value's text for messages. */
typedef struct vp_json_shown {
    char text[60];
} vp_json_shown;
vp_json_shown vp_json_show(const json_t *value);

/* Refuses members other than `names`, which ends with NULL. */
vp_status vp_json_members(const vp_json_place *p, json_t *object, const char *const *names);

/* Read an integer, and an optional one. A missing member leaves *out unchanged. */
vp_status vp_json_whole(const vp_json_place *p, const char *name, const json_t *value, int64_t low, int64_t high, int64_t *out);
vp_status vp_json_whole_member(const vp_json_place *p, const json_t *object, const char *name, int64_t low, int64_t high, int64_t *out);
/* Read a number, and an optional one. */
vp_status vp_json_number(const vp_json_place *p, const char *name, const json_t *value, double low, double high, double *out);
vp_status vp_json_number_member(const vp_json_place *p, const json_t *object, const char *name, double low, double high, double *out);
/* Reads an optional list of `count` numbers. */
vp_status vp_json_numbers_member(const vp_json_place *p, const json_t *object, const char *name, size_t count, double low, double high,
                                 double *out);
/* Reads an optional boolean. */
vp_status vp_json_flag_member(const vp_json_place *p, const json_t *object, const char *name, bool *out);
/* Reads an optional list. */
vp_status vp_json_list(const vp_json_place *p, const json_t *root, const char *name, size_t most, const json_t **out, size_t *count);

/* Reads a file of at most `most_bytes` bytes. @return VP_E_FORMAT with the file's name and the line, VP_E_IO, VP_E_MEMORY */
vp_status vp_json_load(const char *path, size_t most_bytes, json_t **root, vp_error *error);

#endif
