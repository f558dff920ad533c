/* SPDX-License-Identifier: MIT */
/* The vertices of a PLY, in text or binary, in any types. That the file holds all that its header says is looked at by
 * vp_mesh_check first, and so is the header's form; that is of a mesh as much as of points alone. */
#include "host/point_ply.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "host/line_file.h"
#include "host/mesh_check.h"

enum { MAX_PROPERTIES = 64, WORD = 48 };

typedef enum type { NO_TYPE, CHAR, UCHAR, SHORT, USHORT, INT, UINT, FLOAT, DOUBLE } type;

/* What stands before the vertices, and what they are. */
typedef struct header {
    bool text, big_endian, known; /* known: the format */
    bool vertices;                /* their element was found */
    uint64_t count;
    int properties;
    type of[MAX_PROPERTIES];
    int axis[3]; /* the property that is x, y, z; -1 */
} header;

static type type_of(const char *name)
{
    static const struct {
        const char *name;
        type type;
    } types[] = {{"char", CHAR},   {"uchar", UCHAR},   {"int8", CHAR},     {"uint8", UCHAR},   {"short", SHORT}, {"ushort", USHORT},
                 {"int16", SHORT}, {"uint16", USHORT}, {"int", INT},       {"uint", UINT},     {"int32", INT},   {"uint32", UINT},
                 {"float", FLOAT}, {"float32", FLOAT}, {"double", DOUBLE}, {"float64", DOUBLE}};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        if (strcmp(name, types[t].name) == 0)
            return types[t].type;
    return NO_TYPE;
}

static size_t bytes_of(type t)
{
    static const uint8_t bytes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return bytes[t];
}

/* ---- the header ---- */

static vp_status read_property(header *h, char word[5][WORD], vp_error *error)
{
    if (strcmp(word[1], "list") == 0)
        return vp_fail(error, VP_E_FORMAT, "property \"%.40s\" of its vertices is a list, which is not read", word[4]);
    if (h->properties == MAX_PROPERTIES)
        return vp_fail(error, VP_E_FORMAT, "its vertices have more than %d properties", MAX_PROPERTIES);
    for (int k = 0; k < 3; k++)
        if (strlen(word[2]) == 1 && word[2][0] == "xyz"[k])
            h->axis[k] = h->properties;
    h->of[h->properties++] = type_of(word[1]);
    return VP_OK;
}

/* Reads to the end of the header, whose form has been looked at. */
static vp_status read_header(FILE *file, header *h, vp_error *error)
{
    bool in_vertices = false;
    h->axis[0] = h->axis[1] = h->axis[2] = -1;
    for (;;) {
        char line[VP_LINE_BYTES + 1], word[5][WORD] = {""};
        size_t length = 0;
        int c, words = 0;
        while ((c = getc(file)) != EOF && c != '\n' && c != '\r')
            if (length < VP_LINE_BYTES)
                line[length++] = (char)c;
        if (c == '\r' && (c = getc(file)) != '\n')
            ungetc(c, file);
        line[length] = '\0';
        for (char *at = line; words < 5 && *(at += strspn(at, " \t\v\f")) != '\0'; words++) {
            const size_t size = strcspn(at, " \t\v\f");
            snprintf(word[words], WORD, "%.*s", size < WORD ? (int)size : WORD - 1, at);
            at += size;
        }
        if (strcmp(line, "end_header") == 0)
            break;
        if (c == EOF)
            return vp_fail(error, VP_E_FORMAT, "its header has no end");
        if (strcmp(word[0], "format") == 0) {
            h->known = true;
            h->text = strcmp(word[1], "ascii") == 0;
            h->big_endian = strcmp(word[1], "binary_big_endian") == 0;
        } else if (strcmp(word[0], "element") == 0) {
            const uint64_t count = strtoull(word[2], NULL, 10);
            in_vertices = !h->vertices && strcmp(word[1], "vertex") == 0;
            if (!in_vertices && !h->vertices && count != 0)
                return vp_fail(error, VP_E_FORMAT, "element \"%.40s\" is before its vertices, where it is not read", word[1]);
            h->count = in_vertices ? count : h->count;
            h->vertices = h->vertices || in_vertices;
        } else if (strcmp(word[0], "property") == 0 && in_vertices) {
            const vp_status status = read_property(h, word, error);
            if (status != VP_OK)
                return status;
        }
    }
    if (!h->known)
        return vp_fail(error, VP_E_FORMAT, "its header does not tell a format");
    if (!h->vertices || h->count == 0)
        return vp_fail(error, VP_E_FORMAT, "it has no vertex");
    for (int k = 0; k < 3; k++)
        if (h->axis[k] == -1)
            return vp_fail(error, VP_E_FORMAT, "its vertices have no property \"%c\"", "xyz"[k]);
    if (h->count > VP_HULL_MAX_POINTS)
        return vp_fail(error, VP_E_FORMAT, "%llu vertices are more than %u", (unsigned long long)h->count, VP_HULL_MAX_POINTS);
    return VP_OK;
}

