/* SPDX-License-Identifier: MIT */
/* The loop of a decomposition (convex decomposition article, "Vue d'ensemble de l'algorithme"). The edge of the graph
 * with the least error collapses, or is dropped if its error is more than allowed, until none is left. */
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

enum { LEAST_THREADS = 4, MOST_THREADS = 64, PER_THREAD = 16, KEPT_ROUNDS = 8 };

static vp_status report_no_memory(const vp_decomposing *d, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for a graph of %u triangles and %u edges", d->mesh.input.triangles, d->mesh.edges);
}

/* ---- the beginning ---- */

static vp_aabb box_of(const vp_vec3 *vertex, const uint32_t *list, uint32_t count)
{
    vp_aabb box = {vertex[list[0]], vertex[list[0]]};
    for (uint32_t i = 1; i < count; i++) {
        box.min = vp_vec3_min(box.min, vertex[list[i]]);
        box.max = vp_vec3_max(box.max, vertex[list[i]]);
    }
    return box;
}

/* The vertices of a triangle, ascending, each once. */
static bool set_triangle(vp_decomposing *d, uint32_t t)
{
    const uint32_t *v = d->mesh.triangle[t]; /* the lowest first; with fewer than three vertices the last ones are equal */
    vp_decompose_node *n = &d->node[t];
    *n = (vp_decompose_node){.parent = VP_DECOMPOSE_NONE, .first = t, .area = d->mesh.area[t], .step = UINT64_MAX};
    n->vertices = v[0] == v[1] ? 1 : v[1] == v[2] ? 2 : 3;
    n->vertex = vp_allocate(&d->allocator, n->vertices, sizeof *n->vertex);
    if (n->vertex == NULL)
        return false;
    memcpy(n->vertex, v, n->vertices * sizeof *v);
    if (n->vertices == 3 && v[1] > v[2]) {
        n->vertex[1] = v[2];
        n->vertex[2] = v[1];
    }
    n->box = box_of(d->mesh.vertex, n->vertex, n->vertices);
    return true;
}

static bool set_links(vp_decomposing *d)
{
    for (uint32_t e = 0; e < d->mesh.edges; e++) {
        d->link[e] = (vp_decompose_link){.node = {d->mesh.edge[e][0], d->mesh.edge[e][1]}, .slot = VP_DECOMPOSE_NONE};
        d->place[e] = VP_DECOMPOSE_NONE;
        for (int k = 0; k < 2; k++)
            d->node[d->link[e].node[k]].edges++;
    }
    for (uint32_t t = 0; t < d->nodes; t++) {
        vp_decompose_node *n = &d->node[t];
        n->edge = n->edges != 0 ? vp_allocate(&d->allocator, n->edges, sizeof *n->edge) : NULL;
        if (n->edges != 0 && n->edge == NULL)
            return false;
        d->seen[t] = 0;
    }
    for (uint32_t e = 0; e < d->mesh.edges; e++)
        for (int k = 0; k < 2; k++)
            d->node[d->link[e].node[k]].edge[d->seen[d->link[e].node[k]]++] = e;
    return true;
}

/* Several threads predict some links each between two collapses. */
static void set_ahead(vp_decomposing *d)
{
    const uint32_t threads = vp_executor_or_serial(d->def->executor).thread_count;
    d->ahead = d->most_ahead = threads < 2               ? 1
                               : threads < LEAST_THREADS ? LEAST_THREADS * PER_THREAD
                               : threads < MOST_THREADS  ? threads * PER_THREAD
                                                         : MOST_THREADS * PER_THREAD;
    d->slot_room = d->ahead * KEPT_ROUNDS;
}

