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

#include "cases/narrowphase/oracle.h"
#include "src/core/real3.h"

typedef struct posed {
    const vp_collide_shape *shape;
    vp_real3 at; /* relative to the first shape */
    double q[4];
} posed;

static inline vp_real3 unit3(vp_real3 a)
{
    const double l = vp_real3_length(a);
    return l > 0.0 ? (vp_real3){a.x / l, a.y / l, a.z / l} : (vp_real3){0.0, 1.0, 0.0};
}

/* v turned by the quaternion, or back. */
static inline vp_real3 turned(const double q[4], vp_real3 v, bool back)
{
    const vp_real3 axis = back ? (vp_real3){-q[0], -q[1], -q[2]} : (vp_real3){q[0], q[1], q[2]};
    const vp_real3 t = vp_real3_cross(axis, v);
    return vp_real3_plus(vp_real3_plus(v, t, 2.0 * q[3]), vp_real3_cross(axis, t), 2.0);
}

static inline posed pose_shape(const vp_collide_shape *shape, const vp_pose *pose, vp_vec3 origin)
{
    posed p = {.shape = shape, .at = vp_real3_plus(vp_real3_of(pose->position), vp_real3_of(origin), -1.0)};
    double square = 0.0;
    for (int k = 0; k < 4; k++)
        square += (double)pose->rotation[k] * (double)pose->rotation[k];
    for (int k = 0; k < 4; k++)
        p.q[k] = (double)pose->rotation[k] / sqrt(square);
    return p;
}

static inline double support_local(const vp_collide_shape *s, vp_real3 u)
{
    const double r = (double)s->radius, h = (double)s->half_height;
    double most = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return r * vp_real3_length(u);
    case VP_COLLIDE_CAPSULE:
        return r * vp_real3_length(u) + h * fabs(u.y);
    case VP_COLLIDE_BOX:
        return (double)s->half.x * fabs(u.x) + (double)s->half.y * fabs(u.y) + (double)s->half.z * fabs(u.z);
    case VP_COLLIDE_CYLINDER:
        return r * hypot(u.x, u.z) + h * fabs(u.y);
    default:
        for (uint32_t i = 0; i < s->hull->vertex_count; i++)
            most = fmax(most, vp_real3_dot(u, vp_real3_of(s->hull->vertex[i])));
        return most;
    }
}

static inline double support(const posed *p, vp_real3 u)
{
    return vp_real3_dot(p->at, u) + support_local(p->shape, turned(p->q, u, true));
}

static inline double separation(const posed *a, const posed *b, vp_real3 u)
{
    return -support(a, (vp_real3){-u.x, -u.y, -u.z}) - support(b, u);
}

