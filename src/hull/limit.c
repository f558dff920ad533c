/* SPDX-License-Identifier: MIT */
/* A hull with fewer vertices: see hull/limit.h.
 *
 * The convex decomposition article, "Quickhull", asks for simplified hulls. Quickhull builds from coarse to fine, so
 * it can stop early. Only the order of the points must be chosen. It is that of greedy insertion for terrain (M.
 * Garland and P. S. Heckbert, "Fast Polygonal Approximation of Terrains and Height Fields", 1995): the next point is
 * the one farthest from the surface so far. As there, all points not yet chosen are in a heap, by their distance
 * from the hull.
 *
 * A distance only shrinks as the hull grows, so a stored distance is an upper bound. Only the heap's first point is
 * recomputed, until the first point's distance is current.
 *
 * The hull so far is built as in reference/hull/hull3.c, which explains the exact tests. All given points are
 * extreme, so each is outside until it is chosen, and none is ever dropped. The point of the hull nearest to an
 * outside point lies on a triangle that the outside point sees. This is because at least one of the triangles around
 * the nearest point faces it. The visible triangles are connected, so they are found from any of them, and each
 * point stores one. */
#include "src/hull/limit.h"

#include <math.h>
#include <stdbool.h>

#include "src/core/exact.h"
#include "src/core/real3.h"
#include "src/hull/vector.h"

typedef struct limit_face {
    uint32_t vertex[3];    /* counterclockwise from outside */
    uint32_t neighbour[3]; /* the face beyond the edge from vertex[i] to vertex[(i + 1) % 3] */
    uint32_t outside;      /* first of its points, which lie above it, VP_HULL_NONE = none */
    uint32_t link;         /* next new face or next free slot, at the end the face's number */
    uint64_t seen;         /* last search in which it was visible */
    double normal[3];      /* (b - a) x (c - a) */
    double square;         /* square of the normal's length */
} limit_face;

typedef struct limited_hull {
    const vp_vec3 *place;
    uint32_t count;
    double reach; /* upper bound of the distance of two points */
    limit_face *face;
    double *distance;  /* distance from the hull of each point not chosen, possibly outdated */
    uint32_t *known;   /* number of the hull's vertices when `distance` was computed */
    uint32_t *heap;    /* points not chosen, the farthest first */
    uint32_t waiting;  /* size of the heap */
    uint32_t *above;   /* for each point, a face that it lies above */
    uint32_t *next;    /* next point with the same face */
    uint32_t *horizon; /* indexed by the first point of each horizon edge: 4 * face + edge, of the face that is not visible */
    uint32_t *visible; /* faces of the last search */
    uint64_t searches;
    uint64_t work;   /* number of point-plane tests */
    uint32_t chosen; /* vertices of the hull */
    uint32_t free;   /* first free slot for a face */
    uint32_t used;   /* slots ever used */
} limited_hull;

/* ---- vectors ---- */

static double triple_product(const double a[3], const double b[3], const double c[3])
{
    double n[3];
    vp_cross(a, b, n);
    return vp_dot(n, c);
}

/* ---- distances ---- */

/* Each distance is the length of a vector from a point of the surface, given by weights, to a point q. An error in the
 * weights makes it longer than the shortest one, only to second order. Rounding is a fraction of `reach` (bound_of). */

/* Square of the distance of q from the edge between two points, given the vectors from these to q. */
static double square_distance_to_edge(const double from_a[3], const double from_b[3])
{
    double ab[3], r[3];
    for (int k = 0; k < 3; k++)
        ab[k] = from_a[k] - from_b[k];
    const double part = vp_dot(from_a, ab), whole = vp_dot(ab, ab);
    const double t = !(part > 0.0) ? 0.0 : part < whole ? part / whole : 1.0;
    for (int k = 0; k < 3; k++)
        r[k] = (1.0 - t) * from_a[k] + t * from_b[k];
    return vp_dot(r, r);
}

