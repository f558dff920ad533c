/* SPDX-License-Identifier: MIT */
/* Records the steps of a decomposition. */
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

enum {
    STEPS = 4096,    /* minimum along the longest side */
    ERROR_STEPS = 4, /* minimum for a quantization */
    NEXT = 4,        /* rows of the queue */
    MOST = 1 << 29,  /* largest number of steps, so that it fits into 32 bits */
    FIGURES = 3,
    INPUTS = 7,
    RAY_COLOUR = 0xd81b60,
    BOTH_COLOUR = 0xd04848
};

/* The highest power of two that is not above a positive number. */
static double find_power_below(double number)
{
    int exponent;
    frexp(number, &exponent);
    return ldexp(1.0, exponent - 1);
}

/* ---- the layers ---- */

static void set_scales(vp_decompose_recording *r, const vp_decomposition_start *start)
{
    vp_vec3 low = start->vertex[0], high = low; /* a triangle exists, so a vertex does */
    for (uint32_t i = 1; i < start->input->vertices; i++) {
        low = vp_vec3_min(low, start->vertex[i]);
        high = vp_vec3_max(high, start->vertex[i]);
    }
    const double lows[3] = {(double)low.x, (double)low.y, (double)low.z}, highs[3] = {(double)high.x, (double)high.y, (double)high.z};
    double far = 0.0, extent = 0.0;
    for (int k = 0; k < 3; k++) {
        far = fmax(far, fmax(fabs(lows[k]), fabs(highs[k])));
        extent = fmax(extent, highs[k] - lows[k]);
    }
    extent = extent > 0.0 ? extent : 1.0;
    r->scale = find_power_below(fmin(2.0 * STEPS / extent, (double)MOST / (far > 0.0 ? far : 1.0)));
    r->error_scale = find_power_below(fmin(2.0 * ERROR_STEPS / start->lengths.quantization, (double)MOST / (2.0 * extent)));
}

static void name_layers(vp_decompose_recording *r)
{
    const vp_recorder *to = r->recorder;
    static const vp_record_name by[] = {{"nothing", VP_RECORD_ANY_COLOUR}, {"a ray", VP_RECORD_ANY_COLOUR}, {"area", VP_RECORD_ANY_COLOUR}};
    static const vp_record_name then[] = {{"merged", VP_RECORD_ANY_COLOUR},
                                          {"dropped for good", VP_RECORD_ANY_COLOUR},
                                          {"dropped until one of them merges", VP_RECORD_ANY_COLOUR}};
    static const vp_record_name tie[] = {{"there is none", VP_RECORD_ANY_COLOUR},
                                         {"the error", VP_RECORD_ANY_COLOUR},
                                         {"the diagonal", VP_RECORD_ANY_COLOUR},
                                         {"the numbers", VP_RECORD_ANY_COLOUR}};
    static const vp_record_name both = {"of both", BOTH_COLOUR};
    static const vp_record_column inputs[INPUTS] = {{.name = "triangles"}, {.name = "vertices"},      {.name = "edges"},
                                                    {.name = "samples"},   {.name = "error allowed"}, {.name = "quantization"},
                                                    {.name = "spacing"}};
    static const vp_record_column figures[FIGURES] = {{.name = "error"}, {.name = "hulls"}, {.name = "queued"}};
    const double errors = r->error_scale;
    const vp_record_column of_hull[] = {{.name = "error", .scale = errors},
                                        {.name = "dimension", .scale = 1},
                                        {.name = "from", .scale = 1, .meaning = VP_RECORD_ORIGIN},
                                        {.name = "and", .scale = 1, .meaning = VP_RECORD_ORIGIN}};
    const vp_record_column of_ray[] = {{.name = "length", .scale = errors}, {.name = "input triangle", .scale = 1}};
    r->hulls = to->layer(to->user, &(vp_record_layer){.name = "hull",
                                                      .about = "Convex hulls, a colour each.",
                                                      .kind = VP_RECORD_ITEMS,
                                                      .scale = r->scale,
                                                      .colouring = VP_RECORD_BY_ID,
                                                      .columns = of_hull,
                                                      .column_count = 4});
    r->surface = to->layer(to->user, &(vp_record_layer){.name = "surface",
                                                        .about = "The mesh, its vertices joined: its triangles are the first hulls.",
                                                        .kind = VP_RECORD_ITEMS,
                                                        .scale = r->scale,
                                                        .opacity = 0.2});
    r->both = to->layer(to->user, &(vp_record_layer){.name = "hull of both",
                                                     .about = "The hull that a dropped edge would have made.",
                                                     .kind = VP_RECORD_ITEMS,
                                                     .scale = r->scale,
                                                     .states = &both,
                                                     .state_count = 1,
                                                     .opacity = 0.3});
    r->ray = to->layer(to->user, &(vp_record_layer){.name = "deciding ray",
                                                    .about = "From the surface along its normal to the hull's back face: the longest.",
                                                    .kind = VP_RECORD_ARRAY,
                                                    .draw = VP_RECORD_ARROWS,
                                                    .scale = r->scale,
                                                    .colour = RAY_COLOUR,
                                                    .columns = of_ray,
                                                    .column_count = 2});
    const vp_record_column pair[] = {{.name = "of", .scale = 1, .meaning = VP_RECORD_ITEM, .of = r->hulls},
                                     {.name = "and", .scale = 1, .meaning = VP_RECORD_ITEM, .of = r->hulls},
                                     {.name = "error", .scale = errors},
                                     {.name = "by", .scale = 1, .meaning = VP_RECORD_WORD, .words = by, .word_count = 3},
                                     {.name = "then", .scale = 1, .meaning = VP_RECORD_WORD, .words = then, .word_count = 3},
                                     {.name = "next differs by", .scale = 1, .meaning = VP_RECORD_WORD, .words = tie, .word_count = 4}};
    const vp_record_column next[] = {pair[0], pair[1], pair[2], pair[3], {.name = "diagonal", .scale = errors / ERROR_STEPS}};
    r->decisions = to->layer(
        to->user,
        &(vp_record_layer){
            .name = "decisions", .about = "Why were these two not merged?", .kind = VP_RECORD_ARRAY, .columns = pair, .column_count = 6});
    r->queue = to->layer(to->user, &(vp_record_layer){.name = "queue", .kind = VP_RECORD_ARRAY, .columns = next, .column_count = 5});
    r->figures =
        to->layer(to->user, &(vp_record_layer){.name = "figures", .kind = VP_RECORD_SCALARS, .columns = figures, .column_count = FIGURES});
    r->input = to->layer(
        to->user, &(vp_record_layer){.name = "input", .kind = VP_RECORD_ARRAY, .columns = inputs, .column_count = INPUTS, .hold = true});
}

