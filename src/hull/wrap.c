/* SPDX-License-Identifier: MIT */
/* Gift wrapping (D. R. Chand and S. S. Kapur, "An Algorithm for Convex Polytopes", 1970). See hull/wrap.h.
 *
 * From one face, the others follow. Across each edge of a face a plane turns around the edge until it touches a point. All
 * points that it touches form the next face, with any number of corners. Signs of determinants decide (src/core/exact.h), so
 * every face is found once. For few points this is quicker than quickhull, because there are no triangles to keep, to
 * join and to sort. Sets of points are the bits of a word. */
#include "src/hull/wrap.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/core/exact.h"
#include "src/core/inline.h"
#include "src/core/real3.h"
#include "src/hull/vector.h"

typedef struct wrapping {
    const vp_vec3 *point;
    double at[VP_WRAP_POINTS][3];  /* the points in double */
    double bound;                  /* error bound of a plane's value at a point */
    double flat[3];                /* error bounds of a line's value at a point, seen along each axis */
    double area[3];                /* error bounds of a plane's normal, and of a turn between points, seen along each axis */
    uint32_t left;                 /* points that may be on further faces */
    uint32_t open;                 /* vertices around which a face is missing */
    uint32_t to[VP_WRAP_POINTS];   /* ends of the half-edges that start at each point */
    uint32_t from[VP_WRAP_POINTS]; /* starts of those that end there */
    vp_wrapped *out;
} wrapping;

static uint32_t bit_of(uint32_t point)
{
    return UINT32_C(1) << point;
}

static uint32_t lowest_of(uint32_t set)
{
    return (uint32_t)__builtin_ctz(set);
}

/* A plane through three points. A point p is above if n.p is above `high`, and below if it is below `low`. */
typedef struct spanned {
    double n[3], low, high;
} spanned;

static void span_plane(const wrapping *w, uint32_t a, uint32_t b, uint32_t c, spanned *s)
{
    const double *at = w->at[a], *to_u = w->at[b], *to_v = w->at[c];
    const double u[3] = {to_u[0] - at[0], to_u[1] - at[1], to_u[2] - at[2]}, v[3] = {to_v[0] - at[0], to_v[1] - at[1], to_v[2] - at[2]};
    vp_cross(u, v, s->n);
    const double offset = vp_dot(s->n, at);
    s->low = offset - w->bound;
    s->high = offset + w->bound;
}

/* Sets the error bound of vp_det3 for points of a box, doubled because n.p and n.at are rounded too. No side of a triangle
 * is longer than the box. Sets the bounds of vp_det2 in the same way, and those of
 * products of differences. */
static void bound_errors(wrapping *w, const vp_hull_bounds *bounds)
{
    const float low[3] = {bounds->min.x, bounds->min.y, bounds->min.z}, high[3] = {bounds->max.x, bounds->max.y, bounds->max.z};
    double side[3], reach[3];
    for (int k = 0; k < 3; k++) {
        side[k] = (double)high[k] - (double)low[k];
        reach[k] = vp_double_max(fabs((double)low[k]), fabs((double)high[k])) + side[k];
    }
    const double most[3] = {2 * side[1] * side[2], 2 * side[2] * side[0], 2 * side[0] * side[1]}; /* of n, and of its terms' sizes */
    w->bound = vp_dot(most, reach) * (2 * VP_DET3_BOUND);
    for (int k = 0; k < 3; k++)
        w->area[k] = most[k] * VP_DET3_BOUND;
    w->flat[0] = (side[1] * reach[2] + side[2] * reach[1]) * (2 * VP_DET3_BOUND);
    w->flat[1] = (side[2] * reach[0] + side[0] * reach[2]) * (2 * VP_DET3_BOUND);
    w->flat[2] = (side[0] * reach[1] + side[1] * reach[0]) * (2 * VP_DET3_BOUND);
}

/* Turns a plane around the edge from a to b, away from the outside, until no point of a set is above it. The set must
 * be within half a turn. @param s  receives the plane @return the points of the set on the plane */
