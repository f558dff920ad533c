/* SPDX-License-Identifier: MIT */
/* Measures how much of the surface is within hulls. Each triangle is cut by the planes of the grown hulls near it, one hull at a time, and
 * the part inside is removed. The rest is uncovered.
 *
 * The largest distance of the surface from all hulls, which are not grown here, is found by branch and bound. Let m be the middle of a
 * triangle and R the largest distance of its points from m. No point is farther away than m's distance plus R, nor than the farthest corner
 * from one hull, which is convex. */
#include "conformance/judge_decompose/parts.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/vector.h"

/* A piece of a triangle that may be away from all hulls. */
typedef struct shred {
    double most;
    double corner[3][3];
    uint32_t triangle;
} shred;

typedef struct cover {
    const vp_decomposition_job *judge;
    vp_decomposition_verdict *out;
    vp_polygons turn[2], spare; /* the rest of the triangle, and the part of a polygon outside a hull */
    vp_places rest[2];          /* the part that may be inside */
    vp_sides side, turned;
    uint32_t *near, nears; /* hulls near the triangle */
    double unknown;        /* area of triangles that were given up */
    uint64_t work;
    vp_heap heap; /* shreds */
    bool no_memory;
} cover;

/* ---- polygons ---- */

static double area_of(const double (*corner)[3], uint32_t corners)
{
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 1; i + 1 < corners; i++) {
        double a[3], b[3], n[3];
        vp_minus3(corner[i], corner[0], a);
        vp_minus3(corner[i + 1], corner[0], b);
        vp_cross3(a, b, n);
        for (int k = 0; k < 3; k++)
            sum[k] += n[k];
    }
    return 0.5 * sqrt(vp_dot3(sum, sum));
}

/* ---- the part of a polygon outside a hull ---- */

/* Adds the part of a polygon outside a grown hull to `to`. Cuts off the part beyond each plane in turn. If no part is inside, adds
 * the whole polygon. */
static void subtract(cover *c, const double (*corner)[3], uint32_t corners, const vp_body *b, vp_polygons *to)
{
    vp_places *in = &c->rest[0], *rest = &c->rest[1];
    vp_polygons_clear(&c->spare);
    in->count = 0;
    for (uint32_t i = 0; i < corners; i++)
        vp_places_add(in, corner[i]);
    for (uint32_t f = 0; f < b->planes && in->count >= 3; f++) {
        const double(*at)[3] = (const double(*)[3])in->at;
        if (!vp_sides_find(&c->side, at, in->count, b->grown[f], 0.0) || !vp_sides_make(&c->turned, in->count)) {
            c->no_memory = true;
            return;
        }
        if (c->side.most <= 0.0)
            continue;
        rest->count = 0;
        if (c->side.least < 0.0) {
            for (uint32_t i = 0; i < in->count; i++)
                c->turned.at[i] = -c->side.at[i];
            vp_polygon_clip(at, c->turned.at, in->count, &c->spare.corner);
            vp_polygons_end(&c->spare);
            vp_polygon_clip(at, c->side.at, in->count, rest);
        }
        vp_places *swap = in;
        in = rest;
        rest = swap;
    }
    c->no_memory = c->no_memory || c->rest[0].no_memory || c->rest[1].no_memory || c->spare.no_memory;
    if (in->count < 3) {
        vp_polygons_add(to, corner, corners);
        return;
    }
    for (uint32_t i = 0; i < c->spare.count; i++)
        vp_polygons_add(to, vp_polygon_at(&c->spare, i), vp_polygon_corners(&c->spare, i));
}

/* ---- a triangle ---- */

static void find_near(cover *c, const double low[3], const double high[3])
{
    c->nears = 0;
    for (uint32_t h = 0; h < c->judge->asked->hulls; h++)
        if (vp_boxes_meet(c->judge->body[h].grown_low, c->judge->body[h].grown_high, low, high))
            c->near[c->nears++] = h;
}

