/* SPDX-License-Identifier: MIT */
/* A family is one kind of question, such as "which triangle does this ray hit?", that any engine can answer. It defines how a question is
 * read and written, how the library answers it, and how any program's answer is judged.
 *
 * To add a family, write families/NAME.c with one vp_family and add a line to families.c. The corpus reader, `voxphys check`, `voxphys
 * adapter` and `voxphys reduce` are loops over all families. docs/CONFORMANCE.md describes the line protocol and the corpus. */
#ifndef VP_CONFORMANCE_FAMILY_H
#define VP_CONFORMANCE_FAMILY_H

#include <stdio.h>

#include <voxphys/kernels.h>

#include "conformance/value.h"
#include "src/core/error.h"

/* ---- questions ---- */

/* A part of a question, such as a grid or a ray. shared/shared.h declares the parts that families share. A part occupies `size` bytes,
 * which start as 0. Unused members are NULL. */
typedef struct vp_part {
    size_t size;
    const vp_member *members; /* members of "input", in the order of the words */
    const char *nor;          /* appended to the list counts in messages: " and 0 triangles" */
    /* Replace vp_part_read and vp_part_write if the members do not describe everything. Reading accepts any number, because adapters have
     * to refuse invalid rays themselves. Writing puts a space before each word. Partly read parts are dropped too. */
    vp_status (*read)(vp_reader *r, const struct vp_part *of, void *part);
    void (*write)(const struct vp_part *of, void *part, FILE *to);
    /* Copies and frees memory outside the members' lists. A copy starts with the original's pointers. If memory runs out, copy must reset
     * them and return false. */
    bool (*copy)(void *part);
    void (*drop)(void *part);

    /* For `voxphys reduce`, which makes a question smaller. Only the first part needs a unit. Every part can have a count
     * of its elements. */
    const char *unit; /* "triangles" */
    size_t (*count)(const struct vp_part *of, void *part);
    bool (*leave_out)(const struct vp_part *of, void *part, size_t from, size_t to); /* @return false without memory */
    /* Removes the first or the last layer and reports by how much the other parts move. @return false for the only layer */
    bool (*crop)(void *part, int axis, bool first, vp_vec3 *by);
    void (*move)(void *part, vp_vec3 by);
    float *(*number)(const struct vp_part *of, void *part, size_t i); /* the i-th number, NULL past the end */
    uint8_t *(*level)(void *part, size_t i);                          /* the i-th level, 0 and 255 count as simple, NULL past the end */
} vp_part;

/* Defaults that follow `members`. Numbers are binary32. Counting and leaving out apply to the last list of variable length. */
vp_status vp_part_read(vp_reader *r, const vp_part *of, void *part);
void vp_part_write(const vp_part *of, void *part, FILE *to);
bool vp_part_copy(const vp_part *of, void *from, void *to); /* @return false without memory */
void vp_part_drop(const vp_part *of, void *part);
float *vp_part_number(const vp_part *of, void *part, size_t i);
size_t vp_part_count(const vp_part *of, void *part);
bool vp_part_leave_out(const vp_part *of, void *part, size_t from, size_t to);

enum { VP_QUESTION_PARTS = 5, VP_QUESTION_MAX_POINTS = 1 << 22 /* also the limit for vertices and triangles */ };

typedef struct vp_question {
    const struct vp_family *family;
    void *part[VP_QUESTION_PARTS]; /* one for each part of the family */
} vp_question;

/* Reads the words after a family's name, or a vector's "input". Drop the question, also after a failure.
 * @return VP_E_FORMAT, with a message that names the word or member, VP_E_MEMORY */
vp_status vp_question_read(vp_words *words, const struct vp_family *family, vp_question *out, vp_error *error);
vp_status vp_question_of(const struct vp_family *family, json_t *input, vp_question *out, vp_error *error);

/* Returns the question's "input", or NULL without memory. */
json_t *vp_question_input(const vp_question *q);
/* Returns the line with its number and line feed. The caller frees it. NULL without memory. */
char *vp_question_line(const vp_question *q, size_t number, size_t *length);

/* Copies a question. Drop the copy, also after a failure. @return VP_E_MEMORY */
vp_status vp_question_copy(const vp_question *q, vp_question *out, vp_error *error);

/* Frees the memory of a question. A question of zero bytes is a no-op. */
void vp_question_drop(vp_question *q);

/* ---- answers ---- */

