/* SPDX-License-Identifier: MIT */
/* decompose: hulls of a mesh's vertices that cover its surface and fill little else. Any decomposition may be right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/parts.h"
#include "conformance/judge_decompose/vector.h"
#include "conformance/shared/shared.h"

typedef struct asked_lengths {
    float within, allowed;
    uint32_t most; /* number of hulls, 0 = as many as triangles */
} asked_lengths;

static const vp_member length_members[] = {
    {VP_AT(asked_lengths, within, "how far the surface may be from hulls"), .name = "within", .is = &vp_is_bits},
    {VP_AT(asked_lengths, allowed, "what may be filled"), .name = "allowed", .is = &vp_is_bits},
    {VP_AT(asked_lengths, most, "how many hulls there may be"), .name = "most", .is = &vp_is_whole, .most = VP_QUESTION_MAX_POINTS},
    {.name = NULL}};
static const vp_part part_lengths = {.size = sizeof(asked_lengths), .members = length_members};

static bool is_length(float value)
{
    return value > 0.0f && isfinite(value);
}

static bool is_refused(const vp_question *q)
{
    const vp_query_mesh *mesh = q->part[0];
    const asked_lengths *lengths = q->part[1];
    return mesh->triangles == 0 || !vp_mesh_is_finite(mesh) || !is_length(lengths->within) || !is_length(lengths->allowed);
}

static json_t *unsound(const vp_question *q)
{
    return is_refused(q) ? json_pack("{s:b}", "refused", 1) : NULL;
}

/* ---- answering ---- */

/* The first vertex in this place. */
static uint32_t number_of(const vp_query_mesh *mesh, vp_vec3 place)
{
    uint32_t i = 0;
    while (mesh->point[i].x != place.x || mesh->point[i].y != place.y || mesh->point[i].z != place.z)
        i++;
    return i;
}

/* Asks for less than is allowed, because joining vertices moves the surface by up to three quantizations, and rays between samples can be
 * longer than at them. */
static vp_status answer(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_mesh *mesh = q->part[0];
    const asked_lengths *lengths = q->part[1];
    vp_decomposition d = {0};
    if (is_refused(q))
        return vp_fail(error, VP_E_ARGUMENT, "the mesh is empty or not finite, or a length is not positive and finite");
    const vp_decomposition_def def = {.point = mesh->point,
                                      .point_count = mesh->points,
                                      .triangle = (const uint32_t(*)[3])(uintptr_t)mesh->triangle,
                                      .triangle_count = mesh->triangles,
                                      .unit = VP_DECOMPOSITION_WORLD,
                                      .quantization = lengths->within / 4,
                                      .concavity = lengths->allowed / 2,
                                      .spacing = lengths->allowed / 2,
                                      .surface_only = true,
                                      .kernels = kernels};
    const vp_status status = vp_decomposition_create(&def, &d, error);
    if (status != VP_OK)
        return status;
    fprintf(to, "hulls %u", d.hull_count);
    for (uint32_t h = 0; h < d.hull_count; h++) {
        const vp_hull *hull = &d.hull[h].hull;
        fprintf(to, " %u", hull->vertex_count);
        for (uint32_t i = 0; i < hull->vertex_count; i++)
            fprintf(to, " %u", number_of(mesh, d.hull[h].point[hull->vertex[i]]));
    }
    vp_decomposition_destroy(&d);
    return VP_OK;
}

/* For each hull, `number` holds the number of its vertices, then the vertices. */
static bool read(const vp_question *q, vp_words *words, vp_answer *out)
{
    const vp_query_mesh *mesh = q->part[0];
    int64_t hulls, number, left = 0;
    if (!vp_word_said(words, "hulls") || !vp_word_whole(words, 0, VP_QUESTION_MAX_POINTS, &hulls))
        return false;
    const size_t room = strlen(words->at) / 2 + 1; /* a number takes at least two letters */
    out->count = (uint32_t)hulls;
    out->number = malloc(room * sizeof *out->number);
    out->no_memory = out->number == NULL;
    for (size_t at = 0; !out->no_memory && (left > 0 || hulls > 0); at++) {
        const bool counts = left == 0;
        if (at >= room || !vp_word_whole(words, counts ? 1 : 0, counts ? VP_QUESTION_MAX_POINTS : (int64_t)mesh->points - 1, &number))
            return false;
        out->number[at] = (uint32_t)number;
        hulls -= counts;
        left = counts ? number : left - 1;
    }
    return !out->no_memory;
}

/* ---- the checker ---- */

typedef struct hulls_check {
    const vp_query_mesh *mesh;
    const asked_lengths *lengths;
    const vp_answer *answer;
    vp_judged_hull *hull;
    vp_vec3 *point;    /* of all hulls */
    vp_places turn[2]; /* a polygon, and the result of cutting it */
    vp_sides side;
    char *reason;
    vp_error *error;
} hulls_check;

