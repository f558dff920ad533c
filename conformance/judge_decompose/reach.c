/* SPDX-License-Identifier: MIT */
/* Finds the largest distance of a convex body's points from the solid, by branch and bound. Pieces are parts of the body in boxes. The
 * piece with the largest upper bound is cut in two, until no bound exceeds the distance of a known point by more than the tolerance. Pieces
 * are cut out of the body itself, so a thin body cannot be missed between the middles of boxes.
 *
 * A piece holds a point c at distance d from the surface, and lies within R of c. The least of three upper bounds holds:
 * 1. d + R if c is outside, and R - d if c is inside, because the distance function is 1-Lipschitz.
 * 2. The largest distance of its corners from the triangle nearest to c, because the distance to a triangle is convex.
 * 3. If c is inside, the largest distance of its corners from a convex part of it that is inside too. That part is on c's side of
 *    all triangle planes that meet the piece. Instead of a triangle's plane, a plane of the body works that is moved inwards
 *    beyond the triangle. */
#include "conformance/judge_decompose/parts.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/vector.h"

enum { NEAR_TRIANGLES = 64 };

typedef enum place { UNKNOWN, OUTSIDE, INSIDE } place;

/* A part of the body in a box. */
typedef struct piece {
    double most;            /* upper bound of its reach */
    double low[3], high[3]; /* of its corners */
    double c[3], d;         /* a point of it, and its distance from the surface */
    uint32_t triangle;      /* the triangle nearest to c */
    place of;               /* whether c is inside */
} piece;

typedef struct search {
    const vp_decomposition_job *judge;
    const vp_body *body;
    vp_heap heap; /* pieces */
    double low;   /* distance of a known point */
    double witness[3];
    vp_places corner; /* corners of the current piece */
    vp_places turn[2];
    vp_sides side;
    bool no_memory;
} search;

/* ---- the corners of a piece ---- */

/* Clips a polygon to a box, into turn[0]. */
static void clip_to_box(search *s, const double (*corner)[3], uint32_t corners, const double low[3], const double high[3])
{
    s->turn[0].count = 0;
    for (uint32_t i = 0; i < corners; i++)
        vp_places_add(&s->turn[0], corner[i]);
    for (int wall = 0; wall < 6; wall++) {
        const int k = wall % 3;
        vp_places *from = &s->turn[0], *to = &s->turn[1];
        bool beyond = false;
        if (!vp_sides_make(&s->side, from->count))
            return;
        for (uint32_t i = 0; i < from->count; i++) {
            s->side.at[i] = wall < 3 ? low[k] - from->at[i][k] : from->at[i][k] - high[k];
            beyond = beyond || s->side.at[i] > 0.0;
        }
        if (!beyond)
            continue;
        to->count = 0;
        vp_polygon_clip((const double(*)[3])from->at, s->side.at, from->count, to);
        for (uint32_t i = 0; i < to->count; i++) /* exactly on the wall */
            to->at[i][k] = wall < 3 ? vp_more(to->at[i][k], low[k]) : vp_less(to->at[i][k], high[k]);
        const vp_places swap = *from;
        *from = *to;
        *to = swap;
    }
}

/* Finds the corners of the body's part in a box: those of its faces in the box, and corners of the box in the body. Some occur
 * more than once. */
static void find_corners(search *s, const double low[3], const double high[3])
{
    const vp_body *b = s->body;
    s->corner.count = 0;
    for (uint32_t f = 0; f < b->faces; f++) {
        if (!vp_boxes_meet(b->box[f][0], b->box[f][1], low, high))
            continue;
        clip_to_box(s, (const double(*)[3])(b->corner + b->first[f]), b->first[f + 1] - b->first[f], low, high);
        for (uint32_t i = 0; i < s->turn[0].count; i++)
            vp_places_add(&s->corner, s->turn[0].at[i]);
    }
    for (int i = 0; i < 8 && b->dimension == 3; i++) {
        const double p[3] = {i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]};
        if (vp_body_holds(b, p))
            vp_places_add(&s->corner, p);
    }
    s->no_memory = s->no_memory || s->side.no_memory || s->corner.no_memory || s->turn[0].no_memory || s->turn[1].no_memory;
}

/* ---- bounds ---- */

static place place_of(const search *s, const double p[3], double d, const piece *parent)
{
    int32_t winding;
    const vp_space *space = &s->judge->space;
    if (!space->closed)
        return OUTSIDE;
    if (parent != NULL && parent->of != UNKNOWN && vp_apart(p, parent->c) < parent->d * (1.0 - 0x1p-30))
        return parent->of; /* no surface lies in between */
    if (!vp_space_winding(space, p, d, &winding))
        return UNKNOWN;
    return winding != 0 ? INSIDE : OUTSIDE;
}

static void take_point(search *s, const double p[3], double d, place of)
{
    if (of == OUTSIDE && d > s->low) {
        s->low = d;
        memcpy(s->witness, p, sizeof s->witness);
    }
}

/* An upper bound of the distance from corners to the part on c's side of a plane. `middle` is the height of c above the plane. */
static double out_of_cell(const search *s, const double c[3], const double normal[3], double plane, double middle)
{
    double most = 0.0;
    for (uint32_t i = 0; i < s->corner.count; i++) {
        const double above = vp_dot3(normal, s->corner.at[i]) - plane;
        if ((middle < 0.0 && above > 0.0) || (middle > 0.0 && above < 0.0))
            most = vp_more(most, vp_apart(s->corner.at[i], c) * (above / (above - middle)));
    }
    return most;
}

