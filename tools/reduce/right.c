/* SPDX-License-Identifier: MIT */
/* What a corpus would expect is made of the other program's answer, with the family's tolerance and checker, and the judge of `voxphys
 * check` decides. Of rays, where roundings decide which triangle is met and whether one is, the corpus' makers ask the same of rays beside
 * (conformance/corpus/make/rays.py, grids.py); so does this. Where in doubt an answer is not called wrong. */
#include "tools/reduce/right.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "src/core/error.h"

/* Of hulls: how far outside a point may be, and how near to a line or a plane decides nothing, of the extent. */
#define TOLERANCE 1e-6

typedef struct judging {
    const vp_held_right *program;
    const vp_question *q;
    const char *right, *words;
    vp_likeness *out;
    char *reason;
    vp_error *error;
} judging;

static vp_status undecided(const judging *j, const char *why)
{
    *j->out = VP_LIKE_UNDECIDED;
    vp_reason_say(j->reason, "%s", why);
    return VP_OK;
}

/* Judges an answer by what is expected, which is dropped. */
static vp_status judge_by(const judging *j, const char *words, vp_promise promise, json_t *expected, bool *right)
{
    vp_result result = VP_RESULT_FAIL;
    *right = false;
    if (expected == NULL)
        return vp_fail(j->error, VP_E_MEMORY, "no memory for what is expected");
    const vp_vector v = {.id = "this question", .about = "", .promise = promise, .expected = expected, .question = *j->q};
    const vp_status status = vp_judge(&v, words, &result, j->reason, j->error);
    json_decref(expected);
    *right = status == VP_OK && result == VP_RESULT_PASS;
    *j->out = *right ? VP_LIKE_RIGHT : VP_LIKE_WRONG;
    return status;
}

static bool says(const char *words, const char *word)
{
    return vp_word_is(words, strcspn(words, " "), word);
}

/* ---- what is no question ---- */

static bool is_finite(vp_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool has_finite_points(const vp_question *q)
{
    for (uint32_t i = 0; i < q->points; i++)
        if (!is_finite(q->point[i]))
            return false;
    return true;
}

/* No ray, no box, no set of points: what is expected then, of any program; NULL of a sound question. */
static json_t *expected_of_unsound(const vp_question *q)
{
    const vp_vec3 d = q->ray.direction;
    const bool ray = is_finite(q->ray.origin) && is_finite(d) && (d.x != 0.0f || d.y != 0.0f || d.z != 0.0f) && q->ray.t_max >= 0.0f && has_finite_points(q);
    const bool box = q->box.min.x <= q->box.max.x && q->box.min.y <= q->box.max.y && q->box.min.z <= q->box.max.z;
    switch (q->family) {
    case VP_ASKED_OVERLAP:
        return box ? NULL : json_pack("[{s:s}, {s:b}]", "touch", "invalid", "refused", 1);
    case VP_ASKED_AABB_GATHER:
        return box ? NULL : json_pack("[{s:[]}, {s:b}]", "triangles", "refused", 1);
    case VP_ASKED_GRID_WALK:
    case VP_ASKED_RAY_TRIANGLE:
    case VP_ASKED_RAY_MESH:
        return ray ? NULL : json_pack("[{s:b}, {s:b}]", "none", 1, "refused", 1);
    case VP_ASKED_HULL2:
    case VP_ASKED_HULL3:
        return q->points > 0 && has_finite_points(q) ? NULL : json_pack("{s:b}", "refused", 1);
    default:
        return NULL;
    }
}

/* ---- sets, masks, polygons ---- */

static json_t *numbers_json(const uint32_t *number, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(number[i]));
    return list;
}

static double extent_of(const vp_question *q)
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

/* Whether a point is so near to a line through two others, and not on it, that a tolerance may take it for a point of the line. */
static bool is_near_line(vp_vec3 a, vp_vec3 b, vp_vec3 p, double near)
{
    const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, length = sqrt(x * x + y * y);
    const double across = x * ((double)p.y - (double)a.y) - y * ((double)p.x - (double)a.x);
    return across != 0.0 && fabs(across) <= near * length;
}

