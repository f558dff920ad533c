/* SPDX-License-Identifier: MIT */
/* GJK (E. G. Gilbert, D. W. Johnson and S. S. Keerthi, "A fast procedure for computing the distance between complex
 * objects", 1988): finds the point nearest to 0 among all differences of a shape's points and the points of a triangle or
 * of another shape. It only needs their farthest points along a direction. It uses double precision in the shape's frame.
 *
 * The shape is represented by its core and a radius around it. The core of a sphere is its centre, that of a capsule
 * its segment, and that of other shapes is the whole shape. So the result for a sphere is exact, and the core of a
 * sphere whose centre is off the triangle never overlaps. */
#ifndef VP_NARROWPHASE_GJK_H
#define VP_NARROWPHASE_GJK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <voxphys/kernel/narrowphase.h>

#include "src/core/inline.h"
#include "src/core/real3.h"

/* Lengths below this part of the size count as zero. */
#define VP_GJK_NOTHING 0x1p-40
/* Cores closer than this part of the size overlap, because the vector between them is mostly rounding. */
#define VP_GJK_TOUCHES 0x1p-30
/* Squared sine of a simplex (vp_gjk_weights). Up to FLAT it is degenerate. Above SHARP the signs of its weights show which of
 * its parts can be nearest to 0. */
#define VP_GJK_FLAT  0x1p-80
#define VP_GJK_SHARP 0x1p-26
/* Accepted error: of a distance as a part of itself, of a depth as a part of the size. */
#define VP_GJK_ENOUGH 0x1p-40
#define VP_EPA_ENOUGH 0x1p-28
/* Maximum number of support points. */
enum { VP_GJK_STEPS = 64 };

/* A shape's core and a triangle, or the core of another shape. */
typedef struct vp_gjk_pair {
    const vp_collide_shape *shape;
    vp_real3 corner[3];            /* of the triangle, in the shape's frame */
    const vp_collide_shape *other; /* NULL = the triangle */
    vp_real3 axis[3], position;    /* of the other shape, in the frame of the first */
    double size;                   /* the shape's radius, or a corner's largest coordinate if larger */
    uint32_t points;               /* maximum number for EPA, up to VP_EPA_POINTS */
    double rough;                  /* accepted error besides VP_GJK_ENOUGH and VP_EPA_ENOUGH */
} vp_gjk_pair;

/* A difference of two points. */
typedef struct vp_gjk_point {
    vp_real3 at;     /* `on` minus the corner or the other shape's point */
    vp_real3 on;     /* point of the core */
    uint32_t corner; /* corner of the triangle */
} vp_gjk_point;

/* The point of the core farthest along d. */
VP_INLINE vp_real3 vp_gjk_core(const vp_collide_shape *s, vp_real3 d)
{
    const double r = (double)s->radius, h = (double)s->half_height, x = (double)s->half.x, y = (double)s->half.y, z = (double)s->half.z;
    switch (s->kind) {
    case VP_COLLIDE_CAPSULE:
        return (vp_real3){0.0, d.y < 0.0 ? -h : h, 0.0};
    case VP_COLLIDE_BOX:
        return (vp_real3){d.x < 0.0 ? -x : x, d.y < 0.0 ? -y : y, d.z < 0.0 ? -z : z};
    case VP_COLLIDE_CYLINDER: {
        const double across = sqrt(d.x * d.x + d.z * d.z), by = across > 0.0 ? r / across : 0.0;
        return (vp_real3){by * d.x, d.y < 0.0 ? -h : h, by * d.z};
    }
    case VP_COLLIDE_HULL: {
        double most = -INFINITY;
        uint32_t at = 0;
        for (uint32_t i = 0; i < s->hull->vertex_count; i++) {
            const double far = vp_real3_dot(d, vp_real3_of(s->hull->vertex[i]));
            at = far > most ? i : at;
            most = far > most ? far : most;
        }
        return vp_real3_of(s->hull->vertex[at]);
    }
    default:
        return (vp_real3){0.0, 0.0, 0.0};
    }
}

