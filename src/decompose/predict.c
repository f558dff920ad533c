/* SPDX-License-Identifier: MIT */
/* The hull of two nodes together, and its error. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "src/core/clock.h"
#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

/* ---- hulls ---- */

/* Merges the vertices of two ascending lists, each once. @return their number */
static uint32_t merge_points(const uint32_t *a, uint32_t as, const uint32_t *b, uint32_t bs, uint32_t *out)
{
    uint32_t i = 0, k = 0, count = 0;
    while (i < as || k < bs) {
        const uint32_t next = k == bs || (i < as && a[i] < b[k]) ? a[i] : b[k];
        i += i < as && a[i] == next;
        k += k < bs && b[k] == next;
        out[count++] = next;
    }
    return count;
}

vp_status vp_decompose_unite(const vp_decomposing *d, uint32_t a, uint32_t b, vp_decompose_union *out, vp_error *error)
{
    const vp_decompose_node *na = &d->node[a], *nb = b != VP_DECOMPOSE_NONE ? &d->node[b] : NULL;
    *out = (vp_decompose_union){.room = na->vertices + (nb != NULL ? nb->vertices : 0)};
    out->point = vp_allocate(&d->allocator, out->room, VP_DECOMPOSE_PER_VERTEX);
    vp_status status = VP_E_MEMORY;
    if (out->point != NULL) {
        out->vertex = (uint32_t *)(void *)(out->point + out->room);
        out->vertices = merge_points(na->vertex, na->vertices, nb != NULL ? nb->vertex : NULL, nb != NULL ? nb->vertices : 0, out->vertex);
        for (uint32_t i = 0; i < out->vertices; i++)
            out->point[i] = d->mesh.vertex[out->vertex[i]];
        const vp_hull_def def = {
            .point = out->point, .count = out->vertices, .tolerance = d->tolerance, .kernels = &d->kernels, .allocator = &d->allocator};
        status = vp_hull_create(&def, &out->hull, error);
    } else {
        vp_fail(error, VP_E_MEMORY, "no memory for a hull of %u points", out->room);
    }
    if (status != VP_OK)
        vp_decompose_drop_union(d, out);
    return status;
}

void vp_decompose_drop_union(const vp_decomposing *d, vp_decompose_union *u)
{
    if (u->hull.block != NULL)
        vp_hull_destroy(&u->hull);
    vp_release(&d->allocator, u->point, u->room, VP_DECOMPOSE_PER_VERTEX);
    *u = (vp_decompose_union){0};
}

vp_aabb vp_decompose_box(const vp_decomposing *d, const uint32_t node[2])
{
    return vp_aabb_union(&d->node[node[0]].box, &d->node[node[1]].box);
}

/* ---- errors ---- */

vp_status vp_decompose_measure(const vp_decomposing *d, const vp_decompose_union *both, const vp_aabb *box, vp_decompose_ray *out)
{
    if (d->def->exact)
        return vp_decompose_measure_exactly(d, both, box, out);
    const vp_concavity_job job = {.samples = &d->samples,
                                  .point = both->point,
                                  .points = both->vertices,
                                  .plane = both->hull.plane,
                                  .planes = both->hull.face_count,
                                  .low = {(double)box->min.x, (double)box->min.y, (double)box->min.z},
                                  .high = {(double)box->max.x, (double)box->max.y, (double)box->max.z},
                                  .quantum = d->lengths.quantization,
                                  .allowed = d->allowed};
    const vp_concavity_result ray = d->kernels.concavity(&job);
    *out = (vp_decompose_ray){.error = ray.error, .sample = ray.sample};
    if (ray.sample != VP_DECOMPOSE_NONE)
        memcpy(out->from, d->samples.point[ray.sample], sizeof out->from);
    return VP_OK;
}

static vp_status find_error(const vp_decomposing *d, vp_decompose_prediction *p)
{
    const vp_decompose_link *link = &d->link[p->link];
    const vp_hull *hull = &p->both.hull;
    p->error = 0.0;
    p->by = VP_DECOMPOSITION_BY_NOTHING;
    if (hull->dimension == 3) {
        const vp_aabb box = vp_decompose_box(d, link->node);
        vp_decompose_ray ray;
        VP_RETURN_IF_FAILED(vp_decompose_measure(d, &p->both, &box, &ray));
        p->error = ray.error;
        p->sample = ray.sample;
        memcpy(p->from, ray.from, sizeof p->from);
        p->by = ray.sample != VP_DECOMPOSE_NONE ? VP_DECOMPOSITION_BY_RAY : VP_DECOMPOSITION_BY_NOTHING;
    } else if (hull->dimension == 2 && d->def->flat == VP_DECOMPOSITION_FLAT_AREA) {
        /* a polygon has two sides; nodes' areas count one */
        const double added = hull->area / 2 - (d->node[link->node[0]].area + d->node[link->node[1]].area);
        p->error = added > 0.0 ? sqrt(added) : 0.0;
        p->by = added > 0.0 ? VP_DECOMPOSITION_BY_AREA : VP_DECOMPOSITION_BY_NOTHING;
    }
    return VP_OK;
}

void vp_decompose_bound_link(const vp_decomposing *d, vp_decompose_link *link)
{
    const vp_aabb box = vp_decompose_box(d, link->node);
    const double side[3] = {(double)box.max.x - (double)box.min.x, (double)box.max.y - (double)box.min.y,
                            (double)box.max.z - (double)box.min.z};
    link->stale = true;
    if (link->by != VP_DECOMPOSITION_BY_RAY) {
        link->error = 0.0;
        link->by = VP_DECOMPOSITION_BY_NOTHING;
    }
    link->diagonal = sqrt((side[0] * side[0] + side[1] * side[1]) + side[2] * side[2]);
}

