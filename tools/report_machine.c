/* SPDX-License-Identifier: MIT */
/* What was measured on, whether the answers were right, and how long whole commands take. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

/* ---- the machine ---- */

static void row_text(vp_page *page, const char *what, const char *value)
{
    vp_table_row(page);
    vp_table_cell(page, "%s", what);
    vp_table_cell(page, "%s", value != NULL && value[0] != '\0' ? value : "unknown");
}

/* "2.10 GHz"-like values: a whole number and its unit. */
static void row_number(vp_page *page, const char *what, double value, const char *unit)
{
    vp_table_row(page);
    vp_table_cell(page, "%s", what);
    if (isfinite(value))
        vp_table_cell(page, "%.0f%s", value, unit);
    else
        vp_table_cell(page, "unknown");
}

static void show_cache(vp_writing *text, const json_t *cache)
{
    const char *name = vp_json_text(cache, "name");
    double bytes = vp_json_figure(cache, "bytes");
    vp_writing_add(text, "%s ", name != NULL ? name : "unknown");
    if (bytes >= 1 << 20)
        vp_writing_add(text, "%s MiB", vp_figure_of(bytes / (1 << 20)).text);
    else
        vp_writing_add(text, isfinite(bytes) ? "%.0f KiB" : "unknown", bytes / 1024);
}

static void show_text(vp_writing *text, const json_t *member)
{
    vp_writing_put(text, json_is_string(member) ? json_string_value(member) : "unknown");
}

static void show_number(vp_writing *text, const json_t *member)
{
    vp_writing_put(text, vp_figure_of(json_is_number(member) ? json_number_value(member) : NAN).text);
}

/* The members of a list with `between` between them; each is shown by `show`. */
static void row_list(vp_page *page, const char *what, const json_t *list, const char *between,
                     void (*show)(vp_writing *text, const json_t *member))
{
    vp_writing text = {0};
    size_t i;
    const json_t *member;
    json_array_foreach (list, i, member) {
        if (i != 0)
            vp_writing_put(&text, between);
        show(&text, member);
    }
    page->html.failed = page->html.failed || text.failed;
    row_text(page, what, text.bytes);
    vp_writing_destroy(&text);
}

/* "performance: CPUs 0-3" */
static void show_core_type(vp_writing *text, const json_t *type)
{
    const char *name = vp_json_text(type, "name"), *cpus = vp_json_text(type, "cpus");
    vp_writing_add(text, "%s: CPUs %s", name != NULL ? name : "unknown", cpus != NULL ? cpus : "unknown");
}

/* How floating-point numbers are rounded, as the library found it. */
static void row_of_float_mode(vp_page *page, const json_t *mode)
{
    static const struct {
        const char *member, *yes, *no;
    } of[] = {{"nearest", "rounds to nearest", "does not round to nearest"},
              {"flushes_results", "denormal results become 0", "denormal results are kept"},
              {"flushes_operands", "denormal operands count as 0", "denormal operands are kept"}};
    vp_writing text = {0};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        const json_t *value = json_object_get(mode, of[i].member);
        if (json_is_boolean(value))
            vp_writing_add(&text, "%s%s", text.length != 0 ? ", " : "", json_is_true(value) ? of[i].yes : of[i].no);
    }
    page->html.failed = page->html.failed || text.failed;
    row_text(page, "floating-point numbers", text.bytes);
    vp_writing_destroy(&text);
}

static void row_switch(vp_page *page, const char *what, const json_t *value)
{
    row_text(page, what, json_is_boolean(value) ? (json_is_true(value) ? "on" : "off") : NULL);
}

static void rows_of_software(vp_page *page, const vp_result *r)
{
    const json_t *m = r->machine;
    char text[256];
    const char *commit = vp_json_text(m, "voxphys.commit"), *version = vp_json_text(m, "voxphys.version");
    const json_t *dirty = vp_json_at(m, "voxphys.dirty");
    snprintf(text, sizeof text, "%.30s, commit %.60s%s", version != NULL ? version : "unknown version",
             commit != NULL ? commit : "unknown",
             json_is_true(dirty)    ? ", with changes that are in no commit"
             : json_is_false(dirty) ? ", unchanged"
                                    : "");
    row_text(page, "voxphys", text);
    row_text(page, "compiler", vp_json_text(r->bench.json, "context.voxphys_compiler"));
    row_text(page, "flags of the scalar reference", vp_json_text(m, "compile_flags.scalar"));
    row_text(page, "compiler of the second scalar baseline",
             r->clang.json != NULL ? vp_json_text(r->clang.json, "context.voxphys_compiler")
                                   : "not measured");
    row_text(page, "system", vp_json_text(m, "system.name"));
    row_text(page, "kernel", vp_json_text(m, "system.kernel"));
    row_text(page, "C library", vp_json_text(m, "system.libc"));
}