VP_INLINE uint32_t turn_plane(const wrapping *w, uint32_t a, uint32_t b, uint32_t set, spanned *s)
{
    /* The next corner is often an end of an edge at a or b whose other face is missing, so these ends are tested first.
     * Consecutive points often lie along a ring, so every fourth point is tested next. The plane then turns in few steps. */
    const uint32_t ends = ((w->from[b] & ~w->to[b]) | (w->to[a] & ~w->from[a])) & set;
    const uint32_t part[3] = {ends, 0x11111111 & ~ends, 0xEEEEEEEE & ~ends};
    const vp_vec3 *p = w->point;
    uint32_t c = lowest_of(ends != 0 ? ends : set), on = bit_of(c);
    span_plane(w, a, b, c, s);
    set &= ~on;
    for (int k = 0; k < 3; k++)
        for (uint32_t left = set & part[k]; left != 0; left &= left - 1) {
            const uint32_t d = lowest_of(left);
            const double value = vp_dot(s->n, w->at[d]);
            if (value < s->low)
                continue;
            const int side = value > s->high ? 1 : vp_orient3d(p[a], p[b], p[c], p[d]);
            if (side > 0) {
                c = d;
                on = bit_of(c);
                span_plane(w, a, b, c, s);
            } else if (side == 0) {
                on |= bit_of(d);
            }
        }
    return on;
}

/* ---- in a plane ---- */

static vp_vec2 project(vp_vec3 p, int axis)
{
    return axis == 0 ? (vp_vec2){p.y, p.z} : axis == 1 ? (vp_vec2){p.z, p.x} : (vp_vec2){p.x, p.y};
}

/* Whether a point is farther from another than a third one on the same ray. */
static bool is_farther(vp_vec2 from, vp_vec2 than, vp_vec2 point)
{
    if (than.x > from.x || than.x < from.x)
        return than.x > from.x ? point.x > than.x : point.x < than.x;
    return than.y > from.y ? point.y > than.y : point.y < than.y;
}

/* The point of a set such that all others are to the left of the ray to it, along an axis. If `right`, to the right.
 * The set must be within half a turn around `from`. The farthest counts on one ray. `on` receives all points on the ray. */
static uint32_t turn_line(const wrapping *w, uint32_t from, uint32_t set, int axis, bool right, uint32_t *on)
{
    const int i = axis < 2 ? axis + 1 : 0, k = axis > 0 ? axis - 1 : 2;
    const vp_vec2 a = project(w->point[from], axis);
    const double *start = w->at[from], by = right ? -1.0 : 1.0;
    uint32_t c = lowest_of(set);
    *on = bit_of(c);
    for (uint32_t left = set & (set - 1); left != 0;) {
        /* The line from the start to c. Points p with n.p above n.start are to its left. */
        const double n[2] = {by * (start[k] - w->at[c][k]), by * (w->at[c][i] - start[i])}, offset = n[0] * start[i] + n[1] * start[k];
        const double low = offset - w->flat[axis], high = offset + w->flat[axis];
        const vp_vec2 to = project(w->point[c], axis);
        for (bool same = true; same && left != 0; left &= left - 1) {
            const uint32_t d = lowest_of(left);
            const double value = n[0] * w->at[d][i] + n[1] * w->at[d][k];
            if (value > high)
                continue;
            const vp_vec2 at = project(w->point[d], axis);
            const int turn = value < low ? -1 : right ? vp_orient2d(a, at, to) : vp_orient2d(a, to, at);
            if (turn > 0)
                continue;
            *on = turn == 0 ? *on | bit_of(d) : bit_of(d);
            if (turn < 0 || is_farther(a, to, at)) {
                c = d;
                same = false;
            }
        }
    }
    return c;
}

/* ---- faces ---- */

static void add_edge(wrapping *w, uint32_t edge, uint32_t from, uint32_t to)
{
    vp_wrapped *out = w->out;
    out->from[edge] = (uint8_t)from;
    out->face[edge] = (uint8_t)out->faces;
    out->edge[from * VP_WRAP_POINTS + to] = (uint8_t)edge;
    w->to[from] |= bit_of(to);
    w->from[to] |= bit_of(from);
}

/* The turn from b to c, seen from a along the axis before i and k. */
static double turn_between(const double a[3], const double b[3], const double c[3], int i, int k)
{
    return (b[i] - a[i]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[i] - a[i]);
}

/* The order of the corners of a face with four points, in doubles. @return whether it is certain that all four are corners */
static bool order_four(const wrapping *w, uint32_t a, uint32_t b, uint32_t *c, uint32_t *d, int axis, bool right)
{
    const int i = axis < 2 ? axis + 1 : 0, k = axis > 0 ? axis - 1 : 2;
    const double by = right ? -1.0 : 1.0, turn = by * turn_between(w->at[b], w->at[*c], w->at[*d], i, k);
    if (turn < 0.0) {
        const uint32_t other = *c;
        *c = *d;
        *d = other;
    }
    return fabs(turn) > w->area[axis] && by * turn_between(w->at[*c], w->at[*d], w->at[a], i, k) > w->area[axis];
}

