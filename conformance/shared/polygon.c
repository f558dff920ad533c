/* SPDX-License-Identifier: MIT */
/* Checks 2D hulls of points that are nearly on a line. Uses double, whose rounding is a billionth of the tolerance. */
#include <math.h>
#include <stdlib.h>

#include "conformance/shared/shared.h"
#include "src/core/exact.h"

/* A corner relative to the first corner. The index wraps around. */
static void corner_at(const vp_query_mesh *q, const vp_answer *answer, uint32_t i, double out[2])
{
    const vp_vec3 first = q->point[answer->number[0]], p = q->point[answer->number[i % answer->count]];
    out[0] = (double)p.x - (double)first.x;
    out[1] = (double)p.y - (double)first.y;
}

/* Checks that a polygon turns left once, up to the tolerance, goes there and back along each axis, and has an area. */
static void check_turns(const vp_query_mesh *q, const vp_answer *answer, double allowed, const double side[3], char reason[VP_REASON_BYTES])
{
    double twice = 0.0, way[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < answer->count; i++) {
        double from[2], to[2];
        corner_at(q, answer, i, from);
        corner_at(q, answer, i + 1, to);
        twice += from[0] * to[1] - from[1] * to[0];
        for (int k = 0; k < 2; k++)
            way[k] += fabs(to[k] - from[k]);
    }
    if (!(twice > 0.0))
        vp_reason_say(reason, "its area is %.3g: its corners are not counterclockwise", twice / 2.0);
    for (int k = 0; k < 2 && reason[0] == '\0'; k++)
        if (way[k] > 2.0 * side[k] + 2.0 * allowed * answer->count)
            vp_reason_say(reason, "it goes %.9g along %s, which is more than there and back", way[k], k == 0 ? "x" : "y");
}

/* The distance of a point from a polygon that turns left, 0 inside. */
static double distance_from(const vp_query_mesh *q, const vp_answer *answer, const double place[2])
{
    double least = INFINITY;
    bool within = true;
    for (uint32_t i = 0; i < answer->count; i++) {
        double from[2], to[2];
        corner_at(q, answer, i, from);
        corner_at(q, answer, i + 1, to);
        const double u[2] = {to[0] - from[0], to[1] - from[1]}, w[2] = {place[0] - from[0], place[1] - from[1]},
                     square = u[0] * u[0] + u[1] * u[1];
        const double part = square > 0.0 ? fmin(fmax((u[0] * w[0] + u[1] * w[1]) / square, 0.0), 1.0) : 0.0;
        within = within && u[0] * w[1] - u[1] * w[0] >= 0.0;
        least = fmin(least, hypot(w[0] - part * u[0], w[1] - part * u[1]));
    }
    return within ? 0.0 : least;
}

/* Checks that no point is right of an edge, or away from the polygon, by more than the tolerance. The first check alone does not limit how
 * far along a line of points the polygon reaches. */
static void check_points(const vp_query_mesh *q, const vp_answer *answer, double allowed, char reason[VP_REASON_BYTES])
{
    const vp_vec3 first = q->point[answer->number[0]];
    for (uint32_t p = 0; p < q->points; p++) {
        const double place[2] = {(double)q->point[p].x - (double)first.x, (double)q->point[p].y - (double)first.y};
        for (uint32_t i = 0; i < answer->count; i++) {
            double from[2], to[2];
            corner_at(q, answer, i, from);
            corner_at(q, answer, i + 1, to);
            const double x = to[0] - from[0], y = to[1] - from[1], length = hypot(x, y);
            const double above = (place[0] - from[0]) * (y / length) - (place[1] - from[1]) * (x / length);
            if (length > 0.0 && above > allowed) {
                vp_reason_say(reason,
                              "point %u is %.3g to the right of the edge from point %u to point %u, where "
                              "%.3g is allowed",
                              p, above, answer->number[i], answer->number[(i + 1) % answer->count], allowed);
                return;
            }
        }
        const double away = distance_from(q, answer, place);
        if (!(away <= allowed)) {
            vp_reason_say(reason, "point %u is %.3g from the polygon, where %.3g is allowed", p, away, allowed);
            return;
        }
    }
}