static double square_distance_to_face(limited_hull *b, const limit_face *f, vp_vec3 q)
{
    b->work++;
    const vp_vec3 *corner[3] = {&b->place[f->vertex[0]], &b->place[f->vertex[1]], &b->place[f->vertex[2]]};
    double from[3][3], ab[3], ac[3], bc[3], r[3];
    for (int i = 0; i < 3; i++)
        vp_from_to(*corner[i], q, from[i]);
    vp_from_to(*corner[0], *corner[1], ab);
    vp_from_to(*corner[0], *corner[2], ac);
    vp_from_to(*corner[1], *corner[2], bc);
    double of_b = triple_product(from[0], ac, f->normal) / f->square, of_c = triple_product(ab, from[0], f->normal) / f->square;
    if (of_b < 0.0 || of_c < 0.0 || triple_product(bc, from[1], f->normal) < 0.0)
        return vp_double_min(vp_double_min(square_distance_to_edge(from[0], from[1]), square_distance_to_edge(from[1], from[2])),
                             square_distance_to_edge(from[2], from[0]));
    double min = INFINITY;
    for (int again = 0; again < 8; again++) { /* a sliver's first weights are inexact, but most triangles need no correction */
        for (int k = 0; k < 3; k++)
            r[k] = ((1.0 - of_b - of_c) * from[0][k] + of_b * from[1][k]) + of_c * from[2][k];
        if (!(vp_dot(r, r) < min))
            break;
        min = vp_dot(r, r);
        of_b += triple_product(r, ac, f->normal) / f->square;
        of_c += triple_product(ab, r, f->normal) / f->square;
    }
    return min;
}

/* A distance plus the most that rounding may have taken from it. */
static double bound_of(double distance, double reach)
{
    return distance + reach * 0x1p-49;
}

/* ---- visible faces ---- */

static bool is_above(limited_hull *b, const limit_face *f, uint32_t q)
{
    b->work++;
    return vp_orient3d(b->place[f->vertex[0]], b->place[f->vertex[1]], b->place[f->vertex[2]], b->place[q]) > 0;
}

/* Lists the faces that a point lies above. @return their number */
static uint32_t find_visible(limited_hull *b, uint32_t q)
{
    uint32_t found = 0;
    const uint64_t search = ++b->searches;
    b->visible[found++] = b->above[q];
    b->face[b->above[q]].seen = search;
    for (uint32_t i = 0; i < found; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t g = b->face[b->visible[i]].neighbour[k];
            limit_face *neighbour = &b->face[g];
            if (neighbour->seen != search && is_above(b, neighbour, q)) {
                neighbour->seen = search;
                b->visible[found++] = g;
            }
        }
    return found;
}

/* Distance of a point from the hull so far. */
static double distance_of(limited_hull *b, uint32_t q)
{
    const uint32_t found = find_visible(b, q);
    double min = INFINITY;
    for (uint32_t i = 0; i < found; i++)
        min = vp_double_min(min, square_distance_to_face(b, &b->face[b->visible[i]], b->place[q]));
    return sqrt(min);
}

/* ---- the heap ---- */

/* Equal distances are ordered by index. */
static bool is_first(const limited_hull *b, uint32_t p, uint32_t q)
{
    return b->distance[p] > b->distance[q] || (b->distance[p] == b->distance[q] && p < q);
}

static void sift_face_down(const limited_hull *b, uint32_t at)
{
    const uint32_t p = b->heap[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < b->waiting && is_first(b, b->heap[child + 1], b->heap[child]))
            child++;
        if (child >= b->waiting || !is_first(b, b->heap[child], p))
            break;
        b->heap[at] = b->heap[child];
        at = child;
    }
    b->heap[at] = p;
}

/* Brings the farthest point to the front of the heap, unless the work limit is exceeded. */
static void find_furthest(limited_hull *b, uint64_t max_work)
{
    while (b->waiting > 0 && b->known[b->heap[0]] != b->chosen && b->work <= max_work) {
        const uint32_t q = b->heap[0];
        b->distance[q] = vp_double_min(b->distance[q], distance_of(b, q));
        b->known[q] = b->chosen;
        sift_face_down(b, 0);
    }
}

/* ---- adding a vertex ---- */

static uint32_t add_face(limited_hull *b, uint32_t v0, uint32_t v1, uint32_t v2)
{
    uint32_t f = b->free;
    if (f != VP_HULL_NONE)
        b->free = b->face[f].link;
    else
        f = b->used++;
    limit_face *made = &b->face[f];
    *made = (limit_face){.vertex = {v0, v1, v2}, .outside = VP_HULL_NONE, .link = VP_HULL_NONE};
    vp_normal3(b->place[v0], b->place[v1], b->place[v2], made->normal);
    made->square = vp_dot(made->normal, made->normal);
    return f;
}

/* Moves each point of a list to the first of some linked faces that it lies above. */
static void assign_points(limited_hull *b, uint32_t list, uint32_t faces)
{
    while (list != VP_HULL_NONE) {
        const uint32_t q = list;
        uint32_t f = faces;
        list = b->next[q];
        while (!is_above(b, &b->face[f], q))
            f = b->face[f].link;
        b->above[q] = f;
        b->next[q] = b->face[f].outside;
        b->face[f].outside = q;
    }
}

