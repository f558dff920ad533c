/* SPDX-License-Identifier: MIT */
/* What is drawn of a machine: speed-ups, time against world size, and the share of the memory's limit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report_plot.h"
#include "tools/report_sections.h"

static const char *style_of(const vp_measured *m)
{
    if (m->kind == VP_WHO_LIMIT)
        return strcmp(m->kernel, "stream_read") == 0 ? "c-limit" : "c-limit2";
    return vp_style_of(m->who);
}

static void set_label(char label[VP_PLOT_LABEL_BYTES], const char *text)
{
    snprintf(label, VP_PLOT_LABEL_BYTES, "%s", text);
}

static void finish(vp_page *page, const vp_result *r, vp_writing *svg, const char *caption, const char *file)
{
    vp_page_figure(page, svg, caption, r->link, file);
    vp_writing_destroy(svg);
}

/* Kernels that are drawn together, by how their names begin; the last: all others. */
static const struct {
    const char *title, *begins[4];
} families[] = {{"Speed-up over the scalar reference: broadphase and surfaces", {"dilate_", "overlap_", "mesh_", "edge_"}},
                {"Speed-up over the scalar reference: triangle trees", {"kd_", "brute_"}},
                {"Speed-up over the scalar reference: terrain and hulls", {"world_", "edit_", "hull"}},
                {"Speed-up over the scalar reference: other kernels", {NULL}}};

enum { FAMILIES = sizeof families / sizeof families[0] };

static size_t family_of(const char *kernel)
{
    for (size_t f = 0; f < FAMILIES; f++)
        for (size_t b = 0; b < 4 && families[f].begins[b] != NULL; b++)
            if (strncmp(kernel, families[f].begins[b], strlen(families[f].begins[b])) == 0)
                return f;
    return FAMILIES - 1;
}

static void draw_family(vp_page *page, const vp_result *r, size_t family)
{
    const char *who[VP_VERSIONS_MOST];
    size_t versions = vp_versions_of(&r->bench, who);
    vp_bars *plot = calloc(1, sizeof *plot);
    vp_writing svg = {0};
    if (plot == NULL) {
        page->html.failed = true;
        return;
    }
    *plot = (vp_bars){.title = families[family].title,
                      .axis = "times as fast as scalar (logarithmic)",
                      .suffix = "×",
                      .logarithmic = true};
    for (size_t s = 0; s <= versions && s < VP_PLOT_SERIES; s++) {
        const char *name = s == 0 ? "scalar-autovec" : who[s - 1];
        plot->series[s].style = vp_style_of(name);
        set_label(plot->series[s].label, name);
        plot->series_count++;
    }
    for (size_t i = 0; i < r->bench.count && plot->group_count < VP_PLOT_GROUPS; i++) {
        const char *kernel = r->bench.row[i].kernel;
        if (!vp_is_kernel(kernel) || family_of(kernel) != family || (i != 0 && strcmp(r->bench.row[i - 1].kernel, kernel) == 0))
            continue;
        size_t g = plot->group_count, drawn = 0;
        set_label(plot->group[g].label, kernel);
        for (size_t s = 0; s < plot->series_count; s++) {
            vp_range range = vp_speed_range(&r->bench, kernel, plot->series[s].label, "scalar");
            plot->group[g].bar[s] = (vp_bar){range.mean, range.low, range.high};
            drawn += range.count;
        }
        plot->group_count += drawn != 0;
    }
    if (plot->group_count != 0)
        vp_plot_bars(&svg, plot);
    free(plot);
    finish(page, r, &svg,
           "Bars: geometric mean over the data sets; whiskers: the least and the greatest. The line at 1 is "
           "the scalar reference; the scalar-autovec bar is the second baseline.",
           "bench.json");
}

void vp_section_speed_plot(vp_page *page, const vp_result *r)
{
    for (size_t f = 0; f < FAMILIES; f++)
        draw_family(page, r, f);
}

/* ---- time against size ---- */

static bool is_drawn(const vp_measured *m)
{
    return m->count != 0 && strncmp(m->data, "terrain-", 8) == 0 && strchr(m->data, '/') == NULL &&
           ((strcmp(m->kernel, "dilate_world") == 0 && m->kind != VP_WHO_SIMDE && m->kind != VP_WHO_OTHER) ||
            m->kind == VP_WHO_LIMIT);
}

