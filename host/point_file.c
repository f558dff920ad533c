/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <voxphys/kernel/hull.h>

#include "host/point_file.h"
#include "host/bytes.h"
#include "src/core/file.h"
#include "host/line_file.h"
#include "host/meshes/check.h"
#include "host/mesh_wire.h"

/* Appends a point. */
static vp_status points_add(vp_points *points, vp_vec3 p, vp_error *error)
{
    if (points->count == VP_HULL_MAX_POINTS)
        return vp_fail(error, VP_E_FORMAT, "more than %u points", VP_HULL_MAX_POINTS);
    VP_RETURN_IF_FAILED(vp_grow_array(&points->point, &points->room, (size_t)points->count + 1, sizeof p, "points", error));
    points->point[points->count++] = p;
    return VP_OK;
}

void vp_points_destroy(vp_points *points)
{
    free(points->point);
    *points = (vp_points){0};
}

void vp_points_text(const vp_vec3 *point, uint32_t count, uint32_t columns, const char *heading, vp_bytes *out)
{
    for (const char *at = heading; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        vp_bytes_print(out, "# ");
        vp_bytes_add(out, at, length);
        vp_bytes_print(out, "\n");
        at += length + (at[length] != '\0' ? 1 : 0);
    }
    for (uint32_t i = 0; i < count && !out->failed; i++) {
        vp_bytes_print(out, "%a %a", (double)point[i].x, (double)point[i].y);
        if (columns == 3)
            vp_bytes_print(out, " %a", (double)point[i].z);
        vp_bytes_print(out, "\n");
    }
}

/* The vertices of a PLY, in text or binary, of any types. vp_mesh_check first checks the header's form and that the file is complete. */

/* Finds the element of vertices, and its properties x, y and z. */
static vp_status find_vertices(const vp_ply *ply, const vp_ply_element **out, int axis[3], vp_error *error)
{
    int e = 0;
    for (; e < ply->elements && strcmp(ply->element[e].name, "vertex") != 0; e++)
        if (ply->element[e].count != 0)
            return vp_fail(error, VP_E_FORMAT, "element \"%.40s\" is before its vertices, where it is not read", ply->element[e].name);
    const vp_ply_element *v = &ply->element[e];
    axis[0] = axis[1] = axis[2] = -1;
    for (int i = 0; e < ply->elements && i < v->properties; i++) {
        if (v->property[i].count != 0)
            return vp_fail(error, VP_E_FORMAT, "property \"%.40s\" of its vertices is a list, which is not read", v->property[i].name);
        for (int k = 0; k < 3; k++)
            if (strlen(v->property[i].name) == 1 && v->property[i].name[0] == "xyz"[k])
                axis[k] = i;
    }
    if (!ply->known)
        return vp_fail(error, VP_E_FORMAT, "its header has no format");
    if (e == ply->elements || v->count == 0)
        return vp_fail(error, VP_E_FORMAT, "it has no vertex");
    for (int k = 0; k < 3; k++)
        if (axis[k] == -1)
            return vp_fail(error, VP_E_FORMAT, "its vertices have no property \"%c\"", "xyz"[k]);
    if (v->count > VP_HULL_MAX_POINTS)
        return vp_fail(error, VP_E_FORMAT, "%llu vertices are more than %u", (unsigned long long)v->count, VP_HULL_MAX_POINTS);
    *out = v;
    return VP_OK;
}

/* ---- vertices ---- */

static float value_of(const uint8_t *at, const vp_ply_property *p, bool big_endian)
{
    uint64_t bits = 0;
    float single;
    double wide;
    for (size_t i = 0; i < p->value; i++)
        bits |= (uint64_t)at[big_endian ? p->value - 1 - i : i] << 8 * i;
    const uint32_t word = (uint32_t)bits;
    if (p->kind == 'f' && p->value == 4) {
        memcpy(&single, &word, sizeof single);
        return single;
    }
    if (p->kind == 'f') {
        memcpy(&wide, &bits, sizeof wide);
        return fabs(wide) < 0x1.ffffffp+127 ? (float)wide : (float)copysign(INFINITY, wide); /* NaN too, which is refused later */
    }
    const uint64_t half = UINT64_C(1) << (8 * p->value - 1);
    return p->kind == 'i' && bits >= half ? -(float)(2 * half - bits) : (float)bits;
}

static vp_status cut_off(uint64_t vertex, vp_error *error)
{
    return vp_fail(error, VP_E_FORMAT, "it is cut in vertex %llu", (unsigned long long)vertex);
}