static inline double vp_gjk_radius(const vp_collide_shape *s)
{
    return s->kind == VP_COLLIDE_SPHERE || s->kind == VP_COLLIDE_CAPSULE ? (double)s->radius : 0.0;
}

/* The difference farthest along d. */
VP_INLINE vp_gjk_point vp_gjk_support(const vp_gjk_pair *p, vp_real3 d)
{
    if (p->other != NULL) {
        const vp_real3 *axis = p->axis, local = {-vp_real3_dot(axis[0], d), -vp_real3_dot(axis[1], d), -vp_real3_dot(axis[2], d)};
        const vp_real3 l = vp_gjk_core(p->other, local), on = vp_gjk_core(p->shape, d);
        const vp_real3 turned = vp_real3_plus(vp_real3_plus(vp_real3_scale(axis[0], l.x), axis[1], l.y), axis[2], l.z);
        return (vp_gjk_point){vp_real3_sub(on, vp_real3_add(turned, p->position)), on, 0};
    }
    const double a = vp_real3_dot(d, p->corner[0]), b = vp_real3_dot(d, p->corner[1]), c = vp_real3_dot(d, p->corner[2]);
    const uint32_t corner = a <= b ? (a <= c ? 0 : 2) : b <= c ? 1 : 2;
    const vp_real3 on = vp_gjk_core(p->shape, d);
    return (vp_gjk_point){vp_real3_sub(on, p->corner[corner]), on, corner};
}

/* Up to four differences with weights. */
typedef struct vp_gjk_simplex {
    vp_gjk_point point[4];
    double weight[4];
    uint32_t count;
} vp_gjk_simplex;

/* Finds the weights of the point nearest to 0 on the line, plane or space through the differences. Weights are negative if
 * it is outside the simplex. @return 0 if the simplex is degenerate. Otherwise 1 for up to two points, and the squared
 * sine for more */
static inline double vp_gjk_weights(const vp_gjk_point *const p[4], uint32_t count, double w[4])
{
    const vp_real3 a = p[0]->at;
    w[0] = 1.0;
    if (count == 1)
        return 1.0;
    const vp_real3 b = p[1]->at, ab = vp_real3_sub(b, a);
    const double ab_square = vp_real3_dot(ab, ab);
    if (count == 2) {
        w[1] = -vp_real3_dot(a, ab) / ab_square;
        w[0] = 1.0 - w[1];
        return ab_square > 0.0 ? 1.0 : 0.0;
    }
    const vp_real3 c = p[2]->at, ac = vp_real3_sub(c, a), n = vp_real3_cross(ab, ac);
    const double n_square = vp_real3_dot(n, n);
    if (count == 3) {
        w[0] = vp_real3_dot(vp_real3_cross(b, c), n) / n_square;
        w[1] = vp_real3_dot(vp_real3_cross(c, a), n) / n_square;
        w[2] = vp_real3_dot(vp_real3_cross(a, b), n) / n_square;
        return n_square / (ab_square * vp_real3_dot(ac, ac));
    }
    const vp_real3 d = p[3]->at, ad = vp_real3_sub(d, a), cd = vp_real3_cross(c, d), ab0 = vp_real3_cross(a, b);
    const double volume = vp_real3_dot(n, ad);
    w[0] = vp_real3_dot(b, cd) / volume;
    w[1] = -vp_real3_dot(a, cd) / volume;
    w[2] = vp_real3_dot(d, ab0) / volume;
    w[3] = -vp_real3_dot(c, ab0) / volume;
    return (volume * volume) / (n_square * vp_real3_dot(ad, ad));
}

