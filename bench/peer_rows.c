/* SPDX-License-Identifier: MIT */
/* ROW/peer-NAME/DATASET[/PARAMETER] measures every peer on the data of its row. Its answers are compared with the reference's before and
 * after the measurement. A wrong answer yields an error instead of a figure. Failures of hull libraries are results, which appear in the
 * label and in counters. A library that refuses points, crashes or does not terminate yields an error, which does not count as a failure
 * of the run. Our own simulations are measured in the same way. With --answers a peer that was right in an earlier process runs in this
 * process only. If it runs long, it is judged after the measurement alone. */
#include "bench/suite.h"

#include <stdio.h>
#include <string.h>

#include "bench/hulls/hull_sets.h"
#include "bench/peers/judge.h"
#include "bench/simulate/scene.h"
#include "host/program.h"
#include "src/core/error.h"

enum { MAX_SECONDS = 10 };

typedef struct peer_entry {
    vp_suite *suite;
    struct live *live;
    const vp_peer *peer;
    char set[64];
    vp_peer ours; /* our simulation in the form of a peer. Without a name `peer` is another library */
    bool tried, checked;
    bool sought, earlier; /* in the answers of earlier processes; it was right there */
    vp_agreed answers;    /* only their seconds */
    vp_verdict verdict;
} peer_entry;

/* The peer that ran last. Only one is kept, so that programs that run all peers need less memory. */
typedef struct live {
    const peer_entry *of;
    vp_contest contest;
} live;

static void drop_live(void *argument)
{
    live *l = argument;
    vp_contest_drop(&l->contest);
    l->of = NULL;
}

static bool is_result(const vp_verdict *v)
{
    return v->outcome == VP_PEER_RIGHT || v->outcome == VP_PEER_FAULTY;
}

static unsigned seconds_of(const vp_contest *contest)
{
    return contest->judge->seconds != 0 ? contest->judge->seconds : MAX_SECONDS;
}

/* Reports the reason why there is no figure. */
static void tell_refusal(const peer_entry *e, vp_bench_state *state, const vp_verdict *v)
{
    const vp_contest *c = &e->live->contest;
    vp_error error;
    switch (v->outcome) {
    case VP_PEER_LATE:
        vp_fail(&error, VP_E_UNSUPPORTED, "%s takes more than %u s", e->peer->name, seconds_of(c));
        break;
    case VP_PEER_CRASHES:
        vp_fail(&error, VP_E_UNSUPPORTED, "%s crashes (signal %d)", e->peer->name, v->signal);
        break;
    case VP_PEER_REFUSES:
        vp_fail(&error, VP_E_UNSUPPORTED, "%s refuses %s", e->peer->name, v->text);
        break;
    case VP_PEER_WRONG:
        vp_fail(&error, VP_E_ARGUMENT, "%s", v->text);
        break;
    default:
        vp_fail(&error, VP_E_MEMORY, "no memory for %s on %s", e->peer->name, c->data->name);
        break;
    }
    if (error.status == VP_E_UNSUPPORTED)
        vp_bench_skip(state, error.message); /* the refusal is the library's answer, and no failure of the run */
    else
        vp_suite_refuse(e->suite, state, &error);
}

static void name_of_question(const peer_entry *e, char out[VP_SUITE_NAME_BYTES])
{
    snprintf(out, VP_SUITE_NAME_BYTES, "%u/peer-%.40s/%s", (unsigned)e->peer->row, e->peer->name, e->set);
}

/* Opens the data, and tries the peer in its own process if its judge requires that. */
static vp_status open(peer_entry *e, vp_error *error)
{
    live *l = e->live;
    if (l->of == e)
        return VP_OK;
    drop_live(l);
    vp_contest *c = &l->contest;
    *c = (vp_contest){.judge = vp_judge_of(e->peer->row), .peer = e->peer, .steps = 1};
    vp_status status = c->judge->open(e->suite, e->set, c, error);
    if (status != VP_OK)
        return status;
    if (c->name[0] == '\0')
        snprintf(c->name, sizeof c->name, "%s", c->data->name);
    if (!e->sought) {
        char question[VP_SUITE_NAME_BYTES];
        name_of_question(e, question);
        e->earlier = vp_suite_find_answers(e->suite, question, &e->answers);
        e->sought = true;
    }
    if (c->judge->apart && !e->tried && !e->earlier) {
        status = vp_contest_try(c, seconds_of(c), &e->verdict, error);
        e->checked = e->tried = status == VP_OK;
    }
    l->of = status == VP_OK ? e : NULL;
    return status;
}

