/* SPDX-License-Identifier: MIT */
/* What command.c asks of verify.c. */
#ifndef VP_TOOLS_VERIFY_VERIFY_H
#define VP_TOOLS_VERIFY_VERIFY_H

#include <jansson.h>

#include "cases/case.h"
#include "datasets/datasets.h"
#include "host/program.h"

/* As an instruction set: all that needs no SIMDe. */
#define VP_VERIFY_NATIVE "native"

/* A verification: what is wanted, and what came of it. */
typedef struct vp_verify {
    const char *kernel, *isa, *dataset; /* NULL: all */
    uint64_t seed;
    bool thorough; /* every chunk's surface, every ray and box of meshes, not samples of them */
    bool quiet;    /* the answer is JSON */
    vp_manifest *manifest;
    json_t *checks;
    uint64_t done, disagreements;
    bool of_manifest;               /* the set that is looked at */
    bool closely;                   /* how */
    bool is_counting;               /* counts the wanted sets and opens none */
    uint64_t sets_begun, set_count; /* for the progress bar */
} vp_verify;

/* Runs what is wanted on all data sets that are wanted, and adds to the outcome. */
vp_status vp_verify_all(vp_verify *run, vp_error *error);

/* "neon" and "neon-simde" both ask for the NEON kernels, however they are here. */
bool vp_verify_isa_wanted(const char *wanted, const vp_contender *c);

bool vp_verify_kernel_wanted(const vp_verify *run, vp_row_id kernel);
/* Whether a kernel that is wanted takes sets of a kind. */
bool vp_verify_kind_wanted(const vp_verify *run, const vp_kind *kind);

#endif
