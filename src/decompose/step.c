/* SPDX-License-Identifier: MIT */
/* Reports of a step: the two hulls, the one that they make, or would make, the deciding criterion, and
   the next candidates. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "src/core/clock.h"
#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

void vp_decompose_start_clock(vp_decomposing *d)
{
    const double limit = (double)d->def->max_seconds * 1e9;
    d->begun = vp_nanoseconds();
    if (limit > 0.0 && limit < 0x1p62)
        d->end = d->begun + (uint64_t)limit + 1;
}

bool vp_decompose_is_late(const vp_decomposing *d)
{
    return d->end != 0 && vp_nanoseconds() >= d->end;
}

/* Reports progress, which is the number of links that left the queue, and may cancel. */
vp_status vp_decompose_report_progress(vp_decomposing *d, vp_error *error)
{
    const vp_decomposition_watch *watch = d->def->watch;
    if (watch == NULL || watch->progress == NULL)
        return VP_OK;
    const uint32_t left = d->mesh.edges - d->queued, done = left < d->counts.edges ? left : d->counts.edges; /* without links across gaps */
    d->done = done > d->done ? done : d->done; /* links return to the queue, so the count may fall */
    if (watch->progress(watch->user, d->done, d->counts.edges))
        return VP_OK;
    return vp_fail(error, VP_E_LIMIT, "cancelled after %llu collapses, with %u hulls", (unsigned long long)d->counts.collapses, d->living);
}

/* Describes a part, with its vertices by the mesh's numbers. `vertex` has room for all of the hull. */
static vp_decomposition_part describe_part(const vp_decompose_union *u, uint32_t node, vp_aabb box, uint32_t *vertex)
{
    const vp_hull *h = &u->hull;
    for (uint32_t i = 0; i < h->vertex_count; i++)
        vertex[i] = u->vertex[h->vertex[i]];
    return (vp_decomposition_part){.node = node,
                                   .dimension = h->dimension,
                                   .vertex_count = h->vertex_count,
                                   .triangle_count = h->triangle_count,
                                   .vertex = vertex,
                                   .triangle = h->triangle,
                                   .area = h->dimension == 2 ? h->area / 2 : h->area,
                                   .volume = h->volume,
                                   .box = box};
}

static vp_decomposition_queued describe_link(const vp_decompose_link *l)
{
    return (vp_decomposition_queued){.node = {l->node[0], l->node[1]}, .error = l->error, .diagonal = l->diagonal, .by = l->by};
}

static void describe_front(const vp_decomposing *d, uint32_t link, vp_decomposition_step *out,
                           vp_decomposition_queued front[VP_DECOMPOSE_FRONT])
{
    uint32_t next[VP_DECOMPOSE_FRONT];
    out->front_count = vp_decompose_front(d, next);
    out->front = front;
    out->queued = d->queued;
    for (uint32_t i = 0; i < out->front_count; i++)
        front[i] = describe_link(&d->link[next[i]]);
    out->tie = VP_DECOMPOSITION_ALONE;
    if (out->front_count != 0)
        vp_decompose_before(d, link, next[0], &out->tie);
}

static vp_decomposition_ray describe_ray(const vp_decomposing *d, uint32_t link)
{
    const vp_decompose_link *l = &d->link[link];
    vp_decomposition_ray ray = {.length = l->error};
    const uint32_t triangle = vp_decompose_sample_triangle(d, l->sample);
    ray.triangle = d->mesh.input_triangle[triangle];
    memcpy(ray.from, d->from != NULL ? d->from[link] : d->samples.point[l->sample], sizeof ray.from);
    memcpy(ray.along, d->mesh.normal[triangle], sizeof ray.along);
    return ray;
}

/* Describes the hulls of both nodes, and of their union. */
static void describe_parts(const vp_decomposing *d, const vp_decompose_link *l, const vp_decompose_union *u[3], uint32_t *words,
                           vp_decomposition_step *out)
{
    const uint32_t made = out->collapse ? d->nodes : VP_DECOMPOSE_NONE;
    out->part[0] = describe_part(u[0], l->node[0], d->node[l->node[0]].box, words);
    words += u[0]->hull.vertex_count;
    out->part[1] = describe_part(u[1], l->node[1], d->node[l->node[1]].box, words);
    words += u[1]->hull.vertex_count;
    out->merged = describe_part(u[2], made, vp_decompose_box(d, l->node), words);
}

vp_status vp_decompose_print(vp_decomposing *d, uint32_t link, const vp_decompose_union *merged, vp_error *error)
{
    const vp_decomposition_watch *watch = d->def->watch;
    const bool watched = watch != NULL && watch->on_step != NULL;
    if (!watched && d->recording.recorder == NULL)
        return VP_OK;
    const vp_decompose_link *l = &d->link[link];
    vp_decompose_union a = {0}, b = {0}, both = {0};
    vp_status status = vp_decompose_unite(d, l->node[0], VP_DECOMPOSE_NONE, &a, error);
    if (status == VP_OK)
        status = vp_decompose_unite(d, l->node[1], VP_DECOMPOSE_NONE, &b, error);
    if (status == VP_OK && merged == NULL)
        status = vp_decompose_unite(d, l->node[0], l->node[1], &both, error);
    if (status == VP_OK) {
        const vp_decompose_union *u[3] = {&a, &b, merged != NULL ? merged : &both};
        const size_t room = (size_t)a.hull.vertex_count + b.hull.vertex_count + u[2]->hull.vertex_count;
        uint32_t *words = vp_allocate(&d->allocator, room, sizeof *words);
        if (words != NULL) {
            vp_decomposition_queued front[VP_DECOMPOSE_FRONT];
            vp_decomposition_step step = {.number = d->counts.collapses + d->counts.drops,
                                          .collapse = merged != NULL,
                                          .final = merged == NULL && (d->by_reach || l->by == VP_DECOMPOSITION_BY_RAY),
                                          .edge = describe_link(l),
                                          .hulls = d->living - (merged != NULL)};
            if (l->by == VP_DECOMPOSITION_BY_RAY)
                step.ray = describe_ray(d, link);
            describe_front(d, link, &step, front);
            describe_parts(d, l, u, words, &step);
            if (watched)
                watch->on_step(watch->user, &step);
            status = vp_decompose_record_step(d, &step, error);
            vp_release(&d->allocator, words, room, sizeof *words);
        } else {
            status = vp_fail(error, VP_E_MEMORY, "no memory to report a step");
        }
    }
    vp_decompose_drop_union(d, &both);
    vp_decompose_drop_union(d, &b);
    vp_decompose_drop_union(d, &a);
    return status;
}
