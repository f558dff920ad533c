/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys reduce`, which are tries of points, and the reduction of questions. */
#ifndef VP_TOOLS_REDUCE_REDUCE_H
#define VP_TOOLS_REDUCE_REDUCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/kernels.h>

#include "conformance/family.h"

/* ---- tries ---- */

typedef enum vp_end {
    VP_END_FINE,   /* no failure */
    VP_END_STATUS, /* exit status other than 0 */
    VP_END_SIGNAL, /* ended by a signal */
    VP_END_TIME,   /* time limit exceeded */
    VP_END_STOPPED /* no result, because `stop` was set */
} vp_end;

/* Outcome of a try. Two failures are the same if all members are equal. */
typedef struct vp_trial_outcome {
    vp_end end;
    int number; /* status or signal */
    int stage;  /* kernels: the last step, otherwise 0 */
} vp_trial_outcome;

enum { VP_TRIAL_VERSIONS = VP_ISA_COUNT + 1 };

/* The thing under test. Each try has a process of its own. */
typedef struct vp_trial {
    char **command; /* ends with NULL. NULL = kernels are tried */
    double limit;   /* seconds */
    uint32_t columns;
    volatile const sig_atomic_t *stop; /* set by a signal, which ends the try */

    size_t versions; /* kernels, the reference first */
    struct {
        char name[24];
        vp_kernels kernels;
    } version[VP_TRIAL_VERSIONS];

    char *folder, *file; /* file for a command, and its folder */
    char **arguments;    /* with the file's name in place of {} */
    uint64_t tries;
} vp_trial;

/* Prepares a trial whose members up to `columns` are set. Close it, also after a failure.
   isa  name of the kernels to try, NULL = all that run here
   @return VP_E_ARGUMENT for an unknown name and for a command without {}. VP_E_UNSUPPORTED, VP_E_IO, VP_E_MEMORY */
vp_status vp_trial_open(vp_trial *trial, const char *isa, vp_error *error);
void vp_trial_close(vp_trial *trial);

/* Tries points. @return VP_E_MEMORY, also if the process ran out of memory, VP_E_IO, VP_E_ARGUMENT for a command that can't be run */
vp_status vp_trial_run(vp_trial *trial, const vp_vec3 *point, uint32_t count, vp_trial_outcome *out, vp_error *error);

/* Restricts a trial of all kernels to the version of a failure. */
void vp_trial_narrow(vp_trial *trial, vp_trial_outcome *outcome);

/* Describes a failure: "the hull by avx2 is not the reference's". */
void vp_trial_describe(const vp_trial *trial, const vp_trial_outcome *outcome, char text[160]);

/* ---- reduction of a question, or of a set of points ---- */

typedef struct vp_shrinking {
    vp_question best;         /* the smallest failing question so far, at first the given one. Free it with vp_question_drop */
    size_t begun_with, least; /* initial and minimum number of parts: points, triangles, or cells other than air */
    size_t columns;           /* set of points that may be moved and scaled as a whole: its columns, otherwise 0 */
    const char *progress;     /* "points left out" */
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

/* ---- the command ---- */

/* Runs `voxphys reduce IN -o OUT --adapter ASKED`. @param against  NULL = this program's reference
 * @return the exit code */
int vp_reduce_question(const char *in, const char *out, const char *asked, const char *against, double limit, uint64_t most_tries,
                       bool json);

#endif
