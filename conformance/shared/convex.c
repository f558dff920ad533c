/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "conformance/shared/convex.h"

/* ---- vectors ---- */

vp_real3 vp_real3_unit(vp_real3 a)
{
    const double l = vp_real3_length(a);
    return l > 0.0 ? vp_real3_plus((vp_real3){0.0, 0.0, 0.0}, a, 1.0 / l) : a;
}

double vp_to_segment(vp_real3 p, vp_real3 a, vp_real3 b)
{
    const vp_real3 d = vp_real3_sub(b, a);
    const double square = vp_real3_dot(d, d), t = square > 0.0 ? vp_real3_dot(vp_real3_sub(p, a), d) / square : 0.0;
    return vp_real3_length(vp_real3_sub(p, vp_real3_plus(a, d, t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t)));
}

/* A triangle lower than this part of its length loses its height in double, and its edges are as near as its interior. */
#define LINE 1e-10

double vp_to_triangle(vp_real3 p, const vp_real3 c[3])
{
    const vp_real3 n = vp_real3_cross(vp_real3_sub(c[1], c[0]), vp_real3_sub(c[2], c[0]));
    const double size = vp_real3_length(n);
    double least = INFINITY, longest = 0.0;
    bool over = true;
    for (int k = 0; k < 3; k++) {
        const vp_real3 a = c[k], b = c[(k + 1) % 3], u = vp_real3_sub(b, a);
        least = fmin(least, vp_to_segment(p, a, b));
        longest = fmax(longest, vp_real3_dot(u, u));
        over = over && vp_real3_dot(vp_real3_cross(u, vp_real3_sub(p, a)), n) >= 0.0;
    }
    return over && size > LINE * longest ? fmin(least, fabs(vp_real3_dot(n, vp_real3_sub(p, c[0]))) / size) : least;
}

/* ---- the shape ---- */

static vp_real3 inwards(const vp_convex *s, vp_real3 p)
{
    return (vp_real3){vp_real3_dot(s->axis[0], p), vp_real3_dot(s->axis[1], p), vp_real3_dot(s->axis[2], p)};
}

static vp_real3 outwards(const vp_convex *s, vp_real3 p)
{
    return vp_real3_plus(vp_real3_plus(vp_real3_plus((vp_real3){0.0, 0.0, 0.0}, s->axis[0], p.x), s->axis[1], p.y), s->axis[2], p.z);
}

/* The largest height of a point above the planes of a hull's faces. These are all planes through three points with all others
 * on one side. */
static double beyond_hull(const vp_convex *s, vp_real3 p)
{
    const vp_query_mesh *h = s->points;
    const double nothing = s->radius * 1e-9;
    double most = -INFINITY;
    for (uint32_t i = 0; i < h->points; i++)
        for (uint32_t j = i + 1; j < h->points; j++)
            for (uint32_t k = j + 1; k < h->points; k++) {
                const vp_real3 a = vp_real3_of(h->point[i]),
                               face = vp_real3_cross(vp_real3_sub(vp_real3_of(h->point[j]), a), vp_real3_sub(vp_real3_of(h->point[k]), a)),
                               n = vp_real3_unit(face);
                double low = 0.0, high = 0.0;
                if (vp_real3_length(face) <= nothing * s->radius)
                    continue;
                for (uint32_t m = 0; m < h->points; m++) {
                    const double d = vp_real3_dot(n, vp_real3_sub(vp_real3_of(h->point[m]), a));
                    low = d < low ? d : low;
                    high = d > high ? d : high;
                }
                const double d = vp_real3_dot(n, vp_real3_sub(p, a));
                if (high <= nothing && d > most)
                    most = d;
                if (low >= -nothing && -d > most)
                    most = -d;
            }
    return most;
}

double vp_convex_beyond(const vp_convex *s, vp_real3 world)
{
    const vp_real3 p = inwards(s, world);
    const double r = (double)s->body->number[0], h = (double)s->body->number[1], d = (double)s->body->number[2];
    double x, y, z;
    switch (s->body->kind) {
    case VP_COLLIDE_SPHERE:
        return vp_real3_length(p) - r;
    case VP_COLLIDE_CAPSULE:
        return vp_to_segment(p, (vp_real3){0.0, -h, 0.0}, (vp_real3){0.0, h, 0.0}) - r;
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

vp_real3 vp_convex_furthest(const vp_convex *s, vp_real3 world)
{
    const vp_real3 u = vp_real3_unit(inwards(s, world));
    const double r = (double)s->body->number[0], h = (double)s->body->number[1], d = (double)s->body->number[2];
    const vp_real3 flat = vp_real3_unit((vp_real3){u.x, 0.0, u.z}), zero = {0.0, 0.0, 0.0};
    vp_real3 at = zero;
    switch (s->body->kind) {
    case VP_COLLIDE_SPHERE:
        at = vp_real3_plus(zero, u, r);
        break;
    case VP_COLLIDE_CAPSULE:
        at = vp_real3_plus((vp_real3){0.0, u.y < 0.0 ? -h : h, 0.0}, u, r);
        break;
    case VP_COLLIDE_CYLINDER:
        at = vp_real3_plus((vp_real3){0.0, u.y < 0.0 ? -h : h, 0.0}, flat, r);
        break;
    case VP_COLLIDE_BOX:
        at = (vp_real3){u.x < 0.0 ? -r : r, u.y < 0.0 ? -h : h, u.z < 0.0 ? -d : d};
        break;
    default:
        for (uint32_t i = 0; i < s->points->points; i++)
            if (i == 0 || vp_real3_dot(u, vp_real3_sub(vp_real3_of(s->points->point[i]), at)) > 0.0)
                at = vp_real3_of(s->points->point[i]);
    }
    return outwards(s, at);
}

vp_convex vp_convex_of(const vp_query_body *body, const vp_query_mesh *points)
{
    vp_convex out = {.body = body, .points = points};
    const float *q = body->pose.rotation;
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3], s = 2.0 / (x * x + y * y + z * z + w * w);
    const double a = (double)body->number[0], b = (double)body->number[1], c = (double)body->number[2];
    out.axis[0] = (vp_real3){1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)};
    out.axis[1] = (vp_real3){s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w)};
    out.axis[2] = (vp_real3){s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y)};
    out.radius = body->kind == VP_COLLIDE_SPHERE     ? a
                 : body->kind == VP_COLLIDE_CAPSULE  ? a + b
                 : body->kind == VP_COLLIDE_CYLINDER ? sqrt(a * a + b * b)
                                                     : sqrt(a * a + b * b + c * c);
    for (uint32_t i = 0; body->kind == VP_COLLIDE_HULL && i < points->points; i++) {
        const double l = vp_real3_length(vp_real3_of(points->point[i]));
        out.radius = l > out.radius ? l : out.radius;
    }
    return out;
}