vp_status vp_decompose_begin(vp_decomposing *d, vp_error *error)
{
    set_ahead(d);
    const size_t triangles = d->mesh.input.triangles, edges = (size_t)d->mesh.edges + 1, nodes = 2 * triangles;
    d->node = vp_arena_take(&d->memory, nodes * sizeof *d->node);
    d->link = vp_arena_take(&d->memory, edges * sizeof *d->link);
    d->from = d->def->exact ? vp_arena_take(&d->memory, edges * sizeof *d->from) : NULL;
    d->queue = vp_arena_take(&d->memory, edges * sizeof *d->queue);
    d->place = vp_arena_take(&d->memory, edges * sizeof *d->place);
    d->seen = vp_arena_take(&d->memory, nodes * sizeof *d->seen);
    d->pending = vp_arena_take(&d->memory, edges * sizeof *d->pending);
    d->claimed = d->ahead > 1 ? vp_arena_take(&d->memory, nodes * sizeof *d->claimed) : NULL;
    d->prediction = vp_arena_take(&d->memory, d->slot_room * sizeof *d->prediction);
    d->slot = vp_arena_take(&d->memory, d->slot_room * sizeof *d->slot);
    if (d->node == NULL || d->link == NULL || d->queue == NULL || d->place == NULL || d->seen == NULL || d->pending == NULL ||
        d->prediction == NULL || d->slot == NULL || (d->claimed == NULL && d->ahead > 1) || (d->from == NULL && d->def->exact)) {
        d->slot_room = 0;
        return report_no_memory(d, error);
    }
    if (d->claimed != NULL)
        memset(d->claimed, 0, nodes * sizeof *d->claimed);
    for (; d->slots < d->slot_room; d->slots++) {
        d->slot[d->slots] = d->slots;
        d->prediction[d->slots] = (vp_decompose_prediction){.link = VP_DECOMPOSE_NONE};
    }
    for (; d->nodes < triangles; d->nodes++)
        if (!set_triangle(d, d->nodes))
            return report_no_memory(d, error);
    d->living = d->nodes;
    d->counts.edges = d->mesh.edges;
    d->counts.samples = d->def->exact ? 0 : d->sample_count;
    return set_links(d) ? VP_OK : report_no_memory(d, error);
}

static void free_node(vp_decomposing *d, vp_decompose_node *n)
{
    vp_release(&d->allocator, n->vertex, n->vertices, sizeof *n->vertex);
    vp_release(&d->allocator, n->edge, n->edges, sizeof *n->edge);
    n->vertex = n->edge = NULL;
    vp_decompose_drop_tested(d, &n->tested);
}

void vp_decompose_drop_nodes(vp_decomposing *d)
{
    vp_decompose_drop_predictions(d);
    for (uint32_t i = 0; i < d->nodes; i++)
        free_node(d, &d->node[i]);
}

/* ---- a collapse ---- */

/* Keeps the vertices of a node's hull. A hull of three dimensions has them. A flat hull's corners are not enough,
   because the quantization puts other points off its plane, and small losses would add up. So it keeps all vertices of
   the hull without a tolerance, unless they all are corners. @return false without memory */
static bool keep_vertices(const vp_decomposing *d, const vp_decompose_union *both, const vp_aabb *box, vp_decompose_node *out)
{
    vp_hull exact = {0};
    const vp_hull *hull = &both->hull;
    if (hull->dimension < 3 && hull->vertex_count < both->vertices) {
        const double side[3] = {(double)box->max.x - (double)box->min.x, (double)box->max.y - (double)box->min.y,
                                (double)box->max.z - (double)box->min.z};
        const vp_hull_def def = {.point = both->point,
                                 .count = both->vertices,
                                 .tolerance = (float)(fmax(fmax(side[0], side[1]), side[2]) * 0x1p-40),
                                 .kernels = &d->kernels,
                                 .allocator = &d->allocator};
        if (vp_hull_create(&def, &exact, NULL) != VP_OK)
            return false;
        hull = &exact;
    }
    out->vertex = vp_allocate(&d->allocator, hull->vertex_count, sizeof *out->vertex);
    if (out->vertex != NULL) {
        out->vertices = hull->vertex_count;
        for (uint32_t i = 0; i < out->vertices; i++)
            out->vertex[i] = both->vertex[hull->vertex[i]];
    }
    if (exact.block != NULL)
        vp_hull_destroy(&exact);
    return out->vertex != NULL;
}

