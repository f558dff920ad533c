/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys reduce`. */
#ifndef VP_TOOLS_REDUCE_REDUCE_H
#define VP_TOOLS_REDUCE_REDUCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/kernels.h>

#include "conformance/family.h"

/* ---- reduction of a question ---- */

typedef struct vp_shrinking {
    vp_question best;     /* the smallest failing question so far, at first the given one. Free it with vp_question_drop */
    size_t begun_with;    /* initial number of parts: points, triangles, or cells other than air */
    const char *progress; /* "parts left out" */
    uint64_t tries, most_tries;
    volatile const sig_atomic_t *stop;
    bool stopped; /* stopped early by a signal or by most_tries. `best` still fails */
    /* Whether a question fails in the wanted way. Counts `tries`. */
    vp_status (*fails)(void *user, const vp_question *q, bool *fails, vp_error *error);
    void *user;
} vp_shrinking;

/* Number of parts of a question. */
size_t vp_shrinking_parts(const vp_question *q);

/* Reduces a question. Repeats these steps until none helps: leave out parts, first halves of them, then smaller sets
   and single ones (after A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002). Leave
   out layers of grids. Round numbers. */
vp_status vp_shrink(vp_shrinking *s, vp_error *error);

/* ---- questions from and to files ---- */

/* Reads a question. Free it with vp_question_drop.
   name  id of a vector of the corpus, or a file. The file has a vector in JSON, as in the corpus or from
         vp_question_save, or a line of the protocol with or without its number
   @param expected  out: the expected answer of a vector, otherwise unchanged. Decrement it
   @return VP_E_IO, VP_E_FORMAT, VP_E_MEMORY */
vp_status vp_question_open(const char *name, vp_question *out, json_t **expected, vp_error *error);

/* Writes a file for conformance/corpus/make/found: the family, a name and description for the author to fill in, and
   the input. @return VP_E_IO, VP_E_MEMORY */
vp_status vp_question_save(const vp_question *q, const char *about, const char *path, vp_error *error);

#endif
