/* SPDX-License-Identifier: MIT */
/* Two polytopes, including points and segments: separating axes, then closest features. The direction of GJK or EPA
 * (shape_proof.c) is tried first. If it is proven to be the best, the search for it below does not run.
 *
 * If they overlap, the greatest S belongs to a face normal or to a pair of edges. The arcs of such edges cross, so the
 * edges form a face of the Minkowski difference (D. Gregorius, "The separating axis test between convex polyhedra",
 * 2013). If they are apart, it may also belong to the vector between a vertex and another feature. All pairs of
 * features are compared, except those that the best direction so far proves to be farther apart than the nearest pair
 * so far. */
#include "src/bodies/shape_pair.h"

#include <math.h>

/* Error of an arc's ends: hulls store them in binary32, and small faces lean. Testing a pair of edges too many does no harm. */
#define ARC_SLACK 0x1p-10
/* Edges with a smaller sine are parallel. The face that they form is narrower than this part of their length. */
#define PARALLEL 0x1p-30

/* A direction is the best if its S is this part of the size below an upper bound. */
#define ENOUGH 0x1p-28

/* ---- axes ---- */

static void try_faces(vp_shape_pair *pair, const vp_core *c, double sign)
{
    for (uint32_t f = 0; f < c->face_count && !vp_pair_is_beyond(pair); f++)
        vp_pair_try_face(pair, c, f);
    if (c->face_count == 0) /* a segment: any direction perpendicular to it */
        for (uint32_t i = 0; i < c->arc_count; i++)
            vp_pair_try(pair, vp_real3_scale(vp_core_to_world(c, vp_core_local_arc(c, i).from), sign));
}

/* Arcs that are computed once a pair. Those of larger cores, past these, are computed each time. */
enum { KEPT = 64 };

/* An arc of a in the frame of b, with a point and the direction of its edge, relative to the position of b. */
typedef struct edge_of_a {
    vp_real3 from, to, along, vertex;
} edge_of_a;

/* An arc of b, with an end and the vector of its edge, in the frame of b. */
typedef struct edge_of_b {
    vp_core_arc arc;
    vp_real3 at, along;
    double length;
} edge_of_b;

static edge_of_b edge_of_arc(const vp_core *b, uint32_t i)
{
    edge_of_b e = {.arc = vp_core_local_arc(b, i)};
    uint32_t vertex[2];
    vp_core_edge(b, e.arc.edge, vertex);
    e.at = vp_core_local_vertex(b, vertex[0]);
    e.along = vp_real3_sub(vp_core_local_vertex(b, vertex[1]), e.at);
    e.length = vp_real3_length(e.along);
    return e;
}

static bool is_across(double from, double to, double slack)
{
    return !((from > slack && to > slack) || (from < -slack && to < -slack));
}

static void try_edges(vp_shape_pair *pair, const edge_of_a *e, const edge_of_b *o)
{
    const vp_core_arc *arc = &o->arc;
    if (!is_across(vp_real3_dot(e->from, o->along), vp_real3_dot(e->to, o->along), o->length * ARC_SLACK))
        return;
    vp_real3 u = vp_real3_cross(e->along, o->along);
    if (!vp_real3_make_unit(&u, o->length * PARALLEL))
        return;
    u = vp_real3_dot(u, vp_real3_plus(e->from, e->to, 1.0)) > 0.0 ? vp_real3_scale(u, -1.0) : u; /* points into a, out of b */
    if (vp_real3_dot(u, vp_real3_plus(arc->from, arc->to, 1.0)) < -ARC_SLACK ||
        !(vp_real3_dot(u, vp_real3_sub(e->vertex, o->at)) > pair->s))
        return;
    vp_pair_try(pair, vp_core_to_world(&pair->b, u));
}

