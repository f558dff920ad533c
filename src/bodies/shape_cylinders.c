/* SPDX-License-Identifier: MIT */
/* Two cylinders.
 *
 * S(u) = u.d - h|u.a| - r|u x a| - k|u.b| - q|u x b|, with axes a and b, half heights h and k, radii r and q. It has creases where u is
 * square to an axis and peaks where it is an axis; elsewhere it is smooth. On a crease it is the separation of a segment, the axis, and the
 * other cylinder: a direction of shape_cylinder.c. Between the creases it has four sectors. In each the best of a grid of directions is
 * polished by Newton's method, which squares the error with each step. */
#include "src/bodies/shape_cylinder.h"

#include <math.h>

/* The grid of a sector, in blocks whose best direction is polished. */
enum { BLOCKS = 12, GRID = 6, STEPS = 12, HALVINGS = 6 };

typedef vp_real3 real3;

#define dot   vp_real3_dot
#define cross vp_real3_cross
#define sub   vp_real3_sub
#define scale vp_real3_scale
#define plus  vp_real3_plus

/* ---- creases and peaks ---- */

/* Shape a of the pair and the axis of shape b. */
static void try_axis_of_b(vp_shape_pair *pair)
{
    const vp_cylinder c = vp_cylinder_of(pair);
    const double half = (double)pair->b.shape->half_height;
    const real3 along = vp_core_to_local(&pair->a, pair->b.axis[1]), middle = vp_core_to_local(&pair->a, sub(pair->b.at, pair->a.at));
    vp_cylinder_try(&c, (real3){0.0, 1.0, 0.0});
    vp_cylinder_try(&c, (real3){0.0, -1.0, 0.0});
    vp_cylinder_try_vertex(&c, plus(middle, along, -half));
    vp_cylinder_try_vertex(&c, plus(middle, along, half));
    vp_cylinder_try_edge(&c, middle, along);
}

/* ---- sectors ---- */

/* A cylinder's part of the gradient and of the second derivative of S. */
typedef struct slope {
    real3 gradient;
    real3 along; /* the rim's direction, unit length */
    double bend; /* S falls by half of this times the square of a step along it */
} slope;

static slope slope_of(const vp_core *c, real3 u)
{
    const double radius = (double)c->shape->radius, height = dot(u, c->axis[1]), half = (double)c->shape->half_height;
    const real3 w = plus(u, c->axis[1], -height), rim = cross(c->axis[1], w);
    const double length = vp_real3_length(w), part = length > 0.0 ? 1.0 / length : 0.0;
    return (slope){.gradient = plus(scale(c->axis[1], height < 0.0 ? half : -half), w, -(radius * part)),
                   .along = scale(rim, part),
                   .bend = radius * part};
}

/* The step from u that Newton's method takes, or along the gradient where S isn't concave. Square to u. */
static real3 step_from(const vp_shape_pair *pair, real3 u, double s)
{
    const slope a = slope_of(&pair->a, u), b = slope_of(&pair->b, u);
    const real3 d = sub(pair->a.at, pair->b.at), g = plus(plus(d, a.gradient, 1.0), b.gradient, 1.0);
    const bool is_steep = fabs(u.x) < 0.75;
    real3 e = cross(u, (real3){is_steep ? 1.0 : 0.0, is_steep ? 0.0 : 1.0, 0.0});
    vp_real3_make_unit(&e, 0.0);
    const real3 f = cross(u, e);
    const double ae = dot(a.along, e), af = dot(a.along, f), be = dot(b.along, e), bf = dot(b.along, f);
    const double ee = (a.bend * ae * ae + b.bend * be * be) + s, ff = (a.bend * af * af + b.bend * bf * bf) + s;
    const double ef = a.bend * ae * af + b.bend * be * bf, det = ee * ff - ef * ef, ge = dot(g, e), gf = dot(g, f);
    if (ee > 0.0 && det > 0.0)
        return plus(scale(e, (ff * ge - ef * gf) / det), f, (ee * gf - ef * ge) / det);
    const double most = (a.bend + b.bend) + fabs(s);
    return most > 0.0 ? scale(plus(scale(e, ge), f, gf), 1.0 / most) : (real3){0.0, 0.0, 0.0};
}

static void polish(vp_shape_pair *pair, real3 u, double s)
{
    for (int step = 0; step < STEPS; step++) {
        const real3 by = step_from(pair, u, s);
        const double length = vp_real3_length(by);
        double part = length > 0.5 ? 0.5 / length : 1.0;
        bool is_better = false;
        for (int half = 0; half < HALVINGS && !is_better; half++, part *= 0.5) {
            real3 to = plus(u, by, part);
            vp_real3_make_unit(&to, 0.0);
            const double there = vp_pair_separation(pair, to);
            is_better = there > s;
            if (is_better) {
                u = to;
                s = there;
            }
        }
        if (!is_better)
            break;
    }
    vp_pair_try(pair, u);
}

/* The directions between two creases, whose planes meet along n: from n to -n, and from `from` to `to` about it. */
static void try_sector(vp_shape_pair *pair, real3 n, real3 from, real3 to)
{
    for (int block = 0; block < BLOCKS; block++) {
        double best = -INFINITY;
        real3 start = n;
        for (int i = 0; i < GRID; i++) {
            const double place = ((double)block + ((double)i + 0.5) / GRID) / BLOCKS * 2.0 - 1.0; /* -1 at -n, 1 at n */
            for (int k = 0; k < GRID; k++) {
                const double part = ((double)k + 0.5) / GRID;
                real3 across = plus(scale(from, 1.0 - part), to, part);
                if (!vp_real3_make_unit(&across, 0.0))
                    continue;
                const real3 u = plus(scale(n, place), across, sqrt(1.0 - place * place));
                const double s = vp_pair_separation(pair, u);
                if (s > best) {
                    best = s;
                    start = u;
                }
            }
        }
        if (best > -INFINITY)
            polish(pair, start, best);
    }
}

