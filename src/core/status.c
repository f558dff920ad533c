/* SPDX-License-Identifier: MIT */
#include "src/core/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *vp_status_name(vp_status status)
{
    switch (status) {
    case VP_OK:
        return "VP_OK";
    case VP_E_ARGUMENT:
        return "VP_E_ARGUMENT";
    case VP_E_MEMORY:
        return "VP_E_MEMORY";
    case VP_E_FORMAT:
        return "VP_E_FORMAT";
    case VP_E_IO:
        return "VP_E_IO";
    case VP_E_UNSUPPORTED:
        return "VP_E_UNSUPPORTED";
    case VP_E_LIMIT:
        return "VP_E_LIMIT";
    }
    return "unknown status";
}

/* The contents of a file or a name must not control the terminal that shows a message. So "?" replaces every control
   character, ASCII's and the 32 of U+0080 to U+009F. */
static void replace_control_characters(char *message)
{
    for (unsigned char *c = (unsigned char *)message; *c != '\0'; c++) {
        if (c[0] < 0x20 || c[0] == 0x7f)
            c[0] = '?';
        else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
            c[0] = c[1] = '?';
    }
}

/* Ends a message that was cut with "...", and cuts no UTF-8 character. */
static void mark_cut(char message[VP_ERROR_MESSAGE_BYTES])
{
    static const char dots[] = "...";
    size_t end = VP_ERROR_MESSAGE_BYTES - sizeof dots;
    for (int i = 0; i < 3 && ((unsigned char)message[end] & 0xc0) == 0x80; i++)
        end--;
    memcpy(message + end, dots, sizeof dots);
}

vp_status vp_fail(vp_error *error, vp_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list values;
        va_start(values, format);
        error->status = status;
        const int length = vsnprintf(error->message, sizeof error->message, format, values);
        va_end(values);
        if (length >= VP_ERROR_MESSAGE_BYTES)
            mark_cut(error->message);
        replace_control_characters(error->message);
    }
    return status;
}

vp_status vp_reject_null(vp_error *error, const char *names, unsigned index)
{
    for (; index > 0; index--)
        names = strchr(names, ',') + 2;
    return vp_fail(error, VP_E_ARGUMENT, "%.*s is NULL", (int)strcspn(names, ","), names);
}

/* ---- files in messages ---- */

/* Writes a path of any length as at most `room` bytes. "..." replaces an omitted beginning, and no UTF-8 character is
   cut. `to` has room for the terminating zero too. */
static void shorten_path(char *to, size_t room, const char *path)
{
    static const char dots[] = "...";
    size_t length = strlen(path);
    bool cut = length > room;
    if (cut) {
        path += length - (room - (sizeof dots - 1));
        for (int i = 0; i < 3 && ((unsigned char)*path & 0xc0) == 0x80; i++)
            path++;
    }
    snprintf(to, room + 1, "%s%s", cut ? dots : length == 0 ? "\"\"" : "", path);
}

vp_path_text vp_show_path(const char *path)
{
    vp_path_text shown;
    shorten_path(shown.text, VP_PATH_SHOWN, path);
    return shown;
}

void vp_name_file(vp_error *error, const char *before, const char *path)
{
    enum { MIN = 40 }; /* minimum that is shown of the path, however long the message is */
    if (error == NULL)
        return;
    char message[VP_ERROR_MESSAGE_BYTES], shown[VP_ERROR_MESSAGE_BYTES];
    memcpy(message, error->message, sizeof message);
    size_t taken = strlen(before) + strlen(": ") + strlen(message), all = VP_ERROR_MESSAGE_BYTES - 1;
    shorten_path(shown, taken + MIN < all ? all - taken : MIN, path);
    vp_fail(error, error->status, "%s%s: %s", before, shown, message);
}
