/* SPDX-License-Identifier: MIT */
/* Files behind results that have no rows: hulls.json, conformance.json, pipeline.json; and rounds that were measured once and written twice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/report_data.h"
#include "tools/results.h"

/* ---- hulls and questions: ours are right ---- */

static void check_hulls(const json_t *hulls, json_t *problems)
{
    const json_t *trial;
    size_t i, wrong = 0;
    json_array_foreach (json_object_get(hulls, "trials"), i, trial) {
        const char *who = vp_json_text(trial, "who"), *outcome = vp_json_text(trial, "outcome");
        if (strcmp(who, "voxphys") == 0 && strcmp(outcome, "valid") != 0)
            vp_tell(problems, &wrong, vp_json_format("hulls.json: the hull of trial %d, of %.40s, by voxphys is %s", (int)i, vp_json_text(trial, "family"), outcome));
    }
    vp_tell_rest(problems, wrong, "hulls by voxphys that are not valid");
}

/* Programs of the project are called voxphys-..., its examples example-... */
static bool is_of_project(const json_t *adapter)
{
    const char *name = vp_json_text(adapter, "name");
    return name != NULL && (strncmp(name, "voxphys-", 8) == 0 || strncmp(name, "example-", 8) == 0);
}

static void check_questions(const json_t *conformance, json_t *problems)
{
    const json_t *adapters = json_object_get(conformance, "adapters"), *vector;
    size_t i, wrong = 0;
    json_array_foreach (json_object_get(conformance, "vectors"), i, vector)
        for (size_t k = 0; k < json_array_size(adapters); k++) {
            const json_t *adapter = json_array_get(adapters, k);
            const char *result = vp_json_text(json_array_get(json_object_get(vector, "results"), k), "result"), *id = vp_json_text(vector, "id");
            if (is_of_project(adapter) && (result == NULL || (strcmp(result, "pass") != 0 && strcmp(result, "absent") != 0)))
                vp_tell(problems, &wrong, vp_json_format("conformance.json: %.80s by %.40s: %.40s", id != NULL ? id : "a question", vp_json_text(adapter, "name"),
                                                         result != NULL ? result : "no result"));
        }
    vp_tell_rest(problems, wrong, "questions that programs of voxphys did not pass");
}

/* What an adapter's families are said to have of a result, and how many vectors have it. */
static void check_counts(const json_t *conformance, json_t *problems)
{
    json_t *adapters = json_object_get(conformance, "adapters"), *vectors = json_object_get(conformance, "vectors"), *adapter, *vector, *family, *count;
    const char *name, *result;
    size_t i, k, wrong = 0;
    json_array_foreach (adapters, k, adapter)
        json_object_foreach (json_object_get(adapter, "families"), name, family)
            json_object_foreach (family, result, count) {
                const size_t length = strlen(name);
                json_int_t found = 0;
                json_array_foreach (vectors, i, vector) {
                    const char *id = vp_json_text(vector, "id"), *of = vp_json_text(json_array_get(json_object_get(vector, "results"), k), "result");
                    found += id != NULL && of != NULL && strncmp(id, name, length) == 0 && id[length] == '/' && strcmp(of, result) == 0;
                }
                if (json_is_integer(count) && json_integer_value(count) != found)
                    vp_tell(problems, &wrong, vp_json_format("conformance.json: %.40s has %lld times \"%.20s\" in %.40s, and of its questions %lld", vp_json_text(adapter, "name"),
                                                             (long long)json_integer_value(count), result, name, (long long)found));
            }
    vp_tell_rest(problems, wrong, "counts that the questions do not give");
}

/* ---- whole commands ---- */

static int in_order(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void check_figure(const json_t *result, const char *member, double is, size_t *wrong, json_t *problems)
{
    const double told = vp_json_figure(result, member);
    if (isfinite(told) && !(fabs(told - is) <= 1e-9 * fabs(is)))
        vp_tell(problems, wrong, vp_json_format("pipeline.json: \"%s\" of %.60s is %.9g s, and by its times %.9g", member, vp_json_text(result, "command"), told, is));
}

static void check_times(const json_t *result, size_t *wrong, json_t *problems)
{
    const json_t *times = json_object_get(result, "times"), *codes = json_object_get(result, "exit_codes");
    const size_t count = json_array_size(times);
    double *sorted = calloc(count + 1, sizeof *sorted); /* without memory nothing is told */
    for (size_t i = 0; sorted != NULL && i < count; i++)
        sorted[i] = json_number_value(json_array_get(times, i));
    if (count == 0)
        vp_tell(problems, wrong, vp_json_format("pipeline.json: %.60s has no times", vp_json_text(result, "command")));
    else if (sorted != NULL) {
        qsort(sorted, count, sizeof *sorted, in_order);
        check_figure(result, "median", (sorted[(count - 1) / 2] + sorted[count / 2]) / 2, wrong, problems);
        check_figure(result, "min", sorted[0], wrong, problems);
        check_figure(result, "max", sorted[count - 1], wrong, problems);
    }
    for (size_t i = 0; i < json_array_size(codes); i++)
        if (json_integer_value(json_array_get(codes, i)) != 0 || !json_is_integer(json_array_get(codes, i)))
            vp_tell(problems, wrong, vp_json_format("pipeline.json: %.60s did not end with exit code 0", vp_json_text(result, "command")));
    free(sorted);
}

static void check_pipeline(const json_t *pipeline, json_t *problems)
{
    const json_t *result;
    size_t i, wrong = 0;
    json_array_foreach (json_object_get(pipeline, "results"), i, result)
        check_times(result, &wrong, problems);
    vp_tell_rest(problems, wrong, "figures of whole commands");
}

/* ---- rounds ---- */

/* Whether a row's samples of two rounds are the same, one by one, from place `a` and from place `b` on. */
static bool is_repeated(const json_t *samples, const json_t *rounds, size_t a, size_t b)
{
    const size_t count = json_array_size(samples);
    size_t length = 0;
    while (b + length < count && a + length < b && json_equal(json_array_get(rounds, a + length), json_array_get(rounds, a)) &&
           json_equal(json_array_get(rounds, b + length), json_array_get(rounds, b))) {
        if (!json_equal(json_array_get(samples, a + length), json_array_get(samples, b + length)))
            return false;
        length++;
    }
    return length > 0;
}

/* One row may repeat itself by chance, where a clock is coarse; not most of them. */
static void check_rounds(const json_t *rows, json_t *problems)
{
    const json_t *row;
    size_t i, compared = 0, repeated = 0;
    json_array_foreach (rows, i, row) {
        const json_t *samples = json_object_get(row, "samples_ns"), *rounds = json_object_get(row, "rounds");
        size_t second = 1;
        while (second < json_array_size(rounds) && json_equal(json_array_get(rounds, second), json_array_get(rounds, 0)))
            second++;
        if (second >= json_array_size(rounds))
            continue;
        compared++;
        for (size_t b = second; b < json_array_size(rounds); b++)
            if (!json_equal(json_array_get(rounds, b), json_array_get(rounds, b - 1)) && is_repeated(samples, rounds, 0, b)) {
                repeated++;
                break;
            }
    }
    if (2 * repeated > compared)
        json_array_append_new(problems, vp_json_format("of %d rows that were measured in several rounds, %d have the same samples in two of them", (int)compared, (int)repeated));
}

void vp_check_outcomes(const vp_result *raw, const json_t *rows, json_t *problems)
{
    check_hulls(raw->hulls, problems);
    check_questions(raw->conformance, problems);
    check_counts(raw->conformance, problems);
    check_pipeline(raw->pipeline, problems);
    check_rounds(rows, problems);
}