/* Finds the part of a simplex that is nearest to 0, among those that contain its last point. @return the distance */
static inline double vp_gjk_nearest(const vp_gjk_simplex *s, vp_gjk_simplex *out, vp_real3 *nearest)
{
    const uint32_t last = s->count - 1, whole = (1u << last) - 1u;
    uint32_t part = 0, beyond = 0; /* points with negative weights in the whole. The nearest part lacks one */
    double best = INFINITY, weight[4] = {1.0, 0.0, 0.0, 0.0};
    for (uint32_t others = whole + 1u; others-- > 0;) {
        const vp_gjk_point *p[4] = {&s->point[last]};
        double w[4];
        uint32_t count = 1, negative = 0, positive = 0;
        if (beyond != 0 && (others & beyond) == beyond)
            continue;
        for (uint32_t i = 0; i < last; i++)
            if ((others >> i & 1u) != 0)
                p[count++] = &s->point[i];
        const double square = vp_gjk_weights(p, count, w);
        vp_real3 at = {0.0, 0.0, 0.0};
        for (uint32_t i = 0; i < count; i++) {
            negative |= (uint32_t)(w[i] < 0.0) << i;
            positive += w[i] > 0.0;
            at = count < 4 ? vp_real3_plus(at, p[i]->at, w[i]) : at;
        }
        if (others == whole && square > VP_GJK_SHARP && (negative & 1u) == 0)
            beyond = negative >> 1;
        if (negative != 0 || !(square > VP_GJK_FLAT))
            continue;
        const double far = vp_real3_length(at);
        if (far <= best) {
            best = far;
            *nearest = at;
            part = others;
            for (uint32_t i = 0; i < count; i++)
                weight[i] = w[i];
        }
        if (others == whole && square > VP_GJK_SHARP && positive == count) /* no part can be nearer */
            break;
    }
    out->point[0] = s->point[last];
    out->count = 1;
    for (uint32_t i = 0; i < last; i++)
        if ((part >> i & 1u) != 0)
            out->point[out->count++] = s->point[i];
    for (uint32_t i = 0; i < out->count; i++)
        out->weight[i] = weight[i];
    return best;
}

/* Result of GJK. */
typedef struct vp_gjk_found {
    vp_gjk_simplex simplex; /* nearest points of the cores */
    double distance;        /* distance of the cores along u, at most the true one */
    vp_real3 u;             /* unit vector from the triangle to the core */
    bool overlaps;          /* only the simplex is valid */
} vp_gjk_found;

/* @param enough  stops when the distance is known to be larger than this */
static inline void vp_gjk_distance(const vp_gjk_pair *p, double enough, vp_gjk_found *f)
{
    const double touches = VP_GJK_TOUCHES * p->size;
    vp_gjk_simplex other, *now = &f->simplex, *next = &other;
    f->distance = -INFINITY;
    f->u = (vp_real3){0.0, 1.0, 0.0};
    now->point[0] = vp_gjk_support(p, p->other != NULL ? p->position : p->corner[0]);
    now->weight[0] = 1.0;
    now->count = 1;
    vp_real3 v = now->point[0].at;
    double far = vp_real3_length(v);
    for (int step = 0; step < VP_GJK_STEPS; step++) {
        f->overlaps = far <= touches || now->count == 4;
        if (f->overlaps)
            break;
        const vp_real3 u = vp_real3_scale(v, 1.0 / far);
        const vp_gjk_point w = vp_gjk_support(p, vp_real3_scale(u, -1.0));
        const double s = vp_real3_dot(u, w.at);
        if (s >= f->distance) {
            f->distance = s;
            f->u = u;
        }
        bool known = f->distance > enough || far - f->distance <= vp_double_max(VP_GJK_ENOUGH * far, p->rough);
        for (uint32_t i = 0; i < now->count; i++)
            known = known || vp_real3_equal(w.at, now->point[i].at);
        if (known)
            break;
        now->point[now->count++] = w;
        const double nearer = vp_gjk_nearest(now, next, &v);
        if (nearer >= far) { /* because of roundings */
            now->count--;
            break;
        }
        vp_gjk_simplex *const last = now;
        now = next;
        next = last;
        far = nearer;
    }
    if (now != &f->simplex)
        f->simplex = *now;
}

#endif
