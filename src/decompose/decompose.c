/* SPDX-License-Identifier: MIT */
/* Convex decompositions, the checks and the result. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

enum { MOST_ROWS = 1024 };

/* ---- checks ---- */

static vp_status check_length(const char *name, float length, vp_error *error)
{
    if (isfinite(length) && length >= 0.0f)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "%s is %g; must be > 0, or 0 for the default", name, (double)length);
}

static vp_status check_mesh(const vp_decomposition_def *def, vp_error *error)
{
    if (def->point_count == 0 || def->point_count > VP_HULL_MAX_POINTS)
        return vp_fail(error, VP_E_ARGUMENT, "vp_decomposition_def.point_count is %u; must be 1 to %u", def->point_count,
                       VP_HULL_MAX_POINTS);
    if (def->triangle_count == 0 || def->triangle_count > VP_DECOMPOSE_MAX_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "vp_decomposition_def.triangle_count is %u; must be 1 to %u", def->triangle_count,
                       VP_DECOMPOSE_MAX_TRIANGLES);
    for (uint32_t i = 0; i < def->point_count; i++) {
        const vp_vec3 p = def->point[i];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return vp_fail(error, VP_E_ARGUMENT, "point %u is not finite: (%g, %g, %g)", i, (double)p.x, (double)p.y, (double)p.z);
    }
    for (uint32_t t = 0; t < def->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (def->triangle[t][k] >= def->point_count)
                return vp_fail(error, VP_E_ARGUMENT, "corner %d of triangle %u is point %u of %u", k, t, def->triangle[t][k],
                               def->point_count);
    return VP_OK;
}

static vp_status check_def(const vp_decomposition_def *def, vp_error *error)
{
    const struct {
        const char *name;
        float length;
    } length[] = {{"scale", def->scale},     {"quantization", def->quantization}, {"concavity", def->concavity},
                  {"spacing", def->spacing}, {"min_volume", def->min_volume},     {"max_seconds", def->max_seconds},
                  {"reach", def->reach}};
    for (size_t i = 0; i < sizeof length / sizeof *length; i++)
        VP_RETURN_IF_FAILED(check_length(length[i].name, length[i].length, error));
    if (def->unit != VP_DECOMPOSITION_CUBE && def->unit != VP_DECOMPOSITION_WORLD)
        return vp_fail(error, VP_E_ARGUMENT, "unit is %d: must be a vp_decomposition_unit", (int)def->unit);
    if (def->unit == VP_DECOMPOSITION_WORLD && def->scale > 0.0f)
        return vp_fail(error, VP_E_ARGUMENT, "scale is %g; must be 0 with VP_DECOMPOSITION_WORLD", (double)def->scale);
    if (def->flat != VP_DECOMPOSITION_FLAT_AREA && def->flat != VP_DECOMPOSITION_FLAT_RAYS)
        return vp_fail(error, VP_E_ARGUMENT, "flat is %d: must be a vp_decomposition_flat", (int)def->flat);
    if (def->rows > MOST_ROWS)
        return vp_fail(error, VP_E_ARGUMENT, "rows is %u; must be at most %d", def->rows, MOST_ROWS);
    if (def->reach > 0.0f && def->concavity > 0.0f)
        return vp_fail(error, VP_E_ARGUMENT, "concavity is %g; must be 0 with reach", (double)def->concavity);
    if (def->reach > 0.0f && def->min_volume > 0.0f)
        return vp_fail(error, VP_E_ARGUMENT, "min_volume is %g; must be 0 with reach, which it would exceed", (double)def->min_volume);
    if (def->reach > 0.0f && def->max_hulls != 0)
        return vp_fail(error, VP_E_ARGUMENT, "max_hulls is %u; must be 0 with reach, which it would exceed", def->max_hulls);
    if (def->max_hulls != 0 && def->max_hulls < def->min_hulls)
        return vp_fail(error, VP_E_ARGUMENT, "max_hulls is %u: must be >= min_hulls, which is %u", def->max_hulls, def->min_hulls);
    if (def->max_vertices != 0 && def->max_vertices < 4)
        return vp_fail(error, VP_E_ARGUMENT, "max_vertices is %u: must be >= 4, or 0", def->max_vertices);
    return check_mesh(def, error);
}

/* Sets lengths in the points' unit. A mesh that is one point has an extent of 0, and any lengths are valid. */
static vp_status set_lengths(vp_decomposing *d, vp_error *error)
{
    const vp_decomposition_def *def = d->def;
    const double extent = vp_decompose_extent(def), box = extent > 0.0 ? extent : 1.0;
    const double scale = def->scale > 0.0f ? (double)def->scale : 1000.0;
    const double unit = def->unit == VP_DECOMPOSITION_WORLD ? 1.0 : box / scale, thousandth = box / 1000.0;
    d->lengths.quantization = def->quantization > 0.0f ? (double)def->quantization * unit : 0.1 * thousandth;
    const float limit = def->reach > 0.0f ? def->reach : def->concavity;
    d->lengths.concavity = limit > 0.0f ? (double)limit * unit : 10.0 * thousandth;
    d->lengths.spacing = def->spacing > 0.0f ? (double)def->spacing * unit : 10.0 * thousandth;
    d->lengths.quantization = fmax(d->lengths.quantization, box * 0x1p-40);
    d->by_reach = def->reach > 0.0f;
    if (d->by_reach && d->lengths.concavity < 2 * d->lengths.quantization)
        return vp_fail(error, VP_E_ARGUMENT, "reach is %g; must be at least twice the quantization, %g", (double)def->reach,
                       d->lengths.quantization / unit);
    d->allowed = d->by_reach ? INFINITY : d->lengths.concavity;
    d->min_volume = (double)def->min_volume * unit * unit * unit;
    d->tolerance = (float)fmin(d->lengths.quantization, 0x1.fffffep127);
    return VP_OK;
}

/* ---- the result ---- */

/* Numbers the living nodes in the order of their first triangles. `number` is each living node's number, and then
   each triangle's hull's. */
static void number_hulls(vp_decomposing *d, uint32_t *number)
{
    uint32_t count = 0;
    for (uint32_t i = d->nodes; i-- > 0;) /* a parent comes after its children, so `seen` becomes the living ancestor */
        d->seen[i] = d->node[i].parent == VP_DECOMPOSE_NONE ? i : d->seen[d->node[i].parent];
    for (uint32_t t = 0; t < d->mesh.input.triangles; t++) {
        if (d->node[d->seen[t]].first == t)
            number[d->seen[t]] = count++;
    }
}

static uint32_t count_points(const vp_decompose_node *n)
{
    return n->grown != NULL ? n->grown_count : n->vertices;
}

static vp_status make_hulls(vp_decomposing *d, const uint32_t *number, vp_decomposition *out, vp_error *error)
{
    vp_vec3 *point = out->point;
    for (uint32_t i = 0; i < d->nodes; i++) {
        const vp_decompose_node *n = &d->node[i];
        if (n->parent != VP_DECOMPOSE_NONE)
            continue;
        vp_decomposition_hull *hull = &out->hull[number[i]];
        *hull = (vp_decomposition_hull){
            .point = point, .point_count = count_points(n), .error = n->error, .by = n->by, .node = i, .step = n->step};
        for (uint32_t k = 0; k < hull->point_count; k++)
            *point++ = n->grown != NULL ? n->grown[k] : d->mesh.vertex[n->vertex[k]];
        const vp_hull_def def = {.point = hull->point,
                                 .count = hull->point_count,
                                 .tolerance = d->tolerance,
                                 .max_vertices = d->def->max_vertices,
                                 .kernels = &d->kernels,
                                 .allocator = &d->allocator};
        VP_RETURN_IF_FAILED(vp_hull_create(&def, &hull->hull, error));
    }
    return VP_OK;
}

/* Lists the input triangles of each hull. */
static void list_triangles(const vp_decomposing *d, const uint32_t *number, vp_decomposition *out)
{
    const uint32_t count = d->def->triangle_count;
    for (uint32_t t = 0; t < count; t++)
        out->hull[number[d->seen[d->mesh.node_of[t]]]].triangle_count++;
    uint32_t *at = out->triangle;
    for (uint32_t i = 0; i < out->hull_count; i++) {
        out->hull[i].triangle = at;
        at += out->hull[i].triangle_count;
        out->hull[i].triangle_count = 0;
    }
    for (uint32_t t = 0; t < count; t++) {
        vp_decomposition_hull *hull = &out->hull[number[d->seen[d->mesh.node_of[t]]]];
        out->triangle[(size_t)(hull->triangle - out->triangle) + hull->triangle_count++] = t;
    }
}

static vp_status write_decomposition(vp_decomposing *d, vp_decomposition *out, vp_error *error)
{
    out->hull_count = d->living;
    out->triangle_capacity = d->def->triangle_count;
    for (uint32_t i = 0; i < d->nodes; i++)
        out->point_capacity += d->node[i].parent == VP_DECOMPOSE_NONE ? count_points(&d->node[i]) : 0;
    uint32_t *number = vp_decompose_borrow(d, d->nodes, sizeof *number);
    out->hull = vp_allocate_zero(&d->allocator, out->hull_count, sizeof *out->hull);
    out->point = vp_allocate(&d->allocator, out->point_capacity, sizeof *out->point);
    out->triangle = vp_allocate(&d->allocator, out->triangle_capacity, sizeof *out->triangle);
    vp_status status;
    if (number != NULL && out->hull != NULL && out->point != NULL && out->triangle != NULL) {
        number_hulls(d, number);
        status = make_hulls(d, number, out, error);
        if (status == VP_OK)
            list_triangles(d, number, out);
        if (status == VP_OK && d->by_reach)
            status = vp_decompose_certify(d, out, error);
    } else {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u hulls of %u triangles", d->living, d->def->triangle_count);
    }
    vp_decompose_give_back(d, number, d->nodes, sizeof *number);
    out->input = d->mesh.input;
    out->lengths = d->lengths;
    out->counts = d->counts;
    return status;
}

/* ---- all of it ---- */

static vp_status report_start(vp_decomposing *d, vp_error *error)
{
    const vp_decomposition_watch *watch = d->def->watch;
    const vp_decomposition_start start = {.input = &d->mesh.input,
                                          .lengths = d->lengths,
                                          .vertex = d->mesh.vertex,
                                          .triangle = (const uint32_t(*)[3])d->mesh.triangle,
                                          .input_triangle = d->mesh.input_triangle,
                                          .samples = d->counts.samples,
                                          .edges = d->mesh.edges};
    if (watch != NULL && watch->on_start != NULL)
        watch->on_start(watch->user, &start);
    return vp_decompose_record_start(d, &start, error);
}

static vp_status run_decomposition(vp_decomposing *d, vp_decomposition *out, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_decompose_read(d, error));
    VP_RETURN_IF_FAILED(vp_decompose_sample(d, error));
    VP_RETURN_IF_FAILED(vp_decompose_begin(d, error));
    VP_RETURN_IF_FAILED(report_start(d, error));
    VP_RETURN_IF_FAILED(vp_decompose_run(d, error));
    return write_decomposition(d, out, error);
}

