/* SPDX-License-Identifier: MIT */
/* voxphys results compare: finds rows of two results that differ by more than chance, rows that are alike, and
 * undecided rows. It uses only samples and their rounds, and recomputes all values derived from them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "host/program.h"
#include "tools/results/files.h"
#include "tools/results/results.h"
#include "tools/results/sample_stats.h"

enum { APART_SHOWN = 20 };

typedef enum verdict { FASTER, SLOWER, ALIKE, UNDECIDED, OTHER_WORK, NO_SAMPLES, VERDICTS } verdict;
static const char *const verdict_name[] = {"faster", "slower", "alike", "undecided", "other work", "no samples"};

/* One of the two files. */
typedef struct side {
    const char *letter, *given;
    json_t *results;
    json_t *by_name;                       /* rows by name */
    json_t *problems;                      /* reasons why it is invalid. NULL = not judged */
    char unjudged[VP_ERROR_MESSAGE_BYTES]; /* reason why it was not judged */
    double noise;                          /* NaN = unknown */
} side;

/* Samples and rounds of a row. */
typedef struct series {
    double *sample;
    int64_t *round;
    size_t count;
    vp_rounds rounds;
} series;

/* A row that both files have. */
typedef struct pair {
    const json_t *a, *b;
    const char *name, *file;
    vp_difference d; /* NaN except the medians, if the row is not compared */
    vp_ratio ratio;
    double q;
    size_t rounds_a, rounds_b;
    bool rounds_apart; /* at least two rounds per side, and all medians of A on one side of all of B's */
    bool apart;        /* all samples of B on one side of all of A's, and the medians differ by the least change or more */
    bool unsure;       /* only one file identifies the data or answers */
    verdict verdict;
    const char *because; /* reason of the last three verdicts */
} pair;

typedef struct comparison {
    side a, b;
    pair *list;
    size_t count, only_a, only_b, tests; /* tests: number of compared rows */
    double alpha, least;                 /* significance level, and least relevant change */
} comparison;

/* A text from a file, for a terminal. Control characters become escapes such as \x0a. */
typedef struct shown {
    char text[1000];
} shown;

static shown plain(const char *text)
{
    shown out;
    vp_escape(text, out.text, sizeof out.text);
    return out;
}

/* ---- reading ---- */

/* The key of a row. A file's name may have any character, so its length precedes it. */
static json_t *key_of(const json_t *row)
{
    const char *file = vp_json_text(row, "file");
    return vp_json_format("%zu %s %s", strlen(file), file, vp_json_text(row, "name"));
}

static vp_status list_rows(side *s, vp_error *error)
{
    const json_t *rows = json_object_get(s->results, "rows");
    json_t *row;
    size_t i;
    vp_status status = VP_OK;
    s->by_name = json_object();
    json_array_foreach (rows, i, row) {
        json_t *key = key_of(row);
        if (json_object_get(s->by_name, json_string_value(key)) != NULL)
            status = vp_fail(error, VP_E_FORMAT, "%s: row %.120s of %.20s: it is there twice", s->letter,
                             plain(vp_json_text(row, "name")).text, plain(vp_json_text(row, "file")).text);
        json_object_set(s->by_name, json_string_value(key), row);
        json_decref(key);
        if (status != VP_OK)
            break;
    }
    return status;
}

/* Reads a row's samples. There are none if the benchmark was refused. */
static vp_status read_series(const json_t *row, series *out, vp_error *error)
{
    const json_t *samples = json_object_get(row, "samples_ns"), *rounds = json_object_get(row, "rounds");
    out->count = vp_json_text(row, "error") != NULL ? 0 : json_array_size(samples);
    out->sample = malloc((out->count + 1) * sizeof *out->sample);
    out->round = malloc((out->count + 1) * sizeof *out->round);
    bool good = out->sample != NULL && out->round != NULL;
    for (size_t i = 0; good && i < out->count; i++) {
        out->sample[i] = json_number_value(json_array_get(samples, i));
        out->round[i] = json_integer_value(json_array_get(rounds, i));
    }
    good = good && vp_rounds_of(out->sample, out->round, out->count, &out->rounds);
    return good ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %zu samples", out->count);
}

static void drop_series(series *of)
{
    free(of->sample);
    free(of->round);
}

/* ---- comparing ---- */

/* The reason why two rows have different work, so that their times can't be compared, or NULL. *unsure = whether only
   one row identifies its data or answers. */