void vp_check_polygon(const vp_query_mesh *q, const vp_answer *answer, double tolerance, char reason[VP_REASON_BYTES])
{
    double side[3];
    vp_mesh_sides(q, side);
    const double allowed = tolerance * fmax(side[0], side[1]);
    if (answer->count < 3) {
        vp_reason_say(reason, "a hull with an area has three corners at least");
        return;
    }
    for (uint32_t i = 0; i < answer->count; i++) {
        const vp_vec3 at = q->point[answer->number[i]];
        for (uint32_t other = 0; other < i; other++)
            if (q->point[answer->number[other]].x == at.x && q->point[answer->number[other]].y == at.y) {
                vp_reason_say(reason, "corner %u is where corner %u is", i, other);
                return;
            }
    }
    check_points(q, answer, allowed, reason);
    if (reason[0] == '\0')
        check_turns(q, answer, allowed, side, reason);
}

/* Checks 3D hulls of points that are exactly in one plane, a polygon with one side or with two. All corners are points, so the signs of
 * determinants decide everything except the area. */

/* The plane seen along an axis. */
typedef struct plane_view {
    int axis;
} plane_view;

static vp_vec2 seen(const plane_view *v, vp_vec3 p)
{
    return v->axis == 0 ? (vp_vec2){p.y, p.z} : v->axis == 1 ? (vp_vec2){p.z, p.x} : (vp_vec2){p.x, p.y};
}

static int turn(const plane_view *v, vp_vec3 a, vp_vec3 b, vp_vec3 c)
{
    return vp_orient2d(seen(v, a), seen(v, b), seen(v, c));
}

/* Twice the area of a triangle, in squares of a unit. */
static double area(const plane_view *v, vp_vec3 a, vp_vec3 b, vp_vec3 c, double unit)
{
    const vp_vec2 p = seen(v, a), q = seen(v, b), r = seen(v, c);
    return ((double)q.x - (double)p.x) / unit * (((double)r.y - (double)p.y) / unit) -
           ((double)q.y - (double)p.y) / unit * (((double)r.x - (double)p.x) / unit);
}

/* The corners of the polygon in order, counterclockwise, so that each next one has all others on its left. @return twice its area */
static double go_around(const vp_query_mesh *q, const vp_hull_wanted *wanted, const plane_view *v, double unit)
{
    const uint32_t start = wanted->vertex[0];
    uint32_t at = start;
    double sum = 0.0;
    for (uint32_t i = 0; i < wanted->vertices; i++) {
        uint32_t next = wanted->vertex[wanted->vertex[0] == at ? 1 : 0];
        for (uint32_t k = 0; k < wanted->vertices; k++)
            if (wanted->vertex[k] != at && turn(v, q->point[at], q->point[next], q->point[wanted->vertex[k]]) < 0)
                next = wanted->vertex[k];
        sum += area(v, q->point[start], q->point[at], q->point[next], unit);
        at = next;
    }
    return sum;
}

/* Checks the triangles of one side. An edge without a partner on this side must run along the polygon's border. Then they cover the whole
 * polygon equally often, and their area says how often. */
static void check_side(const vp_query_mesh *q, const vp_hull_wanted *wanted, const plane_view *v, const vp_shell *s,
                       const vp_half_edge *edge, int side, char reason[VP_REASON_BYTES])
{
    const size_t count = (size_t)s->triangles * 3;
    for (size_t i = 0; i < count;) {
        int64_t sum = 0;
        const vp_half_edge first = edge[i];
        for (; i < count && edge[i].low == first.low && edge[i].high == first.high; i++) {
            const uint32_t *c = s->corner[edge[i].triangle];
            if (turn(v, s->place[c[0]], s->place[c[1]], s->place[c[2]]) == side)
                sum += edge[i].way;
        }
        for (uint32_t k = 0; k < wanted->vertices && sum != 0; k++) {
            const int on = turn(v, s->place[first.low], s->place[first.high], q->point[wanted->vertex[k]]);
            if ((sum > 0 ? on : -on) * side < 0) {
                vp_reason_say(reason,
                              "the edge between points %u and %u has a triangle on one side of it alone, and "
                              "is within the polygon",
                              s->number[first.low], s->number[first.high]);
                return;
            }
        }
    }
}