vp_status vp_decomposition_create(const vp_decomposition_def *def, vp_decomposition *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    alignas(64) char memory[VP_DECOMPOSE_BLOCK]; /* enough for small meshes */
    vp_decomposing d = {.def = def, .allocator = vp_allocator_or_default(def->allocator)};
    VP_RETURN_IF_FAILED(check_def(def, error));
    if (def->kernels == NULL)
        VP_RETURN_IF_FAILED(vp_kernels_default(&d.kernels, error));
    if (def->kernels != NULL)
        d.kernels = *def->kernels;
    d.memory = (vp_hull_arena){.allocator = &d.allocator, .next = memory, .bytes_left = sizeof memory};
    d.block = memory;
    d.recording.recorder = def->recorder;
    VP_RETURN_IF_FAILED(set_lengths(&d, error));
    vp_decompose_start_clock(&d);

    vp_decomposition made = {.allocator = d.allocator};
    vp_status status = run_decomposition(&d, &made, error);
    vp_decompose_drop_nodes(&d);
    vp_arena_release(&d.memory);
    if (status != VP_OK) {
        vp_decomposition_destroy(&made);
        return status;
    }
    *out = made;
    return vp_succeed(error);
}

void vp_decomposition_destroy(vp_decomposition *decomposition)
{
    if (decomposition == NULL)
        return;
    const vp_allocator *allocator = &decomposition->allocator;
    for (uint32_t i = 0; i < decomposition->hull_count && decomposition->hull != NULL; i++)
        if (decomposition->hull[i].hull.block != NULL)
            vp_hull_destroy(&decomposition->hull[i].hull);
    vp_release(allocator, decomposition->hull, decomposition->hull_count, sizeof *decomposition->hull);
    vp_release(allocator, decomposition->point, decomposition->point_capacity, sizeof *decomposition->point);
    vp_release(allocator, decomposition->triangle, decomposition->triangle_capacity, sizeof *decomposition->triangle);
    memset(decomposition, 0, sizeof *decomposition);
}
