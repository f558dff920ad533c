/* SPDX-License-Identifier: MIT */
/* Points in lines of JSON. */
#ifndef VP_DATASETS_TEXT_H
#define VP_DATASETS_TEXT_H

#include <voxphys/geometry.h>

#include "import/text.h"

/* Appends `before` and ["X", "Y", "Z"], in hexadecimal, which is exact. */
void vp_text_add_vec3(vp_text *text, const char *before, vp_vec3 v);
/* Appends `before` and points: ["X", "Y", "Z"], ... */
void vp_text_add_points(vp_text *text, const char *before, const vp_vec3 *point, uint32_t count);

#endif
