/* SPDX-License-Identifier: MIT */
/* The tables of speed: kernels against both baselines, worlds against the memory, peers, threads, and memory
 * used. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report_sections.h"

static const char *name_of_compiler(const vp_bench *bench, const char *otherwise)
{
    const char *name = vp_json_text(bench->json, "context.voxphys_compiler");
    return name != NULL ? name : otherwise;
}

static bool begins_kernel(const vp_bench *bench, size_t i)
{
    return vp_is_kernel(bench->row[i].kernel) &&
           (i == 0 || strcmp(bench->row[i - 1].kernel, bench->row[i].kernel) != 0);
}

static void nothing_known(vp_page *page)
{
    vp_page_say(page, VP_IN_BOTH, "Unknown: there is no bench.json.");
}

/* ---- summary: a line a kernel ---- */

void vp_section_summary(vp_page *page, const vp_result *r)
{
    const char *who[VP_VERSIONS_MOST];
    size_t count = vp_versions_of(&r->bench, who);
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Speed-up of each kernel");
    if (r->bench.json == NULL) {
        nothing_known(page);
        return;
    }
    vp_page_say(page, VP_IN_BOTH,
                "Geometric mean over the data sets, with the least and the greatest. \"scalar\" is the "
                "reference without the compiler's auto-vectoriser, \"scalar-autovec\" the same source with "
                "it, both by %s. Another compiler's may be faster: see the tables of the kernels, and \"over the fastest reference\" above.",
                name_of_compiler(&r->bench, "an unknown compiler"));
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "kernel");
    vp_table_column(page, true, "data sets");
    vp_table_column(page, true, "scalar-autovec over scalar");
    for (size_t v = 0; v < count; v++) {
        vp_table_column(page, true, "%s over scalar", who[v]);
        vp_table_column(page, true, "%s over scalar-autovec", who[v]);
    }
    for (size_t i = 0; i < r->bench.count; i++) {
        const char *kernel = r->bench.row[i].kernel;
        char anchor[64];
        if (!begins_kernel(&r->bench, i))
            continue;
        vp_table_row(page);
        snprintf(anchor, sizeof anchor, "kernel-%.40s", kernel);
        vp_table_cell_link(page, anchor, kernel);
        vp_table_cell(page, "%zu", vp_speed_range(&r->bench, kernel, "scalar", "scalar").count);
        vp_table_cell_range(page, vp_speed_range(&r->bench, kernel, "scalar-autovec", "scalar"));
        for (size_t v = 0; v < count; v++) {
            vp_table_cell_range(page, vp_speed_range(&r->bench, kernel, who[v], "scalar"));
            vp_table_cell_range(page, vp_speed_range(&r->bench, kernel, who[v], "scalar-autovec"));
        }
    }
    vp_table_end(page);
}

/* ---- a table a kernel ---- */

/* "27.1 ± 0.2 (43.2×, 12.1×)" */
static void cell_of_version(vp_page *page, const vp_result *r, const vp_measured *m)
{
    if (m == NULL) {
        vp_table_cell(page, "-");
        return;
    }
    double ns = vp_measured_ns(m);
    double scalar = vp_measured_ns(vp_bench_find(&r->bench, m->kernel, "scalar", m->data));
    double autovec = vp_measured_ns(vp_bench_find(&r->bench, m->kernel, "scalar-autovec", m->data));
    vp_figure time = vp_figure_spread(ns, vp_measured_spread(m)), first = vp_figure_times(scalar / ns);
    vp_figure second = vp_figure_times(autovec / ns);
    vp_figure third = vp_figure_times(vp_faster_scalar(r, m->kernel, m->data) / ns);
    if (r->clang.json != NULL)
        vp_table_cell(page, "%s (%s, %s, %s)", time.text, first.text, second.text, third.text);
    else
        vp_table_cell(page, "%s (%s, %s)", time.text, first.text, second.text);
}

typedef struct column {
    const char *who;
    bool clang, baseline;
} column;

/* The columns of a kernel's table: its baselines, then its versions of one kind. */
static size_t columns_of(const vp_result *r, vp_who kind, const char *kernel, column list[VP_TABLE_COLUMNS])
{
    size_t count = 0;
    static const char *const baselines[] = {"scalar", "scalar-autovec"};
    for (size_t b = 0; b < 2; b++) {
        list[count++] = (column){baselines[b], false, true};
        if (r->clang.json != NULL)
            list[count++] = (column){baselines[b], true, true};
    }
    for (size_t i = 0; i < r->bench.count; i++) {
        const vp_measured *m = &r->bench.row[i];
        bool known = m->kind != kind || strcmp(m->kernel, kernel) != 0;
        for (size_t c = 0; c < count; c++)
            known = known || strcmp(list[c].who, m->who) == 0;
        if (!known && count + 1 < VP_TABLE_COLUMNS)
            list[count++] = (column){m->who, false, false};
    }
    return count;
}

