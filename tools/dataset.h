/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys dataset` share. */
#ifndef VP_TOOLS_DATASET_H
#define VP_TOOLS_DATASET_H

#include <voxphys/status.h>

/* voxphys dataset import */
int vp_dataset_import(int argc, char **argv);

/* As vp_command_fail, but data that is not what the manifest says is a failed check. */
int vp_dataset_fail(const char *command, const vp_error *error);

#endif
