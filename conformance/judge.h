/* SPDX-License-Identifier: MIT */
/* Whether an answer is right: by what the corpus expects, and where that is a property, by a checker. No kernel is asked. */
#ifndef VP_CONFORMANCE_JUDGE_H
#define VP_CONFORMANCE_JUDGE_H

#include "src/core/error.h"
#include "conformance/corpus.h"

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

enum { VP_REASON_BYTES = 240 };

/* An answer in memory. Which members there are, the family and the answer say. */
typedef struct vp_answer {
    enum { VP_ANSWER_NONE, VP_ANSWER_HIT, VP_ANSWER_WORD, VP_ANSWER_MASKS, VP_ANSWER_LIST, VP_ANSWER_FLAT, VP_ANSWER_MESH } kind;
    int32_t place[3];  /* of a hit: a cell; or a triangle, in place[0] */
    float t;           /* of a hit */
    const char *word;  /* what is touched */
    size_t length;     /* of it */
    const char *mask[2]; /* of solid and water: a letter a cell */
    uint32_t *number;  /* a list of triangles, of corners; three a triangle of a hull or mesh */
    uint32_t count;    /* of the list; of triangles */
    vp_vec3 *vertex;   /* of a mesh */
    uint32_t vertices;
} vp_answer;

/* Reads the words behind an answer's number, of any answer but a refusal. `text` has to stay.
   @return VP_E_FORMAT if they are no answer to that question; VP_E_MEMORY. Drop it, also after a failure. */
vp_status vp_answer_read(const vp_question *q, const char *text, vp_answer *out, vp_error *error);
void vp_answer_drop(vp_answer *answer);

/* Judges the words behind an answer's number. `reason` says what is wrong, of every result but VP_RESULT_PASS.
   @return VP_E_FORMAT if the vector's own "expected" is not as the family wants it, VP_E_MEMORY */
vp_status vp_judge(const vp_vector *vector, const char *words, vp_result *out, char reason[VP_REASON_BYTES], vp_error *error);

/* What is wrong, in words. */
void vp_reason_say(char reason[VP_REASON_BYTES], const char *format, ...) VP_PRINTF(2, 3);

/* ---- checkers of properties; each fills `reason`, or leaves it empty if there is nothing wrong ---- */

/* Points by number are the corners of the hull in the plane, counterclockwise and once around, where points may be outside by so much of the extent. */
void vp_check_polygon(const vp_question *q, const vp_answer *answer, double tolerance, char reason[VP_REASON_BYTES]);

/* Triangles are the hull of points in space, up to so much of the extent, and enclose as much; of a set in a plane, each side that there is covers the polygon
   once. Corners are points by number, or of kind VP_ANSWER_MESH vertices of the answer's own, which may be as far outside. `vertex` is every vertex of the
   exact hull. */
typedef struct vp_hull_wanted {
    uint32_t dimension;
    const uint32_t *vertex; /* points */
    uint32_t vertices;
    double volume, tolerance;
} vp_hull_wanted;
vp_status vp_check_hull(const vp_question *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES], vp_error *error);

/* A mesh is closed, has the centres of cells that are more than half full inside and of all others outside, those around the grid too, and nothing between two
   neighbours that are on one side; every part of it goes around a centre, and stays within the cells around those that are inside. */
vp_status vp_check_surface(const vp_question *q, const vp_answer *answer, char reason[VP_REASON_BYTES], vp_error *error);

#endif