vp_writing vp_official_of(const vp_result *r)
{
    vp_writing text = {0};
    const json_t *official = json_object_get(r->results, "official"), *reasons = json_object_get(r->results, "unofficial_because"), *reason;
    size_t i;
    if (!json_is_boolean(official)) {
        vp_writing_put(&text, r->results == NULL ? "unknown: there is no results.json" : "unknown");
        return text;
    }
    vp_writing_put(&text, json_is_true(official) ? "yes" : "no");
    if (!json_is_true(official))
        json_array_foreach (reasons, i, reason)
            vp_writing_add(&text, "%s%s", i == 0 ? ": " : "; ", json_is_string(reason) ? json_string_value(reason) : "unknown");
    return text;
}

void vp_section_machine(vp_page *page, const vp_result *r)
{
    const json_t *m = r->machine;
    const char *hypervisor = vp_json_text(m, "cpu.hypervisor");
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "The machine");
    if (m == NULL) {
        vp_page_say(page, VP_IN_BOTH, "Unknown: there is no machine.json.");
        return;
    }
    vp_table_begin(page, VP_IN_BOTH, "facts");
    vp_table_column(page, false, "what");
    vp_table_column(page, false, "value");
    row_text(page, "processor", vp_json_text(m, "cpu.model"));
    row_text(page, "architecture", vp_json_text(m, "cpu.architecture"));
    row_number(page, "CPUs seen by the system", vp_json_figure(m, "cpu.cpus"), "");
    row_list(page, "kinds of cores", vp_json_at(m, "cpu.core_types"), "; ", show_core_type);
    row_text(page, "CPUs that it may run on", vp_json_text(m, "cpu.cpus_allowed"));
    row_list(page, "caches, each", vp_json_at(m, "cpu.caches"), ", ", show_cache);
    row_list(page, "instruction sets that matter here", vp_json_at(m, "cpu.flags"), " ", show_text);
    row_text(page, "virtual machine",
             hypervisor != NULL                              ? hypervisor
             : json_is_null(vp_json_at(m, "cpu.hypervisor")) ? "none told"
                                                             : NULL);
    row_number(page, "clock before", vp_json_figure(m, "cpu.clock_mhz_before"), " MHz");
    row_number(page, "clock when described", vp_json_figure(m, "cpu.clock_mhz_now"), " MHz");
    row_text(page, "governor", vp_json_text(m, "cpu.governor"));
    row_switch(page, "boost", vp_json_at(m, "cpu.boost"));
    row_number(page, "memory", vp_json_figure(m, "memory.total_bytes") / (1 << 20), " MiB");
    row_text(page, "transparent huge pages", vp_json_text(m, "memory.transparent_huge_pages"));
    row_of_float_mode(page, vp_json_at(m, "float_mode"));
    rows_of_software(page, r);
    row_text(page, "measured", vp_json_text(m, "date"));
    row_list(page, "load before (1, 5, 15 minutes)", vp_json_at(m, "load.before"), ", ", show_number);
    row_list(page, "load after", vp_json_at(m, "load.after"), ", ", show_number);
    const json_t *warnings = json_object_get(r->results, "warnings");
    if (json_is_array(warnings) && json_array_size(warnings) == 0)
        row_text(page, "warnings", "none");
    else
        row_list(page, "warnings", warnings, "; ", show_text);
    vp_table_end(page);
}

/* ---- verification ---- */

/* What was found of one version over all kernels and data sets. */
typedef struct tally {
    const char *isa, *via, *reason; /* reason: NULL if it was run */
    double checks, answers, disagreements;
} tally;

enum { MOST_TALLIES = 24 };

static bool same_text(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return strcmp(a, b) == 0;
}

static tally *tally_of(tally list[MOST_TALLIES], size_t *count, const json_t *entry, const char *reason)
{
    const char *isa = vp_json_text(entry, "isa"), *via = vp_json_text(entry, "via");
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i].isa, isa) == 0 && same_text(list[i].via, via) && same_text(list[i].reason, reason))
            return &list[i];
    if (*count == MOST_TALLIES)
        return NULL;
    list[*count] = (tally){.isa = isa, .via = via, .reason = reason};
    return &list[(*count)++];
}

static void count_not_run(tally list[MOST_TALLIES], size_t *count, const json_t *not_run)
{
    size_t i;
    const json_t *entry;
    json_array_foreach (not_run, i, entry) {
        const char *reason = vp_json_text(entry, "reason");
        tally *t = tally_of(list, count, entry, reason != NULL ? reason : "no reason told");
        if (t != NULL)
            t->checks++; /* here: kernels */
    }
}

