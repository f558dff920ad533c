/* SPDX-License-Identifier: MIT */
/* Figures that several parts of the report tell: ratios, ranges, units, and how they are written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report_sections.h"

/* Decimals that show three digits of a value. */
static int decimals_of(double value)
{
    double size = fabs(value);
    return size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.0995 || !(size > 0) ? 2 : 4;
}

vp_figure vp_figure_of(double value)
{
    vp_figure f;
    if (!isfinite(value))
        snprintf(f.text, sizeof f.text, "unknown");
    else
        snprintf(f.text, sizeof f.text, "%.*f", decimals_of(value), value);
    return f;
}

vp_figure vp_figure_times(double ratio)
{
    vp_figure f = vp_figure_of(ratio);
    if (isfinite(ratio))
        snprintf(f.text + strlen(f.text), sizeof f.text - strlen(f.text), "×");
    return f;
}

vp_figure vp_figure_spread(double value, double spread)
{
    vp_figure f = vp_figure_of(value);
    int decimals = decimals_of(value);
    while (decimals < 3 && spread > 0 && spread < 0.5 * pow(10, -decimals)) /* not 0 where it is not */
        decimals++;
    if (isfinite(value) && isfinite(spread))
        snprintf(f.text + strlen(f.text), sizeof f.text - strlen(f.text), " ± %.*f", decimals, spread);
    return f;
}

size_t vp_versions_of(const vp_bench *bench, const char *who[VP_VERSIONS_MOST])
{
    const vp_measured *found[VP_VERSIONS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        bool known = m->kind != VP_WHO_ISA;
        for (size_t k = 0; k < count; k++)
            known = known || strcmp(found[k]->who, m->who) == 0;
        if (known || count == VP_VERSIONS_MOST)
            continue;
        size_t at = count++;
        for (; at != 0 && found[at - 1]->rank[2] > m->rank[2]; at--)
            found[at] = found[at - 1];
        found[at] = m;
    }
    for (size_t k = 0; k < count; k++)
        who[k] = found[k]->who;
    return count;
}

bool vp_is_kernel(const char *kernel)
{
    return strncmp(kernel, "stream_", 7) != 0 && strcmp(kernel, "nop") != 0 &&
           strcmp(kernel, "build_world") != 0 && strcmp(kernel, "terrain_prepare") != 0 && strcmp(kernel, "noise") != 0;
}

double vp_faster_scalar(const vp_result *r, const char *kernel, const char *data)
{
    double gcc = vp_measured_ns(vp_bench_find(&r->bench, kernel, "scalar", data));
    double clang = vp_measured_ns(vp_bench_find(&r->clang, kernel, "scalar", data));
    return fmin(gcc, clang); /* of a NaN and a number it is the number */
}

vp_figure vp_unit_of(const vp_measured *m)
{
    vp_figure f;
    size_t length = strcspn(m->label, " ,");
    if (strcmp(m->kernel, "hull2") == 0) /* a set's shadows along the three axes */
        snprintf(f.text, sizeof f.text, "three polygons");
    else if (length == 0 || length >= 24)
        snprintf(f.text, sizeof f.text, "item");
    else if (length > 3 && strncmp(m->label + length - 3, "ies", 3) == 0)
        snprintf(f.text, sizeof f.text, "%.*sy", (int)length - 3, m->label);
    else
        snprintf(f.text, sizeof f.text, "%.*s", (int)length - (m->label[length - 1] == 's'), m->label);
    return f;
}

static void widen(vp_range *range, double *sum, double ratio)
{
    if (isnan(ratio))
        return;
    *sum += log(ratio);
    range->low = fmin(range->low, ratio);
    range->high = fmax(range->high, ratio);
    range->count++;
    range->mean = exp(*sum / (double)range->count);
}

static bool is_by(const vp_measured *m, const char *kernel, const char *who)
{
    return strcmp(m->kernel, kernel) == 0 && strcmp(m->who, who) == 0;
}

vp_range vp_speed_range(const vp_bench *bench, const char *kernel, const char *who, const char *baseline)
{
    vp_range range = {NAN, NAN, NAN, 0};
    double sum = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (is_by(m, kernel, who))
            widen(&range, &sum, vp_measured_ns(vp_bench_find(bench, kernel, baseline, m->data)) / vp_measured_ns(m));
    }
    return range;
}

vp_range vp_plain_range(const vp_result *r, const char *kernel, const char *who, const char *suffix)
{
    vp_range range = {NAN, NAN, NAN, 0};
    double sum = 0;
    char scalar[48], autovec[48];
    snprintf(scalar, sizeof scalar, "scalar%.24s", suffix);
    snprintf(autovec, sizeof autovec, "scalar-autovec%.24s", suffix);
    for (size_t i = 0; i < r->bench.count; i++) {
        const vp_measured *m = &r->bench.row[i];
        if (!is_by(m, kernel, who))
            continue;
        double least = fmin(vp_measured_ns(vp_bench_find(&r->bench, kernel, scalar, m->data)), vp_measured_ns(vp_bench_find(&r->bench, kernel, autovec, m->data)));
        least = fmin(least, vp_measured_ns(vp_bench_find(&r->clang, kernel, scalar, m->data)));
        widen(&range, &sum, fmin(least, vp_measured_ns(vp_bench_find(&r->clang, kernel, autovec, m->data))) / vp_measured_ns(m));
    }
    return range;
}

