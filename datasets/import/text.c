/* SPDX-License-Identifier: MIT */
#include "datasets/import/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets/grow.h"

void vp_text_add(vp_text *text, const char *format, ...)
{
    if (text->failed)
        return;
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int bytes = vsnprintf(NULL, 0, format, values);
    char *room = bytes < 0 ? NULL : vp_with_room(text->bytes, text->size + (size_t)bytes + 1, &text->capacity, 1);
    text->failed = room == NULL;
    if (!text->failed) {
        text->bytes = room;
        vsnprintf(text->bytes + text->size, (size_t)bytes + 1, format, again);
        text->size += (size_t)bytes;
    }
    va_end(again);
    va_end(values);
}

void vp_text_add_vec3(vp_text *text, const char *name, vp_vec3 v)
{
    vp_text_add(text, "\"%s\": [\"%a\", \"%a\", \"%a\"]", name, (double)v.x, (double)v.y, (double)v.z);
}

void vp_text_add_points(vp_text *text, const char *before, const vp_vec3 *point, uint32_t count)
{
    vp_text_add(text, "%s", before);
    for (uint32_t i = 0; i < count; i++)
        vp_text_add(text, "%s[\"%a\", \"%a\", \"%a\"]", i == 0 ? "" : ", ", (double)point[i].x, (double)point[i].y, (double)point[i].z);
}

void vp_text_drop(vp_text *text)
{
    free(text->bytes);
    *text = (vp_text){0};
}

vp_status vp_text_finish(vp_text *text, char **out, vp_error *error)
{
    if (!text->failed && text->bytes == NULL)
        vp_text_add(text, "%s", "");
    if (text->failed) {
        vp_text_drop(text);
        return vp_fail(error, VP_E_MEMORY, "no memory for a text");
    }
    if (out != NULL)
        *out = text->bytes;
    else
        free(text->bytes);
    *text = (vp_text){0};
    return VP_OK;
}
