/* SPDX-License-Identifier: MIT */
/* How times grow with a size, and where lines cross: from which number of triangles on a tree pays, and how hulls of few and of many
 * points compare with other libraries. A crossing is told in a sentence and marked in the drawing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report_plot.h"
#include "tools/report_sections.h"

/* Data sets that differ by a number in their names: "chunks-of-" 64 "/coherent". */
typedef struct sizes {
    const char *before, *after;
    double size[VP_PLOT_POINTS]; /* rising */
    size_t count;
} sizes;

/* Who is followed over the sizes. */
typedef struct runner {
    char name[VP_PLOT_LABEL_BYTES]; /* "avx2 by a tree" */
    const char *kernel, *who, *style;
    double ns[VP_PLOT_POINTS]; /* NaN: not measured */
} runner;

enum { MOST_RUNNERS = VP_PLOT_SERIES };

/* ---- sizes ---- */

/* The number in a data set's name; NaN if it is none of these. */
static double size_of(const sizes *s, const char *data)
{
    const size_t before = strlen(s->before), digits = strspn(data + (strncmp(data, s->before, before) == 0 ? before : strlen(data)), "0123456789");
    return digits != 0 && strcmp(data + before + digits, s->after) == 0 ? atof(data + before) : NAN;
}

static void add_size(sizes *s, double size)
{
    size_t at = 0;
    while (at < s->count && s->size[at] < size)
        at++;
    if ((at < s->count && !(s->size[at] > size)) || s->count == VP_PLOT_POINTS)
        return;
    memmove(&s->size[at + 1], &s->size[at], (s->count - at) * sizeof s->size[0]);
    s->size[at] = size;
    s->count++;
}

static const vp_measured *measured_at(const vp_bench *bench, const sizes *s, const char *kernel, const char *who, size_t at)
{
    char data[96];
    snprintf(data, sizeof data, "%.40s%.0f%.40s", s->before, s->size[at], s->after);
    return vp_bench_find(bench, kernel, who, data);
}

/* All sizes that somebody was measured at by a kernel. */
static sizes sizes_of(const vp_bench *bench, const char *kernel, const char *before, const char *after)
{
    sizes s = {.before = before, .after = after};
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, kernel) == 0 && m->count != 0 && m->kind != VP_WHO_LIMIT && !isnan(size_of(&s, m->data)))
            add_size(&s, size_of(&s, m->data));
    }
    return s;
}

/* Adds somebody who was measured at two sizes or more. */
static void add_runner(const vp_bench *bench, const sizes *s, runner list[MOST_RUNNERS], size_t *count, runner one)
{
    size_t known = 0;
    for (size_t at = 0; at < s->count; at++) {
        one.ns[at] = vp_measured_ns(measured_at(bench, s, one.kernel, one.who, at));
        known += isnan(one.ns[at]) ? 0 : 1;
    }
    if (known >= 2 && *count < MOST_RUNNERS)
        list[(*count)++] = one;
}

static runner runner_of(const char *who, const char *how, const char *kernel, const char *style)
{
    runner one = {.kernel = kernel, .who = who, .style = style};
    snprintf(one.name, sizeof one.name, "%.30s%.30s", who, how);
    return one;
}

/* ---- crossings ---- */

typedef struct crossing {
    double size, ns;
    bool first_after; /* the first is the faster one from here on */
} crossing;

/* Medians that differ by less say nothing of who is faster. */
#define CLEAR 0.05

static bool is_clear(double a, double b)
{
    return fabs(log(a / b)) >= log(1 + CLEAR); /* not of NaN */
}

/* Where two lines cross, each straight in the logarithms of both between sizes at which one is clearly faster. */
static size_t crossings_of(const sizes *s, const runner *a, const runner *b, crossing list[VP_PLOT_POINTS])
{
    size_t count = 0, last = s->count;
    for (size_t at = 0; at < s->count; at++) {
        if (!is_clear(a->ns[at], b->ns[at]))
            continue;
        if (last != s->count && (a->ns[at] < b->ns[at]) != (a->ns[last] < b->ns[last])) {
            const double before = log(a->ns[last] / b->ns[last]), after = log(a->ns[at] / b->ns[at]), share = before / (before - after);
            list[count++] = (crossing){s->size[last] * pow(s->size[at] / s->size[last], share), a->ns[last] * pow(a->ns[at] / a->ns[last], share),
                                       a->ns[at] < b->ns[at]};
        }
        last = at;
    }
    return count;
}

