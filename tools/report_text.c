/* SPDX-License-Identifier: MIT */
#include "tools/report_text.h"

#include <ctype.h>
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

char *vp_writing_format(const char *format, va_list values)
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

void vp_writing_add_list(vp_writing *text, const char *format, va_list values)
{
    char *plain = vp_writing_format(format, values);
    if (plain == NULL)
        text->failed = true;
    else
        vp_writing_put(text, plain);
    free(plain);
}

void vp_writing_add(vp_writing *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vp_writing_add_list(text, format, values);
    va_end(values);
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

void vp_writing_html(vp_writing *text, const char *plain)
{
    for (const char *p = plain; *p != '\0'; p++) {
        switch (*p) {
        case '&':
            vp_writing_put(text, "&amp;");
            break;
        case '<':
            vp_writing_put(text, "&lt;");
            break;
        case '>':
            vp_writing_put(text, "&gt;");
            break;
        case '"':
            vp_writing_put(text, "&quot;");
            break;
        case '\'':
            vp_writing_put(text, "&#39;");
            break;
        default:
            put_bytes(text, is_control(*p) ? " " : p, 1);
        }
    }
}

/* An underscore inside a word means nothing in Markdown, and names are easier to read without backslashes. */
static bool inside_word(const char *start, const char *p)
{
    return p != start && isalnum((unsigned char)p[-1]) && isalnum((unsigned char)p[1]);
}

void vp_writing_markdown(vp_writing *text, const char *plain)
{
    for (const char *p = plain; *p != '\0'; p++) {
        if (*p == '&')
            vp_writing_put(text, "&amp;");
        else if (*p == '<')
            vp_writing_put(text, "&lt;");
        else if (*p == '>')
            vp_writing_put(text, "&gt;");
        else {
            if (strchr("\\`*[]|~$", *p) != NULL || (*p == '_' && !inside_word(plain, p)))
                vp_writing_put(text, "\\");
            put_bytes(text, is_control(*p) ? " " : p, 1);
        }
    }
}

void vp_writing_address(vp_writing *text, const char *path)
{
    for (const char *p = path; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x80 && (isalnum(c) || strchr("-._~/", *p) != NULL))
            put_bytes(text, p, 1);
        else
            vp_writing_add(text, "%%%02X", c);
    }
}