static const char *other_work(const json_t *a, const json_t *b, bool *unsure)
{
    static const struct {
        const char *member, *what;
    } of[] = {{"item", "other items"}, {"unit", "another unit"}, {"dataset_hash", "other data"}, {"output_hash", "other answers"}};
    *unsure = false;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        const char *of_a = vp_json_text(a, of[i].member), *of_b = vp_json_text(b, of[i].member);
        if (of_a != NULL && of_b != NULL && strcmp(of_a, of_b) != 0)
            return of[i].what;
        *unsure = *unsure || (of_a == NULL) != (of_b == NULL);
    }
    return NULL;
}

static vp_status measure_pair(pair *p, const series *a, const series *b, vp_ratio_rank *rank, vp_error *error)
{
    if (!vp_difference_of(a->sample, a->count, b->sample, b->count, &p->d) ||
        !vp_ratio_of(a->sample, a->count, b->sample, b->count, rank, &p->ratio))
        return vp_fail(error, VP_E_MEMORY, "no memory to compare %zu samples", a->count + b->count);
    p->rounds_a = a->rounds.count;
    p->rounds_b = b->rounds.count;
    p->rounds_apart = p->rounds_a >= 2 && p->rounds_b >= 2 && (a->rounds.most < b->rounds.least || b->rounds.most < a->rounds.least);
    p->because = other_work(p->a, p->b, &p->unsure);
    p->verdict = p->because != NULL ? OTHER_WORK : UNDECIDED;
    if (a->count == 0 || b->count == 0) {
        p->verdict = NO_SAMPLES;
        p->because = a->count != 0 ? "no samples in B" : b->count != 0 ? "no samples in A" : "no samples in A and B";
    }
    if (p->verdict != UNDECIDED) { /* incomparable rows have no statistics */
        p->d.ratio = p->d.delta = p->d.p = p->ratio.low = p->ratio.high = NAN;
        p->d.exact = false;
    }
    p->q = p->d.p;
    return VP_OK;
}

static vp_status compare_pair(pair *p, vp_ratio_rank *rank, vp_error *error)
{
    series a = {0}, b = {0};
    vp_status status = read_series(p->a, &a, error);
    if (status == VP_OK)
        status = read_series(p->b, &b, error);
    if (status == VP_OK)
        status = measure_pair(p, &a, &b, rank, error);
    drop_series(&a);
    drop_series(&b);
    return status;
}

/* The corresponding row of the other file. */
static const json_t *same_row(const side *other, const json_t *row)
{
    json_t *key = key_of(row);
    const json_t *found = json_object_get(other->by_name, json_string_value(key));
    json_decref(key);
    return found;
}

static bool is_chosen(const json_t *row, const char *only)
{
    return only == NULL || strncmp(vp_json_text(row, "name"), only, strlen(only)) == 0;
}

static vp_status pair_rows(comparison *c, const char *only, vp_error *error)
{
    const json_t *of_a = json_object_get(c->a.results, "rows"), *of_b = json_object_get(c->b.results, "rows"), *row;
    vp_ratio_rank rank = {0};
    size_t i;
    vp_status status = VP_OK;
    c->list = calloc(json_array_size(of_a) + 1, sizeof *c->list);
    if (c->list == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu rows", json_array_size(of_a));
    json_array_foreach (of_a, i, row) {
        if (!is_chosen(row, only))
            continue;
        const json_t *other = same_row(&c->b, row);
        c->only_a += other == NULL;
        if (other == NULL)
            continue;
        pair *p = &c->list[c->count++];
        *p = (pair){.a = row, .b = other, .name = vp_json_text(row, "name"), .file = vp_json_text(row, "file")};
        status = compare_pair(p, &rank, error);
        if (status != VP_OK)
            return status;
    }
    json_array_foreach (of_b, i, row)
        c->only_b += is_chosen(row, only) && same_row(&c->a, row) == NULL;
    if (only != NULL && c->count + c->only_a + c->only_b == 0)
        return vp_fail(error, VP_E_ARGUMENT, "no row of A or B has a name that begins with \"%.60s\"", only);
    return VP_OK;
}

/* A ratio or its inverse, minus 1. At least 0. */
static double change_of(double ratio)
{
    return fabs(log(ratio));
}

static void judge_pair(const comparison *c, pair *p)
{
    const double least = log1p(c->least);
    const bool differs = change_of(p->d.ratio) >= least, known = !isnan(p->ratio.low);
    p->apart = differs && fabs(p->d.delta) >= 1;
    if (p->rounds_a < 2 || p->rounds_b < 2)
        p->because = "one round";
    else if (p->q <= c->alpha && differs && p->rounds_apart)
        p->verdict = p->d.ratio < 1 ? FASTER : SLOWER;
    else if (known && change_of(p->ratio.low) <= least && change_of(p->ratio.high) <= least)
        p->verdict = ALIKE;
    else if (p->apart || !known)
        p->because = "few samples";
    else if (p->q <= c->alpha && differs)
        p->because = "rounds overlap";
    else
        p->because = "wide scatter";
}

/* Computes q values of the compared rows, and decides their verdicts. */
static vp_status decide(comparison *c, vp_error *error)
{
    double *p = malloc((c->count + 1) * sizeof *p);
    if (p == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu tests", c->count);
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].verdict == UNDECIDED)
            p[c->tests++] = c->list[i].d.p;
    const bool good = vp_false_discovery(p, c->tests);
    for (size_t i = 0, k = 0; good && i < c->count; i++)
        if (c->list[i].verdict == UNDECIDED) {
            c->list[i].q = p[k++];
            judge_pair(c, &c->list[i]);
        }
    free(p);
    return good ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %zu tests", c->tests);
}

