/* SPDX-License-Identifier: MIT */
/* A benchmark for each row of the registry, each contender that this machine can run, and each set and variant of the row's case. Answers
 * are compared with the reference's before the measurement. The measured runs write into buffers with arbitrary content, and their
 * results must be the same. If one differs, the benchmark reports an error instead of a figure. With --answers the comparison before the
 * measurement is left out if an earlier process made it. The measured runs' answers must have the digest that was right then. */
#include "bench/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/judge.h"
#include "datasets/hash.h"
#include "datasets/mesh_sets.h"
#include "host/program.h"
#include "src/core/error.h"

typedef struct row_entry {
    vp_suite *suite;
    vp_row_id row;
    vp_contender contender;
    const vp_measured *of;
    uint32_t variant;
    uint32_t threads; /* 0: the calling thread, with its own clock */
    vp_data some;     /* rays selected by of->triangles */
    vp_ray_set some_rays;
    bool checked;
    vp_error verdict;   /* of the comparison */
    vp_agreed answers;  /* the right ones. seconds 0: not measured yet */
    bool earlier, kept; /* an earlier process compared them; they are in the file */
    vp_counters looks;  /* counters of the scalar version */
    vp_counters judged; /* counters of the peers' judge */
    uint64_t items;     /* per run */
} row_entry;

static bool is_scalar(const vp_contender *c)
{
    return c->isa == VP_ISA_scalar && c->how == VP_HOW_NATIVE;
}

static uint64_t digest_of_last_step(const vp_records *answers)
{
    const size_t before = answers->steps < 2 ? 0 : answers->end[answers->steps - 2];
    return vp_hash64(answers->hash + before, (answers->count - before) * sizeof *answers->hash);
}

/* Writes the name of a contender's question, for the file of answers. */
static void name_of_question(const row_entry *e, const vp_data *data, char out[VP_SUITE_NAME_BYTES])
{
    snprintf(out, VP_SUITE_NAME_BYTES, "%s/%s/%.80s/%u", vp_rows[e->row].name, e->contender.name, data->name, e->variant);
}

/* Returns whether the contender is the reference itself, so that a comparison would only repeat its run. */
static bool is_reference(const row_entry *e, const vp_setting *how)
{
    const uint32_t same = vp_cases[e->row]->same;
    return is_scalar(&e->contender) && how->executor == NULL && (same == 0 || same - 1 == e->variant);
}

/* Compares the contender with the reference. */
static bool compare(row_entry *e, const vp_setting *how, const vp_data *data)
{
    const vp_records *want;
    vp_check result = {.mismatches = 0};
    if (vp_suite_reference(e->suite, e->row, data, e->variant, &want, &e->verdict) != VP_OK)
        return false;
    if (!is_reference(e, how) && vp_case_check(vp_cases[e->row], how, data, e->variant, want, false, &result, &e->verdict) != VP_OK)
        return false;
    if (result.mismatches != 0) {
        vp_fail(&e->verdict, VP_E_ARGUMENT, "on %s, %s of %s %.150s", data->name, vp_rows[e->row].name, e->contender.name, result.why.message);
        return false;
    }
    e->answers.all = vp_records_digest(want);
    e->answers.last = digest_of_last_step(want);
    return true;
}

/* On the first call compares the contender with the reference, or finds the answers of an earlier comparison. */
static bool check(row_entry *e, const vp_setting *how, const vp_data *data)
{
    char question[VP_SUITE_NAME_BYTES];
    if (e->checked)
        return e->verdict.status == VP_OK;
    e->checked = true;
    name_of_question(e, data, question);
    e->earlier = e->kept = vp_suite_find_answers(e->suite, question, &e->answers);
    return e->earlier || compare(e, how, data);
}

