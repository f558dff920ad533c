/* SPDX-License-Identifier: MIT */
/* voxphys results compare: which rows of two results differ by more than chance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "tools/command.h"
#include "tools/report_data.h"
#include "tools/results.h"
#include "tools/sample_stats.h"

/* A row of both. */
typedef struct pair {
    const json_t *a, *b;
    const char *name, *file;
    vp_difference d;
    double q;
    const char *verdict; /* "faster", "slower", "alike", "few", "answers" */
} pair;

typedef struct comparison {
    json_t *a, *b;
    pair *list;
    size_t count, only_a, only_b, without; /* rows of one alone; and of both, but without samples in one */
    double alpha, least; /* and the least change that is one */
} comparison;

static double *samples_of(const json_t *row, size_t *count)
{
    const json_t *list = json_object_get(row, "samples_ns");
    *count = json_array_size(list);
    double *sample = malloc((*count + 1) * sizeof *sample);
    for (size_t i = 0; sample != NULL && i < *count; i++)
        sample[i] = json_number_value(json_array_get(list, i));
    return sample;
}

/* What the U test can say at best of so many samples: all of one side below all of the other. */
static double least_p(size_t a, size_t b)
{
    return 2 * exp(lgamma((double)a + 1) + lgamma((double)b + 1) - lgamma((double)(a + b) + 1));
}

static vp_status compare_pair(pair *p, double alpha, vp_error *error)
{
    size_t a_count, b_count;
    double *a = samples_of(p->a, &a_count), *b = samples_of(p->b, &b_count);
    const bool good = a != NULL && b != NULL && vp_difference_of(a, a_count, b, b_count, &p->d);
    free(a);
    free(b);
    p->q = p->d.p;
    if (good && least_p(a_count, b_count) > alpha)
        p->verdict = "few";
    return good ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory to compare %s", p->name);
}

static json_t *by_name(const json_t *rows)
{
    json_t *map = json_object(), *row;
    size_t i;
    json_array_foreach (rows, i, row) {
        json_t *name = json_sprintf("%s:%s", vp_json_text(row, "file"), vp_json_text(row, "name"));
        json_object_set(map, json_string_value(name), row);
        json_decref(name);
    }
    return map;
}

/* Whether the answers are known to be others: then times of the two cannot be compared. */
static bool answers_differ(const json_t *a, const json_t *b)
{
    const char *of_a = vp_json_text(a, "output_hash"), *of_b = vp_json_text(b, "output_hash");
    return of_a != NULL && of_b != NULL && strcmp(of_a, of_b) != 0;
}

static vp_status pair_rows(comparison *c, const char *only, vp_error *error)
{
    const json_t *rows = json_object_get(c->a, "rows"), *row;
    json_t *others = by_name(json_object_get(c->b, "rows")), *name;
    size_t i, found = 0;
    vp_status status = VP_OK;
    c->list = calloc(json_array_size(rows) + 1, sizeof *c->list);
    if (c->list == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %zu rows", json_array_size(rows));
    for (i = 0; status == VP_OK && i < json_array_size(rows); i++) {
        row = json_array_get(rows, i);
        name = json_sprintf("%s:%s", vp_json_text(row, "file"), vp_json_text(row, "name"));
        const json_t *other = json_object_get(others, json_string_value(name));
        json_decref(name);
        found += other != NULL;
        if (only != NULL && strncmp(vp_json_text(row, "name"), only, strlen(only)) != 0)
            continue;
        c->only_a += other == NULL;
        if (other == NULL)
            continue;
        if (!(vp_json_figure(row, "n") > 0) || !(vp_json_figure(other, "n") > 0)) {
            c->without++;
            continue;
        }
        pair *p = &c->list[c->count++];
        *p = (pair){.a = row, .b = other, .name = vp_json_text(row, "name"), .file = vp_json_text(row, "file")};
        if (answers_differ(row, other))
            p->verdict = "answers";
        status = compare_pair(p, c->alpha, error);
    }
    c->only_b = only == NULL ? json_array_size(json_object_get(c->b, "rows")) - found : 0;
    json_decref(others);
    return status;
}

/* The q values of those that can be compared, and what they say. */
static vp_status decide(comparison *c, vp_error *error)
{
    double *p = malloc((c->count + 1) * sizeof *p);
    size_t tests = 0;
    if (p == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu tests", c->count);
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].verdict == NULL)
            p[tests++] = c->list[i].d.p;
    const bool good = vp_false_discovery(p, tests);
    tests = 0;
    for (size_t i = 0; good && i < c->count; i++) {
        pair *of = &c->list[i];
        if (of->verdict != NULL)
            continue;
        of->q = p[tests++];
        const bool differs = of->q <= c->alpha && fabs(log(of->d.ratio)) > log1p(c->least);
        of->verdict = !differs ? "alike" : of->d.ratio < 1 ? "faster" : "slower";
    }
    free(p);
    return good ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %zu tests", tests);
}

