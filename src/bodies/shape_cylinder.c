/* SPDX-License-Identifier: MIT */
/* A cylinder and a polytope. It tests the directions of the cylinder's triangle kernel
 * (reference/narrowphase/cylinder.c) for vertices, edges and faces of the polytope, in double precision: for those that
 * reach far along the direction of GJK or EPA (shape_proof.c), and for all if the best one is not proven then.
 *
 * The Minkowski difference consists of smooth patches: cap and vertex, face and rim, edge and line of the side, vertex
 * and side, edge and rim. When the shapes are apart, a vertex and a rim count too. Only an edge and a rim need an
 * iteration. Seen along the edge, the rim is an ellipse, and the direction is its normal through the edge. */
#include "src/bodies/shape_pair.h"

#include "src/bodies/shape_cylinder.h"

#include <math.h>

/* Steps to a normal of an ellipse. After 7 the error is below a rounding of binary64. */
enum { STEPS = 8 };

/* Largest heights, as parts of the size, of parts of the polytope to which GJK's or EPA's direction leads, and of those
 * that may touch. */
#define NEAR_DIRECTION 0x1p-8
#define NEAR_PLACE     0x1p-16

static double flat_length(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* ---- directions, in the cylinder's frame ---- */

void vp_cylinder_try(const vp_cylinder *c, vp_real3 u)
{
    vp_pair_try(c->pair, vp_core_to_world(&c->pair->a, u));
}

/* The same for a place p of shape b. Its reach is a lower bound of the shape's, so most directions are rejected quickly. */
static void try_at(const vp_cylinder *c, vp_real3 p, vp_real3 u)
{
    const double reach = c->half * fabs(u.y) + c->radius * flat_length(u.x, u.z);
    if (-reach - vp_real3_dot(u, p) > c->pair->s)
        vp_cylinder_try(c, u);
}

void vp_cylinder_try_vertex(const vp_cylinder *c, vp_real3 p)
{
    vp_real3 m = {p.x, 0.0, p.z};
    const double from_axis = vp_real3_length(m), out = from_axis - c->radius, up = fabs(p.y) - c->half;
    if (!vp_real3_make_unit(&m, c->nothing))
        m = (vp_real3){1.0, 0.0, 0.0};
    try_at(c, p, vp_real3_scale(m, -1.0));
    vp_real3 u = {-(m.x * out), p.y < 0.0 ? up : -up, -(m.z * out)};
    if (out > 0.0 && up > 0.0 && vp_real3_make_unit(&u, c->nothing))
        try_at(c, p, u);
}

/* A direction or place in the plane perpendicular to an edge. */
typedef struct double2 {
    double x, y;
} double2;

/* The cylinder seen along an edge: two ellipses with half axes r along x and b along y, at -height and height on y. */
typedef struct edge_view {
    vp_real3 x, y;  /* perpendicular to the edge, and x also to the axis */
    double2 p;      /* the edge */
    vp_real3 point; /* a place on the edge */
    double b, height, sine;
} edge_view;

static edge_view view_along(const vp_cylinder *c, vp_real3 corner, vp_real3 e)
{
    const double sine = flat_length(e.x, e.z);
    const bool leans = sine > VP_PAIR_NOTHING;
    const double gx = leans ? e.x / sine : 0.0, gz = leans ? e.z / sine : 1.0;
    edge_view v = {.point = corner,
                   .x = {gz, 0.0, -gx},
                   .y = {-(gx * e.y), sine, -(gz * e.y)},
                   .b = c->radius * fabs(e.y),
                   .height = c->half * sine,
                   .sine = sine};
    v.p = (double2){vp_real3_dot(corner, v.x), vp_real3_dot(corner, v.y)};
    return v;
}

/* The point of an ellipse about 0 whose normal passes through (x, y) with x >= 0: cosine and sine of its angle, in
 * the quarter x, y >= 0. The steps are those of the triangle kernel, which explains why they converge upwards to
 * the root. */
static double2 find_normal_through(double r, const edge_view *v, double x, double y)
{
    const double e = (r * v->sine) * (r * v->sine), p = r * x, q = v->b * y;
    double2 to = {p, q + e}, on = {0.0, 1.0};
    if (q >= 0.0 && (p - e) * to.y > to.x * q)
        to = (double2){p - e, q};
    for (int step = 0;; step++) {
        to.y = vp_double_max(to.y, 0.0);
        const double length = flat_length(to.x, to.y);
        on = length > 0.0 ? (double2){to.x / length, to.y / length} : on; /* a flat ellipse, seen from beyond its end */
        if (step == STEPS)
            return on;
        const double cosine = on.x, sine = on.y, cube = (sine * sine) * sine;
        const double slope = q + e * cube, rest = p * sine - cosine * (q + e * sine), square = slope * slope;
        const double turn = square > 0.0 ? (((1.5 * e) * (cosine * cube)) * rest) / square : 0.0;
        const double held = turn < -0.75 ? -0.75 : turn > 0.75 ? 0.75 : turn;
        to.x = vp_double_max(sine * (p - (e * cosine) * (cosine * cosine)) - (cosine * held) * slope, 0.0);
        to.y = (sine * slope) * (1.0 - held);
    }
}

/* Tries a direction given in the plane perpendicular to the edge. Directions are opposite to the cylinder's normals. */
static void try_flat(const vp_cylinder *c, const edge_view *v, bool left, bool down, double2 m)
{
    const double length = flat_length(m.x, m.y);
    if (length > c->nothing)
        try_at(c, v->point, vp_real3_plus(vp_real3_scale(v->x, (left ? m.x : -m.x) / length), v->y, (down ? m.y : -m.y) / length));
}

static void try_rim(const vp_cylinder *c, const edge_view *v, bool other)
{
    const bool left = v->p.x < 0.0, down = other ? v->p.y >= 0.0 : v->p.y < 0.0;
    const double x = fabs(v->p.x), y = (other ? -fabs(v->p.y) : fabs(v->p.y)) - v->height;
    const double2 on = find_normal_through(c->radius, v, x, y), way = {x - c->radius * on.x, y - v->b * on.y};
    try_flat(c, v, left, down, (double2){v->b * on.x, c->radius * on.y});
    if (!other && way.x >= 0.0 && way.y >= 0.0) /* the place on a flat ellipse determines its normal poorly */
        try_flat(c, v, left, down, way);
}

void vp_cylinder_try_edge(const vp_cylinder *c, vp_real3 corner, vp_real3 along)
{
    const edge_view v = view_along(c, corner, along);
    try_at(c, corner, v.x); /* a line of the side */
    try_at(c, corner, vp_real3_scale(v.x, -1.0));
    try_rim(c, &v, false);
    try_rim(c, &v, true);
}

vp_cylinder vp_cylinder_of(vp_shape_pair *pair)
{
    const vp_collide_shape *s = pair->a.shape;
    return (vp_cylinder){
        .pair = pair, .radius = (double)s->radius, .half = (double)s->half_height, .nothing = pair->size * VP_PAIR_NOTHING};
}

/* A vertex of the polytope in the cylinder's frame. */
static vp_real3 local_vertex_of(const vp_shape_pair *pair, uint32_t i)
{
    return vp_core_to_local(&pair->a, vp_real3_sub(vp_core_vertex(&pair->b, i), pair->a.position));
}

static void try_parts(const vp_cylinder *c, const vp_core_view *view)
{
    vp_shape_pair *pair = c->pair;
    const vp_core *b = &pair->b;
    for (uint32_t i = 0; i < view->faces.count && !vp_pair_is_beyond(pair); i++)
        vp_pair_try_face(pair, b, vp_part_number(&view->faces, i));
    for (uint32_t i = 0; i < view->vertices.count && !vp_pair_is_beyond(pair); i++)
        vp_cylinder_try_vertex(c, local_vertex_of(pair, vp_part_number(&view->vertices, i)));
    for (uint32_t i = 0; i < view->edges.count && !vp_pair_is_beyond(pair); i++) {
        uint32_t v[2];
        vp_core_edge(b, vp_part_number(&view->edges, i), v);
        const vp_real3 from = local_vertex_of(pair, v[0]);
        vp_real3 along = vp_real3_sub(local_vertex_of(pair, v[1]), from);
        if (vp_real3_make_unit(&along, c->nothing))
            vp_cylinder_try_edge(c, from, along);
    }
}

void vp_pair_cylinder_polytope_direction(vp_shape_pair *pair)
{
    const vp_cylinder c = vp_cylinder_of(pair);
    vp_cylinder_try(&c, (vp_real3){0.0, 1.0, 0.0});
    vp_cylinder_try(&c, (vp_real3){0.0, -1.0, 0.0});
    if (vp_pair_is_beyond(pair))
        return;
    const bool is_small = pair->b.vertex_count <= 2; /* a sphere or capsule: trying all is faster */
    const double most = is_small ? INFINITY : vp_pair_find_direction(pair, pair->size * VP_PAIR_ROUGH);
    vp_core_view view;
    vp_core_see(&pair->b, &pair->u, &view);
    if (!is_small && vp_core_take_low(&view, pair->size * NEAR_DIRECTION)) /* the best direction belongs to parts that nearly reach farthest */
        try_parts(&c, &view);
    if (most - pair->s <= pair->size * VP_PAIR_ROUGH)
        return;
    vp_core_take_all(&view);
    try_parts(&c, &view);
}

/* ---- places, in the cylinder's frame, with the polytope moved by s u until it touches ---- */

vp_cylinder_touch vp_cylinder_touch_begin(const vp_cylinder *c)
{
    return (vp_cylinder_touch){.cylinder = c, .u = vp_core_to_local(&c->pair->a, c->pair->u), .nearest = INFINITY};
}

void vp_cylinder_compare(vp_cylinder_touch *t, vp_real3 on, uint32_t feature, vp_real3 q, uint32_t feature_b)
{
    const double distance = vp_real3_length(vp_real3_sub(on, q));
    vp_shape_pair *pair = t->cylinder->pair;
    if (!(distance < t->nearest - pair->size * 0x1p-22))
        return;
    t->nearest = distance;
    pair->on_a = vp_core_place(&pair->a, on);
    pair->feature_a = feature;
    pair->feature_b = feature_b;
}

/* Projects a place of the solid to the nearest part of its surface. */
static uint32_t put_on_surface(const vp_cylinder_touch *t, vp_real3 *p)
{
    const vp_cylinder *c = t->cylinder;
    const double near = c->pair->size * 0x1p-21, from_axis = flat_length(p->x, p->z), in = c->radius - from_axis;
    const double below = c->half - fabs(p->y);
    const bool upper = p->y > 0.0 || (p->y == 0.0 && t->u.y < 0.0);
    const bool on_cap = below <= near || below < in, on_side = in <= near || in <= below;
    if (on_cap)
        p->y = upper ? c->half : -c->half;
    if (on_side) {
        p->x = from_axis > 0.0 ? p->x * (c->radius / from_axis) : c->radius;
        p->z = from_axis > 0.0 ? p->z * (c->radius / from_axis) : 0.0;
    }
    return on_cap && on_side ? VP_SHAPE_EDGE + upper : on_cap ? VP_SHAPE_FACE + upper : VP_SHAPE_FACE + 2;
}

void vp_cylinder_touch_at(vp_cylinder_touch *t, vp_real3 q, uint32_t feature_b)
{
    const vp_cylinder *c = t->cylinder;
    const double from_axis = flat_length(q.x, q.z), held = from_axis > c->radius ? c->radius / from_axis : 1.0;
    vp_real3 p = {q.x * held, q.y < -c->half ? -c->half : q.y > c->half ? c->half : q.y, q.z * held};
    const uint32_t feature = put_on_surface(t, &p);
    vp_cylinder_compare(t, p, feature, q, feature_b);
}

void vp_cylinder_rim_places(const vp_cylinder_touch *t, vp_real3 place[3], uint32_t feature[3])
{
    const vp_cylinder *c = t->cylinder;
    const uint32_t top = t->u.y < 0.0 ? 1 : 0;
    vp_real3 m = {-t->u.x, 0.0, -t->u.z};
    if (!vp_real3_make_unit(&m, VP_PAIR_NOTHING))
        m = (vp_real3){1.0, 0.0, 0.0};
    place[0] = (vp_real3){0.0, top != 0 ? c->half : -c->half, 0.0};
    place[1] = (vp_real3){c->radius * m.x, -c->half, c->radius * m.z};
    place[2] = (vp_real3){c->radius * m.x, c->half, c->radius * m.z};
    feature[0] = VP_SHAPE_FACE + top;
    feature[1] = VP_SHAPE_EDGE;
    feature[2] = VP_SHAPE_EDGE + 1;
}

void vp_cylinder_touch_edge(vp_cylinder_touch *t, vp_real3 from, vp_real3 to, uint32_t feature_b)
{
    const vp_cylinder *c = t->cylinder;
    vp_real3 e = vp_real3_sub(to, from);
    const double length = vp_real3_length(e);
    double at[5];
    int count = 0;
    if (!vp_real3_make_unit(&e, c->nothing))
        return;
    vp_real3 place[3];
    uint32_t feature[3];
    vp_cylinder_rim_places(t, place, feature);
    for (int k = 1; k < 3; k++) { /* first, because a place found along the edge is less accurate where the edge grazes a rim */
        const double along = vp_real3_dot(vp_real3_sub(place[k], from), e);
        if (along > 0.0 && along < length)
            vp_cylinder_compare(t, place[k], feature[k], vp_real3_plus(from, e, along), feature_b);
    }
    const double sine = flat_length(e.x, e.z);
    if (sine > VP_PAIR_NOTHING) {
        const double gx = e.x / sine, gz = e.z / sine, across = from.x * gz - from.z * gx;
        const double middle = -(from.x * gx + from.z * gz), chord = c->radius * c->radius - across * across;
        const double side = chord > 0.0 ? sqrt(chord) : 0.0;
        at[count++] = middle / sine;
        at[count++] = (middle - side) / sine;
        at[count++] = (middle + side) / sine;
    }
    if (fabs(e.y) > VP_PAIR_NOTHING) {
        at[count++] = (-c->half - from.y) / e.y;
        at[count++] = (c->half - from.y) / e.y;
    }
    for (int i = 0; i < count; i++)
        if (at[i] > 0.0 && at[i] < length)
            vp_cylinder_touch_at(t, vp_real3_plus(from, e, at[i]), feature_b);
}

/* Compares a place p of the cylinder with the inside of a face. */
static void touch_face(vp_cylinder_touch *t, uint32_t face, vp_real3 by, vp_real3 p, uint32_t feature)
{
    const vp_shape_pair *pair = t->cylinder->pair;
    const uint32_t count = vp_core_corner_count(&pair->b, face);
    const vp_real3 n = vp_core_to_local(&pair->a, vp_core_to_world(&pair->b, vp_core_local_normal(&pair->b, face)));
    const vp_real3 first = vp_real3_plus(local_vertex_of(pair, vp_core_corner(&pair->b, face, 0)), by, 1.0);
    const double above = vp_real3_dot(n, vp_real3_sub(p, first));
    if (!(fabs(above) < t->nearest))
        return;
    vp_real3 a = first;
    for (uint32_t i = 1; i <= count; i++) {
        const vp_real3 b = i == count ? first : vp_real3_plus(local_vertex_of(pair, vp_core_corner(&pair->b, face, i)), by, 1.0);
        if (!(vp_real3_dot(vp_real3_cross(n, vp_real3_sub(b, a)), vp_real3_sub(p, a)) > 0.0)) /* on the border the edge counts */
            return;
        a = b;
    }
    vp_cylinder_compare(t, p, feature, vp_real3_plus(p, n, -above), VP_SHAPE_FACE + face);
}

static double touch_parts(const vp_cylinder *c, const vp_core_view *view)
{
    const vp_core *b = &c->pair->b;
    vp_cylinder_touch t = vp_cylinder_touch_begin(c);
    const vp_real3 by = vp_real3_scale(t.u, c->pair->s);
    vp_real3 place[3];
    uint32_t feature[3];
    vp_cylinder_rim_places(&t, place, feature);
    for (uint32_t i = 0; i < view->vertices.count; i++) {
        const uint32_t vertex = vp_part_number(&view->vertices, i);
        vp_cylinder_touch_at(&t, vp_real3_plus(local_vertex_of(c->pair, vertex), by, 1.0), vp_core_vertex_feature(b, vertex));
    }
    for (uint32_t i = 0; i < view->edges.count; i++) {
        const uint32_t edge = vp_part_number(&view->edges, i);
        uint32_t v[2];
        vp_core_edge(b, edge, v);
        vp_cylinder_touch_edge(&t, vp_real3_plus(local_vertex_of(c->pair, v[0]), by, 1.0),
                               vp_real3_plus(local_vertex_of(c->pair, v[1]), by, 1.0), vp_core_edge_feature(b, edge));
    }
    for (uint32_t i = 0; i < view->faces.count; i++) /* last, because a place on an edge may be inside a face by a rounding */
        for (int k = 0; k < 3; k++)
            touch_face(&t, vp_part_number(&view->faces, i), by, place[k], feature[k]);
    return t.nearest;
}

void vp_pair_cylinder_polytope_place(vp_shape_pair *pair)
{
    const vp_cylinder c = vp_cylinder_of(pair);
    vp_core_view view;
    vp_core_see(&pair->b, &pair->u, &view);
    if (vp_core_take_low(&view, pair->size * NEAR_PLACE) && touch_parts(&c, &view) <= pair->size * VP_PAIR_ROUGH)
        return;
    vp_core_take_all(&view);
    touch_parts(&c, &view);
}