/* Adds a parallel link's ray to a link. The longer ray is the bound of both. */
static void inherit_ray(vp_decomposing *d, vp_decompose_link *link, const vp_decompose_link *parallel)
{
    link->refused |= parallel->refused;
    if (parallel->by != VP_DECOMPOSITION_BY_RAY || (link->by == VP_DECOMPOSITION_BY_RAY && link->error >= parallel->error))
        return;
    link->by = parallel->by;
    link->error = parallel->error;
    link->sample = parallel->sample;
    if (d->from != NULL)
        memcpy(d->from[link - d->link], d->from[parallel - d->link], sizeof *d->from);
}

static bool is_wanted(const vp_decomposing *d, const vp_decompose_link *link)
{
    return !d->only_small || d->node[link->node[0]].volume < d->min_volume || d->node[link->node[1]].volume < d->min_volume;
}

/* Moves the edges of a link's two nodes to node c. The first of those that lead to one node stays, and is refused if
   any of them is. They leave the queue, and those that are not refused return with a lower bound. */
static void merge_links(vp_decomposing *d, uint32_t link, uint32_t c)
{
    vp_decompose_node *out = &d->node[c];
    const uint32_t from[2] = {d->link[link].node[0], d->link[link].node[1]};
    uint32_t kept = 0;
    for (int k = 0; k < 2; k++) {
        const vp_decompose_node *n = &d->node[from[k]];
        for (uint32_t i = 0; i < n->edges; i++) {
            vp_decompose_link *its = &d->link[n->edge[i]];
            if (its->removed || n->edge[i] == link)
                continue;
            vp_decompose_take_out(d, n->edge[i]);
            vp_decompose_drop_prediction(d, n->edge[i]);
            const uint32_t other = its->node[0] == from[k] ? its->node[1] : its->node[0];
            const uint32_t seen = d->seen[other];
            if (seen < kept && d->link[out->edge[seen]].node[0] == other && d->link[out->edge[seen]].node[1] == c) {
                inherit_ray(d, &d->link[out->edge[seen]], its);
                its->removed = true;
                continue;
            }
            its->node[0] = other;
            its->node[1] = c;
            d->seen[other] = kept;
            out->edge[kept++] = n->edge[i];
        }
    }
    for (uint32_t i = kept; i < out->edges; i++) /* the array has room for all */
        out->edge[i] = link;
    for (uint32_t i = 0; i < kept; i++) {
        vp_decompose_link *its = &d->link[out->edge[i]];
        if (its->refused)
            continue;
        vp_decompose_bound_link(d, its);
        if (is_wanted(d, its))
            vp_decompose_push(d, out->edge[i]);
    }
}

static vp_status collapse_link(vp_decomposing *d, uint32_t link, const vp_decompose_union *both, vp_error *error)
{
    vp_decompose_link *l = &d->link[link];
    vp_decompose_node *a = &d->node[l->node[0]], *b = &d->node[l->node[1]], *out = &d->node[d->nodes];
    *out = (vp_decompose_node){.edges = a->edges + b->edges,
                               .parent = VP_DECOMPOSE_NONE,
                               .first = a->first < b->first ? a->first : b->first,
                               .area = both->hull.area / 2,
                               .volume = both->hull.volume,
                               .box = vp_decompose_box(d, l->node),
                               .error = l->error,
                               .by = l->by,
                               .step = d->counts.collapses + d->counts.drops};
    const uint32_t c = d->nodes++;
    d->seen[c] = 0;
    out->edge = vp_allocate(&d->allocator, out->edges, sizeof *out->edge);
    if (out->edge == NULL || !keep_vertices(d, both, &out->box, out) || (d->by_reach && !vp_decompose_set_tested(d, both, &out->tested)))
        return report_no_memory(d, error);
    l->removed = true;
    merge_links(d, link, c);
    a->parent = b->parent = c;
    free_node(d, a);
    free_node(d, b);
    d->living--;
    d->counts.collapses++;
    return VP_OK;
}

/* ---- the loop ---- */

static vp_status drop_link(vp_decomposing *d, uint32_t link, vp_error *error)
{
    vp_decompose_take_out(d, link);
    vp_decompose_drop_prediction(d, link);
    const vp_status status = vp_decompose_print(d, link, NULL, error);
    d->link[link].refused = d->by_reach || vp_decompose_is_refused(d, link);
    d->counts.drops++;
    return status;
}

