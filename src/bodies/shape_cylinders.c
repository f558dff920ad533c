/* SPDX-License-Identifier: MIT */
/* Two cylinders.
 *
 * S(u) = u.d - h|u.a| - r|u x a| - k|u.b| - q|u x b|, with axes a and b, half heights h and k, radii r and q. It has
 * creases where u is perpendicular to an axis and peaks where u is an axis. Elsewhere it is smooth. On a crease it is
 * the separation of a segment (the axis) and the other cylinder, which is a direction of shape_cylinder.c. Between the
 * creases a direction is refined by Newton's method, which squares the error with each step. The first ones are the best
 * crease or peak, and the direction of GJK or EPA (shape_proof.c). If the result is not proven to be the best, the best
 * directions of grids in the four sectors between the creases follow. */
#include "src/bodies/shape_cylinder.h"

#include <math.h>

/* The grid of a sector is divided into blocks, and the best direction of each block is refined. */
enum { BLOCKS = 12, GRID = 6, STEPS = 12, HALVINGS = 6, REFINEMENTS = 3, SHORTER = 30 };

/* S(u), like vp_pair_separation. */
static inline double separation_along(const vp_shape_pair *pair, vp_real3 u)
{
    return -vp_core_reach_of_cylinder(&pair->a, vp_real3_scale(u, -1.0)) - vp_core_reach_of_cylinder(&pair->b, u);
}

/* ---- creases and peaks ---- */

/* Tries the directions of shape a and the axis of shape b. */
static void try_axis_of_b(vp_shape_pair *pair)
{
    const vp_cylinder c = vp_cylinder_of(pair);
    const double half = (double)pair->b.shape->half_height;
    const vp_real3 along = vp_core_to_local(&pair->a, pair->b.axis[1]),
                   middle = vp_core_to_local(&pair->a, vp_real3_sub(pair->b.position, pair->a.position));
    vp_cylinder_try(&c, (vp_real3){0.0, 1.0, 0.0});
    vp_cylinder_try(&c, (vp_real3){0.0, -1.0, 0.0});
    vp_cylinder_try_vertex(&c, vp_real3_plus(middle, along, -half));
    vp_cylinder_try_vertex(&c, vp_real3_plus(middle, along, half));
    vp_cylinder_try_edge(&c, middle, along);
}

/* ---- sectors ---- */

/* A cylinder's part of the gradient and the second derivative of S. */
typedef struct slope {
    vp_real3 gradient;
    vp_real3 along; /* direction of the rim, unit length */
    double bend;    /* S falls by half of this times the square of a step along the rim */
} slope;

static slope slope_of(const vp_core *c, vp_real3 u)
{
    const double radius = (double)c->shape->radius, height = vp_real3_dot(u, c->axis[1]), half = (double)c->shape->half_height;
    const vp_real3 w = vp_real3_plus(u, c->axis[1], -height), rim = vp_real3_cross(c->axis[1], w);
    const double length = vp_real3_length(w), part = length > 0.0 ? 1.0 / length : 0.0;
    return (slope){.gradient = vp_real3_plus(vp_real3_scale(c->axis[1], height < 0.0 ? half : -half), w, -(radius * part)),
                   .along = vp_real3_scale(rim, part),
                   .bend = radius * part};
}

