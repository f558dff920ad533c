/* SPDX-License-Identifier: MIT */
#include "host/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for so many more, and one. */
static bool make_room(vp_bytes *to, size_t more)
{
    if (to->failed || to->capacity - to->size > more)
        return !to->failed;
    size_t capacity = (to->size + more + 1) * 2;
    uint8_t *at = realloc(to->at, capacity);
    to->failed = at == NULL;
    if (at != NULL) {
        to->at = at;
        to->capacity = capacity;
    }
    return !to->failed;
}

void vp_bytes_add(vp_bytes *to, const void *bytes, size_t size)
{
    if (size != 0 && make_room(to, size)) {
        memcpy(to->at + to->size, bytes, size);
        to->size += size;
    }
}

void vp_bytes_print(vp_bytes *to, const char *format, ...)
{
    enum { LINE = 256 }; /* most fit at once */
    if (!make_room(to, LINE))
        return;
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int bytes = vsnprintf((char *)to->at + to->size, LINE, format, values);
    if (bytes >= LINE && make_room(to, (size_t)bytes))
        vsnprintf((char *)to->at + to->size, (size_t)bytes + 1, format, again);
    to->failed = to->failed || bytes < 0;
    if (!to->failed)
        to->size += (size_t)bytes;
    va_end(again);
    va_end(values);
}

void vp_bytes_base64(const vp_bytes *from, vp_bytes *out)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < from->size && !out->failed; i += 3) {
        size_t left = from->size - i;
        uint32_t three = (uint32_t)from->at[i] << 16 | (left > 1 ? (uint32_t)from->at[i + 1] << 8 : 0) | (left > 2 ? from->at[i + 2] : 0);
        char four[4] = {digit[three >> 18], digit[three >> 12 & 63], left > 1 ? digit[three >> 6 & 63] : '=',
                        left > 2 ? digit[three & 63] : '='};
        vp_bytes_add(out, four, 4);
    }
}