typedef enum vp_answer_kind {
    VP_ANSWER_OTHER,
    VP_ANSWER_NONE,
    VP_ANSWER_HIT,
    VP_ANSWER_FLAT,
    VP_ANSWER_MESH,
    VP_ANSWER_OVERLAP
} vp_answer_kind;

/* An answer in memory. Its kind and its family say which members are used. */
typedef struct vp_answer {
    vp_answer_kind kind;
    int32_t place[3];    /* hit: the cell, or the triangle in place[0] */
    float t;             /* hit: the ray's parameter. VP_FORM_PLACES: the first number */
    const char *word[2]; /* word answers: pointers into the text */
    size_t length;       /* length of each word */
    uint32_t *number;    /* triangles or corners, three for each triangle of a hull or mesh */
    uint32_t count;      /* of the list, of triangles, or of rows of VP_FORM_PLACES */
    vp_vec3 *vertex;     /* mesh: its vertices. VP_FORM_PLACES: for each row its number as an x, then its vectors */
    uint32_t vertices;
    bool no_memory; /* the answer did not fit in memory */
} vp_answer;

/* A form that an answer may have: its first word, and the numbers that follow. */
typedef struct vp_form {
    const char *word; /* NULL = end of the list */
    vp_answer_kind kind;
    enum {
        VP_FORM_WORD,    /* nothing follows */
        VP_FORM_NUMBERS, /* a count, and rows of `each` whole numbers */
        VP_FORM_MESH,    /* a mesh with its own vertices */
        VP_FORM_PLACES   /* a count if `limit` is not 0, and rows of one number and `each` vectors, all binary32 */
    } is;
    uint32_t each;
    uint32_t limit; /* exclusive limit of whole numbers, or inclusive limit of the count of places */
    size_t below;   /* offset of the limit in the question's first part, 0 = `limit` */
} vp_form;

/* Reads a count and `each` numbers below `limit` per item. @return false for anything else, or without memory */
bool vp_answer_list(vp_words *words, uint32_t each, uint32_t limit, vp_answer *out);

/* Reads the words after an answer's number, unless it is a refusal. `text` must outlive the answer. Drop the answer, also after a failure.
 * @return VP_E_FORMAT if the words do not answer this question, VP_E_MEMORY */
vp_status vp_answer_read(const vp_question *q, const char *text, vp_answer *out, vp_error *error);
void vp_answer_drop(vp_answer *answer);

enum { VP_REASON_BYTES = 240 };

/* Writes a reason in words. */
void vp_reason_say(char reason[VP_REASON_BYTES], const char *format, ...) VP_PRINTF(2, 3);

/* How an answer is compared with the expected one. */
typedef enum vp_promise {
    VP_PROMISE_EXACT,    /* equal to the expected answer */
    VP_PROMISE_SET,      /* the expected items, in any order */
    VP_PROMISE_TIE,      /* equal to one of the expected answers */
    VP_PROMISE_BOUND,    /* within the expected bounds */
    VP_PROMISE_PROPERTY, /* accepted by a checker */
    VP_PROMISE_COUNT
} vp_promise;

/* Promises that a family's vectors may make. VP_NONE and VP_REFUSED allow {"none": true} and {"refused": true} as expected answers. */
enum {
    VP_EXACT = 1 << VP_PROMISE_EXACT,
    VP_SET = 1 << VP_PROMISE_SET,
    VP_TIE = 1 << VP_PROMISE_TIE,
    VP_BOUND = 1 << VP_PROMISE_BOUND,
    VP_PROPERTY = 1 << VP_PROMISE_PROPERTY,
    VP_NONE = 1 << VP_PROMISE_COUNT,
    VP_REFUSED = 2 << VP_PROMISE_COUNT
};

/* An answer and one alternative in JSON, which was validated before. */
typedef struct vp_judging {
    const vp_question *q;
    const json_t *alternative;
    const vp_answer *answer;
    char *reason; /* [VP_REASON_BYTES] */
    vp_error *error;
} vp_judging;

typedef struct vp_likening vp_likening;

/* ---- families ---- */

