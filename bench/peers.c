/* SPDX-License-Identifier: MIT */
/* Registers the peers that this build has. */
#include "bench/suite.h"

#include <stdio.h>

#include "bench/peers/peer.h"
#include "bench/trees/tree_peers.h"
#include "src/core/error.h"

static const vp_dilation_peer *const dilation_peers[] = {
#ifdef VP_BENCH_OPENVDB
    &vp_peer_openvdb,
#endif
#ifdef VP_BENCH_LEPTONICA
    &vp_peer_leptonica,
#endif
    NULL};
static const char *const worlds[] = {"terrain-l2", "terrain-l3", "all-mixed", "luanti", "sparse", "random-50"};

typedef struct peer_entry {
    vp_suite *suite;
    const vp_dilation_peer *peer;
    const char *world;
    void *work; /* made once: it takes longer than what is timed */
    bool checked;
    vp_error verdict;
} peer_entry;

/* Compares the masks of the peer's last run. */
static bool agrees(peer_entry *e, const vp_suite_set *workload)
{
    uint64_t different = e->peer->differences(e->work, workload->broadphase);
    if (different == 0)
        vp_succeed(&e->verdict);
    else
        vp_fail(&e->verdict, VP_E_ARGUMENT, "the masks of %llu chunks of %s by %s differ from the reference's",
                (unsigned long long)different, workload->name, e->peer->name);
    return different == 0;
}

/* Makes the peer's world, runs it once, and compares. */
static bool check(peer_entry *e, const vp_suite_set *workload)
{
    if (e->checked)
        return e->verdict.status == VP_OK;
    e->checked = true;
    e->work = e->peer->make(workload->world);
    if (e->work == NULL || !e->peer->prepare(e->work)) {
        vp_fail(&e->verdict, VP_E_MEMORY, "no memory for %s on %s", e->peer->name, workload->name);
        return false;
    }
    e->peer->run(e->work);
    return agrees(e, workload);
}

static void run_peer(vp_bench_state *state, void *context)
{
    peer_entry *e = context;
    vp_suite_set workload;
    vp_error error;
    if (vp_suite_open(e->suite, e->world, NULL, &workload, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    if (!check(e, &workload)) {
        vp_suite_refuse(e->suite, state, &e->verdict);
        return;
    }
    bool prepared = true;
    while (vp_bench_next(state)) {
        vp_bench_pause(state);
        prepared = prepared && e->peer->prepare(e->work);
        vp_bench_resume(state);
        if (prepared)
            e->peer->run(e->work);
    }
    if (!prepared) {
        vp_fail(&error, VP_E_MEMORY, "no memory for %s on %s", e->peer->name, workload.name);
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    if (!agrees(e, &workload)) { /* the run that was timed last */
        vp_suite_refuse(e->suite, state, &e->verdict);
        return;
    }
    vp_dims n = vp_world_chunks(workload.world);
    vp_bench_items(state, vp_bench_iterations(state) * n.x * n.y * n.z);
    char label[320];
    snprintf(label, sizeof label, "chunks masks=equal; %s", e->peer->note);
    vp_bench_label(state, label);
}

static void drop_entry(void *entry)
{
    peer_entry *e = entry;
    e->peer->drop(e->work);
}

void vp_suite_add_peers(vp_suite *suite)
{
    for (const vp_dilation_peer *const *peer = dilation_peers; *peer != NULL; peer++)
        for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; w++) {
            peer_entry *e = vp_suite_entry(suite, sizeof *e, drop_entry);
            *e = (peer_entry){.suite = suite, .peer = *peer, .world = worlds[w]};
            char name[VP_SUITE_NAME_BYTES];
            snprintf(name, sizeof name, "dilate_world/peer-%s/%s", (*peer)->name, worlds[w]);
            vp_bench_register(name, run_peer, e);
        }
    vp_suite_add_tree_peers(suite);
    vp_suite_add_hull_peers(suite);
    vp_suite_add_hull2_peers(suite);
}
