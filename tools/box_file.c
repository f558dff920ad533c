/* SPDX-License-Identifier: MIT */
#include "tools/box_file.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

enum { LINE_BYTES = 1024 }; /* a box takes about a hundred */

/* Where a reader is, for messages; the file's name is put in front of them at the end. */
typedef struct place {
    uint32_t line; /* from 1 */
    vp_error *error;
} place;

#define PLACE       "line %u: "
#define PLACE_OF(p) (p)->line

/* ---- numbers ---- */

static bool number_of_text(const char *text, float *out)
{
    char *end;
    errno = 0;
    *out = strtof(text, &end);
    return end != text && *end == '\0' && !(errno == ERANGE && isinf(*out));
}

/* A JSON number is decimal and becomes binary64 first: it is taken only where nothing is rounded after that. */
static bool number_of_json(const json_t *value, float *out)
{
    double wide = json_number_value(value);
    if (!(fabs(wide) <= (double)FLT_MAX))
        return false;
    *out = (float)wide;
    if ((double)*out != wide)
        return false;
    return !json_is_integer(value) || (wide < 0x1p63 && (json_int_t)wide == json_integer_value(value));
}

static vp_status read_number(const place *p, const json_t *value, const char *side, char axis, float *out)
{
    static const char what[] = "a text such as \"0x1.8p+3\", or a number that a 32-bit float holds exactly";
    if (json_is_string(value) ? number_of_text(json_string_value(value), out)
                              : json_is_number(value) && number_of_json(value, out))
        return VP_OK;
    char *shown = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    vp_fail(p->error, VP_E_FORMAT, PLACE "%s.%c is %.32s, not %s", PLACE_OF(p), side, axis,
            shown != NULL ? shown : "something else", what);
    free(shown);
    return VP_E_FORMAT;
}

/* ---- boxes ---- */

static vp_status read_corner(const place *p, const json_t *object, const char *side, vp_vec3 *out)
{
    const json_t *list = json_object_get(object, side);
    if (!json_is_array(list) || json_array_size(list) != 3)
        return vp_fail(p->error, VP_E_FORMAT, PLACE "\"%s\" is not a list of three numbers", PLACE_OF(p), side);
    vp_status status = read_number(p, json_array_get(list, 0), side, 'x', &out->x);
    if (status == VP_OK)
        status = read_number(p, json_array_get(list, 1), side, 'y', &out->y);
    return status != VP_OK ? status : read_number(p, json_array_get(list, 2), side, 'z', &out->z);
}

static vp_status judge_box(const place *p, const vp_aabb *box)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    for (int axis = 0; axis < 3; axis++) {
        char name = "xyz"[axis];
        if (isnan(low[axis]) || isnan(high[axis]))
            return vp_fail(p->error, VP_E_FORMAT, PLACE "%s.%c is NaN", PLACE_OF(p), isnan(low[axis]) ? "min" : "max",
                           name);
        if (low[axis] > high[axis])
            return vp_fail(p->error, VP_E_FORMAT, PLACE "min.%c = %.9g is above max.%c = %.9g", PLACE_OF(p), name,
                           (double)low[axis], name, (double)high[axis]);
    }
    return VP_OK;
}

static vp_status read_box(const place *p, const char *line, size_t length, vp_aabb *box)
{
    const char *zero = memchr(line, '\0', length);
    if (zero != NULL)
        return vp_fail(p->error, VP_E_FORMAT, PLACE "byte %zu is 0, which is not text", PLACE_OF(p),
                       (size_t)(zero - line) + 1);
    json_error_t mistake;
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &mistake);
    if (object == NULL && json_error_code(&mistake) == json_error_out_of_memory)
        return vp_fail(p->error, VP_E_MEMORY, "line %u: no memory for it", p->line);
    if (object == NULL)
        return vp_fail(p->error, VP_E_FORMAT, PLACE "not JSON: %.100s", PLACE_OF(p), mistake.text);
    vp_status status;
    if (!json_is_object(object) || json_object_size(object) != 2)
        status = vp_fail(p->error, VP_E_FORMAT, PLACE "no box: {\"min\": [x, y, z], \"max\": [x, y, z]}", PLACE_OF(p));
    else
        status = read_corner(p, object, "min", &box->min);
    if (status == VP_OK)
        status = read_corner(p, object, "max", &box->max);
    json_decref(object);
    return status != VP_OK ? status : judge_box(p, box);
}

/* ---- files ---- */

/* The next line, without its end. @return false after the last; *length is LINE_BYTES if it is too long */
static bool next_line(FILE *file, char line[LINE_BYTES], size_t *length)
{
    int c = EOF;
    for (*length = 0; *length < LINE_BYTES && (c = getc(file)) != EOF && c != '\n'; ++*length)
        line[*length] = (char)c;
    return c != EOF || *length != 0;
}

static vp_status read_boxes(FILE *file, vp_aabb **boxes, uint32_t *count, vp_error *error)
{
    uint32_t capacity = 0;
    char line[LINE_BYTES];
    size_t length;
    for (*count = 0; next_line(file, line, &length); ++*count) {
        const place here = {*count + 1, error};
        if (*count == UINT32_MAX / 2)
            return vp_fail(error, VP_E_FORMAT, "more than %u boxes", *count);
        if (length == LINE_BYTES)
            return vp_fail(error, VP_E_FORMAT, PLACE "longer than a box, over %d bytes", PLACE_OF(&here), LINE_BYTES - 1);
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
        return vp_fail(error, VP_E_FORMAT, "it holds no box");
    return VP_OK;
}

/* Opening a pipe that nobody writes to would wait for ever: it is opened without waiting, and refused. */
static vp_status open_file(const char *path, FILE **out, vp_error *error)
{
    struct stat about = {0};
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file == -1)
        return vp_fail(error, VP_E_IO, "cannot open %s: %s", vp_show_path(path).text, strerror(errno));
    vp_status status = VP_OK;
    if (fstat(file, &about) != 0)
        status = vp_fail(error, VP_E_IO, "cannot open %s: %s", vp_show_path(path).text, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = vp_fail(error, VP_E_IO, "%s is not a regular file", vp_show_path(path).text);
    else if ((*out = fdopen(file, "r")) == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory to read %s", vp_show_path(path).text);
    if (status != VP_OK)
        close(file);
    return status;
}

vp_status vp_box_file_read(const char *path, vp_box_set *out, vp_error *error)
{
    FILE *file = NULL;
    vp_status status = open_file(path, &file, error);
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
