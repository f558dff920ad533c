/* SPDX-License-Identifier: MIT */
/* What of the surface is within hulls. Each triangle is cut by the planes of the grown hulls near it, one hull after the other, and what
   is in one is taken away; what is left is uncovered. How far the surface is from all hulls, not grown, is found by branch and bound: of a
   triangle with its middle m and no point further than R from it no point is further away than m and R more, or than the furthest corner
   from one hull, which is convex. */
#include "conformance/decompose/parts.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/decompose/vector.h"

/* Polygons, one behind the other. */
typedef struct polygons {
    vp_places corner;
    uint32_t *first;
    uint32_t count, room;
} polygons;

/* A piece of a triangle that may be away from all hulls. */
typedef struct shred {
    double corner[3][3];
    double most;
    uint32_t triangle;
} shred;

typedef struct cover {
    const vp_decomposition_job *judge;
    vp_decomposition_verdict *out;
    polygons turn[2], spare; /* what is left of the triangle; and what of a polygon is outside of a hull */
    vp_places rest[2];       /* and what of it may be inside */
    double *side;
    uint32_t sides;
    uint32_t *near, nears; /* hulls near the triangle */
    double unknown;        /* area of triangles that were given up */
    uint64_t work;
    shred *heap;
    size_t count, room;
    bool no_memory;
} cover;

/* ---- polygons ---- */

static void begin_polygons(polygons *p)
{
    p->count = 0;
    p->corner.count = 0;
}

/* Ends the polygon whose corners were added; one of fewer than three is none. */
static void end_polygon(cover *c, polygons *p)
{
    const uint32_t first = p->count != 0 ? p->first[p->count] : 0;
    if (p->corner.count < first + 3) {
        p->corner.count = first;
        return;
    }
    if (p->count + 2 > p->room) {
        const uint32_t room = 2 * p->room + 64;
        uint32_t *to = realloc(p->first, room * sizeof *to);
        if (to == NULL) {
            c->no_memory = true;
            return;
        }
        p->first = to;
        p->room = room;
    }
    p->first[0] = 0;
    p->first[++p->count] = p->corner.count;
}

static void add_polygon(cover *c, polygons *p, const double (*corner)[3], uint32_t corners)
{
    for (uint32_t i = 0; i < corners; i++)
        vp_places_add(&p->corner, corner[i]);
    end_polygon(c, p);
}

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

/* ---- a polygon less a hull ---- */

static bool find_sides(cover *c, const double plane[4], const vp_places *p, double *most, double *least)
{
    if (p->count > c->sides) {
        double *side = realloc(c->side, p->count * 4 * sizeof *side);
        if (side == NULL) {
            c->no_memory = true;
            return false;
        }
        c->side = side;
        c->sides = p->count * 2; /* and as many turned */
    }
    *most = -(double)INFINITY;
    *least = (double)INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        c->side[i] = vp_above(plane, p->at[i]);
        *most = vp_more(*most, c->side[i]);
        *least = vp_less(*least, c->side[i]);
    }
    return true;
}

/* Adds to `to` what of a polygon is not in a grown hull: cut along plane after plane, each time the part beyond; or, where nothing of it is
   inside, the whole of it. */