static double fastest_peer(const vp_bench *bench, const char *kernel, const char *data, bool also_wrong)
{
    double least = NAN;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (m->kind == VP_WHO_PEER && strcmp(m->kernel, kernel) == 0 && strcmp(m->data, data) == 0 && strstr(m->who, "-cold") == NULL &&
            (also_wrong || (!(m->counter[VP_HULL_FAULTS] > 0) && !(m->counter[VP_POLYGONS_REFUSED] > 0))))
            least = fmin(least, vp_measured_ns(m));
    }
    return least;
}

double vp_fastest_peer(const vp_bench *bench, const char *kernel, const char *data)
{
    return fastest_peer(bench, kernel, data, false);
}

static vp_range peer_range(const vp_bench *bench, const char *kernel, const char *who, bool also_wrong)
{
    vp_range range = {NAN, NAN, NAN, 0};
    double sum = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const vp_measured *m = &bench->row[i];
        if (is_by(m, kernel, who))
            widen(&range, &sum, fastest_peer(bench, kernel, m->data, also_wrong) / vp_measured_ns(m));
    }
    return range;
}

vp_range vp_peer_range(const vp_bench *bench, const char *kernel, const char *who)
{
    return peer_range(bench, kernel, who, false);
}

vp_range vp_any_peer_range(const vp_bench *bench, const char *kernel, const char *who)
{
    return peer_range(bench, kernel, who, true);
}

/* ---- noise ---- */

const vp_measured *vp_measured_again(const vp_bench *bench, const vp_measured *m)
{
    char name[96];
    if (strcmp(m->kernel, "noise") == 0)
        return strcmp(m->who, "first") == 0 ? vp_bench_find(bench, "noise", "second", m->data) : NULL;
    if (m->kind == VP_WHO_PEER)
        return NULL;
    snprintf(name, sizeof name, "%.80s-quads", m->who);
    return vp_bench_find(bench, m->kernel, name, m->data);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

vp_noise vp_noise_of(const vp_bench *bench)
{
    vp_noise noise = {NAN, NAN, 0};
    double *factor = bench->count != 0 ? malloc(bench->count * sizeof *factor) : NULL;
    for (size_t i = 0; factor != NULL && i < bench->count; i++) {
        const double ratio = vp_measured_ns(vp_measured_again(bench, &bench->row[i])) / vp_measured_ns(&bench->row[i]);
        if (ratio > 0 && isfinite(ratio))
            factor[noise.count++] = exp(fabs(log(ratio))) - 1;
    }
    if (noise.count != 0) {
        qsort(factor, noise.count, sizeof *factor, ascending);
        noise.typical = noise.count % 2 != 0 ? factor[noise.count / 2] : (factor[noise.count / 2 - 1] + factor[noise.count / 2]) / 2;
        noise.most = factor[noise.count - 1];
    }
    free(factor);
    return noise;
}

double vp_disagreements(const vp_result *r)
{
    double sum = 0;
    size_t i;
    const json_t *entry;
    if (r->verify == NULL)
        return NAN;
    json_array_foreach (json_object_get(r->verify, "checks"), i, entry)
        sum += vp_json_figure(entry, "mismatches") > 0;
    return sum;
}

bool vp_is_refusal(const vp_measured *m)
{
    return m->error != NULL && !(m->kind == VP_WHO_PEER && strncmp(m->kernel, "hull", 4) == 0);
}

size_t vp_refusals(const vp_result *r)
{
    size_t sum = 0;
    const vp_bench *const all[] = {&r->bench, &r->limits, &r->clang};
    for (size_t b = 0; b < sizeof all / sizeof all[0]; b++)
        for (size_t i = 0; i < all[b]->count; i++)
            sum += vp_is_refusal(&all[b]->row[i]);
    return sum;
}

bool vp_bench_has(const vp_bench *bench, const char *kernel, vp_who kind)
{
    for (size_t i = 0; i < bench->count; i++)
        if (bench->row[i].kind == kind && (kernel == NULL || strcmp(bench->row[i].kernel, kernel) == 0))
            return true;
    return false;
}

void vp_table_cell_time(vp_page *page, const vp_measured *m)
{
    vp_table_cell(page, "%s",
                  m == NULL ? "-" : vp_figure_spread(vp_measured_ns(m), vp_measured_spread(m)).text);
}

void vp_table_cell_range(vp_page *page, vp_range range)
{
    if (range.count == 0)
        vp_table_cell(page, "-");
    else if (range.count == 1)
        vp_table_cell(page, "%s", vp_figure_times(range.mean).text);
    else
        vp_table_cell(page, "%s (%s to %s)", vp_figure_times(range.mean).text, vp_figure_of(range.low).text,
                      vp_figure_of(range.high).text);
}

const char *vp_style_of(const char *who)
{
    static const char *const styles[] = {[VP_WHO_SCALAR] = "c-scalar", [VP_WHO_AUTOVEC] = "c-autovec", [VP_WHO_ISA] = "c-neon", [VP_WHO_SIMDE] = "c-neon",
                                         [VP_WHO_PEER] = "c-peer", [VP_WHO_LIMIT] = "c-limit", [VP_WHO_OTHER] = "c-neon"};
    if (strcmp(who, "scalar-words") == 0)
        return "c-words";
    if (strncmp(who, "avx2", 4) == 0)
        return "c-avx2";
    return strncmp(who, "avx512", 6) == 0 ? "c-avx512" : styles[vp_who_of(who)];
}
