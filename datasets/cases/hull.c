/* SPDX-License-Identifier: MIT */
/* The cases of hulls. An item is a set of points. What hull_bounds says of each, it must say by every version; what hull3 and hull2
 * make of it need not be the same triangles, but must be the same hull: so a record is of what vp_hull_create makes with them, with
 * faces joined. So is that of hull_filter, of the hull of the points that it keeps. hull2 is run on what points are in the plane across each axis. */
#include "datasets/cases/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/hull.h>

#include "src/core/error.h"
#include <voxphys/kernels.h>
#include "src/core/memory.h"
#include "datasets/cases/records.h"
#include "datasets/hash.h"

enum {
    BOUNDS_RECORD_BYTES = 24 + 28,          /* min, max; lowest, highest, bad */
    HULL_RECORD_BYTES = 5 * 4 + 4 + 8 + 88, /* dimension and counts; tolerance; hash of the arrays; volume to inertia */
    POLYGON_RECORD_BYTES = 12               /* how many corners, hash of them */
};

typedef struct work {
    const vp_point_sets *sets;
    vp_kernels kernels; /* of the last run */
    vp_hull_bounds *bounds;
    vp_hull *hull;
    uint32_t *corners;  /* of polygons, three a set */
    uint32_t **corner;  /* their corners */
    vp_vec3 *kept;     /* of all sets, each where the set's points are */
    uint32_t *from;
    uint32_t *left;    /* how many of each set are kept */
    void *scratch;
    size_t scratch_bytes;
    vp_status status; /* of making hulls */
    vp_error error;
} work;

static uint32_t points_of(const work *w, uint32_t set)
{
    return w->sets->first[set + 1] - w->sets->first[set];
}

static void drop(void *argument)
{
    work *w = argument;
    if (w == NULL)
        return;
    for (uint32_t i = 0; w->hull != NULL && i < w->sets->count; i++)
        vp_hull_destroy(&w->hull[i]);
    for (uint32_t i = 0; w->corner != NULL && i < 3 * w->sets->count; i++)
        free(w->corner[i]);
    vp_allocator a = vp_allocator_default();
    vp_release(&a, w->scratch, w->scratch_bytes, 1);
    free(w->kept);
    free(w->from);
    free(w->left);
    free(w->bounds);
    free(w->hull);
    free(w->corners);
    free(w->corner);
    free(w);
}

static vp_status make(const vp_workload *workload, void **out, vp_error *error)
{
    const uint32_t count = workload->points.count;
    uint32_t most = 0;
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
    w->sets = &workload->points;
    for (uint32_t i = 0; i < count; i++)
        most = points_of(w, i) > most ? points_of(w, i) : most;
    vp_allocator a = vp_allocator_default();
    w->bounds = calloc(count, sizeof *w->bounds);
    w->hull = calloc(count, sizeof *w->hull);
    w->corners = calloc((size_t)count * 3, sizeof *w->corners);
    w->corner = calloc((size_t)count * 3, sizeof *w->corner);
    const uint32_t points = workload->points.first[count];
    w->kept = malloc(points * sizeof *w->kept);
    w->from = malloc(points * sizeof *w->from);
    w->left = calloc(count, sizeof *w->left);
    const size_t of_polygons = vp_hull2_scratch_bytes(most), of_filters = vp_hull_filter_scratch_bytes(most);
    w->scratch_bytes = of_polygons > of_filters ? of_polygons : of_filters;
    w->scratch = vp_allocate(&a, w->scratch_bytes, 1);
    bool all = w->kept != NULL && w->from != NULL && w->left != NULL && w->bounds != NULL && w->hull != NULL && w->corners != NULL &&
               w->corner != NULL && w->scratch != NULL;
    for (uint32_t i = 0; all && i < count; i++)
        vp_hull_bounds_scalar(w->sets->point + w->sets->first[i], points_of(w, i), &w->bounds[i]);
    for (uint32_t i = 0; all && i < 3 * count; i++) {
        w->corner[i] = malloc(points_of(w, i / 3) * sizeof **w->corner);
        all = w->corner[i] != NULL;
    }
    return all ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
}

static uint64_t run_bounds(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->sets->count; i++)
        table->hull_bounds(w->sets->point + w->sets->first[i], points_of(w, i), &w->bounds[i]);
    return w->sets->count;
}

static uint64_t run_hulls(const vp_kernels *table, void *argument)
{
    work *w = argument;
    w->status = VP_OK;
    for (uint32_t i = 0; i < w->sets->count && w->status == VP_OK; i++) {
        const vp_hull_def def = {.point = w->sets->point + w->sets->first[i], .count = points_of(w, i), .kernels = table};
        vp_hull_destroy(&w->hull[i]);
        w->status = vp_hull_create(&def, &w->hull[i], &w->error);
    }
    return w->sets->count;
}

