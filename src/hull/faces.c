/* SPDX-License-Identifier: MIT */
/* Groups the triangles of a hull's surface into faces, exactly and by the tolerance. See hull/faces.h.
 *
 * The article keeps coplanar triangles apart and lets them share a plane. Here they are joined once the hull is
 * complete. Merging faces while a hull grows would mean finding and repairing them after every point. That costs the
 * square of the number of corners for large faces, and fails for small ones. */
#include "src/hull/faces.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/core/exact.h"
#include "src/core/real3.h"
#include "src/hull/vector.h"

/* ---- exactly in one plane ---- */

uint32_t vp_hull_label_coplanar(const vp_hull_surface *surface, const uint8_t *fold, uint32_t *label, uint32_t *stack)
{
    uint32_t labels = 0;
    memset(label, 0xFF, surface->triangles * sizeof *label);
    for (uint32_t t = 0; t < surface->triangles; t++) {
        if (label[t] != UINT32_MAX)
            continue;
        uint32_t depth = 0;
        label[t] = labels;
        stack[depth++] = t;
        while (depth > 0) {
            const uint32_t from = stack[--depth];
            for (uint32_t i = 0; i < 3; i++) {
                const uint32_t neighbour = surface->beside[from][i];
                if ((fold[from] >> i & 1) != 0 && label[neighbour] == UINT32_MAX) {
                    label[neighbour] = labels;
                    stack[depth++] = neighbour;
                }
            }
        }
        labels++;
    }
    return labels;
}

/* ---- planes ---- */

/* Scales a normal to length 1, or to 0. @return its length */
static double make_unit(const double n[3], double plane[4])
{
    const double length = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        plane[k] = length > 0.0 ? n[k] / length : 0.0;
    return length;
}

void vp_hull_find_planes(const vp_facets *facets)
{
    const vp_hull_surface *s = facets->surface;
    for (uint32_t f = 0; f < facets->count; f++) {
        const uint32_t begin = vp_facet_triangle(facets, f), end = f + 1 < facets->count ? vp_facet_triangle(facets, f + 1) : s->triangles;
        const uint32_t *corner = s->corner[begin];
        double *plane = facets->plane[f], n[3] = {s->normal[begin][0], s->normal[begin][1], s->normal[begin][2]};
        if (end == begin + 1) { /* one triangle, whose normal's length is known */
            facets->size[f] = s->normal[begin][3];
            for (int k = 0; k < 3; k++)
                plane[k] = n[k] / facets->size[f];
        } else {
            for (uint32_t t = begin + 1; t < end; t++)
                for (int k = 0; k < 3; k++)
                    n[k] += s->normal[t][k];
            facets->size[f] = make_unit(n, plane);
        }
        double reach = vp_hull_along(plane, s->place[corner[0]]);
        reach = vp_double_max(vp_hull_along(plane, s->place[corner[1]]), reach);
        reach = vp_double_max(vp_hull_along(plane, s->place[corner[2]]), reach);
        for (uint32_t t = begin + 1; t < end; t++)
            reach = vp_double_max(vp_hull_along(plane, s->place[s->corner[t][2]]), reach);
        plane[3] = reach;
    }
}

bool vp_hull_has_near(const vp_facets *facets, double near)
{
    const vp_outline *o = &facets->outline;
    const vp_vec3 *place = facets->surface->place;
    for (uint32_t f = 0; f < o->faces; f++) {
        const uint32_t first = o->first[f], end = o->first[f + 1];
        const vp_vec3 through = place[o->from[first]];
        for (uint32_t e = first; e < end; e++) {
            const uint32_t twin = o->twin[e], beyond = o->face[twin], after = o->first[beyond + 1];
            double away[3]; /* to the corner of the other face after the edge */
            vp_from_to(through, place[o->from[twin + 2 < after ? twin + 2 : twin + 2 - after + o->first[beyond]]], away);
            if (fabs(vp_dot(facets->plane[f], away)) <= near)
                return true;
        }
    }
    return false;
}

static bool is_triangle(const uint32_t triangle[3], uint32_t a, uint32_t b, uint32_t c)
{
    return triangle[0] == a && triangle[1] == b && triangle[2] == c;
}

