/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys reduce` share: trying a set of points, and making questions small. */
#ifndef VP_TOOLS_REDUCE_REDUCE_H
#define VP_TOOLS_REDUCE_REDUCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/kernels.h>

#include "conformance/family.h"

/* ---- a try ---- */

typedef enum vp_end {
    VP_END_FINE,   /* it does not fail */
    VP_END_STATUS, /* a process ended with a status that is not 0 */
    VP_END_SIGNAL, /* or by a signal */
    VP_END_TIME,   /* or had to be ended */
    VP_END_STOPPED /* nothing was found out: `stop` was set */
} vp_end;

/* How a try ended. Two are the same failure if all of it is. */
typedef struct vp_outcome {
    vp_end end;
    int number; /* the status or the signal */
    int stage;  /* of trying kernels: what was done last; otherwise 0 */
} vp_outcome;

enum { VP_TRIAL_VERSIONS = VP_ISA_COUNT + 1 };

/* What is tried, each time in a process of its own. */
typedef struct vp_trial {
    char **command; /* ends with NULL; NULL: kernels are tried */
    double limit;   /* seconds */
    uint32_t columns;
    volatile const sig_atomic_t *stop; /* set by a signal: the try is ended */

    size_t versions; /* of kernels, the reference first */
    struct {
        char name[24];
        vp_kernels kernels;
    } version[VP_TRIAL_VERSIONS];

    char *folder, *file; /* for a command */
    char **arguments;    /* with the file's name for {} */
    uint64_t tries;
} vp_trial;

/* Prepares a trial whose members down to `columns` are set. isa: kernels by that name alone, or NULL for all that run here.
   @return VP_E_ARGUMENT for an unknown name, and a command without {}; VP_E_UNSUPPORTED; VP_E_IO; VP_E_MEMORY. Close it, also after
           a failure. */
vp_status vp_trial_open(vp_trial *trial, const char *isa, vp_error *error);
void vp_trial_close(vp_trial *trial);

/* Tries points. VP_E_MEMORY, also where the process had none; VP_E_IO; VP_E_ARGUMENT for a command that cannot be run. */
vp_status vp_trial_run(vp_trial *trial, const vp_vec3 *point, uint32_t count, vp_outcome *out, vp_error *error);

/* Of a failure found by trying all: only that version is tried from now on. */
void vp_trial_narrow(vp_trial *trial, vp_outcome *outcome);

/* A failure in words: "the hull by avx2 is not the reference's". */
void vp_trial_describe(const vp_trial *trial, const vp_outcome *outcome, char text[160]);

/* ---- making a question small and round, on which something fails; a set of points is one too ---- */

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

/* ---- the command ---- */

/* What `voxphys reduce IN -o OUT --adapter ASKED` does. @param against  NULL: this program's reference.
 * @return the exit code */
int vp_reduce_question(const char *in, const char *out, const char *asked, const char *against, double limit, uint64_t most_tries,
                       bool json);

#endif
