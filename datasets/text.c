/* SPDX-License-Identifier: MIT */
#include "datasets/text.h"

void vp_text_add_vec3(vp_text *text, const char *before, vp_vec3 v)
{
    vp_text_add(text, "%s[\"%a\", \"%a\", \"%a\"]", before, (double)v.x, (double)v.y, (double)v.z);
}

void vp_text_add_points(vp_text *text, const char *before, const vp_vec3 *point, uint32_t count)
{
    vp_text_add(text, "%s", before);
    for (uint32_t i = 0; i < count; i++)
        vp_text_add(text, "%s[\"%a\", \"%a\", \"%a\"]", i == 0 ? "" : ", ", (double)point[i].x, (double)point[i].y, (double)point[i].z);
}
