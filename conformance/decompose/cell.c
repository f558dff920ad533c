/* SPDX-License-Identifier: MIT */
#include "conformance/decompose/cell.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/decompose/vector.h"

void vp_cutter_drop(vp_cutter *cutter)
{
    free(cutter->polygon.at);
    free(cutter->cap.at);
    free(cutter->side);
    *cutter = (vp_cutter){0};
}

void vp_cell_drop(vp_convex_cell *cell)
{
    free(cell->first);
    free(cell->corner);
    *cell = (vp_convex_cell){0};
}

static bool make_room(vp_convex_cell *cell, uint32_t faces, uint32_t corners)
{
    if (faces + 1 > cell->face_room) {
        const uint32_t room = 2 * faces + 8;
        uint32_t *first = realloc(cell->first, room * sizeof *first);
        if (first == NULL)
            return false;
        cell->first = first;
        cell->face_room = room;
    }
    if (corners > cell->corner_room) {
        const uint32_t room = 2 * corners + 16;
        double(*corner)[3] = realloc(cell->corner, room * sizeof *corner);
        if (corner == NULL)
            return false;
        cell->corner = corner;
        cell->corner_room = room;
    }
    return true;
}

/* Adds a face of three corners at least. */
static bool add_face(vp_convex_cell *cell, const double (*corner)[3], uint32_t corners)
{
    const uint32_t first = cell->faces != 0 ? cell->first[cell->faces] : 0;
    if (corners < 3)
        return true;
    if (!make_room(cell, cell->faces + 1, first + corners))
        return false;
    memcpy(cell->corner + first, corner, corners * sizeof *corner);
    cell->first[0] = 0;
    cell->first[++cell->faces] = first + corners;
    return true;
}

bool vp_cell_of(const vp_body *b, vp_convex_cell *out)
{
    *out = (vp_convex_cell){0};
    for (uint32_t f = 0; f < b->faces; f++)
        if (!add_face(out, (const double(*)[3])(b->corner + b->first[f]), b->first[f + 1] - b->first[f]))
            return false;
    return true;
}

double vp_cell_volume(const vp_convex_cell *cell)
{
    double sum = 0.0;
    for (uint32_t f = 0; f < cell->faces; f++)
        for (uint32_t c = cell->first[f] + 1; c + 1 < cell->first[f + 1]; c++) {
            double p[3][3], n[3];
            vp_minus3(cell->corner[cell->first[f]], cell->corner[0], p[0]);
            vp_minus3(cell->corner[c], cell->corner[0], p[1]);
            vp_minus3(cell->corner[c + 1], cell->corner[0], p[2]);
            vp_cross3(p[1], p[2], n);
            sum += vp_dot3(n, p[0]);
        }
    return vp_more(sum / 6.0, 0.0);
}

bool vp_cell_is_above(const vp_cutter *cutter, const vp_convex_cell *cell, const double plane[4])
{
    const double near = cutter->near * sqrt(vp_dot3(plane, plane));
    for (uint32_t i = 0; i < cell->first[cell->faces]; i++)
        if (vp_above(plane, cell->corner[i]) < -near)
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

/* The hull, in the plane, of points that lie on it, around its normal: by Andrew's chains. They are few, and mostly there twice. */
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
        out->count -= out->count > 0 ? 1 : 0; /* where the next one begins */
    }
}

static bool find_sides(vp_cutter *cutter, const vp_convex_cell *cell, const double plane[4], double *most, double *least)
{
    const uint32_t corners = cell->first[cell->faces];
    if (corners > cutter->sides) {
        double *side = realloc(cutter->side, corners * 2 * sizeof *side);
        if (side == NULL) {
            cutter->no_memory = true;
            return false;
        }
        cutter->side = side;
        cutter->sides = corners * 2;
    }
    *most = -(double)INFINITY;
    *least = (double)INFINITY;
    const double near = cutter->near * sqrt(vp_dot3(plane, plane));
    for (uint32_t i = 0; i < corners; i++) {
        cutter->side[i] = vp_above(plane, cell->corner[i]);
        if (fabs(cutter->side[i]) <= near) /* a face that is in the plane up to roundings is on one side of it as a whole */
            cutter->side[i] = 0.0;
        *most = vp_more(*most, cutter->side[i]);
        *least = vp_less(*least, cutter->side[i]);
    }
    return true;
}

bool vp_cell_cut(vp_cutter *cutter, const vp_convex_cell *cell, const double plane[4], vp_convex_cell *out)
{
    double most, least;
    bool fits = true;
    out->faces = 0;
    if (cell->faces == 0 || !find_sides(cutter, cell, plane, &most, &least) || least >= 0.0)
        return false;
    if (most <= 0.0) {
        for (uint32_t f = 0; f < cell->faces; f++)
            fits = fits && add_face(out, (const double(*)[3])(cell->corner + cell->first[f]), cell->first[f + 1] - cell->first[f]);
        cutter->no_memory = cutter->no_memory || !fits;
        return fits;
    }
    cutter->cap.count = 0;
    for (uint32_t f = 0; f < cell->faces && fits; f++) {
        const double(*corner)[3] = (const double(*)[3])(cell->corner + cell->first[f]);
        const double *side = cutter->side + cell->first[f];
        const uint32_t corners = cell->first[f + 1] - cell->first[f];
        cutter->polygon.count = 0;
        vp_polygon_clip(corner, side, corners, &cutter->polygon);
        fits = add_face(out, (const double(*)[3])cutter->polygon.at, cutter->polygon.count);
        for (uint32_t i = 0; i < corners; i++) { /* corners on the plane, and where edges meet it, as the polygon has them */
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
    make_cap(&cutter->cap, plane, &cutter->polygon);
    fits = fits && add_face(out, (const double(*)[3])cutter->polygon.at, cutter->polygon.count);
    cutter->no_memory = cutter->no_memory || !fits || cutter->cap.no_memory || cutter->polygon.no_memory;
    return fits && out->faces >= 4;
}
