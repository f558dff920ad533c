/* SPDX-License-Identifier: MIT */
/* The tables of triangle trees: rays and boxes by everybody who answers them, what each form of the tree costs and looks
 * at, from which size on a tree pays, and what exactness costs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

/* ---- rays and boxes a second ---- */

enum { MOST_COLUMNS = VP_TABLE_COLUMNS - 1 };

/* Everybody who was measured on a kernel natively: the baselines, instruction sets, forms, peers. */
static size_t everybody(const vp_bench *bench, const char *kernel, const char *who[MOST_COLUMNS])
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        bool known = strcmp(m->kernel, kernel) != 0 || m->kind == VP_WHO_SIMDE || m->count == 0;
        for (size_t k = 0; k < count; k++)
            known = known || strcmp(who[k], m->who) == 0;
        if (!known && count < MOST_COLUMNS)
            who[count++] = m->who;
    }
    return count;
}

/* A line a contender, a column a data set: there are more of the first. */
static void table_of_rates(vp_page *page, const vp_bench *bench, const char *kernel)
{
    const char *who[MOST_COLUMNS], *data[MOST_COLUMNS];
    size_t contenders = everybody(bench, kernel, who), sets = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        bool known = strcmp(m->kernel, kernel) != 0 || strstr(m->data, "-of-") != NULL;
        for (size_t k = 0; k < sets; k++)
            known = known || strcmp(data[k], m->data) == 0;
        if (!known && sets < MOST_COLUMNS)
            data[sets++] = m->data;
    }
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "%s", kernel);
    for (size_t d = 0; d < sets; d++)
        vp_table_column(page, true, "%s", data[d]);
    for (size_t w = 0; w < contenders; w++) {
        vp_table_row(page);
        vp_table_cell(page, "%s", who[w]);
        for (size_t d = 0; d < sets; d++) {
            const vp_measured *m = vp_bench_find(bench, kernel, who[w], data[d]);
            vp_table_cell(page, "%s", m == NULL ? "-" : vp_figure_of(1e3 / vp_measured_ns(m)).text);
        }
    }
    vp_table_end(page);
}

static bool has_kernel(const vp_bench *bench, const char *kernel)
{
    for (size_t i = 0; i < bench->count; i++)
        if (strcmp(bench->row[i].kernel, kernel) == 0 && bench->row[i].count != 0)
            return true;
    return false;
}

static void rates(vp_page *page, const vp_bench *bench)
{
    static const char *const kernels[] = {"kd_ray", "kd_ray8", "kd_ray16", "kd_ray_any", "brute_ray", "kd_box"};
    vp_page_say(page, VP_IN_BOTH,
                "Millions of rays and of boxes a second, by one thread. Data sets are named MESHES/RAYS: chunks are trees "
                "of one chunk each, worlds are one mesh. Ours all give the same bits; peers are compared before they "
                "are timed, and what differs is told below. kd_box: exactly the triangles whose own boxes overlap.");
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        if (has_kernel(bench, kernels[k]))
            table_of_rates(page, bench, kernels[k]);
}

/* ---- builds ---- */

static void builds(vp_page *page, const vp_bench *bench)
{
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Making trees");
    vp_page_say(page, VP_IN_BOTH,
                "Nanoseconds and bytes a triangle. Bytes are the tree's, without the arrays of vertices and indices that it "
                "is made over; the leaves of Embree have copies of vertices, but for those named compact. Kernels write to "
                "memory that is there; -create and all peers make whole trees, and ask for memory.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "meshes");
    vp_table_column(page, false, "tree");
    vp_table_column(page, true, "ns");
    vp_table_column(page, true, "bytes");
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, "kd_build") != 0 || m->kind == VP_WHO_SIMDE || m->count == 0)
            continue;
        vp_table_row(page);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell(page, "%s", m->who);
        vp_table_cell_time(page, m);
        vp_table_cell(page, "%s", vp_figure_of(m->counter[VP_BYTES_PER_TRIANGLE]).text);
    }
    vp_table_end(page);
}

/* ---- what a ray looks at ---- */

static void visits(vp_page *page, const vp_bench *bench)
{
    static const char *const forms[] = {"scalar-published", "scalar-slab", "scalar", "scalar-packed", "scalar-implied"};
    static const char *const names[] = {"published", "slab", "wide", "packed", "implied"};
    size_t count = 3;
    for (size_t i = 0; i < bench->count; i++)
        if (strcmp(bench->row[i].kernel, "kd_ray") == 0 && strcmp(bench->row[i].who, forms[4]) == 0)
            count = 5;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "What a ray looks at");
    vp_page_say(page, VP_IN_BOTH,
                "Nodes, leaves among them, and triangles, for a ray on average, counted in the reference. The wide form's "
                "nodes %s of eight boxes.",
                count == 5 ? "and those of the packed and the implied form are" : "are");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "rays");
    for (size_t f = 0; f < count; f++) {
        vp_table_column(page, true, "%s: nodes", names[f]);
        vp_table_column(page, true, "triangles");
        vp_table_column(page, true, "ns, scalar");
    }
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *first = &bench->row[i];
        if (strcmp(first->kernel, "kd_ray") != 0 || strcmp(first->who, "scalar") != 0 ||
            vp_bench_find(bench, "kd_ray", "scalar-slab", first->data) == NULL)
            continue;
        vp_table_row(page);
        vp_table_cell(page, "%s", first->data);
        for (size_t f = 0; f < count; f++) {
            const vp_measured *m = vp_bench_find(bench, "kd_ray", forms[f], first->data);
            vp_table_cell(page, "%s", m == NULL ? "-" : vp_figure_of(m->counter[VP_NODES_PER_RAY]).text);
            vp_table_cell(page, "%s", m == NULL ? "-" : vp_figure_of(m->counter[VP_TRIANGLES_PER_RAY]).text);
            vp_table_cell_time(page, m);
        }
    }
    vp_table_end(page);
}

