/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

/* Its corners are points, and there is one triangle of them. */
static vp_status read_triangle(vp_reader *r, const vp_part *of, void *part)
{
    vp_query_mesh *q = part;
    q->triangle = malloc(sizeof *q->triangle);
    if (q->triangle == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for a triangle");
    q->triangles = 1;
    memcpy(q->triangle[0], (uint32_t[3]){0, 1, 2}, sizeof *q->triangle);
    return vp_part_read(r, of, part);
}

static bool copy_triangle(void *part)
{
    vp_query_mesh *q = part;
    void *to = malloc(sizeof *q->triangle);
    if (to != NULL)
        memcpy(to, q->triangle, sizeof *q->triangle);
    q->triangle = to;
    return to != NULL;
}

static void drop_triangle(void *part)
{
    free(((vp_query_mesh *)part)->triangle);
}

/* ---- smaller ones ---- */

/* Vertices that no triangle has, left out. */
static bool drop_unused(vp_query_mesh *q)
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

static bool leave_out_triangles(const vp_part *of, void *part, size_t from, size_t to)
{
    return vp_part_leave_out(of, part, from, to) && drop_unused(part);
}

static const vp_value triangle_value = {.type = JSON_ARRAY, .part = &vp_is_place, .count = 3},
                      flat_place = {.type = JSON_ARRAY, .part = &vp_is_bits, .count = 2},
                      flat_places = {.type = JSON_ARRAY, .part = &flat_place};

#define PLACES                                                                                                                             \
    VP_LISTED(vp_query_mesh, point, "the bits of a coordinate", "points", points), .most = VP_QUESTION_MAX_POINTS, .letters = 2, .stride = 3
#define TRIANGLES                                                                                                                          \
    VP_LISTED(vp_query_mesh, triangle, "a vertex's number", "triangles", triangles), .most = VP_QUESTION_MAX_POINTS, .letters = 2,         \
                                                                                     .below = offsetof(vp_query_mesh, points)
static const vp_member triangle_members[] = {{PLACES, .name = "triangle", .is = &triangle_value}, {.name = NULL}},
                       mesh_members[] = {{PLACES, .name = "vertices", .is = &vp_is_places},
                                         {TRIANGLES, .name = "triangles", .is = &vp_is_threes},
                                         {.name = NULL}},
                       points_members[] = {{PLACES, .name = "points", .is = &vp_is_places}, {.name = NULL}},
                       other_members[] = {{PLACES, .name = "other_points", .is = &vp_is_places}, {.name = NULL}},
                       flat_members[] = {{PLACES, .name = "points", .is = &flat_places}, {.name = NULL}};

#define MESH   .size = sizeof(vp_query_mesh), .number = vp_part_number, .count = vp_part_count
#define POINTS MESH, .nor = " and 0 triangles", .unit = "points"
const vp_part vp_part_triangle = {POINTS, .members = triangle_members, .read = read_triangle, .copy = copy_triangle, .drop = drop_triangle};
const vp_part vp_part_mesh = {MESH, .members = mesh_members, .unit = "triangles", .leave_out = leave_out_triangles};
const vp_part vp_part_points = {POINTS, .members = points_members, .leave_out = vp_part_leave_out};
const vp_part vp_part_other_points = {POINTS, .members = other_members, .leave_out = vp_part_leave_out};
const vp_part vp_part_flat_points = {POINTS, .members = flat_members, .leave_out = vp_part_leave_out};

/* ---- what they are ---- */

bool vp_place_is_finite(vp_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

bool vp_mesh_is_finite(const vp_query_mesh *q)
{
    for (uint32_t i = 0; i < q->points; i++)
        if (!vp_place_is_finite(q->point[i]))
            return false;
    return true;
}

void vp_mesh_sides(const vp_query_mesh *q, double side[3])
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < q->points; i++) {
        const double v[3] = {(double)q->point[i].x, (double)q->point[i].y, (double)q->point[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], v[k]);
            high[k] = fmax(high[k], v[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        side[k] = high[k] - low[k];
}

double vp_mesh_extent(const vp_query_mesh *q)
{
    double side[3];
    vp_mesh_sides(q, side);
    return fmax(fmax(side[0], side[1]), fmax(side[2], 0.0));
}

vp_triangles vp_mesh_triangles(const vp_query_mesh *q)
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
    const vp_query_mesh *q = question->part[0];
    return q->points > 0 && vp_mesh_is_finite(q) ? NULL : json_pack("{s:b}", "refused", 1);
}
