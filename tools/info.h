/* SPDX-License-Identifier: MIT */
/* Rows of the registry, for output. */
#ifndef VP_TOOLS_INFO_H
#define VP_TOOLS_INFO_H

#include <jansson.h>

#include <voxphys/kernels.h>

/* A row of the registry as JSON: name, component, group, unit, sentence. NULL if out of memory. */
json_t *vp_row_json(vp_row_id row);

/* Length of the longest name of the first `count` rows, which is the width of their column. */
int vp_row_names_width(unsigned count);

#endif
