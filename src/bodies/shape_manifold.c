/* SPDX-License-Identifier: MIT */
/* The manifold of two shapes. Each shape has a part that faces the other: a face, a cap or a line of a side, seen along
 * the normal. Contacts are corners of one part within the other and crossings of their sides, with the depth of the
 * shapes there. From these and the deepest point, the rules of narrowphase/manifold.c choose. There, parts of
 * shape b take the role of triangles. */
#include "src/bodies/shape_pair.h"

#include <math.h>

#include "src/core/error.h"
#include "src/core/inline.h"

/* A face seen at a smaller cosine has no contacts. */
#define LEAST_COSINE 0x1p-4
/* Lines touch along a length if the sine of their angle is at most this. */
#define PARALLEL 0x1p-3

/* Corners of a part that are computed once. */
enum { KEPT = VP_RIM };

/* The part of a shape that faces the other one. */
typedef struct facing_part {
    const vp_core *core;
    uint32_t count;  /* number of corners, 2 = a line, 0 = none */
    uint32_t number; /* number of the face */
    uint64_t name;
    vp_real3 normal; /* normal of a face */
    double cosine;   /* cosine between the normal and the direction to the other shape */
    vp_real3 offset; /* vector from the axis to the line */
    double radius;   /* distance of the line from the axis */
    vp_real3 corner[KEPT];
} facing_part;

typedef struct pair_point {
    double distance;
    vp_real3 on_a;
    uint64_t name_a, name_b;
} pair_point;

typedef struct pair_cut {
    const vp_shape_pair *pair;
    facing_part a, b;
    double margin, deepest, slack;
    vp_real3 direction[VP_CUT_POINTS]; /* for each, the contact that reaches farthest along it is kept */
    double reach[VP_CUT_POINTS];
    pair_point best[VP_CUT_POINTS];
} pair_cut;

/* ---- parts ---- */

static facing_part facing_of_polytope(const vp_core *core, vp_real3 l)
{
    facing_part f = {.core = core, .cosine = -INFINITY};
    for (uint32_t i = 0; i < core->face_count; i++) {
        const double cosine = vp_real3_dot(vp_core_local_normal(core, i), l);
        if (cosine > f.cosine) {
            f.cosine = cosine;
            f.number = i;
        }
    }
    f.count = f.cosine > LEAST_COSINE ? vp_core_corner_count(core, f.number) : 0;
    f.normal = vp_core_to_world(core, vp_core_local_normal(core, f.number));
    f.name = VP_NAME_FACE(f.number);
    return f;
}

/* A line of the side if the axis is nearly perpendicular to the direction, otherwise a cylinder's cap. */
static facing_part facing_of_round(const vp_core *core, vp_real3 m, vp_real3 l)
{
    const bool has_caps = vp_core_is_cylinder(core);
    const double across = sqrt(l.x * l.x + l.z * l.z), radius = (double)core->shape->radius;
    if (fabs(l.y) <= across) {
        const vp_real3 out = has_caps ? vp_core_to_world(core, (vp_real3){l.x / across, 0.0, l.z / across}) : m;
        return (facing_part){
            .core = core, .count = 2, .name = VP_NAME_FACE(has_caps ? 2 : 0), .offset = vp_real3_scale(out, radius), .radius = radius};
    }
    if (!has_caps)
        return (facing_part){.core = core};
    const uint32_t top = l.y > 0.0 ? 1 : 0;
    return (facing_part){.core = core,
                         .count = VP_RIM,
                         .number = top,
                         .name = VP_NAME_FACE(top),
                         .normal = vp_real3_scale(core->axis[1], top != 0 ? 1.0 : -1.0),
                         .cosine = fabs(l.y)};
}

/* @param m  unit direction to the other shape */
static facing_part facing_of(const vp_core *core, vp_real3 m)
{
    const vp_real3 l = vp_core_to_local(core, m);
    switch (core->shape->kind) {
    case VP_COLLIDE_SPHERE:
        return (facing_part){.core = core};
    case VP_COLLIDE_CAPSULE:
    case VP_COLLIDE_CYLINDER:
        return facing_of_round(core, m, l);
    default:
        return facing_of_polytope(core, l);
    }
}

