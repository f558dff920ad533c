/* SPDX-License-Identifier: MIT */
/* What is told of convex hulls: how often they are right, ours and other libraries'; how long they take, and polygons in the plane; how time
 * grows with the number of points; what a hull looks at; and how far from the memory's limit that is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/generate/points.h"
#include "tools/report_plot.h"
#include "tools/report_sections.h"

enum { MOST_WHO = 16, MOST_FAMILIES = 64, SIZES = 5 };

static const char kernel[] = "hull3", polygon_kernel[] = "hull2";
static const char *const sizes[SIZES] = {"100", "1000", "10000", "100000", "1000000"};

/* Puts a name in a list that has room for so many, unless it is there. */
static void put_name(const char *list[], size_t *count, size_t most, const char *name)
{
    bool known = false;
    for (size_t k = 0; k < *count; k++)
        known = known || strcmp(list[k], name) == 0;
    if (!known && *count < most)
        list[(*count)++] = name;
}

static const vp_measured *find(const vp_bench *bench, const char *who, const char *family, const char *size)
{
    char data[96];
    snprintf(data, sizeof data, "%.60s/%.20s", family, size);
    return vp_bench_find(bench, kernel, who, data);
}

/* The best of our versions of a kernel that was measured; NULL if none was. */
static const char *best_of(const vp_bench *bench, const char *of)
{
    const char *who[VP_VERSIONS_MOST];
    for (size_t count = vp_versions_of(bench, who); count != 0; count--)
        for (size_t i = 0; i < bench->count; i++)
            if (strcmp(bench->row[i].kernel, of) == 0 && strcmp(bench->row[i].who, who[count - 1]) == 0)
                return who[count - 1];
    return NULL;
}

/* ---- how often they are right ---- */

typedef enum failing { RIGHT, OPEN, OUTSIDE, OTHERWISE, REFUSED, CRASHED, LATE, FAILINGS } failing;

static const char *const failing_names[FAILINGS] = {"right", "open", "outside", "otherwise wrong", "refused", "crashed", "too long"};

static failing failing_of(const json_t *trial)
{
    const char *outcome = vp_json_text(trial, "outcome");
    size_t i;
    const json_t *fault;
    failing found = OTHERWISE;
    if (strcmp(outcome, "faulty") != 0)
        return strcmp(outcome, "valid") == 0     ? RIGHT
               : strcmp(outcome, "refused") == 0 ? REFUSED
               : strcmp(outcome, "crashed") == 0 ? CRASHED
                                                 : LATE;
    json_array_foreach (json_object_get(trial, "faults"), i, fault) {
        const char *name = json_is_string(fault) ? json_string_value(fault) : "";
        if (strcmp(name, "open") == 0 || strcmp(name, "euler") == 0)
            return OPEN;
        found = strcmp(name, "outside") == 0 ? OUTSIDE : found;
    }
    return found;
}

/* What became of some sets. */
typedef struct tally {
    size_t of[FAILINGS], sets, fewer;
    double outside; /* the furthest, of the extent */
} tally;

typedef enum shape { ANY, SOLID, FLAT } shape;

/* @param family  NULL: of all */
static tally tally_of(const json_t *trials, const char *who, const char *family, shape which)
{
    tally t = {.outside = NAN};
    size_t i;
    const json_t *trial;
    json_array_foreach (trials, i, trial) {
        const failing f = failing_of(trial);
        if (strcmp(vp_json_text(trial, "who"), who) != 0 || (family != NULL && strcmp(vp_json_text(trial, "family"), family) != 0))
            continue;
        const bool flat = vp_json_figure(trial, "dimension") < 3;
        if (which != ANY && flat != (which == FLAT))
            continue;
        t.sets++;
        t.of[f]++;
        t.fewer += !flat && vp_json_figure(trial, "vertices") < vp_json_figure(trial, "exact_vertices");
        t.outside = fmax(t.outside, vp_json_figure(trial, "outside_of_extent"));
    }
    return t;
}