static void subtract(cover *c, const double (*corner)[3], uint32_t corners, const vp_body *b, polygons *to)
{
    vp_places *in = &c->rest[0], *rest = &c->rest[1];
    begin_polygons(&c->spare);
    in->count = 0;
    for (uint32_t i = 0; i < corners; i++)
        vp_places_add(in, corner[i]);
    for (uint32_t f = 0; f < b->planes && in->count >= 3; f++) {
        double most, least;
        if (!find_sides(c, b->grown[f], in, &most, &least))
            return;
        if (most <= 0.0)
            continue;
        rest->count = 0;
        if (least < 0.0) {
            double *turned = c->side + c->sides;
            for (uint32_t i = 0; i < in->count; i++)
                turned[i] = -c->side[i];
            vp_polygon_clip((const double(*)[3])in->at, turned, in->count, &c->spare.corner);
            end_polygon(c, &c->spare);
            vp_polygon_clip((const double(*)[3])in->at, c->side, in->count, rest);
        }
        vp_places *swap = in;
        in = rest;
        rest = swap;
    }
    c->no_memory = c->no_memory || c->rest[0].no_memory || c->rest[1].no_memory || c->spare.corner.no_memory;
    if (in->count < 3) {
        add_polygon(c, to, corner, corners);
        return;
    }
    for (uint32_t i = 0; i < c->spare.count; i++)
        add_polygon(c, to, (const double(*)[3])(c->spare.corner.at + c->spare.first[i]), c->spare.first[i + 1] - c->spare.first[i]);
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

static void tell_left(cover *c, const polygons *p, uint32_t triangle)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const double(*corner)[3] = (const double(*)[3])(p->corner.at + p->first[i]);
        const uint32_t corners = p->first[i + 1] - p->first[i];
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
    vp_box_clear(low, high);
    for (int i = 0; i < 3; i++)
        vp_box_add(low, high, corner[i]);
    find_near(c, low, high);
    if (is_held(c, corner))
        return;
    polygons *left = &c->turn[0], *next = &c->turn[1];
    begin_polygons(left);
    add_polygon(c, left, corner, 3);
    for (uint32_t i = 0; i < c->nears && left->count > 0 && !c->no_memory; i++) {
        begin_polygons(next);
        for (uint32_t p = 0; p < left->count; p++)
            subtract(c, (const double(*)[3])(left->corner.at + left->first[p]), left->first[p + 1] - left->first[p],
                     &c->judge->body[c->near[i]], next);
        c->work += left->count;
        polygons *swap = left;
        left = next;
        next = swap;
        c->no_memory = c->no_memory || left->corner.no_memory;
        if (c->work > c->judge->most_work) {
            c->unknown += area;
            return;
        }
    }
    tell_left(c, left, c->judge->space.number[at]);
}

/* ---- how far away it is ---- */

static double away_from_all(const cover *c, const double p[3])
{
    double least = (double)INFINITY;
    for (uint32_t h = 0; h < c->judge->asked->hulls; h++)
        least = vp_body_distance(&c->judge->body[h], p, least);
    return least;
}

/* The least over hulls of how far the furthest corner is; nothing above `least` matters. */
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

static void push(cover *c, const shred *s)
{
    if (c->count == c->room) {
        const size_t room = 2 * c->room + 64;
        shred *heap = realloc(c->heap, room * sizeof *heap);
        if (heap == NULL) {
            c->no_memory = true;
            return;
        }
        c->heap = heap;
        c->room = room;
    }
    size_t i = c->count++;
    for (; i > 0 && s->most > c->heap[(i - 1) / 2].most; i = (i - 1) / 2)
        c->heap[i] = c->heap[(i - 1) / 2];
    c->heap[i] = *s;
}

static shred pop(cover *c)
{
    const shred top = c->heap[0], last = c->heap[--c->count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= c->count)
            break;
        child += child + 1 < c->count && c->heap[child + 1].most > c->heap[child].most ? 1 : 0;
        if (c->heap[child].most <= last.most)
            break;
        c->heap[i] = c->heap[child];
        i = child;
    }
    if (c->count > 0)
        c->heap[i] = last;
    return top;
}

static void look_away(cover *c, shred *s, double *pruned)
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
    if (s->most <= out->away.low + c->judge->tolerance)
        *pruned = vp_more(*pruned, s->most);
    else
        push(c, s);
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
    double pruned = 0.0;
    for (uint32_t t = 0; t < space->triangles && !c->no_memory; t++) {
        shred s = {.most = (double)INFINITY, .triangle = t};
        memcpy(s.corner, space->corner[t], sizeof s.corner);
        look_away(c, &s, &pruned);
    }
    for (uint64_t work = 0; !c->no_memory && c->count > 0 && c->heap[0].most > out->away.low + c->judge->tolerance; work++) {
        if (work >= c->judge->most_work)
            break;
        shred half[2];
        const shred top = pop(c);
        cut(&top, half);
        look_away(c, &half[0], &pruned);
        look_away(c, &half[1], &pruned);
    }
    out->away.high = vp_more(out->away.low, pruned);
    if (c->count > 0)
        out->away.high = vp_more(out->away.high, c->heap[0].most);
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
    cover c = {.judge = j, .out = out, .near = malloc(((size_t)j->asked->hulls + 1) * sizeof *c.near)};
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
    free(c.side);
    free(c.heap);
    free(c.rest[0].at);
    free(c.rest[1].at);
    polygons *all[3] = {&c.turn[0], &c.turn[1], &c.spare};
    for (int i = 0; i < 3; i++) {
        free(all[i]->corner.at);
        free(all[i]->first);
    }
    return c.no_memory ? vp_fail(error, VP_E_MEMORY, "no memory to look at %u triangles", j->space.triangles) : VP_OK;
}
