/* SPDX-License-Identifier: MIT */
/* Whether an answer is right: by what is expected of it. */
#ifndef VP_CONFORMANCE_JUDGE_H
#define VP_CONFORMANCE_JUDGE_H

#include "conformance/family.h"

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
vp_status vp_judge(const vp_question *q, const json_t *expected, const char *words, vp_result *out,
                   char reason[VP_REASON_BYTES], vp_error *error);

/* Judges an answer by another program's: all of `l` but `out` is set. */
vp_status vp_judge_like(const vp_likening *l);

#endif