static void cell_of_failures(vp_page *page, const tally *t, const char *none)
{
    char text[160] = "";
    for (int f = OPEN; f < FAILINGS; f++)
        if (t->of[f] != 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%zu %s", text[0] != '\0' ? ", " : "", t->of[f], failing_names[f]);
    vp_table_cell(page, "%s", text[0] != '\0' ? text : none);
}

/* What `voxphys verify` has found of hulls. */
static void verified(vp_page *page, const vp_result *r)
{
    size_t i, checks = 0;
    double sets = 0, wrong = 0;
    const json_t *entry;
    json_array_foreach (json_object_get(r->verify, "checks"), i, entry)
        if (strcmp(vp_json_text(entry, "kernel"), kernel) == 0) {
            checks++;
            sets += vp_json_figure(entry, "cases");
            wrong += vp_json_figure(entry, "mismatches");
        }
    if (checks != 0)
        vp_page_say(page, VP_IN_BOTH,
                    "voxphys verify has made %.0f hulls of these sets and of small hostile ones, each set's by the reference and by every "
                    "other version: %.0f of them differ from the reference's by any bit, and all that are not flat passed the validator "
                    "with no point outside by more than 2^-44 of the coordinates.",
                    sets, wrong);
}

static void validity(vp_page *page, const vp_result *r)
{
    const char *who[MOST_WHO], *family[MOST_FAMILIES];
    size_t whos = 0, families = 0, i;
    const json_t *trials = json_object_get(r->hulls, "trials"), *trial;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "How often hulls are right");
    if (r->hulls == NULL) {
        vp_page_say(page, VP_IN_BOTH, "Unknown: there is no hulls.json.");
        return;
    }
    json_array_foreach (trials, i, trial) {
        put_name(who, &whos, MOST_WHO, vp_json_text(trial, "who"));
        put_name(family, &families, MOST_FAMILIES, vp_json_text(trial, "family"));
    }
    vp_page_say(page, VP_IN_BOTH,
                "The same sets for everybody, of 16 points and more, of all families, at scales 1e-5, 1 and 1e6, around the origin and 1000 "
                "extents away; each hull made in a process of its own that may take %s s, and looked at by the same validator. Right: closed, "
                "a sphere's kind, no valley, and no point outside by more than %g of the extent. Open: not closed, or another kind of surface. "
                "Sets that are flat to half of that are counted apart: of them a polygon with two sides, a segment or a place is right, and a "
                "library that refuses them, or gives a polygon one side, may have meant to. Ours alone is given a tolerance, half of what is "
                "allowed; the others are asked as they come.",
                vp_figure_of(vp_json_figure(r->hulls, "about.seconds")).text, vp_json_figure(r->hulls, "about.allowed_of_extent"));
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "hulls by");
    vp_table_column(page, true, "sets with a volume");
    vp_table_column(page, true, "not right");
    vp_table_column(page, false, "how");
    vp_table_column(page, true, "furthest outside of a plane, of the extent");
    vp_table_column(page, true, "fewer vertices than the exact hull");
    vp_table_column(page, true, "flat sets");
    vp_table_column(page, true, "not right");
    vp_table_column(page, false, "how");
    for (size_t w = 0; w < whos; w++) {
        const tally solid = tally_of(trials, who[w], NULL, SOLID), flat = tally_of(trials, who[w], NULL, FLAT);
        vp_table_row(page);
        vp_table_cell(page, "%s", who[w]);
        vp_table_cell(page, "%zu", solid.sets);
        vp_table_cell(page, "%zu", solid.sets - solid.of[RIGHT]);
        cell_of_failures(page, &solid, "-");
        if (isnan(solid.outside))
            vp_table_cell(page, "-");
        else
            vp_table_cell(page, "%.1e", solid.outside);
        vp_table_cell(page, "%zu", solid.fewer);
        vp_table_cell(page, "%zu", flat.sets);
        vp_table_cell(page, "%zu", flat.sets - flat.of[RIGHT]);
        cell_of_failures(page, &flat, "-");
    }
    vp_table_end(page);
    verified(page, r);
    vp_page_say(page, VP_IN_BOTH, "What is not right, by family:");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "family");
    vp_table_column(page, true, "sets");
    for (size_t w = 0; w < whos; w++)
        vp_table_column(page, true, "%s", who[w]);
    for (size_t f = 0; f < families; f++) {
        vp_table_row(page);
        vp_table_cell(page, "%s", family[f]);
        vp_table_cell(page, "%zu", tally_of(trials, who[0], family[f], ANY).sets);
        for (size_t w = 0; w < whos; w++) {
            const tally t = tally_of(trials, who[w], family[f], ANY);
            cell_of_failures(page, &t, "0");
        }
    }
    vp_table_end(page);
}