void vp_decompose_settle_link(vp_decomposing *d, uint32_t link)
{
    vp_decompose_link *l = &d->link[link];
    const vp_decompose_prediction *p = &d->prediction[l->slot];
    if (l->by != VP_DECOMPOSITION_BY_RAY || p->error >= l->error) {
        l->error = p->error;
        l->by = p->by;
        l->sample = p->sample;
        if (d->from != NULL)
            memcpy(d->from[link], p->from, sizeof *d->from);
    }
    l->stale = false;
    d->counts.predictions++;
    d->counts.flat_predictions += p->both.hull.dimension < 3;
}

void vp_decompose_drop_prediction(vp_decomposing *d, uint32_t link)
{
    const uint32_t slot = d->link[link].slot;
    if (slot == VP_DECOMPOSE_NONE)
        return;
    d->wasted += d->link[link].stale;
    vp_decompose_drop_union(d, &d->prediction[slot].both);
    d->link[link].slot = VP_DECOMPOSE_NONE;
    d->slot[d->slots++] = slot;
}

/* ---- many at once ---- */

typedef struct round {
    vp_decomposing *decomposing;
    const uint32_t *slot;
} round_of_slots;

static void predict_link(void *argument, uint32_t i)
{
    const round_of_slots *r = argument;
    vp_decompose_prediction *p = &r->decomposing->prediction[r->slot[i]];
    const uint32_t *node = r->decomposing->link[p->link].node;
    const uint64_t begun = vp_nanoseconds();
    p->status = vp_decompose_unite(r->decomposing, node[0], node[1], &p->both, NULL);
    if (p->status == VP_OK && (p->status = find_error(r->decomposing, p)) != VP_OK)
        vp_decompose_drop_union(r->decomposing, &p->both);
    p->time = (double)(vp_nanoseconds() - begun);
}

/* Gives a stale link a slot. The slots that were free last are those of this round. */
static void take_slot(vp_decomposing *d, uint32_t link)
{
    const uint32_t slot = d->slot[--d->slots];
    d->link[link].slot = slot;
    d->prediction[slot] = (vp_decompose_prediction){.link = link, .sample = VP_DECOMPOSE_NONE};
}

void vp_decompose_drop_predictions(vp_decomposing *d)
{
    for (uint32_t slot = 0; slot < d->slot_room; slot++) {
        const uint32_t link = d->prediction[slot].link;
        if (link != VP_DECOMPOSE_NONE && d->link[link].slot == slot)
            vp_decompose_drop_prediction(d, link);
    }
}

/* Gives slots to stale links at the front, no two of one node, because a collapse makes the node's other links stale.
   @return their number, at least that of the first link */
static uint32_t take_front(vp_decomposing *d, uint32_t most)
{
    uint32_t taken = 0, moved = 0;
    d->rounds++;
    for (; taken < most && moved < 2 * most && d->queued != 0; moved++) {
        const uint32_t link = vp_decompose_first(d), *node = d->link[link].node;
        if (d->link[link].stale && d->link[link].slot == VP_DECOMPOSE_NONE && !vp_decompose_is_refused(d, link) &&
            d->claimed[node[0]] != d->rounds && d->claimed[node[1]] != d->rounds) {
            take_slot(d, link);
            taken++;
        }
        d->claimed[node[0]] = d->claimed[node[1]] = d->rounds;
        d->pending[moved] = link;
        vp_decompose_take_out(d, link);
    }
    for (uint32_t i = 0; i < moved; i++)
        vp_decompose_push(d, d->pending[i]);
    return taken;
}

/* Predicts fewer links together while more than one in WASTE is predicted in vain, because a neighbour collapsed first. */
static void adapt_ahead(vp_decomposing *d)
{
    enum { WASTE = 8, ROUND = 64 };
    if (d->counts.predictions - d->adapted < ROUND)
        return;
    const bool vain = d->wasted * WASTE > d->counts.predictions - d->adapted;
    d->ahead = vain ? (d->ahead > 3 ? d->ahead / 2 : d->ahead) : d->ahead < d->most_ahead ? d->ahead + 1 : d->ahead;
    d->adapted = d->counts.predictions;
    d->wasted = 0;
}

vp_status vp_decompose_predict_front(vp_decomposing *d, vp_error *error)
{
    const uint32_t first = vp_decompose_first(d);
    const bool together = vp_decompose_use_threads(d);
    const uint64_t begun = together ? vp_nanoseconds() : 0;
    uint32_t count = 1;
    if (together)
        adapt_ahead(d);
    if (d->slots < (together ? d->ahead : 1))
        vp_decompose_drop_predictions(d);
    if (together)
        count = take_front(d, d->ahead);
    else
        take_slot(d, first);
    round_of_slots round = {d, d->slot + d->slots};
    if (count > 1)
        vp_decompose_predict_together(d, begun, round.slot, count, predict_link, &round);
    else
        predict_link(&round, 0);
    for (uint32_t i = 0; i < count; i++) {
        const vp_decompose_prediction *p = &d->prediction[round.slot[i]];
        if (p->status == VP_OK)
            continue;
        if (p->link == first)
            return vp_fail(error, p->status, "no memory for the hull of nodes %u and %u", d->link[first].node[0], d->link[first].node[1]);
        vp_decompose_drop_prediction(d, p->link); /* it is predicted again when it is the first */
    }
    return VP_OK;
}