void vp_hull_plane(const vp_outline *faces, uint32_t face, const vp_hull_surface *s, uint32_t some, uint32_t other, double plane[4])
{
    const uint32_t *from = faces->from + faces->first[face], corners = faces->first[face + 1] - faces->first[face];
    double n[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 2; i < corners; i++) { /* triangles of a fan */
        double made[3];
        const double *of_triangle = made;
        if (is_triangle(s->corner[some], from[0], from[i - 1], from[i]))
            of_triangle = s->normal[some];
        else if (is_triangle(s->corner[other], from[0], from[i - 1], from[i]))
            of_triangle = s->normal[other];
        else
            vp_normal3(s->place[from[0]], s->place[from[i - 1]], s->place[from[i]], made);
        for (int k = 0; k < 3; k++)
            n[k] += of_triangle[k];
    }
    make_unit(n, plane);
    double reach = vp_hull_along(plane, s->place[from[0]]);
    for (uint32_t i = 1; i < corners; i++)
        reach = vp_double_max(vp_hull_along(plane, s->place[from[i]]), reach);
    plane[3] = reach;
}

/* ---- nearly in one plane ---- */

typedef struct grouping {
    const vp_outline *faces;
    const vp_vec3 *place;
    double tolerance;
    const double (*plane)[4]; /* plane of each face */
    const double *area;
    const uint8_t *fold; /* candidates as seeds */
    uint32_t *label;     /* label of each face, UINT32_MAX = none yet */
    uint32_t *touched;   /* for each vertex, the last group that contains it */
    uint32_t *meet;      /* for each vertex, number of groups that contain it */
    uint32_t *corners;   /* for each group, number of vertices on its border */
    uint32_t *refused;   /* for each face, the last group that refused it, so that its corners are not tested again */
} grouping;

/* Whether all of a face lies near the plane of a group's seed, and it faces the same way. Vertices of the group are near.
 * @param n  the seed's normal @param through  a point of its plane */
static bool is_near(const grouping *g, uint32_t face, const double n[3], vp_vec3 through, uint32_t group)
{
    const vp_outline *o = g->faces;
    for (uint32_t e = o->first[face], end = o->first[face + 1]; e < end; e++) {
        double away[3];
        if (g->touched[o->from[e]] == group)
            continue;
        vp_from_to(through, g->place[o->from[e]], away);
        if (!(fabs(vp_dot(n, away)) <= g->tolerance))
            return false;
    }
    return vp_dot(n, g->plane[face]) > 0.0;
}

/* Whether a group that is a disc stays one with this face. They must share one path of edges, not the whole ring, and
 * no other vertex. A path has one vertex more than edges. `edges` receives its edges. */
static bool is_still_disc(const grouping *g, uint32_t face, uint32_t group, uint32_t *edges)
{
    const vp_outline *o = g->faces;
    uint32_t common = 0, vertices = 0;
    for (uint32_t e = o->first[face], end = o->first[face + 1]; e < end; e++) {
        common += g->label[o->face[o->twin[e]]] == group ? 1 : 0;
        vertices += g->touched[o->from[e]] == group ? 1 : 0;
    }
    *edges = common;
    return vertices == common + 1;
}

/* Adds a face that shares a number of edges with the group. */
static void add_face(const grouping *g, uint32_t face, uint32_t group, uint32_t shared)
{
    const uint32_t *from = g->faces->from, first = g->faces->first[face], end = g->faces->first[face + 1];
    g->label[face] = group;
    g->corners[group] += end - first - 2 * shared;
    for (uint32_t e = first; e < end; e++) {
        g->meet[from[e]] += g->touched[from[e]] != group ? 1 : 0;
        g->touched[from[e]] = group;
    }
}

/* Areas are compared by their 20 highest bits. */
enum { AREA_BITS = 10, AREA_KEYS = 1 << AREA_BITS, AREA_SHIFT = 44, START_WORDS = AREA_KEYS + 1 };

static uint32_t rounded_area(double area)
{
    uint64_t bits;
    memcpy(&bits, &area, sizeof bits);
    return (uint32_t)(bits >> AREA_SHIFT);
}

/* Whether a face is a seed before another one. */
static bool is_before(const grouping *g, uint32_t face, uint32_t other)
{
    const uint32_t a = rounded_area(g->area[face]), b = rounded_area(g->area[other]);
    return a > b || (a == b && face < other);
}

/* Grows a group from a seed, breadth first. */
static void grow_group(const grouping *g, uint32_t seed, uint32_t group, uint32_t *queue)
{
    const vp_outline *o = g->faces;
    const vp_vec3 through = g->place[o->from[o->first[seed]]];
    uint32_t first = 0, end = 0, shared;
    add_face(g, seed, group, 0);
    queue[end++] = seed;
    while (first < end) {
        const uint32_t f = queue[first++], after = o->first[f + 1];
        for (uint32_t e = o->first[f]; e < after; e++) {
            const uint32_t neighbour = o->face[o->twin[e]];
            if (g->label[neighbour] != UINT32_MAX || g->refused[neighbour] == group ||
                ((g->fold[neighbour] & VP_FOLD_NEAR) == 0 && !is_before(g, seed, neighbour))) /* later candidates are after the seed */
                continue;
            if (!is_near(g, neighbour, g->plane[seed], through, group)) {
                g->refused[neighbour] = group;
            } else if (is_still_disc(g, neighbour, group, &shared)) {
                add_face(g, neighbour, group, shared);
                queue[end++] = neighbour;
            }
        }
    }
}

