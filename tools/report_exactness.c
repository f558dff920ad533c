/* SPDX-License-Identifier: MIT */
/* The price of exactness: what the same bits everywhere cost, beside variants of the same source that do not give them; and what those
 * pay for it who are not exact, other libraries among them, in answers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report_sections.h"

enum { MOST_PEERS = 32 };

/* ---- multiplications and additions that are fused ---- */

/* A variant's row, "avx2-fma", and the exact one beside it, "avx2"; NULL if it is none. */
static const vp_measured *exact_of(const vp_bench *bench, const vp_measured *m)
{
    static const char ending[] = "-fma";
    const size_t length = strlen(m->who), end = sizeof ending - 1;
    char who[64];
    if (m->count == 0 || m->kind == VP_WHO_PEER || length <= end || length >= sizeof who || strcmp(m->who + length - end, ending) != 0)
        return NULL;
    memcpy(who, m->who, length - end);
    who[length - end] = '\0';
    return vp_bench_find(bench, m->kernel, who, m->data);
}

/* In words, over all data sets: how much time fusing saves, and what becomes of the answers. */
static void tell_fused(vp_page *page, const vp_bench *bench)
{
    double sum = 0, low = NAN, high = NAN, differ = 0, lost = 0, hits = 0;
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i], *exact = exact_of(bench, m);
        if (exact == NULL)
            continue;
        const double ratio = vp_measured_ns(exact) / vp_measured_ns(m);
        sum += log(ratio);
        low = fmin(low, ratio);
        high = fmax(high, ratio);
        count++;
        differ += m->counter[VP_DIFFER];
        lost += m->counter[VP_LOST];
        for (size_t k = 0; k < bench->count; k++) /* a library's row tells how many rays hit anything */
            if (bench->row[k].kind == VP_WHO_PEER && strcmp(bench->row[k].kernel, m->kernel) == 0 && strcmp(bench->row[k].data, m->data) == 0 &&
                !isnan(bench->row[k].counter[VP_HITS])) {
                hits += bench->row[k].counter[VP_HITS];
                break;
            }
    }
    if (count == 0)
        return;
    vp_writing text = {0};
    vp_writing_add(&text, "Rounding twice, so that every instruction set gives the same bits, makes rays take %s times as long as fusing (%s to %s on %zu data sets).",
                   vp_figure_of(exp(sum / (double)count)).text, vp_figure_of(low).text, vp_figure_of(high).text, count);
    if (!isnan(differ) && !isnan(lost)) {
        vp_writing_add(&text, " Fused, %.0f answers", differ);
        if (hits > 0)
            vp_writing_add(&text, " of %.0f hits", hits);
        vp_writing_add(&text, " have other bits, and %.0f hits are lost or made up.", lost);
    }
    page->html.failed = page->html.failed || text.failed;
    if (!text.failed)
        vp_page_say(page, VP_IN_BOTH, "%s", text.bytes);
    vp_writing_destroy(&text);
}

static void fused(vp_page *page, const vp_bench *bench)
{
    bool begun = false;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i], *exact = exact_of(bench, m);
        if (exact == NULL)
            continue;
        if (!begun) {
            vp_page_heading(page, VP_IN_BOTH, 4, NULL, "What rounding twice costs");
            vp_page_say(page, VP_IN_BOTH,
                        "Rays by a kernel beside the same source with multiplications and additions fused, whose bits no "
                        "other instruction set gives. All else that exactness takes, the second test in doubles and the "
                        "room that boxes are given, it does too.");
            tell_fused(page, bench);
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "rays");
            vp_table_column(page, false, "kernel");
            vp_table_column(page, false, "version");
            vp_table_column(page, true, "exact, ns");
            vp_table_column(page, true, "fused, ns");
            vp_table_column(page, true, "fused is faster by");
            vp_table_column(page, true, "answers of other bits");
            vp_table_column(page, true, "hits lost or made up");
            begun = true;
        }
        vp_table_row(page);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell(page, "%s", m->kernel);
        vp_table_cell(page, "%s", exact->who);
        vp_table_cell_time(page, exact);
        vp_table_cell_time(page, m);
        vp_table_cell(page, "%s", vp_figure_times(vp_measured_ns(exact) / vp_measured_ns(m)).text);
        vp_table_cell(page, isnan(m->counter[VP_DIFFER]) ? "unknown" : "%.0f", m->counter[VP_DIFFER]);
        vp_table_cell(page, isnan(m->counter[VP_LOST]) ? "unknown" : "%.0f", m->counter[VP_LOST]);
    }
    if (begun)
        vp_table_end(page);
}

/* ---- libraries' rays ---- */

typedef struct answers {
    const char *who;
    double hits, other[5]; /* lost, gained, elsewhere, a neighbour's, at the origin; NaN: not told */
    vp_range ours;         /* our best version over it, on the sets where its answers were compared */
    double sum;
} answers;

static const vp_counter others[5] = {VP_HITS_LOST, VP_HITS_GAINED, VP_HITS_MOVED, VP_HITS_NEIGHBOUR, VP_HITS_AT_ORIGIN};