/* Newton's step from u, or a step along the gradient where S is not concave. Perpendicular to u. */
static vp_real3 find_step_from(const vp_shape_pair *pair, vp_real3 u, double s)
{
    const slope a = slope_of(&pair->a, u), b = slope_of(&pair->b, u);
    const vp_real3 d = vp_real3_sub(pair->a.position, pair->b.position),
                   g = vp_real3_plus(vp_real3_plus(d, a.gradient, 1.0), b.gradient, 1.0);
    const bool is_steep = fabs(u.x) < 0.75;
    vp_real3 e = vp_real3_cross(u, (vp_real3){is_steep ? 1.0 : 0.0, is_steep ? 0.0 : 1.0, 0.0});
    vp_real3_make_unit(&e, 0.0);
    const vp_real3 f = vp_real3_cross(u, e);
    const double ae = vp_real3_dot(a.along, e), af = vp_real3_dot(a.along, f), be = vp_real3_dot(b.along, e), bf = vp_real3_dot(b.along, f);
    const double ee = (a.bend * ae * ae + b.bend * be * be) + s, ff = (a.bend * af * af + b.bend * bf * bf) + s;
    const double ef = a.bend * ae * af + b.bend * be * bf, det = ee * ff - ef * ef, ge = vp_real3_dot(g, e), gf = vp_real3_dot(g, f);
    if (ee > 0.0 && det > 0.0)
        return vp_real3_plus(vp_real3_scale(e, (ff * ge - ef * gf) / det), f, (ee * gf - ef * ge) / det);
    const double max = (a.bend + b.bend) + fabs(s);
    return max > 0.0 ? vp_real3_scale(vp_real3_plus(vp_real3_scale(e, ge), f, gf), 1.0 / max) : (vp_real3){0.0, 0.0, 0.0};
}

