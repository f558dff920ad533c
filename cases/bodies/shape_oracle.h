/* SPDX-License-Identifier: MIT */
/* Judges the contact of two shapes without their code. It has its own support functions in binary64, from the shapes' definitions.
 *
 * If the shapes are apart, the answer proves itself: it has points of both shapes at distance d, and a direction along which the shapes are
 * d apart. If they overlap, the direction proves that the shapes separate after d. A search checks that no direction separates them
 * earlier. It tries all face normals and pairs of edges for polytopes. For other shapes it tries a grid of directions, with local searches
 * from the best ones. */
#ifndef VP_CASES_BODIES_SHAPE_ORACLE_H
#define VP_CASES_BODIES_SHAPE_ORACLE_H

#include <math.h>
#include <stdbool.h>

#include <voxphys/voxphys.h>

typedef struct v3 {
    double x, y, z;
} v3;

typedef struct posed {
    const vp_collide_shape *shape;
    v3 at; /* relative to the first shape */
    double q[4];
} posed;

static inline v3 add(v3 a, v3 b, double by)
{
    return (v3){a.x + by * b.x, a.y + by * b.y, a.z + by * b.z};
}

static inline double dot3(v3 a, v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline v3 cross3(v3 a, v3 b)
{
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double norm(v3 a)
{
    return sqrt(dot3(a, a));
}

static inline v3 unit3(v3 a)
{
    const double l = norm(a);
    return l > 0.0 ? (v3){a.x / l, a.y / l, a.z / l} : (v3){0.0, 1.0, 0.0};
}

static inline v3 wide(vp_vec3 a)
{
    return (v3){(double)a.x, (double)a.y, (double)a.z};
}

/* v turned by the quaternion, or back. */
static inline v3 turned(const double q[4], v3 v, bool back)
{
    const v3 axis = back ? (v3){-q[0], -q[1], -q[2]} : (v3){q[0], q[1], q[2]};
    const v3 t = cross3(axis, v);
    return add(add(v, t, 2.0 * q[3]), cross3(axis, t), 2.0);
}

static inline posed pose_shape(const vp_collide_shape *shape, const vp_pose *pose, vp_vec3 origin)
{
    posed p = {.shape = shape, .at = add(wide(pose->position), wide(origin), -1.0)};
    double square = 0.0;
    for (int k = 0; k < 4; k++)
        square += (double)pose->rotation[k] * (double)pose->rotation[k];
    for (int k = 0; k < 4; k++)
        p.q[k] = (double)pose->rotation[k] / sqrt(square);
    return p;
}

static inline double support_local(const vp_collide_shape *s, v3 u)
{
    const double r = (double)s->radius, h = (double)s->half_height;
    double most = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return r * norm(u);
    case VP_COLLIDE_CAPSULE:
        return r * norm(u) + h * fabs(u.y);
    case VP_COLLIDE_BOX:
        return (double)s->half.x * fabs(u.x) + (double)s->half.y * fabs(u.y) + (double)s->half.z * fabs(u.z);
    case VP_COLLIDE_CYLINDER:
        return r * hypot(u.x, u.z) + h * fabs(u.y);
    default:
        for (uint32_t i = 0; i < s->hull->vertex_count; i++)
            most = fmax(most, dot3(u, wide(s->hull->vertex[i])));
        return most;
    }
}

static inline double support(const posed *p, v3 u)
{
    return dot3(p->at, u) + support_local(p->shape, turned(p->q, u, true));
}

static inline double separation(const posed *a, const posed *b, v3 u)
{
    return -support(a, (v3){-u.x, -u.y, -u.z}) - support(b, u);
}

/* A lower bound of a point's distance outside a shape. */
static inline double excess(const posed *p, v3 at)
{
    const vp_collide_shape *s = p->shape;
    const v3 l = turned(p->q, add(at, p->at, -1.0), true);
    const double r = (double)s->radius, h = (double)s->half_height;
    double most = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return norm(l) - r;
    case VP_COLLIDE_CAPSULE:
        return norm((v3){l.x, fmax(fabs(l.y) - h, 0.0), l.z}) - r;
    case VP_COLLIDE_BOX:
        return fmax(fabs(l.x) - (double)s->half.x, fmax(fabs(l.y) - (double)s->half.y, fabs(l.z) - (double)s->half.z));
    case VP_COLLIDE_CYLINDER:
        return fmax(hypot(l.x, l.z) - r, fabs(l.y) - h);
    default:
        for (uint32_t f = 0; f < s->hull->face_count; f++) {
            const v3 n = wide(s->hull->plane[f].normal);
            most = fmax(most, dot3(n, l) - support_local(s, n));
        }
        for (uint32_t i = 0; i < s->hull->arc_count; i++) { /* sides of a polygon */
            const v3 n = wide(s->hull->arc[i].to);
            most = fmax(most, dot3(n, l) - support_local(s, n));
        }
        return most;
    }
}

