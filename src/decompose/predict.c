/* SPDX-License-Identifier: MIT */
/* The hull of two nodes together, and its error. */
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

/* ---- hulls ---- */

enum { PER_VERTEX = sizeof(vp_vec3) + sizeof(uint32_t) };

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
    out->point = vp_allocate(&d->allocator, out->room, PER_VERTEX);
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
    vp_release(&d->allocator, u->point, u->room, PER_VERTEX);
    *u = (vp_decompose_union){0};
}

vp_aabb vp_decompose_box(const vp_decomposing *d, const uint32_t node[2])
{
    return vp_aabb_union(&d->node[node[0]].box, &d->node[node[1]].box);
}

/* ---- errors ---- */

static vp_concavity_result measure_concavity(const vp_decomposing *d, const vp_hull *hull, const vp_aabb *box)
{
    const vp_concavity_job job = {.samples = &d->samples,
                                  .plane = hull->plane,
                                  .planes = hull->face_count,
                                  .low = {(double)box->min.x, (double)box->min.y, (double)box->min.z},
                                  .high = {(double)box->max.x, (double)box->max.y, (double)box->max.z},
                                  .quantum = d->lengths.quantization,
                                  .allowed = d->lengths.concavity};
    return d->kernels.concavity(&job);
}

static void find_link_error(const vp_decomposing *d, const vp_hull *hull, const vp_aabb *box, vp_decompose_link *link)
{
    link->error = 0.0;
    link->by = VP_DECOMPOSITION_BY_NOTHING;
    link->dimension = hull->dimension;
    if (hull->dimension == 3) {
        const vp_concavity_result ray = measure_concavity(d, hull, box);
        link->error = ray.error;
        link->sample = ray.sample;
        link->by = ray.sample != VP_DECOMPOSE_NONE ? VP_DECOMPOSITION_BY_RAY : VP_DECOMPOSITION_BY_NOTHING;
    } else if (hull->dimension == 2 && d->def->flat == VP_DECOMPOSITION_FLAT_AREA) {
        /* a polygon has two sides; nodes' areas count one */
        const double added = hull->area / 2 - (d->node[link->node[0]].area + d->node[link->node[1]].area);
        link->error = added > 0.0 ? sqrt(added) : 0.0;
        link->by = added > 0.0 ? VP_DECOMPOSITION_BY_AREA : VP_DECOMPOSITION_BY_NOTHING;
    }
}

/* Computes a link's error, and its order in the queue. */
static vp_status find_error(const vp_decomposing *d, vp_decompose_link *link)
{
    vp_decompose_union both;
    const vp_status status = vp_decompose_unite(d, link->node[0], link->node[1], &both, NULL);
    if (status != VP_OK)
        return status;
    const vp_aabb box = vp_decompose_box(d, link->node);
    const double side[3] = {(double)box.max.x - (double)box.min.x, (double)box.max.y - (double)box.min.y,
                            (double)box.max.z - (double)box.min.z};
    find_link_error(d, &both.hull, &box, link);
    link->diagonal = sqrt((side[0] * side[0] + side[1] * side[1]) + side[2] * side[2]);
    link->order[0] = floor(link->error / d->lengths.quantization + 0.5);
    link->order[1] = floor(link->diagonal / d->lengths.quantization + 0.5);
    vp_decompose_drop_union(d, &both);
    return VP_OK;
}

/* ---- many at once ---- */

typedef struct round {
    vp_decomposing *decomposing;
    uint32_t count, tasks;
} round_of_links;

/* Computes the errors of due links at a regular stride. Any thread may compute any of them. */
static void find_errors(void *argument, uint32_t task)
{
    const round_of_links *r = argument;
    for (uint32_t i = task; i < r->count; i += r->tasks)
        r->decomposing->found[i] = find_error(r->decomposing, &r->decomposing->link[r->decomposing->pending[i]]);
}

vp_status vp_decompose_judge(vp_decomposing *d, uint32_t count, vp_error *error)
{
    const vp_executor executor = vp_executor_or_serial(d->def->executor);
    round_of_links round = {.decomposing = d, .count = count, .tasks = 1};
    if (executor.thread_count > 1 && count > 1) {
        const uint64_t tasks = (uint64_t)executor.thread_count * 4;
        round.tasks = tasks < count ? (uint32_t)tasks : count;
        executor.parallel_for(executor.user, round.tasks, find_errors, &round);
    } else {
        find_errors(&round, 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (d->found[i] != VP_OK)
            return vp_fail(error, d->found[i], "no memory for the hull of nodes %u and %u", d->link[d->pending[i]].node[0],
                           d->link[d->pending[i]].node[1]);
        d->counts.predictions++;
        d->counts.flat_predictions += d->link[d->pending[i]].dimension < 3;
    }
    return VP_OK;
}