static bool has_near_line(const vp_question *q, const vp_answer *polygon)
{
    const double near = TOLERANCE * extent_of(q);
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

static vp_status judge_polygon(const judging *j, const vp_answer *right)
{
    bool same;
    vp_status status = judge_by(j, j->words, VP_PROMISE_EXACT, json_pack("{s:o}", "corners", numbers_json(right->number, right->count)), &same);
    if (status == VP_OK && !same && has_near_line(j->q, right))
        status = judge_by(j, j->words, VP_PROMISE_PROPERTY, json_pack("{s:s, s:f}", "checker", "polygon", "tolerance", TOLERANCE), &same);
    return status;
}

/* ---- hulls in space ---- */

/* How far the furthest point is from the face that has it nearest. */
static double thickness(const vp_question *q, const vp_hull *hull)
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

static json_t *hull_json(const vp_question *q, const vp_hull *hull)
{
    json_t *out = json_pack("{s:s, s:i, s:o, s:f}", "checker", "hull", "dimension", (int)hull->dimension, "vertices",
                            numbers_json(hull->vertex, hull->vertex_count), "tolerance", TOLERANCE);
    if (hull->dimension == 3)
        json_object_set_new(out, "volume", json_real(hull->volume));
    if (hull->dimension == 3 && thickness(q, hull) < 2.0 * TOLERANCE * extent_of(q))
        json_object_set_new(out, "flat", json_true());
    return out;
}

enum { MAX_CORNERS = 400 };

/* By the hull of the reference, whatever program is held for right: which has to be right by it too. */
static vp_status judge_hull(const judging *j)
{
    vp_kernels kernels;
    vp_hull hull = {0};
    vp_error why;
    bool right;
    vp_status status = vp_kernels_named("scalar", &kernels, j->error);
    if (status != VP_OK)
        return status;
    const vp_hull_def def = {.point = j->q->point, .count = j->q->points, .kernels = &kernels};
    status = vp_hull_create(&def, &hull, &why);
    if (status != VP_OK) {
        vp_hull_destroy(&hull);
        return status == VP_E_MEMORY ? vp_fail(j->error, status, "%.200s", why.message) : undecided(j, why.message);
    }
    if (hull.vertex_count > MAX_CORNERS) { /* the checker goes through all threes of them */
        char text[100];
        snprintf(text, sizeof text, "a hull with %u vertices is not judged, only one of up to %d", hull.vertex_count, MAX_CORNERS);
        vp_hull_destroy(&hull);
        return undecided(j, text);
    }
    status = judge_by(j, j->right, VP_PROMISE_PROPERTY, hull_json(j->q, &hull), &right);
    if (status == VP_OK && !right) {
        *j->out = VP_LIKE_UNDECIDED; /* and the reason is that program's */
    } else if (status == VP_OK) {
        status = judge_by(j, j->words, VP_PROMISE_PROPERTY, hull_json(j->q, &hull), &right);
        /* points beside a line by a rounding have an area, for who computes without a tolerance */
        if (status == VP_OK && !right && hull.dimension < 2 && hull.error > 0x1p-40 * extent_of(j->q))
            status = undecided(j, "the points are nearly on a line, or in one place");
    }
    vp_hull_destroy(&hull);
    return status;
}

/* ---- rays ---- */

/* What was said of a ray and of those beside it: what is met, and when. */
typedef struct sayings {
    struct met {
        int32_t place[3];
        float low, high;
    } *met;
    size_t count, room;
    bool none;
} sayings;

static vp_status add_saying(sayings *s, const vp_answer *a, vp_error *error)
{
    size_t i = 0;
    while (i < s->count && memcmp(s->met[i].place, a->place, sizeof a->place) != 0)
        i++;
    if (i == s->room) {
        struct met *more = realloc(s->met, (s->room * 2 + 8) * sizeof *more);
        if (more == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for what a ray meets");
        s->met = more;
        s->room = s->room * 2 + 8;
    }
    if (i == s->count) {
        s->met[i].low = s->met[i].high = a->t;
        memcpy(s->met[i].place, a->place, sizeof a->place);
        s->count++;
    }
    s->met[i].low = fminf(s->met[i].low, a->t);
    s->met[i].high = fmaxf(s->met[i].high, a->t);
    return VP_OK;
}

/* @param none  whether nothing is met; false too of what is no answer */
static vp_status add_words(sayings *s, const vp_question *q, const char *words, bool *none, vp_error *error)
{
    vp_answer a;
    vp_error why;
    *none = false;
    vp_status status = vp_answer_read(q, words, &a, &why);
    if (status == VP_OK && a.kind == VP_ANSWER_HIT)
        status = add_saying(s, &a, error);
    else if (status == VP_OK)
        *none = a.kind == VP_ANSWER_NONE;
    else if (status == VP_E_MEMORY)
        vp_fail(error, status, "%s", why.message);
    vp_answer_drop(&a);
    return status == VP_E_FORMAT ? VP_OK : status;
}

static vp_status ask_beside(const judging *j, sayings *s, vp_ray ray, bool *none)
{
    vp_question q = *j->q; /* what it points to is only read */
    char *words = NULL;
    *none = false;
    q.ray = ray;
    vp_status status = j->program->ask(j->program->user, &q, &words, j->error);
    if (status == VP_OK && words != NULL)
        status = add_words(s, &q, words, none, j->error);
    free(words);
    return status;
}

/* The largest coordinate in play. */
static double size_of(const vp_question *q)
{
    const vp_vec3 o = q->ray.origin;
    double size = fmax(fabs((double)o.x), fmax(fabs((double)o.y), fabs((double)o.z)));
    if (q->family == VP_ASKED_GRID_WALK) {
        const double n[6] = {q->extents.x, q->extents.y, q->extents.z, q->first.x, q->first.y, q->first.z};
        for (int k = 0; k < 6; k++)
            size = fmax(size, fabs(n[k]));
        return size;
    }
    const size_t corners = q->family == VP_ASKED_RAY_TRIANGLE ? 3 : (size_t)q->triangles * 3;
    for (size_t i = 0; i < corners; i++) {
        const vp_vec3 v = q->point[q->family == VP_ASKED_RAY_TRIANGLE ? i : q->triangle[i / 3][i % 3]];
        size = fmax(size, fmax(fabs((double)v.x), fmax(fabs((double)v.y), fabs((double)v.z))));
    }
    return size;
}

static double longest_of(vp_vec3 d)
{
    return fmax(fabs((double)d.x), fmax(fabs((double)d.y), fabs((double)d.z)));
}

static vp_vec3 moved(vp_vec3 from, double x, double y, double z)
{
    return (vp_vec3){(float)((double)from.x + x), (float)((double)from.y + y), (float)((double)from.z + z)};
}

/* One of 27 places around, the origin among them. */
static vp_vec3 origin_beside(vp_vec3 origin, int move, double beside)
{
    return moved(origin, beside * (move % 3 - 1), beside * (move / 3 % 3 - 1), beside * (move / 9 - 1));
}

/* Rays that begin, and end, beside this one, as far as roundings may move it. */
static vp_status ask_around(const judging *j, double beside, sayings *s)
{
    const vp_ray ray = j->q->ray;
    const double along = beside / longest_of(ray.direction);
    vp_status status = VP_OK;
    for (int move = 0; status == VP_OK && move < 27; move++)
        for (int end = -1; status == VP_OK && end <= 1; end++) {
            vp_ray other = ray;
            bool none;
            if (isinf(ray.t_max) && end != 0)
                continue;
            other.origin = origin_beside(ray.origin, move, beside);
            if (end != 0)
                other.t_max = (float)fmax((double)ray.t_max + end * along, 0.0);
            status = ask_beside(j, s, other, &none);
            if (status != VP_OK || !none)
                continue;
            if (j->q->family != VP_ASKED_GRID_WALK) { /* or it begins just behind one */
                other.origin = moved(other.origin, -along * (double)ray.direction.x, -along * (double)ray.direction.y, -along * (double)ray.direction.z);
                other.t_max = (float)(2.0 * along);
                status = ask_beside(j, s, other, &none);
            }
            s->none = s->none || none;
        }
    return status;
}

/* Triangles with a corner or more in one place are met together, and a program tells one of them. Whether the one that is told is met, alone, as
 * soon as anything that may be told: by the ray or by one beside it. */
static vp_status ask_alone(const judging *j, double beside, double slack, sayings *s)
{
    const vp_question *q = j->q;
    vp_question alone = *q; /* what it points to is only read */
    const judging of_it = {j->program, &alone, j->right, j->words, j->out, j->reason, j->error};
    vp_answer told;
    vp_error why;
    double last = -1.0;
    vp_status status = vp_answer_read(q, j->words, &told, &why); /* holds nothing, of a ray */
    if (status != VP_OK || told.kind != VP_ANSWER_HIT || told.place[0] < 0 || (uint32_t)told.place[0] >= q->triangles)
        return VP_OK;
    alone.triangle = q->triangle + told.place[0];
    alone.triangles = 1;
    for (size_t i = 0; i < s->count; i++)
        last = fmax(last, (double)s->met[i].high + slack);
    for (int move = 0; status == VP_OK && move < 27; move++) {
        sayings met = {.met = NULL};
        vp_ray ray = q->ray;
        bool none;
        ray.origin = origin_beside(ray.origin, move, beside);
        status = ask_beside(&of_it, &met, ray, &none);
        if (status == VP_OK && met.count > 0 && (double)met.met[0].low <= last) {
            told.t = met.met[0].low;
            status = add_saying(s, &told, j->error);
        }
        free(met.met);
    }
    return status;
}

static json_t *bits_json(double value, float towards)
{
    float out = (float)value;
    if (towards > 0.0f ? (double)out < value : (double)out > value)
        out = nextafterf(out, towards);
    return json_string(vp_bits_of(out).text);
}

static json_t *sayings_json(const sayings *s, vp_asked_family family, double slack)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->count; i++) {
        const struct met *m = &s->met[i];
        json_t *t = json_pack("[o, o]", bits_json(fmax((double)m->low - slack, 0.0), -INFINITY), bits_json((double)m->high + slack, INFINITY));
        if (family == VP_ASKED_GRID_WALK)
            json_array_append_new(list, json_pack("{s:[i, i, i], s:o}", "cell", (int)m->place[0], (int)m->place[1], (int)m->place[2], "t", t));
        else if (family == VP_ASKED_RAY_MESH)
            json_array_append_new(list, json_pack("{s:i, s:o}", "triangle", (int)m->place[0], "t", t));
        else
            json_array_append_new(list, json_pack("{s:b, s:o}", "hit", 1, "t", t));
    }
    if (s->none)
        json_array_append_new(list, json_pack("{s:b}", "none", 1));
    return list;
}

