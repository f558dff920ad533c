/* SPDX-License-Identifier: MIT */
/* hull3/<who>/<family>/<count> measures whole hulls through vp_hull_create, with all outputs. One contender provides every kernel of a
 * hull. hull3/limit reads the points once and does nothing else. Other libraries are compared with these figures. Memory is allocated
 * anew each time. The validator must accept the reference's hull. Every hull must equal it bit for bit before and after the measurement. */
#include "bench/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/hull.h>

#include "bench/hulls/hull_sets.h"
#include "bench/peers/judge.h"
#include "bench/stream_loop.h"
#include "src/core/error.h"
#include "src/core/memory.h"

/* The reference's hull of a set, shared by all makers of its hulls. */
typedef struct right_hull {
    uint64_t digest;
    bool made;
} right_hull;

typedef struct hull_entry {
    vp_suite *suite;
    vp_contender contender; /* the version of hull3 */
    const vp_hull_set *of;
    right_hull *right;
    bool checked;
} hull_entry;

static const vp_kernel_id hull_kernels[] = {VP_KERNEL_hull_bounds, VP_KERNEL_hull_filter, VP_KERNEL_hull3, VP_KERNEL_hull2};

/* Returns the scalar table with this contender's hull kernels, where they exist. */
static vp_kernels table_of(const vp_contender *c)
{
    vp_kernels table;
    vp_kernels_best(&table, 0);
    for (size_t k = 0; k < sizeof hull_kernels / sizeof hull_kernels[0]; k++) {
        vp_contender others[VP_CONTENDERS_MAX];
        const size_t count = vp_contenders(hull_kernels[k], others);
        for (size_t i = 0; i < count; i++)
            if (strcmp(others[i].name, c->name) == 0) {
                const vp_kernels one = vp_contender_table(&others[i], hull_kernels[k]);
                if (hull_kernels[k] == VP_KERNEL_hull_bounds)
                    table.hull_bounds = one.hull_bounds;
                else if (hull_kernels[k] == VP_KERNEL_hull_filter)
                    table.hull_filter = one.hull_filter;
                else if (hull_kernels[k] == VP_KERNEL_hull3)
                    table.hull3 = one.hull3;
                else
                    table.hull2 = one.hull2;
            }
    }
    return table;
}

static vp_status make(const vp_point_sets *sets, const vp_kernels *kernels, vp_hull *out, vp_error *error)
{
    const vp_hull_def def = {.point = sets->point, .count = sets->first[1], .kernels = kernels};
    return vp_hull_create(&def, out, error);
}

/* Compares a hull with the reference's. */
static vp_status compare(const hull_entry *e, const vp_hull *got, const char *when, vp_error *error)
{
    uint64_t digest;
    const vp_status status = vp_hull_digest(got, &digest, error);
    return status != VP_OK || digest == e->right->digest
               ? status
               : vp_fail(error, VP_E_ARGUMENT, "the hull of %s/%s by %s is another than the reference's%s", e->of->family, e->of->count,
                         e->contender.name, when);
}

