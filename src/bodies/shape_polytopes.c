/* SPDX-License-Identifier: MIT */
/* Two polytopes, including points and segments: separating axes, then closest features.
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
/* A later pair of features must be nearer by more than this part of the size. */
#define SLACK 0x1p-22
/* Shapes that are moved until they touch are nearer than this part of the size. */
#define NEAR 0x1p-10
/* Edges with a smaller sine are parallel. The face that they form is narrower than this part of their length. */
#define PARALLEL 0x1p-30

/* ---- axes ---- */

static void try_faces(vp_shape_pair *pair, const vp_core *c, double sign)
{
    for (uint32_t f = 0; f < c->face_count && !vp_pair_is_beyond(pair); f++)
        vp_pair_try_face(pair, c, f);
    if (c->face_count == 0) /* a segment: any direction perpendicular to it */
        for (uint32_t i = 0; i < c->arc_count; i++)
            vp_pair_try(pair, vp_real3_scale(vp_core_to_world(c, vp_core_local_arc(c, i).from), sign));
}

/* Numbers of a core that are computed once a pair. Those of larger cores, past these, are computed each time. */
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

/* ---- closest features ---- */

typedef struct axis_search {
    vp_shape_pair *pair;
    vp_real3 vertex[2][KEPT], normal[2][KEPT]; /* of a and b, in the world. a is moved */
    double shift;                              /* a is moved by -shift u */
    double slack;                              /* a later pair must be nearer by more than this */
    double nearest;                            /* distance of the best pair so far */
    double first;                              /* distance of the first pair that was nearer than the limit */
    vp_real3 offset;                           /* from b to a, between them */
    bool is_swapped;                           /* `from` is b */
} axis_search;

static vp_real3 moved_vertex(const axis_search *s, const vp_core *c, uint32_t i)
{
    const vp_real3 p = vp_core_vertex(c, i);
    return c == &s->pair->a ? vp_real3_plus(p, s->pair->u, -s->shift) : p;
}

static vp_real3 vertex_of(const axis_search *s, const vp_core *c, uint32_t i)
{
    return i < KEPT ? s->vertex[c == &s->pair->b][i] : moved_vertex(s, c, i);
}

static vp_real3 normal_of(const axis_search *s, const vp_core *c, uint32_t face)
{
    return face < KEPT ? s->normal[c == &s->pair->b][face] : vp_core_to_world(c, vp_core_local_normal(c, face));
}

/* Whether no pair can be nearer by more than the slack. */
VP_INLINE bool is_done(const axis_search *s)
{
    return s->nearest < s->slack;
}

/* Compares a place p of `from` with a place q of `to`. */
static void compare_places(axis_search *s, vp_real3 p, uint32_t feature_p, vp_real3 q, uint32_t feature_q)
{
    const double distance = vp_real3_length(vp_real3_sub(p, q));
    if (!(distance < s->nearest - s->slack))
        return;
    vp_shape_pair *pair = s->pair;
    s->first = s->first < INFINITY ? s->first : distance;
    s->nearest = distance;
    s->offset = s->is_swapped ? vp_real3_sub(q, p) : vp_real3_sub(p, q);
    pair->on_a = vp_real3_plus(s->is_swapped ? q : p, pair->u, s->shift);
    pair->feature_a = s->is_swapped ? feature_q : feature_p;
    pair->feature_b = s->is_swapped ? feature_p : feature_q;
}

/* Component of p - q along u, oriented from `to` to `from`: a lower bound of the distance from p to a feature that
 * reaches no farther than q. */
static double find_lower_bound(const axis_search *s, vp_real3 p, vp_real3 q)
{
    const double way = vp_real3_dot(s->pair->u, vp_real3_sub(p, q));
    return s->is_swapped ? -way : way;
}

static void compare_with_edge(axis_search *s, const vp_core *to, uint32_t edge, vp_real3 p, uint32_t feature)
{
    uint32_t v[2];
    vp_core_edge(to, edge, v);
    const vp_real3 a = vertex_of(s, to, v[0]), b = vertex_of(s, to, v[1]), along = vp_real3_sub(b, a);
    if (!(vp_double_min(find_lower_bound(s, p, b), find_lower_bound(s, p, a)) < s->nearest))
        return;
    const double square = vp_real3_dot(along, along), part = vp_real3_dot(vp_real3_sub(p, a), along);
    if (part > 0.0 && part < square)
        compare_places(s, p, feature, vp_real3_plus(a, along, part / square), vp_core_edge_feature(to, edge));
}

static void compare_with_face(axis_search *s, const vp_core *to, uint32_t face, vp_real3 p, uint32_t feature)
{
    const uint32_t count = vp_core_corner_count(to, face);
    const vp_real3 n = normal_of(s, to, face), first = vertex_of(s, to, vp_core_corner(to, face, 0));
    const double above = vp_real3_dot(n, vp_real3_sub(p, first));
    if (!(fabs(above) < s->nearest))
        return;
    vp_real3 a = first;
    for (uint32_t i = 1; i <= count; i++) {
        const vp_real3 b = i == count ? first : vertex_of(s, to, vp_core_corner(to, face, i));
        if (!(vp_real3_dot(vp_real3_cross(n, vp_real3_sub(b, a)), vp_real3_sub(p, a)) > 0.0)) /* on the border the edge counts */
            return;
        a = b;
    }
    compare_places(s, p, feature, vp_real3_plus(p, n, -above), VP_SHAPE_FACE + face);
}