/* A lower bound of a point's distance outside a shape. */
static inline double excess(const posed *p, vp_real3 at)
{
    const vp_collide_shape *s = p->shape;
    const vp_real3 l = turned(p->q, vp_real3_plus(at, p->at, -1.0), true);
    const double r = (double)s->radius, h = (double)s->half_height;
    double most = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return vp_real3_length(l) - r;
    case VP_COLLIDE_CAPSULE:
        return vp_real3_length((vp_real3){l.x, fmax(fabs(l.y) - h, 0.0), l.z}) - r;
    case VP_COLLIDE_BOX:
        return fmax(fabs(l.x) - (double)s->half.x, fmax(fabs(l.y) - (double)s->half.y, fabs(l.z) - (double)s->half.z));
    case VP_COLLIDE_CYLINDER:
        return fmax(hypot(l.x, l.z) - r, fabs(l.y) - h);
    default:
        for (uint32_t f = 0; f < s->hull->face_count; f++) {
            const vp_real3 n = vp_real3_of(s->hull->plane[f].normal);
            most = fmax(most, vp_real3_dot(n, l) - support_local(s, n));
        }
        for (uint32_t i = 0; i < s->hull->arc_count; i++) { /* sides of a polygon */
            const vp_real3 n = vp_real3_of(s->hull->arc[i].to);
            most = fmax(most, vp_real3_dot(n, l) - support_local(s, n));
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
static inline uint32_t edges_of(const posed *p, vp_real3 *edge)
{
    const vp_collide_shape *s = p->shape;
    uint32_t count = 0;
    if (s->kind == VP_COLLIDE_HULL) {
        for (; count < s->hull->edge_count && count < EDGES; count++) {
            const vp_collide_edge e = s->hull->edge[count];
            edge[count] = turned(
                p->q, vp_real3_plus(vp_real3_of(s->hull->vertex[e.vertex[1]]), vp_real3_of(s->hull->vertex[e.vertex[0]]), -1.0), false);
        }
        return count;
    }
    for (int k = 0; k < 3; k++)
        if (s->kind == VP_COLLIDE_BOX || (k == 1 && s->kind != VP_COLLIDE_SPHERE))
            edge[count++] = turned(p->q, (vp_real3){k == 0, k == 1, k == 2}, false);
    return count;
}

static inline double best_of_both(const posed *a, const posed *b, vp_real3 u, double best)
{
    const double l = vp_real3_length(u);
    if (!(l > 1e-12))
        return best;
    u = (vp_real3){u.x / l, u.y / l, u.z / l};
    best = fmax(best, separation(a, b, u));
    return fmax(best, separation(a, b, (vp_real3){-u.x, -u.y, -u.z}));
}

static inline double best_of_faces(const posed *a, const posed *b, const posed *of, double best)
{
    const vp_collide_shape *s = of->shape;
    for (uint32_t f = 0; s->kind == VP_COLLIDE_HULL && f < s->hull->face_count; f++)
        best = best_of_both(a, b, turned(of->q, vp_real3_of(s->hull->plane[f].normal), false), best);
    for (int k = 0; k < 3 && s->kind != VP_COLLIDE_HULL; k++)
        best = best_of_both(a, b, turned(of->q, (vp_real3){k == 0, k == 1, k == 2}, false), best);
    return best;
}

static inline double best_axis(const posed *a, const posed *b)
{
    static vp_real3 of_a[EDGES], of_b[EDGES];
    const uint32_t count_a = edges_of(a, of_a), count_b = edges_of(b, of_b);
    double best = best_of_faces(a, b, a, best_of_faces(a, b, b, -INFINITY));
    for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t j = 0; j < count_b; j++) {
            const vp_real3 u = vp_real3_cross(of_a[i], of_b[j]);
            if (vp_real3_length(u) > 1e-9 * vp_real3_length(of_a[i]) * vp_real3_length(of_b[j]))
                best = best_of_both(a, b, unit3(u), best);
        }
    return best;
}

/* Hill climbing with six neighbours at shrinking steps. */
static inline double climb(const posed *a, const posed *b, vp_real3 u, double s)
{
    double step = 0.1;
    for (int round = 0; round < 200 && step > 1e-10; round++) {
        const vp_real3 e = unit3(fabs(u.x) < 0.7 ? vp_real3_cross(u, (vp_real3){1, 0, 0}) : vp_real3_cross(u, (vp_real3){0, 1, 0})),
                       f = vp_real3_cross(u, e);
        bool better = false;
        for (int k = 0; k < 8; k++) {
            const double angle = k * 0.78539816339744831;
            const vp_real3 to = unit3(vp_real3_plus(vp_real3_plus(u, e, step * cos(angle)), f, step * sin(angle)));
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
    vp_real3 start[STARTS];
    double best[STARTS], greatest = best_of_faces(a, b, a, best_of_faces(a, b, b, -INFINITY));
    for (int k = 0; k < STARTS; k++)
        best[k] = -INFINITY;
    for (int i = 0; i < DIRECTIONS; i++) { /* a spiral */
        const double y = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, r = sqrt(1.0 - y * y), angle = 2.39996322972865332 * i;
        const vp_real3 u = {r * cos(angle), y, r * sin(angle)};
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

typedef enum contact_fault { RIGHT, NOT_A_NUMBER, MISSED, INVENTED, SIGN, DISTANCE, DEPTH, POINTS, FEATURE, FAULTS } contact_fault;

static const char *const fault_name[FAULTS] = {"right",    "not a number", "missed", "invented", "sign",
                                               "distance", "depth",        "points", "feature"};

/* @param all    search for a smaller depth
 * @param error  out, largest error of distance, depth or points, as part of the size */
static inline contact_fault judge(const vp_manifold_body *body_a, const vp_manifold_body *body_b, float margin, const vp_shape_contact *c,
                                  double band, bool all, double *error)
{
    const posed a = pose_shape(body_a->shape, &body_a->pose, body_a->pose.position);
    const posed b = pose_shape(body_b->shape, &body_b->pose, body_a->pose.position);
    const double size = fmax(fmax((double)vp_collide_radius(a.shape), (double)vp_collide_radius(b.shape)),
                             fmax(fabs(b.at.x), fmax(fabs(b.at.y), fabs(b.at.z))));
    const double allowed = band * size, d = (double)c->distance;
    const vp_real3 n = vp_real3_of(c->normal), on_a = vp_real3_of(c->on_a), on_b = vp_real3_of(c->on_b);
    *error = 0.0;
    if (!isfinite(d) || !(fabs(vp_real3_length(n) - 1.0) <= 1e-6) || !isfinite(vp_real3_length(on_a)) || !isfinite(vp_real3_length(on_b)))
        return NOT_A_NUMBER;
    const double s = separation(&a, &b, unit3(n));
    *error = fabs(s - d) / size;
    if (c->feature_a == VP_COLLIDE_NONE || c->feature_b == VP_COLLIDE_NONE)
        return c->feature_a != c->feature_b || !(d > (double)margin) || fabs(s - d) > allowed ? MISSED : RIGHT;
    if (d > (double)margin + allowed)
        return INVENTED;
    if (fabs(s - d) > allowed)
        return DISTANCE;
    const double out =
        fmax(fmax(excess(&a, on_a), excess(&b, on_b)), vp_real3_length(vp_real3_plus(vp_real3_plus(on_a, on_b, -1.0), n, -d)));
    *error = fmax(*error, out / size);
    if (out > (is_core_polytope(a.shape) || is_core_polytope(b.shape) ? allowed : 10.0 * allowed)) /* for two rims S is less accurate */
        return POINTS;
    if (!vp_oracle_is_feature(a.shape, c->feature_a) || !vp_oracle_is_feature(b.shape, c->feature_b))
        return FEATURE;
    if (d > allowed || !all)
        return RIGHT;
    const double best = is_core_polytope(a.shape) && is_core_polytope(b.shape) ? best_axis(&a, &b) : best_sampled(&a, &b);
    *error = fmax(*error, (best - d) / size);
    return best > allowed && d < -allowed ? SIGN : best > d + allowed ? DEPTH : RIGHT;
}

#endif
