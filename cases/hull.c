/* SPDX-License-Identifier: MIT */
/* The cases of hulls. An item is a set of points. hull_bounds must give the same answer in every version. hull3 and hull2 may give
 * different triangles, but of the same hull. So they record the result of vp_hull_create, with merged faces. hull_filter records the hull
 * of the points that it keeps, and hull_insert the hull to which points are added one by one. hull2 runs on the points that lie in the
 * plane across each axis. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/hull.h>

#include "cases/case.h"
#include "src/core/bytes.h"
#include "datasets/hash.h"
#include "datasets/point_sets.h"
#include "src/core/error.h"

enum { HULL_RECORD_BYTES = 5 * 4 + 4 + 8 + 88 /* dimension and counts, tolerance, hash of the arrays, volume to inertia */ };

typedef struct hull_work {
    const vp_point_sets *sets;
    const vp_vec3 **point; /* of each set */
    vp_hull_bounds *right; /* of each set, by the reference */
    vp_hull_bounds *bounds;
    vp_hull *hull;
    uint32_t *corners; /* of polygons, three a set */
    uint32_t **corner; /* their corners */
    vp_vec3 **kept;    /* of each set */
    uint32_t **from;
    uint32_t *left; /* number of kept points of each set */
    void *scratch;
    const vp_allocator *allocator;
} hull_work;

static uint32_t points_of(const hull_work *w, uint32_t set)
{
    return w->sets->first[set + 1] - w->sets->first[set];
}

static uint32_t most_points(const hull_work *w)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < w->sets->count; i++)
        most = points_of(w, i) > most ? points_of(w, i) : most;
    return most;
}

static hull_work *begin(const vp_data *data, vp_arena *arena, void **out)
{
    hull_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(hull_work));
    w->sets = data->set;
    const uint32_t count = w->sets->count;
    w->point = vp_arena_keep(arena, count, sizeof *w->point, alignof(const vp_vec3 *));
    w->right = vp_arena_keep(arena, count, sizeof *w->right, alignof(vp_hull_bounds));
    for (uint32_t i = 0; i < count; i++) {
        const vp_vec3 *point = w->sets->point + w->sets->first[i];
        w->point[i] = vp_arena_input(arena, point, points_of(w, i), sizeof *point, alignof(vp_vec3), 0);
        vp_hull_bounds_scalar(point, points_of(w, i), &w->right[i]);
    }
    w->allocator = vp_arena_allocator(arena);
    return w;
}

/* ---- records ---- */

/* The hash of all arrays of a hull, little-endian. */
static uint64_t hash_of(const vp_hull *h)
{
    vp_hasher to;
    vp_hash_begin(&to);
    vp_hash_words(&to, h->vertex, h->vertex_count);
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        vp_hash_words(&to, h->triangle[t], 3);
        vp_hash_words(&to, h->neighbour[t], 3);
    }
    vp_hash_words(&to, h->face_of, h->triangle_count);
    vp_hash_words(&to, h->first_corner, (size_t)h->face_count + 1);
    vp_hash_words(&to, h->corner, h->corner_count);
    vp_hash_words(&to, h->across, h->corner_count);
    for (uint32_t f = 0; f < h->face_count; f++)
        vp_hash_longs(&to, h->plane[f], 4);
    return vp_hash_end(&to);
}

/* Writes HULL_RECORD_BYTES of data that must be equal. */
static void put_hull(uint8_t *at, const vp_hull *h)
{
    const uint64_t hash = hash_of(h);
    const uint32_t counts[5] = {h->dimension, h->vertex_count, h->triangle_count, h->face_count, h->corner_count};
    at = vp_put_longs(vp_put_words(vp_put_words(at, counts, 5), &h->tolerance, 1), &hash, 1);
    double moments[6];
    vp_moments_of(&h->mass, moments);
    at = vp_put_longs(vp_put_longs(at, &h->volume, 1), &h->area, 1);
    vp_put_longs(vp_put_longs(at, h->centroid, 3), moments, 6);
}