/* Makes faces between the horizon and the apex, linked. @return the first */
static uint32_t make_cone(limited_hull *b, uint32_t on_horizon, uint32_t apex)
{
    uint32_t first = VP_HULL_NONE, last = VP_HULL_NONE, v = on_horizon;
    do {
        const uint32_t g = b->horizon[v] / 4, edge = b->horizon[v] % 4, to = b->face[g].vertex[edge];
        const uint32_t f = add_face(b, v, to, apex);
        b->face[f].neighbour[0] = g;
        b->face[g].neighbour[edge] = f;
        if (last == VP_HULL_NONE) {
            first = f;
        } else {
            b->face[f].neighbour[2] = last;
            b->face[last].neighbour[1] = f;
            b->face[last].link = f;
        }
        last = f;
        v = to;
    } while (v != on_horizon);
    b->face[first].neighbour[2] = last;
    b->face[last].neighbour[1] = first;
    return first;
}

/* Makes the first point of the heap a vertex. */
static void add_vertex(limited_hull *b)
{
    const uint32_t apex = b->heap[0], found = find_visible(b, apex);
    uint32_t on_horizon = VP_HULL_NONE, list = VP_HULL_NONE;
    b->heap[0] = b->heap[--b->waiting];
    if (b->waiting > 0)
        sift_face_down(b, 0);
    for (uint32_t i = 0; i < found; i++) {
        const limit_face *f = &b->face[b->visible[i]];
        for (int k = 0; k < 3; k++) {
            const limit_face *g = &b->face[f->neighbour[k]];
            if (g->seen == b->searches)
                continue;
            uint32_t edge = 0;
            while (g->vertex[edge] != f->vertex[(k + 1) % 3] || g->vertex[(edge + 1) % 3] != f->vertex[k])
                edge++;
            on_horizon = f->vertex[k];
            b->horizon[on_horizon] = 4 * f->neighbour[k] + edge;
        }
    }
    for (uint32_t i = 0; i < found; i++) {
        limit_face *f = &b->face[b->visible[i]];
        for (uint32_t q = f->outside, next; q != VP_HULL_NONE; q = next) {
            next = b->next[q];
            if (q == apex)
                continue;
            b->next[q] = list;
            list = q;
        }
        f->vertex[0] = VP_HULL_NONE; /* marks a free slot */
        f->link = b->free;
        b->free = b->visible[i];
    }
    assign_points(b, list, make_cone(b, on_horizon, apex));
    b->chosen++;
}

/* ---- the first tetrahedron ---- */

static double coordinate(vp_vec3 p, int axis)
{
    return (double)(axis == 0 ? p.x : axis == 1 ? p.y : p.z);
}

/* The ends of the longest side of the points' box, the lowest index of each. @return the sum of its sides */
static double find_ends(const vp_vec3 *place, uint32_t count, uint32_t end[2])
{
    double sides = 0.0, longest = -1.0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t lowest = 0, highest = 0;
        for (uint32_t i = 1; i < count; i++) {
            if (coordinate(place[i], axis) < coordinate(place[lowest], axis))
                lowest = i;
            if (coordinate(place[i], axis) > coordinate(place[highest], axis))
                highest = i;
        }
        const double side = coordinate(place[highest], axis) - coordinate(place[lowest], axis);
        sides += side;
        if (side > longest) {
            longest = side;
            end[0] = lowest;
            end[1] = highest;
        }
    }
    return sides;
}

/* Finds the two ends, the point farthest from the line through them, and the point farthest from the plane of these
 * three. Equal distances are ordered by index. No three extreme points are on a line, and some point is not in the
 * plane of the three. */
static double find_simplex(const vp_vec3 *p, uint32_t count, uint32_t corner[4])
{
    double along[3], away[3], normal[3], max = -1.0;
    const double reach = find_ends(p, count, corner);
    vp_from_to(p[corner[0]], p[corner[1]], along);
    for (uint32_t i = 0; i < count; i++) {
        vp_from_to(p[corner[0]], p[i], away);
        vp_cross(along, away, normal);
        const double square = vp_dot(normal, normal);
        if (square > max && i != corner[0] && i != corner[1]) {
            max = square;
            corner[2] = i;
        }
    }
    max = -1.0;
    vp_normal3(p[corner[0]], p[corner[1]], p[corner[2]], normal);
    for (uint32_t i = 0; i < count; i++) {
        vp_from_to(p[corner[0]], p[i], away);
        const double height = fabs(vp_dot(normal, away));
        if (height > max && vp_orient3d(p[corner[0]], p[corner[1]], p[corner[2]], p[i]) != 0) {
            max = height;
            corner[3] = i;
        }
    }
    return reach;
}