static bool is_held(const cover *c, const double corner[3][3])
{
    for (uint32_t i = 0; i < c->nears; i++) {
        const vp_body *b = &c->judge->body[c->near[i]];
        if (vp_body_holds_grown(b, corner[0]) && vp_body_holds_grown(b, corner[1]) && vp_body_holds_grown(b, corner[2]))
            return true;
    }
    return false;
}

static void tell_left(cover *c, const vp_polygons *p, uint32_t triangle)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const double(*corner)[3] = vp_polygon_at(p, i);
        const uint32_t corners = vp_polygon_corners(p, i);
        const double area = area_of(corner, corners);
        c->out->uncovered_area += area;
        if (!(area > c->out->largest_piece))
            continue;
        c->out->largest_piece = area;
        c->out->largest_triangle = triangle;
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            for (uint32_t j = 0; j < corners; j++)
                sum += corner[j][k];
            c->out->largest_at[k] = sum / (double)corners + c->judge->space.middle[k];
        }
    }
}

static void cover_triangle(cover *c, uint32_t at)
{
    const double(*corner)[3] = (const double(*)[3])c->judge->space.corner[at];
    const double area = area_of(corner, 3);
    double low[3], high[3];
    c->out->area += area;
    vp_box_of(corner, 3, low, high);
    find_near(c, low, high);
    if (is_held(c, corner))
        return;
    vp_polygons *left = &c->turn[0], *next = &c->turn[1];
    vp_polygons_clear(left);
    vp_polygons_add(left, corner, 3);
    for (uint32_t i = 0; i < c->nears && left->count > 0 && !c->no_memory; i++) {
        vp_polygons_clear(next);
        for (uint32_t p = 0; p < left->count; p++)
            subtract(c, vp_polygon_at(left, p), vp_polygon_corners(left, p), &c->judge->body[c->near[i]], next);
        c->work += left->count;
        vp_polygons *swap = left;
        left = next;
        next = swap;
        c->no_memory = c->no_memory || left->no_memory;
        if (c->work > c->judge->max_work) {
            c->unknown += area;
            return;
        }
    }
    tell_left(c, left, c->judge->space.number[at]);
}

/* ---- the distance from all hulls ---- */

static double away_from_all(const cover *c, const double p[3])
{
    double least = (double)INFINITY;
    for (uint32_t h = 0; h < c->judge->asked->hulls; h++)
        least = vp_body_distance(&c->judge->body[h], p, least);
    return least;
}

/* The least over all hulls of the distance of the farthest corner. Values above `least` do not matter. */
static double furthest_corner(const cover *c, const double corner[3][3], double least)
{
    for (uint32_t h = 0; h < c->judge->asked->hulls && least > 0.0; h++) {
        double most = 0.0;
        for (int i = 0; i < 3 && most < least; i++)
            most = vp_more(most, vp_body_distance(&c->judge->body[h], corner[i], least));
        least = vp_less(least, most);
    }
    return least;
}

static void look_away(cover *c, shred *s)
{
    vp_decomposition_verdict *out = c->out;
    double m[3], radius = 0.0;
    s->most = vp_less(s->most, furthest_corner(c, (const double(*)[3])s->corner, s->most));
    if (s->most > out->away.low + c->judge->tolerance) {
        for (int k = 0; k < 3; k++)
            m[k] = (s->corner[0][k] + s->corner[1][k] + s->corner[2][k]) / 3.0;
        for (int i = 0; i < 3; i++)
            radius = vp_more(radius, vp_apart(s->corner[i], m));
        for (int i = 0; i < 4; i++) {
            const double *p = i < 3 ? s->corner[i] : m, away = away_from_all(c, p);
            if (away > out->away.low) {
                out->away.low = away;
                out->away_triangle = c->judge->space.number[s->triangle];
                for (int k = 0; k < 3; k++)
                    out->away_at[k] = p[k] + c->judge->space.middle[k];
            }
            if (i == 3)
                s->most = vp_less(s->most, away + radius);
        }
    }
    vp_heap_keep(&c->heap, s, out->away.low + c->judge->tolerance);
}

