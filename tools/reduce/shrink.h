/* SPDX-License-Identifier: MIT */
/* A question on which something fails, made as small and as round as can be. A set of points is one too. */
#ifndef VP_TOOLS_REDUCE_SHRINK_H
#define VP_TOOLS_REDUCE_SHRINK_H

#include <signal.h>

#include "conformance/family.h"

typedef struct vp_shrinking {
    vp_question best;         /* the smallest so far that fails; in the beginning the one that is given. Drop it */
    size_t begun_with, least; /* parts: points, triangles, cells that are not air; and how few it may have */
    size_t columns;           /* of a set of points, which may be moved and scaled as a whole; else 0 */
    const char *progress;     /* "points left out" */
    uint64_t tries, most_tries;
    volatile const sig_atomic_t *stop;
    bool stopped; /* by a signal, or by most_tries; what is here still fails */
    /* Whether it fails in the way that is wanted; counts `tries`. */
    vp_status (*fails)(void *user, const vp_question *q, bool *fails, vp_error *error);
    void *user;
} vp_shrinking;

/* How many parts a question has. */
size_t vp_shrinking_parts(const vp_question *q);

/* Leaves out parts until none can be left out alone, halves of them first (after A. Zeller, R. Hildebrandt, "Simplifying and Isolating
   Failure-Inducing Input", 2002), and layers of grids, and makes numbers round, again and again. */
vp_status vp_shrink(vp_shrinking *s, vp_error *error);

/* ---- questions from and to files ---- */

/* Reads the question that is given: a vector of the corpus by its id, or a file: a vector in JSON, as the corpus has them or as
   vp_question_save writes one, or a line of the protocol, with its number or without. Drop it. @param expected  receives what the corpus
   expects, if it is a vector; else it is left alone. Decrement it
   @return VP_E_IO, VP_E_FORMAT, VP_E_MEMORY */
vp_status vp_question_open(const char *name, vp_question *out, json_t **expected, vp_error *error);

/* Writes a file for conformance/corpus/make/found: family, name and about, which the author gives it, and the
   input of a vector. VP_E_IO, VP_E_MEMORY */
vp_status vp_question_save(const vp_question *q, const char *about, const char *path, vp_error *error);

#endif
