/* SPDX-License-Identifier: MIT */
/* Whether points are contacts of a shape and a mesh, by the definition alone: no kernel is asked, and nothing is promised of which of them
 * are told. Binary64, relative to the shape's position. */
#include <math.h>
#include <string.h>

#include "conformance/shapes/shapes.h"

typedef struct vec {
    double x, y, z;
} vec;

/* A shape's axes in the world are `axis`. */
typedef struct solid {
    const vp_asked_body *body;
    const vp_asked_mesh *points;
    vec axis[3];
    double radius; /* about its origin */
} solid;

static const double near_normal = 0.9961947, /* cosine of 5 degrees */
    five = 0.0872665, ten = 0.1736482;       /* 5 degrees, the sine of 10 */

/* ---- vectors ---- */

static vec of(vp_vec3 a)
{
    return (vec){(double)a.x, (double)a.y, (double)a.z};
}

static vec along(vec a, vec d, double t)
{
    return (vec){a.x + d.x * t, a.y + d.y * t, a.z + d.z * t};
}

static vec less(vec a, vec b)
{
    return along(a, b, -1.0);
}

static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double length(vec a)
{
    return sqrt(dot(a, a));
}

/* 0 of 0. */
static vec unit(vec a)
{
    const double l = length(a);
    return l > 0.0 ? along((vec){0.0, 0.0, 0.0}, a, 1.0 / l) : a;
}

static double angle(vec a, vec b)
{
    return atan2(length(cross(a, b)), dot(a, b));
}

static double to_segment(vec p, vec a, vec b)
{
    const vec d = less(b, a);
    const double square = dot(d, d), t = square > 0.0 ? dot(less(p, a), d) / square : 0.0;
    return length(less(p, along(a, d, t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t)));
}

/* Of any three points, also on a line or in one place. */
static double to_triangle(vec p, const vec c[3])
{
    const vec n = unit(cross(less(c[1], c[0]), less(c[2], c[0])));
    bool inside = dot(n, n) > 0.0;
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const vec a = c[k], b = c[(k + 1) % 3];
        inside = inside && dot(cross(n, less(b, a)), less(p, a)) >= 0.0;
        const double d = to_segment(p, a, b);
        least = d < least ? d : least;
    }
    return inside ? fabs(dot(n, less(p, c[0]))) : least;
}

/* ---- the shape ---- */

static vec inwards(const solid *s, vec p)
{
    return (vec){dot(s->axis[0], p), dot(s->axis[1], p), dot(s->axis[2], p)};
}

static vec outwards(const solid *s, vec p)
{
    return along(along(along((vec){0.0, 0.0, 0.0}, s->axis[0], p.x), s->axis[1], p.y), s->axis[2], p.z);
}

/* How far outside the planes of a hull's faces a point is at most: every plane through three points that has all on one side. */
static double beyond_hull(const solid *s, vec p)
{
    const vp_asked_mesh *h = s->points;
    const double nothing = s->radius * 1e-9;
    double most = -INFINITY;
    for (uint32_t i = 0; i < h->points; i++)
        for (uint32_t j = i + 1; j < h->points; j++)
            for (uint32_t k = j + 1; k < h->points; k++) {
                const vec a = of(h->point[i]), face = cross(less(of(h->point[j]), a), less(of(h->point[k]), a)), n = unit(face);
                double low = 0.0, high = 0.0;
                if (length(face) <= nothing * s->radius)
                    continue;
                for (uint32_t m = 0; m < h->points; m++) {
                    const double d = dot(n, less(of(h->point[m]), a));
                    low = d < low ? d : low;
                    high = d > high ? d : high;
                }
                const double d = dot(n, less(p, a));
                if (high <= nothing && d > most)
                    most = d;
                if (low >= -nothing && -d > most)
                    most = -d;
            }
    return most;
}

/* How far outside the shape a point is, negative inside; up to a factor near edges. */
static double beyond(const solid *s, vec world)
{
    const vec p = inwards(s, world);
    const double r = (double)s->body->number[0], h = (double)s->body->number[1], d = (double)s->body->number[2];
    double x, y, z;
    switch (s->body->kind) {
    case VP_COLLIDE_SPHERE:
        return length(p) - r;
    case VP_COLLIDE_CAPSULE:
        return to_segment(p, (vec){0.0, -h, 0.0}, (vec){0.0, h, 0.0}) - r;
    case VP_COLLIDE_CYLINDER:
        x = sqrt(p.x * p.x + p.z * p.z) - r;
        y = fabs(p.y) - h;
        return x > y ? x : y;
    case VP_COLLIDE_BOX:
        x = fabs(p.x) - r;
        y = fabs(p.y) - h;
        z = fabs(p.z) - d;
        x = x > y ? x : y;
        return x > z ? x : z;
    default:
        return beyond_hull(s, p);
    }
}