/* ---- time ---- */

static const vp_measured *row_of(const vp_bench *bench, const char *of, const char *who, const char *data)
{
    for (size_t i = 0; i < bench->count; i++)
        if (strcmp(bench->row[i].kernel, of) == 0 && strcmp(bench->row[i].who, who) == 0 && strcmp(bench->row[i].data, data) == 0)
            return &bench->row[i];
    return NULL;
}

/* The fastest other library on a set. @param right  only those whose hull has no faults */
static double fastest(const vp_bench *bench, const char *data, bool right)
{
    double least = NAN;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, kernel) == 0 && m->kind == VP_WHO_PEER && strcmp(m->data, data) == 0 && (!right || !(m->counter[VP_HULL_FAULTS] > 0)))
            least = fmin(least, vp_measured_ns(m));
    }
    return least;
}

static void cell_of_time(vp_page *page, const vp_measured *m)
{
    if (m == NULL)
        vp_table_cell(page, "-");
    else if (m->error != NULL)
        vp_table_cell(page, "%s", m->error);
    else
        vp_table_cell(page, "%s%s", vp_figure_of(vp_measured_ns(m) / 1e3).text, m->counter[VP_HULL_FAULTS] > 0 ? " (not right)" : "");
}

static void cell_of_ratio(vp_page *page, double ratio)
{
    vp_table_cell(page, "%s", isnan(ratio) ? "-" : vp_figure_times(ratio).text);
}

static void times(vp_page *page, const vp_bench *bench, const char *best)
{
    const char *who[MOST_WHO];
    int rank[MOST_WHO];
    size_t whos = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        const size_t before = whos;
        if (strcmp(m->kernel, kernel) == 0 && m->kind != VP_WHO_LIMIT && m->kind != VP_WHO_SIMDE)
            put_name(who, &whos, MOST_WHO, m->who);
        if (whos == before)
            continue;
        size_t at = before;
        for (; at != 0 && rank[at - 1] > m->rank[2]; at--) { /* not every set is everybody's, and the first may be of few */
            who[at] = who[at - 1];
            rank[at] = rank[at - 1];
        }
        who[at] = m->who;
        rank[at] = m->rank[2];
    }
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Time of a hull beside other libraries");
    vp_page_say(page, VP_IN_BOTH,
                "Microseconds a hull, whole, on sets that other libraries were asked. \"Not right\": what it makes of this set fails the same validator; "
                "its time is shown all the same. In words: why there is no time.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "points");
    for (size_t w = 0; w < whos; w++)
        vp_table_column(page, true, "%s", who[w]);
    vp_table_column(page, true, "%s over the fastest library", best != NULL ? best : "ours");
    vp_table_column(page, true, "over the fastest that is right");
    const char *before = "";
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, kernel) != 0 || m->kind != VP_WHO_PEER || strcmp(before, m->data) == 0)
            continue;
        before = m->data;
        const double ns = best == NULL ? NAN : vp_measured_ns(row_of(bench, kernel, best, m->data));
        vp_table_row(page);
        vp_table_cell(page, "%s", m->data);
        for (size_t w = 0; w < whos; w++)
            cell_of_time(page, row_of(bench, kernel, who[w], m->data));
        cell_of_ratio(page, fastest(bench, m->data, false) / ns);
        cell_of_ratio(page, fastest(bench, m->data, true) / ns);
    }
    vp_table_end(page);
}

/* ---- polygons ---- */