vp_status vp_hull_digest(const vp_hull *hull, uint64_t *out, vp_error *error)
{
    uint8_t record[HULL_RECORD_BYTES];
    put_hull(record, hull);
    *out = vp_hash64(record, sizeof record);
    return vp_succeed(error);
}

static void record_hull(const vp_hull *hull, vp_records *out)
{
    uint8_t record[HULL_RECORD_BYTES];
    if (hull->block != NULL)
        put_hull(record, hull);
    else /* no hull, which no right answer has */
        memset(record, 0xff, sizeof record);
    vp_records_put(out, record, sizeof record);
    vp_records_end(out);
}

vp_status vp_hull_case_validate(const vp_vec3 *point, uint32_t count, const vp_hull *h, vp_hull_report *out, vp_error *error)
{
    float reach = 0.0f;
    for (uint32_t i = 0; i < count; i++)
        reach = vp_max(reach, vp_max(vp_max(fabsf(point[i].x), fabsf(point[i].y)), fabsf(point[i].z)));
    uint32_t(*triangle)[3] = vp_must(malloc(h->triangle_count * sizeof *triangle), h->triangle_count * sizeof *triangle);
    for (uint32_t t = 0; t < h->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            triangle[t][k] = h->vertex[h->triangle[t][k]];
    const vp_hull_validate_def def = {.point = point,
                                      .count = count,
                                      .triangle = (const uint32_t(*)[3])triangle,
                                      .triangle_count = h->triangle_count,
                                      .allowed = (double)reach * 0x1p-44};
    const vp_status status = vp_hull_validate(&def, out, error);
    free(triangle);
    return status;
}

static vp_status judge_hull(const hull_work *w, uint32_t set, const vp_hull *h, vp_error *error)
{
    vp_hull_report v;
    if (h->dimension < 3)
        return VP_OK;
    const vp_status status = vp_hull_case_validate(w->sets->point + w->sets->first[set], points_of(w, set), h, &v, error);
    if (status != VP_OK || (v.faults == 0 && v.slivers == 0))
        return status;
    return vp_fail(error, VP_E_FORMAT, "set %u, of %u points: its hull has faults %u: a point is %g outside, a valley %g deep, euler %d",
                   set, points_of(w, set), v.faults, v.outside, v.concave, (int)v.euler);
}

/* ---- bounds ---- */

static vp_status make_bounds(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    hull_work *w = begin(data, arena, out);
    w->bounds = vp_arena_output(arena, w->sets->count, sizeof *w->bounds, alignof(vp_hull_bounds), 0);
    return VP_OK;
}

VP_RUN_EACH(run_bounds, hull_work, w->sets->count, how->kernels->hull_bounds(w->point[i], points_of(w, i), &w->bounds[i]))

/* If a point is invalid, only that is recorded. */
static void record_bounds(const void *argument, vp_records *out)
{
    static const uint32_t nothing[12] = {0};
    const hull_work *w = argument;
    for (uint32_t i = 0; i < w->sets->count; i++) {
        const vp_hull_bounds *b = &w->bounds[i];
        vp_records_put_words(out, b->bad == VP_HULL_NONE ? (const void *)b : nothing, 12);
        vp_record_u32(b->bad, out);
    }
}

/* For kernels that read points once, or work in the plane. Whole hulls are measured as programs make them. */
#define BALLS                                                                                                                              \
    VP_ON("ball/16", 1, VP_TIMED), VP_ON("ball/64", 1, VP_TIMED), VP_ON("ball/100", 1, VP_TIMED),                                          \
        VP_ON("ball/1000", 1, VP_TIMED | VP_COUNTED), VP_ON("sphere/1000", 1, VP_COUNTED), VP_ON("ball/10000", 1, VP_TIMED),               \
        VP_ON("ball/100000", 1, VP_TIMED), VP_ON("ball/1000000", 1, VP_TIMED)
static const vp_measured balls[] = {BALLS, {.data = NULL}};

const vp_case vp_case_hull_bounds = {
    .kind = &vp_kind_points, .make = make_bounds, .run = run_bounds, .records = record_bounds, .measured = balls};

/* ---- hulls ---- */

static vp_status make_hulls(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    hull_work *w = begin(data, arena, out);
    w->hull = vp_arena_keep(arena, w->sets->count, sizeof *w->hull, alignof(vp_hull));
    return VP_OK;
}

static vp_status run_hulls(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    hull_work *w = argument;
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < w->sets->count && status == VP_OK; i++) {
        const vp_hull_def def = {.point = w->point[i],
                                 .count = points_of(w, i),
                                 .max_work = UINT64_MAX, /* few points need no kernel without a limit */
                                 .kernels = how->kernels,
                                 .allocator = w->allocator};
        vp_hull_destroy(&w->hull[i]);
        w->hull[i] = (vp_hull){0};
        status = vp_hull_create(&def, &w->hull[i], error);
    }
    *items = w->sets->count;
    return status;
}