/* "1,300" would be too exact: two digits of what lies between two sizes. */
static vp_figure about(double size)
{
    vp_figure f;
    const double unit = pow(10, floor(log10(size)) - 1);
    snprintf(f.text, sizeof f.text, "%.0f", size < 10 ? size : round(size / unit) * unit);
    return f;
}

/* How two of them compare over the sizes that both were measured at, and where that turns. @param of  "triangles" */
static void tell(vp_page *page, const sizes *s, const runner *a, const runner *b, const char *of)
{
    crossing list[VP_PLOT_POINTS];
    double low = NAN, high = NAN, least = NAN, greatest = NAN, first = NAN;
    bool faster = false;
    for (size_t at = 0; at < s->count; at++) {
        const double ratio = b->ns[at] / a->ns[at];
        if (isnan(ratio))
            continue;
        least = isnan(least) ? s->size[at] : least;
        if (isnan(first) && is_clear(ratio, 1)) {
            first = s->size[at];
            faster = ratio > 1;
        }
        greatest = s->size[at];
        low = fmin(low, ratio);
        high = fmax(high, ratio);
    }
    if (!(greatest > least))
        return;
    const size_t count = crossings_of(s, a, b, list);
    if (isnan(first) || count == 0) {
        const bool always = !isnan(first) && (faster ? low >= 1 : high <= 1);
        vp_page_say(page, VP_IN_BOTH, "%s is %s %s at every size that was measured, from %.0f to %.0f %s: %s to %s times as fast. No crossover in what was measured.", a->name,
                    isnan(first) ? "as fast as" : faster ? (always ? "faster than" : "faster than, or as fast as,") : (always ? "slower than" : "slower than, or as fast as,"),
                    b->name, least, greatest, of, vp_figure_of(low).text, vp_figure_of(high).text);
        return;
    }
    vp_writing turns = {0};
    for (size_t c = 0; c < count; c++)
        vp_writing_add(&turns, "%s%s at about %s", c != 0 ? ", and " : "", list[c].first_after ? "overtakes it" : "falls behind it", about(list[c].size).text);
    page->html.failed = page->html.failed || turns.failed;
    if (!turns.failed)
        vp_page_say(page, VP_IN_BOTH, "%s is %s than %s at %.0f %s; it %s. From %.0f to %.0f it is %s to %s times as fast.", a->name,
                    faster ? "faster" : "slower", b->name, first, of, turns.bytes, least, greatest, vp_figure_of(low).text, vp_figure_of(high).text);
    vp_writing_destroy(&turns);
}

/* ---- drawings ---- */

/* @param share  times are shown per one of what the size counts */
static void draw_runners(vp_lines *plot, const sizes *s, const runner *list, size_t count, bool share)
{
    plot->point_count = s->count;
    memcpy(plot->x, s->size, sizeof plot->x);
    for (size_t r = 0; r < count; r++) {
        plot->series[r].style = list[r].style;
        snprintf(plot->series[r].label, VP_PLOT_LABEL_BYTES, "%.63s", list[r].name);
        for (size_t at = 0; at < s->count; at++)
            plot->y[r][at] = share ? list[r].ns[at] / s->size[at] : list[r].ns[at];
    }
    plot->series_count = count;
}

static void draw_crossings(vp_lines *plot, const sizes *s, const runner *a, const runner *b, bool share)
{
    crossing list[VP_PLOT_POINTS];
    const size_t count = crossings_of(s, a, b, list);
    for (size_t c = 0; c < count && plot->mark_count < VP_PLOT_MARKS; c++) {
        const size_t m = plot->mark_count++;
        plot->mark[m].x = list[c].size;
        plot->mark[m].y = share ? list[c].ns / list[c].size : list[c].ns;
        snprintf(plot->mark[m].label, VP_PLOT_LABEL_BYTES, "≈ %.40s", about(list[c].size).text);
    }
}