/* Whether a data set has a figure in any column: some are asked only of peers, or of what is told elsewhere. */
static bool is_in_table(const vp_result *r, const char *kernel, const char *data, const column *list, size_t count)
{
    for (size_t c = 0; c < count; c++)
        if (vp_bench_find(list[c].clang ? &r->clang : &r->bench, kernel, list[c].who, data) != NULL)
            return true;
    return false;
}

static void table_of_kernel(vp_page *page, const vp_result *r, vp_who kind, size_t first)
{
    column list[VP_TABLE_COLUMNS];
    const vp_bench *bench = &r->bench;
    const char *kernel = bench->row[first].kernel;
    size_t count = columns_of(r, kind, kernel, list);
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "data set");
    for (size_t c = 0; c < count; c++)
        vp_table_column(page, true, "%s%s%s", list[c].who, list[c].clang ? ", " : "",
                        list[c].clang ? name_of_compiler(&r->clang, "clang") : "");
    for (size_t i = first; i < bench->count && strcmp(bench->row[i].kernel, kernel) == 0; i++) {
        const char *data = bench->row[i].data;
        if ((i != first && strcmp(bench->row[i - 1].data, data) == 0) || !is_in_table(r, kernel, data, list, count))
            continue;
        vp_table_row(page);
        vp_table_cell(page, "%s", data);
        for (size_t c = 0; c < count; c++) {
            const vp_measured *m =
                vp_bench_find(list[c].clang ? &r->clang : bench, kernel, list[c].who, data);
            if (list[c].baseline)
                vp_table_cell_time(page, m);
            else
                cell_of_version(page, r, m);
        }
    }
    vp_table_end(page);
}

static void list_refusals(vp_page *page, const vp_result *r)
{
    for (size_t i = 0; i < r->bench.count; i++) {
        const vp_measured *m = &r->bench.row[i];
        if (vp_is_refusal(m))
            vp_page_say(page, VP_IN_BOTH, "Refused, and without a figure: %s/%s/%s: %s", m->kernel, m->who,
                        m->data, m->error);
    }
}

void vp_section_kernels(vp_page *page, const vp_result *r)
{
    if (r->bench.json == NULL)
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Each kernel on each data set");
    vp_page_say(page, VP_IN_BOTH,
                "Median time of one item in nanoseconds, ± the median distance of the repetitions from it. "
                "In brackets: how many times faster than scalar and than scalar-autovec%s.",
                r->clang.json != NULL
                    ? " by the same compiler, and than the faster of the two compilers' scalar, where both were measured"
                    : "");
    list_refusals(page, r);
    for (size_t i = 0; i < r->bench.count; i++) {
        if (!begins_kernel(&r->bench, i))
            continue;
        char anchor[64];
        snprintf(anchor, sizeof anchor, "kernel-%.40s", r->bench.row[i].kernel);
        vp_page_part(page, NULL, NULL, r->bench.row[i].kernel);
        vp_page_heading(page, VP_IN_BOTH, 4, anchor, "%s, ns per %s", r->bench.row[i].kernel,
                        vp_unit_of(&r->bench.row[i]).text);
        if (vp_words_of(r->bench.row[i].kernel) != NULL)
            vp_page_say(page, VP_IN_BOTH, "%s", vp_words_of(r->bench.row[i].kernel));
        table_of_kernel(page, r, VP_WHO_ISA, i);
        vp_page_part_end(page);
    }
    if (!vp_bench_has(&r->bench, NULL, VP_WHO_SIMDE))
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Through SIMDe");
    vp_page_say(
        page, VP_IN_BOTH,
        "Kernels of another architecture, translated to this machine's instructions so that they can be "
        "checked here. These figures are not the speed of the instruction set that the kernels were written "
        "for.");
    for (size_t i = 0; i < r->bench.count; i++) {
        if (!begins_kernel(&r->bench, i) || !vp_bench_has(&r->bench, r->bench.row[i].kernel, VP_WHO_SIMDE))
            continue;
        vp_page_part(page, NULL, NULL, r->bench.row[i].kernel);
        vp_page_heading(page, VP_IN_BOTH, 4, NULL, "%s through SIMDe, ns per %s", r->bench.row[i].kernel,
                        vp_unit_of(&r->bench.row[i]).text);
        table_of_kernel(page, r, VP_WHO_SIMDE, i);
        vp_page_part_end(page);
    }
}

