/* SPDX-License-Identifier: MIT */
/* What memory buys: bytes a triangle of each form of tree, and of other libraries', against the rays and boxes a second that it
 * answers; a table, and in the HTML a drawing. And what quads buy. Forms that were not measured are not there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report_plot.h"
#include "tools/report_sections.h"

enum { MOST_ROWS = 24 };

/* One who answers: a form of ours, or a library. */
typedef struct contender {
    char name[VP_PLOT_LABEL_BYTES];
    const char *style;
    double tree, all; /* bytes a triangle: of the tree alone, and with the mesh */
    double ray, cold, box; /* millions a second */
} contender;

/* As the names of rows have them. */
static const char *const forms[] = {"published", "slab", "", "packed", "implied"};
static const char *const form_names[] = {"published", "slab", "wide", "packed", "implied"};

/* "avx2" and "packed", or with "-create" between them. */
static const vp_measured *find(const vp_bench *bench, const char *kernel, const char *who, const char *between, const char *form,
                               const char *data, const char *set)
{
    char name[96], of[96];
    snprintf(name, sizeof name, "%.40s%s%s%s", who, between, form[0] != '\0' ? "-" : "", form);
    snprintf(of, sizeof of, "%.40s%s%.40s", data, set != NULL ? "/" : "", set != NULL ? set : "");
    return vp_bench_find(bench, kernel, name, of);
}

static double rate(const vp_measured *m)
{
    return 1e3 / vp_measured_ns(m);
}

static double counter(const vp_measured *m, vp_counter which)
{
    return m != NULL ? m->counter[which] : NAN;
}

/* Bytes of the vertices and indices that a tree is made over. */
static double mesh_bytes(const vp_bench *bench, const char *who, const char *data)
{
    return counter(find(bench, "kd_build", who, "", "", data, NULL), VP_MESH_BYTES_PER_TRIANGLE);
}

static void ask(const vp_bench *bench, const char *who, const char *form, const char *data, contender *c)
{
    c->ray = rate(find(bench, "kd_ray", who, "", form, data, "coherent"));
    c->cold = rate(find(bench, "kd_ray", who, "", form, data, "cold"));
    c->box = rate(find(bench, "kd_box", who, "", form, data, "box-1.5"));
}

/* A form of ours by one instruction set. A packed or implied tree has the mesh in it, the others are beside it. Rows of rays tell
   the bytes of both, where they tell any. */
static contender form_of(const vp_bench *bench, const char *who, size_t form, const char *data)
{
    const bool holds_mesh = form >= 3;
    const vp_measured *ray = find(bench, "kd_ray", who, "", forms[form], data, "coherent");
    const double built = counter(find(bench, "kd_build", who, "", forms[form], data, NULL), VP_BYTES_PER_TRIANGLE);
    const double made = counter(find(bench, "kd_build", who, "-create", forms[form], data, NULL), VP_BYTES_PER_TRIANGLE);
    contender c = {.style = strcmp(who, "avx512") == 0 ? "c-avx512" : strcmp(who, "neon") == 0 ? "c-neon" : "c-avx2"};
    snprintf(c.name, sizeof c.name, "%.20s, %s", who, form_names[form]);
    c.tree = holds_mesh ? NAN : built;
    c.all = counter(ray, VP_BYTES_PER_TRIANGLE);
    if (isnan(c.all))
        c.all = holds_mesh ? made : built + mesh_bytes(bench, who, data);
    ask(bench, who, forms[form], data, &c);
    return c;
}

static contender peer_of(const vp_measured *built)
{
    contender c = {.style = "c-peer", .tree = counter(built, VP_BYTES_PER_TRIANGLE)};
    snprintf(c.name, sizeof c.name, "%.60s", built->who);
    c.all = c.tree + counter(built, VP_MESH_BYTES_PER_TRIANGLE);
    return c;
}

/* Who is known by bytes and by any speed on a set of meshes: ours first. */
static size_t contenders_of(const vp_bench *bench, const char *data, contender list[MOST_ROWS])
{
    const char *who[VP_VERSIONS_MOST];
    const size_t versions = vp_versions_of(bench, who);
    size_t count = 0;
    for (size_t f = 0; versions != 0 && f < sizeof forms / sizeof forms[0]; f++) {
        list[count] = form_of(bench, who[versions - 1], f, data);
        count += !isnan(list[count].ray) || !isnan(list[count].box);
    }
    for (size_t i = 0; i < bench->count && count < MOST_ROWS; i++) {
        const vp_measured *m = &bench->row[i];
        if (m->kind != VP_WHO_PEER || strcmp(m->kernel, "kd_build") != 0 || strcmp(m->data, data) != 0 || m->count == 0)
            continue;
        list[count] = peer_of(m);
        ask(bench, m->who, "", data, &list[count]);
        count += !isnan(list[count].ray) || !isnan(list[count].box);
    }
    return count;
}