/* ---- trees against trying every triangle ---- */

static bool has_sizes(const vp_bench *bench, const char *kernel, const char *who)
{
    for (size_t i = 0; i < bench->count; i++)
        if (strcmp(bench->row[i].kernel, kernel) == 0 && strcmp(bench->row[i].who, who) == 0 && strncmp(bench->row[i].data, "chunks-of-", 10) == 0)
            return true;
    return false;
}

/* The versions that tried every triangle of meshes of these sizes. */
static size_t versions_of(const vp_bench *bench, const char *who[VP_VERSIONS_MOST])
{
    const char *known[VP_VERSIONS_MOST];
    const size_t versions = vp_versions_of(bench, known);
    size_t count = 0;
    for (size_t v = 0; v < versions; v++)
        if (has_sizes(bench, "brute_ray", known[v]))
            who[count++] = known[v];
    return count;
}

static void rows_of_trees(vp_page *page, const vp_bench *bench, const sizes *s, const char *const *who, size_t versions)
{
    for (size_t at = 0; at < s->count; at++) {
        vp_table_row(page);
        vp_table_cell(page, "%s%.0f%s", s->before, s->size[at], s->after);
        for (size_t v = 0; v < versions; v++) {
            const vp_measured *tree = measured_at(bench, s, "kd_ray", who[v], at), *every = measured_at(bench, s, "brute_ray", who[v], at);
            const double ratio = vp_measured_ns(every) / vp_measured_ns(tree);
            vp_table_cell_time(page, tree);
            vp_table_cell_time(page, every);
            vp_table_cell(page, "%s", isnan(ratio) ? "-" : vp_figure_times(ratio).text);
        }
    }
}

/* Sentences and a drawing of one set of rays. */
static void draw_trees(vp_page *page, const vp_result *r, const sizes *s, const char *rays, const char *const *who, size_t versions)
{
    static const char *const styles[][2] = {{"c-avx2", "c-avx2 dashed"}, {"c-avx512", "c-avx512 dashed"}, {"c-neon", "c-neon dashed"}};
    runner list[MOST_RUNNERS];
    size_t count = 0;
    vp_writing svg = {0};
    char title[96];
    vp_lines *plot = calloc(1, sizeof *plot);
    if (plot == NULL) {
        page->html.failed = true;
        return;
    }
    for (size_t v = 0; v < versions; v++) {
        const char *const *style = styles[strcmp(who[v], "avx2") == 0 ? 0 : strcmp(who[v], "avx512") == 0 ? 1 : 2];
        const size_t before = count;
        add_runner(&r->bench, s, list, &count, runner_of(who[v], " by a tree", "kd_ray", style[0]));
        add_runner(&r->bench, s, list, &count, runner_of(who[v], " by every triangle", "brute_ray", style[1]));
        if (count < before + 2) {
            count = before;
            continue;
        }
        tell(page, s, &list[before], &list[before + 1], "triangles");
        draw_crossings(plot, s, &list[before], &list[before + 1], false);
    }
    snprintf(title, sizeof title, "Rays at small meshes, %.30s: a tree or every triangle", rays);
    plot->title = title;
    plot->x_axis = "triangles of a mesh, about (logarithmic)";
    plot->y_axis = "ns per ray (logarithmic)";
    draw_runners(plot, s, list, count, false);
    if (count != 0)
        vp_plot_lines(&svg, plot);
    free(plot);
    vp_page_figure(page, &svg, "A whole line is the tree, a dashed one of the same colour trying every triangle. A ring is where the two cross.", r->link,
                   "bench.json");
    vp_writing_destroy(&svg);
}

