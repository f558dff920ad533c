/* SPDX-License-Identifier: MIT */
/* `voxphys reduce --adapter`: of a question of the conformance corpus that a program answers otherwise than another, one that is as small
 * and as round as can be, and still is answered so. */
#ifndef VP_TOOLS_REDUCE_QUESTION_H
#define VP_TOOLS_REDUCE_QUESTION_H

#include <signal.h>

#include "tools/check_question.h"

struct json_t;

typedef struct vp_question_reduction {
    const char *asked, *against; /* commands of adapters */
    double limit;                /* seconds that an answer may take */
    uint64_t most_tries;
    volatile const sig_atomic_t *stop;

    vp_question best;            /* the smallest so far; in the beginning the one that is given. Drop it */
    char failure[240];           /* in words */
    size_t begun_with;           /* points, triangles or cells that are not air */
    uint64_t tries;
    bool stopped;                /* by a signal, or by most_tries; what is here still fails */
} vp_question_reduction;

/* Makes `best` smaller. VP_E_ARGUMENT if the two answer alike, or not the same way twice; VP_E_MEMORY; what vp_adapter_open says. */
vp_status vp_question_reduce(vp_question_reduction *r, vp_error *error);

/* What `voxphys reduce IN -o OUT --adapter ASKED` does. @param against  NULL: this program's reference. @return the exit code */
int vp_reduce_question(const char *in, const char *out, const char *asked, const char *against, double limit, uint64_t most_tries, bool json);

/* How many points, triangles, or cells that are not air a question has. */
size_t vp_question_parts(const vp_question *q);

/* Reads a question: a vector of the corpus by its id, or a file: a vector in JSON, as the corpus has them or as vp_question_json makes
   one, or a line of the protocol from the family's name on. VP_E_IO, VP_E_FORMAT, VP_E_MEMORY. */
vp_status vp_question_open(const char *name, vp_question *out, vp_error *error);

/* As a file for datasets/conformance/make/found: family, name and about, which the author gives it, and the input of a vector. */
struct json_t *vp_question_json(const vp_question *q, const char *about);

#endif
