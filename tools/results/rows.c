/* SPDX-License-Identifier: MIT */
/* The rows of results.json: read from Google Benchmark's files, and what is told from their samples. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "host/program.h"
#include "tools/results/files.h"
#include "tools/results/results.h"
#include "tools/results/sample_stats.h"

/* What of an entry is no counter of ours. */
static bool is_own_member(const char *name)
{
    static const char *const own[] = {"family_index",
                                      "per_family_instance_index",
                                      "repetitions",
                                      "repetition_index",
                                      "threads",
                                      "iterations",
                                      "real_time",
                                      "cpu_time",
                                      "items_per_second",
                                      "items",
                                      "round"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return false;
}

static json_t *text_or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

bool vp_row_is_ours(const json_t *row)
{
    const char *via = vp_json_text(row, "via");
    return strcmp(via, "peer") != 0 && strcmp(via, "limit") != 0 && strcmp(via, "other") != 0;
}

/* ---- reading ---- */

/* "digest=0123456789abcdef" in a label, as a text of its own; null if there is none. */
static json_t *hash_in(const char *label, const char *word)
{
    const char *at = strstr(label, word);
    const size_t length = at != NULL ? strspn(at + strlen(word), "0123456789abcdef") : 0;
    return length == 16 ? json_stringn(at + strlen(word), 16) : json_null();
}

/* The label without what is told apart: the item's name, and hashes. "" becomes null. */
static json_t *note_of(const char *label)
{
    size_t begin = strcspn(label, " ,");
    begin += strspn(label + begin, " ,");
    const char *end = strstr(label + begin, "digest=");
    size_t length = end != NULL ? (size_t)(end - label) - begin : strlen(label + begin);
    while (length > 0 && label[begin + length - 1] == ' ')
        length--;
    return length > 0 ? json_stringn(label + begin, length) : json_null();
}

static json_t *new_row(const json_t *entry, const char *name, const char *file, const char *compiler, const char *autovec,
                       const vp_manifest *manifest)
{
    vp_row_name n;
    char hash[17];
    const char *label = vp_json_text(entry, "label");
    if (!vp_row_name_read(name, &n))
        return NULL;
    if (label == NULL)
        label = "";
    vp_row_data_hash(&n, manifest, hash);
    json_t *data = hash_in(label, "data=");
    const size_t item = strcspn(label, " ,");
    if (!json_is_string(data)) {
        json_decref(data);
        data = text_or_null(hash);
    }
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:n, s:i, s:{}, s:[], s:[]}", "name", name, "file",
                     file, "kernel", n.kernel, "isa", text_or_null(strcmp(n.via, "autovec") == 0 ? autovec : n.isa), "via", n.via,
                     "variant", text_or_null(n.variant), "dataset", text_or_null(n.dataset), "parameter", text_or_null(n.rest),
                     "dataset_hash", data, "output_hash", hash_in(label, "digest="), "compiler",
                     text_or_null(strcmp(n.via, "peer") == 0 ? NULL : compiler), "item", item > 0 ? json_stringn(label, item) : json_null(),
                     "note", note_of(label), "error", "refused", 0, "counters", "samples_ns", "rounds");
}

/* Counters of the last repetition; they do not change from one to the next where they count what is done. */
static void read_counters(json_t *entry, json_t *row)
{
    json_t *counters = json_object_get(row, "counters"), *value;
    const char *key;
    json_object_foreach (entry, key, value)
        if (json_is_number(value) && !is_own_member(key))
            json_object_set(counters, key, value);
}

static vp_status read_entry(json_t *entry, const char *name, const char *file, json_t *row, vp_error *error)
{
    if (json_is_true(json_object_get(entry, "error_occurred"))) {
        const char *message = vp_json_text(entry, "error_message");
        json_object_set_new(row, "error", json_string(message != NULL ? message : "refused"));
        json_object_set_new(row, "refused", json_integer(json_integer_value(json_object_get(row, "refused")) + 1));
        return VP_OK;
    }
    const double ns = 1e9 / vp_json_figure(entry, "items_per_second");
    json_t *samples = json_object_get(row, "samples_ns");
    if (!(ns > 0) || !isfinite(ns))
        return vp_fail(error, VP_E_FORMAT, "%s: benchmark \"%.80s\" has no items_per_second above 0", file, name);
    if (json_array_size(samples) == VP_RESULTS_MAX_SAMPLES)
        return vp_fail(error, VP_E_FORMAT, "%s: benchmark \"%.80s\" has more than %d repetitions", file, name, VP_RESULTS_MAX_SAMPLES);
    json_array_append_new(samples, json_real(ns));
    const json_t *round = json_object_get(entry, "round");
    json_array_append_new(json_object_get(row, "rounds"), json_integer(json_is_integer(round) ? json_integer_value(round) : 1));
    read_counters(entry, row);
    return VP_OK;
}