static size_t count_of(const comparison *c, verdict v)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += c->list[i].verdict == v;
    return count;
}

static bool is_apart(const pair *p)
{
    return p->verdict == UNDECIDED && p->apart;
}

static bool is_compared(const pair *p)
{
    return p->verdict != OTHER_WORK && p->verdict != NO_SAMPLES;
}

static bool has_one_round(const pair *p)
{
    return is_compared(p) && (p->rounds_a < 2 || p->rounds_b < 2);
}

static bool is_unsure(const pair *p)
{
    return is_compared(p) && p->unsure;
}

static size_t count_if(const comparison *c, bool (*is)(const pair *p))
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += is(&c->list[i]);
    return count;
}

/* Geometric mean of B's times over A's, for all compared rows. */
static double mean_ratio(const comparison *c)
{
    double sum = 0.0;
    for (size_t i = 0; i < c->count; i++)
        sum += is_compared(&c->list[i]) ? log(c->list[i].d.ratio) : 0.0;
    return exp(sum / (double)c->tests);
}

/* ---- output, as JSON ---- */

static json_t *figure(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *pair_json(const pair *p)
{
    json_t *interval = isnan(p->ratio.low) ? json_null() : json_pack("[o, o]", figure(p->ratio.low), figure(p->ratio.high));
    json_t *same = p->verdict == OTHER_WORK ? json_false() : p->unsure ? json_null() : json_true();
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:[I, I], s:b, s:b, s:o, s:s, s:o}", "name", p->name, "file",
                     p->file, "a_ns", figure(p->d.median_a), "b_ns", figure(p->d.median_b), "ratio", figure(p->d.ratio), "ratio_95",
                     interval, "delta", figure(p->d.delta), "p", figure(p->d.p), "q", figure(p->q), "exact", p->d.exact, "rounds",
                     (json_int_t)p->rounds_a, (json_int_t)p->rounds_b, "rounds_apart", p->rounds_apart, "apart", p->apart, "same_work",
                     same, "verdict", verdict_name[p->verdict], "because", p->because != NULL ? json_string(p->because) : json_null());
}

/* A member of a file as JSON, or null. */
static json_t *member(const side *s, const char *path)
{
    json_t *value = vp_json_at(s->results, path);
    return value != NULL ? json_incref(value) : json_null();
}

static json_t *side_json(const side *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "file", vp_json_name(s->given), "machine", member(s, "machine.name"),
                     "commit", member(s, "machine.voxphys.commit"), "stands",
                     s->problems != NULL ? json_boolean(json_array_size(s->problems) == 0) : json_null(), "problems",
                     s->problems != NULL ? json_incref(s->problems) : json_array(), "says_official", member(s, "official"),
                     "unofficial_because", member(s, "unofficial_because"), "noise", figure(s->noise));
}

/* 1 = two machines, 0 = one, -1 = unknown. */
static int two_machines(const comparison *c)
{
    const char *a = vp_json_text(c->a.results, "machine.name"), *b = vp_json_text(c->b.results, "machine.name");
    return a == NULL || b == NULL ? -1 : strcmp(a, b) != 0;
}

