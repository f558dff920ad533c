/* SPDX-License-Identifier: MIT */
#include "host/ray_file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "host/line_file.h"
#include "host/bytes.h"

enum { MAX_RAYS = 1 << 26 };

/* ---- a line ---- */

/* Reads plain numbers and cuts the line into words. *found is false for a line without any. */
static vp_status read_words(const vp_line_place *p, char *line, vp_ray *ray, bool *found)
{
    enum { MIN = 6, MAX = 7 };
    float number[MAX] = {0};
    size_t count = 0;
    for (char *at = line; at != NULL && *(at += strspn(at, " \t\r,")) != '\0';) {
        char *end = at + strcspn(at, " \t\r,");
        char *next = *end != '\0' ? end + 1 : NULL;
        *end = '\0';
        if (count == MAX)
            return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "more than %d numbers: \"%.32s\"", p->line, MAX, at);
        if (!vp_text_float(at, &number[count++]))
            return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "\"%.32s\" is not a number that a 32-bit float holds", p->line, at);
        at = next;
    }
    *found = count != 0;
    if (*found && count < MIN)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%zu number%s; a ray has six or seven: origin, direction, t_max", p->line, count,
                       count == 1 ? "" : "s");
    *ray = (vp_ray){{number[0], number[1], number[2]}, {number[3], number[4], number[5]}, count == MAX ? number[MAX - 1] : INFINITY};
    return VP_OK;
}

static vp_status read_object(const vp_line_place *p, const json_t *object, vp_ray *ray)
{
    const json_t *mesh = json_object_get(object, "mesh"), *length = json_object_get(object, "t_max");
    const size_t known = 2u + (mesh != NULL ? 1 : 0) + (length != NULL ? 1 : 0);
    if (json_object_get(object, "origin") == NULL || json_object_get(object, "direction") == NULL || json_object_size(object) != known)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "no ray: {\"origin\": [x, y, z], \"direction\": [x, y, z], \"t_max\": t}", p->line);
    if (mesh != NULL && (!json_is_integer(mesh) || json_integer_value(mesh) != 0))
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "\"mesh\" is not 0: the ray is for another mesh of a set", p->line);
    VP_RETURN_IF_FAILED(vp_line_vec3(p, json_object_get(object, "origin"), "origin", &ray->origin));
    VP_RETURN_IF_FAILED(vp_line_vec3(p, json_object_get(object, "direction"), "direction", &ray->direction));
    ray->t_max = INFINITY;
    return length != NULL ? vp_line_float(p, length, "t_max", &ray->t_max) : VP_OK;
}

static vp_status read_line(void *user, const vp_line_place *p, char *line, size_t length)
{
    vp_ray_list *list = user;
    vp_ray ray;
    bool found = true;
    vp_status status = VP_OK;
    if (list->count == MAX_RAYS)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "more than %d rays or %u lines", p->line, MAX_RAYS, UINT32_MAX - 1);
    if (line[strspn(line, " \t\r")] != '{') {
        status = vp_line_is_text(p, line, length);
        line[strcspn(line, "#")] = '\0';
        if (status == VP_OK)
            status = read_words(p, line, &ray, &found);
    } else {
        json_t *object;
        status = vp_line_json(p, line, length, &object);
        if (status != VP_OK)
            return status;
        status = read_object(p, object, &ray);
        json_decref(object);
    }
    if (status != VP_OK || !found)
        return status;
    const size_t count = (size_t)list->count + 1;
    status = vp_grow_array(&list->ray, &list->ray_room, count, sizeof *list->ray, "rays", p->error);
    if (status == VP_OK)
        status = vp_grow_array(&list->line, &list->line_room, count, sizeof *list->line, "rays", p->error);
    if (status != VP_OK)
        return status;
    list->ray[list->count] = ray;
    list->line[list->count++] = p->line;
    return VP_OK;
}

vp_status vp_ray_file_read(const char *path, vp_ray_list *out, vp_error *error)
{
    *out = (vp_ray_list){0};
    vp_status status = vp_read_lines(path, "a ray", read_line, out, error);
    if (status == VP_OK && out->count == 0) {
        status = vp_fail(error, VP_E_FORMAT, "it has no ray");
        vp_name_file(error, "", path);
    }
    if (status != VP_OK)
        vp_ray_list_destroy(out);
    return status;
}

void vp_ray_list_destroy(vp_ray_list *list)
{
    free(list->ray);
    free(list->line);
    *list = (vp_ray_list){0};
}