/* A library's rows of rays tell how its answers differ from the reference's. */
static bool tells_hits(const vp_measured *m)
{
    return m->kind == VP_WHO_PEER && !isnan(m->counter[VP_HITS]) && strncmp(m->kernel, "kd_ray", 6) == 0;
}

static void add_answers(answers *a, const vp_bench *bench, const vp_measured *m, const char *best)
{
    const double ratio = best == NULL ? NAN : vp_measured_ns(m) / vp_measured_ns(vp_bench_find(bench, m->kernel, best, m->data));
    a->hits += m->counter[VP_HITS];
    for (size_t i = 0; i < 5; i++)
        if (!isnan(m->counter[others[i]])) /* not every question can tell */
            a->other[i] = m->counter[others[i]] + (isnan(a->other[i]) ? 0 : a->other[i]);
    if (isnan(ratio))
        return;
    a->sum += log(ratio);
    a->ours.count++;
    a->ours.low = fmin(a->ours.low, ratio);
    a->ours.high = fmax(a->ours.high, ratio);
    a->ours.mean = exp(a->sum / (double)a->ours.count);
}

/* Each library over all sets of rays, beside its speed. */
static void libraries(vp_page *page, const vp_bench *bench)
{
    answers list[MOST_PEERS];
    const char *versions[VP_VERSIONS_MOST];
    const size_t known = vp_versions_of(bench, versions);
    const char *best = known != 0 ? versions[known - 1] : NULL;
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        size_t at = 0;
        if (!tells_hits(m))
            continue;
        while (at < count && strcmp(list[at].who, m->who) != 0)
            at++;
        if (at == MOST_PEERS)
            continue;
        if (at == count)
            list[count++] = (answers){.who = m->who, .other = {NAN, NAN, NAN, NAN, NAN}, .ours = {NAN, NAN, NAN, 0}};
        add_answers(&list[at], bench, m, best);
    }
    if (count == 0)
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Libraries that are not exact");
    vp_page_say(page, VP_IN_BOTH,
                "Their kernels need not give the bits of any other, and are free to round. Over all sets of rays that were timed: how many hits, and how many "
                "of them are answered otherwise than by the reference; and how many times as fast our best version is, the geometric mean, where below 1 the "
                "library is faster. Set by set it is told further below.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "library");
    vp_table_column(page, true, "hits");
    vp_table_column(page, true, "lost");
    vp_table_column(page, true, "gained");
    vp_table_column(page, true, "elsewhere");
    vp_table_column(page, true, "a neighbour's");
    vp_table_column(page, true, "at the origin");
    vp_table_column(page, true, "%s over it", best != NULL ? best : "ours");
    for (size_t k = 0; k < count; k++) {
        vp_table_row(page);
        vp_table_cell(page, "%s", list[k].who);
        vp_table_cell(page, "%.0f", list[k].hits);
        for (size_t o = 0; o < 5; o++)
            vp_table_cell(page, isnan(list[k].other[o]) ? "-" : "%.0f", list[k].other[o]);
        vp_table_cell_range(page, list[k].ours);
    }
    vp_table_end(page);
}

/* ---- modes that are robust ---- */

/* How many questions of the conformance corpus a program answers wrong, or not at all without having said so. */
static double wrong_answers(const json_t *adapter)
{
    static const char *const bad[] = {"fail", "differs", "hang", "crash"};
    double sum = 0;
    const char *family;
    json_t *counts;
    json_object_foreach (json_object_get(adapter, "families"), family, counts)
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
            if (json_is_integer(json_object_get(counts, bad[i])))
                sum += json_number_value(json_object_get(counts, bad[i]));
    return sum;
}

/* What a library's robust mode buys, where both modes were asked: "embree" and "embree-robust". */
static void robust(vp_page *page, const vp_result *r)
{
    const json_t *adapters = json_object_get(r->conformance, "adapters"), *plain, *other;
    size_t i, k;
    bool timed = false;
    for (size_t row = 0; row < r->bench.count; row++)
        timed = timed || strstr(r->bench.row[row].who, "-robust") != NULL;
    json_array_foreach (adapters, i, plain)
        json_array_foreach (adapters, k, other) {
            const char *name = vp_json_text(plain, "name"), *longer = vp_json_text(other, "name");
            if (strncmp(longer, name, strlen(name)) != 0 || strcmp(longer + strlen(name), "-robust") != 0)
                continue;
            vp_page_say(page, VP_IN_BOTH, "Of the questions of the conformance corpus %s answers %.0f wrong, and %.0f in its robust mode.%s", name,
                        wrong_answers(plain), wrong_answers(other), timed ? "" : " The times are of the mode that is not robust; what the other takes was not measured.");
        }
}

/* ---- libraries' hulls ---- */

