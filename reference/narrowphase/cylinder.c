/* SPDX-License-Identifier: MIT */
/* A cylinder along y against triangles (voxel terrain article, "Narrowphase"): a fixed set of directions, as for a box.
 *
 * The positions of the cylinder where it just touches the triangle make a surface of smooth patches. The way out, or
 * the shortest way between the two, ends on one of them. The patches are a cap and a corner, the triangle's plane and a
 * rim, an edge and a line of the side, a corner and the side, an edge and a rim. If apart, the way may end where these
 * meet, at a corner and a rim. All except one have a direction in closed form.
 *
 * The exception is an edge and a rim. Seen along the edge, the edge is a point p, and the rim an ellipse. The direction
 * is a normal of the ellipse that goes through p, which satisfies an equation of degree four. A fixed number of steps
 * approaches its root from one side. */
#include "src/narrowphase/points.h"

/* Steps to a normal of an ellipse. 4 steps leave an error of 10^-5 of the size, 5 steps less than
 * binary32's precision. */
enum { STEPS = 5 };

/* Number of alternating projections to find nearest points, if a direction is not that between them. */
enum { ROUNDS = 4 };

typedef struct cylinder {
    float radius, half, reach, nothing;
} cylinder;

/* The distance of the cylinder from the triangle along u. */
static float distance_along(const vp_local *t, const cylinder *c, vp_vec3 u)
{
    return -(c->half * fabsf(u.y) + c->radius * sqrtf(u.x * u.x + u.z * u.z)) - vp_local_reach(t, u);
}

static void try_axis(vp_axis *best, const vp_local *t, const cylinder *c, vp_vec3 u)
{
    vp_axis_take(best, distance_along(t, c, u), u);
}

static void try_both_signs(vp_axis *best, const vp_local *t, const cylinder *c, vp_vec3 u)
{
    try_axis(best, t, c, u);
    try_axis(best, t, c, vp_vec3_scale(u, -1.0f));
}

/* A corner and the side. If the corner is beyond both the side and a cap, also the rim. */
static void try_corner(vp_axis *best, const vp_local *t, const cylinder *c, vp_vec3 corner)
{
    vp_vec3 m = {corner.x, 0.0f, corner.z};
    const float from_axis = vp_length(m), out = from_axis - c->radius, up = fabsf(corner.y) - c->half;
    if (!vp_make_unit(&m, c->nothing))
        m = (vp_vec3){1.0f, 0.0f, 0.0f};
    try_axis(best, t, c, vp_vec3_scale(m, -1.0f));
    vp_vec3 u = {-(m.x * out), corner.y < 0.0f ? up : -up, -(m.z * out)};
    if (out > 0.0f && up > 0.0f && vp_make_unit(&u, c->nothing))
        try_axis(best, t, c, u);
}

/* ---- an edge and a rim ---- */

/* A direction, or a place, in the plane perpendicular to an edge. */
typedef struct float2 {
    float x, y;
} float2;

static float flat_length(float x, float y)
{
    return sqrtf(x * x + y * y);
}

/* The cylinder seen along an edge. Two rims are ellipses of half axes r along x and b along y, at -height and height on
   y, with the side between them. */
typedef struct cylinder_view {
    vp_vec3 x, y; /* perpendicular to the edge; x to the axis as well, so y has the smallest angle to the axis */
    float2 p;     /* the edge */
    float b, height, sine;
} cylinder_view;

static void view_along(const vp_local *t, const cylinder *c, int k, cylinder_view *v)
{
    const vp_vec3 e = t->along[k], corner = t->corner[k];
    const float sine = flat_length(e.x, e.z);
    const bool leans = sine > VP_LOCAL_NOTHING;
    const float gx = leans ? e.x / sine : 0.0f, gz = leans ? e.z / sine : 1.0f;
    v->x = (vp_vec3){gz, 0.0f, -gx};
    v->y = (vp_vec3){-(gx * e.y), sine, -(gz * e.y)};
    v->p = (float2){vp_vec3_dot(corner, v->x), vp_vec3_dot(corner, v->y)};
    v->b = c->radius * fabsf(e.y);
    v->height = c->half * sine;
    v->sine = sine;
}