/* ---- overlapping: the greatest separation ---- */

enum { EDGES = 512, DIRECTIONS = 400, STARTS = 4 };

static inline bool is_core_polytope(const vp_collide_shape *s)
{
    return s->kind != VP_COLLIDE_CYLINDER;
}

/* Directions of a polytope's faces and edges in the world. @return the number of edges */
static inline uint32_t edges_of(const posed *p, v3 *edge)
{
    const vp_collide_shape *s = p->shape;
    uint32_t count = 0;
    if (s->kind == VP_COLLIDE_HULL) {
        for (; count < s->hull->edge_count && count < EDGES; count++) {
            const vp_collide_edge e = s->hull->edge[count];
            edge[count] = turned(p->q, add(wide(s->hull->vertex[e.vertex[1]]), wide(s->hull->vertex[e.vertex[0]]), -1.0), false);
        }
        return count;
    }
    for (int k = 0; k < 3; k++)
        if (s->kind == VP_COLLIDE_BOX || (k == 1 && s->kind != VP_COLLIDE_SPHERE))
            edge[count++] = turned(p->q, (v3){k == 0, k == 1, k == 2}, false);
    return count;
}

static inline double best_of_both(const posed *a, const posed *b, v3 u, double best)
{
    const double l = norm(u);
    if (!(l > 1e-12))
        return best;
    u = (v3){u.x / l, u.y / l, u.z / l};
    best = fmax(best, separation(a, b, u));
    return fmax(best, separation(a, b, (v3){-u.x, -u.y, -u.z}));
}

static inline double best_of_faces(const posed *a, const posed *b, const posed *of, double best)
{
    const vp_collide_shape *s = of->shape;
    for (uint32_t f = 0; s->kind == VP_COLLIDE_HULL && f < s->hull->face_count; f++)
        best = best_of_both(a, b, turned(of->q, wide(s->hull->plane[f].normal), false), best);
    for (int k = 0; k < 3 && s->kind != VP_COLLIDE_HULL; k++)
        best = best_of_both(a, b, turned(of->q, (v3){k == 0, k == 1, k == 2}, false), best);
    return best;
}

static inline double best_axis(const posed *a, const posed *b)
{
    static v3 of_a[EDGES], of_b[EDGES];
    const uint32_t count_a = edges_of(a, of_a), count_b = edges_of(b, of_b);
    double best = best_of_faces(a, b, a, best_of_faces(a, b, b, -INFINITY));
    for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t j = 0; j < count_b; j++) {
            const v3 u = cross3(of_a[i], of_b[j]);
            if (norm(u) > 1e-9 * norm(of_a[i]) * norm(of_b[j]))
                best = best_of_both(a, b, unit3(u), best);
        }
    return best;
}

/* Hill climbing with six neighbours at shrinking steps. */
static inline double climb(const posed *a, const posed *b, v3 u, double s)
{
    double step = 0.1;
    for (int round = 0; round < 200 && step > 1e-10; round++) {
        const v3 e = unit3(fabs(u.x) < 0.7 ? cross3(u, (v3){1, 0, 0}) : cross3(u, (v3){0, 1, 0})), f = cross3(u, e);
        bool better = false;
        for (int k = 0; k < 8; k++) {
            const double angle = k * 0.78539816339744831;
            const v3 to = unit3(add(add(u, e, step * cos(angle)), f, step * sin(angle)));
            const double there = separation(a, b, to);
            if (there > s) {
                s = there;
                u = to;
                better = true;
                break;
            }
        }
        step = better ? step * 1.3 : step * 0.5;
    }
    return s;
}

