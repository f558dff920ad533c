/* SPDX-License-Identifier: MIT */
/* A family of questions that anybody can be asked: docs/CONFORMANCE.md. One file a family in families/, one line in families.c; the corpus,
 * `voxphys check`, `voxphys adapter` and `voxphys reduce` are loops over them. */
#ifndef VP_CONFORMANCE_FAMILY_H
#define VP_CONFORMANCE_FAMILY_H

#include <stdio.h>

#include <voxphys/kernels.h>

#include "conformance/value.h"
#include "src/core/error.h"

/* ---- questions ---- */

/* What questions are made of, such as a grid or a ray: shared/shared.h has those that families share. `part`
   is of `size` bytes, which are 0 at first. What a part does not have is NULL. */
typedef struct vp_part {
    size_t size;
    const vp_member *members; /* of "input", in the order of the words */
    const char *nor;          /* in messages, behind how many there are of what it has: " and 0 triangles" */
    /* Of what members don't say all; else vp_part_read, vp_part_write. Any numbers may be read: what is no ray is for adapters to
       refuse. A space is written before each word; what was read in part is dropped too. */
    vp_status (*read)(vp_reader *r, const struct vp_part *of, void *part);
    void (*write)(const struct vp_part *of, void *part, FILE *to);
    /* Of memory besides the members' lists. A copy points to what it is of at first; false without memory: then that is no longer pointed
     * to */
    bool (*copy)(void *part);
    void (*drop)(void *part);

    /* To make a question smaller; the first part has a unit of what it is made of, and parts have a count of it. */
    const char *unit; /* "triangles" */
    size_t (*count)(const struct vp_part *of, void *part);
    bool (*leave_out)(const struct vp_part *of, void *part, size_t from, size_t to); /* @return false without memory */
    /* Leaves out the first or the last layer, by which the others move. @return false if it is the only one */
    bool (*crop)(void *part, int axis, bool first, vp_vec3 *by);
    void (*move)(void *part, vp_vec3 by);
    float *(*number)(const struct vp_part *of, void *part, size_t i); /* the i-th; NULL behind the last */
    uint8_t *(*level)(void *part, size_t i);                          /* of which 0 and 255 are round; NULL behind the last */
} vp_part;

/* As the members say; numbers are those of binary32. What is counted and left out is of the last list of any length. */
vp_status vp_part_read(vp_reader *r, const vp_part *of, void *part);
void vp_part_write(const vp_part *of, void *part, FILE *to);
bool vp_part_copy(const vp_part *of, void *from, void *to); /* @return false without memory */
void vp_part_drop(const vp_part *of, void *part);
float *vp_part_number(const vp_part *of, void *part, size_t i);
size_t vp_part_count(const vp_part *of, void *part);
bool vp_part_leave_out(const vp_part *of, void *part, size_t from, size_t to);

enum { VP_QUESTION_PARTS = 5, VP_QUESTION_MAX_POINTS = 1 << 22 /* or vertices, or triangles */ };

typedef struct vp_question {
    const struct vp_family *family;
    void *part[VP_QUESTION_PARTS]; /* as the family's parts say */
} vp_question;

/* Reads the words behind a family's name, or a vector's "input".
   @return VP_E_FORMAT: the message says which word or member is what; VP_E_MEMORY. Drop it, also after a failure. */
vp_status vp_question_read(vp_words *words, const struct vp_family *family, vp_question *out, vp_error *error);
vp_status vp_question_of(const struct vp_family *family, json_t *input, vp_question *out, vp_error *error);

/* Writes the family's name and the words behind it, and no end of line; or an "input", NULL without memory. */
void vp_question_write(const vp_question *q, FILE *to);
json_t *vp_question_input(const vp_question *q);
/* With a number before it and an end, to be freed; NULL without memory. */
char *vp_question_line(const vp_question *q, size_t number, size_t *length);