/* Makes the tetrahedron's faces, linked, all facing outwards. */
static uint32_t make_simplex(limited_hull *b, const uint32_t corner[4])
{
    const vp_vec3 *p = b->place;
    const bool down = vp_orient3d(p[corner[0]], p[corner[1]], p[corner[2]], p[corner[3]]) < 0;
    const uint32_t v0 = corner[0], v1 = corner[down ? 1 : 2], v2 = corner[down ? 2 : 1];
    const uint32_t base = add_face(b, v0, v1, v2); /* the top lies below it */
    b->horizon[v1] = 4 * base + 0;                 /* the horizon runs around it, the other way round */
    b->horizon[v2] = 4 * base + 1;
    b->horizon[v0] = 4 * base + 2;
    b->face[base].link = make_cone(b, v0, corner[3]);
    return base;
}

static void begin_hull(limited_hull *b)
{
    uint32_t corner[4] = {0, 0, 0, 0}, all = VP_HULL_NONE;
    b->free = VP_HULL_NONE;
    b->reach = find_simplex(b->place, b->count, corner);
    for (uint32_t i = b->count; i-- > 0;)
        if (i != corner[0] && i != corner[1] && i != corner[2] && i != corner[3]) {
            b->next[i] = all;
            all = i;
        }
    const uint32_t faces = make_simplex(b, corner);
    for (uint32_t q = all; q != VP_HULL_NONE; q = b->next[q])
        b->heap[b->waiting++] = q;
    assign_points(b, all, faces);
    b->chosen = 4;
    for (uint32_t i = 0; i < b->waiting; i++) {
        const uint32_t q = b->heap[i];
        b->distance[q] = distance_of(b, q);
        b->known[q] = b->chosen;
    }
    for (uint32_t i = b->waiting / 2; i-- > 0;)
        sift_face_down(b, i);
}

/* ---- the whole hull ---- */

size_t vp_hull_limit_bytes(uint32_t vertices)
{
    const size_t faces = vp_hull3_max_triangles(vertices);
    return faces * (sizeof(limit_face) + sizeof(uint32_t)) + vertices * (sizeof(double) + 5 * sizeof(uint32_t));
}

uint32_t vp_hull_limit(const vp_vec3 *place, uint32_t vertices, const vp_hull_limits *limits, void *scratch, vp_hull_triangle *triangle,
                       double *error, uint64_t *work)
{
    const size_t faces = vp_hull3_max_triangles(vertices);
    limited_hull b = {.place = place, .count = vertices, .face = scratch};
    b.distance = (double *)(void *)(b.face + faces);
    b.known = (uint32_t *)(void *)(b.distance + vertices);
    b.heap = b.known + vertices;
    b.above = b.heap + vertices;
    b.next = b.above + vertices;
    b.horizon = b.next + vertices;
    b.visible = b.horizon + vertices;
    begin_hull(&b);
    for (;;) {
        find_furthest(&b, limits->max_work);
        *error = b.waiting > 0 ? bound_of(b.distance[b.heap[0]], b.reach) : 0.0;
        if (b.waiting == 0 || b.chosen >= limits->max_vertices || *error <= limits->error || b.work > limits->max_work)
            break;
        add_vertex(&b);
    }
    *work = b.work;

    uint32_t triangles = 0;
    for (uint32_t f = 0; f < b.used; f++) /* `link` of a face becomes its number */
        if (b.face[f].vertex[0] != VP_HULL_NONE)
            b.face[f].link = triangles++;
    for (uint32_t f = 0; f < b.used; f++) {
        const limit_face *from = &b.face[f];
        if (from->vertex[0] == VP_HULL_NONE)
            continue;
        for (int i = 0; i < 3; i++) {
            triangle[from->link].vertex[i] = from->vertex[i];
            triangle[from->link].neighbour[i] = b.face[from->neighbour[i]].link;
        }
    }
    return triangles;
}

/* ---- polygons ---- */

/* The corners not chosen between two chosen ones. For a convex polygon they are beyond this edge only. */
typedef struct skipped_corners {
    uint32_t from; /* places in the ring */
    uint32_t to;
    uint32_t furthest; /* corner farthest from the edge, of equal ones the lowest point */
    double square;     /* square of its distance, negative if there are no corners between */
} skipped_corners;