/* ---- telling ---- */

static json_t *comparison_json(const comparison *c)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < c->count; i++) {
        const pair *p = &c->list[i];
        json_array_append_new(rows, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:s}", "name", p->name, "file", p->file, "a_ns",
                                              vp_json_figure(p->a, "median_ns"), "b_ns", vp_json_figure(p->b, "median_ns"), "ratio", p->d.ratio,
                                              "delta", p->d.delta, "p", p->d.p, "q", p->q, "exact", p->d.exact, "verdict", p->verdict));
    }
    return json_pack("{s:f, s:f, s:I, s:I, s:I, s:o}", "alpha", c->alpha, "least_change", c->least, "only_in_a", (json_int_t)c->only_a, "only_in_b",
                     (json_int_t)c->only_b, "without_samples", (json_int_t)c->without, "rows", rows);
}

static size_t count_of(const comparison *c, const char *verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += strcmp(c->list[i].verdict, verdict) == 0;
    return count;
}

/* The geometric mean of how many times as long B takes, over all rows that can be compared. */
static double mean_ratio(const comparison *c)
{
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->list[i].verdict, "answers") != 0) {
            sum += log(c->list[i].d.ratio);
            count += 1;
        }
    return count > 0 ? exp(sum / count) : NAN;
}

static int by_ratio(const void *left, const void *right)
{
    const pair *a = left, *b = right;
    return a->d.ratio < b->d.ratio ? -1 : a->d.ratio > b->d.ratio ? 1 : strcmp(a->name, b->name);
}

static void say(comparison *c, bool all)
{
    const char *machine_a = vp_json_text(c->a, "machine.name"), *machine_b = vp_json_text(c->b, "machine.name");
    if (machine_a != NULL && machine_b != NULL && strcmp(machine_a, machine_b) != 0)
        printf("%s and %s are two machines: ratios say as much of them as of the programs\n", machine_a, machine_b);
    qsort(c->list, c->count, sizeof *c->list, by_ratio);
    if (all || count_of(c, "faster") + count_of(c, "slower") + count_of(c, "answers") != 0)
        printf("%-64s %12s %12s %8s %6s %9s  %s\n", "row", "A, ns", "B, ns", "B/A", "delta", "q", "B is");
    for (size_t i = 0; i < c->count; i++) {
        const pair *p = &c->list[i];
        const bool other = strcmp(p->verdict, "answers") == 0;
        if (all || other || strcmp(p->verdict, "faster") == 0 || strcmp(p->verdict, "slower") == 0)
            printf("%-64s %12.5g %12.5g %8.4g %6.2f %9.2g  %s%s%s\n", p->name, vp_json_figure(p->a, "median_ns"), vp_json_figure(p->b, "median_ns"),
                   p->d.ratio, p->d.delta, p->q, other ? "not the same work: other answers" : strcmp(p->verdict, "few") == 0 ? "unknown: too few samples" : p->verdict,
                   strcmp(p->file, "bench.json") == 0 ? "" : ", in ", strcmp(p->file, "bench.json") == 0 ? "" : p->file);
    }
    printf("%zu rows of both: %zu faster in B, %zu slower, %zu alike, %zu with too few samples, %zu with other answers; %zu without samples; %zu only "
           "in A, %zu only in B\n",
           c->count, count_of(c, "faster"), count_of(c, "slower"), count_of(c, "alike"), count_of(c, "few"), count_of(c, "answers"), c->without,
           c->only_a, c->only_b);
    if (c->count != 0)
        printf("B takes %.4g times as long as A, as the geometric mean of all. A row is called faster or slower where q is at most %.3g and the\n"
               "medians differ by more than %.2g %%.\n",
               mean_ratio(c), c->alpha, c->least * 100);
}