/* Corner i of a face, counterclockwise from outside, or end i of a line's axis. */
static vp_real3 find_corner(const facing_part *f, uint32_t i)
{
    static const double rim[VP_RIM][2] = {
        {1.0, 0.0},  {0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp-1},   {0.0, 1.0},  {-0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp-1},
        {-1.0, 0.0}, {-0x1.6a09e667f3bcdp-1, -0x1.6a09e667f3bcdp-1}, {0.0, -1.0}, {0x1.6a09e667f3bcdp-1, -0x1.6a09e667f3bcdp-1}};
    const vp_collide_shape *s = f->core->shape;
    const double half = (double)s->half_height, r = (double)s->radius;
    if (f->count == 2)
        return vp_core_place(f->core, (vp_real3){0.0, i == 0 ? -half : half, 0.0});
    if (!vp_core_is_cylinder(f->core))
        return vp_core_vertex(f->core, vp_core_corner(f->core, f->number, i));
    const double *at = rim[f->number != 0 ? VP_RIM - 1 - i : i]; /* y turns z to x, so the order is reversed */
    return vp_core_place(f->core, (vp_real3){r * at[0], f->number != 0 ? half : -half, r * at[1]});
}

static void keep_corners(facing_part *f)
{
    for (uint32_t i = 0; i < f->count && i < KEPT; i++)
        f->corner[i] = find_corner(f, i);
}

VP_INLINE vp_real3 corner_of(const facing_part *f, uint32_t i)
{
    return i < KEPT ? f->corner[i] : find_corner(f, i);
}

/* The same on the surface: of a line, moved off the axis. A face has no offset. */
static vp_real3 surface_of(const facing_part *f, uint32_t i)
{
    return vp_real3_plus(corner_of(f, i), f->offset, 1.0);
}

static uint64_t name_of_corner(const facing_part *f, uint32_t i)
{
    if (!vp_core_is_cylinder(f->core))
        return VP_NAME_CORNER(f->count == 2 ? i : vp_core_corner(f->core, f->number, i));
    if (f->count == 2)
        return VP_NAME_RIM(VP_RIM_PLACES + i);
    return VP_NAME_RIM(VP_RIM_CAPS + VP_RIM * f->number + (f->number != 0 ? VP_RIM - 1 - i : i));
}

/* The name of the side between two corners. */
static uint64_t name_of_side(const facing_part *f, uint32_t i, uint32_t j)
{
    if (f->count == 2)
        return f->name;
    if (vp_core_is_cylinder(f->core))
        return name_of_corner(f, i) + 2 * VP_RIM;
    return VP_NAME_EDGE(vp_core_corner(f->core, f->number, i), vp_core_corner(f->core, f->number, j));
}

/* ---- contacts ---- */

static void report_point(pair_cut *c, double distance, vp_real3 on_a, uint64_t name_a, uint64_t name_b)
{
    if (!(distance <= c->margin) || !(distance >= c->deepest))
        return;
    for (int d = 0; d < VP_CUT_POINTS; d++) {
        const double reach = vp_real3_dot(c->direction[d], on_a);
        if (reach > c->reach[d] + c->slack) {
            c->reach[d] = reach;
            c->best[d] = (pair_point){distance, on_a, name_a, name_b};
        }
    }
}

/* Reports a place p of one part that lies over the face of the other. */
static void report_on_face(pair_cut *c, bool of_a, vp_real3 p, uint64_t name)
{
    const facing_part *f = of_a ? &c->b : &c->a;
    const double distance = vp_real3_dot(vp_real3_sub(p, corner_of(f, 0)), f->normal) / f->cosine;
    if (of_a)
        report_point(c, distance, p, name, f->name);
    else
        report_point(c, distance, vp_real3_plus(p, c->pair->u, distance), f->name, name);
}

