/* SPDX-License-Identifier: MIT */
#include "host/writing.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vp_writing_destroy(vp_writing *text)
{
    free(text->bytes);
    *text = (vp_writing){0};
}

static bool make_room(vp_writing *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 - text->length)
        text->failed = true;
    if (text->failed || text->length + more < text->capacity)
        return !text->failed;
    size_t capacity = (text->length + more + 1) * 2;
    char *bytes = realloc(text->bytes, capacity);
    if (bytes == NULL) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

static void put_bytes(vp_writing *text, const char *bytes, size_t count)
{
    if (!make_room(text, count))
        return;
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

void vp_writing_put(vp_writing *text, const char *raw)
{
    put_bytes(text, raw, strlen(raw));
}

static VP_PRINTF(1, 0) char *format_list(const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *plain = length < 0 ? NULL : malloc((size_t)length + 1);
    if (plain != NULL)
        vsnprintf(plain, (size_t)length + 1, format, values);
    return plain;
}

void vp_writing_add(vp_writing *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *plain = format_list(format, values);
    va_end(values);
    if (plain == NULL)
        text->failed = true;
    else
        vp_writing_put(text, plain);
    free(plain);
}