/* The third bound for one triangle, from the better of the two kinds of planes. */
static double by_triangle(search *s, const piece *p, const double corner[3][3], double enough)
{
    double n[3], best = (double)INFINITY;
    vp_normal_of(corner, n);
    const double plane = vp_dot3(n, corner[0]), middle = vp_dot3(n, p->c) - plane;
    if (middle != 0.0)
        best = out_of_cell(s, p->c, n, plane, middle);
    if (best <= enough)
        return best;
    clip_to_box(s, corner, 3, p->low, p->high);
    if (s->turn[0].count == 0)
        return 0.0;
    for (uint32_t f = 0; f < s->body->faces && s->body->dimension == 3 && best > enough; f++) {
        const double *face = s->body->plane[f];
        double lowest = (double)INFINITY;
        for (uint32_t i = 0; i < s->turn[0].count; i++)
            lowest = vp_less(lowest, vp_dot3(face, s->turn[0].at[i]));
        const double below = vp_dot3(face, p->c) - lowest;
        if (below < 0.0)
            best = vp_less(best, out_of_cell(s, p->c, face, lowest, below));
    }
    return best;
}

/* The third bound. `enough` counts as 0, and the search stops at `bad`. */
static double by_cell(search *s, const piece *p, double enough, double bad)
{
    uint32_t near[NEAR_TRIANGLES];
    const uint32_t count = vp_space_gather(&s->judge->space, p->low, p->high, near, NEAR_TRIANGLES);
    double most = 0.0;
    if (count > NEAR_TRIANGLES)
        return bad;
    for (uint32_t i = 0; i < count && most < bad && !s->no_memory; i++)
        most = vp_more(most, by_triangle(s, p, (const double(*)[3])s->judge->space.corner[near[i]], enough));
    return most;
}

/* The largest distance of corners from a triangle, and that corner. */
static double by_nearest(const search *s, uint32_t triangle, uint32_t *furthest)
{
    double most2 = -1.0;
    for (uint32_t i = 0; i < s->corner.count; i++) {
        const double away2 = vp_triangle_distance2((const double(*)[3])s->judge->space.corner[triangle], s->corner.at[i]);
        if (away2 > most2) {
            most2 = away2;
            *furthest = i;
        }
    }
    return sqrt(most2);
}

/* ---- the search ---- */

/* Examines the part of the body in a box, and pushes it if it may reach farther than the known point. */
static void look(search *s, const double low[3], const double high[3], const piece *parent)
{
    piece p = {.most = parent != NULL ? parent->most : (double)INFINITY};
    double radius = 0.0;
    uint32_t furthest = 0;
    find_corners(s, low, high);
    const uint32_t count = s->corner.count;
    if (count == 0 || s->no_memory)
        return;
    vp_box_of((const double(*)[3])s->corner.at, count, p.low, p.high);
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < count; i++)
            p.c[k] += s->corner.at[i][k];
        p.c[k] = p.c[k] / (double)count;
    }
    for (uint32_t i = 0; i < count; i++)
        radius = vp_more(radius, vp_apart(s->corner.at[i], p.c));
    const double good = s->low + s->judge->tolerance;
    p.d = vp_space_distance(&s->judge->space, p.c, parent != NULL ? parent->triangle : 0, &p.triangle);
    p.of = place_of(s, p.c, p.d, parent);
    take_point(s, p.c, p.d, p.of);
    p.most = vp_less(p.most, p.of == INSIDE ? vp_more(radius - p.d, 0.0) : p.d + radius);
    if (p.most > good) {
        p.most = vp_less(p.most, by_nearest(s, p.triangle, &furthest));
        if (p.most > good && p.of == INSIDE)
            p.most = vp_less(p.most, by_cell(s, &p, good, p.most));
        if (p.most > good && p.of != INSIDE) {
            const double *q = s->corner.at[furthest];
            uint32_t triangle;
            const double d = vp_space_distance(&s->judge->space, q, p.triangle, &triangle);
            if (d > s->low)
                take_point(s, q, d, place_of(s, q, d, &p));
        }
    }
    vp_heap_keep(&s->heap, &p, s->low + s->judge->tolerance);
}

static void run(search *s, vp_hull_judged *out)
{
    look(s, s->body->low, s->body->high, NULL);
    out->pieces = 1;
    while (!s->no_memory && !s->heap.no_memory && vp_heap_top(&s->heap) > s->low + s->judge->tolerance &&
           out->pieces < s->judge->max_work) {
        piece p;
        vp_heap_pop(&s->heap, &p);
        const int axis = vp_longest(p.low, p.high);
        const double cut = 0.5 * (p.low[axis] + p.high[axis]);
        double end[3];
        if (!(cut > p.low[axis] && cut < p.high[axis])) { /* the piece is a point, up to rounding */
            s->heap.pruned = vp_more(s->heap.pruned, p.most);
            continue;
        }
        memcpy(end, p.high, sizeof end);
        end[axis] = cut;
        look(s, p.low, end, &p);
        memcpy(end, p.low, sizeof end);
        end[axis] = cut;
        look(s, end, p.high, &p);
        out->pieces += 2;
    }
}

vp_status vp_judge_reach(const vp_decomposition_job *j, const vp_body *body, vp_hull_judged *out, vp_error *error)
{
    search s = {.judge = j, .body = body, .heap.each = sizeof(piece)};
    memcpy(s.witness, body->corner[0], sizeof s.witness);
    run(&s, out);
    out->reach.low = s.low;
    out->reach.high = vp_more(s.low, vp_more(s.heap.pruned, vp_heap_top(&s.heap)));
    for (int k = 0; k < 3; k++)
        out->witness[k] = s.witness[k] + j->space.middle[k];
    free(s.heap.at);
    free(s.corner.at);
    free(s.turn[0].at);
    free(s.turn[1].at);
    free(s.side.at);
    return s.no_memory || s.heap.no_memory ? vp_fail(error, VP_E_MEMORY, "no memory for the reach of a hull") : VP_OK;
}