/* Whether p is within a face, seen along the normal. Roundings count as within. */
static bool is_within(const pair_cut *c, const facing_part *f, vp_real3 p)
{
    const vp_real3 out = f == &c->b ? c->pair->u : vp_real3_scale(c->pair->u, -1.0);
    for (uint32_t i = 0; i < f->count; i++) {
        const vp_real3 at = corner_of(f, i), side = vp_real3_sub(corner_of(f, (i + 1) % f->count), at);
        const double inside = vp_real3_dot(vp_real3_cross(side, vp_real3_sub(p, at)), out);
        if (inside < 0.0 && inside < -(c->slack * vp_real3_length(side)))
            return false;
    }
    return true;
}

/* Reports corners of a part over the face of the other. */
static void report_corners(pair_cut *c, bool of_a)
{
    const facing_part *f = of_a ? &c->a : &c->b, *other = of_a ? &c->b : &c->a;
    for (uint32_t i = 0; i < f->count && other->count > 2; i++) {
        const vp_real3 p = surface_of(f, i);
        if (is_within(c, other, p))
            report_on_face(c, of_a, p, name_of_corner(f, i));
    }
}

/* Reports sides of both parts that cross, seen along the normal. */
static void report_crossing(pair_cut *c, uint32_t i, uint32_t j)
{
    const facing_part *a = &c->a, *b = &c->b;
    const uint32_t after_i = (i + 1) % a->count, after_j = (j + 1) % b->count;
    const vp_real3 p = surface_of(a, i), q = surface_of(b, j), u = c->pair->u;
    const vp_real3 way = vp_real3_sub(surface_of(a, after_i), p), other = vp_real3_sub(surface_of(b, after_j), q);
    const double turn = vp_real3_dot(vp_real3_cross(way, other), u), x = vp_real3_dot(vp_real3_cross(vp_real3_sub(q, p), other), u) / turn,
                 y = vp_real3_dot(vp_real3_cross(vp_real3_sub(q, p), way), u) / turn;
    if (!(x > 0.0 && x < 1.0 && y > 0.0 && y < 1.0) || !(fabs(turn) > 0x1p-20 * (vp_real3_length(way) * vp_real3_length(other))))
        return;
    const vp_real3 on_a = vp_real3_plus(p, way, x), on_b = vp_real3_plus(q, other, y);
    report_point(c, vp_real3_dot(u, vp_real3_sub(on_a, on_b)), on_a, name_of_side(a, i, after_i), name_of_side(b, j, after_j));
}

/* Reports sides of the other part that cross a cap's rim. The rim's polygon alone would miss a side that passes between
 * the polygon and the rim. Names are as in narrowphase/manifold_contacts.c. */
static void report_rim(pair_cut *c, bool of_a)
{
    const facing_part *f = of_a ? &c->a : &c->b, *other = of_a ? &c->b : &c->a;
    if (f->count <= 2 || other->count < 2 || !vp_core_is_cylinder(f->core) || (other->count > 2 && vp_core_is_cylinder(other->core)))
        return;
    const vp_real3 *const axis = f->core->axis, u = c->pair->u;
    const double half_height = (double)f->core->shape->half_height, r = (double)f->core->shape->radius, rise = vp_real3_dot(u, axis[1]);
    const vp_real3 centre = vp_core_place(f->core, (vp_real3){0.0, f->number != 0 ? half_height : -half_height, 0.0});
    for (uint32_t i = 0; i < (other->count == 2 ? 1 : other->count); i++) {
        const uint32_t after = (i + 1) % other->count;
        const vp_real3 from = surface_of(other, i), way = vp_real3_sub(surface_of(other, after), from), p = vp_real3_sub(from, centre);
        const vp_real3 a = vp_real3_plus(p, u, -(vp_real3_dot(p, axis[1]) / rise)),
                       w = vp_real3_plus(way, u, -(vp_real3_dot(way, axis[1]) / rise)); /* on the cap's plane */
        const double square = vp_real3_dot(w, w), middle = -(vp_real3_dot(a, w) / square);
        const vp_real3 m = vp_real3_plus(a, w, middle);
        const double half = sqrt((r * r - vp_real3_dot(m, m)) / square);
        for (int end = 0; end < 2; end++) {
            const double at = middle + (end == 0 ? -half : half);
            if (!(at > 0.0 && at < 1.0)) /* NaN: the side does not cross the rim */
                continue;
            const uint32_t second = (end == 0) == (vp_real3_dot(vp_real3_cross(w, m), axis[1]) < 0.0) ? 1 : 0;
            const uint64_t name = VP_NAME_RIM(VP_RIM_CROSSINGS + 2 * f->number + second), side = name_of_side(other, i, after);
            const vp_real3 on_rim = vp_real3_plus(centre, vp_real3_plus(a, w, at), 1.0), on_other = vp_real3_plus(from, way, at);
            const double distance = vp_real3_dot(u, of_a ? vp_real3_sub(on_rim, on_other) : vp_real3_sub(on_other, on_rim));
            report_point(c, distance, of_a ? on_rim : on_other, of_a ? name : side, of_a ? side : name);
        }
    }
}