/* Axes that are nearly parallel have two peaks close together, and between them S is that of two discs in one plane: their rims cross at
   two places, which tell the direction. @param sign  of the axes a and b, whose angle is less than 90 degrees */
static void try_crossing_rims(vp_shape_pair *pair, double sign_a, double sign_b)
{
    const vp_collide_shape *sa = pair->a.shape, *sb = pair->b.shape;
    const real3 a = scale(pair->a.axis[1], sign_a), b = scale(pair->b.axis[1], sign_b);
    const double r = (double)sa->radius, q = (double)sb->radius, h = vp_real3_length(sub(a, b)) / vp_real3_length(plus(a, b, 1.0));
    real3 m = plus(a, b, 1.0), e = sub(a, b);
    if (!vp_real3_make_unit(&m, 0.0) || !vp_real3_make_unit(&e, 0.0))
        return;
    const real3 f = cross(m, e);
    const real3 d = plus(plus(sub(pair->a.at, pair->b.at), a, -(double)sa->half_height), b, -(double)sb->half_height);
    const double x = dot(d, e), y = dot(d, f), square = x * x + y * y, along = 0.5 * (square + r * r - q * q);
    const double across = square * r * r - along * along;
    if (!(across > 0.0))
        return;
    for (int k = 0; k < 2; k++) { /* the rim of a reaches (ax, ay), that of b the rest of d. Peaks are at (h, 0) and (-h, 0) */
        const double side = k == 0 ? sqrt(across) : -sqrt(across);
        const double ax = (along * x - side * y) / square, ay = (along * y + side * x) / square, bx = x - ax, by = y - ay;
        const double turn = ax * by - ay * bx, part = turn != 0.0 ? -2.0 * h * by / turn : -1.0;
        real3 u = plus(plus(m, e, h + part * ax), f, part * ay);
        if (part > 0.0 && vp_real3_make_unit(&u, 0.0))
            polish(pair, u, vp_pair_separation(pair, u));
    }
}

static void try_rims(vp_shape_pair *pair)
{
    const real3 a = pair->a.axis[1], b = pair->b.axis[1], d = sub(pair->a.at, pair->b.at);
    real3 n = cross(a, b);
    if (!vp_real3_make_unit(&n, 0x1p-26)) { /* parallel: everything lies in the plane of the axis and d */
        n = cross(a, d);
        if (!vp_real3_make_unit(&n, pair->size * VP_PAIR_NOTHING))
            n = pair->a.axis[0];
    }
    const real3 across_a = cross(n, a), across_b = cross(n, b);
    for (int k = 0; k < 4; k++)
        try_sector(pair, n, scale(across_a, (k & 1) != 0 ? -1.0 : 1.0), scale(across_b, (k & 2) != 0 ? -1.0 : 1.0));
    const double same = dot(a, b) < 0.0 ? -1.0 : 1.0;
    try_crossing_rims(pair, 1.0, same);
    try_crossing_rims(pair, -1.0, -same);
}

void vp_pair_cylinders_direction(vp_shape_pair *pair)
{
    try_axis_of_b(pair);
    if (vp_pair_is_beyond(pair))
        return;
    vp_pair_swap(pair);
    try_axis_of_b(pair);
    vp_pair_swap(pair);
    if (!vp_pair_is_beyond(pair))
        try_rims(pair);
}

/* ---- places ---- */

/* A place of shape b, which is moved by s u, in the frame of shape a. */
static real3 place_of_b(const vp_shape_pair *pair, real3 local)
{
    return vp_core_to_local(&pair->a, sub(plus(vp_core_place(&pair->b, local), pair->u, pair->s), pair->a.at));
}

/* Shape a and three places of shape b, and the line of its side between two of them. */
static double touch_places(vp_shape_pair *pair, double nearest)
{
    const vp_cylinder c = vp_cylinder_of(pair);
    const vp_collide_shape *s = pair->b.shape;
    const vp_cylinder other = {pair, (double)s->radius, (double)s->half_height, c.nothing};
    const vp_cylinder_touch of_b = {&other, vp_core_to_local(&pair->b, scale(pair->u, -1.0)), INFINITY};
    vp_cylinder_touch t = vp_cylinder_touch_begin(&c);
    real3 place[3];
    uint32_t feature[3];
    t.nearest = nearest;
    vp_cylinder_rim_places(&of_b, place, feature);
    for (int k = 0; k < 3; k++)
        vp_cylinder_touch_at(&t, place_of_b(pair, place[k]), feature[k]);
    vp_cylinder_touch_edge(&t, place_of_b(pair, place[1]), place_of_b(pair, place[2]), VP_SHAPE_FACE + 2);
    /* Two caps: the middle of one lies beyond the other, so the nearest place of the rim does. */
    const real3 middle = vp_core_to_local(&pair->b, sub(plus(pair->a.at, pair->u, -pair->s), pair->b.at));
    real3 m = {middle.x, 0.0, middle.z};
    if (vp_real3_make_unit(&m, c.nothing)) {
        const real3 rim = {other.radius * m.x, place[0].y, other.radius * m.z};
        vp_cylinder_touch_at(&t, place_of_b(pair, rim), VP_SHAPE_EDGE + (feature[0] - VP_SHAPE_FACE));
    }
    return t.nearest;
}

void vp_pair_cylinders_place(vp_shape_pair *pair)
{
    const double nearest = touch_places(pair, INFINITY);
    vp_pair_swap(pair);
    touch_places(pair, nearest);
    vp_pair_swap(pair);
}