VP_RECORD_EACH(record_hulls, hull_work, w->sets->count, record_hull(&w->hull[i], out))

static vp_status judge_hulls(const void *argument, uint32_t step, vp_error *error)
{
    const hull_work *w = argument;
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < w->sets->count; i++)
        status = judge_hull(w, i, &w->hull[i], error);
    return status;
}

static void drop_hulls(void *argument)
{
    hull_work *w = argument;
    for (uint32_t i = 0; w->hull != NULL && i < w->sets->count; i++)
        vp_hull_destroy(&w->hull[i]);
}

static const vp_measured counted[] = {VP_ON("ball/1000", 1, VP_COUNTED), VP_ON("sphere/1000", 1, VP_COUNTED), {.data = NULL}};

const vp_case vp_case_hull3 = {.kind = &vp_kind_points,
                               .make = make_hulls,
                               .run = run_hulls,
                               .records = record_hulls,
                               .judge = judge_hulls,
                               .drop = drop_hulls,
                               .measured = counted};

/* ---- added points ---- */

static vp_status add_points(hull_work *w, const vp_setting *how, uint32_t set, vp_error *error)
{
    const vp_hull_def def = {.kernels = how->kernels, .allocator = w->allocator};
    vp_hull_builder *builder = NULL;
    vp_status status = vp_hull_builder_create(&def, &builder, error);
    for (uint32_t i = 0; i < points_of(w, set) && status == VP_OK; i++)
        status = vp_hull_builder_add(builder, w->point[set] + i, 1, error);
    if (status == VP_OK)
        status = vp_hull_builder_build(builder, &w->hull[set], error);
    vp_hull_builder_destroy(builder);
    return status;
}

static vp_status run_builder(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    hull_work *w = argument;
    vp_status status = VP_OK;
    *items = 0;
    for (uint32_t i = 0; i < w->sets->count && status == VP_OK; i++) {
        vp_hull_destroy(&w->hull[i]);
        w->hull[i] = (vp_hull){0};
        status = add_points(w, how, i, error);
        *items += points_of(w, i);
    }
    return status;
}

/* The hull must equal that of vp_hull_create on all points. */
static vp_status judge_builder(const void *argument, uint32_t step, vp_error *error)
{
    const hull_work *w = argument;
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < w->sets->count; i++) {
        const vp_hull_def def = {.point = w->point[i], .count = points_of(w, i)};
        uint8_t got[HULL_RECORD_BYTES], want[HULL_RECORD_BYTES];
        vp_hull right = {0};
        status = vp_hull_create(&def, &right, error);
        put_hull(got, &w->hull[i]);
        put_hull(want, &right);
        if (status == VP_OK && memcmp(got, want, sizeof got) != 0)
            status = vp_fail(error, VP_E_FORMAT, "set %u, of %u points: %u vertices and %u faces one at a time, %u and %u at once", i,
                             points_of(w, i), w->hull[i].vertex_count, w->hull[i].face_count, right.vertex_count, right.face_count);
        vp_hull_destroy(&right);
    }
    return status;
}