/* Cuts the longest edge in two. */
static void cut(const shred *s, shred half[2])
{
    int longest = 0;
    double length = -1.0;
    for (int i = 0; i < 3; i++) {
        const double l = vp_apart(s->corner[i], s->corner[(i + 1) % 3]);
        longest = l > length ? i : longest;
        length = vp_more(l, length);
    }
    half[0] = half[1] = *s;
    for (int k = 0; k < 3; k++)
        half[0].corner[(longest + 1) % 3][k] = half[1].corner[longest][k] =
            0.5 * s->corner[longest][k] + 0.5 * s->corner[(longest + 1) % 3][k];
}

static void find_away(cover *c)
{
    vp_decomposition_verdict *out = c->out;
    const vp_space *space = &c->judge->space;
    for (uint32_t t = 0; t < space->triangles && !c->heap.no_memory; t++) {
        shred s = {.most = (double)INFINITY, .triangle = t};
        memcpy(s.corner, space->corner[t], sizeof s.corner);
        look_away(c, &s);
    }
    for (uint64_t work = 0; work < c->judge->max_work && !c->heap.no_memory && vp_heap_top(&c->heap) > out->away.low + c->judge->tolerance;
         work++) {
        shred top, half[2];
        vp_heap_pop(&c->heap, &top);
        cut(&top, half);
        look_away(c, &half[0]);
        look_away(c, &half[1]);
    }
    out->away.high = vp_more(out->away.low, vp_more(c->heap.pruned, vp_heap_top(&c->heap)));
}

/* ---- owners ---- */

static void look_at_owner(cover *c, uint32_t at)
{
    const vp_decomposition_job *j = c->judge;
    const uint32_t triangle = j->space.number[at];
    const uint32_t owner = j->asked->owner != NULL ? j->asked->owner[triangle] : VP_JUDGED_NONE;
    double most = 0.0;
    if (owner == VP_JUDGED_NONE)
        return;
    c->out->owned++;
    for (int i = 0; i < 3; i++)
        most = vp_more(most, vp_body_distance(&j->body[owner], j->space.corner[at][i], (double)INFINITY));
    c->out->lost += most > j->asked->s + 0x1p-36 * j->space.extent ? 1 : 0;
    if (most > c->out->lost_by) {
        c->out->lost_by = most;
        c->out->lost_triangle = triangle;
    }
}

vp_status vp_judge_surface(const vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error)
{
    cover c = {.judge = j, .out = out, .heap.each = sizeof(shred), .near = malloc(((size_t)j->asked->hulls + 1) * sizeof *c.near)};
    c.no_memory = c.near == NULL;
    for (uint32_t t = 0; t < j->space.triangles && !c.no_memory; t++) {
        cover_triangle(&c, t);
        look_at_owner(&c, t);
    }
    if (j->asked->hulls == 0)
        out->away = (vp_between){(double)INFINITY, (double)INFINITY};
    else
        find_away(&c);
    const double part = out->area > 0.0 ? 1.0 / out->area : 0.0;
    out->covered_surface.low = vp_more(0.0, 1.0 - (out->uncovered_area + c.unknown) * part);
    out->covered_surface.high = vp_more(0.0, 1.0 - out->uncovered_area * part);
    free(c.near);
    free(c.side.at);
    free(c.turned.at);
    free(c.heap.at);
    free(c.rest[0].at);
    free(c.rest[1].at);
    vp_polygons_drop(&c.turn[0]);
    vp_polygons_drop(&c.turn[1]);
    vp_polygons_drop(&c.spare);
    return c.no_memory || c.heap.no_memory ? vp_fail(error, VP_E_MEMORY, "no memory to look at %u triangles", j->space.triangles) : VP_OK;
}