/* A point of the shape that is furthest along a direction. */
static vec furthest(const solid *s, vec world)
{
    const vec u = unit(inwards(s, world));
    const double r = (double)s->body->number[0], h = (double)s->body->number[1], d = (double)s->body->number[2];
    const vec flat = unit((vec){u.x, 0.0, u.z}), zero = {0.0, 0.0, 0.0};
    vec at = zero;
    switch (s->body->kind) {
    case VP_COLLIDE_SPHERE:
        at = along(zero, u, r);
        break;
    case VP_COLLIDE_CAPSULE:
        at = along((vec){0.0, u.y < 0.0 ? -h : h, 0.0}, u, r);
        break;
    case VP_COLLIDE_CYLINDER:
        at = along((vec){0.0, u.y < 0.0 ? -h : h, 0.0}, flat, r);
        break;
    case VP_COLLIDE_BOX:
        at = (vec){u.x < 0.0 ? -r : r, u.y < 0.0 ? -h : h, u.z < 0.0 ? -d : d};
        break;
    default:
        for (uint32_t i = 0; i < s->points->points; i++)
            if (i == 0 || dot(u, less(of(s->points->point[i]), at)) > 0.0)
                at = of(s->points->point[i]);
    }
    return outwards(s, at);
}

static solid solid_of(const vp_asked_body *body, const vp_asked_mesh *points)
{
    solid out = {.body = body, .points = points};
    const float *q = body->pose.rotation;
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3], s = 2.0 / (x * x + y * y + z * z + w * w);
    const double a = (double)body->number[0], b = (double)body->number[1], c = (double)body->number[2];
    out.axis[0] = (vec){1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)};
    out.axis[1] = (vec){s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w)};
    out.axis[2] = (vec){s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y)};
    out.radius = body->kind == VP_COLLIDE_SPHERE     ? a
                 : body->kind == VP_COLLIDE_CAPSULE  ? a + b
                 : body->kind == VP_COLLIDE_CYLINDER ? sqrt(a * a + b * b)
                                                     : sqrt(a * a + b * b + c * c);
    for (uint32_t i = 0; body->kind == VP_COLLIDE_HULL && i < points->points; i++) {
        const double l = length(of(points->point[i]));
        out.radius = l > out.radius ? l : out.radius;
    }
    return out;
}

/* ---- the mesh ---- */

typedef struct ground {
    const vp_asked_mesh *mesh;
    vec origin;
    double tolerance;
} ground;

static vec corner_of(const ground *g, uint32_t triangle, int k)
{
    return less(of(g->mesh->point[g->mesh->triangle[triangle][k % 3]]), g->origin);
}

static vec normal_of(const ground *g, uint32_t t)
{
    const vec a = corner_of(g, t, 0);
    return unit(cross(less(corner_of(g, t, 1), a), less(corner_of(g, t, 2), a)));
}

