/* SPDX-License-Identifier: MIT */
/* Whether an answer is right to a question that no oracle has answered: what it must have in common with the answer of a program that is
 * held for right. Right answers may differ in their words: a polygon begins at any corner, a box has two triangulations. */
#ifndef VP_TOOLS_REDUCE_RIGHT_H
#define VP_TOOLS_REDUCE_RIGHT_H

#include "conformance/judge.h"

/* A program that is held for right. */
typedef struct vp_held_right {
    /* Asks it. `words` is to be freed; NULL: there is no answer */
    vp_status (*ask)(void *user, const vp_question *q, char **words, vp_error *error);
    void *user;
} vp_held_right;

typedef enum vp_likeness {
    VP_LIKE_RIGHT,
    VP_LIKE_WRONG,
    VP_LIKE_UNDECIDED /* what is right cannot be told from that program; the reason says why */
} vp_likeness;

/* @param right   what that program answers
   @param words   what is judged
   @param reason  of all but VP_LIKE_RIGHT */
vp_status vp_judge_like(const vp_held_right *program, const vp_question *q, const char *right, const char *words, vp_likeness *out,
                        char reason[VP_REASON_BYTES], vp_error *error);

#endif
