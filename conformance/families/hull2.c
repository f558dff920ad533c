/* SPDX-License-Identifier: MIT */
/* hull2: the convex hull in the plane. */
#include <math.h>
#include <stdlib.h>

#include "conformance/shared/shared.h"
#include "src/core/memory.h"

/* Uses the kernel, whose corners are in order. */
static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_mesh *q = question->part[0];
    if (q->points == 0)
        return vp_fail(error, VP_E_ARGUMENT, "there are no points");
    for (uint32_t i = 0; i < q->points; i++)
        if (!isfinite(q->point[i].x) || !isfinite(q->point[i].y))
            return vp_fail(error, VP_E_ARGUMENT, "point %u is not finite", i);
    const vp_allocator a = vp_allocator_default();
    const size_t bytes = vp_hull2_scratch_bytes(q->points);
    void *scratch = vp_allocate(&a, bytes, 1);
    uint32_t *corner = malloc((size_t)q->points * sizeof *corner);
    const bool memory = scratch != NULL && corner != NULL;
    if (memory) {
        const vp_hull2_job build = {
            .point = q->point, .count = q->points, .axis = {0, 1}, .max_work = UINT64_MAX, .scratch = scratch, .corner = corner};
        const uint32_t corners = kernels->hull2(&build).corners;
        fprintf(to, "hull %u", corners);
        for (uint32_t i = 0; i < corners; i++)
            fprintf(to, " %u", corner[i]);
    }
    vp_release(&a, scratch, bytes, 1);
    free(corner);
    return memory ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %u points", q->points);
}

static const vp_form forms[] = {{"hull", .is = VP_FORM_NUMBERS, .each = 1, .below = offsetof(vp_query_mesh, points)}, {.word = NULL}};

/* ---- judging ---- */

static bool one_place(const vp_query_mesh *q, uint32_t a, uint32_t b)
{
    return q->point[a].x == q->point[b].x && q->point[a].y == q->point[b].y;
}

/* Whether the corners are the same, from any start. Points in one place are interchangeable. */
static bool same_corners(const vp_query_mesh *q, const uint32_t *wanted, uint32_t count, const vp_answer *answer)
{
    bool same = false;
    for (uint32_t from = 0; count == answer->count && from < count && !same; from++) {
        same = true;
        for (uint32_t i = 0; i < count && same; i++)
            same = one_place(q, wanted[i], answer->number[(from + i) % count]);
    }
    return same;
}

static vp_status judge(const vp_judging *j, bool *right)
{
    if (json_object_get(j->alternative, "checker") != NULL) {
        vp_check_polygon(j->q->part[0], j->answer, json_number_value(json_object_get(j->alternative, "tolerance")), j->reason);
        *right = j->reason[0] == '\0';
        return VP_OK;
    }
    uint32_t count, *wanted = vp_numbers_of(json_object_get(j->alternative, "corners"), 1, &count);
    if (wanted == NULL)
        return vp_fail(j->error, VP_E_MEMORY, "no memory for %u corners", count);
    *right = same_corners(j->q->part[0], wanted, count, j->answer);
    free(wanted);
    return VP_OK;
}

/* Whether a point is near a line through two others, but not on it, so that a tolerance may take it for a point of the line. */
static bool is_near_line(vp_vec3 a, vp_vec3 b, vp_vec3 p, double near)
{
    const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, length = sqrt(x * x + y * y);
    const double across = x * ((double)p.y - (double)a.y) - y * ((double)p.x - (double)a.x);
    return across != 0.0 && fabs(across) <= near * length;
}

static bool has_near_line(const vp_query_mesh *q, const vp_answer *polygon)
{
    const double near = VP_LIKE_TOLERANCE * vp_mesh_extent(q);
    for (uint32_t i = 0; i < polygon->count; i++) {
        const vp_vec3 a = q->point[polygon->number[i]], b = q->point[polygon->number[(i + 1) % polygon->count]];
        if (polygon->count > 2 && is_near_line(a, q->point[polygon->number[(i + 2) % polygon->count]], b, near))
            return true;
        for (uint32_t p = 0; p < q->points; p++)
            if (is_near_line(a, b, q->point[p], near))
                return true;
    }
    return false;
}

static vp_status like(const vp_likening *l, const vp_answer *right)
{
    bool same;
    vp_status status = vp_like_expected(l, l->words, json_pack("{s:o}", "corners", vp_numbers_json(right->number, right->count, 1)), &same);
    if (status == VP_OK && !same && has_near_line(l->q->part[0], right))
        status = vp_like_expected(l, l->words, json_pack("{s:s, s:f}", "checker", "polygon", "tolerance", VP_LIKE_TOLERANCE), &same);
    return status;
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    const vp_query_mesh *points = q->part[0];
    if ((json_object_get(alternative, "tolerance") != NULL) != (json_object_get(alternative, "checker") != NULL))
        return vp_expected_wrong(alternative, "tolerance", error);
    return vp_expected_below(alternative, "corners", points->points, true, error);
}

static const vp_member expected[] = {{.name = "corners", .is = &vp_is_numbers},
                                     {.name = "checker", .is = &vp_is_words, .otherwise = ""},
                                     {.name = "tolerance", .is = &vp_is_tolerance, .otherwise = ""},
                                     {.name = NULL}};

const vp_family vp_family_hull2 = {VP_FAMILY("hull2", VP_EXACT | VP_PROPERTY | VP_REFUSED),
                                   .checker = "polygon",
                                   .part = {&vp_part_flat_points},
                                   .sound = sound,
                                   .unsound = vp_hull_unsound,
                                   .like = like};