/* ---- everything ---- */

static void rows_of_bench(vp_page *page, const vp_result *r, const vp_bench *bench)
{
    const char *compiler = name_of_compiler(bench, "unknown");
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        double ns = vp_measured_ns(m);
        double scalar = vp_measured_ns(vp_bench_find(bench, m->kernel, "scalar", m->data));
        double autovec = vp_measured_ns(vp_bench_find(bench, m->kernel, "scalar-autovec", m->data));
        double faster = vp_faster_scalar(r, m->kernel, m->data);
        vp_table_row(page);
        vp_table_cell(page, "%s", r->name);
        vp_table_cell(page, "%s", m->kernel);
        vp_table_cell(page, "%s", m->who);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell(page, "%s", compiler);
        vp_table_cell(page, "%s", vp_is_refusal(m) ? "refused" : m->error != NULL ? "no answer" : vp_figure_of(ns).text);
        vp_table_cell(page, "%s", m->count == 0 ? "-" : vp_figure_of(vp_measured_spread(m)).text);
        vp_table_cell(page, "%s", m->count == 0 ? "-" : vp_figure_of(m->ns[0]).text);
        vp_table_cell(page, "%s", m->count == 0 ? "-" : vp_figure_of(m->ns[m->count - 1]).text);
        vp_table_cell(page, "%zu", m->count);
        vp_table_cell(page, "%s", isnan(scalar / ns) ? "-" : vp_figure_times(scalar / ns).text);
        vp_table_cell(page, "%s", isnan(autovec / ns) ? "-" : vp_figure_times(autovec / ns).text);
        vp_table_cell(page, "%s", isnan(faster / ns) ? "-" : vp_figure_times(faster / ns).text);
        vp_table_cell(page, "%s", vp_unit_of(m).text);
    }
}

/* From which files a machine's rows are. */
static void put_files_of_rows(vp_page *page, const vp_result *r)
{
    const char *const files[] = {r->bench.json != NULL ? "bench.json" : NULL, r->clang.json != NULL ? "bench-clang.json" : NULL};
    vp_page_part(page, NULL, r->name, NULL);
    vp_writing_put(&page->html, "<p>");
    vp_writing_html(&page->html, r->name);
    vp_writing_put(&page->html, files[0] == NULL ? ": nothing was measured." : ": figures from ");
    for (size_t i = 0; i < 2; i++)
        if (files[i] != NULL) {
            vp_writing_put(&page->html, i != 0 ? ", of the second compiler from " : "");
            vp_page_put_link(&page->html, r->link, files[i]);
        }
    vp_writing_put(&page->html, "</p>\n");
    vp_page_part_end(page);
}

void vp_section_everything(vp_page *page, const vp_results *results)
{
    static const char *const texts[] = {"machine", "kernel", "version", "data set", "compiler"};
    static const char *const figures[] = {
        "median, ns",  "± ns",        "least, ns",           "greatest, ns",
        "repetitions", "over scalar", "over scalar-autovec", "over the faster scalar"};
    vp_page_heading(page, VP_IN_HTML, 2, "everything", "Every measurement");
    vp_page_say(page, VP_IN_HTML,
                "All benchmarks of all machines. Times of two machines say as much about the machines as "
                "about the code: only ratios within one machine's run compare versions. Baselines are the "
                "row's own compiler's, except in the last ratio, which is told against the faster of both "
                "compilers' scalar.");
    for (size_t i = 0; i < results->count; i++)
        put_files_of_rows(page, &results->result[i]);
    vp_writing_put(&page->html, "<p class=\"on-paper\">The table is printed when something is chosen in the bar above; all rows would be a book.</p>\n");
    vp_table_begin(page, VP_IN_HTML, "sortable lean measurements");
    for (size_t c = 0; c < sizeof texts / sizeof texts[0]; c++)
        vp_table_column(page, false, "%s", texts[c]);
    for (size_t c = 0; c < sizeof figures / sizeof figures[0]; c++)
        vp_table_column(page, true, "%s", figures[c]);
    vp_table_column(page, false, "unit");
    for (size_t i = 0; i < results->count; i++) {
        rows_of_bench(page, &results->result[i], &results->result[i].bench);
        rows_of_bench(page, &results->result[i], &results->result[i].clang);
    }
    vp_table_end(page);
}
