/* SPDX-License-Identifier: MIT */
#include "tools/box_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

enum { LINE_BYTES = 1024 }; /* a box takes about a hundred */

static bool parse_number(const char *text, float *out)
{
    char *end;
    *out = strtof(text, &end);
    return end != text && *end == '\0';
}

static bool parse_box(const char *line, vp_aabb *box)
{
    const char *text[6];
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    if (object == NULL)
        return false;
    bool good = json_unpack(object, "{s:[s,s,s!], s:[s,s,s!]}", "min", &text[0], &text[1], &text[2], "max", &text[3],
                            &text[4], &text[5]) == 0;
    float *const number[6] = {&box->min.x, &box->min.y, &box->min.z, &box->max.x, &box->max.y, &box->max.z};
    for (int i = 0; good && i < 6; i++)
        good = parse_number(text[i], number[i]);
    json_decref(object);
    return good;
}

static vp_status read_boxes(FILE *file, const char *path, vp_aabb **boxes, uint32_t *count, vp_error *error)
{
    uint32_t capacity = 0;
    char line[LINE_BYTES];
    for (*count = 0; fgets(line, sizeof line, file) != NULL; ++*count) {
        if (*count == UINT32_MAX / 2)
            return vp_fail(error, VP_E_FORMAT, "%.120s holds more than %u boxes", path, *count);
        if (*count == capacity) {
            capacity = capacity == 0 ? 4096 : capacity * 2;
            vp_aabb *more = realloc(*boxes, capacity * sizeof *more);
            if (more == NULL)
                return vp_fail(error, VP_E_MEMORY, "no memory for %u boxes of %.120s", capacity, path);
            *boxes = more;
        }
        if (!parse_box(line, &(*boxes)[*count]))
            return vp_fail(error, VP_E_FORMAT, "%.120s, line %u, is no box: {\"min\": [x, y, z], \"max\": [x, y, z]}", path,
                           *count + 1);
    }
    if (ferror(file))
        return vp_fail(error, VP_E_IO, "cannot read %.120s: %s", path, strerror(errno));
    if (*count == 0)
        return vp_fail(error, VP_E_FORMAT, "%.120s holds no box", path);
    return VP_OK;
}

vp_status vp_box_file_read(const char *path, vp_box_set *out, vp_error *error)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return vp_fail(error, VP_E_IO, "cannot open %.120s: %s", path, strerror(errno));
    vp_aabb *boxes = NULL;
    uint32_t count = 0;
    vp_status status = read_boxes(file, path, &boxes, &count, error);
    fclose(file);
    if (status == VP_OK)
        status = vp_box_set_create(count, out, error);
    if (status == VP_OK) {
        memcpy(out->box, boxes, count * sizeof *boxes);
        vp_box_set_split(out);
    }
    free(boxes);
    return status;
}
