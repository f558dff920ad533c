/* SPDX-License-Identifier: MIT */
#include "host/ray_file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "host/line_file.h"

enum { MAX_RAYS = 1 << 26, FIRST_CAPACITY = 4096 };

/* ---- a line ---- */

/* Reads plain numbers and cuts the line into words. *found is false for a line without any. */
static vp_status read_words(const vp_place *p, char *line, vp_ray *ray, bool *found)
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

static vp_status read_object(const vp_place *p, const json_t *object, vp_ray *ray)
{
    const json_t *mesh = json_object_get(object, "mesh"), *length = json_object_get(object, "t_max");
    const size_t known = 2u + (mesh != NULL ? 1 : 0) + (length != NULL ? 1 : 0);
    if (json_object_get(object, "origin") == NULL || json_object_get(object, "direction") == NULL || json_object_size(object) != known)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "no ray: {\"origin\": [x, y, z], \"direction\": [x, y, z], \"t_max\": t}", p->line);
    if (mesh != NULL && (!json_is_integer(mesh) || json_integer_value(mesh) != 0))
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "\"mesh\" is not 0: the ray is for another mesh of a set", p->line);
    vp_status status = vp_line_vec3(p, json_object_get(object, "origin"), "origin", &ray->origin);
    if (status == VP_OK)
        status = vp_line_vec3(p, json_object_get(object, "direction"), "direction", &ray->direction);
    ray->t_max = INFINITY;
    return status == VP_OK && length != NULL ? vp_line_float(p, length, "t_max", &ray->t_max) : status;
}

static vp_status read_line(const vp_place *p, char *line, size_t length, vp_ray *ray, bool *found)
{
    if (line[strspn(line, " \t\r")] != '{') {
        const char *zero = memchr(line, '\0', length);
        if (zero != NULL)
            return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "byte %zu is 0, which is not text", p->line, (size_t)(zero - line) + 1);
        line[strcspn(line, "#")] = '\0';
        return read_words(p, line, ray, found);
    }
    json_t *object;
    vp_status status = vp_line_json(p, line, length, &object);
    if (status != VP_OK)
        return status;
    *found = true;
    status = read_object(p, object, ray);
    json_decref(object);
    return status;
}

/* ---- a file ---- */

static vp_status make_room(vp_ray_list *list, uint32_t *capacity, vp_error *error)
{
    uint32_t wanted = *capacity == 0 ? FIRST_CAPACITY : *capacity * 2;
    vp_ray *ray = realloc(list->ray, wanted * sizeof *ray);
    list->ray = ray != NULL ? ray : list->ray;
    uint32_t *line = ray != NULL ? realloc(list->line, wanted * sizeof *line) : NULL;
    if (line == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u rays", wanted);
    list->line = line;
    *capacity = wanted;
    return VP_OK;
}

static vp_status read_rays(FILE *file, vp_ray_list *list, vp_error *error)
{
    uint32_t capacity = 0;
    char line[VP_LINE_BYTES + 1];
    size_t length;
    for (vp_place here = {1, error}; vp_next_line(file, line, &length); here.line++) {
        bool found = false;
        if (length == VP_LINE_BYTES)
            return vp_fail(error, VP_E_FORMAT, VP_PLACE "longer than a ray, over %d bytes", here.line, VP_LINE_BYTES - 1);
        if (here.line == UINT32_MAX || list->count == MAX_RAYS)
            return vp_fail(error, VP_E_FORMAT, VP_PLACE "more than %d rays or %u lines", here.line, MAX_RAYS, UINT32_MAX - 1);
        line[length] = '\0';
        vp_status status = list->count == capacity ? make_room(list, &capacity, error) : VP_OK;
        if (status == VP_OK)
            status = read_line(&here, line, length, &list->ray[list->count], &found);
        if (status != VP_OK)
            return status;
        list->line[list->count] = here.line;
        list->count += found ? 1 : 0;
    }
    if (ferror(file))
        return vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    if (list->count == 0)
        return vp_fail(error, VP_E_FORMAT, "it has no ray");
    return VP_OK;
}

vp_status vp_ray_file_read(const char *path, vp_ray_list *out, vp_error *error)
{
    FILE *file = NULL;
    vp_ray_list list = {0};
    vp_status status = vp_open_lines(path, &file, error);
    if (status != VP_OK)
        return status;
    status = read_rays(file, &list, error);
    fclose(file);
    if (status == VP_OK) {
        *out = list;
        return VP_OK;
    }
    vp_name_file(error, "", path);
    vp_ray_list_destroy(&list);
    return status;
}

void vp_ray_list_destroy(vp_ray_list *list)
{
    free(list->ray);
    free(list->line);
    *list = (vp_ray_list){0};
}