vp_status vp_rows_read(const json_t *bench, const char *file, const vp_manifest *manifest, json_t *rows, vp_error *error)
{
    const char *compiler = vp_json_text(bench, "context.voxphys_compiler"), *autovec = vp_json_text(bench, "context.voxphys_autovec");
    json_t *by_name = json_object();
    json_t *entry;
    size_t i;
    vp_status status = VP_OK;
    json_array_foreach (json_object_get(bench, "benchmarks"), i, entry) {
        const char *name = vp_json_text(entry, "run_name"), *type = vp_json_text(entry, "run_type");
        if (name == NULL)
            name = vp_json_text(entry, "name");
        if (type != NULL && strcmp(type, "aggregate") == 0)
            continue;
        json_t *row = name != NULL ? json_object_get(by_name, name) : NULL;
        if (row == NULL && name != NULL && json_array_size(rows) < VP_RESULTS_MAX_ROWS) {
            row = new_row(entry, name, file, compiler, autovec, manifest);
            if (row != NULL) {
                json_object_set(by_name, name, row);
                json_array_append_new(rows, row);
            }
        }
        if (row == NULL)
            status = vp_fail(error, VP_E_FORMAT,
                             "%s: benchmark %zu, \"%.80s\", has no name of the form kernel/who/dataset, or is one of more than %d", file, i,
                             name != NULL ? name : "", VP_RESULTS_MAX_ROWS);
        else
            status = read_entry(entry, name, file, row, error);
        if (status != VP_OK)
            break;
    }
    json_decref(by_name);
    return status;
}

/* ---- a row by itself ---- */

static json_t *pair_or_null(double low, double high)
{
    return isfinite(low) && isfinite(high) ? json_pack("[f, f]", low, high) : json_null();
}

vp_status vp_row_summarise(json_t *row, vp_error *error)
{
    const json_t *samples = json_object_get(row, "samples_ns");
    const bool refused = json_is_string(json_object_get(row, "error"));
    const size_t count = refused ? 0 : json_array_size(samples);
    double *sample = malloc((count + 1) * sizeof *sample);
    vp_summary s = {NAN, NAN, NAN, NAN, NAN, NAN};
    vp_modes modes = {.two = false};
    double drift = 1.0;
    for (size_t i = 0; sample != NULL && i < count; i++)
        sample[i] = json_number_value(json_array_get(samples, i));
    const bool good =
        sample != NULL &&
        (count == 0 || (vp_summary_of(sample, count, &s) && vp_modes_of(sample, count, &modes) && vp_drift_of(sample, count, &drift)));
    free(sample);
    if (!good)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu samples", count);
    json_t *reported =
        json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "n", (json_int_t)count, "median_ns", number_or_null(s.median), "mad_ns",
                  number_or_null(s.mad), "min_ns", number_or_null(s.min), "p95_ns", number_or_null(s.p95), "median_95_ns",
                  pair_or_null(s.low, s.high), "modes_ns", modes.two ? pair_or_null(modes.low, modes.high) : json_null(), "drift",
                  drift < 1.0 || drift > 1.0 ? json_real(drift) : json_null());
    json_object_update(row, reported);
    json_decref(reported);
    return VP_OK;
}

/* ---- among others ---- */

/* So many times as fast as plain code can SIMD be at most: items side by side in a register, and registers in flight. More is another
   algorithm, or a mistake. */
enum { UNROLLED = 4 };
static double most_speed_up(const char *kernel, const char *isa)
{
    static const char *const of_bytes[] = {"dilate_", "mesh_", "edge_", "build_"};
    const double bytes = strcmp(isa, "avx512") == 0 ? 64 : strcmp(isa, "avx2") == 0 ? 32 : 16;
    for (size_t i = 0; i < sizeof of_bytes / sizeof of_bytes[0]; i++)
        if (strncmp(kernel, of_bytes[i], strlen(of_bytes[i])) == 0)
            return bytes * UNROLLED;
    return bytes / 4 * UNROLLED; /* of floats */
}

/* The median of the row of this baseline: of the same variant if there is one, else without. NaN: there is none. */
static double baseline(const json_t *by_name, const char *file, const json_t *row, const char *who)
{
    const char *const parts[] = {vp_json_text(row, "variant"), vp_json_text(row, "dataset"), vp_json_text(row, "parameter")};
    const char *kernel = vp_json_text(row, "kernel"), *name = vp_json_text(row, "name");
    const char *data = strchr(strchr(name, '/') + 1, '/'); /* as it stands in the name */
    char text[256];
    for (int with = 1; with >= 0; with--) {
        if (with == 1 && parts[0] == NULL)
            continue;
        snprintf(text, sizeof text, "%s:%s/%s%s%s%s", file, kernel, who, with ? "-" : "", with ? parts[0] : "", data != NULL ? data : "");
        const json_t *of = json_object_get(by_name, text);
        if (of != NULL)
            return vp_json_figure(of, "median_ns");
    }
    return NAN;
}

