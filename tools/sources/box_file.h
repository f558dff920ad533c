/* SPDX-License-Identifier: MIT */
/* Files of boxes from `voxphys dataset make WORLD/BOXES -o FILE`. */
#ifndef VP_TOOLS_SOURCES_BOX_FILE_H
#define VP_TOOLS_SOURCES_BOX_FILE_H

#include <voxphys/status.h>

#include "datasets/datasets.h"

/* Reads JSON lines from a regular file, one box each: {"min": [x, y, z], "max": [x, y, z]}. A number is a string that
   strtof reads whole, such as "0x1.8p+3", "11.9" or "-inf", or a JSON number that binary32 holds exactly. Every box is
   valid.
   @return VP_E_FORMAT with the line's number and the fault, VP_E_IO, VP_E_MEMORY */
vp_status vp_box_file_read(const char *path, vp_box_set *out, vp_error *error);

#endif
