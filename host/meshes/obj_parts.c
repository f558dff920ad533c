/* SPDX-License-Identifier: MIT */
#include "host/meshes/obj_parts.h"

#include <string.h>

#include "src/core/file.h"
#include "src/core/memory.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Finds the end of a line, and its keyword if that is one letter followed by a blank or nothing. */
static const char *end_of_line(const char *at, const char *end, char *keyword, const char **rest)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    line_end = line_end != NULL ? line_end : end;
    while (at < line_end && is_blank(*at))
        at++;
    const bool one = at < line_end && (at + 1 == line_end || is_blank(at[1]));
    *keyword = one ? *at : '\0';
    *rest = one ? at + 1 : at;
    return line_end;
}

static bool has_objects(const char *at, const char *end)
{
    for (char keyword = '\0'; at < end; at++) {
        const char *rest;
        at = end_of_line(at, end, &keyword, &rest);
        if (keyword == 'o')
            return true;
    }
    return false;
}

/* Adds a name without blanks around it. @return false, unless `always`, if the last one is the same */
static bool add_name(vp_bytes *names, const char *at, const char *end, bool always)
{
    char name[VP_PART_NAME] = "";
    while (at < end && is_blank(*at))
        at++;
    while (end > at && is_blank(end[-1]))
        end--;
    const size_t length = (size_t)(end - at);
    memcpy(name, at, length < sizeof name ? length : sizeof name - 1);
    if (!always && names->size != 0 && memcmp(names->at + names->size - sizeof name, name, sizeof name) == 0)
        return false;
    vp_bytes_add(names, name, sizeof name);
    return true;
}

static void number_parts(const char *at, const char *end, vp_bytes *out, vp_bytes *names)
{
    const bool objects = has_objects(at, end);
    while (at < end && !out->failed && !names->failed) {
        char keyword;
        const char *rest, *line_end = end_of_line(at, end, &keyword, &rest);
        if (keyword != 'o' && keyword != 'g')
            vp_bytes_add(out, at, (size_t)(line_end - at));
        else if (keyword == (objects ? 'o' : 'g') && add_name(names, rest, line_end, objects))
            vp_bytes_print(out, "o %zu", names->size / VP_PART_NAME - 1);
        vp_bytes_add(out, "\n", 1);
        at = line_end + (line_end < end ? 1 : 0);
    }
}

vp_status vp_obj_number_parts(const char *path, vp_bytes *out, vp_bytes *names, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    *out = *names = (vp_bytes){0};
    VP_RETURN_IF_FAILED(vp_file_read(path, UINT64_MAX, &allocator, &bytes, &size, error));
    number_parts((const char *)bytes, (const char *)bytes + size, out, names);
    vp_release(&allocator, bytes, size, 1);
    return out->failed || names->failed ? vp_fail(error, VP_E_MEMORY, "no memory to read it") : VP_OK;
}
