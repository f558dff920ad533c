/* SPDX-License-Identifier: MIT */
/* Joins faces of a surface: see hull/outline.h. */
#include "src/hull/outline.h"

#include <string.h>

void vp_outline_lay(vp_outline *o, uint32_t faces, uint32_t edges, uint32_t *words)
{
    *o = (vp_outline){.faces = faces, .edges = edges};
    o->first = words;
    o->from = o->first + faces + 1;
    o->twin = o->from + edges;
    o->face = o->twin + edges;
}

void vp_outline_of_triangles(const vp_hull_surface *s, vp_outline *o)
{
    for (uint32_t t = 0; t < s->triangles; t++) {
        o->first[t] = 3 * t;
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t neighbour = s->beside[t][i], to = s->corner[t][i < 2 ? i + 1 : 0];
            o->from[3 * t + i] = s->corner[t][i];
            o->twin[3 * t + i] = 3 * neighbour + (s->corner[neighbour][0] == to ? 0 : s->corner[neighbour][1] == to ? 1 : 2);
            o->face[3 * t + i] = t;
        }
    }
    o->first[s->triangles] = o->edges;
}

/* The triangle of a fan on the other side of a half-edge. */
static uint32_t triangle_beyond(const vp_outline *o, uint32_t edge)
{
    const uint32_t twin = o->twin[edge], other = o->face[twin], first = o->first[other], at = twin - first,
                   last = o->first[other + 1] - first - 3;
    return first - 2 * other + (at == 0 ? 0 : at - 1 < last ? at - 1 : last);
}

void vp_outline_cut(const vp_outline *o, vp_hull_surface *s)
{
    if (o->edges == 3 * o->faces) { /* all are triangles */
        memcpy(s->corner, o->from, o->edges * sizeof *o->from);
        for (uint32_t f = 0; f < o->faces; f++)
            for (uint32_t i = 0; i < 3; i++)
                s->beside[f][i] = o->face[o->twin[3 * f + i]];
        return;
    }
    for (uint32_t f = 0; f < o->faces; f++) {
        const uint32_t first = o->first[f], corners = o->first[f + 1] - first, base = first - 2 * f;
        for (uint32_t i = 0; i + 2 < corners; i++) {
            uint32_t *neighbour = s->beside[base + i];
            neighbour[0] = i > 0 ? base + i - 1 : triangle_beyond(o, first);
            neighbour[1] = triangle_beyond(o, first + i + 1);
            neighbour[2] = i + 3 < corners ? base + i + 1 : triangle_beyond(o, first + corners - 1);
            s->corner[base + i][0] = o->from[first];
            s->corner[base + i][1] = o->from[first + i + 1];
            s->corner[base + i][2] = o->from[first + i + 2];
        }
    }
}

void vp_outline_keep_vertices(const vp_outline *o, const vp_hull_surface *from, uint32_t *rank, vp_hull_surface *to)
{
    memset(rank, 0, from->vertices * sizeof *rank);
    for (uint32_t e = 0; e < o->edges; e++)
        rank[o->from[e]] = 1;
    to->vertices = 0;
    for (uint32_t v = 0; v < from->vertices; v++)
        if (rank[v] != 0) {
            rank[v] = to->vertices;
            to->vertex[to->vertices] = from->vertex[v];
            to->place[to->vertices++] = from->place[v];
        }
    for (uint32_t e = 0; e < o->edges; e++)
        o->from[e] = rank[o->from[e]];
}

/* ---- the border of a new face ---- */

void vp_outline_count_meeting(const vp_outline *o, const uint32_t *label, uint32_t vertices, uint32_t *meet)
{
    memset(meet, 0, vertices * sizeof *meet);
    for (uint32_t e = 0; e < o->edges; e++)
        meet[o->from[e]] += vp_outline_is_border(o, label, e) ? 1 : 0;
}

/* The next half-edge of the border that starts at a corner. */
static uint32_t find_next_from_corner(const vp_outline *o, const uint32_t *label, const uint32_t *meet, uint32_t edge)
{
    do
        edge = vp_outline_next_on_border(o, label, edge);
    while (meet[o->from[edge]] < 3);
    return edge;
}

/* ---- sorting faces ---- */

void vp_sort_by_key(const uint32_t *key, uint32_t keys, const uint32_t *items, uint32_t count, uint32_t *start, uint32_t *out)
{
    memset(start, 0, ((size_t)keys + 1) * sizeof *start);
    for (uint32_t i = 0; i < count; i++)
        start[key[items[i]] + 1]++;
    for (uint32_t k = 0; k < keys; k++)
        start[k + 1] += start[k];
    for (uint32_t i = 0; i < count; i++)
        out[start[key[items[i]]]++] = items[i];
}