/* Compares each vertex of `from` with the features of `to`. Pairs of vertices are compared once. */
static void compare_vertices(axis_search *s, const vp_core *from, const vp_core *to)
{
    s->is_swapped = from == &s->pair->b;
    const double reach = vp_core_reach(to, vp_real3_scale(s->pair->u, s->is_swapped ? -1.0 : 1.0)) + (s->is_swapped ? s->shift : 0.0);
    for (uint32_t i = 0; i < from->vertex_count && !is_done(s); i++) {
        const vp_real3 p = vertex_of(s, from, i);
        const uint32_t feature = vp_core_vertex_feature(from, i);
        if (!((s->is_swapped ? -vp_real3_dot(s->pair->u, p) : vp_real3_dot(s->pair->u, p)) - reach < s->nearest))
            continue;
        for (uint32_t j = 0; j < to->vertex_count && !s->is_swapped; j++)
            compare_places(s, p, feature, vertex_of(s, to, j), vp_core_vertex_feature(to, j));
        for (uint32_t j = 0; j < to->edge_count && !is_done(s); j++)
            compare_with_edge(s, to, j, p, feature);
        for (uint32_t j = 0; j < to->face_count && !is_done(s); j++)
            compare_with_face(s, to, j, p, feature);
    }
}

/* Compares two edges where they cross, seen along the direction perpendicular to both. Their ends were compared as vertices. */
static void compare_edges(axis_search *s, uint32_t i, vp_real3 a, vp_real3 along, uint32_t j)
{
    const vp_core *to = &s->pair->b;
    uint32_t v[2];
    vp_core_edge(to, j, v);
    const vp_real3 c = vertex_of(s, to, v[0]), d = vertex_of(s, to, v[1]);
    const double low = vp_double_min(find_lower_bound(s, a, d), find_lower_bound(s, a, c)), more = vp_real3_dot(s->pair->u, along);
    if (!((more < 0.0 ? low + more : low) < s->nearest))
        return;
    const vp_real3 other = vp_real3_sub(d, c), g = vp_real3_cross(along, other), from = vp_real3_sub(c, a);
    const double square = vp_real3_dot(g, g);
    if (!(square > PARALLEL * PARALLEL * (vp_real3_dot(along, along) * vp_real3_dot(other, other))))
        return;
    const double x = vp_real3_dot(vp_real3_cross(from, other), g), y = vp_real3_dot(vp_real3_cross(from, along), g);
    if (x > 0.0 && x < square && y > 0.0 && y < square)
        compare_places(s, vp_real3_plus(a, along, x / square), vp_core_edge_feature(&s->pair->a, i), vp_real3_plus(c, other, y / square),
                       vp_core_edge_feature(to, j));
}

static void compare_all_edges(axis_search *s)
{
    const vp_core *a = &s->pair->a;
    const double reach = vp_core_reach(&s->pair->b, s->pair->u);
    s->is_swapped = false;
    for (uint32_t i = 0; i < a->edge_count && !is_done(s); i++) {
        uint32_t v[2];
        vp_core_edge(a, i, v);
        const vp_real3 from = vertex_of(s, a, v[0]), to = vertex_of(s, a, v[1]);
        if (!(vp_double_min(vp_real3_dot(s->pair->u, to), vp_real3_dot(s->pair->u, from)) - reach < s->nearest))
            continue;
        for (uint32_t j = 0; j < s->pair->b.edge_count && !is_done(s); j++)
            compare_edges(s, i, from, vp_real3_sub(to, from), j);
    }
}

/* Compares all features that may be nearer than a limit. */
static void compare_features(axis_search *s, double limit)
{
    s->nearest = limit;
    s->first = INFINITY;
    compare_vertices(s, &s->pair->a, &s->pair->b);
    compare_vertices(s, &s->pair->b, &s->pair->a);
    compare_all_edges(s);
}

/* Finds the closest features. *offset: the vector from b to a, between them.
 *
 * Most features are skipped by a limit. The result is the same if the first pair below the limit is so by two slacks: without the limit the
 * best pair before it is at least limit - slack apart, so this pair replaces it as well. Otherwise the search is repeated without. */
static void find_closest(vp_shape_pair *pair, double shift, double slack, double limit, vp_real3 *offset)
{
    axis_search s;
    s.pair = pair;
    s.shift = shift;
    s.slack = slack;
    s.offset = (vp_real3){0.0, 0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        const vp_core *c = k == 0 ? &pair->a : &pair->b;
        for (uint32_t i = 0; i < c->vertex_count && i < KEPT; i++)
            s.vertex[k][i] = moved_vertex(&s, c, i);
        for (uint32_t i = 0; i < c->face_count && i < KEPT; i++)
            s.normal[k][i] = vp_core_to_world(c, vp_core_local_normal(c, i));
    }
    compare_features(&s, limit);
    if (!(s.first < limit - pair->size * (2.0 * SLACK)))
        compare_features(&s, INFINITY);
    *offset = s.offset;
}

/* ---- the pair ---- */

void vp_pair_polytopes_direction(vp_shape_pair *pair)
{
    try_faces(pair, &pair->a, -1.0);
    try_faces(pair, &pair->b, 1.0);
    if (!vp_pair_is_beyond(pair))
        try_all_edges(pair);
    if (vp_pair_is_beyond(pair) || pair->s < -(pair->size * VP_PAIR_BAND))
        return;
    vp_real3 offset;
    find_closest(pair, 0.0, 0.0, 2.0 * pair->margin, &offset);
    if (vp_real3_make_unit(&offset, pair->size * VP_PAIR_NOTHING))
        vp_pair_try(pair, offset);
}

void vp_pair_polytopes_place(vp_shape_pair *pair)
{
    vp_real3 offset;
    find_closest(pair, pair->s, pair->size * SLACK, pair->size * NEAR, &offset);
}
