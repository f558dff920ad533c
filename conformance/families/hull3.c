/* SPDX-License-Identifier: MIT */
/* hull3: the convex hull in space. */
#include <math.h>
#include <stdlib.h>

#include "conformance/shared/shared.h"

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_mesh *q = question->part[0];
    const vp_hull_def def = {.point = q->point, .count = q->points, .kernels = kernels};
    vp_hull hull = {0};
    const vp_status status = vp_hull_create(&def, &hull, error);
    if (status == VP_OK && hull.dimension < 3) {
        fputs("flat", to);
    } else if (status == VP_OK) {
        fprintf(to, "hull %u", hull.triangle_count);
        for (uint32_t i = 0; i < hull.triangle_count; i++)
            for (int k = 0; k < 3; k++)
                fprintf(to, " %u", hull.vertex[hull.triangle[i][k]]);
    }
    vp_hull_destroy(&hull);
    return status;
}

static const vp_form forms[] = {{"flat", .kind = VP_ANSWER_FLAT},
                                {"mesh", .kind = VP_ANSWER_MESH, .is = VP_FORM_MESH},
                                {"hull", .is = VP_FORM_NUMBERS, .each = 3, .below = offsetof(vp_query_mesh, points)},
                                {.word = NULL}};

/* ---- judging ---- */

static vp_status judge(const vp_judging *j, bool *right)
{
    uint32_t vertices;
    *right = j->answer->kind == VP_ANSWER_FLAT && json_object_get(j->alternative, "flat") != NULL;
    if (*right)
        return VP_OK;
    uint32_t *vertex = vp_numbers_of(json_object_get(j->alternative, "vertices"), 1, &vertices);
    if (vertex == NULL)
        return vp_fail(j->error, VP_E_MEMORY, "no memory for %u vertices", vertices);
    const vp_hull_wanted wanted = {(uint32_t)json_integer_value(json_object_get(j->alternative, "dimension")), vertex, vertices,
                                   json_number_value(json_object_get(j->alternative, "volume")),
                                   json_number_value(json_object_get(j->alternative, "tolerance"))};
    const vp_status status = vp_check_hull(j->q->part[0], j->answer, &wanted, j->reason, j->error);
    *right = j->reason[0] == '\0';
    free(vertex);
    return status;
}

/* For points with no volume, or hardly any. */
static bool may_refuse(const json_t *alternative)
{
    return json_object_get(alternative, "flat") != NULL || json_integer_value(json_object_get(alternative, "dimension")) < 3;
}

/* The smallest distance from a face to the point farthest from it. */
static double thickness(const vp_query_mesh *q, const vp_hull *hull)
{
    double least = INFINITY;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double *n = hull->plane[f];
        double most = 0.0;
        for (uint32_t i = 0; i < q->points; i++)
            most = fmax(most, n[3] - (n[0] * (double)q->point[i].x + n[1] * (double)q->point[i].y + n[2] * (double)q->point[i].z));
        least = fmin(least, most);
    }
    return least;
}

static json_t *hull_json(const vp_query_mesh *q, const vp_hull *hull)
{
    json_t *out = json_pack("{s:s, s:i, s:o, s:f}", "checker", "hull", "dimension", (int)hull->dimension, "vertices",
                            vp_numbers_json(hull->vertex, hull->vertex_count, 1), "tolerance", VP_LIKE_TOLERANCE);
    if (hull->dimension == 3)
        json_object_set_new(out, "volume", json_real(hull->volume));
    if (hull->dimension == 3 && thickness(q, hull) < 2.0 * VP_LIKE_TOLERANCE * vp_mesh_extent(q))
        json_object_set_new(out, "flat", json_true());
    return out;
}

enum { MAX_CORNERS = 400 };

static vp_status like_hull(const vp_likening *l, const vp_hull *hull)
{
    const vp_query_mesh *q = l->q->part[0];
    char text[100];
    bool right;
    if (hull->vertex_count > MAX_CORNERS) { /* because the checker tries all triples */
        snprintf(text, sizeof text, "a hull with %u vertices is not judged, only one of up to %d", hull->vertex_count, MAX_CORNERS);
        return vp_like_undecided(l, text);
    }
    vp_status status = vp_like_expected(l, l->right, hull_json(q, hull), &right);
    if (status == VP_OK && !right)
        *l->out = VP_LIKE_UNDECIDED; /* the reason describes that program's answer */
    else if (status == VP_OK)
        status = vp_like_expected(l, l->words, hull_json(q, hull), &right);
    /* Points off a line by rounding have an area for a program without a tolerance. */
    if (status == VP_OK && *l->out == VP_LIKE_WRONG && hull->dimension < 2 && hull->error > 0x1p-40 * vp_mesh_extent(q))
        status = vp_like_undecided(l, "the points are nearly on a line, or in one place");
    return status;
}

/* Judges by the reference's hull. The trusted program must be right by it too. */
static vp_status like(const vp_likening *l, const vp_answer *answered)
{
    const vp_query_mesh *q = l->q->part[0];
    vp_kernels kernels;
    vp_hull hull = {0};
    vp_error why;
    vp_status status = vp_kernels_named("scalar", &kernels, &why);
    const vp_hull_def def = {.point = q->point, .count = q->points, .kernels = &kernels};
    if (status == VP_OK)
        status = vp_hull_create(&def, &hull, &why);
    if (status == VP_E_MEMORY)
        vp_fail(l->error, status, "%.200s", why.message);
    else
        status = status == VP_OK ? like_hull(l, &hull) : vp_like_undecided(l, why.message);
    vp_hull_destroy(&hull);
    return status;
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    const vp_query_mesh *points = q->part[0];
    const bool solid = json_integer_value(json_object_get(alternative, "dimension")) == 3;
    const vp_status status = vp_expected_below(alternative, "vertices", points->points, true, error);
    if (status != VP_OK)
        return status;
    if ((json_object_get(alternative, "volume") != NULL) != solid)
        return vp_expected_wrong(alternative, "volume", error);
    if ((json_object_get(alternative, "faces") != NULL) != solid)
        return vp_expected_wrong(alternative, "faces", error);
    return solid || json_object_get(alternative, "flat") == NULL ? VP_OK : vp_expected_wrong(alternative, "flat", error);
}

static bool is_positive(json_t *value)
{
    return json_number_value(value) > 0.0;
}

static const vp_value volume = {.type = JSON_REAL, .most = INFINITY, .also = is_positive}, dimension = {.type = JSON_INTEGER, .most = 3};
static const vp_member expected[] = {
    {.name = "checker", .is = &vp_is_words},
    {.name = "tolerance", .is = &vp_is_tolerance},
    {.name = "dimension", .is = &dimension},
    {.name = "vertices", .is = &vp_is_numbers},
    {.name = "faces", .is = &vp_is_whole, .otherwise = ""},
    {.name = "volume", .is = &volume, .otherwise = ""},
    {.name = "flat", .is = &vp_is_true, .otherwise = ""},
    {.name = NULL},
};

const vp_family vp_family_hull3 = {VP_FAMILY("hull3", VP_EXACT | VP_PROPERTY | VP_REFUSED),
                                   .checker = "hull",
                                   .part = {&vp_part_points},
                                   .sound = sound,
                                   .may_refuse = may_refuse,
                                   .unsound = vp_hull_unsound,
                                   .like = like};