/* Of a library, how many of three polygons it refuses, and how its corners differ from the reference's. */
static void cell_of_polygons(vp_page *page, const vp_measured *m)
{
    static const struct {
        vp_counter counter;
        const char *what;
    } part[] = {{VP_POLYGONS_REFUSED, "of 3 refused"}, {VP_POLYGONS_MISSING, "missing"}, {VP_POLYGONS_EXTRA, "too many"},
                {VP_POLYGONS_TURNED, "turned"}};
    char text[160] = "";
    if (m == NULL || m->error != NULL) {
        vp_table_cell(page, "%s", m == NULL ? "-" : m->error);
        return;
    }
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        if (m->counter[part[i].counter] > 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.0f %s", text[0] != '\0' ? ", " : " (", m->counter[part[i].counter],
                     part[i].what);
    vp_table_cell(page, "%s%s%s", vp_figure_of(vp_measured_ns(m) / 1e3).text, text, text[0] != '\0' ? ")" : "");
}

static void polygons(vp_page *page, const vp_bench *bench)
{
    const char *peer[MOST_WHO], *best = best_of(bench, polygon_kernel), *ours = best != NULL ? best : "ours";
    size_t peers = 0;
    for (size_t i = 0; i < bench->count; i++)
        if (strcmp(bench->row[i].kernel, polygon_kernel) == 0 && bench->row[i].kind == VP_WHO_PEER)
            put_name(peer, &peers, MOST_WHO, bench->row[i].who);
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "Polygons");
    vp_page_say(page, VP_IN_BOTH,
                "Microseconds for the three polygons around a set's shadows along x, y and z. In brackets is what differs: shadows that a "
                "library refuses, corners of the reference's that it misses, corners too many, polygons that turn another way. A time with "
                "refusals is no time of three polygons, and nothing is compared with it.");
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "points");
    vp_table_column(page, true, "%s", ours);
    vp_table_column(page, true, "scalar");
    for (size_t p = 0; p < peers; p++)
        vp_table_column(page, true, "%s", peer[p]);
    vp_table_column(page, true, "%s over scalar", ours);
    for (size_t p = 0; p < peers; p++)
        vp_table_column(page, true, "over %s", peer[p]);
    const char *before = "";
    for (size_t i = 0; i < bench->count; i++) {
        const char *data = bench->row[i].data;
        if (strcmp(bench->row[i].kernel, polygon_kernel) != 0 || bench->row[i].kind != VP_WHO_PEER || strcmp(before, data) == 0)
            continue;
        before = data;
        const vp_measured *mine = best == NULL ? NULL : row_of(bench, polygon_kernel, best, data);
        const vp_measured *scalar = row_of(bench, polygon_kernel, "scalar", data);
        const double ns = vp_measured_ns(mine);
        vp_table_row(page);
        vp_table_cell(page, "%s", data);
        cell_of_polygons(page, mine);
        cell_of_polygons(page, scalar);
        for (size_t p = 0; p < peers; p++)
            cell_of_polygons(page, row_of(bench, polygon_kernel, peer[p], data));
        cell_of_ratio(page, vp_measured_ns(scalar) / ns);
        for (size_t p = 0; p < peers; p++) {
            const vp_measured *m = row_of(bench, polygon_kernel, peer[p], data);
            cell_of_ratio(page, m != NULL && m->counter[VP_POLYGONS_REFUSED] > 0 ? NAN : vp_measured_ns(m) / ns);
        }
    }
    vp_table_end(page);
}

/* ---- how time grows ---- */

/* How many points a set "lattice/10000" has: about so many. */
static double points_of(const char *family, const char *size)
{
    vp_family of;
    return vp_family_find(family, &of) ? vp_family_points(of, (uint32_t)strtoul(size, NULL, 10)) : atof(size);
}

/* The exponent of the number of points that time grows with: least squares on the logarithms of both. NaN for fewer than three
   sizes. */
static double exponent(const vp_bench *bench, const char *who, const char *family)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int s = 0; s < SIZES; s++) {
        const double ns = vp_measured_ns(find(bench, who, family, sizes[s])), x = log(points_of(family, sizes[s])), y = log(ns);
        if (isnan(ns))
            continue;
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return n < 3 ? NAN : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* The families that grow, in the order of the file. */
static size_t growing(const vp_bench *bench, const char *who, const char *family[MOST_FAMILIES], char names[MOST_FAMILIES][64])
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count && count < MOST_FAMILIES; i++) {
        const vp_measured *m = &bench->row[i];
        if (strcmp(m->kernel, kernel) != 0 || strcmp(m->who, who) != 0)
            continue;
        const size_t before = count;
        snprintf(names[count], sizeof names[count], "%.*s", (int)(strcspn(m->data, "/") % sizeof names[count]), m->data);
        put_name(family, &count, MOST_FAMILIES, names[count]);
        if (count > before && isnan(exponent(bench, who, family[before])))
            count = before;
    }
    return count;
}

