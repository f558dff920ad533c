/* SPDX-License-Identifier: MIT */
/* What verify.c asks of verify_sets.c. */
#ifndef VP_TOOLS_VERIFY_VERIFY_H
#define VP_TOOLS_VERIFY_VERIFY_H

#include <jansson.h>

#include "datasets/cases/cases.h"
#include "host/program.h"

/* A verification: what is wanted, and what came of it. */
typedef struct vp_verify {
    const char *kernel, *isa, *dataset; /* NULL: all */
    uint64_t seed;
    bool thorough; /* every chunk's surface, every ray and box of meshes, not samples of them */
    bool quiet;
    vp_manifest *manifest;
    json_t *checks;
    uint64_t done, disagreements;
    bool of_manifest, hash_checked; /* the workload: is its content what the manifest says? */
} vp_verify;

/* Runs what is wanted on all data sets that are wanted, and adds to the outcome. */
vp_status vp_verify_all(vp_verify *run, vp_error *error);

/* "neon" and "neon-simde" both ask for the NEON kernels, however they are here. */
bool vp_verify_isa_wanted(const char *wanted, const vp_contender *c);

/* What kernels find in a set of that kind. @return false if none reads it */
bool vp_verify_food_of(const vp_kind *kind, vp_food *food);
/* What a kernel reads, in words: "boxes of a world". */
const char *vp_verify_food_name(const char *kernel);

#endif