static inline double best_sampled(const posed *a, const posed *b)
{
    v3 start[STARTS];
    double best[STARTS], greatest = best_of_faces(a, b, a, best_of_faces(a, b, b, -INFINITY));
    for (int k = 0; k < STARTS; k++)
        best[k] = -INFINITY;
    for (int i = 0; i < DIRECTIONS; i++) { /* a spiral */
        const double y = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, r = sqrt(1.0 - y * y), angle = 2.39996322972865332 * i;
        const v3 u = {r * cos(angle), y, r * sin(angle)};
        const double s = separation(a, b, u);
        int k = STARTS - 1;
        if (!(s > best[k]))
            continue;
        for (; k > 0 && s > best[k - 1]; k--) {
            best[k] = best[k - 1];
            start[k] = start[k - 1];
        }
        best[k] = s;
        start[k] = u;
    }
    for (int k = 0; k < STARTS; k++)
        greatest = fmax(greatest, climb(a, b, start[k], best[k]));
    return greatest;
}

/* ---- judging ---- */

typedef enum fault { RIGHT, NOT_A_NUMBER, MISSED, INVENTED, SIGN, DISTANCE, DEPTH, POINTS, FEATURE, FAULTS } fault;

static const char *const fault_name[FAULTS] = {"right",    "not a number", "missed", "invented", "sign",
                                               "distance", "depth",        "points", "feature"};

static inline bool is_feature(const vp_collide_shape *s, uint32_t feature)
{
    const uint32_t part = feature >> 30, number = feature & 0x3fffffffu;
    uint32_t most[4] = {1, 0, 0, 0};
    if (s->kind == VP_COLLIDE_CAPSULE)
        most[2] = 2;
    else if (s->kind == VP_COLLIDE_BOX)
        most[0] = 6, most[1] = 12, most[2] = 8;
    else if (s->kind == VP_COLLIDE_CYLINDER)
        most[0] = 3, most[1] = 2;
    else if (s->kind == VP_COLLIDE_HULL)
        most[0] = s->hull->face_count, most[1] = s->hull->edge_count, most[2] = s->hull->vertex_count;
    return number < most[part];
}

/* @param all    search for a smaller depth
 * @param error  out, largest error of distance, depth or points, as part of the size */
static inline fault judge(const vp_manifold_body *body_a, const vp_manifold_body *body_b, float margin, const vp_shape_contact *c,
                          double band, bool all, double *error)
{
    const posed a = pose_shape(body_a->shape, &body_a->pose, body_a->pose.position);
    const posed b = pose_shape(body_b->shape, &body_b->pose, body_a->pose.position);
    const double size = fmax(fmax((double)vp_collide_radius(a.shape), (double)vp_collide_radius(b.shape)),
                             fmax(fabs(b.at.x), fmax(fabs(b.at.y), fabs(b.at.z))));
    const double allowed = band * size, d = (double)c->distance;
    const v3 n = wide(c->normal), on_a = wide(c->on_a), on_b = wide(c->on_b);
    *error = 0.0;
    if (!isfinite(d) || !(fabs(norm(n) - 1.0) <= 1e-6) || !isfinite(norm(on_a)) || !isfinite(norm(on_b)))
        return NOT_A_NUMBER;
    const double s = separation(&a, &b, unit3(n));
    *error = fabs(s - d) / size;
    if (c->feature_a == VP_COLLIDE_NONE || c->feature_b == VP_COLLIDE_NONE)
        return c->feature_a != c->feature_b || !(d > (double)margin) || fabs(s - d) > allowed ? MISSED : RIGHT;
    if (d > (double)margin + allowed)
        return INVENTED;
    if (fabs(s - d) > allowed)
        return DISTANCE;
    const double out = fmax(fmax(excess(&a, on_a), excess(&b, on_b)), norm(add(add(on_a, on_b, -1.0), n, -d)));
    *error = fmax(*error, out / size);
    if (out > (is_core_polytope(a.shape) || is_core_polytope(b.shape) ? allowed : 10.0 * allowed)) /* for two rims S is less accurate */
        return POINTS;
    if (!is_feature(a.shape, c->feature_a) || !is_feature(b.shape, c->feature_b))
        return FEATURE;
    if (d > allowed || !all)
        return RIGHT;
    const double best = is_core_polytope(a.shape) && is_core_polytope(b.shape) ? best_axis(&a, &b) : best_sampled(&a, &b);
    *error = fmax(*error, (best - d) / size);
    return best > allowed && d < -allowed ? SIGN : best > d + allowed ? DEPTH : RIGHT;
}

#endif
