/* SPDX-License-Identifier: MIT */
/* The tables of triangle trees: rays and boxes by everybody who answers them, and what each form of the tree costs and looks at. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

/* ---- rays and boxes a second ---- */

enum { MOST_COLUMNS = VP_TABLE_COLUMNS - 1, MOST_LINES = 96 };

/* Everybody who was measured on a kernel natively: the baselines, instruction sets, forms, peers. */
static size_t everybody(const vp_bench *bench, const char *kernel, const char *who[MOST_LINES])
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        bool known = strcmp(m->kernel, kernel) != 0 || m->kind == VP_WHO_SIMDE || m->count == 0;
        for (size_t k = 0; k < count; k++)
            known = known || strcmp(who[k], m->who) == 0;
        if (!known && count < MOST_LINES)
            who[count++] = m->who;
    }
    return count;
}

/* A line a contender, a column a data set: there are more of the first. */
static void table_of_rates(vp_page *page, const vp_bench *bench, const char *kernel)
{
    const char *who[MOST_LINES], *data[MOST_COLUMNS];
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
                "are timed, and what differs is told under the price of exactness. kd_box: exactly the triangles whose own boxes overlap.");
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
}