static void try_all_edges(vp_shape_pair *pair)
{
    const vp_core *a = &pair->a, *b = &pair->b;
    edge_of_b kept[KEPT];
    for (uint32_t j = 0; a->arc_count != 0 && j < b->arc_count && j < KEPT; j++)
        kept[j] = edge_of_arc(b, j);
    for (uint32_t i = 0; i < a->arc_count; i++) {
        const vp_core_arc arc = vp_core_local_arc(a, i);
        uint32_t vertex[2];
        vp_core_edge(a, arc.edge, vertex);
        const vp_real3 from = vp_core_vertex(a, vertex[0]);
        edge_of_a e = {.from = vp_core_to_local(b, vp_core_to_world(a, arc.from)),
                       .to = vp_core_to_local(b, vp_core_to_world(a, arc.to)),
                       .along = vp_core_to_local(b, vp_real3_sub(vp_core_vertex(a, vertex[1]), from)),
                       .vertex = vp_core_to_local(b, vp_real3_sub(from, b->position))};
        if (!vp_real3_make_unit(&e.along, 0.0))
            continue;
        for (uint32_t j = 0; j < b->arc_count && !vp_pair_is_beyond(pair); j++) {
            edge_of_b other;
            const edge_of_b *o = j < KEPT ? &kept[j] : &other;
            if (j >= KEPT)
                other.arc = vp_core_local_arc(b, j);
            if (!is_across(vp_real3_dot(o->arc.from, e.along), vp_real3_dot(o->arc.to, e.along), ARC_SLACK))
                continue;
            if (j >= KEPT)
                other = edge_of_arc(b, j);
            try_edges(pair, &e, o);
        }
    }
}

/* Tries the 15 directions that can be the best of two boxes that overlap (S. Gottschalk, M. C. Lin and D. Manocha,
 * "OBBTree: a hierarchical structure for rapid interference detection", 1996). */
static void try_box_axes(vp_shape_pair *pair)
{
    const vp_core *a = &pair->a, *b = &pair->b;
    const vp_real3 from_b = vp_real3_sub(a->position, b->position), in_a = vp_core_to_local(a, from_b), in_b = vp_core_to_local(b, from_b);
    const double way_a[3] = {in_a.x, in_a.y, in_a.z}, way_b[3] = {in_b.x, in_b.y, in_b.z};
    const double half_a[3] = {(double)a->shape->half.x, (double)a->shape->half.y, (double)a->shape->half.z};
    const double half_b[3] = {(double)b->shape->half.x, (double)b->shape->half.y, (double)b->shape->half.z};
    double r[3][3], size[3][3], best = -INFINITY, way = 0.0, length = 1.0; /* cosines of the axes, and their sizes */
    int of_a = 3, of_b = 3;                                                /* axes of the best direction, 3 = none */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            r[i][j] = vp_real3_dot(a->axis[i], b->axis[j]);
            size[i][j] = fabs(r[i][j]);
        }
    for (int i = 0; i < 3; i++) {
        const double s = fabs(way_a[i]) - (half_a[i] + ((size[i][0] * half_b[0] + size[i][1] * half_b[1]) + size[i][2] * half_b[2]));
        const double t = fabs(way_b[i]) - (half_b[i] + ((size[0][i] * half_a[0] + size[1][i] * half_a[1]) + size[2][i] * half_a[2]));
        of_a = s > best ? i : of_a;
        of_b = s > best ? 3 : of_b;
        way = s > best ? way_a[i] : way;
        best = vp_double_max(s, best);
        of_a = t > best ? 3 : of_a;
        of_b = t > best ? i : of_b;
        way = t > best ? way_b[i] : way;
        best = vp_double_max(t, best);
    }
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int m = (j + 1) % 3, n = (j + 2) % 3;
            const double square = r[k][j] * r[k][j] + r[l][j] * r[l][j], along = way_a[l] * r[k][j] - way_a[k] * r[l][j];
            const double reach = (half_a[k] * size[l][j] + half_a[l] * size[k][j]) + (half_b[m] * size[i][n] + half_b[n] * size[i][m]);
            const double apart = fabs(along) - reach, root = sqrt(square);
            if (square > PARALLEL * PARALLEL && apart > best * root) {
                best = apart / root;
                of_a = i;
                of_b = j;
                way = along;
                length = root;
            }
        }
    }
    vp_real3 u = of_b == 3 ? a->axis[of_a] : of_a == 3 ? b->axis[of_b] : vp_real3_cross(a->axis[of_a], b->axis[of_b]);
    vp_pair_try(pair, vp_real3_scale(u, (way < 0.0 ? -1.0 : 1.0) / length));
}

