/* SPDX-License-Identifier: MIT */
/* Measures the volumes of hulls, of their union, and of the solid in them. Space is halved until few hulls are in a box. There each hull is
 * cut by the planes of those before it, so that the remaining cells do not overlap. The solid in a cell is a sum over triangles. The volume
 * of the cell below a triangle, along the z axis, is added for a triangle that faces up and subtracted for one that faces down. */
#include "conformance/judge_decompose/parts.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/vector.h"

enum { FEW = 3, DEEPEST = 16 };

/* The part of a hull in a box. The planes of its body can cut other parts. */
typedef struct part {
    vp_polygons cell;
    uint32_t hull;
} part;

typedef struct volumes {
    const vp_decomposition_job *judge;
    vp_between together, covered;
    vp_cutter cutter;
    uint32_t *near;
    int sense;
    uint64_t work;
    bool no_memory;
} volumes;

double vp_space_volume(const vp_space *s)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < s->triangles; t++) {
        double n[3];
        vp_cross3(s->corner[t][1], s->corner[t][2], n);
        sum += s->again[t] ? 0.0 : vp_dot3(n, s->corner[t][0]);
    }
    return sum / 6.0;
}

/* ---- the solid in a cell ---- */

/* The volume of a cell below a triangle, of either orientation. */
static double below(volumes *v, const vp_polygons *cell, const double corner[3][3])
{
    double n[3], volume = 0.0;
    vp_polygons turn[2] = {{.count = 0}};
    const vp_polygons *at = cell;
    vp_normal_of(corner, n);
    if (n[2] == 0.0)
        return 0.0;
    const double sense = n[2] > 0.0 ? 1.0 : -1.0;
    bool is_left = true;
    for (int i = 0; i < 4 && is_left; i++) {
        double plane[4] = {sense * n[0], sense * n[1], sense * n[2], 0.0};
        const double *from = corner[i % 3], *to = corner[(i + 1) % 3];
        if (i < 3) { /* outwards of the edge, in the projection */
            plane[0] = sense * (to[1] - from[1]);
            plane[1] = sense * (from[0] - to[0]);
            plane[2] = 0.0;
        }
        plane[3] = vp_dot3(plane, from);
        vp_polygons *next = &turn[i % 2];
        is_left = vp_cell_cut(&v->cutter, at, plane, next);
        at = next;
    }
    if (is_left)
        volume = sense * vp_cell_volume(at);
    vp_polygons_drop(&turn[0]);
    vp_polygons_drop(&turn[1]);
    return volume;
}

/* The integral of the winding number over a cell. */
static double solid_in(volumes *v, const vp_polygons *cell, double volume)
{
    const vp_space *s = &v->judge->space;
    double low[3], high[3], middle[3] = {0, 0, 0}, sum = 0.0;
    uint32_t triangle;
    int32_t winding;
    const uint32_t corners = cell->corner.count;
    vp_box_of((const double(*)[3])cell->corner.at, corners, low, high);
    for (uint32_t i = 0; i < corners; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += cell->corner.at[i][k] / (double)corners;
    if (vp_space_gather(s, low, high, v->near, 0) == 0 && vp_space_winding(s, middle, vp_space_distance(s, middle, 0, &triangle), &winding))
        return (double)winding * volume;
    high[2] = (double)INFINITY;
    const uint32_t count = vp_space_gather(s, low, high, v->near, s->triangles);
    for (uint32_t i = 0; i < count; i++)
        if (!s->again[v->near[i]])
            sum += below(v, cell, (const double(*)[3])s->corner[v->near[i]]);
    return sum;
}

static void count_cell(volumes *v, const vp_polygons *cell)
{
    const double volume = vp_cell_volume(cell);
    v->together.low += volume;
    v->together.high += volume;
    v->work++;
    if (v->judge->space.closed) {
        const double solid = solid_in(v, cell, volume) * (double)v->sense;
        v->covered.low += solid;
        v->covered.high += solid;
    }
}

/* ---- cells that do not overlap ---- */

/* Counts the part of a cell that is in none of `count` hulls. */
static void count_without(volumes *v, const vp_polygons *cell, const part *before, uint32_t count)
{
    while (count > 0) { /* skip hulls that do not meet the cell */
        const vp_body *b = &v->judge->body[before[count - 1].hull];
        bool apart = false;
        for (uint32_t f = 0; f < b->faces && !apart; f++)
            apart = vp_cell_is_above(&v->cutter, cell, b->plane[f]);
        if (!apart)
            break;
        count--;
    }
    if (count == 0) {
        count_cell(v, cell);
        return;
    }
    if (v->work >= v->judge->max_work) {
        const double volume = vp_cell_volume(cell);
        v->together.high += volume;
        v->covered.high += volume;
        return;
    }
    const vp_body *b = &v->judge->body[before[count - 1].hull];
    vp_polygons turn[2] = {{.count = 0}}, beyond = {0};
    const vp_polygons *at = cell;
    bool is_left = true;
    for (uint32_t f = 0; f < b->faces && is_left && !v->cutter.no_memory; f++) {
        const double *plane = b->plane[f], turned[4] = {-plane[0], -plane[1], -plane[2], -plane[3]};
        if (vp_cell_is_above(&v->cutter, at, turned)) /* the cell is below this plane */
            continue;
        if (vp_cell_cut(&v->cutter, at, turned, &beyond))
            count_without(v, &beyond, before, count - 1);
        vp_polygons *next = at == &turn[0] ? &turn[1] : &turn[0];
        is_left = vp_cell_cut(&v->cutter, at, plane, next);
        at = next;
    }
    vp_polygons_drop(&turn[0]);
    vp_polygons_drop(&turn[1]);
    vp_polygons_drop(&beyond);
}

/* Bounds the volumes of parts that are not examined. */
static void guess(volumes *v, const part *p, uint32_t count)
{
    double most = 0.0, all = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const double volume = vp_cell_volume(&p[i].cell);
        most = vp_more(most, volume);
        all += volume;
    }
    v->together.low += most;
    v->together.high += all;
    v->covered.high += all;
}