static bool take_hulls(const hulls_check *c)
{
    const uint32_t most = c->lengths->most != 0 ? c->lengths->most : c->mesh->triangles, *number = c->answer->number;
    vp_vec3 *to = c->point;
    if (c->answer->count > most) {
        vp_reason_say(c->reason, "there are %u hulls, of at most %u", c->answer->count, most);
        return false;
    }
    for (uint32_t h = 0; h < c->answer->count; h++) {
        const uint32_t count = *number++;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < i; k++)
                if (number[i] == number[k]) {
                    vp_reason_say(c->reason, "hull %u has vertex %u twice", h, number[i]);
                    return false;
                }
        c->hull[h] = (vp_judged_hull){.point = to, .points = count};
        for (uint32_t i = 0; i < count; i++)
            *to++ = c->mesh->point[*number++];
    }
    return true;
}

/* Checks with the judge whether surface is left out, or a place far from the solid is filled. The latter is unknown for an open mesh. */
static vp_status check_all(const hulls_check *c)
{
    const double within = (double)c->lengths->within, allowed = (double)c->lengths->allowed;
    const vp_decomposition_question asked = {.mesh = vp_mesh_triangles(c->mesh),
                                             .hull = c->hull,
                                             .hulls = c->answer->count,
                                             .s = within,
                                             .tolerance = allowed / 8,
                                             .max_work = 1 << 12,
                                             .parts = VP_JUDGE_REACH | VP_JUDGE_SURFACE};
    vp_decomposition_verdict v;
    const vp_status status = vp_decomposition_judge(&asked, &v, c->error);
    if (status != VP_OK)
        return status;
    if (c->answer->count == 0)
        vp_reason_say(c->reason, "there are no hulls");
    else if (v.away.low > within)
        vp_reason_say(c->reason, "triangle %u is %g away from all hulls, at %g %g %g", v.away_triangle, v.away.low, v.away_at[0],
                      v.away_at[1], v.away_at[2]);
    else if (v.uncovered_area > 0x1p-30 * v.area)
        vp_reason_say(c->reason, "an area of %g is in no hull, of triangle %u at %g %g %g", v.uncovered_area, v.largest_triangle,
                      v.largest_at[0], v.largest_at[1], v.largest_at[2]);
    else if (v.closed && v.reach.low > allowed + within)
        vp_reason_say(c->reason, "hull %u reaches out of the solid by %g, at %g %g %g", v.reach_hull, v.reach.low, v.witness[0],
                      v.witness[1], v.witness[2]);
    vp_decomposition_drop(&v);
    return VP_OK;
}

/* Clips a polygon to the half space below a plane. */
static void cut(hulls_check *c, const double n[3], double d)
{
    const double plane[4] = {n[0], n[1], n[2], d};
    const vp_places polygon = c->turn[0];
    const double(*corner)[3] = (const double(*)[3])polygon.at;
    c->turn[1].count = 0;
    if (vp_sides_find(&c->side, corner, polygon.count, plane, 0.0))
        vp_polygon_clip(corner, c->side.at, polygon.count, &c->turn[1]);
    c->turn[0] = c->turn[1];
    c->turn[1] = polygon;
}

/* The corners and the normal of a triangle. @return false for a triangle without area */
static bool corners_of(const hulls_check *c, uint32_t t, double corner[3][3], double along[3])
{
    static const double zero[3] = {0.0, 0.0, 0.0};
    double longest = 0.0, u[2][3];
    for (int i = 0; i < 3; i++)
        vp_place_of(c->mesh->point[c->mesh->triangle[t][i]], zero, corner[i]);
    for (int i = 0; i < 3; i++)
        longest = fmax(longest, vp_apart(corner[(i + 1) % 3], corner[i]));
    vp_minus3(corner[1], corner[0], u[0]);
    vp_minus3(corner[2], corner[1], u[1]);
    vp_cross3(u[0], u[1], along);
    const double length = sqrt(vp_dot3(along, along));
    for (int k = 0; k < 3; k++)
        along[k] /= length;
    return length > longest * (double)c->lengths->within;
}

/* The longest path along the normal from a triangle point deeper than `within` in a hull to where the ray leaves the hull. For each face, a
 * part of the triangle has rays that leave through that face first. There the length is linear, so its maximum is at a corner. */
