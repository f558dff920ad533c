/* SPDX-License-Identifier: MIT */
#include "conformance/judge_decompose/parts.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/vector.h"

void vp_cutter_drop(vp_cutter *cutter)
{
    free(cutter->polygon.at);
    free(cutter->cap.at);
    free(cutter->side.at);
    *cutter = (vp_cutter){0};
}

bool vp_cell_of(const vp_body *b, vp_polygons *out)
{
    *out = (vp_polygons){0};
    for (uint32_t f = 0; f < b->faces; f++)
        vp_polygons_add(out, (const double(*)[3])(b->corner + b->first[f]), b->first[f + 1] - b->first[f]);
    return !out->no_memory;
}

double vp_cell_volume(const vp_polygons *cell)
{
    double sum = 0.0;
    const double(*corner)[3] = (const double(*)[3])cell->corner.at;
    for (uint32_t f = 0; f < cell->count; f++)
        for (uint32_t c = cell->first[f] + 1; c + 1 < cell->first[f + 1]; c++) {
            double p[3][3], n[3];
            vp_minus3(corner[cell->first[f]], corner[0], p[0]);
            vp_minus3(corner[c], corner[0], p[1]);
            vp_minus3(corner[c + 1], corner[0], p[2]);
            vp_cross3(p[1], p[2], n);
            sum += vp_dot3(n, p[0]);
        }
    return vp_more(sum / 6.0, 0.0);
}

bool vp_cell_is_above(const vp_cutter *cutter, const vp_polygons *cell, const double plane[4])
{
    const double near = cutter->near * sqrt(vp_dot3(plane, plane));
    for (uint32_t i = 0; i < cell->corner.count; i++)
        if (vp_above(plane, cell->corner.at[i]) < -near)
            return false;
    return true;
}

/* ---- cutting ---- */

static double turn(const double a[3], const double b[3], const double c[3], int u, int v)
{
    return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

static int compare(const double a[3], const double b[3], int u, int v)
{
    if (a[u] != b[u])
        return a[u] < b[u] ? -1 : 1;
    return a[v] < b[v] ? -1 : a[v] > b[v];
}

/* The 2D hull of points in a plane, counterclockwise around its normal, by Andrew's monotone chains. The points are few, and
 * most occur twice. */
static void make_cap(vp_places *cap, const double normal[3], vp_places *out)
{
    const double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    const int k = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const int u = normal[k] > 0.0 ? (k + 1) % 3 : (k + 2) % 3, v = normal[k] > 0.0 ? (k + 2) % 3 : (k + 1) % 3;
    uint32_t count = 0;
    for (uint32_t i = 1; i < cap->count; i++) {
        double p[3];
        uint32_t j = i;
        memcpy(p, cap->at[i], sizeof p);
        for (; j > 0 && compare(p, cap->at[j - 1], u, v) < 0; j--)
            memcpy(cap->at[j], cap->at[j - 1], sizeof p);
        memcpy(cap->at[j], p, sizeof p);
    }
    for (uint32_t i = 0; i < cap->count; i++)
        if (i == 0 || compare(cap->at[i], cap->at[count - 1], u, v) != 0)
            memmove(cap->at[count++], cap->at[i], sizeof *cap->at);
    out->count = 0;
    for (int way = 0; way < 2 && count >= 3; way++) {
        const uint32_t begin = out->count;
        for (uint32_t i = 0; i < count; i++) {
            const double *p = cap->at[way == 0 ? i : count - 1 - i];
            while (out->count >= begin + 2 && turn(out->at[out->count - 2], out->at[out->count - 1], p, u, v) <= 0.0)
                out->count--;
            vp_places_add(out, p);
        }
        out->count -= out->count > 0 ? 1 : 0; /* the start of the next chain */
    }
}

bool vp_cell_cut(vp_cutter *cutter, const vp_polygons *cell, const double plane[4], vp_polygons *out)
{
    /* A face that lies in the plane up to rounding is on one side of it as a whole. */
    const double near = cutter->near * sqrt(vp_dot3(plane, plane));
    vp_polygons_clear(out);
    if (cell->count == 0 || !vp_sides_find(&cutter->side, (const double(*)[3])cell->corner.at, cell->corner.count, plane, near) ||
        cutter->side.least >= 0.0) {
        cutter->no_memory = cutter->no_memory || cutter->side.no_memory;
        return false;
    }
    cutter->cap.count = 0;
    for (uint32_t f = 0; f < cell->count; f++) {
        const double(*corner)[3] = vp_polygon_at(cell, f);
        const double *side = cutter->side.at + cell->first[f];
        const uint32_t corners = vp_polygon_corners(cell, f);
        if (cutter->side.most <= 0.0) {
            vp_polygons_add(out, corner, corners);
            continue;
        }
        vp_polygon_clip(corner, side, corners, &out->corner);
        vp_polygons_end(out);
        for (uint32_t i = 0; i < corners; i++) { /* corners on the plane and crossings of edges, in the polygon's order */
            const uint32_t next = i + 1 < corners ? i + 1 : 0;
            double p[3];
            if (side[i] == 0.0) {
                vp_places_add(&cutter->cap, corner[i]);
            } else if ((side[i] < 0.0 && side[next] > 0.0) || (side[i] > 0.0 && side[next] < 0.0)) {
                vp_edge_cut(corner[i], side[i], corner[next], side[next], p);
                vp_places_add(&cutter->cap, p);
            }
        }
    }
    if (cutter->side.most > 0.0) {
        make_cap(&cutter->cap, plane, &cutter->polygon);
        vp_polygons_add(out, (const double(*)[3])cutter->polygon.at, cutter->polygon.count);
    }
    cutter->no_memory = cutter->no_memory || out->no_memory || cutter->cap.no_memory || cutter->polygon.no_memory;
    return !out->no_memory && (cutter->side.most <= 0.0 || out->count >= 4);
}