/* Whether an origin is strictly within a solid cell: no rounding decides where that is. */
static bool begins_inside(const vp_question *q)
{
    const double o[3] = {(double)q->ray.origin.x - q->first.x, (double)q->ray.origin.y - q->first.y, (double)q->ray.origin.z - q->first.z};
    const double n[3] = {q->extents.x, q->extents.y, q->extents.z};
    for (int k = 0; k < 3; k++)
        if (!(o[k] > 0.0 && o[k] < n[k]) || o[k] == floor(o[k]))
            return false;
    return q->cells[((size_t)o[1] * q->extents.z + (size_t)o[2]) * q->extents.x + (size_t)o[0]] == '#';
}

static void corner_of(const vp_question *q, uint32_t triangle, int corner, double out[3])
{
    const vp_vec3 v = q->point[q->family == VP_ASKED_RAY_TRIANGLE ? (uint32_t)corner : q->triangle[triangle][corner]];
    out[0] = (double)v.x - (double)q->ray.origin.x;
    out[1] = (double)v.y - (double)q->ray.origin.y;
    out[2] = (double)v.z - (double)q->ray.origin.z;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Whether a ray runs in a triangle's plane, or nearly so, and through the triangle: it may be met anywhere, or not. */
static bool runs_within(const vp_question *q, uint32_t triangle, double near)
{
    const double d[3] = {(double)q->ray.direction.x, (double)q->ray.direction.y, (double)q->ray.direction.z};
    double v[3][3], u[3], w[3], n[3], across[3], low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 3; c++)
        corner_of(q, triangle, c, v[c]);
    for (int k = 0; k < 3; k++) {
        u[k] = v[1][k] - v[0][k];
        w[k] = v[2][k] - v[0][k];
    }
    cross(u, w, n);
    const double length = sqrt(dot(n, n)), way = sqrt(dot(d, d));
    if (length == 0.0 || fabs(dot(n, d)) > TOLERANCE * length * way || fabs(dot(n, v[0])) > near * length)
        return false;
    cross(n, d, across);
    for (int c = 0; c < 3; c++) {
        const double side = dot(v[c], across) / (length * way);
        low = fmin(low, side);
        high = fmax(high, side);
    }
    return low <= near && high >= -near;
}