/* The place on an ellipse about 0 whose normal goes through (x, y) with x >= 0, as its angle's cosine and sine, in the
 * quarter x, y >= 0. With P = r x, Q = b y, E = r^2 - b^2 it solves P - Q cot - E cos = 0. That is convex in the
 * cotangent, and the nearest place is the least root. Newton's steps climb to it from below and never pass it. They
 * begin at the greater of two bounds, the result of the first step from 0, and (P - E) / Q, as no cosine is above 1.
 * Halley's step goes further than Newton's, and is limited to four times as far. */
static float2 find_normal_through(float r, float b, float sine, float x, float y)
{
    const float e = (r * sine) * (r * sine), p = r * x, q = b * y;
    float2 to = {p, q + e}, on = {0.0f, 1.0f};
    if (q >= 0.0f && (p - e) * to.y > to.x * q)
        to = (float2){p - e, q};
    for (int step = 0;; step++) {
        to.y = vp_max(to.y, 0.0f);
        const float length = flat_length(to.x, to.y);
        on = length > 0.0f ? (float2){to.x / length, to.y / length} : (float2){0.0f, 1.0f};
        if (step == STEPS)
            return on;
        const float c = on.x, s = on.y, sss = (s * s) * s;
        const float slope = q + e * sss, rest = p * s - c * (q + e * s), square = slope * slope;
        const float turn = square > 0.0f ? (((1.5f * e) * (c * sss)) * rest) / square : 0.0f, held = vp_min(vp_max(turn, -0.75f), 0.75f);
        to.x = vp_max(s * (p - (e * c) * (c * c)) - (c * held) * slope, 0.0f);
        to.y = (s * slope) * (1.0f - held);
    }
}

/* Transforms back from the plane perpendicular to the edge. Directions to the cylinder are opposite to its normals. */
static vp_vec3 unfold_normal(const cylinder_view *v, bool left, bool down, float2 m)
{
    return vp_vec3_add(vp_vec3_scale(v->x, left ? m.x : -m.x), vp_vec3_scale(v->y, down ? m.y : -m.y));
}

static float2 make_flat_unit(float2 m, float nothing)
{
    const float length = flat_length(m.x, m.y);
    return length > nothing ? (float2){m.x / length, m.y / length} : (float2){1.0f, 0.0f};
}

/* Edge k and the rim on its side, or the other rim, which is relevant only if the two overlap. */
static void try_rim(vp_axis *best, const vp_local *t, const cylinder *c, int k, bool other)
{
    cylinder_view v;
    view_along(t, c, k, &v);
    if (!other)
        try_both_signs(best, t, c, v.x); /* a line of the side */
    const bool left = v.p.x < 0.0f, below = v.p.y < 0.0f, down = other ? !below : below;
    const float x = fabsf(v.p.x), up = other ? -fabsf(v.p.y) : fabsf(v.p.y), y = up - v.height;
    const float2 on = find_normal_through(c->radius, v.b, v.sine, x, y);
    const float2 m = make_flat_unit((float2){v.b * on.x, c->radius * on.y}, c->nothing);
    try_axis(best, t, c, unfold_normal(&v, left, down, m));
    /* For a flat ellipse the place gives an inaccurate normal, but the way from the place to p is accurate. */
    const float2 way = {x - c->radius * on.x, y - v.b * on.y};
    if (!other && way.x >= 0.0f && way.y >= 0.0f && flat_length(way.x, way.y) > c->nothing)
        try_axis(best, t, c, unfold_normal(&v, left, down, make_flat_unit(way, c->nothing)));
}

static vp_axis find_best_axis(const vp_local *t, const vp_vec3 *normal, const cylinder *c)
{
    vp_axis best = {-INFINITY, {0.0f, 1.0f, 0.0f}};
    try_both_signs(&best, t, c, (vp_vec3){0.0f, 1.0f, 0.0f});
    if (normal != NULL)
        try_both_signs(&best, t, c, *normal);
    for (int k = 0; k < 3; k++)
        try_corner(&best, t, c, t->corner[k]);
    for (int k = 0; k < 3; k++)
        if (t->length[k] > 0.0f)
            try_rim(&best, t, c, k, false);
    for (int k = 0; k < 3 && best.s < 0.0f; k++)
        if (t->length[k] > 0.0f)
            try_rim(&best, t, c, k, true);
    return best;
}

