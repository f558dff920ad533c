/* SPDX-License-Identifier: MIT */
#include "host/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/bytes.h"
#include "src/core/file.h"

vp_status vp_grow_array(void *array, size_t *room, size_t count, size_t size, const char *what, vp_error *error)
{
    void *old;
    if (count <= *room)
        return VP_OK;
    const size_t larger = count + count / 2 + 16;
    memcpy(&old, array, sizeof old);
    void *more = larger <= SIZE_MAX / size ? realloc(old, larger * size) : NULL;
    if (more == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu %s", larger, what);
    memcpy(array, &more, sizeof more);
    *room = larger;
    return VP_OK;
}

/* Makes room for `more` bytes and one. */
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

void vp_bytes_words(vp_bytes *to, const void *words, size_t count)
{
    const uint8_t *at = words;
    if (!make_room(to, 4 * count))
        return;
    for (size_t i = 0; i < count; i++, to->size += 4) {
        uint32_t word;
        memcpy(&word, at + 4 * i, sizeof word);
        vp_put_le32(to->at + to->size, word);
    }
}

void vp_bytes_print(vp_bytes *to, const char *format, ...)
{
    enum { LINE = 256 }; /* numbers formatted at once */
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

vp_status vp_bytes_save(vp_bytes *bytes, const char *path, vp_error *error)
{
    const vp_status status = bytes->failed ? vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text)
                                           : vp_file_replace(path, bytes->at, bytes->size, error);
    free(bytes->at);
    *bytes = (vp_bytes){0};
    return status;
}
