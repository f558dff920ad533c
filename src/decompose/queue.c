/* SPDX-License-Identifier: MIT */
/* The queue of a decomposition, a binary heap of links with the least error first. Each link knows its place in it. */
#include "src/decompose/decompose_internal.h"

bool vp_decompose_before(const vp_decomposing *d, uint32_t a, uint32_t b, vp_decomposition_tie *by)
{
    const vp_decompose_link *p = &d->link[a], *q = &d->link[b];
    *by = p->order[0] != q->order[0]   ? VP_DECOMPOSITION_BY_ERROR
          : p->order[1] != q->order[1] ? VP_DECOMPOSITION_BY_DIAGONAL
                                       : VP_DECOMPOSITION_BY_NUMBERS;
    if (*by == VP_DECOMPOSITION_BY_ERROR)
        return p->order[0] < q->order[0];
    if (*by == VP_DECOMPOSITION_BY_DIAGONAL)
        return p->order[1] < q->order[1];
    return p->node[0] != q->node[0] ? p->node[0] < q->node[0] : p->node[1] < q->node[1];
}

static bool is_before(const vp_decomposing *d, uint32_t a, uint32_t b)
{
    vp_decomposition_tie by;
    return vp_decompose_before(d, a, b, &by);
}

static void place_link(vp_decomposing *d, uint32_t place, uint32_t link)
{
    d->queue[place] = link;
    d->link[link].place = place;
}

static void sift_up(vp_decomposing *d, uint32_t place, uint32_t link)
{
    while (place > 0 && is_before(d, link, d->queue[(place - 1) / 2])) {
        place_link(d, place, d->queue[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    place_link(d, place, link);
}

static void sift_down(vp_decomposing *d, uint32_t place, uint32_t link)
{
    for (uint32_t child; (child = 2 * place + 1) < d->queued; place = child) {
        child += child + 1 < d->queued && is_before(d, d->queue[child + 1], d->queue[child]);
        if (!is_before(d, d->queue[child], link))
            break;
        place_link(d, place, d->queue[child]);
    }
    place_link(d, place, link);
}

void vp_decompose_push(vp_decomposing *d, uint32_t link)
{
    sift_up(d, d->queued++, link);
}

void vp_decompose_take_out(vp_decomposing *d, uint32_t link)
{
    const uint32_t place = d->link[link].place;
    if (place == VP_DECOMPOSE_NONE)
        return;
    const uint32_t last = d->queue[--d->queued];
    d->link[link].place = VP_DECOMPOSE_NONE;
    if (last == link)
        return;
    if (place > 0 && is_before(d, last, d->queue[(place - 1) / 2]))
        sift_up(d, place, last);
    else
        sift_down(d, place, last);
}

uint32_t vp_decompose_front(const vp_decomposing *d, uint32_t front[VP_DECOMPOSE_FRONT])
{
    uint32_t open[VP_DECOMPOSE_FRONT + 1] = {0}, opened = d->queued != 0, count = 0; /* places whose parents are already in `front` */
    while (count < VP_DECOMPOSE_FRONT && opened != 0) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < opened; i++)
            best = is_before(d, d->queue[open[i]], d->queue[open[best]]) ? i : best;
        const uint32_t place = open[best];
        front[count++] = d->queue[place];
        open[best] = open[--opened];
        for (uint32_t child = 2 * place + 1; child <= 2 * place + 2 && child < d->queued; child++)
            open[opened++] = child;
    }
    return count;
}
