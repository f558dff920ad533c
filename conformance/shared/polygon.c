/* SPDX-License-Identifier: MIT */
/* The checker of polygons: hulls in the plane, of points that are nearly on a line. In double, of which the
 * roundings are a billionth of what is allowed. */
#include "conformance/shared/shared.h"

#include <math.h>

/* A corner's place as seen from the first corner, and the corner behind the last is the first. */
static void corner_at(const vp_query_mesh *q, const vp_answer *answer, uint32_t i, double out[2])
{
    const vp_vec3 first = q->point[answer->number[0]], p = q->point[answer->number[i % answer->count]];
    out[0] = (double)p.x - (double)first.x;
    out[1] = (double)p.y - (double)first.y;
}

/* A polygon that turns to the left once, up to what is allowed, goes there and back along each axis, and has an area. */
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

/* How far a place is from a polygon that turns to the left: 0 within. */
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

/* No point is further to the right of an edge than is allowed, nor further from the polygon: of points nearly
   on a line the first says nothing of how far along it the polygon reaches. */
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