/* ---- vertices ---- */

static float value_of(const uint8_t *at, type t, bool big_endian)
{
    uint64_t bits = 0;
    uint32_t word;
    float single;
    double wide;
    const size_t bytes = bytes_of(t);
    for (size_t i = 0; i < bytes; i++)
        bits |= (uint64_t)at[big_endian ? bytes - 1 - i : i] << 8 * i;
    word = (uint32_t)bits;
    switch (t) {
    case CHAR:
        return (float)((int)bits - (bits >= 128 ? 256 : 0));
    case SHORT:
        return (float)((int)bits - (bits >= 32768 ? 65536 : 0));
    case INT:
        return (float)((int64_t)bits - (bits >= INT64_C(1) << 31 ? INT64_C(1) << 32 : 0));
    case FLOAT:
        memcpy(&single, &word, sizeof single);
        return single;
    case DOUBLE:
        memcpy(&wide, &bits, sizeof wide);
        return fabs(wide) < 0x1.ffffffp+127 ? (float)wide : (float)copysign(INFINITY, wide); /* NaN too: it is not finite */
    default:
        return (float)bits;
    }
}

static vp_status cut_off(uint64_t vertex, vp_error *error)
{
    return vp_fail(error, VP_E_FORMAT, "it is cut in vertex %llu", (unsigned long long)vertex);
}

static vp_status read_binary(FILE *file, const header *h, uint64_t vertex, float out[3], vp_error *error)
{
    for (int i = 0; i < h->properties; i++) {
        uint8_t bytes[8];
        if (fread(bytes, 1, bytes_of(h->of[i]), file) != bytes_of(h->of[i]))
            return cut_off(vertex, error);
        for (int k = 0; k < 3; k++)
            if (h->axis[k] == i)
                out[k] = value_of(bytes, h->of[i], h->big_endian);
    }
    return VP_OK;
}

static vp_status read_words(FILE *file, const header *h, uint64_t vertex, float out[3], vp_error *error)
{
    for (int i = 0; i < h->properties; i++) {
        char word[WORD];
        if (fscanf(file, "%47s", word) != 1)
            return cut_off(vertex, error);
        for (int k = 0; k < 3; k++)
            if (h->axis[k] == i && !vp_text_float(word, &out[k]))
                return vp_fail(error, VP_E_FORMAT, "vertex %llu: %c is \"%.32s\", not a number that a 32-bit float holds",
                               (unsigned long long)vertex, "xyz"[k], word);
    }
    return VP_OK;
}

static vp_status read_vertices(FILE *file, const header *h, vp_points *out, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint64_t v = 0; status == VP_OK && v < h->count; v++) {
        float p[3] = {0};
        status = h->text ? read_words(file, h, v, p, error) : read_binary(file, h, v, p, error);
        for (int k = 0; k < 3 && status == VP_OK; k++)
            if (!isfinite(p[k]))
                status = vp_fail(error, VP_E_FORMAT, "vertex %llu: %c is %g, which is not finite in 32 bits", (unsigned long long)v,
                                 "xyz"[k], (double)p[k]);
        if (status == VP_OK)
            status = vp_points_add(out, (vp_vec3){p[0], p[1], p[2]}, error);
    }
    return status;
}

vp_status vp_points_read_ply(const char *path, vp_points *out, vp_error *error)
{
    header h = {0};
    uint64_t size;
    vp_status status = vp_file_size(path, &size, error); /* refuses what is not a regular file */
    if (status == VP_OK)
        status = vp_mesh_check(path, false, error);
    if (status != VP_OK)
        return status;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return vp_fail(error, errno == ENOMEM ? VP_E_MEMORY : VP_E_IO, "cannot be read: %s",
                       errno == ENOMEM ? "no memory" : strerror(errno));
    status = read_header(file, &h, error);
    if (status == VP_OK)
        status = read_vertices(file, &h, out, error);
    if (status == VP_OK && ferror(file))
        status = vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    fclose(file);
    return status;
}