static void growth(vp_page *page, const vp_bench *bench, const char *best)
{
    char names[MOST_FAMILIES][64];
    const char *family[MOST_FAMILIES];
    const size_t families = growing(bench, best, family, names);
    if (families == 0)
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "How the time of a hull grows");
    vp_page_say(page, VP_IN_BOTH,
                "Microseconds a hull by %s; the exponent of the number of points that time grows with, by least squares on the logarithms of both; "
                "the reference's; and the time over that of a sphere of as many points, all of which are vertices, at the size where that is most.",
                best);
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "family");
    for (int s = 0; s < SIZES; s++)
        vp_table_column(page, true, "%s", sizes[s]);
    vp_table_column(page, true, "exponent");
    vp_table_column(page, true, "scalar: exponent");
    vp_table_column(page, true, "over the sphere, at most");
    for (size_t f = 0; f < families; f++) {
        double most = NAN;
        vp_table_row(page);
        vp_table_cell(page, "%s", family[f]);
        for (int s = 0; s < SIZES; s++) {
            const double ns = vp_measured_ns(find(bench, best, family[f], sizes[s]));
            vp_table_cell(page, "%s", isnan(ns) ? "-" : vp_figure_of(ns / 1e3).text);
            most = fmax(most, ns / vp_measured_ns(find(bench, best, "sphere", sizes[s])));
        }
        const double reference = exponent(bench, "scalar", family[f]);
        vp_table_cell(page, "%s", vp_figure_of(exponent(bench, best, family[f])).text);
        vp_table_cell(page, "%s", isnan(reference) ? "-" : vp_figure_of(reference).text);
        cell_of_ratio(page, most);
    }
    vp_table_end(page);
}

static void growth_plot(vp_page *page, const vp_result *r, const char *best)
{
    static const struct {
        const char *family, *style;
    } drawn[] = {{"sphere", "c-peer"},      {"uv-sphere", "c-words"},  {"cylinder", "c-neon"},   {"ball", "c-avx512"},
                 {"cube", "c-avx2"},        {"duplicates", "c-limit"}, {"cube-grid-turned", "c-autovec"}, {"coplanar", "c-scalar"}};
    static const char *const bytes[SIZES] = {"1.2 kB", "12 kB", "120 kB", "1.2 MB", "12 MB"};
    vp_lines *plot = calloc(1, sizeof *plot);
    vp_writing svg = {0};
    char title[96];
    if (plot == NULL) {
        page->html.failed = true;
        return;
    }
    snprintf(title, sizeof title, "Hulls: time of a point against the number of points, %.30s", best);
    plot->title = title;
    plot->x_axis = "points, or about as many, of 12 bytes each (logarithmic)";
    plot->y_axis = "ns per point (logarithmic)";
    plot->point_count = SIZES;
    for (int s = 0; s < SIZES; s++) {
        plot->x[s] = atof(sizes[s]);
        snprintf(plot->x_label[s], sizeof plot->x_label[s], "%s", bytes[s]);
    }
    for (size_t d = 0; d < sizeof drawn / sizeof drawn[0]; d++) {
        const double power = exponent(&r->bench, best, drawn[d].family);
        if (isnan(power))
            continue;
        const size_t at = plot->series_count++;
        plot->series[at].style = drawn[d].style;
        snprintf(plot->series[at].label, sizeof plot->series[at].label, "%s, n^%.2f", drawn[d].family, power);
        for (int s = 0; s < SIZES; s++)
            plot->y[at][s] = vp_measured_ns(find(&r->bench, best, drawn[d].family, sizes[s])) / points_of(drawn[d].family, sizes[s]);
    }
    if (vp_bench_find(&r->bench, kernel, "limit", "ball/1000000") != NULL && plot->series_count != 0) {
        const size_t at = plot->series_count++;
        plot->series[at].style = "c-limit2";
        snprintf(plot->series[at].label, sizeof plot->series[at].label, "limit: read once");
        for (int s = 0; s < SIZES; s++)
            plot->y[at][s] = vp_measured_ns(find(&r->bench, "limit", "ball", sizes[s])) / plot->x[s];
    }
    if (plot->series_count != 0) {
        vp_plot_lines(&svg, plot);
        vp_page_figure(page, &svg,
                       "A line that is level is time in proportion to the number of points. The exponents are of the whole time, by least squares on the logarithms. The dotted line is the time to "
                       "read the points once.",
                       r->link, "bench.json");
    }
    vp_writing_destroy(&svg);
    free(plot);
}

/* ---- what a hull looks at ---- */

static void cell_of(vp_page *page, double value)
{
    vp_table_cell(page, "%s", isnan(value) ? "-" : vp_figure_of(value).text);
}