/* The axis along which a face is seen, the largest component of its normal, which may be rounded. */
static int choose_axis(const wrapping *w, uint32_t a, uint32_t b, uint32_t c, double n[3])
{
    for (int exact = 0;; exact++) {
        const double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
        const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
        if (exact != 0 || fabs(n[axis]) > w->area[axis])
            return axis;
        vp_normal3(w->point[a], w->point[b], w->point[c], n);
    }
}

/* Adds the other edges of a face with more points than three. @return its other corners */
VP_NOINLINE uint32_t add_more_edges(wrapping *w, uint32_t a, uint32_t b, uint32_t on, double n[3])
{
    const uint32_t rest = on & (on - 1);
    const int axis = choose_axis(w, a, b, lowest_of(on), n);
    uint32_t edge = w->out->edges + 1, c = lowest_of(on), d = lowest_of(rest), corners = 0;
    if ((rest & (rest - 1)) == 0 && order_four(w, a, b, &c, &d, axis, n[axis] < 0.0)) {
        add_edge(w, edge++, b, c);
        add_edge(w, edge++, c, d);
        add_edge(w, edge++, d, a);
        corners = on;
    } else {
        for (uint32_t from = b, left = on; from != a; left |= bit_of(a)) {
            uint32_t ray;
            const uint32_t to = turn_line(w, from, left, axis, n[axis] < 0.0, &ray);
            left &= ~ray;
            corners |= bit_of(to);
            add_edge(w, edge++, from, to);
            from = to;
        }
    }
    w->out->edges = edge;
    return corners;
}

/* Adds the face with the edge from a to b, and removes points from `left` that cannot be on another face.
 * @param on  its other points, not all of them corners  @param line  points within the edge  @param n  its normal, rounded */
VP_INLINE void add_face(wrapping *w, uint32_t a, uint32_t b, uint32_t on, uint32_t line, double n[3])
{
    vp_wrapped *out = w->out;
    const uint32_t edge = out->edges;
    uint32_t corners = bit_of(a) | bit_of(b);
    out->on[out->faces] = on | corners | line;
    out->first[out->faces] = (uint8_t)edge;
    add_edge(w, edge, a, b);
    if ((on & (on - 1)) == 0) {
        const uint32_t c = lowest_of(on);
        add_edge(w, edge + 1, b, c);
        add_edge(w, edge + 2, c, a);
        out->edges = edge + 3;
        corners |= on;
    } else {
        corners |= add_more_edges(w, a, b, on, n);
    }
    w->left &= ~((on | line) & ~corners);
    out->used |= corners;
    w->open |= corners;
    for (uint32_t left = corners; left != 0; left &= left - 1)
        if (w->to[lowest_of(left)] == w->from[lowest_of(left)]) /* every edge has both faces */
            w->open &= ~bit_of(lowest_of(left));
    w->left &= ~out->used | w->open;
    out->first[++out->faces] = (uint8_t)out->edges;
}

/* Hash of a point, below 64. Equal points have equal hashes. */
static uint32_t hash_point(vp_vec3 p)
{
    const float at[3] = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f}; /* -0 becomes 0 */
    uint32_t bits[3];
    memcpy(bits, at, sizeof bits);
    return (bits[0] * 0x9E3779B1u + bits[1] * 0x85EBCA77u + bits[2] * 0xC2B2AE3Du) >> 26;
}

/* The set of points without duplicates. The first of equal points stays. */
static uint32_t distinct_points(const vp_vec3 *p, uint32_t count)
{
    uint64_t seen = 0;
    uint32_t set = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bit = (uint64_t)1 << hash_point(p[i]);
        uint32_t k = (seen & bit) != 0 ? 0 : i;
        while (k < i && !(p[k].x == p[i].x && p[k].y == p[i].y && p[k].z == p[i].z))
            k++;
        set |= k == i ? bit_of(i) : 0;
        seen |= bit;
    }
    return set;
}

/* Adds a first face. The lowest point in the order of x, y, z is a corner. A plane along z turns around it until it
 * touches other points. The lower edge of all that it touches, seen along y, is an edge of the hull. */