/* How many of a library's sets with a volume are not right; NaN if nobody has looked. */
static double wrong_hulls(const json_t *hulls, const char *who, double *sets)
{
    double wrong = 0;
    size_t i;
    const json_t *trial;
    *sets = 0;
    json_array_foreach (json_object_get(hulls, "trials"), i, trial) {
        if (strcmp(vp_json_text(trial, "who"), who) != 0 || vp_json_figure(trial, "dimension") < 3)
            continue;
        *sets += 1;
        wrong += strcmp(vp_json_text(trial, "outcome"), "valid") != 0;
    }
    return *sets > 0 ? wrong : NAN;
}

static void hulls(vp_page *page, const vp_result *r)
{
    static const struct {
        const char *who, *how;
    } makers[] = {{"peer-qhull", "doubles, and faces merged where they are nearly flat"},
                  {"peer-bullet", "whole numbers, on points rounded to a grid"},
                  {"peer-cgal", "exact"}};
    const vp_bench *bench = &r->bench;
    const char *versions[VP_VERSIONS_MOST];
    const size_t known = vp_versions_of(bench, versions);
    double sets;
    bool begun = false;
    for (size_t k = 0; known != 0 && k < sizeof makers / sizeof makers[0]; k++) {
        const char *best = versions[known - 1];
        double wrong = wrong_hulls(r->hulls, makers[k].who, &sets);
        const vp_range ours = vp_speed_range(bench, "hull3", best, makers[k].who);
        if (ours.count == 0)
            continue;
        if (!begun) {
            const double mine = wrong_hulls(r->hulls, "voxphys", &sets);
            vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Hulls that are exact and hulls that are not");
            if (isnan(mine))
                vp_page_say(page, VP_IN_BOTH, "Ours decide every side exactly. How often that makes them right is unknown: there is no hulls.json.");
            else
                vp_page_say(page, VP_IN_BOTH, "Ours decide every side exactly, and of %.0f sets with a volume %.0f are not right. What others decide with, how often they "
                                              "are not right, and how many times as fast ours are, the geometric mean over the sets that both made:",
                            sets, mine);
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "hulls by");
            vp_table_column(page, false, "decides by");
            vp_table_column(page, true, "sets with a volume");
            vp_table_column(page, true, "not right");
            vp_table_column(page, true, "%s over it", best);
            begun = true;
            wrong = wrong_hulls(r->hulls, makers[k].who, &sets);
        }
        vp_table_row(page);
        vp_table_cell(page, "%s", makers[k].who);
        vp_table_cell(page, "%s", makers[k].how);
        vp_table_cell(page, isnan(wrong) ? "unknown" : "%.0f", sets);
        vp_table_cell(page, isnan(wrong) ? "unknown" : "%.0f", wrong);
        vp_table_cell_range(page, ours);
    }
    if (begun)
        vp_table_end(page);
}

/* ---- answers, set by set ---- */

static vp_figure count_of(double value)
{
    vp_figure f;
    snprintf(f.text, sizeof f.text, "%.0f", value);
    return f;
}

static void differences(vp_page *page, const vp_bench *bench)
{
    bool begun = false;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (!tells_hits(m))
            continue;
        if (!begun) {
            vp_page_heading(page, VP_IN_BOTH, 4, NULL, "What other libraries answer otherwise");
            vp_page_say(page, VP_IN_BOTH,
                        "Of the rays that were timed: hits that a library loses, hits that it has where there are none, "
                        "hits elsewhere on the ray, hits of another triangle at the same place, and rays that begin on a "
                        "triangle, which these libraries do not look at: all against the reference.");
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "kernel");
            vp_table_column(page, false, "peer");
            vp_table_column(page, false, "rays");
            vp_table_column(page, true, "hits");
            vp_table_column(page, true, "lost");
            vp_table_column(page, true, "gained");
            vp_table_column(page, true, "elsewhere");
            vp_table_column(page, true, "a neighbour's");
            vp_table_column(page, true, "at the origin");
            begun = true;
        }
        vp_table_row(page);
        vp_table_cell(page, "%s", m->kernel);
        vp_table_cell(page, "%s", m->who);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell(page, "%.0f", m->counter[VP_HITS]);
        for (size_t o = 0; o < 5; o++)
            vp_table_cell(page, "%s", isnan(m->counter[others[o]]) ? "-" : count_of(m->counter[others[o]]).text);
    }
    if (begun)
        vp_table_end(page);
}

void vp_section_exactness(vp_page *page, const vp_result *r)
{
    if (r->bench.json == NULL)
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "The price of exactness");
    vp_page_say(page, VP_IN_BOTH,
                "All of ours give the scalar reference's bits, on every instruction set, compiler and processor. What that costs, and what is answered by "
                "those who do not pay for it; where not being exact is faster, it is told.");
    vp_page_from(page, r->link, "bench.json", NULL, NULL);
    fused(page, &r->bench);
    libraries(page, &r->bench);
    robust(page, r);
    vp_page_from(page, r->link, "bench.json", r->hulls != NULL ? "hulls.json" : NULL, NULL);
    hulls(page, r);
    vp_page_from(page, r->link, "bench.json", NULL, NULL);
    differences(page, &r->bench);
}
