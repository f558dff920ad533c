/* SPDX-License-Identifier: MIT */
#include "tools/sources/box_file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "host/line_file.h"

/* ---- boxes ---- */

static vp_status judge_box(const vp_place *p, const vp_aabb *box)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    for (int axis = 0; axis < 3; axis++) {
        char name = "xyz"[axis];
        if (isnan(low[axis]) || isnan(high[axis]))
            return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%s.%c is NaN", p->line, isnan(low[axis]) ? "min" : "max", name);
        if (low[axis] > high[axis])
            return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "min.%c = %.9g is above max.%c = %.9g", p->line, name, (double)low[axis], name,
                           (double)high[axis]);
    }
    return VP_OK;
}

static vp_status read_box(const vp_place *p, const char *line, size_t length, vp_aabb *box)
{
    json_t *object;
    vp_status status = vp_line_json(p, line, length, &object);
    if (status != VP_OK)
        return status;
    if (!json_is_object(object) || json_object_size(object) != 2)
        status = vp_fail(p->error, VP_E_FORMAT, VP_PLACE "no box: {\"min\": [x, y, z], \"max\": [x, y, z]}", p->line);
    else
        status = vp_line_vec3(p, json_object_get(object, "min"), "min", &box->min);
    if (status == VP_OK)
        status = vp_line_vec3(p, json_object_get(object, "max"), "max", &box->max);
    json_decref(object);
    return status != VP_OK ? status : judge_box(p, box);
}

/* ---- files ---- */

static vp_status read_boxes(FILE *file, vp_aabb **boxes, uint32_t *count, vp_error *error)
{
    uint32_t capacity = 0;
    char line[VP_LINE_BYTES];
    size_t length;
    for (*count = 0; vp_next_line(file, line, &length); ++*count) {
        const vp_place here = {*count + 1, error};
        if (*count == UINT32_MAX / 2)
            return vp_fail(error, VP_E_FORMAT, "more than %u boxes", *count);
        if (length == VP_LINE_BYTES)
            return vp_fail(error, VP_E_FORMAT, VP_PLACE "longer than a box, over %d bytes", here.line, VP_LINE_BYTES - 1);
        if (*count == capacity) {
            capacity = capacity == 0 ? 4096 : capacity * 2;
            vp_aabb *more = realloc(*boxes, capacity * sizeof *more);
            if (more == NULL)
                return vp_fail(error, VP_E_MEMORY, "no memory for %u boxes", capacity);
            *boxes = more;
        }
        vp_status status = read_box(&here, line, length, &(*boxes)[*count]);
        if (status != VP_OK)
            return status;
    }
    if (ferror(file))
        return vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    if (*count == 0)
        return vp_fail(error, VP_E_FORMAT, "it has no box");
    return VP_OK;
}

vp_status vp_box_file_read(const char *path, vp_box_set *out, vp_error *error)
{
    FILE *file = NULL;
    vp_status status = vp_open_lines(path, &file, error);
    if (status != VP_OK)
        return status;
    vp_aabb *boxes = NULL;
    uint32_t count = 0;
    status = read_boxes(file, &boxes, &count, error);
    if (status != VP_OK)
        vp_name_file(error, "", path);
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
