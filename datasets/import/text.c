/* SPDX-License-Identifier: MIT */
#include "datasets/import/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_room(vp_text *text, size_t more)
{
    if (text->capacity - text->size > more)
        return true;
    size_t capacity = (text->size + more + 1) * 2;
    char *bytes = realloc(text->bytes, capacity);
    if (bytes == NULL)
        return false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void vp_text_add(vp_text *text, const char *format, ...)
{
    if (text->failed)
        return;
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int bytes = vsnprintf(NULL, 0, format, values);
    text->failed = bytes < 0 || !make_room(text, (size_t)bytes);
    if (!text->failed) {
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