/* Most of the code is common to all versions, so the scalar and the best one are enough. */
static const vp_measured added[] = {VP_ON("ball/16", 1, VP_TIMED | VP_ENDS),
                                    VP_ON("ball/100", 1, VP_TIMED | VP_ENDS),
                                    VP_ON("ball/1000", 1, VP_TIMED | VP_ENDS),
                                    VP_ON("sphere/1000", 1, VP_TIMED | VP_ENDS),
                                    VP_ON("ball/10000", 1, VP_TIMED | VP_ENDS),
                                    VP_ON("cube-grid", 1, VP_VERIFIED),
                                    VP_ON("lattice-turned", 1, VP_VERIFIED),
                                    VP_ON("duplicates", 1, VP_VERIFIED),
                                    VP_ON("needle", 1, VP_VERIFIED),
                                    VP_ON("coplanar-tilted", 1, VP_VERIFIED),
                                    {.data = NULL}};

const vp_case vp_case_hull_insert = {.kind = &vp_kind_points,
                                     .make = make_hulls,
                                     .run = run_builder,
                                     .records = record_hulls,
                                     .judge = judge_builder,
                                     .drop = drop_hulls,
                                     .measured = added};

/* ---- filtered points ---- */

/* Versions may keep different points. So the points are scratch, and their hull must be equal. */
static vp_status make_filters(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    hull_work *w = begin(data, arena, out);
    const uint32_t count = w->sets->count;
    w->kept = vp_arena_keep(arena, count, sizeof *w->kept, alignof(vp_vec3 *));
    w->from = vp_arena_keep(arena, count, sizeof *w->from, alignof(uint32_t *));
    w->left = vp_arena_scratch(arena, count, sizeof *w->left, alignof(uint32_t));
    w->scratch = vp_arena_scratch(arena, vp_hull_filter_scratch_bytes(most_points(w)), 1, 64);
    for (uint32_t i = 0; i < count; i++) {
        w->kept[i] = vp_arena_scratch(arena, points_of(w, i), sizeof **w->kept, alignof(vp_vec3));
        w->from[i] = vp_arena_scratch(arena, points_of(w, i), sizeof **w->from, alignof(uint32_t));
    }
    return VP_OK;
}

static vp_status run_filters(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    hull_work *w = argument;
    for (uint32_t i = 0; i < w->sets->count; i++) {
        const vp_hull_filtering filtering = {.point = w->point[i],
                                             .count = points_of(w, i),
                                             .bounds = &w->right[i],
                                             .flat = (double)vp_hull_tolerance(&w->right[i]),
                                             .scratch = w->scratch,
                                             .kept = w->kept[i],
                                             .from = w->from[i]};
        w->left[i] = how->kernels->hull_filter(&filtering);
    }
    *items = w->sets->count;
    return VP_OK;
}

/* The hull of the kept points, with vertex numbers among all points. */
static vp_status hull_of_kept(const hull_work *w, uint32_t set, const vp_kernels *kernels, vp_hull *out, vp_error *error)
{
    const uint32_t left = w->left[set];
    if (left > points_of(w, set))
        return vp_fail(error, VP_E_FORMAT, "set %u: %u of %u points are left", set, left, points_of(w, set));
    const vp_hull_def def = {
        .point = left > 0 ? w->kept[set] : w->point[set], .count = left > 0 ? left : points_of(w, set), .kernels = kernels};
    *out = (vp_hull){0};
    const vp_status status = vp_hull_create(&def, out, error);
    if (status != VP_OK || left == 0)
        return status;
    uint32_t *vertex = (uint32_t *)(void *)((char *)out->block + ((const char *)out->vertex - (const char *)out->block));
    for (uint32_t v = 0; v < out->vertex_count; v++)
        vertex[v] = w->from[set][vertex[v]];
    return VP_OK;
}