/* Tries the direction from a box to a point: from the box's nearest point, or out of its nearest face if the point is inside. */
static void try_box_and_point(vp_shape_pair *pair)
{
    const bool point_is_a = pair->a.vertex_count == 1;
    const vp_core *point = point_is_a ? &pair->a : &pair->b, *box = point_is_a ? &pair->b : &pair->a;
    const vp_real3 half = vp_real3_of(box->shape->half), p = vp_core_to_local(box, vp_real3_sub(point->position, box->position));
    const double x = fabs(p.x) - half.x, y = fabs(p.y) - half.y, z = fabs(p.z) - half.z;
    vp_real3 out = {vp_double_max(x, 0.0), vp_double_max(y, 0.0), vp_double_max(z, 0.0)};
    if (!vp_real3_make_unit(&out, pair->size * VP_PAIR_NOTHING))
        out = x >= y && x >= z ? (vp_real3){1.0, 0.0, 0.0} : y >= z ? (vp_real3){0.0, 1.0, 0.0} : (vp_real3){0.0, 0.0, 1.0};
    const vp_real3 u = {copysign(out.x, p.x), copysign(out.y, p.y), copysign(out.z, p.z)};
    vp_pair_try(pair, vp_core_to_world(box, point_is_a ? u : vp_real3_scale(u, -1.0)));
}

/* ---- closest features ---- */

/* Searches for the closest features. Sides: 0 = a, 1 = b. Two features are at least as far apart as their heights and the gap. */
typedef struct axis_search {
    vp_shape_pair *pair;
    vp_core_view view[2]; /* of each side, towards the other one */
    vp_real3 place[2][VP_CORE_KEPT]; /* of each side's vertices to search, up to this number */
    double shift;         /* a is moved by -shift u */
    double gap;           /* between the farthest vertices along u */
    double slack;         /* a later pair must be nearer by more than this */
    double below;         /* so it must be nearer than this */
    double nearest;       /* distance of the best pair so far */
    vp_real3 *offset;     /* from b to a, between them */
    int from;             /* side of the first feature */
} axis_search;

static const vp_core *core_of(const axis_search *s, int side)
{
    return s->view[side].core;
}

VP_INLINE vp_real3 find_place(const axis_search *s, int side, uint32_t i)
{
    const vp_real3 p = vp_core_vertex(core_of(s, side), i);
    return side == 0 ? vp_real3_plus(p, s->pair->u, -s->shift) : p;
}

static void find_places(axis_search *s, int side)
{
    for (uint32_t k = 0; k < s->view[side].vertices.count; k++) {
        const uint32_t i = vp_part_number(&s->view[side].vertices, k);
        if (i < VP_CORE_KEPT)
            s->place[side][i] = find_place(s, side, i);
    }
}

static inline vp_real3 vertex_of(const axis_search *s, int side, uint32_t i)
{
    return i < VP_CORE_KEPT ? s->place[side][i] : find_place(s, side, i);
}

static double height_of(const axis_search *s, int side, uint32_t i)
{
    return vp_core_height(&s->view[side], i);
}

static double edge_height(const axis_search *s, int side, uint32_t edge)
{
    uint32_t v[2];
    vp_core_edge(core_of(s, side), edge, v);
    return vp_double_min(height_of(s, side, v[0]), height_of(s, side, v[1]));
}

