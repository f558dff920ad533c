/* SPDX-License-Identifier: MIT */
/* Checks by definition alone whether points are contacts of a shape and a mesh. No kernel is called, and an engine may choose which
 * contacts it reports. Binary64, relative to the shape's position. */
#include <math.h>
#include <string.h>

#include "conformance/shared/convex.h"

enum { MOST_CONTACTS = VP_MANIFOLD_DIRECTIONS * VP_MANIFOLD_POINTS };

static const double near_normal = 0.9961947, /* cosine of 5 degrees */
    same_normal = 0.9999985,                 /* cosine of 0.1 degrees */
    five = 0.0872665, ten = 0.1736482;       /* 5 degrees, and the sine of 10 degrees */

static double angle(vp_real3 a, vp_real3 b)
{
    return atan2(vp_real3_length(vp_real3_cross(a, b)), vp_real3_dot(a, b));
}

/* ---- the mesh ---- */

typedef struct ground {
    const vp_query_mesh *mesh;
    vp_real3 origin;
    double tolerance;
} ground;

static vp_real3 corner_of(const ground *g, uint32_t triangle, int k)
{
    return vp_real3_sub(vp_real3_of(g->mesh->point[g->mesh->triangle[triangle][k % 3]]), g->origin);
}

static vp_real3 normal_of(const ground *g, uint32_t t)
{
    const vp_real3 a = corner_of(g, t, 0);
    return vp_real3_unit(vp_real3_cross(vp_real3_sub(corner_of(g, t, 1), a), vp_real3_sub(corner_of(g, t, 2), a)));
}

typedef enum cone {
    CONE_AWAY,  /* not a point of the mesh */
    CONE_GHOST, /* the mesh has no such normal there */
    CONE_NEAR,  /* no such normal, but one within 75 degrees */
    CONE_SHARP, /* the normal of an edge or a corner, or there is no area */
    CONE_FACE   /* the normal of a triangle, or straight out of an open edge */
} cone;

/* Classifies a normal at an edge. It must be perpendicular to the edge, and between the normals of both triangles, or straight outwards at
 * an open edge. At an edge that is not convex only a triangle's normal is valid, which the caller checks. */
static cone of_edge(const ground *g, uint32_t t, int k, vp_real3 n)
{
    const vp_real3 a = corner_of(g, t, k), b = corner_of(g, t, k + 1), e = vp_real3_unit(vp_real3_sub(b, a)), m = normal_of(g, t);
    bool open = true;
    if (fabs(vp_real3_dot(n, e)) > five)
        return CONE_GHOST;
    for (uint32_t o = 0; o < g->mesh->triangles; o++)
        for (int j = 0; j < 3; j++)
            if (vp_real3_equal(corner_of(g, o, j), b) && vp_real3_equal(corner_of(g, o, j + 1), a)) {
                const vp_real3 other = normal_of(g, o);
                open = false;
                if (vp_real3_dot(m, vp_real3_sub(corner_of(g, o, j + 2), a)) < 0.0 &&
                    angle(n, m) + angle(n, other) <= angle(m, other) + five)
                    return CONE_SHARP;
            }
    const vp_real3 out = vp_real3_cross(e, m);
    if (!open || angle(n, m) + angle(n, out) > angle(m, out) + five)
        return CONE_GHOST;
    return vp_real3_dot(n, out) >= near_normal ? CONE_FACE : CONE_SHARP;
}

/* Whether all edges at a corner go down, seen along a normal that is in front of one triangle there. */
static bool is_of_corner(const ground *g, vp_real3 v, vp_real3 n)
{
    bool front = false;
    for (uint32_t t = 0; t < g->mesh->triangles; t++)
        for (int k = 0; k < 3; k++) {
            if (!vp_real3_equal(corner_of(g, t, k), v))
                continue;
            if (vp_real3_dot(n, vp_real3_unit(vp_real3_sub(corner_of(g, t, k + 1), v))) > five ||
                vp_real3_dot(n, vp_real3_unit(vp_real3_sub(corner_of(g, t, k + 2), v))) > five)
                return false;
            front = front || vp_real3_dot(n, normal_of(g, t)) >= -five;
        }
    return front;
}