/* One family. Unused members are NULL. An alternative is one of a vector's expected answers. */
typedef struct vp_family {
    const char *name;                           /* "ray-mesh" */
    const vp_part *part[VP_QUESTION_PARTS + 1]; /* parts of the question, in the order of the words, ends with NULL */

    unsigned promises;         /* VP_EXACT, ... */
    const vp_member *expected; /* members of an alternative that is neither none nor refused */
    size_t letters;            /* letters a cell in word answers, see vp_words_read */
    const char *checker;       /* the checker that VP_PROPERTY vectors name */
    /* Validates an alternative beyond its members. @return VP_E_FORMAT */
    vp_status (*sound)(const vp_question *q, const json_t *alternative, vp_error *error);

    /* Writes the library's answer. NULL = the library does not offer this. A failure counts as a refusal and must not
     * have written anything. */
    vp_status (*answer)(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error);
    /* Reads an answer, unless it is a refusal, if `forms` do not describe it. @return false for anything else, or without memory */
    const vp_form *forms;
    bool (*read)(const vp_question *q, vp_words *words, vp_answer *out);
    /* Explains why words cannot be read, if a length is wrong or a word is missing. Otherwise sets "". */
    void (*unread)(const vp_question *q, const char *text, char reason[VP_REASON_BYTES]);
    /* Compares the answer with the alternative. A checker writes its finding to `reason`. @return VP_E_MEMORY */
    vp_status (*judge)(const vp_judging *j, bool *right);
    bool (*may_refuse)(const json_t *alternative); /* whether a refusal is accepted instead of this alternative */

    /* Judging without an expected answer, as in fuzzing. `unsound` returns the expected answer to an invalid question, or NULL for a valid
     * one. `expect` turns the answer of a trusted program into an expected answer. `like` is used where that is not enough, and judges one
     * answer by the other. */
    json_t *(*unsound)(const vp_question *q);
    json_t *(*expect)(const vp_question *q, const vp_answer *right);
    vp_status (*like)(const vp_likening *l, const vp_answer *right);
} vp_family;

enum { VP_FAMILIES_MAX = 64 };
extern const vp_family *const vp_families[]; /* ends with NULL */

/* Returns NULL for an unknown name. */
const vp_family *vp_family_named(const char *name, size_t length);

/* All names, separated by commas. */
typedef struct vp_family_names {
    char text[1024];
} vp_family_names;
vp_family_names vp_families_listed(void);

/* ---- judging ---- */

typedef enum vp_result {
    VP_RESULT_PASS,
    VP_RESULT_FAIL,    /* a wrong answer, or something that is no answer */
    VP_RESULT_DIFFERS, /* a right answer where the first program's words were required */
    VP_RESULT_HANG,    /* no answer in time */
    VP_RESULT_CRASH,   /* the adapter ended without an answer */
    VP_RESULT_REFUSED, /* refused a question that has an answer */
    VP_RESULT_ABSENT,  /* the adapter does not know the family */
    VP_RESULT_COUNT
} vp_result;

/* "pass" */
const char *vp_result_name(vp_result result);

/* Judges the words that follow an answer's number. No kernel is called.
 * @param expected  an alternative, or a list of alternatives of which one must match
 * @param reason    explains every result except VP_RESULT_PASS
 * @return VP_E_MEMORY */
vp_status vp_judge(const vp_question *q, const json_t *expected, const char *words, vp_result *out, char reason[VP_REASON_BYTES],
                   vp_error *error);

/* ---- judging without an oracle ---- */

typedef enum vp_likeness {
    VP_LIKE_RIGHT,
    VP_LIKE_WRONG,
    VP_LIKE_UNDECIDED /* the trusted program's answer does not settle it */
} vp_likeness;

/* An answer to judge by the answer of a trusted program. Right answers may differ in their words: a polygon can begin at any corner, and a
 * quad has two triangulations. In doubt an answer is not called wrong. */
struct vp_likening {
    /* Asks the trusted program. The caller frees `words`, which is NULL if there was no answer. */
    vp_status (*ask)(void *user, const vp_question *q, char **words, vp_error *error);
    void *user;
    const vp_question *q;
    const char *right, *words; /* the trusted answer, and the answer to judge */
    vp_likeness *out;
    char *reason; /* set unless the result is VP_LIKE_RIGHT */
    vp_error *error;
};

/* Judges the words by an expected answer, which is freed. NULL counts as VP_E_MEMORY. */
vp_status vp_like_expected(const vp_likening *l, const char *words, json_t *expected, bool *right);
vp_status vp_like_undecided(const vp_likening *l, const char *why);

/* Judges an answer by the trusted one. All members must be set. */
vp_status vp_judge_like(const vp_likening *l);

#endif