/* Reports an end of a line and the place of the other line that lies over it. Lines that pass side by side are farther
 * apart than along the normal, like circles of their radii. */
static void report_end(pair_cut *c, bool of_a, uint32_t i)
{
    const facing_part *f = of_a ? &c->a : &c->b, *other = of_a ? &c->b : &c->a;
    const vp_real3 p = surface_of(f, i), from = surface_of(other, 0), along = vp_real3_sub(surface_of(other, 1), from), u = c->pair->u;
    const vp_real3 flat = vp_real3_plus(along, u, -vp_real3_dot(along, u));
    const double square = vp_real3_dot(flat, flat), part = vp_real3_dot(vp_real3_sub(p, from), flat) / square,
                 slack = c->slack / sqrt(square);
    if (!(part >= -slack && part <= 1.0 + slack))
        return;
    const vp_real3 q = vp_real3_plus(from, along, part), way = of_a ? vp_real3_sub(p, q) : vp_real3_sub(q, p);
    const double over = vp_real3_dot(way, u), radius = f->radius + other->radius;
    const double axis_distance = vp_real3_length(vp_real3_plus(way, u, radius)); /* distance of the axes */
    report_point(c, over + radius > 0.0 ? axis_distance - radius : over, of_a ? p : q, of_a ? name_of_corner(f, i) : other->name,
                 of_a ? other->name : name_of_corner(f, i));
}

static void report_lines(pair_cut *c)
{
    const vp_real3 a = vp_real3_sub(corner_of(&c->a, 1), corner_of(&c->a, 0)), b = vp_real3_sub(corner_of(&c->b, 1), corner_of(&c->b, 0));
    const double lengths = vp_real3_length(a) * vp_real3_length(b);
    if (!(lengths > 0.0) || !(vp_real3_length(vp_real3_cross(a, b)) <= PARALLEL * lengths))
        return;
    for (uint32_t i = 0; i < 2; i++)
        report_end(c, true, i);
    for (uint32_t i = 0; i < 2; i++)
        report_end(c, false, i);
}

/* Eight directions perpendicular to the normal. */
static void fill_directions(vp_real3 n, vp_real3 direction[VP_CUT_POINTS])
{
    const vp_real3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    vp_real3 a = vp_real3_cross(fabs(n.x) < 0.75 ? x : y, n);
    vp_real3_make_unit(&a, 0.0);
    const vp_real3 b = vp_real3_cross(n, a), half[4] = {a, vp_real3_plus(a, b, 1.0), b, vp_real3_sub(b, a)};
    for (int k = 0; k < 4; k++) {
        direction[k] = vp_real3_scale(half[k], (k & 1) != 0 ? 0x1.6a09e667f3bcdp-1 : 1.0);
        direction[k + 4] = vp_real3_scale(direction[k], -1.0);
    }
}

static void cut_parts(pair_cut *c)
{
    fill_directions(c->pair->u, c->direction);
    for (int d = 0; d < VP_CUT_POINTS; d++)
        c->reach[d] = -INFINITY;
    if (c->a.count == 2 && c->b.count == 2) {
        report_lines(c);
        return;
    }
    report_corners(c, true);
    report_corners(c, false);
    report_rim(c, true);
    report_rim(c, false);
    for (uint32_t i = 0; i < (c->a.count == 2 ? 1 : c->a.count); i++)
        for (uint32_t j = 0; j < (c->b.count == 2 ? 1 : c->b.count); j++)
            report_crossing(c, i, j);
}