static cone cone_of(const ground *g, vp_real3 p, vp_real3 n)
{
    cone out = CONE_AWAY;
    bool area = false, line = false;
    for (uint32_t t = 0; t < g->mesh->triangles; t++) {
        const vp_real3 c[3] = {corner_of(g, t, 0), corner_of(g, t, 1), corner_of(g, t, 2)}, m = normal_of(g, t);
        if (!(vp_to_triangle(p, c) <= g->tolerance))
            continue;
        cone is = vp_real3_dot(n, m) >= 0.25 ? CONE_NEAR : CONE_GHOST;
        if (vp_real3_dot(m, m) == 0.0) {
            line = true;
        } else {
            area = true;
            for (int k = 0; k < 3; k++) {
                const cone edge = vp_to_segment(p, c[k], c[(k + 1) % 3]) <= g->tolerance ? of_edge(g, t, k, n) : CONE_GHOST;
                is = edge > is ? edge : is;
                if (vp_real3_length(vp_real3_sub(p, c[k])) <= g->tolerance && is < CONE_SHARP && is_of_corner(g, c[k], n))
                    is = CONE_SHARP;
            }
            if (vp_real3_dot(n, m) >= near_normal)
                is = CONE_FACE;
        }
        out = is > out ? is : out;
    }
    return line && !area ? CONE_SHARP : out;
}

/* ---- contacts ---- */

/* Classifies a contact, which is three vertices of an answer: its distance as the first's x, its normal, its position on the mesh.
 * @return CONE_AWAY with a reason if it is no contact, CONE_GHOST or CONE_NEAR if only the normal is wrong */
static cone look_at(const vp_convex *s, const ground *g, const vp_vec3 *reported, double margin, char *reason)
{
    const double d = (double)reported[0].x;
    const vp_real3 n = vp_real3_of(reported[1]), p = vp_real3_of(reported[2]), q = vp_real3_plus(p, n, d), zero = {0.0, 0.0, 0.0};
    if (!isfinite(d) || !isfinite(vp_real3_length(n)) || !isfinite(vp_real3_length(p)) || fabs(vp_real3_length(n) - 1.0) > 1e-3) {
        vp_reason_say(reason, "a contact isn't finite, or its normal isn't of length 1");
        return CONE_AWAY;
    }
    const cone is = cone_of(g, p, n);
    const vp_real3 end = vp_convex_furthest(s, vp_real3_plus(zero, n, -1.0));
    if (d > margin + g->tolerance)
        vp_reason_say(reason, "a contact at %g is beyond the margin", d);
    else if (is == CONE_AWAY)
        vp_reason_say(reason, "(%g, %g, %g) is not on the mesh", p.x, p.y, p.z);
    else if (fabs(vp_convex_beyond(s, q)) > g->tolerance)
        vp_reason_say(reason, "(%g, %g, %g) is not on the shape", q.x, q.y, q.z);
    else if (vp_convex_beyond(s, vp_real3_plus(q, n, -0.05 * s->radius)) < -g->tolerance)
        vp_reason_say(reason, "at (%g, %g, %g) is the shape's other side", q.x, q.y, q.z);
    else
        /* A contact that does not touch yet pushes nothing, so any normal of the mesh is accepted. */
        return is == CONE_SHARP && d < 10.0 * g->tolerance &&
                       vp_real3_dot(n, vp_real3_sub(q, end)) > ten * vp_real3_length(vp_real3_sub(q, end)) + 2.0 * g->tolerance
                   ? CONE_NEAR
                   : is;
    return CONE_AWAY;
}

/* Whether all are contacts. CONE_NEAR is accepted if a deeper contact along about the same normal is right, because the others are where
 * the shape lies along the mesh. */
static bool are_contacts(const vp_convex *s, const ground *g, const vp_answer *answer, double margin, char *reason)
{
    cone is[MOST_CONTACTS];
    for (uint32_t i = 0; i < answer->count; i++) {
        is[i] = look_at(s, g, answer->vertex + (size_t)3 * i, margin, reason);
        if (is[i] == CONE_AWAY)
            return false;
    }
    for (uint32_t i = 0; i < answer->count; i++) {
        const vp_vec3 *reported = answer->vertex + (size_t)3 * i;
        const vp_real3 n = vp_real3_of(reported[1]), p = vp_real3_of(reported[2]);
        bool right = is[i] >= CONE_SHARP;
        for (uint32_t k = 0; k < answer->count; k++)
            right = right ||
                    (is[i] == CONE_NEAR && is[k] >= CONE_SHARP && vp_real3_dot(n, vp_real3_of(answer->vertex[3 * k + 1])) >= near_normal &&
                     (double)answer->vertex[3 * k].x <= (double)reported[0].x + g->tolerance);
        if (!right) {
            vp_reason_say(reason, "(%g, %g, %g) is not a normal at (%g, %g, %g)", n.x, n.y, n.z, p.x, p.y, p.z);
            return false;
        }
    }
    return true;
}

