/* SPDX-License-Identifier: MIT */
#include "tools/sources/box_file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "host/line_file.h"
#include "host/bytes.h"

static vp_status judge_box(const vp_line_place *p, const vp_aabb *box)
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

/* The boxes read so far. */
typedef struct box_list {
    vp_aabb *box;
    size_t count, room;
} box_list;

static vp_status read_box(void *user, const vp_line_place *p, char *line, size_t length)
{
    box_list *list = user;
    vp_aabb box;
    json_t *object;
    if (list->count == UINT32_MAX / 2)
        return vp_fail(p->error, VP_E_FORMAT, "more than %zu boxes", list->count);
    vp_status status = vp_line_json(p, line, length, &object);
    if (status != VP_OK)
        return status;
    if (!json_is_object(object) || json_object_size(object) != 2)
        status = vp_fail(p->error, VP_E_FORMAT, VP_PLACE "no box: {\"min\": [x, y, z], \"max\": [x, y, z]}", p->line);
    else
        status = vp_line_vec3(p, json_object_get(object, "min"), "min", &box.min);
    if (status == VP_OK)
        status = vp_line_vec3(p, json_object_get(object, "max"), "max", &box.max);
    json_decref(object);
    if (status == VP_OK)
        status = judge_box(p, &box);
    if (status == VP_OK)
        status = vp_grow_array(&list->box, &list->room, list->count + 1, sizeof *list->box, "boxes", p->error);
    if (status == VP_OK)
        list->box[list->count++] = box;
    return status;
}

vp_status vp_box_file_read(const char *path, vp_box_set *out, vp_error *error)
{
    box_list list = {0};
    vp_status status = vp_read_lines(path, "a box", read_box, &list, error);
    if (status == VP_OK && list.count == 0) {
        status = vp_fail(error, VP_E_FORMAT, "it has no box");
        vp_name_file(error, "", path);
    }
    if (status == VP_OK)
        status = vp_box_set_create((uint32_t)list.count, out, error);
    if (status == VP_OK) {
        memcpy(out->box, list.box, list.count * sizeof *list.box);
        vp_box_set_split(out);
    }
    free(list.box);
    return status;
}