static void record_filters(const void *argument, vp_records *out)
{
    const hull_work *w = argument;
    vp_kernels best;
    vp_error error;
    const vp_status status = vp_kernels_default(&best, &error);
    for (uint32_t i = 0; i < w->sets->count; i++) {
        vp_hull hull = {0};
        if (status == VP_OK)
            (void)hull_of_kept(w, i, &best, &hull, &error);
        record_hull(&hull, out);
        vp_hull_destroy(&hull);
    }
}

static vp_status judge_filters(const void *argument, uint32_t step, vp_error *error)
{
    const hull_work *w = argument;
    vp_kernels best;
    vp_status status = vp_kernels_default(&best, error);
    for (uint32_t i = 0; status == VP_OK && i < w->sets->count; i++) {
        vp_hull hull = {0};
        status = hull_of_kept(w, i, &best, &hull, error);
        for (uint32_t v = 0; status == VP_OK && v < hull.vertex_count; v++)
            if (hull.vertex[v] >= points_of(w, i))
                status = vp_fail(error, VP_E_FORMAT, "set %u has no point %u", i, hull.vertex[v]);
        if (status == VP_OK)
            status = judge_hull(w, i, &hull, error);
        vp_hull_destroy(&hull);
    }
    return status;
}

const vp_case vp_case_hull_filter = {.kind = &vp_kind_points,
                                     .make = make_filters,
                                     .run = run_filters,
                                     .records = record_filters,
                                     .judge = judge_filters,
                                     .measured = balls};

/* ---- hulls in the plane ---- */

static vp_status make_polygons(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    hull_work *w = begin(data, arena, out);
    const uint32_t count = 3 * w->sets->count;
    w->corner = vp_arena_keep(arena, count, sizeof *w->corner, alignof(uint32_t *));
    w->corners = vp_arena_output(arena, count, sizeof *w->corners, alignof(uint32_t), 0);
    w->scratch = vp_arena_scratch(arena, vp_hull2_scratch_bytes(most_points(w)), 1, 64);
    for (uint32_t i = 0; i < count; i++)
        w->corner[i] = vp_arena_output(arena, points_of(w, i / 3), sizeof **w->corner, alignof(uint32_t), 0);
    return VP_OK;
}

static vp_status run_polygons(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    hull_work *w = argument;
    for (uint32_t i = 0; i < 3 * w->sets->count; i++) {
        const uint32_t axis = i % 3;
        const vp_hull2_job job = {.point = w->point[i / 3],
                                  .count = points_of(w, i / 3),
                                  .axis = {(axis + 1) % 3, (axis + 2) % 3},
                                  .max_work = UINT64_MAX,
                                  .scratch = w->scratch,
                                  .corner = w->corner[i]};
        w->corners[i] = how->kernels->hull2(&job).corners;
    }
    *items = w->sets->count;
    return VP_OK;
}

/* The number of corners, and their hash. */
static void record_polygons(const void *argument, vp_records *out)
{
    const hull_work *w = argument;
    for (uint32_t i = 0; i < 3 * w->sets->count; i++) {
        vp_hasher h;
        vp_hash_begin(&h);
        vp_hash_words(&h, w->corner[i], w->corners[i] <= points_of(w, i / 3) ? w->corners[i] : 0);
        const uint64_t hash = vp_hash_end(&h);
        vp_records_put_words(out, &w->corners[i], 1);
        vp_records_put_longs(out, &hash, 1);
        vp_records_end(out);
    }
}

static const vp_measured flat[] = {BALLS,
                                   VP_ON("coplanar/100", 1, VP_TIMED),
                                   VP_ON("coplanar/1000", 1, VP_TIMED),
                                   VP_ON("coplanar/10000", 1, VP_TIMED),
                                   VP_ON("coplanar/100000", 1, VP_TIMED),
                                   VP_ON("coplanar/1000000", 1, VP_TIMED),
                                   {.data = NULL}};

const vp_case vp_case_hull2 = {
    .kind = &vp_kind_points, .make = make_polygons, .run = run_polygons, .records = record_polygons, .measured = flat};