static uint64_t run_filters(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->sets->count; i++) {
        const uint32_t first = w->sets->first[i];
        const vp_hull_filtering filtering = {.point = w->sets->point + first,
                                             .count = points_of(w, i),
                                             .bounds = &w->bounds[i],
                                             .flat = (double)vp_hull_tolerance(&w->bounds[i]),
                                             .scratch = w->scratch,
                                             .kept = w->kept + first,
                                             .from = w->from + first};
        w->left[i] = table->hull_filter(&filtering);
    }
    return w->sets->count;
}

static uint64_t run_polygons(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->sets->count; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            const vp_hull2_job build = {.point = w->sets->point + w->sets->first[i],
                                          .count = points_of(w, i),
                                          .axis = {(axis + 1) % 3, (axis + 2) % 3},
                                          .most_work = UINT64_MAX,
                                          .scratch = w->scratch,
                                          .corner = w->corner[3 * i + axis]};
            w->corners[3 * i + axis] = table->hull2(&build).corners;
        }
    return w->sets->count;
}

/* ---- what must be equal ---- */

static uint8_t *put_float(uint8_t *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    vp_put_u32(at, bits);
    return at + 4;
}

static uint8_t *put_double(uint8_t *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    vp_put_u64(at, bits);
    return at + 8;
}

static uint8_t *put_words(uint8_t *at, const uint32_t *word, size_t count)
{
    for (size_t i = 0; i < count; i++, at += 4)
        vp_put_u32(at, word[i]);
    return at;
}

static vp_status bounds_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    vp_status status = vp_records_create(BOUNDS_RECORD_BYTES, w->sets->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < w->sets->count; i++) {
        const vp_hull_bounds *b = &w->bounds[i];
        uint8_t *at = out->bytes + (size_t)i * BOUNDS_RECORD_BYTES;
        const float value[6] = {b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z};
        for (int k = 0; k < 6 && b->bad == VP_HULL_NONE; k++)
            at = put_float(at, value[k]);
        at = b->bad == VP_HULL_NONE ? put_words(put_words(at, b->lowest, 3), b->highest, 3) : at;
        vp_put_u32(out->bytes + (size_t)(i + 1) * BOUNDS_RECORD_BYTES - 4, b->bad);
    }
    return status;
}

/* Whether a hull is one at all, by the validator, which knows nothing of how it was made: where all versions agree, they might be
   wrong together. Distances are of doubles, so they may be some 2^-44 of the coordinates. */
