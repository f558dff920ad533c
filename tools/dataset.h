/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys dataset` share. */
#ifndef VP_TOOLS_DATASET_H
#define VP_TOOLS_DATASET_H

#include <stdbool.h>

#include <voxphys/status.h>

/* voxphys dataset import */
int vp_dataset_import(int argc, char **argv);

/* Whether two names lead to one file, through links too; false where either leads to none. What is read must not be
   written over. */
bool vp_same_file(const char *a, const char *b);

/* As vp_command_fail, but data that is not what the manifest says is a failed check. */
int vp_dataset_fail(const char *command, const vp_error *error);

#endif
