/* SPDX-License-Identifier: MIT */
/* The form of results.json, as defined in docs/results.schema.json. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/program.h"
#include "tools/results/results.h"

enum { MAX_PROBLEMS = 50 };

/* Adds a problem. Past the maximum only the fact is kept. @return false */
static bool problem(vp_findings *out, json_t *text)
{
    if (json_array_size(out->problems) < MAX_PROBLEMS)
        json_array_append(out->problems, text);
    json_decref(text);
    return false;
}

#define PROBLEM(out, ...) problem(out, vp_json_format(__VA_ARGS__))

/* A member and its permitted types: s text, i integer >= 0, r number, b boolean, o object, a list, n null, h hash. */
typedef struct member {
    const char *name, *types;
} member;

static const member of_root[] = {{"format", "s"},
                                 {"version", "s"},
                                 {"official", "b"},
                                 {"unofficial_because", "a"},
                                 {"declared_unofficial", "sn"},
                                 {"contradictions", "a"},
                                 {"machine", "o"},
                                 {"verified", "o"},
                                 {"noise", "o"},
                                 {"warnings", "a"},
                                 {"files", "a"},
                                 {"rows", "a"},
                                 {"seal", "h"},
                                 {NULL, NULL}};
static const member of_verified[] = {{"checks", "i"},    {"answers", "i"}, {"disagreements", "i"},
                                     {"checks_of", "o"}, {"kernels", "o"}, {NULL, NULL}};
static const member of_kernel[] = {{"checks_of", "o"}, {"sets", "i"}, {"digests", "h"}, {NULL, NULL}};
static const member of_noise[] = {{"same_twice", "a"}, {"score", "rn"}, {"typical_mad", "rn"}, {NULL, NULL}};
static const member of_pair[] = {{"what", "s"}, {"ratio", "rn"}, {NULL, NULL}};
static const member of_file[] = {{"name", "s"}, {"bytes", "i"}, {"xxh3", "h"}, {NULL, NULL}};
static const member of_row[] = {
    {"name", "s"},      {"file", "s"},       {"kernel", "s"},        {"isa", "sn"},         {"via", "s"},        {"variant", "sn"},
    {"dataset", "sn"},  {"parameter", "sn"}, {"dataset_hash", "hn"}, {"output_hash", "hn"}, {"compiler", "sn"},  {"item", "sn"},
    {"note", "sn"},     {"error", "sn"},     {"refused", "i"},       {"counters", "o"},     {"samples_ns", "a"}, {"rounds", "a"},
    {"n", "i"},         {"median_ns", "rn"}, {"mad_ns", "rn"},       {"min_ns", "rn"},      {"p95_ns", "rn"},    {"median_95_ns", "an"},
    {"modes_ns", "an"}, {"drift", "rn"},     {"baselines", "o"},     {"speed_up", "rn"},    {"warnings", "a"},   {NULL, NULL}};
static const member of_baselines[] = {
    {"scalar_ns", "rn"}, {"scalar_autovec_ns", "rn"}, {"clang_scalar_ns", "rn"}, {"clang_scalar_autovec_ns", "rn"}, {NULL, NULL}};

static bool is_hash(const json_t *value)
{
    const char *text = json_string_value(value);
    return text != NULL && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

static bool is_a(const json_t *value, char type)
{
    switch (type) {
    case 's':
        return json_is_string(value);
    case 'i':
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case 'r':
        return json_is_number(value);
    case 'b':
        return json_is_boolean(value);
    case 'o':
        return json_is_object(value);
    case 'a':
        return json_is_array(value);
    case 'n':
        return json_is_null(value);
    default:
        return is_hash(value);
    }
}

static const char *type_name(char type)
{
    static const char *const names[] = {"s a text",    "i a whole number of 0 or more",
                                        "r a number",  "b true or false",
                                        "o an object", "a a list",
                                        "n null",      "h a hash of 16 lower-case hexadecimal digits"};
    size_t i = 0;
    while (names[i][0] != type)
        i++;
    return names[i] + 2;
}

/* Checks that an object has exactly these members, with their types. */
static bool has_members(json_t *object, const member *of, const char *where, vp_findings *out)
{
    const char *key;
    json_t *value;
    bool all = true;
    if (!json_is_object(object))
        return PROBLEM(out, "%.200s is not an object", where);
    for (const member *m = of; m->name != NULL; m++) {
        value = json_object_get(object, m->name);
        bool good = false;
        for (const char *t = m->types; value != NULL && *t != '\0'; t++)
            good = good || is_a(value, *t);
        if (value == NULL)
            all = PROBLEM(out, "%.200s lacks \"%s\"", where, m->name);
        else if (!good)
            all = PROBLEM(out, "\"%s\" of %.200s is not %s%s%s", m->name, where, type_name(m->types[0]), m->types[1] != '\0' ? " or " : "",
                          m->types[1] != '\0' ? type_name(m->types[1]) : "");
    }
    json_object_foreach (object, key, value) {
        const member *m = of;
        while (m->name != NULL && strcmp(m->name, key) != 0)
            m++;
        if (m->name == NULL)
            all = PROBLEM(out, "%.200s has \"%.60s\", which is unknown", where, key);
    }
    return all;
}

static void all_are(const json_t *list, char type, const char *what, const char *where, vp_findings *out)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!is_a(json_array_get(list, i), type)) {
            PROBLEM(out, "entry %d of \"%s\" of %.200s is not %s", (int)i, what, where, type_name(type));
            return;
        }
}