/* Makes the peer's work and runs it once, also to load code and data. The first run is compared with the reference. A peer that consumes
 * its data runs only for that comparison. A long run that was right in an earlier process is compared after the measurement. */
static bool check(peer_entry *e)
{
    vp_contest *c = &e->live->contest;
    if (e->checked && !is_result(&e->verdict))
        return false;
    if (c->work == NULL)
        vp_contest_make(c);
    if (c->work != NULL && !e->checked && e->earlier && e->answers.seconds >= VP_LONG_RUN)
        return true;
    bool ran = c->work != NULL;
    if (ran && (!e->checked || !e->peer->consumes)) {
        ran = vp_peer_rewind(e->peer, c->work);
        const double begin = vp_seconds();
        ran = ran && (vp_contest_run(c) || c->judge->apart);
        e->answers.seconds = vp_seconds() - begin;
    }
    if (!ran) {
        vp_contest_drop(c);
        e->verdict.outcome = VP_PEER_NO_MEMORY;
    } else if (!e->checked) {
        c->judge->look(c, &e->verdict);
        e->checked = true;
    }
    return is_result(&e->verdict);
}

static bool are_equal(const vp_verdict *a, const vp_verdict *b)
{
    bool equal = a->outcome == b->outcome && a->counters == b->counters && strcmp(a->text, b->text) == 0;
    for (uint32_t i = 0; equal && i < a->counters; i++)
        equal = a->counter[i].value == b->counter[i].value;
    return equal;
}

/* @return the verdict on the last run's result */
static vp_verdict measure(peer_entry *e, vp_bench_state *state)
{
    vp_contest *c = &e->live->contest;
    vp_verdict after = e->verdict;
    bool rewound = e->peer->consumes || vp_peer_rewind(e->peer, c->work), ran = true;
    while (vp_bench_next(state)) {
        if (e->peer->consumes) {
            vp_bench_pause(state);
            rewound = rewound && vp_peer_rewind(e->peer, c->work);
            vp_bench_resume(state);
        }
        if (rewound)
            ran = vp_contest_run(c) && ran;
    }
    if (!rewound || (!ran && !c->judge->apart)) {
        after.outcome = VP_PEER_NO_MEMORY;
    } else if (c->judge->again != NULL || !e->checked) {
        after = (vp_verdict){.outcome = VP_PEER_NO_MEMORY};
        c->judge->look(c, &after);
        if (!e->checked) {
            e->verdict = after;
            e->checked = true;
        } else if (c->judge->apart && !are_equal(&after, &e->verdict)) {
            after.outcome = VP_PEER_WRONG;
            snprintf(after.text, sizeof after.text, "the %s of %s by %s are others after the time was taken", c->judge->again, c->name,
                     e->peer->name);
        }
    }
    return after;
}

