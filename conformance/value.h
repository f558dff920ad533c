/* SPDX-License-Identifier: MIT */
/* What values in the corpus' JSON have to be: conformance/corpus/schema.json, and what no schema can say. */
#ifndef VP_CONFORMANCE_VALUE_H
#define VP_CONFORMANCE_VALUE_H

#include <jansson.h>

#include "conformance/words.h"

/* What a value has to be. */
typedef struct vp_value {
    json_type type;              /* JSON_REAL: any number; JSON_NULL: anything */
    double least, most;          /* of a number */
    const char *letters;         /* of a text, which is not empty; NULL: any */
    size_t count;                /* of letters, or of a list's parts; 0: any number */
    const struct vp_value *part; /* of a list: what each of its parts has to be */
    bool (*also)(json_t *value); /* NULL: nothing more */
} vp_value;

extern const vp_value vp_is_anything, vp_is_object, vp_is_true, vp_is_words; /* words: a text that is not empty */
extern const vp_value vp_is_bits;                                            /* of a binary32, in lower case */
extern const vp_value vp_is_whole;                                           /* from 0 */
extern const vp_value vp_is_three, vp_is_threes;                             /* whole numbers, and a list of those */
extern const vp_value vp_is_cell;                                            /* three numbers of a cell, which may be negative */
extern const vp_value vp_is_place, vp_is_places;                             /* three numbers of binary32 */
extern const vp_value vp_is_numbers;                                         /* whole ones, none of them twice */
extern const vp_value vp_is_tolerance;                                       /* a number from 0 */

/* Of a list: whether none of its parts is there twice. */
bool vp_value_unique(json_t *value);

/* The beginning of a value in ASCII, to be shown; "missing" of NULL. */
typedef struct vp_value_text {
    char text[80];
} vp_value_text;
vp_value_text vp_value_shown(const json_t *value);

/* A member of an object. */
typedef struct vp_member {
    const char *name; /* NULL: the end of a list of members */
    const vp_value *is;
    const char *otherwise; /* NULL: it may not be missing; else it may, and is this, in words */
    const char *what;      /* it is, in messages, of a part of numbers of binary32 */
    bool counted;          /* of a question: how many parts it has is told before all of it, in words */
} vp_member;

/* That an object has the members of some lists, which end with NULL, and no others, and that each is what it
   has to be: else VP_E_FORMAT, which says which one it is.
   @param where  the object's name with a colon behind it, or "" */
vp_status vp_members_check(json_t *object, const vp_member *const *lists, const char *where, vp_error *error);

/* Of what is expected: that a member is not as it should be. VP_E_FORMAT */
vp_status vp_expected_wrong(const json_t *answer, const char *member, vp_error *error);
/* That it lists numbers below a limit, and if it has to, some. */
vp_status vp_expected_below(const json_t *answer, const char *member, uint32_t limit, bool some, vp_error *error);

/* Every number and text in a value, in its order, as words with a space before each. @return false of what is
 * neither */
bool vp_value_flatten(const json_t *value, FILE *to);
/* A value of such words. @param count  of a list's parts, where that is not told by what it is; SIZE_MAX: as
   many as there are words */
json_t *vp_value_of(const vp_value *is, vp_words *words, size_t count);

/* A list of numbers below 2^32, to be freed, or NULL without memory; in ascending order; and one as JSON. */
uint32_t *vp_numbers_of(const json_t *list, uint32_t *count);
void vp_numbers_sort(uint32_t *number, uint32_t count);
json_t *vp_numbers_json(const uint32_t *number, uint32_t count);

#endif