/* Returns whether the last step's answers equal the checked ones. Answers that differ from an earlier process's are compared anew. */
static bool still_agrees(row_entry *e, const vp_session *session, const vp_data *data)
{
    vp_records answers = {0};
    session->c->records(session->work, &answers);
    const uint64_t digest = digest_of_last_step(&answers);
    vp_records_destroy(&answers);
    if (digest == e->answers.last)
        return true;
    if (e->earlier) {
        e->earlier = e->kept = false;
        if (!compare(e, &session->how, data))
            return false;
        if (digest == e->answers.last)
            return true;
    }
    vp_fail(&e->verdict, VP_E_ARGUMENT, "%s of %s gave other answers while it was timed: digest %016" PRIx64 " of the last step, not %016" PRIx64,
            vp_rows[e->row].name, e->contender.name, digest, e->answers.last);
    return false;
}

/* ---- rays at meshes of some size ---- */

/* Returns whether a number is within a tenth of another. */
static bool is_about(uint32_t count, uint32_t number)
{
    return count * 10 >= number * 9 && count * 10 <= number * 11;
}

/* Returns a name like "chunks-of-64/coherent", or the set's own name if there is no number of triangles. */
static void name_of_set(const vp_measured *m, char out[VP_DATA_NAME_BYTES])
{
    const char *slash = strchr(m->data, '/');
    if (m->triangles != 0 && slash != NULL)
        snprintf(out, VP_DATA_NAME_BYTES, "%.*s-of-%u%.40s", (int)(slash - m->data), m->data, m->triangles, slash);
    else
        snprintf(out, VP_DATA_NAME_BYTES, "%s", m->data);
}

