/* SPDX-License-Identifier: MIT */
/* Points in lines of JSON. */
#ifndef VP_DATASETS_TEXT_H
#define VP_DATASETS_TEXT_H

#include <voxphys/geometry.h>

#include "import/text.h"

/* "NAME": ["X", "Y", "Z"], hexadecimal and so exact. */
void vp_text_add_vec3(vp_text *text, const char *name, vp_vec3 v);
/* Something, and points behind it: ["X", "Y", "Z"], ... */
void vp_text_add_points(vp_text *text, const char *before, const vp_vec3 *point, uint32_t count);

#endif