static bool is_same(vec a, vec b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

typedef enum cone {
    CONE_AWAY,  /* not a point of the mesh */
    CONE_GHOST, /* the mesh has no such normal there */
    CONE_NEAR,  /* but within 75 degrees */
    CONE_SHARP, /* it is that of an edge, or a corner; or there is no area */
    CONE_FACE   /* it is a triangle's, or straight out of an edge that is open */
} cone;

/* Whether a normal is square to an edge, and between the normals of the triangles on both sides; without a second one, straight outwards.
   Of an edge that isn't convex it is one of theirs, for which nobody asks here. */
static cone of_edge(const ground *g, uint32_t t, int k, vec n)
{
    const vec a = corner_of(g, t, k), b = corner_of(g, t, k + 1), e = unit(less(b, a)), m = normal_of(g, t);
    bool open = true;
    if (fabs(dot(n, e)) > five)
        return CONE_GHOST;
    for (uint32_t o = 0; o < g->mesh->triangles; o++)
        for (int j = 0; j < 3; j++)
            if (is_same(corner_of(g, o, j), b) && is_same(corner_of(g, o, j + 1), a)) {
                const vec other = normal_of(g, o);
                open = false;
                if (dot(m, less(corner_of(g, o, j + 2), a)) < 0.0 && angle(n, m) + angle(n, other) <= angle(m, other) + five)
                    return CONE_SHARP;
            }
    const vec out = cross(e, m);
    if (!open || angle(n, m) + angle(n, out) > angle(m, out) + five)
        return CONE_GHOST;
    return dot(n, out) >= near_normal ? CONE_FACE : CONE_SHARP;
}

/* Whether all edges at a corner go down, seen along a normal, which is in front of one triangle there. */
static bool is_of_corner(const ground *g, vec v, vec n)
{
    bool front = false;
    for (uint32_t t = 0; t < g->mesh->triangles; t++)
        for (int k = 0; k < 3; k++) {
            if (!is_same(corner_of(g, t, k), v))
                continue;
            if (dot(n, unit(less(corner_of(g, t, k + 1), v))) > five || dot(n, unit(less(corner_of(g, t, k + 2), v))) > five)
                return false;
            front = front || dot(n, normal_of(g, t)) >= -five;
        }
    return front;
}

static cone cone_of(const ground *g, vec p, vec n)
{
    cone out = CONE_AWAY;
    bool area = false, line = false;
    for (uint32_t t = 0; t < g->mesh->triangles; t++) {
        const vec c[3] = {corner_of(g, t, 0), corner_of(g, t, 1), corner_of(g, t, 2)}, m = normal_of(g, t);
        if (!(to_triangle(p, c) <= g->tolerance))
            continue;
        cone is = dot(n, m) >= 0.25 ? CONE_NEAR : CONE_GHOST;
        if (dot(m, m) == 0.0) {
            line = true;
        } else {
            area = true;
            for (int k = 0; k < 3; k++) {
                const cone edge = to_segment(p, c[k], c[(k + 1) % 3]) <= g->tolerance ? of_edge(g, t, k, n) : CONE_GHOST;
                is = edge > is ? edge : is;
                if (length(less(p, c[k])) <= g->tolerance && is < CONE_SHARP && is_of_corner(g, c[k], n))
                    is = CONE_SHARP;
            }
            if (dot(n, m) >= near_normal)
                is = CONE_FACE;
        }
        out = is > out ? is : out;
    }
    return line && !area ? CONE_SHARP : out;
}

/* ---- contacts ---- */

/* A contact is three of an answer's vertices: its distance, which is the first's x, its normal, its place on the mesh.
   @return CONE_AWAY: it is none, and the reason says why; CONE_GHOST, CONE_NEAR: all but the normal is right */
static cone look_at(const solid *s, const ground *g, const vp_vec3 *told, double margin, char *reason)
{
    const double d = (double)told[0].x;
    const vec n = of(told[1]), p = of(told[2]), q = along(p, n, d), zero = {0.0, 0.0, 0.0};
    if (!isfinite(d) || !isfinite(length(n)) || !isfinite(length(p)) || fabs(length(n) - 1.0) > 1e-3) {
        vp_reason_say(reason, "a contact isn't finite, or its normal isn't of length 1");
        return CONE_AWAY;
    }
    const cone is = cone_of(g, p, n);
    const vec end = furthest(s, along(zero, n, -1.0));
    if (d > margin + g->tolerance)
        vp_reason_say(reason, "a contact at %g is beyond the margin", d);
    else if (is == CONE_AWAY)
        vp_reason_say(reason, "(%g, %g, %g) is not on the mesh", p.x, p.y, p.z);
    else if (fabs(beyond(s, q)) > g->tolerance)
        vp_reason_say(reason, "(%g, %g, %g) is not on the shape", q.x, q.y, q.z);
    else if (beyond(s, along(q, n, -0.05 * s->radius)) < -g->tolerance)
        vp_reason_say(reason, "at (%g, %g, %g) is the shape's other side", q.x, q.y, q.z);
    else
        /* what doesn't touch yet pushes nobody: any normal of the mesh will do */
        return is == CONE_SHARP && d < 10.0 * g->tolerance && dot(n, less(q, end)) > ten * length(less(q, end)) + 2.0 * g->tolerance
                   ? CONE_NEAR
                   : is;
    return CONE_AWAY;
}

/* Whether all are contacts. Of those along one normal the deepest is looked at: the others are where the shape lies along the mesh. */
static bool are_contacts(const solid *s, const ground *g, const vp_answer *answer, double margin, char *reason)
{
    cone is[VP_MANIFOLD_POINTS];
    for (uint32_t i = 0; i < answer->count; i++) {
        is[i] = look_at(s, g, answer->vertex + (size_t)3 * i, margin, reason);
        if (is[i] == CONE_AWAY)
            return false;
    }
    for (uint32_t i = 0; i < answer->count; i++) {
        const vp_vec3 *told = answer->vertex + (size_t)3 * i;
        const vec n = of(told[1]), p = of(told[2]);
        bool right = is[i] >= CONE_SHARP;
        for (uint32_t k = 0; k < answer->count; k++)
            right = right || (is[i] == CONE_NEAR && is[k] >= CONE_SHARP && dot(n, of(answer->vertex[3 * k + 1])) >= near_normal &&
                              (double)answer->vertex[3 * k].x <= (double)told[0].x + g->tolerance);
        if (!right) {
            vp_reason_say(reason, "(%g, %g, %g) is no normal at (%g, %g, %g)", n.x, n.y, n.z, p.x, p.y, p.z);
            return false;
        }
    }
    return true;
}

static vec place_in(const json_t *place)
{
    return of((vp_vec3){vp_value_bits(json_array_get(place, 0)), vp_value_bits(json_array_get(place, 1)),
                        vp_value_bits(json_array_get(place, 2))});
}

/* Whether contacts with about that normal have one at that distance, and enclose those places. */
static bool has(const solid *s, const ground *g, const vp_answer *answer, const json_t *wanted, char *reason)
{
    const json_t *range = json_object_get(wanted, "distance"), *place;
    const vec n = place_in(json_object_get(wanted, "normal"));
    vec at[VP_MANIFOLD_POINTS];
    size_t count = 0, nearer = 0, i;
    const float low = vp_value_bits(json_array_get(range, 0)), high = vp_value_bits(json_array_get(range, 1));
    bool there = false;
    for (uint32_t k = 0; k < answer->count; k++)
        if (dot(n, of(answer->vertex[3 * k + 1])) >= near_normal) {
            at[count++] = of(answer->vertex[3 * k + 2]);
            there = there || (answer->vertex[3 * k].x >= low && answer->vertex[3 * k].x <= high);
        }
    if (!there) { /* which is right if so many are as deep */
        for (uint32_t k = 0; answer->count == VP_MANIFOLD_POINTS && k < answer->count; k++)
            nearer += answer->vertex[3 * k].x <= high ? 1 : 0;
        if (nearer == VP_MANIFOLD_POINTS)
            return true;
        vp_reason_say(reason, "no contact is along (%.3g, %.3g, %.3g) at a distance from %g to %g", n.x, n.y, n.z, (double)low,
                      (double)high);
        return false;
    }
    json_array_foreach (json_object_get(wanted, "encloses"), i, place) {
        const vec p = place_in(place);
        double least = INFINITY;
        for (size_t a = 0; a < count; a++)
            for (size_t b = a; b < count; b++)
                for (size_t c = b; c < count; c++) {
                    const double d = to_triangle(p, (vec[3]){at[a], at[b], at[c]});
                    least = d < least ? d : least;
                }
        if (least > g->tolerance + 0.01 * s->radius) {
            vp_reason_say(reason, "contacts along (%.3g, %.3g, %.3g) don't enclose (%.3g, %.3g, %.3g)", n.x, n.y, n.z, p.x, p.y, p.z);
            return false;
        }
    }
    return true;
}

void vp_check_contacts(const vp_asked_mesh *mesh, const vp_asked_mesh *points, const vp_asked_body *body, const vp_answer *answer,
                       const json_t *contacts, char reason[VP_REASON_BYTES])
{
    const solid s = solid_of(body, points);
    const ground g = {mesh, of(body->pose.position), s.radius * 1e-3};
    const json_t *wanted;
    size_t i;
    reason[0] = '\0';
    if (answer->count > VP_MANIFOLD_POINTS) {
        vp_reason_say(reason, "%u contacts are more than %d", answer->count, VP_MANIFOLD_POINTS);
        return;
    }
    if (!are_contacts(&s, &g, answer, (double)body->margin, reason))
        return;
    json_array_foreach (contacts, i, wanted)
        if (!has(&s, &g, answer, wanted, reason))
            return;
}
