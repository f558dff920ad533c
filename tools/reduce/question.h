/* SPDX-License-Identifier: MIT */
/* `voxphys reduce --adapter`: of a question of the conformance corpus that a program answers wrong, as far as
 * another can tell, one that is as small and as round as can be, and still is answered so. */
#ifndef VP_TOOLS_REDUCE_QUESTION_H
#define VP_TOOLS_REDUCE_QUESTION_H

#include <signal.h>

#include "conformance/corpus.h"

typedef struct vp_question_reduction {
    const char *asked, *against; /* commands of adapters */
    double limit;                /* seconds that an answer may take */
    uint64_t most_tries;
    volatile const sig_atomic_t *stop;

    const char *out;  /* the file that is written as soon as there is a failure; NULL: none */
    json_t *expected; /* if the question that is given is a vector: what the corpus expects; else NULL.
                         Decrement it */

    vp_question best;  /* the smallest so far; in the beginning the one that is given. Drop it */
    char failure[240]; /* in words */
    size_t begun_with; /* points, triangles or cells that are not air */
    uint64_t tries;
    bool stopped; /* by a signal, or by most_tries; what is here still fails */
} vp_question_reduction;

/* Makes `best` smaller. VP_E_ARGUMENT if there is nothing wrong, as far as can be told, or not the same way
   twice; VP_E_MEMORY, VP_E_IO; what vp_adapter_open says. */
vp_status vp_question_reduce(vp_question_reduction *r, vp_error *error);

/* What `voxphys reduce IN -o OUT --adapter ASKED` does. @param against  NULL: this program's reference.
 * @return the exit code */
int vp_reduce_question(const char *in, const char *out, const char *asked, const char *against, double limit,
                       uint64_t most_tries, bool json);

/* How many points, triangles, or cells that are not air a question has. */
size_t vp_question_parts(const vp_question *q);

/* Reads the question that is given: a vector of the corpus by its id, or a file: a vector in JSON, as the
   corpus has them or as vp_question_json makes one, or a line of the protocol, with its number or without.
   VP_E_IO, VP_E_FORMAT, VP_E_MEMORY. */
vp_status vp_question_open(const char *name, vp_question_reduction *out, vp_error *error);

/* Writes `best` to `out`. VP_E_IO, VP_E_MEMORY */
vp_status vp_question_save(const vp_question_reduction *r, vp_error *error);

/* As a file for conformance/corpus/make/found: family, name and about, which the author gives it, and the
 * input of a vector. */
json_t *vp_question_json(const vp_question *q, const char *about);

#endif
