/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys dataset`. */
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

/* Whether two names refer to the same file, also through links. False if either does not exist. It prevents writing over an input. */
bool vp_same_file(const char *a, const char *b);

/* Refuses an output path that is an input of a set: the manifest, or the file of the set or its world. */
vp_status vp_dataset_check_out(const vp_manifest *manifest, const char *name, const char *path, vp_error *error);

/* Refuses an output path that is also read as `name`: a file of a data set, or without a manifest the file itself. */
vp_status vp_check_out(const vp_manifest *manifest, const char *name, const char *path, vp_error *error);

/* Like vp_command_fail, but content that differs from the manifest is a failed check. */
int vp_dataset_fail(const char *command, const vp_error *error);

/* Whether a name is valid for a set. A set that stands alone can't be combined with another name, except a count. `d`
   is the manifest's entry, or NULL. Prints a message if not. */
bool vp_dataset_name_allowed(const char *command, const vp_manifest *manifest, const char *name, const vp_dataset *d, int *code);

/* Whether the manifest has a set of that name and kind. */
bool vp_is_set_of(const char *name, const vp_kind *kind);

/* Opens a store for the manifest, with a progress bar. */
vp_status vp_dataset_store(const vp_manifest *manifest, uint64_t seed, vp_store **out, vp_error *error);

#endif