static vp_status judge_ray(const judging *j)
{
    const vp_question *q = j->q;
    const bool grid = q->family == VP_ASKED_GRID_WALK;
    const double size = size_of(q), beside = size * (grid ? 0x1p-22 : 0x1p-21), slack = size * (grid ? 0x1p-20 : 0x1p-21) / longest_of(q->ray.direction);
    sayings s = {.met = NULL};
    bool right = false;
    vp_status status = add_words(&s, q, j->right, &s.none, j->error);
    if (status == VP_OK)
        status = judge_by(j, j->words, VP_PROMISE_TIE, sayings_json(&s, q->family, slack), &right);
    if (status == VP_OK && !right && !(grid && begins_inside(q))) {
        status = ask_around(j, beside, &s);
        if (status == VP_OK && q->family == VP_ASKED_RAY_MESH)
            status = ask_alone(j, beside, slack, &s);
        if (status == VP_OK)
            status = judge_by(j, j->words, VP_PROMISE_TIE, sayings_json(&s, q->family, slack), &right);
    }
    const uint32_t triangles = grid ? 0 : q->family == VP_ASKED_RAY_TRIANGLE ? 1 : q->triangles;
    bool within = false, begins = false;
    for (size_t i = 0; !grid && i < s.count; i++)
        begins = begins || (double)s.met[i].low <= slack;
    for (uint32_t t = 0; status == VP_OK && !right && !within && t < triangles; t++)
        within = runs_within(q, t, 4.0 * beside);
    free(s.met);
    if (status == VP_OK && !right && begins)
        return undecided(j, "the ray begins in a triangle, which may be met at 0, or not");
    return within ? undecided(j, "the ray runs in the plane of a triangle") : status;
}