/* Makes the reference's hull and validates it. */
static vp_status make_right(const hull_entry *e, const vp_suite_set *w, vp_error *error)
{
    vp_kernels scalar;
    vp_hull hull = {0};
    vp_peer_answers mesh;
    vp_hull_found found;
    const uint32_t count = w->points.first[1];
    vp_kernels_best(&scalar, 0);
    vp_status status = make(&w->points, &scalar, &hull, error);
    vp_vec3 *place = status == VP_OK ? vp_hull_places(&hull, w->points.point) : NULL;
    if (status == VP_OK && place == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory to look at the hull of %s", w->name);
    mesh = (vp_peer_answers){
        .place = place, .places = hull.vertex_count, .triangle = (const uint32_t(*)[3])hull.triangle, .triangles = hull.triangle_count};
    if (status == VP_OK)
        status = vp_hull_look(w->points.point, count, hull.dimension < 3 ? &hull : NULL, &mesh, &found, error);
    if (status == VP_OK && found.faults != 0)
        status = vp_fail(error, VP_E_ARGUMENT, "the reference's hull of %s has faults %u: a point is %g of the extent outside", w->name,
                         found.faults, found.outside);
    if (status == VP_OK)
        status = vp_hull_digest(&hull, &e->right->digest, error);
    free(place);
    vp_hull_destroy(&hull);
    return status;
}

static vp_status check(hull_entry *e, const vp_suite_set *w, const vp_kernels *kernels, vp_error *error)
{
    vp_hull got = {0};
    vp_status status = VP_OK;
    if (e->checked)
        return VP_OK;
    if (!e->right->made) {
        status = make_right(e, w, error);
        e->right->made = status == VP_OK;
    }
    if (status == VP_OK &&
        e->contender.isa != VP_ISA_scalar) /* otherwise it equals the previous one, and is compared after the measurement */
        status = make(&w->points, kernels, &got, error);
    if (status == VP_OK && e->contender.isa != VP_ISA_scalar)
        status = compare(e, &got, "", error);
    vp_hull_destroy(&got);
    e->checked = status == VP_OK;
    return status;
}

/* Counts the vertices that are corners of faces. A rotated grid on a cube's faces has eight, although rounding makes more points
 * vertices. */
static double corners_of(const vp_hull *hull)
{
    uint8_t *is = calloc((size_t)hull->vertex_count + 1, 1);
    double sum = 0.0;
    if (is == NULL)
        return 0.0;
    for (uint32_t c = 0; c < hull->corner_count; c++) {
        sum += is[hull->corner[c]] == 0;
        is[hull->corner[c]] = 1;
    }
    free(is);
    return sum;
}

static void run_hull(vp_bench_state *state, void *context)
{
    hull_entry *e = context;
    char label[120];
    const vp_kernels kernels = table_of(&e->contender);
    vp_suite_set w;
    vp_hull hull = {0};
    vp_error error;
    vp_status status = vp_hull_set_open(e->suite, e->of, &w, &error);
    if (status == VP_OK)
        status = check(e, &w, &kernels, &error);
    if (status == VP_OK && (e->of->by & VP_HULL_BY_PEERS) != 0) /* libraries also get one run before the measurement */
        status = make(&w.points, &kernels, &hull, &error);
    while (status == VP_OK && vp_bench_next(state)) {
        vp_hull_destroy(&hull);
        status = make(&w.points, &kernels, &hull, &error);
    }
    if (status == VP_OK)
        status = compare(e, &hull, " after the time was taken", &error);
    if (status != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
    } else {
        vp_bench_items(state, vp_bench_iterations(state));
        snprintf(label, sizeof label, "hulls, whole; faults=none digest=%016" PRIx64 "%s", e->right->digest,
                 vp_hull_set_hash(e->of, &w).text);
        vp_bench_label(state, label);
        vp_bench_counter(state, "vertices", (double)hull.vertex_count);
        vp_bench_counter(state, "faces", (double)hull.face_count);
        vp_bench_counter(state, "corners", corners_of(&hull));
        const double points = (double)w.points.first[1];
        vp_bench_counter(state, "comparisons_per_point", (double)hull.work / points);
        vp_bench_counter(state, "looks_per_point", (double)hull.cost.looked / points);
        vp_bench_counter(state, "moves_per_point", (double)hull.cost.moved / points);
        vp_bench_counter(state, "triangles_made", (double)hull.cost.faces);
    }
    vp_hull_destroy(&hull);
}

/* ---- the limit ---- */

typedef struct limit_entry {
    vp_suite *suite;
    const char *count;
} limit_entry;

/* Reads the points of a ball once, as bytes. No program can make a hull of that many points in less time. */
static void run_limit(vp_bench_state *state, void *context)
{
    const limit_entry *e = context;
    vp_suite_set w;
    vp_error error;
    vp_allocator a = vp_allocator_default();
    vp_status status = vp_suite_open(e->suite, "ball", e->count, &w, &error);
    const size_t chunks =
        status != VP_OK ? 0 : ((size_t)w.points.first[1] * sizeof *w.points.point + VP_CHUNK_VOXELS - 1) / VP_CHUNK_VOXELS;
    uint8_t *bytes = status != VP_OK ? NULL : vp_allocate_zero(&a, chunks, VP_CHUNK_VOXELS);
    if (status == VP_OK && bytes == NULL)
        status = vp_fail(&error, VP_E_MEMORY, "no memory to read %s", w.name);
    if (status != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    memcpy(bytes, w.points.point, (size_t)w.points.first[1] * sizeof *w.points.point);
    const vp_stream stream = {.bricks = bytes, .chunk_count = chunks};
    vp_stream_fn *read = vp_stream_best_read();
    const uint64_t want = vp_stream_read_scalar(&stream);
    uint64_t different = 0;
    while (vp_bench_next(state))
        different |= read(&stream) ^ want;
    vp_release(&a, bytes, chunks, VP_CHUNK_VOXELS);
    if (different != 0) {
        vp_fail(&error, VP_E_ARGUMENT, "reading the points of %s gave another answer than the scalar loop's", w.name);
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    vp_bench_items(state, vp_bench_iterations(state));
    vp_bench_label(state, "hulls, the points read once");
}

/* ---- who makes what ---- */

void vp_suite_add_hulls(vp_suite *suite)
{
    static const char *const limits[] = {"10000", "100000", "1000000"};
    char name[VP_SUITE_NAME_BYTES];
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(VP_KERNEL_hull3, contenders);
    size_t best = 0; /* the last version that this machine runs natively */
    const vp_hull_set *of;
    for (size_t c = 0; c < count; c++)
        best = contenders[c].usable && contenders[c].how == VP_HOW_NATIVE ? c : best;
    for (size_t i = 0; (of = vp_hull_set_at(i)) != NULL; i++) {
        if (!vp_hull_set_is_there(of))
            continue;
        right_hull *right = vp_suite_entry(suite, sizeof *right, NULL);
        for (size_t c = 0; c < count; c++) {
            if (!contenders[c].usable || contenders[c].how == VP_HOW_SIMDE || ((of->by & VP_HULL_BY_OURS) == 0 && c != 0 && c != best))
                continue;
            hull_entry *e = vp_suite_entry(suite, sizeof *e, NULL);
            *e = (hull_entry){.suite = suite, .contender = contenders[c], .of = of, .right = right};
            snprintf(name, sizeof name, "hull3/%.20s/%.20s/%.12s", contenders[c].name, of->family, of->count);
            vp_bench_register(name, run_hull, e);
        }
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        limit_entry *e = vp_suite_entry(suite, sizeof *e, NULL);
        *e = (limit_entry){suite, limits[i]};
        snprintf(name, sizeof name, "hull3/limit/ball/%.12s", limits[i]);
        vp_bench_register(name, run_limit, e);
    }
}