static void check_sides(const vp_query_mesh *q, const vp_hull_wanted *wanted, const plane_view *v, double unit, const vp_shell *s,
                        const vp_half_edge *edge, char reason[VP_REASON_BYTES])
{
    const double whole = go_around(q, wanted, v, unit);
    double covered[2] = {0.0, 0.0};
    for (uint32_t t = 0; t < s->triangles; t++) {
        const vp_vec3 a = s->place[s->corner[t][0]], b = s->place[s->corner[t][1]], c = s->place[s->corner[t][2]];
        covered[turn(v, a, b, c) > 0 ? 0 : 1] += fabs(area(v, a, b, c, unit));
    }
    for (int k = 0; k < 2 && reason[0] == '\0'; k++)
        if (covered[k] > 0.0 && !(fabs(covered[k] / whole - 1.0) <= 0.25)) /* a whole number, up to rounding */
            vp_reason_say(reason, "triangles of one side cover %.4g times the polygon's area", covered[k] / whole);
    for (int k = 0; k < 2 && reason[0] == '\0'; k++)
        if (covered[k] > 0.0)
            check_side(q, wanted, v, s, edge, k == 0 ? 1 : -1, reason);
}

/* The axis along which the polygon looks largest, and the longest side of its corners' box. */
static plane_view find_view(const vp_query_mesh *q, const vp_hull_wanted *wanted, double *unit)
{
    double most = -1.0;
    plane_view best = {0};
    *unit = 0.0;
    for (uint32_t i = 1; i < wanted->vertices; i++) {
        const vp_vec3 a = q->point[wanted->vertex[0]], b = q->point[wanted->vertex[i]];
        *unit = fmax(*unit, fmax(fabs((double)b.x - (double)a.x), fmax(fabs((double)b.y - (double)a.y), fabs((double)b.z - (double)a.z))));
    }
    for (uint32_t i = 2; i < wanted->vertices; i++)
        for (int axis = 0; axis < 3; axis++) {
            const plane_view v = {axis};
            const double size =
                fabs(area(&v, q->point[wanted->vertex[0]], q->point[wanted->vertex[i - 1]], q->point[wanted->vertex[i]], *unit));
            if (size > most) {
                most = size;
                best = v;
            }
        }
    return best;
}

vp_status vp_check_flat(const vp_query_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted, char reason[VP_REASON_BYTES],
                        vp_error *error)
{
    if (wanted->dimension < 2 || wanted->vertices < 3) {
        vp_reason_say(reason, "triangles, of points that are on a line or in one place");
        return VP_OK;
    }
    double unit;
    const plane_view v = find_view(q, wanted, &unit);
    for (uint32_t t = 0; t < answer->count; t++) {
        const uint32_t *c = answer->number + (size_t)t * 3;
        if (turn(&v, q->point[c[0]], q->point[c[1]], q->point[c[2]]) == 0) {
            vp_reason_say(reason, "triangle %u of points %u, %u and %u has no area", t, c[0], c[1], c[2]);
            return VP_OK;
        }
    }
    vp_shell s;
    vp_half_edge *edge = NULL;
    vp_status status = vp_shell_make(q->point, q->points, answer->number, answer->count, true, &s, error);
    if (status == VP_OK && (edge = vp_shell_edges(&s)) == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for edges of %u triangles", answer->count);
    if (status == VP_OK)
        check_sides(q, wanted, &v, unit, &s, edge, reason);
    free(edge);
    vp_shell_drop(&s);
    return status;
}
