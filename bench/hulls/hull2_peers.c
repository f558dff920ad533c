/* SPDX-License-Identifier: MIT */
/* Polygons of the three shadows of a set of points, by other libraries, beside hull2's. What one makes is compared with the reference's
 * corners before it is timed and after it. What differs is told in the label and in counters, and is a result, as it is of hulls; of a
 * library that claims to be exact it is an error of somebody's, and no time is told. */
#include "bench/suite.h"

#include <stdio.h>
#include <string.h>

#include "bench/hulls/hull2_trial.h"
#include "bench/hulls/hull_sets.h"
#include "src/core/error.h"

enum { MAX_SECONDS = 10 };

typedef struct peer_entry {
    vp_suite *suite;
    const vp_hull2_peer *peer;
    const vp_hull_set *of;
    bool tried;
    vp_error verdict; /* of trying; VP_E_UNSUPPORTED is an answer, and none of ours */
    vp_hull2_shadows reference;
    vp_hull2_found found;
} peer_entry;

/* "=equal", or " differ: 2 of 3 refused, 4 of 120 missing" */
static void name_differences(const vp_hull2_found *f, char *text, size_t bytes)
{
    const struct {
        uint32_t count, of;
        const char *what;
    } part[] = {{f->refused, 3, "refused"}, {f->missing, f->wanted, "missing"}, {f->extra, f->corners, "extra"}, {f->turned, 3 - f->refused, "turned"}};
    size_t used = (size_t)snprintf(text, bytes, "%s", vp_hull2_is_equal(f) ? "=equal" : " differ:");
    const char *before = " ";
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        if (part[i].count != 0 && used < bytes) {
            used += (size_t)snprintf(text + used, bytes - used, "%s%u of %u %s", before, part[i].count, part[i].of, part[i].what);
            before = ", ";
        }
}

/* Whether a peer comes to an end with these points, in a process of its own, and what it makes of them. */
static vp_status try_peer(peer_entry *e, const vp_suite_set *workload, vp_error *error)
{
    char text[160];
    vp_hull2_trial t;
    const vp_vec3 *point = workload->points.point;
    const uint32_t count = workload->points.first[1];
    vp_status status = vp_hull2_shadows_make(point, count, &e->reference, error);
    if (status == VP_OK)
        status = vp_hull2_try(e->peer, point, count, &e->reference, MAX_SECONDS, &t, error);
    if (status != VP_OK)
        return status;
    e->found = t.found;
    if (e->peer->exact && (t.outcome == VP_HULL_FAULTY || t.outcome == VP_HULL_REFUSED)) {
        name_differences(&t.found, text, sizeof text);
        return vp_fail(error, VP_E_ARGUMENT, "the corners by %s of the shadows of %s%s", e->peer->name, workload->name, text);
    }
    switch (t.outcome) {
    case VP_HULL_LATE: return vp_fail(error, VP_E_UNSUPPORTED, "%s takes more than %d s", e->peer->name, MAX_SECONDS);
    case VP_HULL_CRASHED: return vp_fail(error, VP_E_UNSUPPORTED, "%s crashes (signal %d)", e->peer->name, t.signal);
    case VP_HULL_REFUSED: return vp_fail(error, VP_E_UNSUPPORTED, "%s refuses all three shadows", e->peer->name);
    default: return VP_OK;
    }
}

static void tell(vp_bench_state *state, const peer_entry *e)
{
    char differences[160], label[400];
    name_differences(&e->found, differences, sizeof differences);
    snprintf(label, sizeof label, "polygons corners%s; %s; %s", differences, e->peer->version, e->peer->note);
    vp_bench_label(state, label);
    vp_bench_items(state, vp_bench_iterations(state));
    vp_bench_counter(state, "refused", (double)e->found.refused);
    vp_bench_counter(state, "corners", (double)e->found.corners);
    vp_bench_counter(state, "missing", (double)e->found.missing);
    vp_bench_counter(state, "extra", (double)e->found.extra);
    vp_bench_counter(state, "turned", (double)e->found.turned);
}

static void run_peer(vp_bench_state *state, void *context)
{
    peer_entry *e = context;
    vp_suite_set workload;
    vp_error error;
    vp_hull2_work work;
    vp_hull2_found after;
    if (vp_hull_set_open(e->suite, e->of, &workload, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    if (!e->tried) {
        e->tried = true;
        e->verdict.status = try_peer(e, &workload, &e->verdict);
    }
    if (e->verdict.status != VP_OK) {
        if (e->verdict.status == VP_E_UNSUPPORTED)
            vp_bench_skip(state, e->verdict.message);
        else
            vp_suite_refuse(e->suite, state, &e->verdict);
        return;
    }
    if (!vp_hull2_work_make(e->peer, workload.points.point, workload.points.first[1], &work)) {
        vp_bench_skip(state, "no memory for the points in the library's form");
        return;
    }
    vp_hull2_work_run(&work); /* a first one is nobody's time */
    while (vp_bench_next(state))
        vp_hull2_work_run(&work);
    const bool looked = vp_hull2_look(&work, &e->reference, &after);
    vp_hull2_work_drop(&work);
    if (looked && memcmp(&after, &e->found, sizeof after) == 0) {
        tell(state, e);
    } else {
        vp_fail(&error, VP_E_ARGUMENT, "the polygons of %s by %s are others after the time was taken", workload.name, e->peer->name);
        vp_suite_refuse(e->suite, state, &error);
    }
}

static void drop_entry(void *entry)
{
    vp_hull2_shadows_destroy(&((peer_entry *)entry)->reference);
}

void vp_suite_add_hull2_peers(vp_suite *suite)
{
    for (const vp_hull2_peer *const *peer = vp_hull2_peers; *peer != NULL; peer++)
        for (size_t i = 0; i < vp_hull_set_count; i++) {
            const vp_hull_set *of = &vp_hull_sets[i];
            if (!vp_hull_set_is_of_kernel(of, VP_KERNEL_hull2))
                continue;
            peer_entry *e = vp_suite_entry(suite, sizeof *e, drop_entry);
            *e = (peer_entry){.suite = suite, .peer = *peer, .of = of};
            char name[VP_SUITE_NAME_BYTES];
            snprintf(name, sizeof name, "hull2/peer-%s/%s/%s", (*peer)->name, of->family, of->count);
            vp_bench_register(name, run_peer, e);
        }
}