/* ---- comparisons ---- */

VP_NOINLINE void keep_places(axis_search *s, double distance, const vp_real3 *p, uint32_t feature_p, const vp_real3 *q, uint32_t feature_q)
{
    vp_shape_pair *pair = s->pair;
    const bool is_swapped = s->from == 1;
    s->nearest = distance;
    s->below = distance - s->slack;
    *s->offset = is_swapped ? vp_real3_sub(*q, *p) : vp_real3_sub(*p, *q);
    pair->on_a = vp_real3_plus(is_swapped ? *q : *p, pair->u, s->shift);
    pair->feature_a = is_swapped ? feature_q : feature_p;
    pair->feature_b = is_swapped ? feature_p : feature_q;
}

/* Compares a place p of side `from` with a place q of the other one. */
VP_INLINE void compare_places(axis_search *s, vp_real3 p, uint32_t feature_p, vp_real3 q, uint32_t feature_q)
{
    const double distance = vp_real3_length(vp_real3_sub(p, q));
    if (distance < s->below)
        keep_places(s, distance, &p, feature_p, &q, feature_q);
}

static void compare_with_edge(axis_search *s, int to, uint32_t edge, vp_real3 p, uint32_t feature)
{
    uint32_t v[2];
    vp_core_edge(core_of(s, to), edge, v);
    const vp_real3 a = vertex_of(s, to, v[0]), b = vertex_of(s, to, v[1]), along = vp_real3_sub(b, a);
    const double square = vp_real3_dot(along, along), part = vp_real3_dot(vp_real3_sub(p, a), along);
    if (part > 0.0 && part < square)
        compare_places(s, p, feature, vp_real3_plus(a, along, part / square), vp_core_edge_feature(core_of(s, to), edge));
}

/* @param inside  least distance of p from the face's border */
static void compare_with_face(axis_search *s, int to, uint32_t face, vp_real3 p, uint32_t feature, double inside)
{
    const vp_core *c = core_of(s, to);
    const uint32_t count = vp_core_corner_count(c, face);
    const vp_real3 n = vp_core_to_world(c, vp_core_local_normal(c, face)), first = vertex_of(s, to, vp_core_corner(c, face, 0));
    const double above = vp_real3_dot(n, vp_real3_sub(p, first));
    if (!(fabs(above) < s->below))
        return;
    vp_real3 a = first;
    for (uint32_t i = 1; i <= count; i++) {
        const vp_real3 b = i == count ? first : vertex_of(s, to, vp_core_corner(c, face, i)), along = vp_real3_sub(b, a);
        const double in = vp_real3_dot(vp_real3_cross(n, along), vp_real3_sub(p, a));
        if (!(in > 0.0 && in * in >= inside * inside * vp_real3_dot(along, along))) /* on the border the edge counts */
            return;
        a = b;
    }
    compare_places(s, p, feature, vp_real3_plus(p, n, -above), VP_SHAPE_FACE + face);
}

/* Compares each vertex of a side with the features of the other one. Pairs of vertices are compared once. */
static void compare_vertices(axis_search *s, int side)
{
    const int other = 1 - side;
    const vp_core *from = core_of(s, side), *to = core_of(s, other);
    s->from = side;
    for (uint32_t i = 0; i < s->view[side].vertices.count && s->below > 0.0; i++) {
        const uint32_t vertex = vp_part_number(&s->view[side].vertices, i), feature = vp_core_vertex_feature(from, vertex);
        const double low = s->gap + height_of(s, side, vertex);
        if (!(low < s->below))
            continue;
        const vp_real3 p = vertex_of(s, side, vertex);
        for (uint32_t j = 0; j < s->view[other].vertices.count && side == 0; j++) {
            const uint32_t number = vp_part_number(&s->view[other].vertices, j);
            if (low + height_of(s, other, number) < s->below)
                compare_places(s, p, feature, vertex_of(s, other, number), vp_core_vertex_feature(to, number));
        }
        for (uint32_t j = 0; j < s->view[other].edges.count; j++) {
            const uint32_t number = vp_part_number(&s->view[other].edges, j);
            if (low + edge_height(s, other, number) < s->below)
                compare_with_edge(s, other, number, p, feature);
        }
        for (uint32_t j = 0; j < s->view[other].faces.count && low < s->below; j++)
            compare_with_face(s, other, vp_part_number(&s->view[other].faces, j), p, feature, 0.0);
    }
}