/* VP_E_MEMORY. Drop it, also after a failure. */
vp_status vp_question_copy(const vp_question *q, vp_question *out, vp_error *error);

/* Frees what a question holds; one of all zero bytes is left alone. */
void vp_question_drop(vp_question *q);

/* ---- answers ---- */

/* An answer in memory. Which members there are, the family and the answer say. */
typedef struct vp_answer {
    enum { VP_ANSWER_OTHER, VP_ANSWER_NONE, VP_ANSWER_HIT, VP_ANSWER_FLAT, VP_ANSWER_MESH } kind;
    int32_t place[3];    /* of a hit: a cell; or a triangle, in place[0] */
    float t;             /* of a hit */
    const char *word[2]; /* in the text that was read */
    size_t length;       /* of each */
    uint32_t *number;    /* a list of triangles, of corners; three a triangle of a hull or mesh */
    uint32_t count;      /* of the list; of triangles */
    vp_vec3 *vertex;     /* of a mesh */
    uint32_t vertices;
    bool no_memory; /* for it */
} vp_answer;

/* Reads a list of numbers below `limit`, so many for each that is counted; or a mesh. @return false if it is none, or without memory */
bool vp_answer_list(vp_words *words, uint32_t each, uint32_t limit, vp_answer *out);
bool vp_answer_mesh(vp_words *words, vp_answer *out);

/* Reads the words behind an answer's number, of any answer but a refusal. `text` has to stay.
   @return VP_E_FORMAT if they are no answer to that question; VP_E_MEMORY. Drop it, also after a failure. */
vp_status vp_answer_read(const vp_question *q, const char *text, vp_answer *out, vp_error *error);
void vp_answer_drop(vp_answer *answer);

enum { VP_REASON_BYTES = 240 };

/* What is wrong, in words. */
void vp_reason_say(char reason[VP_REASON_BYTES], const char *format, ...) VP_PRINTF(2, 3);

/* What an answer has to be. */
typedef enum vp_promise {
    VP_PROMISE_EXACT,    /* the one expected */
    VP_PROMISE_SET,      /* those expected, in any order */
    VP_PROMISE_TIE,      /* any of those expected */
    VP_PROMISE_BOUND,    /* within what is expected */
    VP_PROMISE_PROPERTY, /* a checker decides */
    VP_PROMISE_COUNT
} vp_promise;

/* What a family's vectors may promise, and expect besides an answer: {"none": true}, {"refused": true}. */
enum {
    VP_EXACT = 1 << VP_PROMISE_EXACT,
    VP_SET = 1 << VP_PROMISE_SET,
    VP_TIE = 1 << VP_PROMISE_TIE,
    VP_BOUND = 1 << VP_PROMISE_BOUND,
    VP_PROPERTY = 1 << VP_PROMISE_PROPERTY,
    VP_NONE = 1 << VP_PROMISE_COUNT,
    VP_REFUSED = 2 << VP_PROMISE_COUNT
};

/* An answer and one of those that are expected, in JSON, which is sound. */
typedef struct vp_judging {
    const vp_question *q;
    const json_t *alternative;
    const vp_answer *answer;
    char *reason; /* VP_REASON_BYTES */
    vp_error *error;
} vp_judging;

typedef struct vp_likening vp_likening;

/* ---- families ---- */