/* The place of a size on the axis, put in where it is new; VP_PLOT_POINTS if there is no room. */
static size_t point_of(vp_lines *plot, double chunks, const char *data)
{
    size_t at = 0;
    while (at < plot->point_count && plot->x[at] < chunks)
        at++;
    if (at < plot->point_count && !(plot->x[at] > chunks))
        return at;
    if (plot->point_count == VP_PLOT_POINTS)
        return VP_PLOT_POINTS;
    for (size_t p = plot->point_count++; p > at; p--) {
        plot->x[p] = plot->x[p - 1];
        memcpy(plot->x_label[p], plot->x_label[p - 1], sizeof plot->x_label[p]);
    }
    plot->x[at] = chunks;
    set_label(plot->x_label[at], data);
    return at;
}

static size_t series_of(vp_lines *plot, const vp_measured *m)
{
    char name[VP_PLOT_LABEL_BYTES];
    set_label(name, m->kind != VP_WHO_LIMIT                 ? m->who
                    : strcmp(m->kernel, "stream_read") == 0 ? "limit: read"
                                                            : "limit: read and write");
    for (size_t s = 0; s < plot->series_count; s++)
        if (strcmp(plot->series[s].label, name) == 0)
            return s;
    if (plot->series_count == VP_PLOT_SERIES)
        return VP_PLOT_SERIES;
    static const char *const peers[] = {"c-peer", "c-peer dashed", "c-peer dotted"};
    size_t before = 0;
    for (size_t s = 0; s < plot->series_count; s++)
        before += strncmp(plot->series[s].label, "peer-", 5) == 0;
    set_label(plot->series[plot->series_count].label, name);
    plot->series[plot->series_count].style = m->kind == VP_WHO_PEER ? peers[before % 3] : style_of(m);
    return plot->series_count++;
}

void vp_section_size_plot(vp_page *page, const vp_result *r, const vp_manifest *manifest)
{
    vp_lines *plot = calloc(1, sizeof *plot);
    vp_writing svg = {0};
    if (plot == NULL) {
        page->html.failed = true;
        return;
    }
    plot->title = "World build: time of a chunk against the size of the world";
    plot->x_axis = "chunks of 512 voxels, one byte each (logarithmic)";
    plot->y_axis = "ns per chunk (logarithmic)";
    for (size_t i = 0; i < r->bench.count; i++) /* all sizes first: their order is the axis's */
        if (is_drawn(&r->bench.row[i]) && isfinite(vp_data_chunks(manifest, r->bench.row[i].data)))
            point_of(plot, vp_data_chunks(manifest, r->bench.row[i].data), r->bench.row[i].data);
    for (size_t s = 0; s < VP_PLOT_SERIES; s++)
        for (size_t p = 0; p < VP_PLOT_POINTS; p++)
            plot->y[s][p] = NAN;
    for (size_t i = 0; i < r->bench.count; i++) {
        const vp_measured *m = &r->bench.row[i];
        double chunks = is_drawn(m) ? vp_data_chunks(manifest, m->data) : NAN;
        size_t s = isfinite(chunks) ? series_of(plot, m) : VP_PLOT_SERIES;
        size_t p = isfinite(chunks) ? point_of(plot, chunks, m->data) : VP_PLOT_POINTS;
        if (s < VP_PLOT_SERIES && p < VP_PLOT_POINTS)
            plot->y[s][p] = vp_measured_ns(m);
    }
    if (plot->point_count > 1)
        vp_plot_lines(&svg, plot);
    free(plot);
    finish(page, r, &svg,
           "The generated terrains. Below the dashed lines no build can be: it is the time to move what "
           "must be moved.",
           "bench.json");
}

/* ---- the share of the limit ---- */