static void looks(vp_page *page, const vp_bench *bench, const char *best)
{
    static const char *const shown[] = {"10000", "1000000"};
    char names[MOST_FAMILIES][64];
    const char *family[MOST_FAMILIES];
    const size_t families = growing(bench, best, family, names);
    const vp_measured *limit = vp_bench_find(bench, kernel, "limit", "ball/1000000");
    if (families == 0)
        return;
    vp_page_heading(page, VP_IN_BOTH, 4, NULL, "What a hull looks at");
    vp_page_say(page, VP_IN_BOTH,
                "Of each point, by %s: how often it is compared with a plane (beside it, by the reference), how often a pass over points reads it, how often it is given to another face, "
                "and the bytes that this moves, 12 a point that is read, 16 read and 16 written for one that is given away. Triangles that are made, of each "
                "vertex in the end. And how many times as long as reading the points once a hull takes, where the limit was measured: 1 would be the memory's limit. Of flat sets "
                "only comparisons are counted. What is counted is what hull3 does with the points that it is given: not the look at all of them before, for their bounds, nor "
                "that of hull_filter, after which few may be left.",
                best);
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "points");
    vp_table_column(page, true, "vertices");
    vp_table_column(page, true, "comparisons");
    vp_table_column(page, true, "scalar: comparisons");
    vp_table_column(page, true, "passes");
    vp_table_column(page, true, "given to another face");
    vp_table_column(page, true, "bytes");
    vp_table_column(page, true, "triangles a vertex");
    vp_table_column(page, true, "times the limit");
    for (size_t s = 0; s < sizeof shown / sizeof shown[0]; s++)
        for (size_t f = 0; f < families; f++) {
            const vp_measured *m = find(bench, best, family[f], shown[s]), *reference = find(bench, "scalar", family[f], shown[s]);
            const vp_measured *floor_of = find(bench, "limit", "ball", shown[s]);
            if (m == NULL)
                continue;
            vp_table_row(page);
            vp_table_cell(page, "%s/%s", family[f], shown[s]);
            const bool counted = m->counter[VP_TRIANGLES_MADE] > 0;
            if (isnan(m->counter[VP_HULL_VERTICES]))
                vp_table_cell(page, "-");
            else
                vp_table_cell(page, "%.0f", m->counter[VP_HULL_VERTICES]);
            cell_of(page, m->counter[VP_COMPARISONS_PER_POINT]);
            cell_of(page, reference == NULL ? NAN : reference->counter[VP_COMPARISONS_PER_POINT]);
            cell_of(page, counted ? m->counter[VP_LOOKS_PER_POINT] : NAN);
            cell_of(page, counted ? m->counter[VP_MOVES_PER_POINT] : NAN);
            cell_of(page, counted ? 12 * m->counter[VP_LOOKS_PER_POINT] + 32 * m->counter[VP_MOVES_PER_POINT] : NAN);
            cell_of(page, counted ? m->counter[VP_TRIANGLES_MADE] / m->counter[VP_HULL_VERTICES] : NAN);
            cell_of(page, vp_measured_ns(m) / (vp_measured_ns(floor_of) * points_of(family[f], shown[s]) / atof(shown[s])));
        }
    vp_table_end(page);
    if (limit != NULL)
        vp_page_say(page, VP_IN_BOTH, "Reading a million points once takes %s µs, which is %s GB a second.", vp_figure_of(vp_measured_ns(limit) / 1e3).text,
                    vp_figure_of(12e6 / vp_measured_ns(limit)).text);
}

void vp_section_hulls(vp_page *page, const vp_result *r)
{
    const char *best = best_of(&r->bench, kernel);
    if (best == NULL && r->hulls == NULL)
        return;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Convex hulls");
    vp_page_from(page, r->link, "hulls.json", NULL, NULL);
    validity(page, r);
    vp_page_from(page, r->link, "bench.json", NULL, NULL);
    if (vp_bench_has(&r->bench, kernel, VP_WHO_PEER))
        times(page, &r->bench, best);
    if (vp_bench_has(&r->bench, polygon_kernel, VP_WHO_PEER))
        polygons(page, &r->bench);
    if (best == NULL)
        return;
    growth(page, &r->bench, best);
    growth_plot(page, r, best);
    looks(page, &r->bench, best);
}