/* ---- all families ---- */

static vp_status judge_family(const judging *j, const vp_answer *right)
{
    const vp_question *q = j->q;
    bool same;
    switch (q->family) {
    case VP_ASKED_DILATION: {
        const size_t cells = vp_question_cells(q);
        return judge_by(j, j->words, VP_PROMISE_EXACT, json_pack("{s:o, s:o}", "solid", json_stringn_nocheck(right->mask[0], cells), "water", json_stringn_nocheck(right->mask[1], cells)),
                        &same);
    }
    case VP_ASKED_OVERLAP:
        return judge_by(j, j->words, VP_PROMISE_EXACT, json_pack("{s:o}", "touch", json_stringn_nocheck(right->word, right->length)), &same);
    case VP_ASKED_AABB_GATHER:
        if (!has_finite_points(q))
            return undecided(j, "a vertex is not finite");
        return judge_by(j, j->words, VP_PROMISE_SET, json_pack("{s:o}", "triangles", numbers_json(right->number, right->count)), &same);
    case VP_ASKED_MESHER:
        return judge_by(j, j->words, VP_PROMISE_PROPERTY, json_pack("{s:s}", "checker", "surface"), &same);
    case VP_ASKED_HULL2:
        return judge_polygon(j, right);
    case VP_ASKED_HULL3:
        return judge_hull(j);
    default:
        return judge_ray(j);
    }
}

vp_status vp_judge_like(const vp_held_right *program, const vp_question *q, const char *right, const char *words, vp_likeness *out,
                        char reason[VP_REASON_BYTES], vp_error *error)
{
    const judging j = {program, q, right, words, out, reason, error};
    json_t *expected = expected_of_unsound(q);
    bool same;
    vp_answer answer;
    reason[0] = '\0';
    if (expected != NULL)
        return judge_by(&j, words, json_is_array(expected) ? VP_PROMISE_TIE : VP_PROMISE_EXACT, expected, &same);
    if (says(right, "refused"))
        return undecided(&j, "it is refused, and could be answered");
    vp_error why;
    vp_status status = vp_answer_read(q, right, &answer, &why);
    if (status == VP_OK)
        status = judge_family(&j, &answer);
    else if (status == VP_E_FORMAT)
        status = undecided(&j, why.message);
    else
        vp_fail(error, status, "%s", why.message);
    vp_answer_drop(&answer);
    return status;
}
