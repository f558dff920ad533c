/* SPDX-License-Identifier: MIT */
/* Whether a corpus is sound: for check_corpus.c, which reads it. */
#ifndef VP_CONFORMANCE_SOUND_H
#define VP_CONFORMANCE_SOUND_H

#include "conformance/corpus.h"

/* The beginning of a value in JSON, in ASCII, to be shown; "missing" of NULL. */
typedef struct vp_value_text {
    char text[80];
} vp_value_text;
vp_value_text vp_value_shown(const struct json_t *value);

/* All return VP_E_FORMAT, and say which member it is. */

/* A file has the members of a family, and no others. */
vp_status vp_sound_head(vp_asked_family family, struct json_t *root, vp_error *error);

/* An "input" is that of its family; its words could be read as a question. */
vp_status vp_sound_input(vp_asked_family family, struct json_t *input, vp_error *error);

/* A vector that was read is as it should be, with its flags, its cites and what is expected.
   @param flags  those that the family explains; NULL: any may be */
vp_status vp_sound_vector(const vp_vector *vector, struct json_t *json, struct json_t *flags, vp_error *error);

/* "1.0.2", whose first number is this one */
bool vp_sound_version(const char *text, int major);

#endif
