/* SPDX-License-Identifier: MIT */
/* Words of the line protocol (docs/CONFORMANCE.md). */
#ifndef VP_CONFORMANCE_VALUE_H
#define VP_CONFORMANCE_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <voxphys/status.h>

/* The unread rest of a line. Spaces separate words. */
typedef struct vp_words {
    const char *at;
} vp_words;

/* Reads the next word. @return false past the end */
bool vp_word_next(vp_words *words, const char **word, size_t *length);
/* Whether a word is this text. */
bool vp_word_is(const char *word, size_t length, const char *text);
/* Skips the next word if it is this text. @return whether it was */
bool vp_word_said(vp_words *words, const char *text);
/* Reads the next word as a whole number from `least` to `most`, or as the bits of a binary32. @return false for any other word */
bool vp_word_whole(vp_words *words, int64_t least, int64_t most, int64_t *out);
bool vp_word_float(vp_words *words, float *out);

/* The value of a hexadecimal digit, or -1. */
int vp_digit_of(char c);
typedef struct vp_bits_text {
    char text[9];
} vp_bits_text;
vp_bits_text vp_bits_of(float value);

/* Writes numbers as bits, with a space before each. */
void vp_words_floats(FILE *to, const float *number, size_t count);

/* Reads the words of a question. A message names the word that is invalid. @return VP_E_FORMAT */
typedef struct vp_reader {
    vp_words *words;
    const char *begin, *last; /* start of the words, and of the current word */
    vp_error *error;
} vp_reader;
vp_status vp_reader_whole(vp_reader *r, int64_t least, int64_t most, int64_t *out, const char *what);
vp_status vp_reader_floats(vp_reader *r, float *out, size_t count, const char *what);

/* Checks for JSON values of the corpus. They implement conformance/corpus/schema.json and rules that a schema cannot express. */

/* A word out of a list, followed by binary32 numbers. */
typedef struct vp_choice {
    const char *const *names; /* NULL past the end */
    const size_t *numbers;    /* how many follow each word, NULL = none */
} vp_choice;

/* Returns the index of a word, or -1. */
int vp_choice_of(const vp_choice *choice, const char *word, size_t length);

/* The type and range that a value must have. */
typedef struct vp_value {
    json_type type;              /* JSON_REAL = any number, JSON_NULL = anything */
    double least, most;          /* range of a number */
    const char *letters;         /* letters that a text may use, at least one, NULL = any text */
    size_t count;                /* letters of a text or elements of a list, 0 = any number */
    const struct vp_value *part; /* type of a list's elements */
    const vp_choice *choice;     /* text: one of these words. List: one of these words and its numbers, NULL = any */
    bool (*also)(json_t *value); /* a further check, NULL = none */
} vp_value;

extern const vp_value vp_is_anything, vp_is_object, vp_is_true, vp_is_words; /* words: a text that is not empty */
extern const vp_value vp_is_bits;                                            /* eight lower-case hexadecimal digits of a binary32 */
extern const vp_value vp_is_whole;                                           /* >= 0 */
extern const vp_value vp_is_three, vp_is_threes;                             /* three whole numbers, and a list of such triples */
extern const vp_value vp_is_cell;                                            /* coordinates of a cell, which may be negative */
extern const vp_value vp_is_place, vp_is_places;                             /* three binary32 numbers */
extern const vp_value vp_is_numbers;                                         /* distinct whole numbers */
extern const vp_value vp_is_tolerance;                                       /* >= 0 */

/* Whether no two elements of a list are equal. */
bool vp_value_unique(json_t *value);

/* The beginning of a value as ASCII text for messages; "missing" for NULL. */
typedef struct vp_value_text {
    char text[80];
} vp_value_text;
vp_value_text vp_value_shown(const json_t *value);

/* A member of an object. */
typedef struct vp_member {
    const char *name; /* NULL = end of the list */
    const vp_value *is;
    const char *otherwise; /* NULL = required, otherwise the default, in words */

    /* Place of the member in a part of a question, whose numbers have 32 bits each. A choice is followed by its numbers. The part itself
     * must read other members. */
    const char *what;    /* description of each number in messages: "the bits of a coordinate" */
    size_t at;           /* offset of the numbers, for `many` offset of the pointer to them */
    int64_t least, most; /* range of a number, or `most` the maximum count, 0 = as in `is` */
    size_t below;        /* offset of the exclusive limit of the numbers, 0 = none */
    const char
        *many; /* name of the items of a list with its own memory: "points". If the list may have any length, its count precedes the part */
    size_t count;   /* offset of that count */
    size_t letters; /* minimum letters an item takes in a line */
    size_t stride;  /* numbers from one item to the next, 0 = as many as an item has */
} vp_member;

/* Offset and description of a member's numbers. VP_LISTED also names a list's items and where its count is. */
#define VP_AT(part, member, numbers)                  .at = offsetof(part, member), .what = numbers
#define VP_LISTED(part, member, numbers, of, counted) VP_AT(part, member, numbers), .many = of, .count = offsetof(part, counted)

static inline bool vp_member_is_counted(const vp_member *m)
{
    return m->many != NULL && m->is->count == 0;
}

/* Checks that an object has exactly the members of some lists, which end with NULL, and that each value is valid.
 * @param where  the object's name and a colon, or ""
 * @return VP_E_FORMAT, with a message that names the member */
vp_status vp_members_check(json_t *object, const vp_member *const *lists, const char *where, vp_error *error);

/* Reports that a member of an expected answer is invalid. @return VP_E_FORMAT */
vp_status vp_expected_wrong(const json_t *answer, const char *member, vp_error *error);
/* Checks that the member lists numbers below a limit. @param some  whether the list must not be empty */
vp_status vp_expected_below(const json_t *answer, const char *member, uint32_t limit, bool some, vp_error *error);

/* Writes all numbers and texts of a value, in order, with a space before each. @return false for any other type */
bool vp_value_flatten(const json_t *value, FILE *to);
/* Reads a value from such words. @param count  elements of a list if its type and choice leave that open, SIZE_MAX = all remaining words */
json_t *vp_value_of(const vp_value *is, vp_words *words, size_t count);

/* Reads a binary32 number, NaN for anything else. */
float vp_value_bits(const json_t *bits);

/* Reads a list of numbers below 2^32, or of rows of `each` numbers. The caller frees it, NULL without memory. The others sort numbers in
 * ascending order, and convert such a list to JSON. */
uint32_t *vp_numbers_of(const json_t *list, uint32_t each, uint32_t *count);
void vp_numbers_sort(uint32_t *number, uint32_t count);
json_t *vp_numbers_json(const uint32_t *number, uint32_t count, uint32_t each);

#endif
