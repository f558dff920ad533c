/* SPDX-License-Identifier: MIT */
/* What values in the corpus' JSON have to be: conformance/corpus/schema.json, and what no schema can say. */
#ifndef VP_CONFORMANCE_VALUE_H
#define VP_CONFORMANCE_VALUE_H

#include <jansson.h>

#include "conformance/words.h"

/* One of some words, and numbers of binary32 behind it. */
typedef struct vp_choice {
    const char *const *names; /* end with NULL */
    const size_t *numbers;    /* of each; NULL: none */
} vp_choice;

/* The number of a word; -1 of one that is none. */
int vp_choice_of(const vp_choice *choice, const char *word, size_t length);

/* What a value has to be. */
typedef struct vp_value {
    json_type type;              /* JSON_REAL: any number; JSON_NULL: anything */
    double least, most;          /* of a number */
    const char *letters;         /* of a text, which is not empty; NULL: any */
    size_t count;                /* of letters, or of a list's parts; 0: any number */
    const struct vp_value *part; /* of a list: what each of its parts has to be */
    const vp_choice *choice;     /* of a text: one of these; of a list: that, and its numbers; NULL: any */
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

    /* Of a part of a question, in its memory: numbers of 32 bits each; a choice's are behind its own. What is neither of numbers nor a
       choice the part reads itself. */
    const char *what;    /* each number is, in messages: "the bits of a coordinate" */
    size_t at;           /* where they are; of `many`, where it is told where they are */
    int64_t least, most; /* that a number may be, or `most` how many; 0: as `is` says */
    size_t below;        /* where it's told what numbers have to be below; 0: nowhere */
    const char
        *many;      /* of a list with memory of its own: "points", of which, if there may be any number, is told before the part how many */
    size_t count;   /* where that is */
    size_t letters; /* a line has for one of them, at least */
    size_t stride;  /* from one of them to the next, in numbers; 0: as many as it has */
} vp_member;

/* Where a member is in a part, what its numbers are; and of a list of any length what it is a list of, and where how many is told. */
#define VP_AT(part, member, numbers)                  .at = offsetof(part, member), .what = numbers
#define VP_LISTED(part, member, numbers, of, counted) VP_AT(part, member, numbers), .many = of, .count = offsetof(part, counted)

static inline bool vp_member_is_counted(const vp_member *m)
{
    return m->many != NULL && m->is->count == 0;
}

/* That an object has the members of some lists, which end with NULL, and no others, and that each is what it
   has to be: else VP_E_FORMAT, which says which one it is.
   @param where  the object's name with a colon behind it, or "" */
vp_status vp_members_check(json_t *object, const vp_member *const *lists, const char *where, vp_error *error);

/* Of what is expected: that a member is not as it should be. VP_E_FORMAT */
vp_status vp_expected_wrong(const json_t *answer, const char *member, vp_error *error);
/* That it lists numbers below a limit, and if it has to, some. */
vp_status vp_expected_below(const json_t *answer, const char *member, uint32_t limit, bool some, vp_error *error);

/* Every number and text in a value, in its order, as words with a space before each. @return false of what is neither */
bool vp_value_flatten(const json_t *value, FILE *to);
/* A value of such words. @param count  of a list's parts, where neither its type nor its choice says it; SIZE_MAX: as many as there are
 * words */
json_t *vp_value_of(const vp_value *is, vp_words *words, size_t count);

/* A number of binary32; NaN of what is none. */
float vp_value_bits(const json_t *bits);

/* A list of numbers below 2^32, or of rows of so many each, to be freed, or NULL without memory; numbers in ascending order; and such a
   list as JSON. */
uint32_t *vp_numbers_of(const json_t *list, uint32_t each, uint32_t *count);
void vp_numbers_sort(uint32_t *number, uint32_t count);
json_t *vp_numbers_json(const uint32_t *number, uint32_t count, uint32_t each);

#endif