/* Selects the rays of these meshes instead of all rays. */
static vp_status choose_rays(row_entry *e, const vp_data **data, vp_error *error)
{
    const vp_ray_set *all = (*data)->set;
    const vp_mesh_set *meshes = (*data)->owner->set;
    vp_ray_set *some = &e->some_rays;
    if (some->ray == NULL) {
        some->ray = malloc((all->count + 1u) * sizeof *some->ray);
        some->mesh = malloc((all->count + 1u) * sizeof *some->mesh);
        if (some->ray == NULL || some->mesh == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for rays of %s", (*data)->name);
        for (uint32_t i = 0; i < all->count; i++)
            if (is_about(meshes->mesh[all->mesh[i]].triangle_count, e->of->triangles)) {
                some->ray[some->count] = all->ray[i];
                some->mesh[some->count++] = all->mesh[i];
            }
        e->some = **data;
        e->some.set = some;
        name_of_set(e->of, e->some.name);
    }
    const char *name = (*data)->name;
    *data = &e->some;
    return some->count != 0 ? VP_OK : vp_fail(error, VP_E_ARGUMENT, "%s has no mesh of about %u triangles", name, e->of->triangles);
}

static void drop_entry(void *argument)
{
    row_entry *e = argument;
    free(e->some_rays.ray);
    free(e->some_rays.mesh);
}

/* ---- a run ---- */

static vp_status run_steps(vp_session *s, uint64_t *items, vp_error *error)
{
    vp_status status = VP_OK;
    *items = 0;
    for (uint32_t step = 0; status == VP_OK && step < vp_session_steps(s); step++) {
        uint64_t some = 0;
        status = s->c->run(&s->how, s->work, step, &some, error);
        *items += some;
    }
    return status;
}

/* The timed loop. Rewinding is not timed. */
static double time_runs(row_entry *e, vp_session *s, vp_bench_state *state, vp_status *status, vp_error *error)
{
    double seconds = 0, begin = 0;
    while (*status == VP_OK && vp_bench_next(state)) {
        if (s->c->rewind != NULL) {
            vp_bench_pause(state);
            *status = vp_session_rewind(s, error);
            vp_bench_resume(state);
        }
        if (e->threads != 0)
            begin = vp_seconds();
        if (*status == VP_OK)
            *status = run_steps(s, &e->items, error);
        if (e->threads != 0)
            seconds += vp_seconds() - begin;
    }
    return seconds;
}

static void show_counters(vp_bench_state *state, const vp_counters *counters)
{
    for (uint32_t i = 0; i < counters->count; i++)
        vp_bench_counter(state, counters->counter[i].name, counters->counter[i].value);
}

static void show(row_entry *e, const vp_session *s, vp_bench_state *state, double seconds)
{
    const vp_case *c = s->c;
    const char *note = c->notes != NULL ? c->notes[e->variant] : "";
    char label[256];
    vp_counters counters = {.count = 0};
    const uint64_t items = vp_bench_iterations(state) * e->items;
    if (e->threads != 0) {
        vp_bench_counter(state, "items_per_second", (double)items / seconds);
        vp_bench_counter(state, "items", (double)e->items);
    } else {
        vp_bench_items(state, items);
    }
    snprintf(label, sizeof label, "%.40s%.200s", vp_rows[e->row].unit, note);
    vp_suite_label(state, label, e->answers.all);
    if (c->counters != NULL)
        c->counters(s->work, &counters);
    show_counters(state, &counters);
    if (c->looks != NULL && is_scalar(&e->contender) && e->looks.count == 0)
        c->looks(s->work, &e->looks);
    show_counters(state, &e->looks);
    const vp_judge *judge = vp_judge_of(e->row);
    if (judge != NULL && judge->count != NULL && e->judged.count == 0)
        judge->count(s->work, &e->judged);
    show_counters(state, &e->judged);
}

static vp_status run_timed(row_entry *e, vp_session *s, const vp_data *data, vp_bench_state *state, vp_error *error)
{
    vp_status status = vp_session_rewind(s, error);
    if (status == VP_OK && e->answers.seconds < VP_LONG_RUN) { /* an untimed run loads code and data; a long run does that in its first moments */
        const double begin = vp_seconds();
        status = run_steps(s, &e->items, error);
        e->answers.seconds = vp_seconds() - begin;
    }
    vp_arena_poison(s->arena, 0xa5); /* the correct answers must not pass as those of the timed runs */
    const double seconds = time_runs(e, s, state, &status, error);
    if (status == VP_OK && !still_agrees(e, s, data)) {
        *error = e->verdict;
        status = e->verdict.status;
    }
    if (status == VP_OK && !e->kept) {
        char question[VP_SUITE_NAME_BYTES];
        name_of_question(e, data, question);
        vp_suite_keep_answers(e->suite, question, &e->answers);
        e->kept = true;
    }
    if (status == VP_OK)
        show(e, s, state, seconds);
    return status;
}

static void run(vp_bench_state *state, void *context)
{
    row_entry *e = context;
    const vp_case *c = vp_cases[e->row];
    const vp_arena_plan plan = {VP_PLACE_HEAP, 0xa5, 0};
    const vp_kernels table = vp_contender_table(&e->contender, e->row);
    const vp_executor executor = vp_suite_executor(e->threads);
    const vp_setting how = {&table, e->threads != 0 ? &executor : NULL};
    const vp_data *data;
    vp_session session = {0};
    vp_error error, unused;
    vp_status status = vp_suite_data(e->suite, c->kind, e->of->data, NULL, &data, &error);
    if (status == VP_OK && e->of->triangles != 0)
        status = choose_rays(e, &data, &error);
    if (status == VP_OK && !check(e, &how, data)) {
        status = e->verdict.status;
        error = e->verdict;
    }
    if (status == VP_OK)
        status = vp_session_open(c, &how, data, e->variant, &plan, &session, &error);
    if (status == VP_OK)
        status = run_timed(e, &session, data, state, &error);
    if (status != VP_OK)
        vp_suite_refuse(e->suite, state, &error);
    vp_session_close(&session, &unused);
}

/* ---- names ---- */

static row_entry *add_entry(vp_suite *suite, vp_row_id row, const vp_measured *m, uint32_t variant, const vp_contender *by,
                            uint32_t threads)
{
    row_entry *e = vp_suite_entry(suite, sizeof *e, drop_entry);
    *e = (row_entry){.suite = suite, .row = row, .contender = *by, .of = m, .variant = variant, .threads = threads};
    return e;
}

static const char *who_of(vp_row_id row, const vp_measured *m, uint32_t variant)
{
    return m->who != NULL ? m->who : vp_case_way(vp_cases[row], variant);
}

static void append(char *name, const char *separator, const char *text)
{
    const size_t used = strlen(name);
    snprintf(name + used, VP_SUITE_NAME_BYTES - used, "%s%s", text[0] != '\0' ? separator : "", text);
}

/* "terrain_ray/avx2-object/world-230k/coherent/threads-2" */
static void add(vp_suite *suite, vp_row_id row, const vp_measured *m, uint32_t variant, const vp_contender *by, uint32_t threads)
{
    const vp_case *c = vp_cases[row];
    char name[VP_SUITE_NAME_BYTES] = "", set[VP_DATA_NAME_BYTES], on[24] = "";
    name_of_set(m, set);
    if (threads != 0)
        snprintf(on, sizeof on, "threads-%u", threads);
    append(name, "", c->beside != NULL ? c->beside : vp_rows[row].name);
    append(name, "/", by->name);
    append(name, "-", who_of(row, m, variant));
    append(name, "/", (m->what & VP_UNNAMED) != 0 ? "" : set);
    append(name, "/", on);
    append(name, on[0] != '\0' ? "-" : "/", m->parameter != NULL ? m->parameter : vp_case_question(c, variant));
    vp_bench_register(name, run, add_entry(suite, row, m, variant, by, threads));
}

/* Returns whether a contender is measured. */
static bool is_measured(const vp_measured *m, const char *who, const vp_contender *by, bool best)
{
    if (!by->usable || ((m->what & VP_NOT_SCALAR) != 0 && by->isa == VP_ISA_scalar))
        return false;
    if ((m->what & VP_ONLY_SCALAR) != 0 && by->isa != VP_ISA_scalar)
        return false;
    if (by->how == VP_HOW_NATIVE)
        return ((m->what & VP_ENDS) == 0 || best || by->isa == VP_ISA_scalar) && (m->triangles == 0 || by->isa != VP_ISA_scalar);
    if (by->how == VP_HOW_SIMDE) /* for WebAssembly's 128 bits it measures the same as NEON's */
        return (m->what & VP_SIMDE) != 0 && by->isa != VP_ISA_simd128;
    return m->triangles == 0 && (who[0] == '\0' || (m->what & VP_PLAIN_C) != 0);
}

static void add_variant(vp_suite *suite, vp_row_id row, const vp_measured *m, uint32_t variant)
{
    vp_contender by[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(row, by);
    const uint32_t most_threads = (m->what & VP_THREADS) != 0 ? vp_suite_most_threads() : 1;
    size_t best = 0;
    for (size_t i = 0; i < count; i++)
        best = by[i].usable && by[i].how == VP_HOW_NATIVE ? i : best;
    for (size_t i = 0; i < count; i++) {
        if (!is_measured(m, who_of(row, m, variant), &by[i], i == best))
            continue;
        if ((m->what & (VP_THREADS | VP_THREAD)) == 0)
            add(suite, row, m, variant, &by[i], 0);
        else
            for (uint32_t threads = 1; threads <= most_threads; threads *= 2)
                add(suite, row, m, variant, &by[i], threads);
    }
}

/* Adds the scalar version under two names. The two benchmarks are independent, so their difference is noise. */
static void add_noise(vp_suite *suite, vp_row_id row, const vp_measured *m)
{
    static const char *const who[] = {"first", "second"};
    vp_contender by[VP_CONTENDERS_MAX];
    char name[VP_SUITE_NAME_BYTES];
    vp_contenders(row, by);
    for (size_t w = 0; w < sizeof who / sizeof who[0]; w++) {
        snprintf(name, sizeof name, "noise/%s/%s", who[w], m->data);
        vp_bench_register(name, run, add_entry(suite, row, m, 0, &by[0], 0));
    }
}

void vp_suite_add_rows(vp_suite *suite)
{
    for (unsigned row = 0; row < VP_ROW_COUNT; row++)
        for (const vp_measured *m = vp_cases[row]->measured; m != NULL && m->data != NULL; m++) {
            if ((m->what & VP_NOISE) != 0)
                add_noise(suite, (vp_row_id)row, m);
            for (uint32_t v = 0; (m->what & VP_TIMED) != 0 && v < vp_case_variants(vp_cases[row]); v++)
                if ((m->variants >> v & 1u) != 0)
                    add_variant(suite, (vp_row_id)row, m, v);
        }
}