/* ---- the command ---- */

static vp_status load(const char *given, json_t **out, vp_error *error)
{
    char path[4096];
    vp_findings f = {json_array(), json_array()};
    vp_status status = vp_results_path(given, path, error);
    if (status == VP_OK)
        status = vp_results_load(path, out, error);
    if (status == VP_OK && !vp_results_form(*out, &f))
        status = vp_fail(error, VP_E_FORMAT, "%s: %.300s", vp_show_path(path).text, json_string_value(json_array_get(f.problems, 0)));
    json_decref(f.problems);
    json_decref(f.remarks);
    return status;
}

static double noise_of(const json_t *results)
{
    const double score = vp_json_figure(results, "noise.score");
    return score > 0 ? score : 0.0;
}

int vp_results_compare(int argc, char **argv)
{
    const char *json, *all, *alpha_text, *least_text, *only;
    const vp_option options[] = {
        {"--alpha", "P", "of the rows called faster or slower, at most this share is expected to be chance (0.05)", &alpha_text},
        {"--least", "SHARE", "the least change that counts (what the same thing measured twice differs by in A or B, or 0.01)", &least_text},
        {"--rows", "BEGINNING", "only rows whose names begin so, e.g. kd_ray/avx2", &only},
        {"--all", NULL, "show rows that are alike too", &all},
        {"--json", NULL, "print JSON, all rows", &json},
    };
    const vp_usage usage = {"results compare", "A B [OPTION...]",
                            "Compares two results.json files, or folders that have one, row by row: how many times as long B takes (medians), how often\n"
                            "a sample of B is above one of A (Cliff's delta, -1 to 1), and how probable that is by chance (two-sided Mann-Whitney U test,\n"
                            "exact up to 8 samples; q is corrected for the number of rows, after Benjamini and Hochberg).",
                            options, sizeof options / sizeof options[0], 2, 2};
    int count, code = VP_EXIT_DONE;
    float alpha = 0.05f, least = -1.0f;
    vp_error error;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if ((alpha_text != NULL && !vp_parse_float("results compare", "--alpha", alpha_text, &alpha)) ||
        (least_text != NULL && !vp_parse_float("results compare", "--least", least_text, &least)))
        return VP_EXIT_USAGE;
    if (!(alpha > 0.0f) || alpha >= 1.0f)
        return vp_command_usage("results compare", "--alpha '%s' is not between 0 and 1", alpha_text);
    if (least_text != NULL && least < 0.0f)
        return vp_command_usage("results compare", "--least '%s' is below 0", least_text);
    comparison c = {.alpha = (double)alpha};
    vp_status status = load(argv[1], &c.a, &error);
    if (status == VP_OK)
        status = load(argv[2], &c.b, &error);
    if (status == VP_OK) {
        c.least = least_text != NULL ? (double)least : fmax(0.01, fmax(noise_of(c.a), noise_of(c.b)));
        status = pair_rows(&c, only, &error);
    }
    if (status == VP_OK)
        status = decide(&c, &error);
    if (status != VP_OK)
        code = vp_command_fail("results compare", &error);
    else if (json != NULL)
        code = vp_print_json(comparison_json(&c));
    else
        say(&c, all != NULL);
    free(c.list);
    json_decref(c.a);
    json_decref(c.b);
    return code;
}
