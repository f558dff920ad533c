/* SPDX-License-Identifier: MIT */
/* Hulls from files: JSON, and formats that assimp reads. */
#include "host/hulls/hulls.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "host/mesh_load.h"
#include "host/mesh_wire.h"

static vp_status no_memory(vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for hulls");
}

/* ---- JSON ---- */

/* Reads a number that is finite as binary32. */
static bool read_number(const json_t *value, float *out)
{
    *out = json_is_number(value) ? (float)json_number_value(value) : NAN;
    return isfinite(*out);
}

static vp_status read_point(const json_t *value, size_t hull, size_t number, vp_hulls *out, vp_error *error)
{
    float at[3] = {0.0f, 0.0f, 0.0f};
    bool right = json_array_size(value) == 3;
    for (size_t k = 0; k < 3 && right; k++)
        right = read_number(json_array_get(value, k), &at[k]);
    if (!right)
        return vp_fail(error, VP_E_FORMAT, "hull %zu: point %zu is not three finite numbers", hull, number);
    vp_hulls_point(out, (vp_vec3){at[0], at[1], at[2]});
    return VP_OK;
}

/* Reads an integer below `end`. */
static bool read_index(const json_t *value, uint32_t end, uint32_t *out)
{
    const json_int_t index = json_is_integer(value) ? json_integer_value(value) : -1;
    *out = index >= 0 && index < (json_int_t)end ? (uint32_t)index : 0;
    return index >= 0 && index < (json_int_t)end;
}

static vp_status read_triangle(const json_t *value, size_t hull, size_t number, uint32_t points, vp_hulls *out, vp_error *error)
{
    uint32_t corner[3] = {0, 0, 0};
    bool right = json_array_size(value) == 3;
    for (size_t k = 0; k < 3 && right; k++)
        right = read_index(json_array_get(value, k), points, &corner[k]);
    if (!right)
        return vp_fail(error, VP_E_FORMAT, "hull %zu: triangle %zu is not three of its %u points, numbered from 0", hull, number, points);
    vp_hulls_triangle(out, corner[0], corner[1], corner[2]);
    return VP_OK;
}

static vp_status read_hull(const json_t *value, size_t hull, vp_hulls *out, vp_error *error)
{
    const json_t *points = json_object_get(value, "points"), *triangles = json_object_get(value, "triangles");
    const json_t *of = json_object_get(value, "of");
    const size_t point_count = json_array_size(points), triangle_count = json_array_size(triangles), source_count = json_array_size(of);
    vp_status status = VP_OK;
    if (point_count == 0)
        return vp_fail(error, VP_E_FORMAT,
                       json_is_array(points) ? "hull %zu: its list of \"points\" is empty" : "hull %zu has no list of \"points\"", hull);
    if (point_count > VP_HULLS_MAX_POINTS - out->points || triangle_count > VP_HULLS_MAX_TRIANGLES - out->triangles)
        return vp_fail(error, VP_E_FORMAT, "hull %zu: more than %u points or %u triangles", hull, VP_HULLS_MAX_POINTS,
                       VP_HULLS_MAX_TRIANGLES);
    if ((triangles != NULL && !json_is_array(triangles)) || (of != NULL && !json_is_array(of)))
        return vp_fail(error, VP_E_FORMAT, "hull %zu: its \"%s\" must be a list", hull,
                       json_is_array(of) || of == NULL ? "triangles" : "of");
    vp_hulls_begin(out);
    for (size_t i = 0; i < point_count && status == VP_OK; i++)
        status = read_point(json_array_get(points, i), hull, i, out, error);
    for (size_t i = 0; i < triangle_count && status == VP_OK; i++)
        status = read_triangle(json_array_get(triangles, i), hull, i, (uint32_t)point_count, out, error);
    for (size_t i = 0; i < source_count && status == VP_OK; i++) {
        uint32_t source = 0;
        if (!read_index(json_array_get(of, i), UINT32_MAX, &source))
            status = vp_fail(error, VP_E_FORMAT, "hull %zu: number %zu of its \"of\" is not a triangle's", hull, i);
        vp_hulls_source(out, source);
    }
    vp_hulls_join(out);
    return status;
}