static void polish_direction(vp_shape_pair *pair, vp_real3 u, double s)
{
    for (int step = 0; step < STEPS; step++) {
        const vp_real3 by = find_step_from(pair, u, s);
        const double length = vp_real3_length(by);
        double part = length > 0.5 ? 0.5 / length : 1.0;
        bool is_better = false;
        for (int half = 0; half < HALVINGS && !is_better; half++, part *= 0.5) {
            vp_real3 to = vp_real3_plus(u, by, part);
            vp_real3_make_unit(&to, 0.0);
            const double there = separation_along(pair, to);
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

/* Tries the directions between two creases whose planes meet along n: from n to -n, and from `from` to `to` about n. */
static void try_sector(vp_shape_pair *pair, vp_real3 n, vp_real3 from, vp_real3 to)
{
    vp_real3 across[GRID];
    bool is_direction[GRID];
    for (int k = 0; k < GRID; k++) {
        const double part = ((double)k + 0.5) / GRID;
        across[k] = vp_real3_plus(vp_real3_scale(from, 1.0 - part), to, part);
        is_direction[k] = vp_real3_make_unit(&across[k], 0.0);
    }
    for (int block = 0; block < BLOCKS; block++) {
        double best = -INFINITY;
        vp_real3 start = n;
        for (int i = 0; i < GRID; i++) {
            const double place = ((double)block + ((double)i + 0.5) / GRID) / BLOCKS * 2.0 - 1.0; /* -1 at -n, 1 at n */
            const vp_real3 along = vp_real3_scale(n, place);
            const double rest = sqrt(1.0 - place * place);
            double x[GRID], y[GRID], z[GRID], s[GRID];
            for (int k = 0; k < GRID; k++) {
                const vp_real3 u = vp_real3_plus(along, across[k], rest);
                x[k] = u.x;
                y[k] = u.y;
                z[k] = u.z;
            }
            for (int k = 0; k < GRID; k++)
                s[k] = separation_along(pair, (vp_real3){x[k], y[k], z[k]});
            for (int k = 0; k < GRID; k++)
                if (is_direction[k] && s[k] > best) {
                    best = s[k];
                    start = (vp_real3){x[k], y[k], z[k]};
                }
        }
        if (best > -INFINITY)
            polish_direction(pair, start, best);
    }
}

/* Searches next to a peak. S may have its maximum so near to a peak that a grid steps over it, between the peaks of two
 * nearly parallel axes. The best of ever shorter steps up is refined.
 * @param peak  an axis of `c` */
static void try_slope(vp_shape_pair *pair, const vp_core *c, vp_real3 peak)
{
    const vp_core *other = c == &pair->a ? &pair->b : &pair->a;
    const vp_real3 d = vp_real3_sub(pair->a.position, pair->b.position), height = vp_real3_scale(peak, -(double)c->shape->half_height);
    vp_real3 way = vp_real3_plus(vp_real3_plus(d, slope_of(other, peak).gradient, 1.0), height, 1.0), start = peak;
    way = vp_real3_plus(way, peak, -vp_real3_dot(way, peak));
    if (!vp_real3_make_unit(&way, (double)c->shape->radius))
        return;
    double step = 1.0, best = separation_along(pair, peak);
    for (int i = 0; i < SHORTER; i++, step *= 0.5) {
        vp_real3 u = vp_real3_plus(peak, way, step);
        vp_real3_make_unit(&u, 0.0);
        const double s = separation_along(pair, u);
        if (s > best) {
            best = s;
            start = u;
        }
    }
    polish_direction(pair, start, best);
}

static void try_rims(vp_shape_pair *pair)
{
    const vp_real3 a = pair->a.axis[1], b = pair->b.axis[1], d = vp_real3_sub(pair->a.position, pair->b.position);
    vp_real3 n = vp_real3_cross(a, b);
    if (!vp_real3_make_unit(&n, 0x1p-26)) { /* parallel: everything lies in the plane of the axis and d */
        n = vp_real3_cross(a, d);
        if (!vp_real3_make_unit(&n, pair->size * VP_PAIR_NOTHING))
            n = pair->a.axis[0];
    }
    const vp_real3 across_a = vp_real3_cross(n, a), across_b = vp_real3_cross(n, b);
    for (int k = 0; k < 4; k++)
        try_sector(pair, n, vp_real3_scale(across_a, (k & 1) != 0 ? -1.0 : 1.0), vp_real3_scale(across_b, (k & 2) != 0 ? -1.0 : 1.0));
    for (int k = 0; k < 2; k++) {
        const double sign = k == 0 ? 1.0 : -1.0;
        try_slope(pair, &pair->a, vp_real3_scale(a, sign));
        try_slope(pair, &pair->b, vp_real3_scale(b, sign));
    }
}

/* True if u is an axis of `c` and no other direction has an S as great. S(w) is at most w.x for each difference x of a place of a and a
 * place of b. Take the place of the other core that reaches farthest towards `c`, `offset` from the axis. With the places of the facing
 * cap, at an angle t from u, S <= s cos t - (radius - offset) sin t. With those of the opposite cap, S <= (s + 2 half) cos t - ... Together
 * they are less than s for any t > 0, unless the cores overlap deeply. */
static bool is_highest_peak(const vp_shape_pair *pair, const vp_core *c)
{
    const vp_core *other = c == &pair->a ? &pair->b : &pair->a;
    const double depth = vp_double_max(-pair->s, 0.0);
    if (!vp_real3_equal(pair->u, c->axis[1]) && !vp_real3_equal(pair->u, vp_real3_scale(c->axis[1], -1.0)))
        return false;
    const vp_real3 d = vp_real3_sub(pair->a.position, pair->b.position), way = vp_real3_plus(d, slope_of(other, pair->u).gradient, 1.0);
    const double offset = vp_real3_length(vp_real3_plus(way, pair->u, -vp_real3_dot(way, pair->u)));
    return (double)c->shape->radius - offset - depth > pair->size * 0x1p-10 && (double)c->shape->half_height > depth;
}

/* Improves the direction by the gradient. S is flat at its maximum, so S determines the direction only to the square
 * root of a rounding. The gradient determines it to a rounding. On a crease the step leads away and S falls, so it is
 * not taken. */
static void refine_direction(vp_shape_pair *pair)
{
    for (int step = 0; step < REFINEMENTS; step++) {
        vp_real3 u = vp_real3_plus(pair->u, find_step_from(pair, pair->u, pair->s), 1.0);
        if (!vp_real3_make_unit(&u, 0.0) || !(separation_along(pair, u) >= pair->s - pair->size * VP_PAIR_NOTHING))
            return;
        pair->u = u;
    }
}

/* The place of a cylinder that reaches farthest, relative to its position, with the sign of the gradient of S. Where u is
 * the axis, the direction of the rim is a rounding, which may lie along the axis. So the part along the axis is replaced. */
static vp_real3 farthest_place(const vp_core *c, vp_real3 u)
{
    const vp_real3 axis = c->axis[1], place = slope_of(c, u).gradient;
    const double half = (double)c->shape->half_height, height = vp_real3_dot(u, axis) < 0.0 ? half : -half;
    return vp_real3_plus(place, axis, height - vp_real3_dot(place, axis));
}

/* Distance of the places that reach farthest along the direction: an upper bound of S. */
static double find_way_between(const vp_shape_pair *pair)
{
    const vp_real3 d = vp_real3_sub(pair->a.position, pair->b.position);
    const vp_real3 a = farthest_place(&pair->a, pair->u), b = farthest_place(&pair->b, pair->u);
    return vp_real3_length(vp_real3_plus(vp_real3_plus(d, a, 1.0), b, 1.0));
}

/* Climbs from the best direction so far, then from the one that GJK or EPA finds. @return whether no other one is better */
static bool prove_direction(vp_shape_pair *pair)
{
    const double rough = pair->size * VP_PAIR_ROUGH;
    polish_direction(pair, pair->u, pair->s);
    if (vp_pair_is_beyond(pair) || find_way_between(pair) - pair->s <= rough)
        return true;
    const double most = vp_pair_find_direction(pair, rough);
    polish_direction(pair, pair->u, pair->s);
    return vp_pair_is_beyond(pair) || vp_double_min(most, find_way_between(pair)) - pair->s <= rough;
}

void vp_pair_cylinders_direction(vp_shape_pair *pair)
{
    try_axis_of_b(pair);
    if (vp_pair_is_beyond(pair))
        return;
    vp_pair_swap(pair);
    try_axis_of_b(pair);
    vp_pair_swap(pair);
    if (vp_pair_is_beyond(pair))
        return;
    if (!is_highest_peak(pair, &pair->a) && !is_highest_peak(pair, &pair->b) && !prove_direction(pair))
        try_rims(pair);
    refine_direction(pair);
}

/* ---- places ---- */

/* A place of shape b, moved by s u, in the frame of shape a. */
static vp_real3 place_of_b(const vp_shape_pair *pair, vp_real3 local)
{
    return vp_core_to_local(&pair->a, vp_real3_sub(vp_real3_plus(vp_core_place(&pair->b, local), pair->u, pair->s), pair->a.position));
}

/* Compares shape a with three places of shape b, and with the line of its side between two of them. */
static double touch_places(vp_shape_pair *pair, double nearest)
{
    const vp_cylinder c = vp_cylinder_of(pair);
    const vp_collide_shape *s = pair->b.shape;
    const vp_cylinder other = {pair, (double)s->radius, (double)s->half_height, c.nothing};
    const vp_cylinder_touch of_b = {&other, vp_core_to_local(&pair->b, vp_real3_scale(pair->u, -1.0)), INFINITY};
    vp_cylinder_touch t = vp_cylinder_touch_begin(&c);
    vp_real3 place[3];
    uint32_t feature[3];
    t.nearest = nearest;
    vp_cylinder_rim_places(&of_b, place, feature);
    for (int k = 0; k < 3; k++)
        vp_cylinder_touch_at(&t, place_of_b(pair, place[k]), feature[k]);
    vp_cylinder_touch_edge(&t, place_of_b(pair, place[1]), place_of_b(pair, place[2]), VP_SHAPE_FACE + 2);
    /* For two caps, the centre of one may lie outside the other. So the place of b's rim nearest to the centre of a is
     * compared too. */
    const vp_real3 middle = vp_core_to_local(&pair->b, vp_real3_sub(vp_real3_plus(pair->a.position, pair->u, -pair->s), pair->b.position));
    vp_real3 m = {middle.x, 0.0, middle.z};
    if (vp_real3_make_unit(&m, c.nothing)) {
        const vp_real3 rim = {other.radius * m.x, place[0].y, other.radius * m.z};
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