/* How far a point is outside a group's edge from begin to end, along the group's plane. */
static double distance_outside(const grouping *g, uint32_t seed, vp_vec3 begin, vp_vec3 end, vp_vec3 point)
{
    double along[3], out[3], to[3];
    vp_from_to(begin, end, along);
    vp_from_to(begin, point, to);
    vp_cross(along, g->plane[seed], out);
    const double length = sqrt(vp_dot(out, out));
    return length > 0.0 ? vp_dot(to, out) / length : 0.0;
}

/* How far a point lies before the start of an edge, or past its end. */
static double distance_past_end(vp_vec3 begin, vp_vec3 end, vp_vec3 point)
{
    double along[3], to[3], from[3];
    vp_from_to(begin, end, along);
    vp_from_to(begin, point, to);
    vp_from_to(end, point, from);
    const double length = sqrt(vp_dot(along, along));
    return length > 0.0 ? vp_double_max(vp_dot(from, along), -vp_dot(to, along)) / length : 0.0;
}

/* Whether an edge between two corners of a group loses a vertex that sticks out. `edge` starts at the first corner.
 * Between the corners there may be vertices where the group meets only one other group. Each is near both planes. But
 * if the planes face nearly opposite ways, it may stick out of both groups much farther, sideways or beyond an end like
 * a needle's tip. A vertex counts only if it would be a corner with this group's faces apart. */
static bool is_vertex_lost(const grouping *g, const uint32_t *seed, const uint32_t *meet, uint32_t edge)
{
    const vp_outline *o = g->faces;
    uint32_t last = vp_outline_next_on_border(o, g->label, edge);
    if (meet[o->from[last]] >= 3) /* no vertex between */
        return false;
    while (meet[o->from[last]] < 3)
        last = vp_outline_next_on_border(o, g->label, last);
    const vp_vec3 begin = g->place[o->from[edge]], end = g->place[o->from[last]];
    const uint32_t own = seed[g->label[o->face[edge]]], other = seed[g->label[o->face[o->twin[edge]]]];
    const bool sharp = vp_dot(g->plane[own], g->plane[other]) < 0.0;
    for (uint32_t e = edge;;) {
        const bool several = !vp_outline_is_border(o, g->label, vp_outline_next(o, e)); /* several faces of the group at its end */
        e = vp_outline_next_on_border(o, g->label, e);
        if (e == last)
            return false;
        if (!several)
            continue;
        const vp_vec3 point = g->place[o->from[e]];
        if (distance_outside(g, own, begin, end, point) > g->tolerance && distance_outside(g, other, end, begin, point) > g->tolerance)
            return true;
        if (sharp && distance_past_end(begin, end, point) > g->tolerance)
            return true;
    }
}

/* Splits groups that have fewer than three corners or would lose a vertex that sticks out. A single face has three
 * corners, so in that case the groups around it are split.
 * @param seed  the first face of each group @return number of labels */
static uint32_t keep_corners(const grouping *g, uint32_t vertices, uint32_t labels, uint32_t *seed, uint32_t *size, uint32_t *apart)
{
    const vp_outline *o = g->faces;
    uint32_t *meet = g->meet, *corners = g->corners;
    for (bool again = true; again;) {
        again = false;
        vp_outline_count_meeting(o, g->label, vertices, meet);
        for (uint32_t l = 0; l < labels; l++)
            corners[l] = size[l] = apart[l] = 0;
        for (uint32_t f = 0; f < o->faces; f++)
            size[g->label[f]]++;
        for (uint32_t e = 0; e < o->edges; e++)
            if (meet[o->from[e]] >= 3 && vp_outline_is_border(o, g->label, e))
                corners[g->label[o->face[e]]]++;
        for (uint32_t e = 0; e < o->edges; e++) {
            const uint32_t l = g->label[o->face[e]];
            if (corners[l] < 3)
                apart[size[l] > 1 ? l : g->label[o->face[o->twin[e]]]] = 1;
            else if (size[l] > 1 && apart[l] == 0 && meet[o->from[e]] >= 3 && vp_outline_is_border(o, g->label, e) &&
                     is_vertex_lost(g, seed, meet, e))
                apart[l] = 1;
        }
        for (uint32_t f = 0; f < o->faces; f++) {
            const uint32_t l = g->label[f];
            if (apart[l] == 1) {
                apart[l] = 2; /* the first face keeps the label */
                seed[l] = f;
            } else if (apart[l] == 2) {
                seed[labels] = f;
                g->label[f] = labels++;
                again = true;
            }
        }
    }
    return labels;
}