/* Compares two edges where they cross, seen along the direction perpendicular to both. Their ends were compared as vertices.
 * @param inside  least distance of each end from the other edge's line */
static void compare_edges(axis_search *s, uint32_t i, vp_real3 a, vp_real3 along, uint32_t j, double inside)
{
    uint32_t v[2];
    vp_core_edge(&s->pair->b, j, v);
    const vp_real3 c = vertex_of(s, 1, v[0]), other = vp_real3_sub(vertex_of(s, 1, v[1]), c);
    const vp_real3 g = vp_real3_cross(along, other), from = vp_real3_sub(c, a);
    const double square = vp_real3_dot(g, g), along_square = vp_real3_dot(along, along), other_square = vp_real3_dot(other, other);
    if (!(square > PARALLEL * PARALLEL * (along_square * other_square)))
        return;
    const double x = vp_real3_dot(vp_real3_cross(from, other), g), y = vp_real3_dot(vp_real3_cross(from, along), g);
    const double in_x = vp_double_min(x, square - x), in_y = vp_double_min(y, square - y), least = inside * inside * square;
    if (in_x > 0.0 && in_y > 0.0 && in_x * in_x >= least * other_square && in_y * in_y >= least * along_square)
        compare_places(s, vp_real3_plus(a, along, x / square), vp_core_edge_feature(&s->pair->a, i), vp_real3_plus(c, other, y / square),
                       vp_core_edge_feature(&s->pair->b, j));
}

static void compare_all_edges(axis_search *s)
{
    s->from = 0;
    for (uint32_t i = 0; i < s->view[0].edges.count && s->below > 0.0; i++) {
        const uint32_t edge = vp_part_number(&s->view[0].edges, i);
        const double low = s->gap + edge_height(s, 0, edge);
        if (!(low < s->below))
            continue;
        uint32_t v[2];
        vp_core_edge(&s->pair->a, edge, v);
        const vp_real3 from = vertex_of(s, 0, v[0]), along = vp_real3_sub(vertex_of(s, 0, v[1]), from);
        for (uint32_t j = 0; j < s->view[1].edges.count; j++) {
            const uint32_t number = vp_part_number(&s->view[1].edges, j);
            if (low + edge_height(s, 1, number) < s->below)
                compare_edges(s, edge, from, along, number, 0.0);
        }
    }
}

static void begin_search(axis_search *s)
{
    find_places(s, 0);
    find_places(s, 1);
    s->nearest = s->below = INFINITY;
    *s->offset = (vp_real3){0.0, 0.0, 0.0};
}

static void compare_all(axis_search *s)
{
    begin_search(s);
    compare_vertices(s, 0);
    compare_vertices(s, 1);
    compare_all_edges(s);
}

/* Whether the parts of a side to search are a face and its border. */
static bool is_one_face(const axis_search *s, int side)
{
    const vp_core_view *v = &s->view[side];
    return v->faces.count == 1 && v->vertices.count == vp_core_corner_count(v->core, v->faces.number[0]);
}

/* If a vertex touches a face, or an edge an edge, far enough from its ends, all other pairs are too far apart to touch. So only this pair
 * is compared. @return whether it touches */