static vp_status read_binary(FILE *file, const vp_ply_property *p, bool big_endian, uint64_t vertex, float *out, vp_error *error)
{
    uint8_t bytes[8];
    if (fread(bytes, 1, p->value, file) != p->value)
        return cut_off(vertex, error);
    *out = value_of(bytes, p, big_endian);
    return VP_OK;
}

static vp_status read_word(FILE *file, char axis, uint64_t vertex, float *out, vp_error *error)
{
    char word[VP_PLY_WORD];
    if (fscanf(file, "%47s", word) != 1)
        return cut_off(vertex, error);
    if (axis != '\0' && !vp_text_float(word, out))
        return vp_fail(error, VP_E_FORMAT, "vertex %llu: %c is \"%.32s\", not a number that a 32-bit float holds",
                       (unsigned long long)vertex, axis, word);
    return VP_OK;
}

static vp_status read_vertices(FILE *file, const vp_ply *ply, const vp_ply_element *of, const int axis[3], vp_points *out, vp_error *error)
{
    for (uint64_t v = 0; v < of->count; v++) {
        float p[3] = {0}, other;
        for (int i = 0; i < of->properties; i++) {
            int k = 0;
            while (k < 3 && axis[k] != i)
                k++;
            float *const to = k < 3 ? &p[k] : &other;
            VP_RETURN_IF_FAILED(ply->text ? read_word(file, "xyz"[k], v, to, error)
                                          : read_binary(file, &of->property[i], ply->big_endian, v, to, error));
        }
        for (int k = 0; k < 3; k++)
            if (!isfinite(p[k]))
                return vp_fail(error, VP_E_FORMAT, "vertex %llu: %c is %g, which is not finite in 32 bits", (unsigned long long)v, "xyz"[k],
                               (double)p[k]);
        VP_RETURN_IF_FAILED(points_add(out, (vp_vec3){p[0], p[1], p[2]}, error));
    }
    return VP_OK;
}

/* Reads the vertices of a PLY. The message does not name the file. */
static vp_status points_read_ply(const char *path, vp_points *out, vp_error *error)
{
    static vp_ply ply;
    const vp_ply_element *vertices = NULL;
    int axis[3];
    uint64_t size;
    VP_RETURN_IF_FAILED(vp_file_size(path, &size, error)); /* refuses anything but a regular file */
    VP_RETURN_IF_FAILED(vp_mesh_check(path, false, error));
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return vp_fail(error, errno == ENOMEM ? VP_E_MEMORY : VP_E_IO, "cannot be read: %s",
                       errno == ENOMEM ? "no memory" : strerror(errno));
    ply = (vp_ply){.elements = 0};
    vp_status status = vp_ply_read_header(file, &ply, error);
    if (status == VP_OK)
        status = find_vertices(&ply, &vertices, axis, error);
    if (status == VP_OK)
        status = read_vertices(file, &ply, vertices, axis, out, error);
    if (status == VP_OK && ferror(file))
        status = vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    fclose(file);
    return status;
}

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
    for (size_t k = 0; k < count; k++)
        VP_RETURN_IF_FAILED(finite(p, word[k], "xyz"[k], &number[k]));
    *out = (vp_vec3){number[0], number[1], number[2]};
    return VP_OK;
}

/* Reads a line of a .points. */
static vp_status read_line(void *user, const vp_line_place *p, char *line, size_t length)
{
    vp_points *points = user;
    const char *word[3];
    vp_vec3 at;
    VP_RETURN_IF_FAILED(vp_line_is_text(p, line, length));
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
    VP_RETURN_IF_FAILED(read_numbers(p, word, count, &at));
    return points_add(points, at, p->error);
}

static vp_status read_text(const char *path, vp_points *out, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_read_lines(path, "a point", read_line, out, error));
    return out->count == 0 ? vp_fail(error, VP_E_FORMAT, "it has no point") : VP_OK;
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
    VP_RETURN_IF_FAILED(vp_line_is_text(p, line, length));
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
    VP_RETURN_IF_FAILED(vp_open_lines(path, &file, error));
    vp_status status = VP_OK;
    for (vp_line_place here = {1, error}; status == VP_OK && vp_next_line(file, line, &length);) {
        const bool begins = !goes_on;
        vp_vec3 p;
        line[length] = '\0';
        goes_on = length == VP_LINE_BYTES;
        if (begins && vertex_line(line) != NULL) {
            status = goes_on ? vp_fail(error, VP_E_FORMAT, VP_PLACE "longer than a vertex, over %d bytes", here.line, VP_LINE_BYTES - 1)
                             : read_vertex(&here, line, length, &p);
            if (status == VP_OK)
                status = points_add(out, p, error);
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
                                                     : points_read_ply(path, &points, error);
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
