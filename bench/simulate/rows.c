/* SPDX-License-Identifier: MIT */
/* simulate_step/<who>/<world>/<bodies> measures steps of a whole simulation with host/simulate. The item is a step. The final states must
 * equal the reference's bit for bit, before and after the measurement. Rows of libraries have the same name and the same judge. */
#include "bench/suite.h"

#include <inttypes.h>
#include <stdio.h>

#include "bench/peers/judge.h"
#include "bench/simulate/scene.h"
#include "src/core/error.h"

typedef struct entry {
    vp_suite *suite;
    const char *set;
    vp_peer peer;
    vp_contest contest;
    vp_verdict verdict;
    bool checked;
} entry;

static void drop(void *argument)
{
    entry *e = argument;
    vp_contest_drop(&e->contest);
}

static vp_status open(entry *e, vp_error *error)
{
    vp_contest *c = &e->contest;
    if (c->work != NULL)
        return VP_OK;
    *c = (vp_contest){.judge = &vp_judge_simulations, .peer = &e->peer, .steps = 1};
    const vp_status status = c->judge->open(e->suite, e->set, c, error);
    if (status == VP_OK)
        vp_contest_make(c);
    return status != VP_OK || c->work != NULL ? status : vp_fail(error, VP_E_MEMORY, "no memory for %s by %s", e->set, e->peer.name);
}

static vp_status step(const entry *e, bool rewinds, vp_error *error)
{
    const bool done = rewinds ? vp_peer_rewind(&e->peer, e->contest.work) : vp_peer_run(&e->peer, e->contest.work, 0);
    return done ? VP_OK : vp_fail(error, VP_E_MEMORY, "the simulation of %s by %s failed", e->set, e->peer.name);
}

static vp_status compare(entry *e, const char *when, uint64_t *digest, vp_error *error)
{
    vp_peer_answers got;
    vp_status status = vp_body_scene_digest(e->contest.data, digest, error);
    if (status == VP_OK && !vp_peer_answers_of(&e->peer, e->contest.work, 0, &got))
        status = vp_fail(error, VP_E_MEMORY, "no memory for the states of %s", e->set);
    return status != VP_OK || got.simulated->digest == *digest
               ? status
               : vp_fail(error, VP_E_ARGUMENT, "the states of %s by %s are not the reference's%s", e->set, e->peer.name, when);
}

static vp_status check(entry *e, uint64_t *digest, vp_error *error)
{
    vp_status status = e->checked ? VP_OK : step(e, true, error);
    if (status == VP_OK && !e->checked)
        status = step(e, false, error);
    if (status == VP_OK && !e->checked)
        status = compare(e, "", digest, error);
    e->checked = status == VP_OK;
    return status;
}

static void run(vp_bench_state *state, void *context)
{
    entry *e = context;
    char label[120];
    uint64_t digest = 0;
    vp_error error;
    vp_status status = open(e, &error);
    if (status == VP_OK)
        status = check(e, &digest, &error);
    while (status == VP_OK && vp_bench_next(state)) {
        vp_bench_pause(state);
        status = step(e, true, &error);
        vp_bench_resume(state);
        if (status == VP_OK)
            status = step(e, false, &error);
    }
    if (status == VP_OK)
        status = compare(e, " after the time was taken", &digest, &error);
    if (status != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    e->verdict = (vp_verdict){.outcome = VP_PEER_NO_MEMORY};
    e->contest.judge->look(&e->contest, &e->verdict);
    vp_bench_items(state, vp_bench_iterations(state) * e->contest.items);
    snprintf(label, sizeof label, "%.60s", e->verdict.text);
    vp_suite_label(state, label, digest);
    for (uint32_t i = 0; i < e->verdict.counters; i++)
        vp_bench_counter(state, e->verdict.counter[i].name, e->verdict.counter[i].value);
}

/* Measures the reference and the fastest kernels of this machine. */
void vp_suite_add_simulations(vp_suite *suite)
{
    const vp_contested *of = vp_judge_simulations.measured;
    vp_contender by[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(VP_KERNEL_kd_gather, by);
    size_t best = 0;
    char name[VP_SUITE_NAME_BYTES];
    for (size_t i = 0; i < count; i++)
        best = by[i].usable && by[i].how == VP_HOW_NATIVE ? i : best;
    for (const char *const *set = of->set; *set != NULL; set++)
        for (size_t i = 0; i <= best; i += best != 0 ? best : 1) {
            entry *e = vp_suite_entry(suite, sizeof *e, drop);
            *e = (entry){.suite = suite, .set = *set, .peer = vp_simulate_ours(vp_isa_name(by[i].isa))};
            snprintf(name, sizeof name, "%s/%s/%s", of->as, e->peer.name, *set);
            vp_bench_register(name, run, e);
        }
}