static void trees(vp_page *page, const vp_result *r)
{
    static const char *const rays[] = {"coherent", "cold"}, *const after[] = {"/coherent", "/cold"};
    const char *who[VP_VERSIONS_MOST];
    const size_t versions = versions_of(&r->bench, who);
    if (versions == 0)
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "From which size on a tree pays");
    vp_page_say(page, VP_IN_BOTH,
                "Nanoseconds a ray at meshes of about so many triangles (chunks-of-64: 58 to 70), by the tree and by "
                "trying every triangle. Making the tree is not in it.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "meshes and rays");
    for (size_t v = 0; v < versions; v++) {
        vp_table_column(page, true, "%s: tree", who[v]);
        vp_table_column(page, true, "every triangle");
        vp_table_column(page, true, "tree is faster by");
    }
    for (size_t k = 0; k < sizeof rays / sizeof rays[0]; k++) {
        const sizes s = sizes_of(&r->bench, "brute_ray", "chunks-of-", after[k]);
        rows_of_trees(page, &r->bench, &s, who, versions);
    }
    vp_table_end(page);
    for (size_t k = 0; k < sizeof rays / sizeof rays[0]; k++) {
        const sizes s = sizes_of(&r->bench, "brute_ray", "chunks-of-", after[k]);
        if (s.count < 2)
            continue;
        vp_page_say(page, VP_IN_BOTH, "Rays of the set %s:", rays[k]);
        draw_trees(page, r, &s, rays[k], who, versions);
    }
}

/* ---- hulls ---- */

/* Everybody who makes hulls of balls: the reference, our versions, other libraries. @return how many; *ours: the best of ours, or `most` */
static size_t makers_of(const vp_bench *bench, const sizes *s, runner list[MOST_RUNNERS], size_t *ours)
{
    static const char *const peer_styles[] = {"c-peer", "c-peer dashed", "c-peer dotted", "c-limit"};
    const char *who[VP_VERSIONS_MOST];
    const size_t versions = vp_versions_of(bench, who);
    size_t count = 0, peers = 0;
    add_runner(bench, s, list, &count, runner_of("scalar", "", "hull3", "c-scalar"));
    *ours = MOST_RUNNERS;
    for (size_t v = 0; v < versions; v++) {
        const size_t before = count;
        add_runner(bench, s, list, &count, runner_of(who[v], "", "hull3", vp_style_of(who[v])));
        if (count > before)
            *ours = before;
    }
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        bool known = m->kind != VP_WHO_PEER || strcmp(m->kernel, "hull3") != 0;
        for (size_t k = 0; k < count; k++)
            known = known || strcmp(list[k].who, m->who) == 0;
        const size_t before = count;
        if (!known)
            add_runner(bench, s, list, &count, runner_of(m->who, "", "hull3", peer_styles[peers % 4]));
        peers += count > before;
    }
    return count;
}

static void hulls(vp_page *page, const vp_result *r)
{
    runner list[MOST_RUNNERS];
    size_t ours;
    const sizes s = sizes_of(&r->bench, "hull3", "ball/", "");
    const size_t count = makers_of(&r->bench, &s, list, &ours);
    vp_writing svg = {0};
    if (ours == MOST_RUNNERS || count < 2)
        return;
    vp_lines *plot = calloc(1, sizeof *plot);
    if (plot == NULL) {
        page->html.failed = true;
        return;
    }
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Hulls of few and of many points");
    vp_page_say(page, VP_IN_BOTH, "Whole hulls of points in a ball, by the best of ours against everybody else:");
    plot->title = "Hulls of balls: time of a point against the number of points";
    plot->x_axis = "points (logarithmic)";
    plot->y_axis = "ns per point (logarithmic)";
    draw_runners(plot, &s, list, count, true);
    for (size_t k = 0; k < count; k++)
        if (k != ours) {
            tell(page, &s, &list[ours], &list[k], "points");
            draw_crossings(plot, &s, &list[ours], &list[k], true);
        }
    vp_plot_lines(&svg, plot);
    free(plot);
    vp_page_figure(page, &svg, "A line that is level is time in proportion to the number of points. A ring is where another line crosses that of the best of ours.",
                   r->link, "bench.json");
    vp_writing_destroy(&svg);
}

void vp_section_scaling(vp_page *page, const vp_result *r)
{
    if (r->bench.json == NULL)
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Scaling, and where lines cross");
    vp_page_say(page, VP_IN_BOTH,
                "A crossover is where the lines of two medians meet, each taken as straight from a measured size at which one of the two is faster by 5 %% or more to the next "
                "such size, with both axes logarithmic: where sizes between them are nearer, not quite where the drawn lines do. It is told to two digits, and nothing is told beyond what was "
                "measured.");
    trees(page, r);
    hulls(page, r);
}
