/* SPDX-License-Identifier: MIT */
/* Files behind results that have no rows: hulls.json, conformance.json, pipeline.json; and rounds that were measured once and written
 * twice. */
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "host/program.h"
#include "tools/results/files.h"
#include "tools/results/results.h"
#include "tools/results/sample_stats.h"

/* ---- hulls and questions: ours are right ---- */

static void check_hulls(const json_t *hulls, json_t *problems)
{
    const json_t *trial;
    size_t i, wrong = 0;
    json_array_foreach (json_object_get(hulls, "trials"), i, trial) {
        const char *who = vp_json_text(trial, "who"), *outcome = vp_json_text(trial, "outcome");
        if (strcmp(who, "voxphys") == 0 && strcmp(outcome, "valid") != 0)
            VP_TELL(problems, &wrong, "hulls.json: the hull of trial %d, of %.40s, by voxphys is %s", (int)i, vp_json_text(trial, "family"),
                    outcome);
    }
    vp_list_rest(problems, wrong, "hulls by voxphys that are not valid");
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
            const char *result = vp_json_text(json_array_get(json_object_get(vector, "results"), k), "result"),
                       *id = vp_json_text(vector, "id");
            if (is_of_project(adapter) && (result == NULL || (strcmp(result, "pass") != 0 && strcmp(result, "absent") != 0)))
                VP_TELL(problems, &wrong, "conformance.json: %.80s by %.40s: %.40s", id != NULL ? id : "a question",
                        vp_json_text(adapter, "name"), result != NULL ? result : "no result");
        }
    vp_list_rest(problems, wrong, "questions that programs of voxphys did not pass");
}

/* What an adapter's families are said to have of a result, and how many vectors have it. */
static void check_counts(const json_t *conformance, json_t *problems)
{
    json_t *adapters = json_object_get(conformance, "adapters"), *vectors = json_object_get(conformance, "vectors"), *adapter, *vector,
           *family, *count;
    const char *name, *result;
    size_t i, k, wrong = 0;
    json_array_foreach (adapters, k, adapter)
        json_object_foreach (json_object_get(adapter, "families"), name, family)
            json_object_foreach (family, result, count) {
                const size_t length = strlen(name);
                json_int_t found = 0;
                json_array_foreach (vectors, i, vector) {
                    const char *id = vp_json_text(vector, "id"),
                               *of = vp_json_text(json_array_get(json_object_get(vector, "results"), k), "result");
                    found += id != NULL && of != NULL && strncmp(id, name, length) == 0 && id[length] == '/' && strcmp(of, result) == 0;
                }
                if (json_is_integer(count) && json_integer_value(count) != found)
                    VP_TELL(problems, &wrong, "conformance.json: %.40s has %lld times \"%.20s\" in %.40s, and of its questions %lld",
                            vp_json_text(adapter, "name"), (long long)json_integer_value(count), result, name, (long long)found);
            }
    vp_list_rest(problems, wrong, "counts that the questions do not give");
}

/* ---- whole commands ---- */

static void check_figure(const json_t *result, const char *member, double is, size_t *wrong, json_t *problems)
{
    const double reported = vp_json_figure(result, member);
    if (isfinite(reported) && !(fabs(reported - is) <= 1e-9 * fabs(is)))
        VP_TELL(problems, wrong, "pipeline.json: \"%s\" of %.60s is %.9g s, and by its times %.9g", member, vp_json_text(result, "command"),
                reported, is);
}

/* VP_E_MEMORY */
static vp_status check_times(const json_t *result, size_t *wrong, json_t *problems, vp_error *error)
{
    const json_t *times = json_object_get(result, "times"), *codes = json_object_get(result, "exit_codes");
    const char *command = vp_json_text(result, "command");
    const size_t count = json_array_size(times);
    double time[VP_SAMPLES_MAX], most = 0;
    bool all = count > 0 && count <= VP_SAMPLES_MAX;
    vp_summary s;
    for (size_t i = 0; all && i < count; i++) {
        time[i] = json_number_value(json_array_get(times, i));
        most = fmax(most, time[i]);
        all = time[i] > 0;
    }
    if (!all)
        VP_TELL(problems, wrong, "pipeline.json: %.60s has no times, more than %d, or one that is not above 0", command, VP_SAMPLES_MAX);
    else if (!vp_summary_of(time, count, &s))
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu times", count);
    else {
        check_figure(result, "median", s.median, wrong, problems);
        check_figure(result, "min", s.min, wrong, problems);
        check_figure(result, "max", most, wrong, problems);
    }
    for (size_t i = 0; i < json_array_size(codes); i++)
        if (json_integer_value(json_array_get(codes, i)) != 0 || !json_is_integer(json_array_get(codes, i)))
            VP_TELL(problems, wrong, "pipeline.json: %.60s did not end with exit code 0", command);
    return VP_OK;
}

static vp_status check_pipeline(const json_t *pipeline, json_t *problems, vp_error *error)
{
    const json_t *result;
    size_t i, wrong = 0;
    vp_status status = VP_OK;
    json_array_foreach (json_object_get(pipeline, "results"), i, result)
        if (status == VP_OK)
            status = check_times(result, &wrong, problems, error);
    vp_list_rest(problems, wrong, "figures of whole commands");
    return status;
}

/* ---- rounds ---- */

static bool is_at_begin(const json_t *rounds, size_t i)
{
    return i == 0 || !json_equal(json_array_get(rounds, i), json_array_get(rounds, i - 1));
}

/* Whether a row's samples of two rounds, which begin at places `a` and `b`, are the same, one by one. */
static bool is_repeated(const json_t *samples, const json_t *rounds, size_t a, size_t b)
{
    for (size_t k = 0;
         k == 0 || (a + k < b && b + k < json_array_size(samples) && !is_at_begin(rounds, a + k) && !is_at_begin(rounds, b + k)); k++)
        if (!json_equal(json_array_get(samples, a + k), json_array_get(samples, b + k)))
            return false;
    return true;
}

/* One row may repeat itself by chance, where a clock is coarse; not most of them. */
static void check_rounds(const json_t *rows, json_t *problems)
{
    const json_t *row;
    size_t i, compared = 0, repeated = 0;
    json_array_foreach (rows, i, row) {
        const json_t *samples = json_object_get(row, "samples_ns"), *rounds = json_object_get(row, "rounds");
        const size_t count = json_array_size(rounds);
        size_t begins[8], all = 0; /* of more rounds the first eight */
        bool same = false;
        for (size_t k = 0; k < count && all < 8; k++)
            if (is_at_begin(rounds, k))
                begins[all++] = k;
        for (size_t b = 1; b < all; b++)
            for (size_t a = 0; a < b; a++)
                same = same || is_repeated(samples, rounds, begins[a], begins[b]);
        compared += all > 1;
        repeated += same;
    }
    if (2 * repeated > compared)
        VP_SAY(problems, "of %d rows that were measured in several rounds, %d have the same samples in two of them", (int)compared,
               (int)repeated);
}

vp_status vp_check_outcomes(const vp_result *raw, const json_t *rows, json_t *problems, vp_error *error)
{
    check_hulls(raw->hulls, problems);
    check_questions(raw->conformance, problems);
    check_counts(raw->conformance, problems);
    check_rounds(rows, problems);
    return check_pipeline(raw->pipeline, problems, error);
}
