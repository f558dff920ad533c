/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys dataset` share. */
#ifndef VP_TOOLS_DATASET_DATASET_H
#define VP_TOOLS_DATASET_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/status.h>
#include <voxphys/world.h>

#include "datasets/datasets.h"
#include "datasets/kinds/kind.h"

/* voxphys dataset make */
int vp_dataset_make(int argc, char **argv);

/* voxphys dataset import */
int vp_dataset_import(int argc, char **argv);

/* Whether two names lead to one file, through links too; false where either leads to none. What is read must not be
   written over. */
bool vp_same_file(const char *a, const char *b);

/* A path may not be what is read for a set: the manifest, or the file that the set or its world comes from. */
vp_status vp_dataset_check_out(const vp_manifest *manifest, const char *name, const char *path, vp_error *error);

/* As vp_command_fail, but data that is not what the manifest says is a failed check. */
int vp_dataset_fail(const char *command, const vp_error *error);

/* Whether a set may be named so: one that stands alone is not named with another, but for a count. `d` is the manifest's entry, or NULL.
   If not, that is told. */
bool vp_dataset_name_allowed(const char *command, const vp_manifest *manifest, const char *name, const vp_dataset *d, int *code);

/* A store over the manifest, with a progress bar. */
vp_status vp_dataset_store(const vp_manifest *manifest, uint64_t seed, vp_store **out, vp_error *error);

#endif