static vp_status check_hull(const work *w, uint32_t set, vp_error *error)
{
    const vp_hull *h = &w->hull[set];
    const vp_vec3 *point = w->sets->point + w->sets->first[set];
    const vp_hull_bounds *b = &w->bounds[set];
    uint32_t(*triangle)[3] = malloc(h->triangle_count * sizeof *triangle);
    if (triangle == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", h->triangle_count);
    for (uint32_t t = 0; t < h->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            triangle[t][k] = h->vertex[h->triangle[t][k]];
    double reach = 0.0;
    const float end[6] = {b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z};
    for (int k = 0; k < 6; k++)
        reach = fmax(reach, fabs((double)end[k]));
    const vp_hull_validate_def subject = {.point = point, .count = points_of(w, set), .triangle = (const uint32_t(*)[3])triangle,
                                     .triangle_count = h->triangle_count, .allowed = reach * 0x1p-44};
    vp_hull_report v;
    vp_status status = vp_hull_validate(&subject, &v, error);
    if (status == VP_OK && (v.faults != 0 || v.slivers != 0))
        status = vp_fail(error, VP_E_FORMAT, "set %u, of %u points: its hull has faults %u: a point is %g outside, a valley %g deep, euler %d", set,
                         points_of(w, set), v.faults, v.outside, v.concave, (int)v.euler);
    free(triangle);
    return status;
}

/* The hash of all arrays of a hull, little-endian; 0 without memory, which then differs. */
static uint64_t hash_of(const vp_hull *h)
{
    const size_t words = (size_t)h->vertex_count + 7 * (size_t)h->triangle_count + h->face_count + 1 + 2 * (size_t)h->corner_count;
    const size_t bytes = words * 4 + (size_t)h->face_count * 32;
    uint8_t *all = malloc(bytes), *at = all;
    if (all == NULL)
        return 0;
    at = put_words(at, h->vertex, h->vertex_count);
    for (uint32_t t = 0; t < h->triangle_count; t++)
        at = put_words(put_words(at, h->triangle[t], 3), h->beside[t], 3);
    at = put_words(at, h->face_of, h->triangle_count);
    at = put_words(at, h->first_corner, (size_t)h->face_count + 1);
    at = put_words(put_words(at, h->corner, h->corner_count), h->across, h->corner_count);
    for (uint32_t f = 0; f < h->face_count; f++)
        for (int k = 0; k < 4; k++)
            at = put_double(at, h->plane[f][k]);
    const uint64_t hash = vp_hash64(all, bytes);
    free(all);
    return hash;
}

/* HULL_RECORD_BYTES of what must be equal. @return false without memory: 0 is in the place of the arrays' hash then */
static bool put_hull(uint8_t *at, const vp_hull *h)
{
    const uint64_t hash = hash_of(h);
    const uint32_t counts[5] = {h->dimension, h->vertex_count, h->triangle_count, h->face_count, h->corner_count};
    at = put_float(put_words(at, counts, 5), h->tolerance);
    vp_put_u64(at, hash);
    at = put_double(put_double(at + 8, h->volume), h->area);
    for (int k = 0; k < 3; k++)
        at = put_double(at, h->centroid[k]);
    for (int k = 0; k < 6; k++)
        at = put_double(at, h->inertia[k]);
    return hash != 0;
}

vp_status vp_hull_digest(const vp_hull *hull, uint64_t *out, vp_error *error)
{
    uint8_t record[HULL_RECORD_BYTES];
    if (!put_hull(record, hull))
        return vp_fail(error, VP_E_MEMORY, "no memory for the digest of a hull");
    *out = vp_hash64(record, sizeof record);
    return VP_OK;
}

/* Where it is kept that the validator has passed a hull: of the same points the same hull need not be looked at again, whoever made it. */
static uint64_t *passed(uint64_t key)
{
    enum { PLACES = 8192 };
    static _Thread_local uint64_t keys[PLACES];
    return &keys[key % PLACES];
}

static uint64_t key_of(const work *w, uint32_t set, const uint8_t *record)
{
    const uint64_t parts[2] = {vp_hash64(w->sets->point + w->sets->first[set], points_of(w, set) * sizeof *w->sets->point),
                               vp_hash64(record, HULL_RECORD_BYTES)};
    return vp_hash64(parts, sizeof parts) | 1; /* a place that nothing is kept in has 0 */
}

static vp_status hull_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    if (w->status != VP_OK)
        return vp_fail(error, w->status, "%.200s", w->error.message);
    vp_status status = vp_records_create(HULL_RECORD_BYTES, w->sets->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < w->sets->count; i++) {
        uint8_t *record = out->bytes + (size_t)i * HULL_RECORD_BYTES;
        const bool hashed = put_hull(record, &w->hull[i]);
        const uint64_t key = key_of(w, i, record);
        if (w->hull[i].dimension < 3 || (hashed && *passed(key) == key))
            continue;
        status = check_hull(w, i, error);
        if (status == VP_OK && hashed)
            *passed(key) = key;
    }
    if (status != VP_OK)
        vp_records_destroy(out);
    return status;
}

/* The hulls of what is kept, with the numbers that their vertices have among all. */
static vp_status filter_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    vp_kernels best;
    vp_status status = vp_kernels_default(&best, error);
    for (uint32_t i = 0; status == VP_OK && i < w->sets->count; i++) {
        const uint32_t first = w->sets->first[i], left = w->left[i];
        vp_hull *h = &w->hull[i];
        const vp_hull_def def = {.point = left > 0 ? w->kept + first : w->sets->point + first,
                                 .count = left > 0 ? left : points_of(w, i),
                                 .kernels = &best};
        vp_hull_destroy(h);
        status = vp_hull_create(&def, h, error);
        if (status != VP_OK || left == 0)
            continue;
        uint32_t *vertex = (uint32_t *)(void *)((char *)h->block + ((const char *)h->vertex - (const char *)h->block));
        for (uint32_t v = 0; v < h->vertex_count; v++)
            vertex[v] = w->from[first + vertex[v]];
    }
    return status == VP_OK ? hull_records(w, out, error) : status;
}

static vp_status polygon_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    vp_status status = vp_records_create(POLYGON_RECORD_BYTES, (size_t)w->sets->count * 3, out, error);
    for (uint32_t i = 0; status == VP_OK && i < 3 * w->sets->count; i++) {
        uint8_t *at = out->bytes + (size_t)i * POLYGON_RECORD_BYTES, *all = malloc(w->corners[i] * (size_t)4);
        if (all == NULL) {
            vp_records_destroy(out);
            return vp_fail(error, VP_E_MEMORY, "no memory for a polygon of %u corners", w->corners[i]);
        }
        put_words(all, w->corner[i], w->corners[i]);
        vp_put_u32(at, w->corners[i]);
        vp_put_u64(at + 4, vp_hash64(all, w->corners[i] * (size_t)4));
        free(all);
    }
    return status;
}

const vp_case vp_case_hull_bounds = {"sets", VP_FOOD_POINTS, make, run_bounds, bounds_records, drop};
const vp_case vp_case_hull_filter = {"sets", VP_FOOD_POINTS, make, run_filters, filter_records, drop};
const vp_case vp_case_hull3 = {"hulls", VP_FOOD_POINTS, make, run_hulls, hull_records, drop};
const vp_case vp_case_hull2 = {"polygons", VP_FOOD_POINTS, make, run_polygons, polygon_records, drop};