/* Finds the error of the first link, and moves it to its place in the queue. Only if it is still the first, its
   prediction is kept, and becomes the hull of the collapse. */
static vp_status settle_first(vp_decomposing *d, uint32_t link, vp_error *error)
{
    if (d->link[link].slot == VP_DECOMPOSE_NONE)
        VP_RETURN_IF_FAILED(vp_decompose_predict_front(d, error));
    vp_decompose_take_out(d, link);
    vp_decompose_settle_link(d, link);
    vp_decompose_push(d, link);
    if (vp_decompose_first(d) != link)
        vp_decompose_drop_prediction(d, link);
    return VP_OK;
}

static vp_status collapse_first(vp_decomposing *d, uint32_t link, vp_error *error)
{
    const vp_decompose_link *l = &d->link[link];
    vp_decompose_union again = {0};
    vp_status status = VP_OK;
    if (l->slot == VP_DECOMPOSE_NONE)
        status = vp_decompose_unite(d, l->node[0], l->node[1], &again, error);
    vp_decompose_union *both = l->slot == VP_DECOMPOSE_NONE ? &again : &d->prediction[l->slot].both;
    bool is_close = true;
    if (status == VP_OK && d->by_reach)
        status = vp_decompose_link_is_close(d, l, both, &is_close, error);
    if (!is_close) {
        vp_decompose_drop_union(d, &again);
        return status == VP_OK ? drop_link(d, link, error) : status;
    }
    vp_decompose_take_out(d, link);
    if (status == VP_OK)
        status = vp_decompose_print(d, link, both, error);
    if (status == VP_OK)
        status = collapse_link(d, link, both, error);
    vp_decompose_drop_union(d, &again);
    vp_decompose_drop_prediction(d, link);
    return status;
}

static vp_status take_step(vp_decomposing *d, vp_error *error)
{
    const uint32_t link = vp_decompose_first(d);
    if (vp_decompose_is_refused(d, link))
        return drop_link(d, link, error);
    if (d->link[link].stale)
        return settle_first(d, link, error);
    return d->link[link].error > d->allowed ? drop_link(d, link, error) : collapse_first(d, link, error);
}

/* Takes steps until no link is queued, at most `enough` hulls are left, or the time is over. */
static vp_status take_steps(vp_decomposing *d, uint32_t enough, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_decompose_report_progress(d, error));
    while (d->queued != 0 && d->living > enough && !vp_decompose_is_late(d)) {
        VP_RETURN_IF_FAILED(take_step(d, error));
        VP_RETURN_IF_FAILED(vp_decompose_report_progress(d, error));
    }
    return VP_OK;
}

/* Returns the links that left the queue to it, with any error allowed. */
static void allow_any_error(vp_decomposing *d, bool only_small)
{
    d->allowed = INFINITY;
    d->only_small = only_small;
    vp_decompose_drop_predictions(d);
    for (uint32_t e = 0; e < d->mesh.edges; e++) {
        vp_decompose_link *l = &d->link[e];
        if (l->removed)
            continue;
        vp_decompose_take_out(d, e);
        l->refused = false;
        vp_decompose_bound_link(d, l);
        if (is_wanted(d, l))
            vp_decompose_push(d, e);
    }
}

/* ---- links across gaps ---- */

static bool is_linked(const vp_decomposing *d, uint32_t a, uint32_t b)
{
    const vp_decompose_node *n = &d->node[a];
    for (uint32_t i = 0; i < n->edges; i++) {
        const vp_decompose_link *l = &d->link[n->edge[i]];
        if (!l->removed && (l->node[0] == b || l->node[1] == b))
            return true;
    }
    return false;
}

/* Gives a node room for another link. */
static bool add_edge(vp_decomposing *d, uint32_t node, uint32_t link)
{
    vp_decompose_node *n = &d->node[node];
    uint32_t *more = vp_allocate(&d->allocator, n->edges + 1, sizeof *more);
    if (more == NULL)
        return false;
    if (n->edges != 0)
        memcpy(more, n->edge, n->edges * sizeof *more);
    more[n->edges] = link;
    vp_release(&d->allocator, n->edge, n->edges, sizeof *n->edge);
    n->edge = more;
    n->edges++;
    return true;
}