void vp_section_limit_plot(vp_page *page, const vp_result *r)
{
    const char *who[VP_VERSIONS_MOST];
    static const char *const limits[] = {"stream_read", "stream_read_write"};
    static const char *const names[] = {"of read", "of read and write"};
    static const char *const lighter[] = {"", " pale"};
    char styles[VP_PLOT_SERIES][32];
    const vp_bench *bench = vp_limits_of(r);
    size_t versions = vp_versions_of(bench, who);
    vp_bars *plot = calloc(1, sizeof *plot);
    vp_writing svg = {0};
    if (plot == NULL) {
        page->html.failed = true;
        return;
    }
    *plot = (vp_bars){.title = "World build: share of the memory's limit",
                      .axis = "time of the limit divided by time of the build; 1 is the limit",
                      .suffix = ""};
    for (size_t s = 0; s < 2 * versions && s < VP_PLOT_SERIES; s++) {
        snprintf(styles[s], sizeof styles[s], "%s%s", vp_style_of(who[s / 2]), lighter[s % 2]);
        plot->series[s].style = styles[s];
        snprintf(plot->series[s].label, VP_PLOT_LABEL_BYTES, "%.30s, %s", who[s / 2], names[s % 2]);
        plot->series_count++;
    }
    const char *data = NULL;
    for (size_t i = 0; i < bench->count && plot->group_count < VP_PLOT_GROUPS; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, "dilate_world") != 0 || (data != NULL && strcmp(data, m->data) == 0) ||
            vp_bench_find(bench, limits[0], "limit", m->data) == NULL)
            continue;
        data = m->data;
        size_t g = plot->group_count++;
        set_label(plot->group[g].label, data);
        for (size_t s = 0; s < plot->series_count; s++) {
            double limit = vp_measured_ns(vp_bench_find(bench, limits[s % 2], "limit", data));
            double build = vp_measured_ns(vp_bench_find(bench, m->kernel, who[s / 2], data));
            plot->group[g].bar[s] = (vp_bar){limit / build, NAN, NAN};
        }
    }
    if (plot->group_count != 0 && plot->series_count != 0)
        vp_plot_bars(&svg, plot);
    free(plot);
    finish(page, r, &svg,
           "Reading the world's materials once, and reading them and writing the masks that must be stored.",
           bench == &r->limits ? "limits.json" : "bench.json");
}

/* ---- beside other libraries ---- */

void vp_section_peers_plot(vp_page *page, const vp_result *r)
{
    const char *who[VP_VERSIONS_MOST + 1];
    const vp_bench *bench = &r->bench;
    size_t versions = vp_versions_of(bench, who + 1);
    vp_bars *plot = calloc(1, sizeof *plot);
    vp_writing svg = {0};
    if (plot == NULL) {
        page->html.failed = true;
        return;
    }
    who[0] = "scalar";
    *plot = (vp_bars){.title = "Ours beside the fastest other library on each data set",
                      .axis = "times as fast as the library (logarithmic); below 1 the library is faster",
                      .suffix = "×",
                      .logarithmic = true};
    for (size_t s = 0; s <= versions && s < VP_PLOT_SERIES; s++) {
        plot->series[s].style = vp_style_of(who[s]);
        set_label(plot->series[s].label, who[s]);
        plot->series_count++;
    }
    for (size_t i = 0; i < bench->count && plot->group_count < VP_PLOT_GROUPS; i++) {
        const char *kernel = bench->row[i].kernel;
        if ((i != 0 && strcmp(bench->row[i - 1].kernel, kernel) == 0) || !vp_bench_has(bench, kernel, VP_WHO_PEER))
            continue;
        const size_t g = plot->group_count;
        const bool whole = strcmp(kernel, "kd_build") == 0; /* libraries make whole trees */
        size_t drawn = 0;
        snprintf(plot->group[g].label, VP_PLOT_LABEL_BYTES, "%.40s%s", kernel, whole ? "-create" : "");
        for (size_t s = 0; s < plot->series_count; s++) {
            char name[VP_PLOT_LABEL_BYTES];
            snprintf(name, sizeof name, "%.40s%s", who[s], whole ? "-create" : "");
            const vp_range range = vp_peer_range(bench, kernel, name);
            plot->group[g].bar[s] = (vp_bar){range.mean, range.low, range.high};
            drawn += range.count;
        }
        plot->group_count += drawn != 0;
    }
    if (plot->group_count != 0)
        vp_plot_bars(&svg, plot);
    free(plot);
    finish(page, r, &svg,
           "Bars: geometric mean over the data sets that both were measured on; whiskers: the least and the greatest. A library whose hull "
           "has faults, or that refuses shadows of a set, is left out on that set.",
           "bench.json");
}