static json_t *comparison_json(const comparison *c)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < c->count; i++)
        json_array_append_new(rows, pair_json(&c->list[i]));
    const int two = two_machines(c);
    return json_pack("{s:o, s:o, s:o, s:f, s:f, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:o}", "a", side_json(&c->a), "b", side_json(&c->b),
                     "two_machines", two < 0 ? json_null() : json_boolean(two), "alpha", c->alpha, "least_change", c->least, "tests",
                     (json_int_t)c->tests, "geometric_mean", figure(mean_ratio(c)), "undecided", (json_int_t)count_of(c, UNDECIDED),
                     "undecided_apart", (json_int_t)count_if(c, is_apart), "only_in_a", (json_int_t)c->only_a, "only_in_b",
                     (json_int_t)c->only_b, "without_samples", (json_int_t)count_of(c, NO_SAMPLES), "rows", rows);
}

/* ---- output, as text ---- */

static int by_ratio(const void *left, const void *right)
{
    const pair *a = left, *b = right;
    if (isnan(a->d.ratio) != isnan(b->d.ratio))
        return isnan(a->d.ratio) ? 1 : -1;
    return a->d.ratio < b->d.ratio ? -1 : a->d.ratio > b->d.ratio ? 1 : strcmp(a->name, b->name);
}

static int by_change(const void *left, const void *right)
{
    const pair *const *a = left, *const *b = right;
    const double of_a = change_of((*a)->d.ratio), of_b = change_of((*b)->d.ratio);
    return of_a > of_b ? -1 : of_a < of_b ? 1 : strcmp((*a)->name, (*b)->name);
}

/* Prints a number in `columns` columns, or "-" if it is unknown. */
static void put(double value, int columns, int digits)
{
    if (isfinite(value))
        printf(" %*.*g", columns, digits, value);
    else
        printf(" %*s", columns, "-");
}

static void say_pair(const pair *p)
{
    char interval[64] = "-";
    const bool elsewhere = strcmp(p->file, "bench.json") != 0;
    if (!isnan(p->ratio.low))
        snprintf(interval, sizeof interval, "%.4g-%.4g", p->ratio.low, p->ratio.high);
    printf("%-64s", plain(p->name).text);
    put(p->d.median_a, 12, 5);
    put(p->d.median_b, 12, 5);
    put(p->d.ratio, 8, 4);
    printf(" %15s", interval);
    put(p->d.delta, 6, 2);
    put(p->q, 9, 2);
    printf("  %s%s%s%s%s\n",
           p->verdict == OTHER_WORK   ? "not the same work"
           : p->verdict == NO_SAMPLES ? "unknown"
                                      : verdict_name[p->verdict],
           p->because != NULL ? ": " : "", p->because != NULL ? p->because : "", elsewhere ? ", in " : "",
           elsewhere ? plain(p->file).text : "");
}

static void say_heading(void)
{
    printf("%-64s %12s %12s %8s %15s %6s %9s  %s\n", "row", "A, ns", "B, ns", "B/A", "95 %", "delta", "q", "B is");
}

static void say_side(const side *s)
{
    const char *machine = vp_json_text(s->results, "machine.name"), *commit = vp_json_text(s->results, "machine.voxphys.commit");
    const json_t *reasons = json_object_get(s->results, "unofficial_because"), *text;
    const size_t problems = json_array_size(s->problems);
    size_t i;
    printf("%s: %s, machine %s, commit %.40s\n", s->letter, plain(s->given).text, machine != NULL ? plain(machine).text : "unknown",
           commit != NULL ? plain(commit).text : "unknown");
    if (s->problems == NULL)
        printf("%s could not be judged: %s\n", s->letter, s->unjudged);
    if (problems != 0)
        printf("%s does not stand: %s%s\n", s->letter, plain(json_string_value(json_array_get(s->problems, 0))).text,
               problems > 1 ? "; and more, which 'voxphys results verify' prints" : "");
    if (!json_is_true(json_object_get(s->results, "official"))) {
        printf("%s says of itself that it is not official", s->letter);
        json_array_foreach (reasons, i, text)
            printf("%s %s", i == 0 ? ":" : ";", plain(json_string_value(text)).text);
        printf("\n");
    }
    if (isnan(s->noise))
        printf("%s does not say how much the same thing measured twice differs by (noise.score, 0 to 10)\n", s->letter);
}