static void add_first_face(wrapping *w)
{
    const uint32_t all = w->left;
    const vp_vec3 *p = w->point;
    spanned plane;
    uint32_t a = lowest_of(all), above = 0, on, line;
    for (uint32_t left = all; left != 0; left &= left - 1) {
        const vp_vec3 q = p[lowest_of(left)], least = p[a];
        if (q.x < least.x || (q.x == least.x && (q.y < least.y || (q.y == least.y && q.z < least.z))))
            a = lowest_of(left);
    }
    for (uint32_t left = all; left != 0; left &= left - 1) {
        const uint32_t i = lowest_of(left);
        above |= p[i].x == p[a].x && p[i].y == p[a].y ? bit_of(i) : 0; /* and the corner itself */
    }
    turn_line(w, a, all & ~above, 2, false, &on);
    const uint32_t b = turn_line(w, a, (on | above) & ~bit_of(a), 1, true, &line);
    on = turn_plane(w, a, b, all & ~(line | bit_of(a)), &plane);
    add_face(w, a, b, on, line, plane.n);
}

void vp_hull_wrap(const vp_vec3 *point, uint32_t count, const vp_hull_bounds *bounds, vp_wrapped *out)
{
    wrapping w;
    spanned plane;
    w.point = point;
    w.out = out;
    for (uint32_t i = 0; i < count; i++) {
        w.at[i][0] = (double)point[i].x;
        w.at[i][1] = (double)point[i].y;
        w.at[i][2] = (double)point[i].z;
        w.to[i] = w.from[i] = 0;
    }
    w.left = distinct_points(point, count);
    w.open = out->faces = out->edges = out->used = 0;
    bound_errors(&w, bounds);
    add_first_face(&w);
    while (w.open != 0) { /* one vertex after the other, so that few are open at a time */
        const uint32_t a = lowest_of(w.open), b = lowest_of(w.to[a] & ~w.from[a]), f = out->face[out->edge[a * VP_WRAP_POINTS + b]];
        const uint32_t on = turn_plane(&w, b, a, w.left & ~out->on[f], &plane);
        add_face(&w, b, a, on, 0, plane.n);
    }
    out->work = (uint64_t)out->faces * count;
}

void vp_wrapped_write(const vp_wrapped *w, const vp_vec3 *point, vp_outline *o, vp_hull_surface *s)
{
    uint8_t rank[VP_WRAP_POINTS], number[VP_WRAP_EDGES];
    uint32_t starts[VP_WRAP_POINTS], edges = 0, faces = 0;
    s->vertices = 0;
    for (uint32_t left = w->used; left != 0; left &= left - 1) {
        const uint32_t v = lowest_of(left);
        rank[v] = (uint8_t)s->vertices;
        starts[v] = 0;
        s->place[s->vertices] = point[v];
        s->vertex[s->vertices++] = v;
    }
    for (uint32_t f = 0; f < w->faces; f++) { /* sorts by the lowest corner and the next one */
        const uint32_t first = w->first[f], end = w->first[f + 1];
        uint32_t lowest = first;
        for (uint32_t e = first + 1; e < end; e++)
            lowest = w->from[e] < w->from[lowest] ? e : lowest;
        starts[w->from[lowest]] |= bit_of(w->from[lowest + 1 < end ? lowest + 1 : first]);
    }
    for (uint32_t v = 0; v < s->vertices; v++)
        for (uint32_t left = starts[s->vertex[v]]; left != 0; left &= left - 1) {
            const uint32_t start = w->edge[s->vertex[v] * VP_WRAP_POINTS + lowest_of(left)], f = w->face[start];
            const uint32_t first = w->first[f], end = w->first[f + 1];
            uint32_t e = start, from = w->from[e];
            o->first[faces] = edges;
            do {
                const uint32_t next = e + 1 < end ? e + 1 : first, to = w->from[next];
                number[e] = (uint8_t)edges;
                o->from[edges] = rank[from];
                o->twin[edges] = w->edge[to * VP_WRAP_POINTS + from]; /* numbered below */
                o->face[edges++] = faces;
                e = next;
                from = to;
            } while (e != start);
            faces++;
        }
    o->first[faces] = edges;
    for (uint32_t e = 0; e < edges; e++)
        o->twin[e] = number[o->twin[e]];
    vp_outline_cut(o, s);
}
