/* SPDX-License-Identifier: MIT */
#include "import/text.h"

#include <stdarg.h>
#include <stdio.h>

#include "import/grow.h"

vp_text vp_text_begin(const vp_allocator *allocator)
{
    return (vp_text){.allocator = vp_allocator_or_default(allocator)};
}

void vp_text_add(vp_text *text, const char *format, ...)
{
    if (text->failed)
        return;
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int bytes = vsnprintf(NULL, 0, format, values);
    char *room = bytes < 0 ? NULL : vp_import_grow(&text->allocator, text->bytes, text->size + (size_t)bytes + 1, &text->capacity, 1);
    text->failed = room == NULL;
    if (!text->failed) {
        text->bytes = room;
        vsnprintf(text->bytes + text->size, (size_t)bytes + 1, format, again);
        text->size += (size_t)bytes;
    }
    va_end(again);
    va_end(values);
}

void vp_text_drop(vp_text *text)
{
    vp_release(&text->allocator, text->bytes, text->capacity, 1);
    *text = (vp_text){.allocator = text->allocator};
}

vp_status vp_text_finish(vp_text *text, vp_blob *out, vp_error *error)
{
    if (text->bytes == NULL)
        vp_text_add(text, "%s", "");
    const bool failed = text->failed;
    if (!failed && out != NULL)
        *out = (vp_blob){(uint8_t *)text->bytes, text->size, text->capacity, text->allocator};
    else
        vp_release(&text->allocator, text->bytes, text->capacity, 1);
    *text = (vp_text){.allocator = text->allocator};
    return failed ? vp_fail(error, VP_E_MEMORY, "no memory for a text") : VP_OK;
}