static void run(vp_bench_state *state, void *context)
{
    peer_entry *e = context;
    const vp_contest *c = &e->live->contest;
    char label[640];
    vp_error error;
    if (open(e, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    if (!check(e)) {
        tell_refusal(e, state, &e->verdict);
        return;
    }
    const vp_verdict after = measure(e, state);
    if (!is_result(&after)) {
        tell_refusal(e, state, &after);
        return;
    }
    vp_bench_items(state, vp_bench_iterations(state) * c->items);
    if (!e->earlier) {
        char question[VP_SUITE_NAME_BYTES];
        name_of_question(e, question);
        vp_suite_keep_answers(e->suite, question, &e->answers);
        e->earlier = true;
    }
    if (e->peer == &e->ours)
        snprintf(label, sizeof label, "%s", after.text);
    else
        snprintf(label, sizeof label, "%s; %s%s%s%s", after.text, c->judge->version ? e->peer->version : "", c->judge->version ? "; " : "",
                 e->peer->note, c->hash);
    vp_bench_label(state, label);
    for (uint32_t i = 0; i < after.counters; i++)
        vp_bench_counter(state, after.counter[i].name, after.counter[i].value);
    if (e->peer != &e->ours)
        vp_bench_counter(state, "faulty", after.outcome == VP_PEER_FAULTY);
}

static peer_entry *add_entry(vp_suite *suite, live *l, const vp_peer *peer, const char *set)
{
    peer_entry *e = vp_suite_entry(suite, sizeof *e, NULL);
    *e = (peer_entry){.suite = suite, .live = l, .peer = peer};
    snprintf(e->set, sizeof e->set, "%s", set);
    return e;
}

static void add(vp_suite *suite, live *l, const vp_peer *peer, const char *as, const char *set)
{
    const int named = peer->row == VP_KERNEL_kd_build ? (int)strcspn(set, "/") : 60; /* after a build only some rays of a set are cast */
    const int who = (int)strcspn(peer->name, "/");
    char name[VP_SUITE_NAME_BYTES];
    snprintf(name, sizeof name, "%.20s/peer-%.*s/%.*s%.20s", as, who, peer->name, named, set, peer->name + who);
    vp_bench_register(name, run, add_entry(suite, l, peer, set));
}

static void add_hulls(vp_suite *suite, live *l, const vp_peer *peer)
{
    const vp_hull_set *of;
    for (size_t i = 0; (of = vp_hull_set_at(i)) != NULL; i++) {
        char set[64];
        if (peer->row == VP_KERNEL_hull3 ? (of->by & VP_HULL_BY_PEERS) == 0 || !vp_hull_set_is_there(of)
                                         : !vp_hull_set_is_of_kernel(of, peer->row))
            continue;
        snprintf(set, sizeof set, "%s/%s", of->family, of->count);
        add(suite, l, peer, vp_rows[peer->row].name, set);
    }
}

/* Adds a peer's benchmarks on the sets that its judge lists. */
static void add_contested(vp_suite *suite, live *l, const vp_peer *peer)
{
    const vp_judge *judge;
    for (size_t i = 0; (judge = vp_judge_at(i)) != NULL; i++)
        for (const vp_contested *m = judge->measured; m < judge->measured + judge->rows; m++)
            for (const char *const *set = m->set; vp_contested_is_of(m, peer->row) && *set != NULL; set++)
                if (m->without == NULL || strstr(peer->name, m->without) == NULL)
                    add(suite, l, peer, m->as != NULL ? m->as : vp_rows[peer->row].name, *set);
}

/* simulate_step/<kernels>/<world>/<bodies> measures steps of host/simulate by the reference and the fastest kernels of this machine. */
void vp_suite_add_simulations(vp_suite *suite)
{
    const vp_contested *of = vp_judge_simulations.measured;
    vp_contender by[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(VP_KERNEL_kd_gather, by);
    live *l = vp_suite_entry(suite, sizeof *l, drop_live);
    size_t best = 0;
    char name[VP_SUITE_NAME_BYTES];
    for (size_t i = 0; i < count; i++)
        best = by[i].usable && by[i].how == VP_HOW_NATIVE ? i : best;
    for (const char *const *set = of->set; *set != NULL; set++)
        for (size_t i = 0; i <= best; i += best != 0 ? best : 1) {
            peer_entry *e = add_entry(suite, l, NULL, *set);
            e->ours = vp_simulate_ours(vp_isa_name(by[i].isa));
            e->peer = &e->ours;
            snprintf(name, sizeof name, "%s/%s/%s", of->as, e->ours.name, *set);
            vp_bench_register(name, run, e);
        }
}

void vp_suite_add_peers(vp_suite *suite)
{
    const vp_peer *peer;
    live *l = vp_suite_entry(suite, sizeof *l, drop_live);
    for (size_t i = 0; (peer = vp_peer_at(i)) != NULL; i++) {
        if (peer->note == NULL)
            continue;
        if (peer->row == VP_KERNEL_hull3 || peer->row == VP_KERNEL_hull2)
            add_hulls(suite, l, peer);
        add_contested(suite, l, peer);
    }
}