/* Adds links between pairs of nodes that have none, and queues them. */
static vp_status add_links(vp_decomposing *d, const uint32_t (*pair)[2], uint32_t pairs, vp_error *error)
{
    const size_t room = (size_t)d->mesh.edges + pairs + 1;
    vp_decompose_link *link = vp_arena_take(&d->memory, room * sizeof *link);
    vp_decompose_queued *queue = vp_arena_take(&d->memory, room * sizeof *queue);
    uint32_t *place = vp_arena_take(&d->memory, room * sizeof *place), *pending = vp_arena_take(&d->memory, room * sizeof *pending);
    double(*from)[3] = d->from != NULL ? vp_arena_take(&d->memory, room * sizeof *from) : NULL;
    if (link == NULL || queue == NULL || place == NULL || pending == NULL || (from == NULL && d->from != NULL))
        return report_no_memory(d, error);
    memcpy(link, d->link, d->mesh.edges * sizeof *link);
    memcpy(queue, d->queue, d->queued * sizeof *queue);
    memcpy(place, d->place, d->mesh.edges * sizeof *place);
    if (from != NULL)
        memcpy(from, d->from, d->mesh.edges * sizeof *from);
    d->link = link;
    d->from = from;
    d->queue = queue;
    d->place = place;
    d->pending = pending;
    for (uint32_t i = 0; i < pairs; i++) {
        const uint32_t e = d->mesh.edges;
        if (is_linked(d, pair[i][0], pair[i][1]))
            continue;
        link[e] = (vp_decompose_link){.node = {pair[i][0], pair[i][1]}, .slot = VP_DECOMPOSE_NONE};
        place[e] = VP_DECOMPOSE_NONE;
        if (!add_edge(d, pair[i][0], e) || !add_edge(d, pair[i][1], e))
            return report_no_memory(d, error);
        d->mesh.edges++;
        vp_decompose_bound_link(d, &link[e]);
        vp_decompose_push(d, e);
    }
    return VP_OK;
}

/* Merges pairs of hulls that are no neighbours, until none is left. */
static vp_status merge_pairs(vp_decomposing *d, vp_status (*list)(vp_decomposing *, uint32_t (**)[2], uint32_t *, vp_error *),
                             uint32_t enough, vp_error *error)
{
    enum { ROUNDS = 4 };
    vp_status status = VP_OK;
    for (uint32_t round = 0; round < ROUNDS && status == VP_OK && d->living > enough && !vp_decompose_is_late(d); round++) {
        const uint64_t before = d->counts.collapses;
        uint32_t(*pair)[2], pairs;
        status = list(d, &pair, &pairs, error);
        if (status != VP_OK || pairs == 0)
            break;
        status = add_links(d, (const uint32_t(*)[2])pair, pairs, error);
        if (status == VP_OK)
            status = take_steps(d, enough, error);
        if (d->counts.collapses == before)
            break;
    }
    return status;
}

vp_status vp_decompose_run(vp_decomposing *d, vp_error *error)
{
    const uint32_t enough = d->def->min_hulls != 0 ? d->def->min_hulls : 1, most = d->def->max_hulls;
    for (uint32_t e = 0; e < d->mesh.edges; e++) {
        vp_decompose_bound_link(d, &d->link[e]);
        vp_decompose_push(d, e);
    }
    VP_RETURN_IF_FAILED(take_steps(d, enough, error));
    VP_RETURN_IF_FAILED(merge_pairs(d, vp_decompose_pair_hulls, enough, error));
    if (d->def->merge_shells)
        VP_RETURN_IF_FAILED(merge_pairs(d, vp_decompose_pair_shells, enough, error));
    if (d->min_volume > 0.0 && d->living > enough) {
        allow_any_error(d, true);
        VP_RETURN_IF_FAILED(take_steps(d, enough, error));
    }
    if (most != 0 && d->living > most) {
        allow_any_error(d, false);
        VP_RETURN_IF_FAILED(take_steps(d, most, error));
    }
    return vp_decompose_fill(d, error);
}
