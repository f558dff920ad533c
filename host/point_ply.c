/* SPDX-License-Identifier: MIT */
/* The vertices of a PLY, in text or binary, of any types. vp_mesh_check first checks the header's form and that the file is complete. */
#include "host/points.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "host/line_file.h"
#include "host/meshes/check.h"

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
    vp_status status = VP_OK;
    for (uint64_t v = 0; status == VP_OK && v < of->count; v++) {
        float p[3] = {0}, other;
        for (int i = 0; status == VP_OK && i < of->properties; i++) {
            int k = 0;
            while (k < 3 && axis[k] != i)
                k++;
            float *const to = k < 3 ? &p[k] : &other;
            status =
                ply->text ? read_word(file, "xyz"[k], v, to, error) : read_binary(file, &of->property[i], ply->big_endian, v, to, error);
        }
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
    static vp_ply ply;
    const vp_ply_element *vertices = NULL;
    int axis[3];
    uint64_t size;
    vp_status status = vp_file_size(path, &size, error); /* refuses anything but a regular file */
    if (status == VP_OK)
        status = vp_mesh_check(path, false, error);
    if (status != VP_OK)
        return status;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return vp_fail(error, errno == ENOMEM ? VP_E_MEMORY : VP_E_IO, "cannot be read: %s",
                       errno == ENOMEM ? "no memory" : strerror(errno));
    ply = (vp_ply){.elements = 0};
    status = vp_ply_read_header(file, &ply, error);
    if (status == VP_OK)
        status = find_vertices(&ply, &vertices, axis, error);
    if (status == VP_OK)
        status = read_vertices(file, &ply, vertices, axis, out, error);
    if (status == VP_OK && ferror(file))
        status = vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    fclose(file);
    return status;
}
