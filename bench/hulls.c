/* SPDX-License-Identifier: MIT */
/* hull3/<who>/<family>/<count>: whole hulls, as a program makes them through vp_hull_create, with all that is known of them; every
 * kernel of a hull by the same contender. That is what other libraries' are compared with. Memory is asked for each time.
 * A hull must be the reference's, bit for bit, before the time is taken and after it, and no hull but for the validator. */
#include "bench/suite.h"

#include <stdio.h>
#include <string.h>

#include <voxphys/hull.h>

#include "bench/hull_sets.h"
#include "core/error.h"

typedef struct hull_entry {
    vp_suite *suite;
    vp_contender contender; /* of hull3 */
    const vp_hull_set *of;
    vp_hull right; /* by the reference */
    bool checked;
} hull_entry;

static const vp_kernel_id hull_kernels[] = {VP_KERNEL_hull_bounds, VP_KERNEL_hull_filter, VP_KERNEL_hull3, VP_KERNEL_hull2};

/* The scalar table with every kernel of hulls by the contender of that name, where there is one. */
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

static bool same(const vp_hull *a, const vp_hull *b)
{
    return a->dimension == b->dimension && a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           a->face_count == b->face_count && a->corner_count == b->corner_count &&
           memcmp(a->vertex, b->vertex, a->vertex_count * sizeof *a->vertex) == 0 &&
           memcmp(a->triangle, b->triangle, a->triangle_count * sizeof *a->triangle) == 0 &&
           memcmp(a->beside, b->beside, a->triangle_count * sizeof *a->beside) == 0 &&
           memcmp(a->face_of, b->face_of, a->triangle_count * sizeof *a->face_of) == 0 &&
           memcmp(a->corner, b->corner, a->corner_count * sizeof *a->corner) == 0 &&
           memcmp(a->across, b->across, a->corner_count * sizeof *a->across) == 0 &&
           memcmp(a->plane, b->plane, a->face_count * sizeof *a->plane) == 0 && memcmp(&a->volume, &b->volume, sizeof a->volume) == 0 &&
           memcmp(a->inertia, b->inertia, sizeof a->inertia) == 0;
}

/* Compares with the reference's hull, which the case has validated. */
static vp_status compare(const hull_entry *e, const vp_hull *got, const char *when, vp_error *error)
{
    return same(got, &e->right) ? VP_OK
                                : vp_fail(error, VP_E_ARGUMENT, "the hull of %s/%s by %s is another than the reference's%s", e->of->family,
                                          e->of->count, e->contender.name, when);
}

static vp_status check(hull_entry *e, const vp_workload *w, const vp_kernels *kernels, vp_error *error)
{
    if (e->checked)
        return VP_OK;
    vp_check result;
    vp_kernels scalar;
    vp_hull got = {0};
    vp_kernels_best(&scalar, 0);
    vp_status status = vp_check_contender(VP_KERNEL_hull3, &e->contender, w, NULL, &result, error);
    if (status == VP_OK && result.mismatches != 0)
        status = vp_fail(error, VP_E_ARGUMENT, "hull3 of %s differs from the reference on %s", e->contender.name, w->name);
    if (status == VP_OK)
        status = make(&w->points, &scalar, &e->right, error);
    if (status == VP_OK)
        status = make(&w->points, kernels, &got, error);
    if (status == VP_OK)
        status = compare(e, &got, "", error);
    vp_hull_destroy(&got);
    e->checked = status == VP_OK;
    return status;
}

static void run_hull(vp_bench_state *state, void *context)
{
    hull_entry *e = context;
    const vp_kernels kernels = table_of(&e->contender);
    vp_workload w;
    vp_hull hull = {0};
    vp_error error;
    vp_status status = vp_suite_workload(e->suite, e->of->family, e->of->count, &w, &error);
    if (status == VP_OK)
        status = check(e, &w, &kernels, &error);
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
        vp_bench_label(state, "hulls, whole; faults=none");
        vp_bench_counter(state, "vertices", (double)hull.vertex_count);
        vp_bench_counter(state, "faces", (double)hull.face_count);
        vp_bench_counter(state, "comparisons_per_point", (double)hull.work / (double)w.points.first[1]);
    }
    vp_hull_destroy(&hull);
}

static void drop(void *entry)
{
    hull_entry *e = entry;
    vp_hull_destroy(&e->right);
}

void vp_suite_add_hulls(vp_suite *suite)
{
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(VP_KERNEL_hull3, contenders);
    for (size_t i = 0; i < vp_hull_set_count; i++)
        for (size_t c = 0; c < count; c++) {
            if (!contenders[c].usable || contenders[c].how == VP_HOW_SIMDE)
                continue;
            hull_entry *e = vp_suite_entry(suite, sizeof *e, drop);
            *e = (hull_entry){.suite = suite, .contender = contenders[c], .of = &vp_hull_sets[i]};
            char name[VP_SUITE_NAME_BYTES];
            snprintf(name, sizeof name, "hull3/%.20s/%.20s/%.12s", contenders[c].name, e->of->family, e->of->count);
            vp_bench_register(name, run_hull, e);
        }
}