static bool touches_inside(axis_search *s)
{
    const vp_core_view *a = &s->view[0], *b = &s->view[1];
    const double inside = s->pair->size * 0x1p-16;
    if (a->vertices.count == 2 && a->edges.count == 1 && b->vertices.count == 2 && b->edges.count == 1) {
        uint32_t v[2];
        begin_search(s);
        s->from = 0;
        vp_core_edge(a->core, a->edges.number[0], v);
        const vp_real3 from = vertex_of(s, 0, v[0]);
        compare_edges(s, a->edges.number[0], from, vp_real3_sub(vertex_of(s, 0, v[1]), from), b->edges.number[0], inside);
        return s->nearest <= s->slack;
    }
    const int side = a->vertices.count == 1 ? 0 : 1;
    if (s->view[side].vertices.count != 1 || !is_one_face(s, 1 - side))
        return false;
    const uint32_t vertex = s->view[side].vertices.number[0];
    begin_search(s);
    s->from = side;
    compare_with_face(s, 1 - side, s->view[1 - side].faces.number[0], vertex_of(s, side, vertex),
                      vp_core_vertex_feature(s->view[side].core, vertex), inside);
    return s->nearest <= s->slack;
}

/* Finds the closest features. *offset: the vector from b to a, between them. */
static void find_closest(vp_shape_pair *pair, double shift, double slack, vp_real3 *offset)
{
    const vp_real3 back = vp_real3_scale(pair->u, -1.0);
    axis_search s;
    s.pair = pair;
    s.offset = offset;
    s.shift = shift;
    s.gap = pair->s - shift;
    s.slack = slack;
    vp_core_see(&pair->a, &back, &s.view[0]);
    vp_core_see(&pair->b, &pair->u, &s.view[1]);
    s.nearest = INFINITY;
    /* If the shapes touch, the features lie in one plane. All are searched unless those in it touch. */
    const double high = pair->size * 0x1p-16;
    if (s.gap <= 0.0 && vp_core_take_low(&s.view[0], high) && vp_core_take_low(&s.view[1], high) && !touches_inside(&s))
        compare_all(&s);
    if (!(s.nearest <= slack)) {
        vp_core_take_all(&s.view[0]);
        vp_core_take_all(&s.view[1]);
        compare_all(&s);
    }
}

/* ---- the pair ---- */

void vp_pair_polytopes_direction(vp_shape_pair *pair)
{
    if (pair->a.vertex_count == 1 && pair->b.vertex_count == 1) /* the direction between the positions is the best */
        return;
    const bool a_is_box = pair->a.shape->kind == VP_COLLIDE_BOX, b_is_box = pair->b.shape->kind == VP_COLLIDE_BOX;
    if ((a_is_box && pair->b.vertex_count == 1) || (b_is_box && pair->a.vertex_count == 1)) {
        try_box_and_point(pair);
        return;
    }
    if (a_is_box && b_is_box) {
        try_box_axes(pair);
        if (vp_pair_is_beyond(pair) || pair->s <= 0.0)
            return;
    }
    const double most = vp_pair_find_direction(pair, 0.0);
    if (vp_pair_is_beyond(pair) || most - pair->s <= pair->size * ENOUGH)
        return;
    try_faces(pair, &pair->a, -1.0);
    try_faces(pair, &pair->b, 1.0);
    if (!vp_pair_is_beyond(pair))
        try_all_edges(pair);
    if (vp_pair_is_beyond(pair) || pair->s < -(pair->size * VP_PAIR_BAND))
        return;
    vp_real3 offset;
    find_closest(pair, 0.0, 0.0, &offset);
    if (vp_real3_make_unit(&offset, pair->size * VP_PAIR_NOTHING))
        vp_pair_try(pair, offset);
}

void vp_pair_polytopes_place(vp_shape_pair *pair)
{
    vp_real3 offset;
    find_closest(pair, pair->s, pair->size * 0x1p-22, &offset);
}
