/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/shapes/shapes.h"

/* ---- words ---- */

static vp_status read(vp_reader *r, const vp_part *of, void *part)
{
    vp_asked_mesh *q = part;
    int64_t points = 3, triangles = 0, vertex = 0;
    vp_status status = VP_OK;
    if (of != &vp_part_triangle)
        status = vp_reader_whole(r, 0, VP_QUESTION_MAX_POINTS, &points, "how many points there are");
    if (status == VP_OK && of == &vp_part_mesh)
        status = vp_reader_whole(r, 0, VP_QUESTION_MAX_POINTS, &triangles, "how many triangles there are");
    if (status != VP_OK)
        return status;
    q->points = (uint32_t)points;
    q->triangles = (uint32_t)triangles;
    q->flat = of == &vp_part_flat_points;
    const size_t left = strlen(r->words->at); /* a number takes two letters at least: what is not there gets no memory */
    if (q->points > left / 2 || q->triangles > left / 2)
        return vp_fail(r->error, VP_E_FORMAT, "the line is too short for %u points and %u triangles", q->points, q->triangles);
    q->point = calloc((size_t)q->points + 1, sizeof *q->point);
    q->triangle = calloc((size_t)q->triangles + 1, sizeof *q->triangle);
    if (q->point == NULL || q->triangle == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %u points and %u triangles", q->points, q->triangles);
    for (uint32_t i = 0; status == VP_OK && i < q->points; i++) {
        float v[3] = {0.0f, 0.0f, 0.0f};
        status = vp_reader_floats(r, v, q->flat ? 2 : 3, "the bits of a coordinate");
        q->point[i] = (vp_vec3){v[0], v[1], v[2]};
    }
    for (size_t i = 0; status == VP_OK && i < (size_t)q->triangles * 3; i++) {
        status = vp_reader_whole(r, 0, points - 1, &vertex, "a vertex's number");
        q->triangle[i / 3][i % 3] = (uint32_t)vertex;
    }
    if (of == &vp_part_triangle) { /* for which there is room: one more than was told */
        q->triangles = 1;
        for (uint32_t k = 0; k < 3; k++)
            q->triangle[0][k] = k;
    }
    return status;
}

static void write(const vp_part *of, const void *part, FILE *to)
{
    const vp_asked_mesh *q = part;
    if (of != &vp_part_triangle)
        fprintf(to, " %u", q->points);
    if (of == &vp_part_mesh)
        fprintf(to, " %u", q->triangles);
    for (uint32_t i = 0; i < q->points; i++) {
        fprintf(to, " %s %s", vp_bits_of(q->point[i].x).text, vp_bits_of(q->point[i].y).text);
        if (!q->flat)
            fprintf(to, " %s", vp_bits_of(q->point[i].z).text);
    }
    for (uint32_t i = 0; of == &vp_part_mesh && i < q->triangles; i++)
        fprintf(to, " %u %u %u", q->triangle[i][0], q->triangle[i][1], q->triangle[i][2]);
}

static void drop(void *part)
{
    vp_asked_mesh *q = part;
    free(q->point);
    free(q->triangle);
}

/* ---- smaller ones ---- */

static size_t count_triangles(const void *part)
{
    return ((const vp_asked_mesh *)part)->triangles;
}

static size_t count_points(const void *part)
{
    return ((const vp_asked_mesh *)part)->points;
}

static bool leave_out_points(void *part, size_t from, size_t to)
{
    vp_asked_mesh *q = part;
    memmove(q->point + from, q->point + to, (q->points - to) * sizeof *q->point);
    q->points -= (uint32_t)(to - from);
    return true;
}

/* Vertices that no triangle has, left out. */
static bool drop_unused(vp_asked_mesh *q)
{
    uint32_t kept = 0, *number = calloc((size_t)q->points + 1, sizeof *number); /* 1 where it is used, then its new number */
    if (number == NULL)
        return false;
    for (uint32_t t = 0; t < q->triangles; t++)
        for (int k = 0; k < 3; k++)
            number[q->triangle[t][k]] = 1;
    for (uint32_t v = 0; v < q->points; v++)
        if (number[v] != 0) {
            q->point[kept] = q->point[v];
            number[v] = kept++;
        }
    for (uint32_t t = 0; t < q->triangles; t++)
        for (int k = 0; k < 3; k++)
            q->triangle[t][k] = number[q->triangle[t][k]];
    q->points = kept;
    free(number);
    return true;
}

static bool leave_out_triangles(void *part, size_t from, size_t to)
{
    vp_asked_mesh *q = part;
    memmove(q->triangle + from, q->triangle + to, (q->triangles - to) * sizeof *q->triangle);
    q->triangles -= (uint32_t)(to - from);
    return drop_unused(q);
}

static float *number(const vp_part *of, void *part, size_t i)
{
    (void)of;
    const vp_asked_mesh *q = part;
    const size_t columns = q->flat ? 2 : 3;
    vp_vec3 *p = &q->point[i / columns];
    return i >= q->points * columns ? NULL : i % columns == 0 ? &p->x : i % columns == 1 ? &p->y : &p->z;
}

static const vp_value triangle_value = {.type = JSON_ARRAY, .part = &vp_is_place, .count = 3},
                      flat_place = {.type = JSON_ARRAY, .part = &vp_is_bits, .count = 2},
                      flat_places = {.type = JSON_ARRAY, .part = &flat_place};
static const vp_member triangle_members[] = {{.name = "triangle", .is = &triangle_value}, {.name = NULL}},
                       mesh_members[] = {{.name = "vertices", .is = &vp_is_places, .counted = true},
                                         {.name = "triangles", .is = &vp_is_threes, .counted = true},
                                         {.name = NULL}},
                       points_members[] = {{.name = "points", .is = &vp_is_places, .counted = true}, {.name = NULL}},
                       flat_members[] = {{.name = "points", .is = &flat_places, .counted = true}, {.name = NULL}};

#define MESH   .size = sizeof(vp_asked_mesh), .read = read, .write = write, .drop = drop, .number = number
#define POINTS MESH, .unit = "points", .count = count_points
const vp_part vp_part_triangle = {POINTS, .members = triangle_members};
const vp_part vp_part_mesh = {MESH, .members = mesh_members, .unit = "triangles", .count = count_triangles,
                              .leave_out = leave_out_triangles};
const vp_part vp_part_points = {POINTS, .members = points_members, .leave_out = leave_out_points};
const vp_part vp_part_flat_points = {POINTS, .members = flat_members, .leave_out = leave_out_points};

/* ---- what they are ---- */

bool vp_mesh_is_finite(const vp_asked_mesh *q)
{
    for (uint32_t i = 0; i < q->points; i++)
        if (!isfinite(q->point[i].x) || !isfinite(q->point[i].y) || !isfinite(q->point[i].z))
            return false;
    return true;
}

double vp_mesh_extent(const vp_asked_mesh *q)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0.0;
    for (uint32_t i = 0; i < q->points; i++) {
        const double v[3] = {(double)q->point[i].x, (double)q->point[i].y, (double)q->point[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], v[k]);
            high[k] = fmax(high[k], v[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        extent = fmax(extent, high[k] - low[k]);
    return extent;
}

vp_triangles vp_mesh_triangles(const vp_asked_mesh *q)
{
    return (vp_triangles){.vertex = q->point, .index = &q->triangle[0][0], .vertex_count = q->points, .triangle_count = q->triangles};
}

vp_status vp_mesh_tree(const vp_triangles *triangles, const vp_kernels *kernels, vp_kd **out, vp_error *error)
{
    const vp_kd_def def = {.triangles = *triangles, .form = VP_KD_WIDE, .kernels = kernels};
    return vp_kd_create(&def, out, error);
}

json_t *vp_hull_unsound(const vp_question *question)
{
    const vp_asked_mesh *q = question->part[0];
    return q->points > 0 && vp_mesh_is_finite(q) ? NULL : json_pack("{s:b}", "refused", 1);
}