/* ---- shapes ---- */

/* Records a mesh. `corner` has three numbers for each vertex that `triangle` uses. */
static uint32_t record_mesh(const vp_decompose_recording *r, const float *corner, uint32_t corners, const uint32_t (*triangle)[3],
                            uint32_t triangles)
{
    const vp_record_shape shape = {.form = VP_RECORD_MESH,
                                   .scale = r->scale,
                                   .corner = corner,
                                   .corner_count = corners,
                                   .triangle = triangle[0],
                                   .triangle_count = triangles};
    return r->recorder->shape(r->recorder->user, &shape);
}

/* Records a hull with corners of three numbers each. A flat hull is recorded by one side, its first triangles. A segment and a point are
   triangles too. */
static uint32_t record_shape(const vp_decompose_recording *r, const float *corner, uint32_t corners, const uint32_t (*triangle)[3],
                             uint32_t triangles, uint32_t dimension)
{
    const uint32_t last = corners - 1, thin[1][3] = {{0, last, last}};
    return dimension < 2 ? record_mesh(r, corner, corners, thin, 1)
                         : record_mesh(r, corner, corners, triangle, triangles / (dimension == 2 ? 2 : 1));
}

static vp_status record_part(const vp_decomposing *d, const vp_decomposition_part *part, uint32_t *shape, vp_error *error)
{
    float *corner = vp_allocate(&d->allocator, part->vertex_count, 3 * sizeof *corner);
    if (corner == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to record a hull of %u vertices", part->vertex_count);
    for (uint32_t i = 0; i < part->vertex_count; i++)
        memcpy(corner + (size_t)3 * i, &d->mesh.vertex[part->vertex[i]], 3 * sizeof *corner);
    *shape = record_shape(&d->recording, corner, part->vertex_count, part->triangle, part->triangle_count, part->dimension);
    vp_release(&d->allocator, corner, part->vertex_count, 3 * sizeof *corner);
    return VP_OK;
}

/* ---- the beginning ---- */

static uint32_t dimension_of(const uint32_t v[3])
{
    return v[0] == v[1] ? 0 : v[1] == v[2] ? 1 : 2;
}

static void record_triangles(const vp_decompose_recording *r, const vp_decomposition_start *start)
{
    static const uint32_t triangle[1][3] = {{0, 1, 2}};
    for (uint32_t t = 0; t < start->input->triangles; t++) {
        const uint32_t *v = start->triangle[t];
        float corner[9];
        for (int k = 0; k < 3; k++)
            memcpy(corner + 3 * k, &start->vertex[v[k]], 3 * sizeof *corner);
        const uint32_t shape = record_mesh(r, corner, 3, triangle, 1);
        const double values[] = {0.0, dimension_of(v), -1.0, -1.0};
        r->recorder->item(r->recorder->user, r->hulls, &(vp_record_item){.id = t, .shape = shape, .values = values});
    }
}

vp_status vp_decompose_record_start(vp_decomposing *d, const vp_decomposition_start *start, vp_error *error)
{
    vp_decompose_recording *r = &d->recording;
    const uint32_t triangles = start->input->triangles, vertices = start->input->vertices;
    if (r->recorder == NULL)
        return VP_OK;
    set_scales(r, start);
    name_layers(r);
    _Static_assert(sizeof *start->vertex == 3 * sizeof(float), "a vertex is three floats");
    const uint32_t surface = record_mesh(r, &start->vertex[0].x, vertices, start->triangle, triangles);
    r->recorder->item(r->recorder->user, r->surface, &(vp_record_item){.shape = surface});
    record_triangles(r, start);
    const double row[INPUTS] = {
        triangles, vertices, start->edges, start->samples, start->lengths.concavity, start->lengths.quantization, start->lengths.spacing};
    r->recorder->rows(r->recorder->user, r->input, row, 1);
    r->recorder->scalars(r->recorder->user, r->figures, (const double[FIGURES]){0.0, triangles, start->edges});
    return r->recorder->frame(r->recorder->user, error);
}

/* ---- steps ---- */

static void record_ray(const vp_decompose_recording *r, const vp_decomposition_ray *ray)
{
    const double row[] = {
        ray->from[0], ray->from[1], ray->from[2], ray->along[0] * ray->length, ray->along[1] * ray->length, ray->along[2] * ray->length,
        ray->length,  ray->triangle};
    r->recorder->rows(r->recorder->user, r->ray, row, 1);
}

static void record_tables(const vp_decompose_recording *r, const vp_decomposition_step *s)
{
    enum { MERGED, FOR_GOOD, FOR_NOW };
    const int then = s->collapse ? MERGED : s->final ? FOR_GOOD : FOR_NOW;
    const double row[] = {s->edge.node[0], s->edge.node[1], s->edge.error, s->edge.by, then, s->tie};
    double next[NEXT][5];
    const uint32_t count = s->front_count < NEXT ? s->front_count : NEXT;
    r->recorder->rows(r->recorder->user, r->decisions, row, 1);
    for (uint32_t i = 0; i < count; i++) {
        const vp_decomposition_queued *q = &s->front[i];
        const double values[5] = {q->node[0], q->node[1], q->error, q->by, q->diagonal};
        memcpy(next[i], values, sizeof values);
    }
    r->recorder->rows(r->recorder->user, r->queue, next[0], count);
}

static vp_status record_hulls(vp_decomposing *d, const vp_decomposition_step *s, vp_error *error)
{
    vp_decompose_recording *r = &d->recording;
    const vp_recorder *to = r->recorder;
    uint32_t shape = 0;
    VP_RETURN_IF_FAILED(record_part(d, &s->merged, &shape, error));
    if (s->collapse) {
        const double values[] = {s->edge.error, s->merged.dimension, s->edge.node[0], s->edge.node[1]};
        for (int k = 0; k < 2; k++)
            to->remove(to->user, r->hulls, s->edge.node[k]);
        to->item(to->user, r->hulls, &(vp_record_item){.id = s->merged.node, .shape = shape, .values = values});
    }
    if (r->has_both)
        to->remove(to->user, r->both, 0);
    r->has_both = !s->collapse;
    if (r->has_both)
        to->item(to->user, r->both, &(vp_record_item){.shape = shape});
    return VP_OK;
}

vp_status vp_decompose_record_step(vp_decomposing *d, const vp_decomposition_step *s, vp_error *error)
{
    const vp_decompose_recording *r = &d->recording;
    if (r->recorder == NULL)
        return VP_OK;
    VP_RETURN_IF_FAILED(record_hulls(d, s, error));
    if (s->edge.by == VP_DECOMPOSITION_BY_RAY)
        record_ray(r, &s->ray);
    record_tables(r, s);
    const double error_reported = floor(s->edge.error * r->error_scale + 0.5) / r->error_scale;
    r->recorder->scalars(r->recorder->user, r->figures, (const double[FIGURES]){error_reported, s->hulls, s->queued});
    return r->recorder->frame(r->recorder->user, error);
}

vp_status vp_decompose_record_extended(vp_decomposing *d, uint32_t node, const vp_decompose_union *u, vp_error *error)
{
    vp_decompose_recording *r = &d->recording;
    const vp_decompose_node *n = &d->node[node];
    if (r->recorder == NULL)
        return VP_OK;
    double values[] = {n->error, 3.0, -1.0, -1.0};
    for (uint32_t i = 0, k = 2; i < node && k < 4; i++)
        if (d->node[i].parent == node)
            values[k++] = i;
    const uint32_t shape = record_shape(r, &u->point[0].x, u->vertices, u->hull.triangle, u->hull.triangle_count, u->hull.dimension);
    if (r->has_both)
        r->recorder->remove(r->recorder->user, r->both, 0);
    r->has_both = false;
    r->recorder->item(r->recorder->user, r->hulls, &(vp_record_item){.id = node, .shape = shape, .values = values});
    return r->recorder->frame(r->recorder->user, error);
}
