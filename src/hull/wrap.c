/* SPDX-License-Identifier: MIT */
/* Gift wrapping (D. R. Chand and S. S. Kapur, "An Algorithm for Convex Polytopes", 1970). See hull/wrap.h.
 *
 * A face is known. Across each of its edges a plane turns around the edge until it touches a point. All points that it
 * touches are the next face, whole, with any number of corners. Signs of determinants decide (src/core/exact.h), so
 * every face is found once. For few points this is quicker than quickhull, because there are no triangles to keep, to
 * join and to sort. Sets of points are the bits of a word. */
#include "src/hull/wrap.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/core/exact.h"
#include "src/core/real3.h"
#include "src/hull/vector.h"

typedef struct wrapping {
    const vp_vec3 *point;
    double at[VP_WRAP_POINTS][3]; /* the points in double */
    double bound;                 /* of errors of all planes and points */
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

/* The bound of vp_det3 for points of a box, and as much for the rounding of n.p and n.at. No side of a triangle is longer than the box. */
static double bound_errors(const vp_hull_bounds *bounds)
{
    const float low[3] = {bounds->min.x, bounds->min.y, bounds->min.z}, high[3] = {bounds->max.x, bounds->max.y, bounds->max.z};
    double side[3], reach[3];
    for (int k = 0; k < 3; k++) {
        side[k] = (double)high[k] - (double)low[k];
        reach[k] = vp_double_max(fabs((double)low[k]), fabs((double)high[k])) + side[k];
    }
    const double most[3] = {2 * side[1] * side[2], 2 * side[2] * side[0], 2 * side[0] * side[1]}; /* of n, and of its terms' sizes */
    return vp_dot(most, reach) * (2 * VP_DET3_BOUND);
}

/* Turns a plane around the edge from a to b, away from the outside, until no point of a set is above it. The set must
 * be within half a turn. @return the points of the set on the plane */
static uint32_t turn_plane(const wrapping *w, uint32_t a, uint32_t b, uint32_t set)
{
    /* Points that follow each other are often along a ring. So every eighth is tested first, and the plane turns in few steps. */
    static const uint32_t part[3] = {0x01010101, 0x10101010, 0xEEEEEEEE};
    const vp_vec3 *p = w->point;
    uint32_t c = lowest_of(set), on = bit_of(c);
    spanned s;
    span_plane(w, a, b, c, &s);
    set &= set - 1;
    for (int k = 0; k < 3; k++)
        for (uint32_t left = set & part[k]; left != 0; left &= left - 1) {
            const uint32_t d = lowest_of(left);
            const double value = vp_dot(s.n, w->at[d]);
            if (value < s.low)
                continue;
            const int side = value > s.high ? 1 : vp_orient3d(p[a], p[b], p[c], p[d]);
            if (side > 0) {
                c = d;
                on = bit_of(c);
                span_plane(w, a, b, c, &s);
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
    const vp_vec2 a = project(w->point[from], axis);
    uint32_t c = lowest_of(set);
    vp_vec2 to = project(w->point[c], axis);
    *on = bit_of(c);
    for (uint32_t left = set & (set - 1); left != 0; left &= left - 1) {
        const uint32_t d = lowest_of(left);
        const vp_vec2 at = project(w->point[d], axis);
        const int turn = right ? vp_orient2d(a, at, to) : vp_orient2d(a, to, at);
        if (turn > 0)
            continue;
        *on = turn == 0 ? *on | bit_of(d) : bit_of(d);
        if (turn < 0 || is_farther(a, to, at)) {
            c = d;
            to = at;
        }
    }
    return c;
}

/* ---- faces ---- */

static void add_edge(vp_wrapped *out, uint32_t from, uint32_t to)
{
    out->from[out->edges] = (uint8_t)from;
    out->face[out->edges] = (uint8_t)out->faces;
    out->used |= bit_of(from);
    out->edge[from * VP_WRAP_POINTS + to] = (uint8_t)++out->edges;
}

/* Adds the face of an edge from a to b and of other points in a plane, not all of them corners. */
static void add_face(const wrapping *w, uint32_t a, uint32_t b, uint32_t on)
{
    const uint32_t c = lowest_of(on);
    vp_wrapped *out = w->out;
    out->on[out->faces] = on | bit_of(a) | bit_of(b);
    out->first[out->faces] = (uint8_t)out->edges;
    add_edge(out, a, b);
    if (on == bit_of(c)) {
        add_edge(out, b, c);
        add_edge(out, c, a);
    } else {
        double n[3];
        vp_normal3(w->point[a], w->point[b], w->point[c], n);
        const double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
        const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
        for (uint32_t from = b, left = on; from != a; left |= bit_of(a)) {
            uint32_t ray;
            const uint32_t to = turn_line(w, from, left, axis, n[axis] < 0.0, &ray);
            left &= ~ray;
            add_edge(out, from, to);
            from = to;
        }
    }
    out->first[++out->faces] = (uint8_t)out->edges;
}

/* The points, without those in the place of an earlier one. */
static uint32_t distinct_points(const vp_vec3 *p, uint32_t count)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < i && !(p[k].x == p[i].x && p[k].y == p[i].y && p[k].z == p[i].z))
            k++;
        set |= k == i ? bit_of(i) : 0;
    }
    return set;
}

/* Adds a first face. The lowest point in the order of x, y, z is a corner. A plane along z turns around it until it
 * touches other points. The lower edge of all that it touches, seen along y, is an edge of the hull. */
static void add_first_face(const wrapping *w, uint32_t all)
{
    const vp_vec3 *p = w->point;
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
    add_face(w, a, b, turn_plane(w, a, b, all & ~(line | bit_of(a))));
    w->out->on[0] |= line;
}

void vp_hull_wrap(const vp_vec3 *point, uint32_t count, const vp_hull_bounds *bounds, vp_wrapped *out)
{
    wrapping w;
    w.point = point;
    w.out = out;
    for (uint32_t i = 0; i < count; i++) {
        w.at[i][0] = (double)point[i].x;
        w.at[i][1] = (double)point[i].y;
        w.at[i][2] = (double)point[i].z;
    }
    const uint32_t all = distinct_points(point, count);
    out->faces = out->edges = out->used = 0;
    w.bound = bound_errors(bounds);
    memset(out->edge, 0, count * VP_WRAP_POINTS * sizeof *out->edge);
    add_first_face(&w, all);
    for (uint32_t e = 0; e < out->edges; e++) {
        const uint32_t f = out->face[e], a = out->from[e], b = out->from[e + 1 < out->first[f + 1] ? e + 1 : out->first[f]];
        if (out->edge[b * VP_WRAP_POINTS + a] == 0)
            add_face(&w, b, a, turn_plane(&w, b, a, all & ~out->on[f]));
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
            const uint32_t start = w->edge[s->vertex[v] * VP_WRAP_POINTS + lowest_of(left)] - 1u, f = w->face[start];
            const uint32_t first = w->first[f], end = w->first[f + 1];
            uint32_t e = start, from = w->from[e];
            o->first[faces] = edges;
            do {
                const uint32_t next = e + 1 < end ? e + 1 : first, to = w->from[next];
                number[e] = (uint8_t)edges;
                o->from[edges] = rank[from];
                o->twin[edges] = w->edge[to * VP_WRAP_POINTS + from] - 1u; /* numbered below */
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
