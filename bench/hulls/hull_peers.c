/* SPDX-License-Identifier: MIT */
/* Hulls by other libraries. What one makes is looked at by our validator before it is timed; its faults are told in the label and in
 * counters, and do not keep it from being timed: how often a library fails is a result. One that refuses points has an error. */
#include "bench/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hulls/hull_sets.h"
#include "bench/hulls/hull_trial.h"
#include "src/core/error.h"

enum { MAX_SECONDS = 10 };

typedef struct peer_entry {
    vp_suite *suite;
    const vp_hull_peer *peer;
    const vp_hull_set *of;
    bool tried;
    vp_error verdict; /* of trying */
    vp_hull_found found;
} peer_entry;

static void name_faults(uint32_t faults, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s%s%s%s", (faults & VP_HULL_OPEN) != 0 ? "open " : "", (faults & VP_HULL_EULER) != 0 ? "euler " : "",
             (faults & VP_HULL_CONCAVE) != 0 ? "concave " : "", (faults & VP_HULL_OUTSIDE) != 0 ? "outside " : "");
    if (text[0] == '\0')
        snprintf(text, bytes, "none ");
}

static void tell(vp_bench_state *state, const peer_entry *e, const vp_suite_set *workload)
{
    char faults[64], label[320];
    name_faults(e->found.faults, faults, sizeof faults);
    snprintf(label, sizeof label, "hulls faults=%s; %s; %s%s", faults, e->peer->version, e->peer->note, vp_hull_set_hash(e->of, workload).text);
    vp_bench_label(state, label);
    vp_bench_items(state, vp_bench_iterations(state));
    vp_bench_counter(state, "faults", (double)e->found.faults);
    vp_bench_counter(state, "vertices", (double)e->found.vertices);
    vp_bench_counter(state, "outside_of_extent", e->found.outside);
}

/* Whether a peer comes to an end with these points, in a process of its own, and what it makes of them. */
static vp_status try_peer(peer_entry *e, const vp_suite_set *workload, vp_error *error)
{
    vp_hull_trial t;
    const vp_status status = vp_hull_try(e->peer, workload->points.point, workload->points.first[1], NULL, MAX_SECONDS, &t, error);
    e->found = t.found;
    if (status != VP_OK)
        return status;
    switch (t.outcome) {
    case VP_HULL_LATE: return vp_fail(error, VP_E_UNSUPPORTED, "%s takes more than %d s", e->peer->name, MAX_SECONDS);
    case VP_HULL_CRASHED: return vp_fail(error, VP_E_UNSUPPORTED, "%s crashes (signal %d)", e->peer->name, t.signal);
    case VP_HULL_REFUSED: return vp_fail(error, VP_E_UNSUPPORTED, "%s refuses these points", e->peer->name);
    default: return VP_OK;
    }
}

static void run_peer(vp_bench_state *state, void *context)
{
    peer_entry *e = context;
    vp_suite_set workload;
    vp_error error;
    if (vp_hull_set_open(e->suite, e->of, &workload, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    if (!e->tried) {
        e->tried = true;
        e->verdict.status = try_peer(e, &workload, &e->verdict);
    }
    if (e->verdict.status != VP_OK) {
        vp_bench_skip(state, e->verdict.message); /* which is an answer, and none of ours */
        return;
    }
    void *work = e->peer->make(workload.points.point, workload.points.first[1]);
    if (work == NULL) {
        vp_bench_skip(state, "no memory for the points in the library's form");
        return;
    }
    e->peer->run(work); /* as ours makes a first one */
    while (vp_bench_next(state))
        e->peer->run(work);
    tell(state, e, &workload);
    e->peer->drop(work);
}

void vp_suite_add_hull_peers(vp_suite *suite)
{
    for (const vp_hull_peer *const *peer = vp_hull_peers; *peer != NULL; peer++)
        for (size_t i = 0; i < vp_hull_set_count; i++) {
            const vp_hull_set *of = &vp_hull_sets[i];
            if ((of->by & VP_HULL_BY_PEERS) == 0 || !vp_hull_set_is_there(of))
                continue;
            peer_entry *e = vp_suite_entry(suite, sizeof *e, NULL);
            *e = (peer_entry){.suite = suite, .peer = *peer, .of = of};
            char name[VP_SUITE_NAME_BYTES];
            snprintf(name, sizeof name, "hull3/peer-%s/%s/%s", (*peer)->name, of->family, of->count);
            vp_bench_register(name, run_peer, e);
        }
}