/* Reports rows whose samples are apart but too few for a test. */
static void say_apart(const comparison *c)
{
    const size_t count = count_if(c, is_apart);
    const pair **list = calloc(count + 1, sizeof *list);
    size_t k = 0;
    if (count == 0 || list == NULL) {
        free(list);
        return;
    }
    for (size_t i = 0; i < c->count; i++)
        if (is_apart(&c->list[i]))
            list[k++] = &c->list[i];
    qsort(list, count, sizeof *list, by_change);
    printf("Undecided, though every sample of B is slower, or every one faster, than every sample of A: these are too few to be sure among "
           "%zu rows,\n"
           "or of one round. More rounds in both runs help, or --rows with rows that were chosen before looking.\n",
           c->tests);
    for (k = 0; k < count && k < APART_SHOWN; k++)
        printf("  %-62s %8.4g times as long, every sample %s%s\n", plain(list[k]->name).text, list[k]->d.ratio,
               list[k]->d.ratio < 1 ? "faster" : "slower", strcmp(list[k]->because, "one round") == 0 ? "; one round" : "");
    if (count > APART_SHOWN)
        printf("  and %zu more (--all, --json)\n", count - APART_SHOWN);
    free(list);
}

static void say_rows(comparison *c, bool all)
{
    qsort(c->list, c->count, sizeof *c->list, by_ratio);
    if (all || count_of(c, FASTER) + count_of(c, SLOWER) + count_of(c, OTHER_WORK) != 0)
        say_heading();
    for (size_t i = 0; i < c->count; i++) {
        const verdict v = c->list[i].verdict;
        if (all || v == FASTER || v == SLOWER || v == OTHER_WORK)
            say_pair(&c->list[i]);
    }
}

static void say(comparison *c, bool all)
{
    say_side(&c->a);
    say_side(&c->b);
    if (two_machines(c) == 1)
        printf("A and B are of two machines: ratios say as much of them as of the programs\n");
    say_rows(c, all);
    say_apart(c);
    printf("%zu rows of both: %zu faster in B, %zu slower, %zu alike, %zu undecided (%zu of them wholly apart), %zu not the same work, %zu "
           "without "
           "samples; %zu only in A, %zu only in B\n",
           c->count, count_of(c, FASTER), count_of(c, SLOWER), count_of(c, ALIKE), count_of(c, UNDECIDED), count_if(c, is_apart),
           count_of(c, OTHER_WORK), count_of(c, NO_SAMPLES), c->only_a, c->only_b);
    if (count_if(c, has_one_round) != 0)
        printf(
            "%zu rows have samples of one round in A or B: drift of the machine cannot be distinguished from a change there, so they are "
            "undecided.\n",
            count_if(c, has_one_round));
    if (count_if(c, is_unsure) != 0)
        printf("%zu rows say in one file alone what items, data or answers they are of: that the work is the same is not known of them.\n",
               count_if(c, is_unsure));
    if (c->tests != 0)
        printf("B takes %.4g times as long as A, as the geometric mean of %zu rows. A row is called faster or slower where q is at most "
               "%.3g, the medians\n"
               "differ by %.2g %% or more, and those of all rounds lie apart; alike where 95 %% of the ratio lie within that. q measures "
               "the scatter within\n"
               "and between these rounds only. Repeat the runs to see how the machine differs an hour later.\n",
               mean_ratio(c), c->tests, c->alpha, c->least * 100);
}

/* ---- the command ---- */

/* Relative difference of two measurements of the same thing. NaN = unknown or out of range. */
static double noise_of(const json_t *results)
{
    const double score = vp_json_figure(results, "noise.score");
    return score >= 0 && score <= 10 ? score : NAN;
}

/* @param manifest  NULL = it could not be opened, for the reason in `error` */
static vp_status judge_side(side *s, const char *path, const vp_manifest *manifest, vp_error *error)
{
    vp_findings f = {json_array(), json_array()};
    const vp_status status = manifest != NULL ? vp_results_judge(s->results, path, false, false, manifest, &f, error) : error->status;
    json_decref(f.remarks);
    if (status == VP_OK) {
        s->problems = f.problems;
        return VP_OK;
    }
    json_decref(f.problems);
    snprintf(s->unjudged, sizeof s->unjudged, "%s", error->message);
    return status == VP_E_MEMORY ? status : VP_OK; /* rows can be compared without data sets too */
}

/* @param manifest  NULL = it could not be opened, for the reason in `unopened`. Then names are not updated and the file
 *                  is not judged */