/* Checks the types of all values of an object. */
static void values_are(json_t *object, char type, const char *what, const char *where, vp_findings *out)
{
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value)
        if (!is_a(value, type)) {
            PROBLEM(out, "\"%.60s\" of \"%s\" of %.200s is not %s", key, what, where, type_name(type));
            return;
        }
}

static bool is_pair(const json_t *value)
{
    return json_is_null(value) ||
           (json_array_size(value) == 2 && json_is_number(json_array_get(value, 0)) && json_is_number(json_array_get(value, 1)));
}

/* Whether a member is this text, or null if the text is empty. */
static bool is_part(const json_t *row, const char *name, const char *part)
{
    const char *text = json_string_value(json_object_get(row, name));
    return strcmp(text != NULL ? text : "", part) == 0;
}

/* Whether a row's members agree with its name. */
static bool fits_name(const json_t *row)
{
    vp_row_name parts;
    return vp_row_name_read(json_string_value(json_object_get(row, "name")), &parts) && is_part(row, "via", parts.via) &&
           is_part(row, "kernel", parts.kernel) && is_part(row, "variant", parts.variant) && is_part(row, "dataset", parts.dataset) &&
           is_part(row, "parameter", parts.rest) && (strcmp(parts.via, "autovec") == 0 || is_part(row, "isa", parts.isa));
}

static bool is_raw_of_rows(const char *name)
{
    return strcmp(name, "bench.json") == 0 || strcmp(name, "limits.json") == 0 || strcmp(name, "bench-clang.json") == 0;
}

/* @param files  names of the raw files */
static void row_form(json_t *row, size_t number, const json_t *files, vp_findings *out)
{
    char where[220];
    const char *name = json_string_value(json_object_get(row, "name"));
    snprintf(where, sizeof where, "row %zu%s%.160s%s", number, name != NULL ? ", \"" : "", name != NULL ? name : "",
             name != NULL ? "\"," : "");
    if (!has_members(row, of_row, where, out))
        return;
    const json_t *samples = json_object_get(row, "samples_ns"), *rounds = json_object_get(row, "rounds"), *value;
    const bool refused = json_is_string(json_object_get(row, "error"));
    const size_t counted = refused ? 0 : json_array_size(samples);
    const json_int_t n = json_integer_value(json_object_get(row, "n")), of_refused = json_integer_value(json_object_get(row, "refused"));
    size_t i;
    const char *file = json_string_value(json_object_get(row, "file"));
    if (!is_raw_of_rows(file))
        PROBLEM(out, "%s \"file\" is \"%.80s\", not bench.json, limits.json or bench-clang.json", where, file);
    else if (json_object_get(files, file) == NULL)
        PROBLEM(out, "%s \"file\" is %s, which is not among \"files\"", where, file);
    if (!fits_name(row))
        PROBLEM(out, "%s its name, and its kernel, isa, via, variant, dataset and parameter do not fit each other", where);
    if (json_array_size(samples) > VP_RESULTS_MAX_SAMPLES || json_array_size(rounds) > VP_RESULTS_MAX_SAMPLES)
        PROBLEM(out, "%s has %d samples and %d rounds, more than %d", where, (int)json_array_size(samples), (int)json_array_size(rounds),
                VP_RESULTS_MAX_SAMPLES);
    if (json_array_size(samples) != json_array_size(rounds))
        PROBLEM(out, "%s has %d samples, but rounds of %d", where, (int)json_array_size(samples), (int)json_array_size(rounds));
    if (n != (json_int_t)counted)
        PROBLEM(out, "%s \"n\" is %lld, and by its samples%s %d", where, (long long)n, refused ? " and its error" : "", (int)counted);
    if (of_refused > 0 && !refused)
        PROBLEM(out, "%s \"refused\" is %lld, and it has no error", where, (long long)of_refused);
    json_array_foreach (samples, i, value)
        if (!json_is_number(value) || !(json_number_value(value) > 0)) {
            PROBLEM(out, "%s sample %d is not a number above 0", where, (int)i);
            break;
        }
    all_are(rounds, 'i', "rounds", where, out);
    all_are(json_object_get(row, "warnings"), 's', "warnings", where, out);
    values_are(json_object_get(row, "counters"), 'r', "counters", where, out);
    if (!is_pair(json_object_get(row, "median_95_ns")) || !is_pair(json_object_get(row, "modes_ns")))
        PROBLEM(out, "%s \"median_95_ns\" or \"modes_ns\" is not two numbers", where);
    snprintf(where + strlen(where), sizeof where - strlen(where), " \"baselines\"");
    has_members(json_object_get(row, "baselines"), of_baselines, where, out);
}