void vp_sort_few(const uint32_t *key, const uint32_t *items, uint32_t count, uint32_t *out)
{
    int32_t before[VP_SORT_FEW];
    for (uint32_t k = 0; k < count; k++)
        before[k] = (int32_t)key[0] < (int32_t)key[k] ? 1 : 0;
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            before[k] += (int32_t)key[i] < (int32_t)key[k] ? 1 : 0;
    for (uint32_t i = 0; i < count; i++)
        out[before[i]] = items[i];
}

void vp_sort_corners(const uint32_t *corner, uint32_t corners, uint32_t *spare, uint32_t *ring, uint32_t *vertex)
{
    enum { FEW = 32 };
    uint32_t start[257], *from = vertex, *to = spare;
    memcpy(from, corner, corners * sizeof *from);
    for (uint32_t i = 1; i < corners && corners <= FEW; i++)
        for (uint32_t k = i; k > 0 && vertex[k - 1] > vertex[k]; k--) {
            const uint32_t higher = vertex[k - 1];
            vertex[k - 1] = vertex[k];
            vertex[k] = higher;
        }
    for (int shift = 0; shift < 32 && corners > FEW; shift += 8) { /* radix sort, lowest byte first */
        memset(start, 0, sizeof start);
        for (uint32_t i = 0; i < corners; i++)
            start[(from[i] >> shift & 255) + 1]++;
        for (int k = 0; k < 256; k++)
            start[k + 1] += start[k];
        for (uint32_t i = 0; i < corners; i++)
            to[start[from[i] >> shift & 255]++] = from[i];
        uint32_t *turn = from;
        from = to;
        to = turn;
    }
    for (uint32_t i = 0; i < corners; i++) { /* four passes leave the result in `vertex` */
        uint32_t low = 0, high = corners;
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            if (vertex[middle] <= corner[i])
                low = middle;
            else
                high = middle;
        }
        ring[i] = low;
    }
}

/* Sorts new faces by their lowest vertex, then by the next one. */
static void sort_faces(const vp_outline *o, const uint32_t *label, uint32_t labels, uint32_t vertices, const uint32_t *meet,
                       const uint32_t *lowest, uint32_t *scratch, uint32_t *order)
{
    enum { FEW_VERTICES = 1 << 15 }; /* two numbers of vertices are one of 30 bits */
    uint32_t *key = scratch, *start = key + labels, *spare = start + vertices + 1;
    for (uint32_t l = 0; l < labels; l++) {
        key[l] = o->from[find_next_from_corner(o, label, meet, lowest[l])];
        spare[l] = l;
    }
    if (labels <= VP_SORT_FEW && vertices <= FEW_VERTICES) {
        for (uint32_t l = 0; l < labels; l++)
            key[l] += o->from[lowest[l]] * FEW_VERTICES;
        vp_sort_few(key, spare, labels, order);
        return;
    }
    vp_sort_by_key(key, vertices, spare, labels, start, order);
    memcpy(spare, order, labels * sizeof *spare);
    for (uint32_t l = 0; l < labels; l++)
        key[l] = o->from[lowest[l]];
    vp_sort_by_key(key, vertices, spare, labels, start, order);
}

void vp_outline_merge(const vp_outline *in, const uint32_t *label, uint32_t labels, uint32_t vertices, const uint32_t *meet,
                      uint32_t *scratch, uint32_t *face_of, vp_outline *out)
{
    uint32_t *lowest = scratch, *order = lowest + labels, *made = order + labels;
    memset(lowest, 0xFF, labels * sizeof *lowest);
    for (uint32_t f = 0; f < in->faces; f++) {
        const uint32_t first = in->first[f], end = in->first[f + 1]; /* the first vertex is the face's lowest */
        uint32_t min = lowest[label[f]];
        for (uint32_t e = first; e < end && (min == UINT32_MAX || in->from[first] < in->from[min]); e++)
            if (meet[in->from[e]] >= 3 && (min == UINT32_MAX || in->from[e] < in->from[min]))
                min = e;
        lowest[label[f]] = min;
    }
    for (uint32_t l = 0; l < labels; l++)
        while (!vp_outline_is_border(in, label, lowest[l])) /* turns around the lowest corner */
            lowest[l] = vp_outline_next(in, in->twin[lowest[l]]);
    sort_faces(in, label, labels, vertices, meet, lowest, made, order);

    uint32_t edges = 0; /* `made` maps each half-edge of a border to the new one that it is a part of */
    for (uint32_t f = 0; f < labels; f++) {
        const uint32_t begin = lowest[order[f]];
        uint32_t e = begin;
        out->first[f] = edges;
        face_of[order[f]] = f;
        do {
            if (meet[in->from[e]] >= 3) {
                out->from[edges] = in->from[e];
                out->face[edges] = f;
                out->twin[edges] = in->twin[e]; /* mapped below */
                edges++;
            }
            made[e] = edges - 1;
            e = vp_outline_next_on_border(in, label, e);
        } while (e != begin);
    }
    out->first[labels] = edges;
    out->faces = labels;
    out->edges = edges;
    for (uint32_t e = 0; e < edges; e++)
        out->twin[e] = made[out->twin[e]];
}
