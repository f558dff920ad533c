/* SPDX-License-Identifier: MIT */
/* The queue of a decomposition, a heap of links with the least error first. Each place has four below it, which share cache lines. */
#include <math.h>

#include "src/decompose/decompose_internal.h"

enum { BELOW = 4 };

static vp_decompose_queued order_of(const vp_decomposing *d, uint32_t link)
{
    return (vp_decompose_queued){.error = floor(d->link[link].error / d->lengths.quantization + 0.5),
                                 .diagonal = floor(d->link[link].diagonal / d->lengths.quantization + 0.5),
                                 .link = link};
}

static bool is_before(const vp_decomposing *d, const vp_decompose_queued *a, const vp_decompose_queued *b)
{
    if (a->error != b->error)
        return a->error < b->error;
    if (a->diagonal != b->diagonal)
        return a->diagonal < b->diagonal;
    const uint32_t *p = d->link[a->link].node, *q = d->link[b->link].node;
    return p[0] != q[0] ? p[0] < q[0] : p[1] < q[1];
}

bool vp_decompose_before(const vp_decomposing *d, uint32_t a, uint32_t b, vp_decomposition_tie *by)
{
    const vp_decompose_queued p = order_of(d, a), q = order_of(d, b);
    *by = p.error != q.error         ? VP_DECOMPOSITION_BY_ERROR
          : p.diagonal != q.diagonal ? VP_DECOMPOSITION_BY_DIAGONAL
                                     : VP_DECOMPOSITION_BY_NUMBERS;
    return is_before(d, &p, &q);
}

static void put(vp_decomposing *d, uint32_t place, vp_decompose_queued link)
{
    d->queue[place] = link;
    d->place[link.link] = place;
}

static void sift_up(vp_decomposing *d, uint32_t place, vp_decompose_queued link)
{
    for (; place > 0 && is_before(d, &link, &d->queue[(place - 1) / BELOW]); place = (place - 1) / BELOW)
        put(d, place, d->queue[(place - 1) / BELOW]);
    put(d, place, link);
}

static void sift_down(vp_decomposing *d, uint32_t place, vp_decompose_queued link)
{
    for (uint32_t first; (first = BELOW * place + 1) < d->queued;) {
        const uint32_t end = first + BELOW < d->queued ? first + BELOW : d->queued;
        uint32_t least = first;
        for (uint32_t i = first + 1; i < end; i++)
            least = is_before(d, &d->queue[i], &d->queue[least]) ? i : least;
        if (!is_before(d, &d->queue[least], &link))
            break;
        put(d, place, d->queue[least]);
        place = least;
    }
    put(d, place, link);
}

void vp_decompose_push(vp_decomposing *d, uint32_t link)
{
    sift_up(d, d->queued++, order_of(d, link));
}

void vp_decompose_take_out(vp_decomposing *d, uint32_t link)
{
    const uint32_t place = d->place[link];
    if (place == VP_DECOMPOSE_NONE)
        return;
    const vp_decompose_queued last = d->queue[--d->queued];
    d->place[link] = VP_DECOMPOSE_NONE;
    if (last.link == link)
        return;
    if (place > 0 && is_before(d, &last, &d->queue[(place - 1) / BELOW]))
        sift_up(d, place, last);
    else
        sift_down(d, place, last);
}

uint32_t vp_decompose_front(const vp_decomposing *d, uint32_t front[VP_DECOMPOSE_FRONT])
{
    uint32_t open[BELOW * VP_DECOMPOSE_FRONT + 1] = {0}, opened = d->queued != 0, count = 0; /* places below those in `front` */
    while (count < VP_DECOMPOSE_FRONT && opened != 0) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < opened; i++)
            best = is_before(d, &d->queue[open[i]], &d->queue[open[best]]) ? i : best;
        const uint32_t place = open[best];
        front[count++] = d->queue[place].link;
        open[best] = open[--opened];
        for (uint32_t below = BELOW * place + 1; below <= BELOW * place + BELOW && below < d->queued; below++)
            open[opened++] = below;
    }
    return count;
}
