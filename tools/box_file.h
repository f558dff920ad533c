/* SPDX-License-Identifier: MIT */
/* Reading the files of boxes that `voxphys dataset make WORLD/BOXES -o FILE` writes. */
#ifndef VP_TOOLS_BOX_FILE_H
#define VP_TOOLS_BOX_FILE_H

#include <voxphys/status.h>

#include "datasets/datasets.h"

/* Reads JSON lines: one object a box, {"min": [x, y, z], "max": [x, y, z]}, each number a string that strtof reads whole,
   as "0x1.8p+3". Boxes may be invalid; who uses them must look.
   @return VP_E_FORMAT with the line's number, VP_E_IO, VP_E_MEMORY */
vp_status vp_box_file_read(const char *path, vp_box_set *out, vp_error *error);

#endif