/* Checks that each kernel's checks by version sum up to those of the version. */
static void kernels_form(json_t *kernels, json_t *checks_of, vp_findings *out)
{
    const char *kernel, *version;
    json_t *of, *value, *sums = json_object();
    json_object_foreach (kernels, kernel, of) {
        if (!has_members(of, of_kernel, "a kernel of \"verified\"", out))
            continue;
        values_are(json_object_get(of, "checks_of"), 'i', "checks_of", "a kernel of \"verified\"", out);
        json_object_foreach (json_object_get(of, "checks_of"), version, value) {
            const json_int_t sum = json_integer_value(json_object_get(sums, version)) + (json_integer_value(value) & INT32_MAX);
            json_object_set_new(sums, version, json_integer(sum));
        }
    }
    if (!json_equal(sums, checks_of))
        problem(out, json_string("\"checks_of\" of \"verified\" is not the sum of its kernels' \"checks_of\""));
    json_decref(sums);
}

/* Checks that the total number of checks is the sum over all versions. */
static void verified_form(json_t *verified, vp_findings *out)
{
    const char *key;
    json_t *value, *of = json_object_get(verified, "checks_of");
    json_int_t sum = 0;
    if (!has_members(verified, of_verified, "\"verified\"", out))
        return;
    values_are(of, 'i', "checks_of", "\"verified\"", out);
    json_object_foreach (of, key, value)
        sum += json_integer_value(value) & INT32_MAX; /* keeps sums within their type */
    kernels_form(json_object_get(verified, "kernels"), of, out);
    const json_int_t checks = json_integer_value(json_object_get(verified, "checks"));
    if (checks != sum)
        PROBLEM(out, "\"checks\" of \"verified\" is %lld, and those of \"checks_of\" are %lld", (long long)checks, (long long)sum);
}

/* @param names  out: names of the files */
static void files_form(const json_t *files, json_t *names, vp_findings *out)
{
    json_t *file;
    size_t i;
    if (json_array_size(files) == 0)
        problem(out, json_string("\"files\" is empty"));
    json_array_foreach (files, i, file) {
        const char *name = json_string_value(json_object_get(file, "name"));
        if (!has_members(file, of_file, "an entry of \"files\"", out))
            continue;
        if (json_object_get(names, name) != NULL)
            PROBLEM(out, "\"files\" names \"%.80s\" twice", name);
        json_object_set_new(names, name, json_true());
    }
}

bool vp_results_form(json_t *results, vp_findings *out)
{
    const char *version = json_string_value(json_object_get(results, "version")),
               *format = json_string_value(json_object_get(results, "format"));
    static const char *const texts[] = {"warnings", "unofficial_because", "contradictions"};
    json_t *value;
    size_t i;
    if (format == NULL || strcmp(format, VP_RESULTS_FORMAT) != 0 || version == NULL) {
        PROBLEM(out, "\"format\" is not \"%s\", or \"version\" is not a version", VP_RESULTS_FORMAT);
    } else if (strcmp(version, VP_RESULTS_VERSION) != 0) {
        PROBLEM(out, "version %.40s of the format is not known here, which is version %s", version, VP_RESULTS_VERSION);
    } else if (has_members(results, of_root, "the file", out)) {
        verified_form(json_object_get(results, "verified"), out);
        if (has_members(json_object_get(results, "noise"), of_noise, "\"noise\"", out))
            json_array_foreach (json_object_get(json_object_get(results, "noise"), "same_twice"), i, value)
                has_members(value, of_pair, "an entry of \"same_twice\"", out);
        json_t *files = json_object();
        files_form(json_object_get(results, "files"), files, out);
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
            all_are(json_object_get(results, texts[t]), 's', texts[t], "the file", out);
        if (json_array_size(json_object_get(results, "rows")) == 0 ||
            json_array_size(json_object_get(results, "rows")) > VP_RESULTS_MAX_ROWS)
            PROBLEM(out, "\"rows\" is empty, or has more than %d", VP_RESULTS_MAX_ROWS);
        json_array_foreach (json_object_get(results, "rows"), i, value)
            row_form(value, i, files, out);
        json_decref(files);
    }
    return json_array_size(out->problems) == 0;
}