/* Sorts faces by area, the largest first. `list` is lost. `key` has one word per face of the hull. */
static void sort_by_area(const double *area, uint32_t *list, uint32_t count, uint32_t *key, uint32_t *start, uint32_t *out)
{
    if (count <= VP_SORT_FEW) {
        for (uint32_t i = 0; i < count; i++)
            key[i] = i + ((AREA_KEYS * AREA_KEYS - 1) - rounded_area(area[list[i]])) * VP_SORT_FEW;
        vp_sort_few(key, list, count, out);
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++)
            key[list[i]] = AREA_KEYS - 1 - (rounded_area(area[list[i]]) >> (pass == 0 ? 0 : AREA_BITS) & (AREA_KEYS - 1));
        vp_sort_by_key(key, AREA_KEYS, list, count, start, out);
        if (pass == 0)
            memcpy(list, out, count * sizeof *list);
    }
}

size_t vp_hull_label_near_bytes(size_t facets, size_t vertices)
{
    return (facets * 4 + vertices + START_WORDS) * sizeof(uint32_t);
}

/* Whether all vertices on borders are corners, and all groups have three of them. */
static bool has_corners(const grouping *g, uint32_t vertices, uint32_t labels)
{
    bool all = true;
    for (uint32_t v = 0; v < vertices; v++)
        all = all && g->meet[v] != 2; /* 1 within a group */
    for (uint32_t l = 0; l < labels; l++)
        all = all && g->corners[l] >= 3;
    return all;
}

uint32_t vp_hull_label_near(const vp_facets *facets, double tolerance, uint32_t *label, uint32_t *meet, void *scratch)
{
    const uint32_t count = facets->count, vertices = facets->surface->vertices;
    uint32_t *a = scratch, *b = a + count, *c = b + count, *d = c + count, *touched = d + count, *start = touched + vertices;
    const grouping g = {&facets->outline,
                        facets->surface->place,
                        tolerance,
                        (const double(*)[4])facets->plane,
                        facets->size,
                        facets->fold,
                        label,
                        touched,
                        meet,
                        d,
                        b};
    uint32_t labels = 0, candidates = 0;
    for (uint32_t f = 0; f < count; f++) {
        label[f] = UINT32_MAX;
        if ((facets->fold[f] & VP_FOLD_NEAR) != 0) /* other faces cannot be seeds, but a group may reach them through others */
            b[candidates++] = f;
    }
    sort_by_area(facets->size, b, candidates, a, start, c);
    memset(touched, 0xFF, vertices * sizeof *touched);
    memset(meet, 0, vertices * sizeof *meet);
    memset(b, 0xFF, count * sizeof *b);
    memset(d, 0, count * sizeof *d);
    for (uint32_t i = 0; i < candidates; i++)
        if (label[c[i]] == UINT32_MAX) {
            const uint32_t seed = c[i];
            grow_group(&g, seed, labels, a);
            c[labels++] = seed; /* safe, because no more seeds than visited candidates are stored */
        }
    for (uint32_t f = 0; f < count; f++)
        if (label[f] == UINT32_MAX) {
            add_face(&g, f, labels, 0);
            c[labels++] = f;
        }
    return labels == count || has_corners(&g, vertices, labels) ? labels : keep_corners(&g, vertices, labels, c, a, b);
}

uint32_t vp_hull_find_flat(const vp_facets *facets, double distance, void *scratch)
{
    enum { TRIED = 32 };
    const vp_hull_surface *s = facets->surface;
    uint32_t *all = scratch, *list = all + facets->count, *key = list + facets->count, *start = key + facets->count;
    for (uint32_t f = 0; f < facets->count; f++)
        all[f] = f;
    sort_by_area(facets->size, all, facets->count, key, start, list);
    for (uint32_t i = 0; i < TRIED && i < facets->count; i++) {
        const double *plane = facets->plane[list[i]];
        const vp_vec3 through = s->place[s->corner[vp_facet_triangle(facets, list[i])][0]];
        bool within = true;
        for (uint32_t v = 0; within && v < s->vertices; v++) {
            double away[3];
            vp_from_to(s->place[v], through, away);
            within = (plane[0] * away[0] + plane[1] * away[1]) + plane[2] * away[2] <= distance;
        }
        if (within)
            return list[i];
    }
    return UINT32_MAX;
}
