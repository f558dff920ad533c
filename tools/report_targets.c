/* SPDX-License-Identifier: MIT */
/* What the project asks of its kernels, and what a machine reaches. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

typedef enum against { AGAINST_SCALAR, AGAINST_READ } against;

/* One target. `data` are data sets, or the part of their names after the slash ("boxes-small": of every
   world), or none for every one; judged is the data set on which the kernel does worst. `who` NULL: the
   version that this machine's processor is given when nobody chooses. */
typedef struct target {
    const char *what, *kernel, *data[2], *who;
    against against;
    double asked;
} target;

static const target targets[] = {
    {"world build in the L2 cache, AVX2", "dilate_world", {"terrain-l2"}, "avx2", AGAINST_SCALAR, 25},
    {"world build in the L2 cache, AVX-512", "dilate_world", {"terrain-l2"}, "avx512", AGAINST_SCALAR, 35},
    {"world build in the L3 cache", "dilate_world", {"terrain-l3", "luanti"}, NULL, AGAINST_READ, 0.50},
    {"world build in DRAM", "dilate_world", {"terrain-dram"}, NULL, AGAINST_READ, 0.60},
    {"one chunk after an edit", "dilate_chunk", {NULL}, NULL, AGAINST_SCALAR, 10},
    {"overlap of one box, small boxes", "overlap_one", {"boxes-small"}, NULL, AGAINST_SCALAR, 1.8},
    {"overlap of one box, medium boxes", "overlap_one", {"boxes-medium"}, NULL, AGAINST_SCALAR, 2.5},
    {"overlap of a batch, small boxes", "overlap_batch", {"boxes-small"}, NULL, AGAINST_SCALAR, 3},
    {"overlap of a batch, medium boxes", "overlap_batch", {"boxes-medium"}, NULL, AGAINST_SCALAR, 4.5},
};

enum { TARGETS = sizeof targets / sizeof targets[0] };

/* The worst and the best of the data sets that a target is about. */
typedef struct outcome {
    double worst, best;
    const vp_measured *at; /* the worst; NULL: not measured */
    const char *who;
    size_t count;
} outcome;

static bool is_about(const target *t, const char *data)
{
    const char *slash = strchr(data, '/');
    for (size_t i = 0; i < 2 && t->data[i] != NULL; i++)
        if (strcmp(data, t->data[i]) == 0 || (slash != NULL && strcmp(slash + 1, t->data[i]) == 0))
            return true;
    return t->data[0] == NULL;
}

static outcome judge(const target *t, const vp_result *r)
{
    const char *who[VP_VERSIONS_MOST];
    size_t versions = vp_versions_of(&r->bench, who);
    outcome o = {NAN, NAN, NULL, t->who, 0};
    if (o.who == NULL && versions != 0)
        o.who = who[versions - 1];
    const vp_bench *bench = t->against == AGAINST_READ ? vp_limits_of(r) : &r->bench;
    for (size_t i = 0; o.who != NULL && i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, t->kernel) != 0 || strcmp(m->who, o.who) != 0 || !is_about(t, m->data))
            continue;
        double base = t->against == AGAINST_SCALAR
                          ? vp_faster_scalar(r, m->kernel, m->data)
                          : vp_measured_ns(vp_bench_find(bench, "stream_read", "limit", m->data));
        double ratio = base / vp_measured_ns(m);
        if (isnan(ratio))
            continue;
        o.count++;
        o.best = fmax(o.best, ratio);
        if (!(o.worst <= ratio)) {
            o.worst = ratio;
            o.at = m;
        }
    }
    return o;
}

void vp_targets_count(const vp_result *r, size_t *asked, size_t *reached)
{
    *asked = *reached = 0;
    for (size_t t = 0; t < TARGETS; t++) {
        outcome o = judge(&targets[t], r);
        *asked += o.at != NULL;
        *reached += o.worst >= targets[t].asked;
    }
}

static void row_of_target(vp_page *page, const target *t, const outcome *o)
{
    vp_figure asked = t->against == AGAINST_SCALAR ? vp_figure_times(t->asked) : vp_figure_of(t->asked);
    vp_table_row(page);
    vp_table_cell(page, "%s", t->what);
    vp_table_cell(page, "%s%s", asked.text,
                  t->against == AGAINST_SCALAR ? " the faster scalar" : " of the read stream");
    if (o->at == NULL) {
        vp_table_cell(page, "not measured");
        vp_table_cell(page, "-");
        vp_table_cell(page, "-");
        vp_table_cell(page, "-");
        return;
    }
    vp_figure worst = t->against == AGAINST_SCALAR ? vp_figure_times(o->worst) : vp_figure_of(o->worst);
    vp_table_cell(page, "%s", worst.text);
    vp_table_cell(page, "%s", o->worst >= t->asked ? "yes" : "no");
    vp_table_cell(page, "%s", o->who);
    if (o->count > 1)
        vp_table_cell(page, "%s, the worst of %zu; best %s", o->at->data, o->count,
                      vp_figure_of(o->best).text);
    else
        vp_table_cell(page, "%s", o->at->data);
}

void vp_section_targets(vp_page *page, const vp_result *r)
{
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Asked for and reached");
    if (r->bench.json == NULL) {
        vp_page_say(page, VP_IN_BOTH, "Unknown: there is no bench.json.");
        return;
    }
    vp_page_say(page, VP_IN_BOTH,
                "Speed-ups are over %s. A share of the read stream is the time to read the world once, "
                "divided by the time of the build.",
                r->clang.json != NULL ? "the faster of the two compilers' scalar reference"
                                      : "the scalar reference of the one compiler that was measured");
    vp_table_begin(page, VP_IN_BOTH, "targets");
    vp_table_column(page, false, "what");
    vp_table_column(page, false, "asked for");
    vp_table_column(page, true, "reached");
    vp_table_column(page, false, "enough");
    vp_table_column(page, false, "version");
    vp_table_column(page, false, "data set");
    for (size_t t = 0; t < TARGETS; t++) {
        outcome o = judge(&targets[t], r);
        row_of_target(page, &targets[t], &o);
    }
    vp_table_end(page);
    if (r->notes != NULL) {
        vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Notes");
        vp_page_notes(page, r->notes);
    }
}