/* ---- trees against brute force ---- */

static void crossover(vp_page *page, const vp_bench *bench)
{
    const char *who[VP_VERSIONS_MOST];
    size_t count = vp_versions_of(bench, who);
    bool begun = false;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, "brute_ray") != 0 || strstr(m->data, "-of-") == NULL || m->count == 0 ||
            (i != 0 && strcmp(bench->row[i - 1].data, m->data) == 0))
            continue;
        if (!begun) {
            vp_page_heading(page, VP_IN_BOTH, 4, NULL, "From which size on a tree pays");
            vp_page_say(page, VP_IN_BOTH,
                        "Nanoseconds a ray at meshes of about so many triangles (chunks-of-64: 58 to 70), by the tree and by "
                        "trying every triangle.");
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "meshes and rays");
            for (size_t v = 0; v < count && v < 5; v++) {
                vp_table_column(page, true, "%s: tree", who[v]);
                vp_table_column(page, true, "every triangle");
                vp_table_column(page, true, "tree is faster by");
            }
            begun = true;
        }
        vp_table_row(page);
        vp_table_cell(page, "%s", m->data);
        for (size_t v = 0; v < count && v < 5; v++) {
            const vp_measured *tree = vp_bench_find(bench, "kd_ray", who[v], m->data);
            const vp_measured *brute = vp_bench_find(bench, "brute_ray", who[v], m->data);
            vp_table_cell_time(page, tree);
            vp_table_cell_time(page, brute);
            vp_table_cell(page, "%s", tree == NULL || brute == NULL ? "-" : vp_figure_times(vp_measured_ns(brute) / vp_measured_ns(tree)).text);
        }
    }
    if (begun)
        vp_table_end(page);
}

/* ---- exactness ---- */

static void exactness(vp_page *page, const vp_bench *bench)
{
    bool begun = false;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        const vp_measured *exact = vp_bench_find(bench, m->kernel, "avx2", m->data);
        if (strcmp(m->who, "avx2-fma") != 0 || exact == NULL || m->count == 0)
            continue;
        if (!begun) {
            vp_page_heading(page, VP_IN_BOTH, 4, NULL, "What rounding twice costs");
            vp_page_say(page, VP_IN_BOTH,
                        "kd_ray of AVX2 beside the same source with multiplications and additions fused, whose bits no "
                        "other instruction set gives. All else that exactness takes, the second test in doubles and the "
                        "room that boxes are given, it does too.");
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "rays");
            vp_table_column(page, true, "exact, ns");
            vp_table_column(page, true, "fused, ns");
            vp_table_column(page, true, "fused is faster by");
            vp_table_column(page, true, "answers of other bits");
            vp_table_column(page, true, "hits lost or made up");
            begun = true;
        }
        vp_table_row(page);
        vp_table_cell(page, "%s", m->data);
        vp_table_cell_time(page, exact);
        vp_table_cell_time(page, m);
        vp_table_cell(page, "%s", vp_figure_times(vp_measured_ns(exact) / vp_measured_ns(m)).text);
        vp_table_cell(page, "%.0f", m->counter[VP_DIFFER]);
        vp_table_cell(page, "%.0f", m->counter[VP_LOST]);
    }
    if (begun)
        vp_table_end(page);
}

/* ---- peers' answers ---- */

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
        if (m->kind != VP_WHO_PEER || isnan(m->counter[VP_HITS]) || strncmp(m->kernel, "kd_ray", 6) != 0)
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
        vp_table_cell(page, "%.0f", m->counter[VP_HITS_LOST]);
        vp_table_cell(page, "%.0f", m->counter[VP_HITS_GAINED]);
        vp_table_cell(page, "%.0f", m->counter[VP_HITS_MOVED]);
        vp_table_cell(page, "%s", isnan(m->counter[VP_HITS_NEIGHBOUR]) ? "-" : count_of(m->counter[VP_HITS_NEIGHBOUR]).text);
        vp_table_cell(page, "%s", isnan(m->counter[VP_HITS_AT_ORIGIN]) ? "-" : count_of(m->counter[VP_HITS_AT_ORIGIN]).text);
    }
    if (begun)
        vp_table_end(page);
}

void vp_section_trees(vp_page *page, const vp_result *r)
{
    const vp_bench *bench = &r->bench;
    if (!has_kernel(bench, "kd_ray") && !has_kernel(bench, "kd_build") && !has_kernel(bench, "kd_box"))
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Triangle trees");
    rates(page, bench);
    if (has_kernel(bench, "kd_build"))
        builds(page, bench);
    if (vp_bench_find(bench, "kd_ray", "scalar-slab", "world-230k/coherent") != NULL ||
        vp_bench_find(bench, "kd_ray", "scalar-slab", "chunks/coherent") != NULL)
        visits(page, bench);
    crossover(page, bench);
    exactness(page, bench);
    differences(page, bench);
}