vp_status vp_hulls_read_json(const uint8_t *bytes, size_t size, vp_hulls *out, vp_error *error)
{
    json_error_t reason;
    json_t *all = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &reason);
    const json_t *hulls = json_object_get(all, "hulls");
    const size_t count = json_array_size(hulls);
    vp_status status = VP_OK;
    if (all == NULL)
        status = vp_fail(error, VP_E_FORMAT, "line %d: %.120s", reason.line, reason.text);
    else if (!json_is_array(hulls))
        status = vp_fail(error, VP_E_FORMAT, "it has no list of \"hulls\"");
    else if (count == 0)
        status = vp_fail(error, VP_E_FORMAT, "its list of \"hulls\" is empty");
    for (size_t i = 0; i < count && status == VP_OK; i++)
        status = read_hull(json_array_get(hulls, i), i, out, error);
    json_decref(all);
    return status == VP_OK && out->failed ? no_memory(error) : status;
}

/* ---- through assimp ---- */

/* Adds the points of a node's triangles, in order, as a hull. */
static vp_status take_parts(const vp_loaded_mesh *mesh, vp_hulls *out, vp_error *error)
{
    const vp_triangles *t = &mesh->triangles;
    uint32_t *hull = calloc((size_t)t->vertex_count + 1, sizeof *hull), *number = calloc((size_t)t->vertex_count + 1, sizeof *number);
    bool failed = hull == NULL || number == NULL;
    for (uint32_t i = 0; !failed && i < t->triangle_count; i++) {
        uint32_t corner[3] = {0, 0, 0};
        if (i == 0 || mesh->part[i] != mesh->part[i - 1]) {
            vp_hulls_join(out);
            vp_hulls_begin(out);
        }
        failed = out->failed;
        for (int k = 0; k < 3 && !failed; k++) {
            const uint32_t v = t->index[(size_t)i * 3 + (size_t)k];
            if (hull[v] != out->count) {
                hull[v] = out->count;
                number[v] = out->one[out->count - 1].points;
                vp_hulls_point(out, t->vertex[v]);
            }
            corner[k] = number[v];
        }
        if (!failed)
            vp_hulls_triangle(out, corner[0], corner[1], corner[2]);
    }
    vp_hulls_join(out);
    free(hull);
    free(number);
    return failed || out->failed ? no_memory(error) : VP_OK;
}

static vp_status read_mesh(const char *path, vp_hulls *out, vp_error *error)
{
    vp_loaded_mesh mesh = {0};
    vp_looks *looks = malloc(sizeof *looks);
    if (looks == NULL)
        return no_memory(error);
    vp_status status = vp_mesh_load(path, NULL, &mesh, looks, error);
    if (status == VP_OK)
        status = take_parts(&mesh, out, error);
    vp_loaded_mesh_destroy(&mesh);
    free(looks);
    return status;
}

/* ---- files ---- */

bool vp_is_hulls_file(const char *name)
{
    return vp_is_mesh_file(name) || vp_name_ends(name, ".json");
}

vp_status vp_hulls_read(const char *path, vp_hulls *out, vp_error *error)
{
    *out = (vp_hulls){0};
    const bool json = vp_name_ends(path, ".json");
    if (!json && !vp_name_ends(path, ".obj"))
        return read_mesh(path, out, error);
    const vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    vp_status status = vp_file_read(path, UINT64_C(1) << 32, &allocator, &bytes, &size, error);
    if (status != VP_OK)
        return status;
    status = json ? vp_hulls_read_json(bytes, size, out, error) : vp_hulls_read_obj(bytes, size, out, error);
    vp_release(&allocator, bytes, size, 1);
    if (status != VP_OK && status != VP_E_MEMORY)
        vp_name_file(error, "", path);
    return status;
}