/* ---- points ---- */

/* The part of the cylinder that contains p, with its geometry there. A point that is inside because of rounding is put
 * on the nearest part. */
static vp_shape_part place_on(const vp_local *t, const cylinder *c, bool top, vp_vec3 *p)
{
    const float near = t->size * (VP_LOCAL_ROUNDING * 0.5f), from_axis = flat_length(p->x, p->z);
    const float in = c->radius - from_axis, below = c->half - fabsf(p->y);
    const bool upper = p->y > 0.0f || (p->y == 0.0f && top), on_cap = below <= near || below < in, on_side = in <= near || in <= below;
    if (on_cap)
        p->y = upper ? c->half : -c->half;
    if (on_side) {
        const float scale = from_axis > 0.0f ? c->radius / from_axis : 0.0f;
        p->x = from_axis > 0.0f ? p->x * scale : c->radius;
        p->z *= scale;
    }
    const vp_vec3 axis = {0.0f, 1.0f, 0.0f};
    if (on_cap && on_side)
        return (vp_shape_part){.feature = VP_SHAPE_EDGE + (upper ? 1u : 0u)};
    return on_cap ? (vp_shape_part){VP_SHAPE_FACE + (upper ? 1u : 0u), 2, axis} : (vp_shape_part){VP_SHAPE_FACE + 2, 1, axis};
}

/* A point q of the triangle, moved, and the nearest point of the cylinder. */
static void touch_at(vp_touch *best, const vp_local *t, const cylinder *c, bool top, vp_vec3 q, const float w[3])
{
    const float from_axis = flat_length(q.x, q.z), held = from_axis > c->radius ? c->radius / from_axis : 1.0f;
    vp_vec3 p = {q.x * held, vp_min(vp_max(q.y, -c->half), c->half), q.z * held};
    const vp_shape_part part = place_on(t, c, top, &p);
    vp_touch_take(best, vp_length(vp_vec3_sub(p, q)), p, w, part);
}

/* A point p of the cylinder, and the nearest point of the triangle. */
static void touch_from(vp_touch *best, const vp_local *t, const vp_vec3 *normal, vp_vec3 by, vp_vec3 p, vp_shape_part part)
{
    float w[3];
    const float far = vp_nearest_on_triangle(t, normal, vp_vec3_add(p, by), w);
    vp_touch_take(best, far, p, w, part);
}

/* Points of edge k: nearest to the axis, through the side, and through the planes of the caps. */
static void touch_edge(vp_touch *best, const vp_local *t, const cylinder *c, bool top, vp_vec3 by, int k)
{
    const vp_vec3 e = t->along[k], from = vp_vec3_sub(t->corner[k], by), to = vp_vec3_sub(t->corner[(k + 1) % 3], by);
    const float sine = flat_length(e.x, e.z);
    float at[5];
    int count = 0;
    if (sine > VP_LOCAL_NOTHING) {
        const float gx = e.x / sine, gz = e.z / sine, across = from.x * gz - from.z * gx;
        const float middle = -(from.x * gx + from.z * gz), chord = c->radius * c->radius - across * across;
        const float side = chord > 0.0f ? sqrtf(chord) : 0.0f;
        at[count++] = middle / sine;
        at[count++] = (middle - side) / sine;
        at[count++] = (middle + side) / sine;
    }
    if (fabsf(e.y) > VP_LOCAL_NOTHING) {
        at[count++] = (-c->half - from.y) / e.y;
        at[count++] = (c->half - from.y) / e.y;
    }
    for (int i = 0; i < count; i++) {
        float w[3];
        const float part = vp_unit_clamp(at[i] / t->length[k]);
        vp_weights_on_edge(k, part, w);
        touch_at(best, t, c, top, vp_vec3_add(vp_vec3_scale(from, 1.0f - part), vp_vec3_scale(to, part)), w);
    }
}