static double longest_ray(hulls_check *c, uint32_t t, const vp_hull *hull)
{
    const double within = (double)c->lengths->within;
    double corner[3][3], along[3], longest = 0.0;
    if (!corners_of(c, t, corner, along))
        return 0.0;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double *plane = hull->plane[f], leaves = vp_dot3(plane, along);
        c->turn[0].count = 0;
        for (int i = 0; i < 3; i++)
            vp_places_add(&c->turn[0], corner[i]);
        for (uint32_t g = 0; leaves > 0.0 && g < hull->face_count && c->turn[0].count > 0; g++) {
            const double *other = hull->plane[g], slope = vp_dot3(other, along);
            cut(c, other, other[3] - within);
            if (g == f || slope <= 0.0)
                continue;
            const double n[3] = {other[0] * leaves - plane[0] * slope, other[1] * leaves - plane[1] * slope,
                                 other[2] * leaves - plane[2] * slope};
            cut(c, n, other[3] * leaves - plane[3] * slope);
        }
        for (uint32_t i = 0; leaves > 0.0 && i < c->turn[0].count; i++)
            longest = fmax(longest, -vp_above(plane, c->turn[0].at[i]) / leaves);
    }
    return longest;
}

/* Checks whether a vertex lies inside a hull, and whether a ray from the surface has a long path in it. */
static void check_hull(hulls_check *c, uint32_t h, const vp_hull *hull)
{
    const double within = (double)c->lengths->within;
    for (uint32_t i = 0; i < c->hull[h].points && hull->dimension == 3; i++) {
        const vp_vec3 p = c->hull[h].point[i];
        const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
        double out = -INFINITY;
        for (uint32_t f = 0; f < hull->face_count; f++)
            out = fmax(out, vp_above(hull->plane[f], at));
        if (out < -within) {
            vp_reason_say(c->reason, "a vertex of hull %u is inside of it by %g, at %g %g %g", h, -out, at[0], at[1], at[2]);
            return;
        }
    }
    for (uint32_t t = 0; t < c->mesh->triangles && hull->dimension == 3; t++) {
        const double ray = longest_ray(c, t, hull);
        if (ray > (double)c->lengths->allowed + within) {
            vp_reason_say(c->reason, "a ray from triangle %u goes %g through hull %u", t, ray, h);
            return;
        }
    }
}

static vp_status check_hulls(hulls_check *c)
{
    vp_status status = VP_OK;
    for (uint32_t h = 0; status == VP_OK && c->reason[0] == '\0' && h < c->answer->count; h++) {
        vp_kernels scalar;
        vp_hull hull = {0};
        const vp_hull_def def = {.point = c->hull[h].point, .count = c->hull[h].points, .kernels = &scalar};
        status = vp_kernels_named("scalar", &scalar, c->error);
        if (status == VP_OK)
            status = vp_hull_create(&def, &hull, c->error);
        if (status == VP_OK)
            check_hull(c, h, &hull);
        if (c->side.no_memory || c->turn[0].no_memory || c->turn[1].no_memory)
            status = vp_fail(c->error, VP_E_MEMORY, "no memory for a polygon");
        vp_hull_destroy(&hull);
    }
    free(c->turn[0].at);
    free(c->turn[1].at);
    free(c->side.at);
    return status;
}

static vp_status judge(const vp_judging *j, bool *right)
{
    size_t points = 0;
    for (uint32_t h = 0; h < j->answer->count; h++)
        points += j->answer->number[points + h];
    hulls_check c = {.mesh = j->q->part[0], .lengths = j->q->part[1], .answer = j->answer, .reason = j->reason, .error = j->error};
    c.hull = calloc((size_t)j->answer->count + 1, sizeof *c.hull);
    c.point = malloc((points + 1) * sizeof *c.point);
    vp_status status = VP_OK;
    if (c.hull == NULL || c.point == NULL)
        status = vp_fail(j->error, VP_E_MEMORY, "no memory for %u hulls", j->answer->count);
    else if (take_hulls(&c))
        status = check_hulls(&c);
    if (status == VP_OK && j->reason[0] == '\0')
        status = check_all(&c);
    *right = j->reason[0] == '\0';
    free(c.hull);
    free(c.point);
    return status;
}

/* If the checker accepts the trusted program's answer, the question has an answer. */
static vp_status like(const vp_likening *l, const vp_answer *answered)
{
    bool right;
    vp_status status = vp_like_expected(l, l->right, json_pack("{s:s}", "checker", "decomposition"), &right);
    if (status == VP_OK && !right)
        *l->out = VP_LIKE_UNDECIDED; /* the reason describes that program's answer */
    else if (status == VP_OK)
        status = vp_like_expected(l, l->words, json_pack("{s:s}", "checker", "decomposition"), &right);
    return status;
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    return is_refused(q) ? vp_expected_wrong(alternative, "checker", error) : VP_OK;
}

static const vp_member expected[] = {{.name = "checker", .is = &vp_is_words}, {.name = NULL}};

const vp_family vp_family_decompose = {VP_FAMILY_ANSWERED("decompose", VP_EXACT | VP_PROPERTY | VP_REFUSED),
                                       .read = read,
                                       .judge = judge,
                                       .checker = "decomposition",
                                       .part = {&vp_part_mesh, &part_lengths},
                                       .sound = sound,
                                       .unsound = unsound,
                                       .like = like};