static void relate(json_t *row, const json_t *by_name)
{
    static const struct {
        const char *member, *file, *who;
    } of[] = {{"scalar_ns", "bench.json", "scalar"},
              {"scalar_autovec_ns", "bench.json", "scalar-autovec"},
              {"clang_scalar_ns", "bench-clang.json", "scalar"},
              {"clang_scalar_autovec_ns", "bench-clang.json", "scalar-autovec"}};
    const char *via = vp_json_text(row, "via"), *isa = vp_json_text(row, "isa"), *kernel = vp_json_text(row, "kernel");
    const bool ours = strcmp(via, "native") == 0 || strcmp(via, "words") == 0;
    const double median = vp_json_figure(row, "median_ns");
    double fastest = INFINITY;
    json_t *baselines = json_object(), *warnings = json_array();
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        const double ns = baseline(by_name, of[i].file, row, of[i].who);
        json_object_set_new(baselines, of[i].member, number_or_null(ns));
        fastest = ns < fastest ? ns : fastest;
    }
    const double speed_up = fastest / median; /* NaN or infinite: one of them is not known */
    json_object_set_new(row, "baselines", baselines);
    json_object_set_new(row, "speed_up", number_or_null(speed_up));
    const json_t *modes = json_object_get(row, "modes_ns"), *drift = json_object_get(row, "drift");
    if (json_is_array(modes))
        VP_SAY(warnings, "samples of two kinds: about %.4g and %.4g ns", json_number_value(json_array_get(modes, 0)),
               json_number_value(json_array_get(modes, 1)));
    if (json_is_number(drift))
        VP_SAY(warnings, "the last samples take %.3g times as long as the first", json_number_value(drift));
    if (ours && isa != NULL && strcmp(isa, "scalar") != 0 && isfinite(speed_up) && speed_up > most_speed_up(kernel, isa))
        VP_SAY(warnings, "%.4g times as fast as the fastest plain code, more than %s has lanes times %d: another algorithm, or a mistake",
               speed_up, isa, UNROLLED);
    json_object_set_new(row, "warnings", warnings);
}

vp_status vp_rows_relate(json_t *rows, vp_error *error)
{
    json_t *by_name = json_object(), *row;
    char text[256];
    size_t i;
    vp_status status = VP_OK;
    json_array_foreach (rows, i, row) {
        const int length = snprintf(text, sizeof text, "%s:%s", vp_json_text(row, "file"), vp_json_text(row, "name"));
        if (length < 0 || (size_t)length >= sizeof text || json_object_get(by_name, text) != NULL)
            status = vp_fail(error, VP_E_FORMAT, "row \"%.100s\" of %.40s is there twice, or its name is too long",
                             vp_json_text(row, "name"), vp_json_text(row, "file"));
        json_object_set(by_name, text, row);
    }
    if (status == VP_OK)
        json_array_foreach (rows, i, row)
            relate(row, by_name);
    json_decref(by_name);
    return status;
}

/* ---- noise ---- */

/* Rows "noise/first/DATA" and "noise/second/DATA" are one and the same, measured twice. */
json_t *vp_results_noise(const json_t *rows)
{
    const json_t *row, *other;
    double most = 1.0, *mad = malloc((json_array_size(rows) + 1) * sizeof *mad);
    size_t i, k, count = 0, known = 0;
    json_t *pairs = json_array();
    json_array_foreach (rows, i, row) {
        const char *name = vp_json_text(row, "name");
        const double median = vp_json_figure(row, "median_ns"), spread = vp_json_figure(row, "mad_ns");
        if (mad != NULL && isfinite(spread / median))
            mad[count++] = spread / median;
        if (strncmp(name, "noise/first/", 12) != 0)
            continue;
        json_array_foreach (rows, k, other)
            if (strncmp(vp_json_text(other, "name"), "noise/second/", 13) == 0 &&
                strcmp(vp_json_text(other, "name") + 13, name + 12) == 0) {
                const double ratio = vp_json_figure(other, "median_ns") / median;
                json_array_append_new(pairs, json_pack("{s:s, s:o}", "what", name + 12, "ratio", number_or_null(ratio)));
                known += isfinite(ratio) ? 1 : 0;
                most = isfinite(ratio) ? fmax(most, fmax(ratio, 1 / ratio)) : most;
            }
    }
    vp_summary s = {.median = NAN};
    if (mad == NULL || count == 0 || !vp_summary_of(mad, count, &s))
        s.median = NAN;
    free(mad);
    const double score = known != 0 ? most - 1 : NAN;
    return json_pack("{s:o, s:o, s:o}", "same_twice", pairs, "score", number_or_null(score), "typical_mad", number_or_null(s.median));
}