static void cell(vp_page *page, double value)
{
    vp_table_cell(page, "%s", isnan(value) ? "-" : vp_figure_of(value).text);
}

static void plot_of(vp_page *page, const vp_result *r, const char *data, const contender *list, size_t count, bool boxes)
{
    char title[128];
    vp_dots *plot = calloc(1, sizeof *plot);
    vp_writing svg = {0};
    if (plot == NULL) {
        page->html.failed = true;
        return;
    }
    snprintf(title, sizeof title, "Memory against speed: %s at %s", boxes ? "boxes of 1.5 voxels" : "coherent rays", data);
    *plot = (vp_dots){.title = title, .x_axis = "bytes a triangle, mesh and tree (logarithmic)",
                      .y_axis = boxes ? "millions of boxes a second (logarithmic)" : "millions of rays a second (logarithmic)"};
    for (size_t i = 0; i < count && plot->count < VP_PLOT_DOTS; i++) {
        const double speed = boxes ? list[i].box : list[i].ray;
        if (!(list[i].all > 0) || !(speed > 0))
            continue;
        snprintf(plot->dot[plot->count].label, VP_PLOT_LABEL_BYTES, "%.63s", list[i].name);
        plot->dot[plot->count].style = list[i].style;
        plot->dot[plot->count].x = list[i].all;
        plot->dot[plot->count++].y = speed;
    }
    if (plot->count > 1)
        vp_plot_dots(&svg, plot);
    free(plot);
    vp_page_figure(page, &svg, "Each form of the tree, by the best instruction set, and other libraries'. Up and to the left is better.",
                   r->link, "bench.json");
    vp_writing_destroy(&svg);
}

/* The same questions of trees over quads as plain triangles, and over quads: rows "avx2-triangles" and "avx2-quads". */
static void quads(vp_page *page, const vp_bench *bench)
{
    static const char plain[] = "-triangles";
    bool any = false;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        const size_t length = strlen(m->who), end = sizeof plain - 1;
        char who[96];
        if (m->kind == VP_WHO_PEER || length <= end || strcmp(m->who + length - end, plain) != 0)
            continue;
        snprintf(who, sizeof who, "%.*s-quads", (int)(length - end), m->who);
        const double of_plain = rate(m), of_quads = rate(vp_bench_find(bench, m->kernel, who, m->data));
        if (isnan(of_plain) || isnan(of_quads))
            continue;
        if (!any) {
            vp_page_heading(page, VP_IN_BOTH, 4, NULL, "What quads buy");
            vp_page_say(page, VP_IN_BOTH, "Millions of rays or boxes a second, of wide trees over the same quads: as two plain triangles "
                                          "each, and as one item that is tested at once. Answers are the same.");
            vp_table_begin(page, VP_IN_BOTH, "sortable");
            vp_table_column(page, false, "question");
            vp_table_column(page, false, "version");
            vp_table_column(page, true, "triangles");
            vp_table_column(page, true, "quads");
            vp_table_column(page, true, "times");
        }
        any = true;
        vp_table_row(page);
        vp_table_cell(page, "%s/%s", m->kernel, m->data);
        vp_table_cell(page, "%.*s", (int)(length - end), m->who);
        cell(page, of_plain);
        cell(page, of_quads);
        vp_table_cell(page, "%s", vp_figure_times(of_quads / of_plain).text);
    }
    if (any)
        vp_table_end(page);
}

void vp_section_forms(vp_page *page, const vp_result *r)
{
    static const char *const sets[] = {"chunks", "chunks-luanti"};
    contender list[2][MOST_ROWS];
    size_t count[2];
    for (size_t s = 0; s < 2; s++)
        count[s] = contenders_of(&r->bench, sets[s], list[s]);
    if (count[0] + count[1] == 0)
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "What memory buys");
    vp_page_say(page, VP_IN_BOTH,
                "Bytes a triangle of a tree, and of a tree with the vertices and indices that it is made over, which it reads; a "
                "packed or implied tree has them in it. Against that, millions of rays and boxes a second by one thread.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "meshes");
    vp_table_column(page, false, "tree");
    vp_table_column(page, true, "tree, bytes");
    vp_table_column(page, true, "mesh and tree, bytes");
    vp_table_column(page, true, "coherent rays");
    vp_table_column(page, true, "each at another chunk");
    vp_table_column(page, true, "boxes of 1.5");
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < count[s]; i++) {
            vp_table_row(page);
            vp_table_cell(page, "%s", sets[s]);
            vp_table_cell(page, "%s", list[s][i].name);
            cell(page, list[s][i].tree);
            cell(page, list[s][i].all);
            cell(page, list[s][i].ray);
            cell(page, list[s][i].cold);
            cell(page, list[s][i].box);
        }
    vp_table_end(page);
    for (size_t s = 0; s < 2; s++)
        for (int boxes = 0; boxes < 2; boxes++)
            plot_of(page, r, sets[s], list[s], count[s], boxes != 0);
    quads(page, &r->bench);
}