static vp_touch points_of(const vp_local *t, const vp_vec3 *normal, const cylinder *c, vp_vec3 u, vp_move move)
{
    const bool top = u.y < 0.0f;
    const vp_vec3 axis = {0.0f, 1.0f, 0.0f};
    const vp_shape_part cap = {VP_SHAPE_FACE + (top ? 1u : 0u), 2, axis};
    vp_vec3 m = {-u.x, 0.0f, -u.z};
    vp_touch touch = vp_touch_begin(&move);
    if (!vp_make_unit(&m, VP_LOCAL_NOTHING))
        m = (vp_vec3){1.0f, 0.0f, 0.0f};
    const vp_vec3 low = {c->radius * m.x, -c->half, c->radius * m.z}, high = {low.x, c->half, low.z};
    touch_from(&touch, t, normal, move.by, (vp_vec3){0.0f, top ? c->half : -c->half, 0.0f}, cap);
    touch_from(&touch, t, normal, move.by, low, (vp_shape_part){.feature = VP_SHAPE_EDGE});
    touch_from(&touch, t, normal, move.by, high, (vp_shape_part){.feature = VP_SHAPE_EDGE + 1});
    for (int k = 0; k < 3; k++) {
        float w[3] = {0.0f, 0.0f, 0.0f};
        w[k] = 1.0f;
        touch_at(&touch, t, c, top, vp_vec3_sub(t->corner[k], move.by), w);
    }
    for (int k = 0; k < 3; k++)
        if (t->length[k] > 0.0f)
            touch_edge(&touch, t, c, top, move.by, k);
    return touch;
}

/* The nearest points of two that are apart. Starts with those along u, and alternates between the two. */
static vp_touch nearest_of(const vp_local *t, const vp_vec3 *normal, const cylinder *c, vp_vec3 u)
{
    const vp_move still = {{0.0f, 0.0f, 0.0f}, 0.0f};
    vp_touch touch = points_of(t, normal, c, u, still);
    for (int round = 0; round < ROUNDS; round++) {
        float w[3];
        vp_nearest_on_triangle(t, normal, touch.on_shape, w);
        touch = vp_touch_begin(&still);
        touch_at(&touch, t, c, u.y < 0.0f, vp_weighted(t->corner, w), w);
    }
    return touch;
}

void vp_collide_cylinder_scalar(const vp_collide_job *job)
{
    const float radius = job->shape->radius, half = job->shape->half_height, reach = flat_length(radius, half);
    const cylinder c = {radius, half, reach, reach * VP_LOCAL_NOTHING};
    for (uint32_t i = 0; i < job->count; i++) {
        const vp_vec3 *corner = job->triangle[i].corner;
        vp_collide_result *answer = &job->result[i];
        vp_local t;
        vp_local_of(&job->frame, corner, reach, true, &t);
        vp_vec3 n;
        const vp_vec3 *normal = vp_local_normal(&t, &n) ? &n : NULL;
        vp_axis axis = find_best_axis(&t, normal, &c);
        if (axis.s > job->margin) {
            vp_answer_none(&job->frame, true, &axis, axis.s, answer);
            continue;
        }
        vp_touch touch = points_of(&t, normal, &c, axis.u, vp_move_to_touch(&t, &axis));
        for (int straight = 0; straight < 2 && vp_touch_fails(&touch, &t); straight++) {
            const vp_touch nearest = axis.s > 0.0f ? nearest_of(&t, normal, &c, axis.u) : touch;
            vp_vec3 u;
            if (vp_touch_way(&nearest, &t, normal, axis.s, straight == 1, &u) && vp_axis_is_as_good(&axis, &t, distance_along(&t, &c, u))) {
                axis.u = u;
                touch = points_of(&t, normal, &c, axis.u, vp_move_to_touch(&t, &axis));
            }
        }
        vp_answer_touch(&job->frame, corner, true, &axis, axis.s, &touch, answer);
    }
}
