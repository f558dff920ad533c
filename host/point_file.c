/* SPDX-License-Identifier: MIT */
#include "host/point_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "src/core/error.h"
#include "host/line_file.h"
#include "host/mesh_wire.h"

static const char blanks[] = " \t\r\v\f";

bool vp_is_point_file(const char *name)
{
    return vp_name_ends(name, ".points") || vp_name_ends(name, ".obj") || vp_name_ends(name, ".ply");
}

/* ---- lines ---- */

/* Reads a word as a finite binary32 number. */
static vp_status finite(const vp_line_place *p, const char *word, char axis, float *out)
{
    if (!vp_text_float(word, out))
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%c is \"%.32s\", not a number that a 32-bit float holds", p->line, axis, word);
    if (!isfinite(*out))
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%c is \"%.32s\", which is not finite", p->line, axis, word);
    return VP_OK;
}

/* Cuts a line into words, at blanks and at the characters of `more`. @return the number of words. Only the first `most` are stored */
static size_t cut(char *line, const char *more, const char **word, size_t most)
{
    char ends[16];
    size_t count = 0;
    snprintf(ends, sizeof ends, "%s%s", blanks, more);
    for (char *at = line; *(at += strspn(at, ends)) != '\0'; count++) {
        char *end = at + strcspn(at, ends);
        const bool last = *end == '\0';
        *end = '\0';
        if (count < most)
            word[count] = at;
        at = last ? end : end + 1;
    }
    return count;
}

static vp_status read_numbers(const vp_line_place *p, const char *const word[3], size_t count, vp_vec3 *out)
{
    float number[3] = {0};
    for (size_t k = 0; k < count; k++) {
        const vp_status status = finite(p, word[k], "xyz"[k], &number[k]);
        if (status != VP_OK)
            return status;
    }
    *out = (vp_vec3){number[0], number[1], number[2]};
    return VP_OK;
}

/* Reads a line of a .points. */
static vp_status read_line(void *user, const vp_line_place *p, char *line, size_t length)
{
    vp_points *points = user;
    const char *word[3];
    vp_vec3 at;
    vp_status status = vp_line_is_text(p, line, length);
    if (status != VP_OK)
        return status;
    line[strcspn(line, "#")] = '\0';
    const size_t count = cut(line, ",", word, 3);
    if (count == 0)
        return VP_OK;
    if (count < 2 || count > 3)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%zu number%s, the first \"%.32s\"; a point has three, or two", p->line, count,
                       count == 1 ? "" : "s", word[0]);
    if (points->columns != 0 && count != points->columns)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%zu numbers; the points before have %u", p->line, count, points->columns);
    points->columns = (uint32_t)count;
    status = read_numbers(p, word, count, &at);
    return status == VP_OK ? vp_points_add(points, at, p->error) : status;
}

static vp_status read_text(const char *path, vp_points *out, vp_error *error)
{
    const vp_status status = vp_read_lines(path, "a point", read_line, out, error);
    return status == VP_OK && out->count == 0 ? vp_fail(error, VP_E_FORMAT, "it has no point") : status;
}

/* ---- OBJ ---- */

/* Returns the text after "v" and a blank. NULL for lines of other kinds. */
static const char *vertex_line(const char *line)
{
    line += strspn(line, blanks);
    return line[0] == 'v' && line[1] != '\0' && strchr(blanks, line[1]) != NULL ? line + 2 : NULL;
}

/* A weight, a colour, or both may follow x, y and z. */
static vp_status read_vertex(const vp_line_place *p, char *line, size_t length, vp_vec3 *out)
{
    const char *word[3];
    vp_status status = vp_line_is_text(p, line, length);
    if (status != VP_OK)
        return status;
    line[strcspn(line, "#")] = '\0';
    const size_t count = cut(line + (vertex_line(line) - line), "", word, 3);
    if (count < 3)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%zu number%s; a vertex has three or more", p->line, count, count == 1 ? "" : "s");
    return read_numbers(p, word, 3, out);
}

static vp_status read_obj(const char *path, vp_points *out, vp_error *error)
{
    FILE *file = NULL;
    char line[VP_LINE_BYTES + 1];
    size_t length;
    bool goes_on = false; /* the line is longer than the buffer */
    vp_status status = vp_open_lines(path, &file, error);
    if (status != VP_OK)
        return status;
    for (vp_line_place here = {1, error}; status == VP_OK && vp_next_line(file, line, &length);) {
        const bool begins = !goes_on;
        vp_vec3 p;
        line[length] = '\0';
        goes_on = length == VP_LINE_BYTES;
        if (begins && vertex_line(line) != NULL) {
            status = goes_on ? vp_fail(error, VP_E_FORMAT, VP_PLACE "longer than a vertex, over %d bytes", here.line, VP_LINE_BYTES - 1)
                             : read_vertex(&here, line, length, &p);
            if (status == VP_OK)
                status = vp_points_add(out, p, error);
        }
        if (!goes_on && here.line++ == UINT32_MAX)
            status = vp_fail(error, VP_E_FORMAT, "more than %u lines", UINT32_MAX);
    }
    if (status == VP_OK && ferror(file))
        status = vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    fclose(file);
    return status == VP_OK && out->count == 0 ? vp_fail(error, VP_E_FORMAT, "it has no vertex: no line begins with \"v\"") : status;
}

/* ---- files ---- */

vp_status vp_point_file_read(const char *path, vp_points *out, vp_error *error)
{
    vp_points points = {0};
    vp_status status = vp_name_ends(path, ".points") ? read_text(path, &points, error)
                       : vp_name_ends(path, ".obj")  ? read_obj(path, &points, error)
                                                     : vp_points_read_ply(path, &points, error);
    if (points.columns == 0)
        points.columns = 3;
    if (status == VP_OK) {
        *out = points;
        return VP_OK;
    }
    if (strstr(error->message, vp_show_path(path).text) == NULL)
        vp_name_file(error, "", path);
    vp_points_destroy(&points);
    return status;
}
