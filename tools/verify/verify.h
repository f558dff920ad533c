/* SPDX-License-Identifier: MIT */
/* The checks of `voxphys verify`, for its command. */
#ifndef VP_TOOLS_VERIFY_VERIFY_H
#define VP_TOOLS_VERIFY_VERIFY_H

#include <jansson.h>

#include "cases/case.h"
#include "datasets/datasets.h"
#include "host/program.h"

/* Value of --isa for all versions that don't need SIMDe. */
#define VP_VERIFY_NATIVE "native"

/* Options and results of a verification. */
typedef struct vp_verify {
    const char *kernel, *isa, *dataset; /* NULL = all */
    uint64_t seed;
    bool thorough; /* check every chunk's surface, every ray and box of meshes, not samples */
    bool quiet;    /* the output is JSON */
    vp_manifest *manifest;
    json_t *checks;
    uint64_t done, disagreements;
    bool of_manifest;               /* whether the current set is of the manifest */
    bool closely;                   /* whether the current set is checked closely */
    bool is_counting;               /* only count the wanted sets */
    uint64_t sets_begun, set_count; /* for the progress bar */
} vp_verify;

/* Runs all wanted checks on all wanted data sets and adds to the results. */
vp_status vp_verify_all(vp_verify *run, vp_error *error);

/* "neon" and "neon-simde" both select the NEON kernels, native or through SIMDe. */
bool vp_verify_isa_wanted(const char *wanted, const vp_contender *c);

bool vp_verify_kernel_wanted(const vp_verify *run, vp_row_id kernel);
/* Whether a wanted kernel takes sets of a kind. */
bool vp_verify_kind_wanted(const vp_verify *run, const vp_kind *kind);

#endif