/* What a family does not have is NULL. An alternative is one of the answers that are expected. */
typedef struct vp_family {
    const char *name;                           /* "ray-mesh" */
    const vp_part *part[VP_QUESTION_PARTS + 1]; /* of its questions, in the words' order; ends with NULL */

    unsigned promises;         /* VP_EXACT, ... */
    const vp_member *expected; /* members of an alternative that is an answer */
    size_t letters;            /* of words that are answered, of each cell; see vp_words_read */
    const char *checker;       /* that a property names */
    /* Whether an alternative is as it should be, beyond its members: VP_E_FORMAT */
    vp_status (*sound)(const vp_question *q, const json_t *alternative, vp_error *error);

    /* What the library answers; NULL: it does not offer that. A failure is a refusal, and wrote nothing. */
    vp_status (*answer)(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error);
    /* Reads an answer that is no refusal. @return false if it is none, or without memory */
    bool (*read)(const vp_question *q, vp_words *words, vp_answer *out);
    /* Why words can't be read as such an answer: a length, or a word that is missing. "" if that is not why. */
    void (*unread)(const vp_question *q, const char *text, char reason[VP_REASON_BYTES]);
    /* Whether it is an alternative; `reason` says what a checker finds wrong. VP_E_MEMORY */
    vp_status (*judge)(const vp_judging *j, bool *right);
    bool (*may_refuse)(const json_t *alternative); /* whether a refusal is as right as that */

    /* What is right where no oracle has answered: what is expected of a question that is none, NULL of any other; what is expected where
       another program, which is held for right, answers so; or where that is not enough, an answer judged by that one. */
    json_t *(*unsound)(const vp_question *q);
    json_t *(*expect)(const vp_question *q, const vp_answer *right);
    vp_status (*like)(const vp_likening *l, const vp_answer *right);
} vp_family;

enum { VP_FAMILIES_MAX = 64 };
extern const vp_family *const vp_families[]; /* ends with NULL */

/* NULL if there is none of that name. */
const vp_family *vp_family_named(const char *name, size_t length);

/* All names, with a comma between them. */
typedef struct vp_family_names {
    char text[1024];
} vp_family_names;
vp_family_names vp_families_listed(void);

/* ---- judging ---- */

typedef enum vp_result {
    VP_RESULT_PASS,
    VP_RESULT_FAIL,    /* a wrong answer, or what is no answer */
    VP_RESULT_DIFFERS, /* a right one, where the first program's was asked for word by word */
    VP_RESULT_HANG,    /* no answer in time */
    VP_RESULT_CRASH,   /* the adapter ended instead */
    VP_RESULT_REFUSED, /* it said so, where there is an answer */
    VP_RESULT_ABSENT,  /* it does not know the family */
    VP_RESULT_COUNT
} vp_result;

/* "pass" */
const char *vp_result_name(vp_result result);

/* Judges the words behind an answer's number, by what is expected: an alternative, or a list of those of
   which any will do. No kernel is asked.
   @param reason  says what is wrong, of every result but VP_RESULT_PASS
   @return VP_E_MEMORY */
vp_status vp_judge(const vp_question *q, const json_t *expected, const char *words, vp_result *out, char reason[VP_REASON_BYTES],
                   vp_error *error);

/* ---- judging where no oracle has answered ---- */

typedef enum vp_likeness {
    VP_LIKE_RIGHT,
    VP_LIKE_WRONG,
    VP_LIKE_UNDECIDED /* what is right cannot be told from that program; the reason says why */
} vp_likeness;

/* An answer that is judged by the answer of a program that is held for right. Right answers may differ in their words: a polygon begins at
   any corner, a box has two triangulations. Where in doubt an answer is not called wrong. */
struct vp_likening {
    /* Asks that program. Free `words`, which is NULL where it does not answer. */
    vp_status (*ask)(void *user, const vp_question *q, char **words, vp_error *error);
    void *user;
    const vp_question *q;
    const char *right, *words; /* what that program answers, and what is judged */
    vp_likeness *out;
    char *reason; /* of all but VP_LIKE_RIGHT */
    vp_error *error;
};

/* Judges by what a corpus would expect, which is dropped; NULL is VP_E_MEMORY. */
vp_status vp_like_expected(const vp_likening *l, const char *words, json_t *expected, bool *right);
vp_status vp_like_undecided(const vp_likening *l, const char *why);

/* Judges an answer by another program's: all of `l` but `out` is set. */
vp_status vp_judge_like(const vp_likening *l);

#endif
