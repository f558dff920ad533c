/* SPDX-License-Identifier: MIT */
/* Which parts of a hull's surface are one face: exactly, and by the tolerance. See hull_faces.h.
 *
 * The article keeps coplanar triangles apart and lets them share a plane. That is done here when the hull is complete: faces that
 * are merged while a hull grows have to be found and mended again with every point, which costs the square of their corners where
 * they have many, and goes wrong where they are small. */
#include "reference/hull_faces.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/exact.h"

/* ---- exactly in one plane ---- */

/* Whether the triangle beyond an edge lies in its triangle's plane. */
static bool goes_on(const vp_outline *o, const vp_vec3 *place, uint32_t edge)
{
    const uint32_t *v = &o->from[edge - edge % 3], beyond = o->twin[edge];
    const uint32_t far = o->from[beyond - beyond % 3 + (beyond + 2) % 3];
    return vp_orient3d(place[v[0]], place[v[1]], place[v[2]], place[far]) == 0;
}

uint32_t vp_hull_label_coplanar(const vp_outline *triangles, const vp_vec3 *place, uint32_t *label, uint32_t *stack)
{
    uint32_t labels = 0;
    memset(label, 0xFF, triangles->faces * sizeof *label);
    for (uint32_t t = 0; t < triangles->faces; t++) {
        if (label[t] != UINT32_MAX)
            continue;
        uint32_t depth = 0;
        label[t] = labels;
        stack[depth++] = t;
        while (depth > 0) {
            const uint32_t from = stack[--depth];
            for (uint32_t e = 3 * from; e < 3 * from + 3; e++) {
                const uint32_t beside = triangles->face[triangles->twin[e]];
                if (label[beside] == UINT32_MAX && goes_on(triangles, place, e)) {
                    label[beside] = labels;
                    stack[depth++] = beside;
                }
            }
        }
        labels++;
    }
    return labels;
}

/* ---- nearly in one plane ---- */

static void from_to(vp_vec3 a, vp_vec3 b, double out[3])
{
    out[0] = (double)b.x - (double)a.x;
    out[1] = (double)b.y - (double)a.y;
    out[2] = (double)b.z - (double)a.z;
}

static double along(const double normal[3], vp_vec3 p)
{
    return (normal[0] * (double)p.x + normal[1] * (double)p.y) + normal[2] * (double)p.z;
}

double vp_hull_plane(const vp_outline *faces, uint32_t face, const vp_vec3 *place, double plane[4])
{
    const uint32_t first = faces->first[face], end = faces->first[face + 1];
    double n[3] = {0.0, 0.0, 0.0};
    for (uint32_t e = first + 2; e < end; e++) { /* a fan's triangles */
        double of_triangle[3];
        vp_normal3(place[faces->from[first]], place[faces->from[e - 1]], place[faces->from[e]], of_triangle);
        for (int k = 0; k < 3; k++)
            n[k] += of_triangle[k];
    }
    const double length = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        plane[k] = length > 0.0 ? n[k] / length : 0.0;
    plane[3] = along(plane, place[faces->from[first]]);
    for (uint32_t e = first + 1; e < end; e++)
        plane[3] = fmax(plane[3], along(plane, place[faces->from[e]]));
    return length;
}

typedef struct grouping {
    const vp_outline *faces;
    const vp_vec3 *place;
    double tolerance;
    double (*plane)[4]; /* of each face */
    uint32_t *label;    /* of each face; UINT32_MAX: none yet */
    uint32_t *touched;  /* of each vertex, the last group that it belongs to */
} grouping;

/* Whether a face lies near another one's plane, all of it, and faces the same way. */
static bool is_near(const grouping *g, uint32_t face, uint32_t seed)
{
    const vp_outline *o = g->faces;
    const double *n = g->plane[seed], *m = g->plane[face];
    const vp_vec3 through = g->place[o->from[o->first[seed]]];
    for (uint32_t e = o->first[face]; e < o->first[face + 1]; e++) {
        double away[3];
        from_to(through, g->place[o->from[e]], away);
        if (!(fabs((n[0] * away[0] + n[1] * away[1]) + n[2] * away[2]) <= g->tolerance))
            return false;
    }
    return (n[0] * m[0] + n[1] * m[1]) + n[2] * m[2] > 0.0;
}

/* Whether a group that is a disc is one with this face too: what they have in common is one path of edges, not the whole ring, and no
   other vertex. */
static bool stays_disc(const grouping *g, uint32_t face, uint32_t group)
{
    const vp_outline *o = g->faces;
    uint32_t paths = 0, common = 0, touched = 0;
    for (uint32_t e = o->first[face]; e < o->first[face + 1]; e++) {
        const bool is = g->label[o->face[o->twin[e]]] == group;
        const bool next_is = g->label[o->face[o->twin[vp_outline_next(o, e)]]] == group;
        common += is ? 1 : 0;
        paths += is && !next_is ? 1 : 0;
        touched += g->touched[o->from[e]] == group ? 1 : 0;
    }
    return paths == 1 && touched == common + 1;
}

static void take_in(const grouping *g, uint32_t face, uint32_t group)
{
    g->label[face] = group;
    for (uint32_t e = g->faces->first[face]; e < g->faces->first[face + 1]; e++)
        g->touched[g->faces->from[e]] = group;
}

/* A face takes in those around it, and they those around them. */
static void grow(const grouping *g, uint32_t seed, uint32_t group, uint32_t *queue)
{
    const vp_outline *o = g->faces;
    uint32_t first = 0, end = 0;
    take_in(g, seed, group);
    queue[end++] = seed;
    while (first < end) {
        const uint32_t f = queue[first++];
        for (uint32_t e = o->first[f]; e < o->first[f + 1]; e++) {
            const uint32_t beside = o->face[o->twin[e]];
            if (g->label[beside] == UINT32_MAX && is_near(g, beside, seed) && stays_disc(g, beside, group)) {
                take_in(g, beside, group);
                queue[end++] = beside;
            }
        }
    }
}