/* ---- the manifold ---- */

static uint16_t part_of_name(uint64_t name)
{
    const uint64_t kind = name >> 62;
    return kind == 0 ? VP_TRIANGLE_FACE : kind == 2 ? VP_TRIANGLE_CORNER : VP_TRIANGLE_EDGE;
}

static void add_contact(vp_pair_contacts *l, const vp_shape_pair *pair, const pair_point *r)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->contact[i].shape == r->name_a && l->name_b[i] == r->name_b)
            return;
    l->name_b[l->count] = r->name_b;
    l->contact[l->count] = (vp_manifold_contact){.distance = (float)r->distance,
                                                 .normal = vp_real3_rounded(pair->u),
                                                 .on_shape = vp_real3_rounded(r->on_a),
                                                 .on_triangle = vp_real3_rounded(vp_real3_plus(r->on_a, pair->u, -r->distance)),
                                                 .triangle = l->count,
                                                 .part = part_of_name(r->name_b),
                                                 .shape = r->name_a};
    l->count++;
}

static float find_smaller_radius(const vp_shape_pair *pair)
{
    return fminf(vp_collide_radius(pair->a.shape), vp_collide_radius(pair->b.shape));
}

void vp_pair_find_contacts(const vp_shape_pair *pair, float margin, vp_pair_contacts *out)
{
    const double distance = (pair->s - pair->a.radius) - pair->b.radius;
    pair_cut c = {.pair = pair,
                  .a = facing_of(&pair->a, vp_real3_scale(pair->u, -1.0)),
                  .b = facing_of(&pair->b, pair->u),
                  .margin = (double)margin,
                  .deepest = distance - (double)(find_smaller_radius(pair) * VP_MANIFOLD_SAME_DEPTH),
                  .slack = pair->size * 0x1p-20};
    const pair_point deepest = {distance, vp_real3_plus(pair->on_a, pair->u, -pair->a.radius),
                                vp_manifold_name_of_feature(pair->a.shape, pair->feature_a),
                                vp_manifold_name_of_feature(pair->b.shape, pair->feature_b)};
    out->count = 0;
    keep_corners(&c.a);
    keep_corners(&c.b);
    add_contact(out, pair, &deepest);
    cut_parts(&c);
    for (int d = 0; d < VP_CUT_POINTS; d++)
        if (c.reach[d] > -INFINITY)
            add_contact(out, pair, &c.best[d]);
}

/* Chooses the points. Parts of shape b take the role of triangles, with their names as ids. */
static void make_manifold(const vp_shape_pair *pair, float margin, vp_manifold *out)
{
    const vp_manifold_def def = {.margin = margin};
    vp_pair_contacts l;
    vp_collide_triangle part[VP_PAIR_CONTACTS];
    vp_manifold chosen[VP_MANIFOLD_DIRECTIONS];
    vp_pair_find_contacts(pair, margin, &l);
    for (uint32_t i = 0; i < l.count; i++)
        part[i] = (vp_collide_triangle){.id = {(uint32_t)(l.name_b[i] >> 32), (uint32_t)l.name_b[i]}};
    vp_manifold_work work = {.def = &def, .radius = find_smaller_radius(pair), .triangle = part, .contact = l.contact, .contacts = l.count};
    vp_manifold_choose(&work, VP_COLLIDE_NO_CHUNK, chosen); /* all contacts have one direction */
    *out = chosen[0];
    for (uint32_t i = 0; i < out->count; i++)
        out->point[i].at = (vp_terrain_triangle_id){VP_COLLIDE_NO_CHUNK, 0};
}

vp_status vp_manifold_shapes(const vp_manifold_body *a, const vp_manifold_body *b, float margin, vp_manifold *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, a, b, out);
    vp_shape_pair pair;
    VP_RETURN_IF_FAILED(vp_pair_begin(a, b, margin, &pair, error));
    *out = (vp_manifold){.chunk = VP_COLLIDE_NO_CHUNK};
    vp_pair_direction(&pair);
    if (!vp_pair_is_beyond(&pair)) {
        vp_pair_place(&pair);
        make_manifold(&pair, margin, out);
    }
    return vp_succeed(error);
}