static vp_status load(side *s, const vp_manifest *manifest, const vp_error *unopened, vp_error *error)
{
    char path[VP_RESULT_PATH_BYTES];
    vp_findings f = {json_array(), json_array()};
    vp_status status = vp_results_open(s->given, manifest, path, &s->results, error);
    if (status == VP_OK && !vp_results_form(s->results, &f))
        status = vp_fail(error, VP_E_FORMAT, "%s: %.300s", vp_show_path(path).text,
                         plain(json_string_value(json_array_get(f.problems, 0))).text);
    if (status == VP_OK)
        status = list_rows(s, error);
    json_decref(f.problems);
    json_decref(f.remarks);
    if (status == VP_OK && manifest == NULL)
        *error = *unopened;
    if (status == VP_OK)
        status = judge_side(s, path, manifest, error);
    s->noise = noise_of(s->results);
    return status;
}

static void unload(side *s)
{
    json_decref(s->results);
    json_decref(s->by_name);
    json_decref(s->problems);
}

int vp_results_compare(int argc, char **argv)
{
    const char *json, *all, *alpha_text, *least_text, *only;
    const vp_option options[] = {
        {"--alpha", "P",
         "maximum q of rows called faster or slower, between 0 and 1 (default 0.05): at most this share is by chance.\n"
         "                         q measures the scatter within and between the rounds of these two runs. It does not\n"
         "                         measure how the machine differs an hour later: repeat the runs for that",
         &alpha_text},
        {"--least", "SHARE", "smallest change that counts, from 0 (default: run-to-run noise of A or B, or 0.01)", &least_text},
        {"--rows", "BEGINNING",
         "only rows whose names begin like this, e.g. kd_ray/avx2. Changes q, which depends on the number of rows\n"
         "                         tested. Choose before looking at the results",
         &only},
        {"--all", NULL, "show all rows", &all},
        {"--json", NULL, "print JSON, all rows", &json},
    };
    const vp_usage usage = {
        "results compare",
        "A B [OPTION...]",
        "Compare two results.json files, or folders that hold one, row by row.\n"
        "Prints the ratio of B's median time to A's with its 95 % interval, the effect size (Cliff's delta, -1 to 1), and the p-value "
        "(two-sided Mann-Whitney U test,\n"
        "exact up to 8 samples; q is p corrected for the number of rows, after Benjamini and Hochberg). B is faster or\n"
        "slower where q is small, the change is at least the smallest that counts, and the medians of all rounds of A\n"
        "lie on one side of all of B's; alike where the interval lies within the smallest change that counts; undecided\n"
        "otherwise. Undecided rows whose samples do not overlap are listed. A file of one round cannot separate drift of\n"
        "the machine from a change: everything is undecided.\n\n"
        "Example: voxphys results compare results/amd-epyc-f25m17-2cpu results/amd-epyc-f25m17-2cpu",
        options,
        sizeof options / sizeof options[0],
        2,
        2};
    int count, code = VP_EXIT_DONE;
    float alpha = -1.0f, least = -1.0f;
    vp_error error;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if ((alpha_text != NULL && !vp_parse_float("results compare", "--alpha", alpha_text, &alpha)) ||
        (least_text != NULL && !vp_parse_float("results compare", "--least", least_text, &least)))
        return VP_EXIT_USAGE;
    if (alpha_text != NULL && (!(alpha > 0.0f) || alpha >= 1.0f))
        return vp_command_usage("results compare", "--alpha '%s' is not between 0 and 1", alpha_text);
    if (least_text != NULL && !(least >= 0.0f))
        return vp_command_usage("results compare", "--least '%s' is below 0", least_text);
    comparison c = {.a = {.letter = "A", .given = argv[1]}, .b = {.letter = "B", .given = argv[2]}};
    c.alpha = alpha_text != NULL ? (double)alpha : 0.05;
    vp_error unopened;
    vp_manifest *manifest = NULL;
    (void)vp_manifest_open(NULL, &manifest, &unopened);
    vp_status status = load(&c.a, manifest, &unopened, &error);
    if (status == VP_OK)
        status = load(&c.b, manifest, &unopened, &error);
    if (status == VP_OK) {
        c.least = least_text != NULL ? (double)least : fmax(0.01, fmax(c.a.noise, c.b.noise)); /* fmax ignores NaN */
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
    unload(&c.a);
    unload(&c.b);
    if (manifest != NULL)
        vp_manifest_close(manifest);
    return code;
}