/* Takes groups with fewer than three corners apart: a face that is one alone has no fewer, so then the groups around it.
   @return how many labels */
static uint32_t keep_corners(const grouping *g, uint32_t vertices, uint32_t labels, uint32_t *meet, uint32_t *corners, uint32_t *size,
                             uint32_t *apart)
{
    const vp_outline *o = g->faces;
    for (bool again = true; again;) {
        again = false;
        memset(meet, 0, vertices * sizeof *meet);
        for (uint32_t l = 0; l < labels; l++)
            corners[l] = size[l] = apart[l] = 0;
        for (uint32_t f = 0; f < o->faces; f++)
            size[g->label[f]]++;
        for (uint32_t e = 0; e < o->edges; e++)
            meet[o->from[e]] += g->label[o->face[e]] != g->label[o->face[o->twin[e]]] ? 1 : 0;
        for (uint32_t e = 0; e < o->edges; e++)
            if (g->label[o->face[e]] != g->label[o->face[o->twin[e]]] && meet[o->from[e]] >= 3)
                corners[g->label[o->face[e]]]++;
        for (uint32_t e = 0; e < o->edges; e++) {
            const uint32_t l = g->label[o->face[e]];
            if (corners[l] < 3)
                apart[size[l] > 1 ? l : g->label[o->face[o->twin[e]]]] = 1;
        }
        for (uint32_t f = 0; f < o->faces; f++) {
            const uint32_t l = g->label[f];
            if (apart[l] == 1) {
                apart[l] = 2; /* the first face keeps the label */
            } else if (apart[l] == 2) {
                g->label[f] = labels++;
                again = true;
            }
        }
    }
    return labels;
}

/* The order in which faces take others in. */
static void sort_by_area(const double *area, uint32_t faces, uint32_t *key, uint32_t *start, uint32_t *order, uint32_t *beside)
{
    enum { BITS = 10, KEYS = 1 << BITS };
    for (uint32_t f = 0; f < faces; f++)
        beside[f] = f;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t f = 0; f < faces; f++) {
            uint64_t bits;
            memcpy(&bits, &area[f], sizeof bits);
            key[f] = KEYS - 1 - (uint32_t)(bits >> (pass == 0 ? 44 : 54) & (KEYS - 1));
        }
        vp_sort_by_key(key, KEYS, pass == 0 ? beside : order, faces, start, pass == 0 ? order : beside);
    }
}

enum { START_WORDS = (1 << 10) + 1 };

size_t vp_hull_label_near_bytes(size_t faces, size_t vertices)
{
    return faces * 5 * sizeof(double) + (faces * 4 + vertices * 2 + START_WORDS) * sizeof(uint32_t);
}

uint32_t vp_hull_label_near(const vp_outline *faces, const vp_vec3 *place, uint32_t vertices, double tolerance, uint32_t *label,
                            void *scratch)
{
    double(*plane)[4] = scratch, *area = plane[faces->faces];
    uint32_t *a = (uint32_t *)(void *)(area + faces->faces), *b = a + faces->faces, *c = b + faces->faces, *d = c + faces->faces;
    uint32_t *touched = d + faces->faces, *meet = touched + vertices, *start = meet + vertices;
    const grouping g = {faces, place, tolerance, plane, label, touched};
    bool any = false;
    for (uint32_t f = 0; f < faces->faces; f++) {
        area[f] = vp_hull_plane(faces, f, place, plane[f]);
        label[f] = UINT32_MAX;
    }
    for (uint32_t e = 0; e < faces->edges && !any; e++)
        any = is_near(&g, faces->face[faces->twin[e]], faces->face[e]);

    uint32_t labels = 0;
    if (!any) { /* mostly so */
        for (; labels < faces->faces; labels++)
            label[labels] = labels;
        return labels;
    }
    sort_by_area(area, faces->faces, a, start, b, c);
    memset(touched, 0xFF, vertices * sizeof *touched);
    for (uint32_t i = 0; i < faces->faces; i++)
        if (label[c[i]] == UINT32_MAX)
            grow(&g, c[i], labels++, a);
    return keep_corners(&g, vertices, labels, meet, a, b, d);
}

uint32_t vp_hull_find_flat(const vp_outline *faces, const vp_vec3 *place, uint32_t vertices, double distance, void *scratch)
{
    enum { TRIED = 32 };
    double *area = scratch;
    uint32_t *key = (uint32_t *)(void *)(area + faces->faces), *order = key + faces->faces, *start = order + faces->faces;
    uint32_t *beside = start + START_WORDS;
    for (uint32_t f = 0; f < faces->faces; f++) {
        double plane[4];
        area[f] = vp_hull_plane(faces, f, place, plane);
    }
    sort_by_area(area, faces->faces, key, start, order, beside);
    for (uint32_t i = 0; i < TRIED && i < faces->faces; i++) {
        double plane[4];
        bool within = true;
        vp_hull_plane(faces, beside[i], place, plane);
        const vp_vec3 through = place[faces->from[faces->first[beside[i]]]];
        for (uint32_t v = 0; within && v < vertices; v++) {
            double away[3];
            from_to(place[v], through, away);
            within = (plane[0] * away[0] + plane[1] * away[1]) + plane[2] * away[2] <= distance;
        }
        if (within)
            return beside[i];
    }
    return UINT32_MAX;
}
