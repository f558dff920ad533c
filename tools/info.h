/* SPDX-License-Identifier: MIT */
#ifndef VP_TOOLS_INFO_H
#define VP_TOOLS_INFO_H

#include <jansson.h>

#include <voxphys/kernels.h>

/* What the registry says of a row: name, component, group, unit, sentence. NULL without memory. */
json_t *vp_row_json(vp_row_id row);

/* Length of the longest name among the first `count` rows: the width of their column. */
int vp_row_names_width(unsigned count);

#endif
