/* SPDX-License-Identifier: MIT */
#include "conformance/judge_decompose/parts.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/judge_decompose/vector.h"

/* Grows a list to at least `count` items of `each` bytes. @return the list, or the old one with `no_memory` */
static void *grow(void *list, uint32_t count, uint32_t *room, size_t each, bool *no_memory)
{
    const uint32_t more = 2 * count + 64;
    void *at = count > *room ? realloc(list, more * each) : list;
    if (at == NULL) {
        *no_memory = true;
        return list;
    }
    *room = count > *room ? more : *room;
    return at;
}

void vp_places_add(vp_places *to, const double p[3])
{
    to->at = grow(to->at, to->count + 1, &to->room, sizeof *to->at, &to->no_memory);
    if (to->count == to->room)
        return;
    memcpy(to->at[to->count++], p, sizeof *to->at);
}

void vp_edge_cut(const double a[3], double side_a, const double b[3], double side_b, double out[3])
{
    const double *low = side_a < side_b ? a : b, *high = side_a < side_b ? b : a;
    const double side_low = vp_less(side_a, side_b), side_high = vp_more(side_a, side_b), t = side_low / (side_low - side_high);
    for (int k = 0; k < 3; k++)
        out[k] = low[k] + t * (high[k] - low[k]);
}

void vp_polygon_clip(const double (*corner)[3], const double *side, uint32_t corners, vp_places *out)
{
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t next = i + 1 < corners ? i + 1 : 0;
        double p[3];
        if (side[i] <= 0.0)
            vp_places_add(out, corner[i]);
        if ((side[i] < 0.0 && side[next] > 0.0) || (side[i] > 0.0 && side[next] < 0.0)) {
            vp_edge_cut(corner[i], side[i], corner[next], side[next], p);
            vp_places_add(out, p);
        }
    }
}

/* ---- polygons ---- */

void vp_polygons_clear(vp_polygons *p)
{
    p->count = 0;
    p->corner.count = 0;
}

void vp_polygons_end(vp_polygons *p)
{
    const uint32_t first = p->count != 0 ? p->first[p->count] : 0;
    p->no_memory = p->no_memory || p->corner.no_memory;
    if (p->corner.count < first + 3) {
        p->corner.count = first;
        return;
    }
    p->first = grow(p->first, p->count + 2, &p->room, sizeof *p->first, &p->no_memory);
    if (p->count + 2 > p->room)
        return;
    p->first[0] = 0;
    p->first[++p->count] = p->corner.count;
}

void vp_polygons_add(vp_polygons *p, const double (*corner)[3], uint32_t corners)
{
    for (uint32_t i = 0; i < corners; i++)
        vp_places_add(&p->corner, corner[i]);
    vp_polygons_end(p);
}

void vp_polygons_drop(vp_polygons *p)
{
    free(p->corner.at);
    free(p->first);
    *p = (vp_polygons){0};
}

bool vp_sides_make(vp_sides *s, uint32_t count)
{
    s->at = grow(s->at, count, &s->room, sizeof *s->at, &s->no_memory);
    return count <= s->room;
}

bool vp_sides_find(vp_sides *s, const double (*corner)[3], uint32_t corners, const double plane[4], double near)
{
    if (!vp_sides_make(s, corners))
        return false;
    s->most = -(double)INFINITY;
    s->least = (double)INFINITY;
    for (uint32_t i = 0; i < corners; i++) {
        s->at[i] = vp_above(plane, corner[i]);
        if (fabs(s->at[i]) <= near)
            s->at[i] = 0.0;
        s->most = vp_more(s->most, s->at[i]);
        s->least = vp_less(s->least, s->at[i]);
    }
    return true;
}

/* ---- a heap ---- */

static char *thing_of(const vp_heap *h, size_t i)
{
    return (char *)h->at + i * h->each;
}

static bool comes_before(const void *a, const void *b)
{
    return *(const double *)a > *(const double *)b;
}

double vp_heap_top(const vp_heap *h)
{
    return h->count > 0 ? *(const double *)h->at : 0.0;
}

void vp_heap_keep(vp_heap *h, const void *thing, double enough)
{
    const double most = *(const double *)thing;
    if (most <= enough) {
        h->pruned = vp_more(h->pruned, most);
        return;
    }
    h->at = grow(h->at, h->count + 1, &h->room, h->each, &h->no_memory);
    if (h->count == h->room)
        return;
    size_t i = h->count++;
    for (; i > 0 && comes_before(thing, thing_of(h, (i - 1) / 2)); i = (i - 1) / 2)
        memcpy(thing_of(h, i), thing_of(h, (i - 1) / 2), h->each);
    memcpy(thing_of(h, i), thing, h->each);
}

void vp_heap_pop(vp_heap *h, void *out)
{
    memcpy(out, h->at, h->each);
    const void *last = thing_of(h, --h->count);
    size_t i = 0, child;
    while ((child = 2 * i + 1) < h->count) {
        if (child + 1 < h->count && comes_before(thing_of(h, child + 1), thing_of(h, child)))
            child++;
        if (!comes_before(thing_of(h, child), last))
            break;
        memcpy(thing_of(h, i), thing_of(h, child), h->each);
        i = child;
    }
    if (h->count > 0)
        memmove(thing_of(h, i), last, h->each);
}