static vp_real3 place_in(const json_t *place)
{
    return vp_real3_of((vp_vec3){vp_value_bits(json_array_get(place, 0)), vp_value_bits(json_array_get(place, 1)),
                                 vp_value_bits(json_array_get(place, 2))});
}

/* The number of directions, 5 degrees apart, among contacts up to a distance. */
static uint32_t count_directions(const vp_answer *answer, float distance)
{
    vp_real3 direction[MOST_CONTACTS];
    uint32_t count = 0;
    for (uint32_t k = 0; k < answer->count; k++) {
        bool is_new = answer->vertex[3 * k].x <= distance;
        for (uint32_t i = 0; i < count; i++)
            is_new = is_new && vp_real3_dot(direction[i], vp_real3_of(answer->vertex[3 * k + 1])) < near_normal;
        if (is_new)
            direction[count++] = vp_real3_of(answer->vertex[3 * k + 1]);
    }
    return count;
}

/* The largest number of contacts that share a normal. */
static uint32_t most_along_one(const vp_answer *answer)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < answer->count; k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < answer->count; i++)
            count += vp_real3_dot(vp_real3_of(answer->vertex[3 * k + 1]), vp_real3_of(answer->vertex[3 * i + 1])) >= same_normal;
        most = count > most ? count : most;
    }
    return most;
}

/* Whether contacts with about the wanted normal have the wanted distance, and enclose the wanted places. */
static bool has(const vp_convex *s, const ground *g, const vp_answer *answer, const json_t *wanted, char *reason)
{
    const json_t *range = json_object_get(wanted, "distance"), *place;
    const vp_real3 n = place_in(json_object_get(wanted, "normal"));
    vp_real3 at[MOST_CONTACTS];
    size_t count = 0, i;
    const float low = vp_value_bits(json_array_get(range, 0)), high = vp_value_bits(json_array_get(range, 1));
    bool there = false;
    for (uint32_t k = 0; k < answer->count; k++)
        if (vp_real3_dot(n, vp_real3_of(answer->vertex[3 * k + 1])) >= near_normal) {
            at[count++] = vp_real3_of(answer->vertex[3 * k + 2]);
            there = there || (answer->vertex[3 * k].x >= low && answer->vertex[3 * k].x <= high);
        }
    if (!there) {
        if (count_directions(answer, high) >= VP_MANIFOLD_DIRECTIONS)
            return true;
        vp_reason_say(reason, "no contact is along (%.3g, %.3g, %.3g) at a distance from %g to %g", n.x, n.y, n.z, (double)low,
                      (double)high);
        return false;
    }
    json_array_foreach (json_object_get(wanted, "encloses"), i, place) {
        const vp_real3 p = place_in(place);
        double least = INFINITY;
        for (size_t a = 0; a < count; a++)
            for (size_t b = a; b < count; b++)
                for (size_t c = b; c < count; c++) {
                    const double d = vp_to_triangle(p, (vp_real3[3]){at[a], at[b], at[c]});
                    least = d < least ? d : least;
                }
        if (least > g->tolerance + 0.01 * s->radius) {
            vp_reason_say(reason, "contacts along (%.3g, %.3g, %.3g) don't enclose (%.3g, %.3g, %.3g)", n.x, n.y, n.z, p.x, p.y, p.z);
            return false;
        }
    }
    return true;
}

void vp_check_contacts(const vp_query_mesh *mesh, const vp_query_mesh *points, const vp_query_body *body, const vp_answer *answer,
                       const json_t *contacts, char reason[VP_REASON_BYTES])
{
    const vp_convex s = vp_convex_of(body, points);
    const ground g = {mesh, vp_real3_of(body->pose.position), s.radius * 1e-3};
    const json_t *wanted;
    size_t i;
    reason[0] = '\0';
    if (answer->count > MOST_CONTACTS) {
        vp_reason_say(reason, "%u contacts are more than %d", answer->count, MOST_CONTACTS);
        return;
    }
    if (!are_contacts(&s, &g, answer, (double)body->margin, reason))
        return;
    if (most_along_one(answer) > VP_MANIFOLD_POINTS) {
        vp_reason_say(reason, "%u contacts along one normal are more than %d", most_along_one(answer), VP_MANIFOLD_POINTS);
        return;
    }
    json_array_foreach (contacts, i, wanted)
        if (!has(&s, &g, answer, wanted, reason))
            return;
}