typedef struct ring {
    const vp_vec3 *point;
    uint32_t *corner;      /* points of the ring, from one end around to it again */
    skipped_corners *heap; /* spans, the one with the farthest corner first, equal ones by the corner's point */
    uint32_t spans;
    uint64_t work; /* number of corner-edge tests */
} ring;

static bool is_first_span(const ring *r, const skipped_corners *p, const skipped_corners *q)
{
    return p->square > q->square || (p->square == q->square && r->corner[p->furthest] < r->corner[q->furthest]);
}

static void sift_span_down(const ring *r, uint32_t at)
{
    const skipped_corners s = r->heap[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < r->spans && is_first_span(r, &r->heap[child + 1], &r->heap[child]))
            child++;
        if (child >= r->spans || !is_first_span(r, &r->heap[child], &s))
            break;
        r->heap[at] = r->heap[child];
        at = child;
    }
    r->heap[at] = s;
}

static skipped_corners make_span(ring *r, uint32_t from, uint32_t to)
{
    skipped_corners s = {from, to, from, -1.0};
    r->work += to - from - 1;
    for (uint32_t i = from + 1; i < to; i++) {
        double from_a[3], from_b[3];
        vp_from_to(r->point[r->corner[from]], r->point[r->corner[i]], from_a);
        vp_from_to(r->point[r->corner[to]], r->point[r->corner[i]], from_b);
        const double square = square_distance_to_edge(from_a, from_b);
        if (square > s.square || (square == s.square && r->corner[i] < r->corner[s.furthest])) {
            s.square = square;
            s.furthest = i;
        }
    }
    return s;
}

static void add_span(ring *r, skipped_corners s)
{
    uint32_t at = r->spans++;
    for (; at > 0 && is_first_span(r, &s, &r->heap[(at - 1) / 2]); at = (at - 1) / 2)
        r->heap[at] = r->heap[(at - 1) / 2];
    r->heap[at] = s;
}

size_t vp_hull_limit_polygon_bytes(uint32_t corners)
{
    return corners * sizeof(skipped_corners) + ((size_t)corners + 1) * (sizeof(uint32_t) + sizeof(vp_vec3));
}

uint32_t vp_hull_limit_polygon(const vp_vec3 *point, uint32_t *corner, uint32_t corners, const vp_hull_limits *limits, void *scratch,
                               double *error, uint64_t *work)
{
    *error = 0.0;
    *work = 0;
    if (corners <= 3)
        return corners;
    ring r = {.point = point, .heap = scratch};
    r.corner = (uint32_t *)(void *)(r.heap + corners);
    vp_vec3 *place = (vp_vec3 *)(void *)(r.corner + corners + 1);
    uint32_t end[2] = {0, 0};
    for (uint32_t i = 0; i < corners; i++)
        place[i] = point[corner[i]];
    const double reach = find_ends(place, corners, end);
    for (uint32_t i = 0; i <= corners; i++)
        r.corner[i] = corner[(end[0] + i) % corners];
    const uint32_t far = (end[1] + corners - end[0]) % corners;
    add_span(&r, make_span(&r, 0, far));
    add_span(&r, make_span(&r, far, corners));
    for (;;) {
        const skipped_corners s = r.heap[0];
        *error = s.square < 0.0 ? 0.0 : bound_of(sqrt(s.square), reach);
        if (s.square < 0.0 || r.spans >= limits->max_vertices || (r.spans >= 3 && *error <= limits->error) || r.work > limits->max_work)
            break;
        r.heap[0] = make_span(&r, s.from, s.furthest);
        sift_span_down(&r, 0);
        add_span(&r, make_span(&r, s.furthest, s.to));
    }

    *work = r.work;

    /* each span starts at a kept corner, and the result starts at the lowest one */
    uint32_t lowest = 0, kept = 0;
    bool *chosen = (bool *)(void *)place; /* reuses memory that is not needed any more */
    for (uint32_t i = 0; i < corners; i++)
        chosen[i] = false;
    for (uint32_t i = 0; i < r.spans; i++)
        chosen[r.heap[i].from] = true;
    for (uint32_t i = 0; i < corners; i++)
        if (chosen[i]) {
            r.corner[kept] = r.corner[i];
            if (r.corner[kept] < r.corner[lowest])
                lowest = kept;
            kept++;
        }
    for (uint32_t i = 0; i < kept; i++)
        corner[i] = r.corner[(lowest + i) % kept];
    return kept;
}