static void row_of_tally(vp_page *page, const tally *t)
{
    vp_table_row(page);
    vp_table_cell(page, "%s%s", t->isa,
                  t->via == NULL || strcmp(t->via, "native") == 0 ? "" : " through SIMDe");
    if (t->reason != NULL) {
        vp_table_cell(page, "not run");
        vp_table_cell(page, "-");
        vp_table_cell(page, "-");
        vp_table_cell(page, "%.0f kernel%s: %s", t->checks, t->checks > 1 ? "s" : "", t->reason);
        return;
    }
    vp_table_cell(page, "%.0f", t->checks);
    vp_table_cell(page, "%.0f", t->answers);
    vp_table_cell(page, "%.0f", t->disagreements);
    vp_table_cell(page, "%s", strcmp(t->isa, "scalar") == 0 ? "the reference, run twice" : "");
}

void vp_section_verify(vp_page *page, const vp_result *r)
{
    tally list[MOST_TALLIES];
    size_t count = 0, i;
    const json_t *checks = json_object_get(r->verify, "checks"), *entry;
    double answers = 0;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Verification");
    if (r->verify == NULL) {
        vp_page_say(page, VP_IN_BOTH, "Unknown: there is no verify.json.");
        return;
    }
    json_array_foreach (checks, i, entry) {
        tally *t = tally_of(list, &count, entry, NULL);
        answers += vp_json_figure(entry, "cases");
        if (t == NULL)
            continue;
        t->checks++;
        t->answers += vp_json_figure(entry, "cases");
        t->disagreements += vp_json_figure(entry, "mismatches") > 0;
    }
    vp_page_say(page, VP_IN_BOTH,
                "%zu checks, %.0f answers compared bit for bit with the scalar reference's, %.0f checks "
                "with disagreements. A check is one version of one kernel on one data set.",
                json_array_size(checks), answers, vp_disagreements(r));
    count_not_run(list, &count, json_object_get(r->verify, "not_run"));
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "version");
    vp_table_column(page, true, "checks");
    vp_table_column(page, true, "answers");
    vp_table_column(page, true, "checks that disagree");
    vp_table_column(page, false, "remark");
    for (size_t t = 0; t < count; t++)
        row_of_tally(page, &list[t]);
    vp_table_end(page);
}

/* ---- whole commands ---- */

static double pipeline_baseline(const json_t *results, const char *command)
{
    const char *want = strstr(command, "single queries") != NULL ? "scalar, single queries" : "scalar";
    size_t i;
    const json_t *entry;
    if (strstr(command, "no queries") != NULL)
        return NAN; /* another job than the baseline's */
    json_array_foreach (results, i, entry)
        if (strcmp(vp_json_text(entry, "command"), want) == 0)
            return vp_json_figure(entry, "median");
    return NAN;
}

void vp_section_pipeline(vp_page *page, const vp_result *r)
{
    const json_t *results = json_object_get(r->pipeline, "results"), *entry;
    const char *what = vp_json_text(r->pipeline, "pipeline");
    size_t i;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Whole commands");
    if (r->pipeline == NULL) {
        vp_page_say(page, VP_IN_BOTH, "Unknown: there is no pipeline.json.");
        return;
    }
    vp_page_say(page, VP_IN_BOTH,
                "Timed by hyperfine from start to exit, reading the files included: %s. Speed-ups are over "
                "the scalar kernels in the same command.",
                what != NULL ? what : "unknown command");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "kernels");
    vp_table_column(page, true, "median, ms");
    vp_table_column(page, true, "least, ms");
    vp_table_column(page, true, "greatest, ms");
    vp_table_column(page, true, "runs");
    vp_table_column(page, true, "over scalar");
    json_array_foreach (results, i, entry) {
        const char *command = vp_json_text(entry, "command");
        double median = vp_json_figure(entry, "median"), baseline = pipeline_baseline(results, command);
        const json_t *times = json_object_get(entry, "times");
        vp_table_row(page);
        vp_table_cell(page, "%s", command);
        vp_table_cell(page, "%s", vp_figure_of(median * 1e3).text);
        vp_table_cell(page, "%s", vp_figure_of(vp_json_figure(entry, "min") * 1e3).text);
        vp_table_cell(page, "%s", vp_figure_of(vp_json_figure(entry, "max") * 1e3).text);
        if (json_is_array(times))
            vp_table_cell(page, "%zu", json_array_size(times));
        else
            vp_table_cell(page, "unknown");
        vp_table_cell(page, "%s", isnan(baseline) ? "-" : vp_figure_times(baseline / median).text);
    }
    vp_table_end(page);
}