/* ---- boxes ---- */

static void divide(volumes *v, part *p, uint32_t count, int depth)
{
    double low[3], high[3];
    if (v->work >= v->judge->max_work) {
        guess(v, p, count);
        return;
    }
    v->work++;
    if (count <= FEW || depth == DEEPEST) {
        for (uint32_t i = 0; i < count; i++)
            count_without(v, &p[i].cell, p, i);
        return;
    }
    vp_box_clear(low, high);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < p[i].cell.corner.count; k++)
            vp_box_add(low, high, p[i].cell.corner.at[k]);
    const double all = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
    for (uint32_t i = 0; i < count; i++)
        if (vp_cell_volume(&p[i].cell) >= all * (1.0 - 0x1p-40)) { /* it fills the box */
            count_cell(v, &p[i].cell);
            return;
        }
    const int axis = vp_longest(low, high);
    for (int half = 0; half < 2 && !v->cutter.no_memory; half++) {
        double plane[4] = {0, 0, 0, 0};
        uint32_t kept = 0;
        part *to = calloc(count, sizeof *to);
        if (to == NULL) {
            v->no_memory = true;
            return;
        }
        plane[axis] = half == 0 ? 1.0 : -1.0;
        plane[3] = plane[axis] * (0.5 * low[axis] + 0.5 * high[axis]);
        for (uint32_t i = 0; i < count; i++)
            if (vp_cell_cut(&v->cutter, &p[i].cell, plane, &to[kept].cell))
                to[kept++].hull = p[i].hull;
        divide(v, to, kept, depth + 1);
        for (uint32_t i = 0; i < count; i++)
            vp_polygons_drop(&to[i].cell);
        free(to);
    }
}

static void tell(const volumes *v, vp_decomposition_verdict *out)
{
    const bool solid = v->judge->space.closed;
    out->union_volume = v->together;
    out->overlap.low = vp_more(0.0, out->hull_volume - v->together.high);
    out->overlap.high = vp_more(0.0, out->hull_volume - v->together.low);
    out->covered = out->covered_solid = out->excess = (vp_between){(double)NAN, (double)NAN};
    if (!solid)
        return;
    out->covered = v->covered;
    if (v->work >= v->judge->max_work && (out->covered.high > out->volume || out->winding[1] - out->winding[0] > 1))
        out->covered.high = vp_more(out->volume, out->covered.low);
    out->excess.low = vp_more(0.0, v->together.low - v->covered.low);
    out->excess.high = vp_more(out->excess.low, v->together.high - v->covered.low);
    if (out->volume > 0.0)
        out->covered_solid = (vp_between){out->covered.low / out->volume, out->covered.high / out->volume};
}

vp_status vp_judge_volume(const vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error)
{
    volumes v = {.judge = j, .sense = vp_space_volume(&j->space) < 0.0 ? -1 : 1};
    const uint32_t hulls = j->asked->hulls;
    uint32_t solids = 0;
    v.cutter.near = j->space.extent * 0x1p-40;
    part *p = calloc((size_t)hulls + 1, sizeof *p);
    v.near = malloc(j->space.triangles * sizeof *v.near);
    v.no_memory = p == NULL || v.near == NULL;
    for (uint32_t h = 0; h < hulls && !v.no_memory; h++) {
        if (j->body[h].dimension != 3)
            continue;
        p[solids].hull = h;
        v.no_memory = !vp_cell_of(&j->body[h], &p[solids].cell);
        out->hull_volume += j->body[h].volume;
        solids++;
    }
    if (!v.no_memory)
        divide(&v, p, solids, 0);
    tell(&v, out);
    for (uint32_t i = 0; p != NULL && i < solids; i++)
        vp_polygons_drop(&p[i].cell);
    free(p);
    free(v.near);
    const bool no_memory = v.no_memory || v.cutter.no_memory;
    vp_cutter_drop(&v.cutter);
    return no_memory ? vp_fail(error, VP_E_MEMORY, "no memory for the volumes of %u hulls", hulls) : VP_OK;
}
