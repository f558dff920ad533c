/* SPDX-License-Identifier: MIT */
/* Makes results.json from a folder's files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "host/program.h"
#include "tools/results/files.h"
#include "host/writing.h"
#include "tools/results/results.h"

/* ---- summaries of a folder ---- */

vp_status vp_results_files(const char *folder, json_t *list, vp_error *error)
{
    static const char *const names[] = {"machine.json",  "bench.json", "limits.json",     "bench-clang.json",
                                        "pipeline.json", "hulls.json", "conformance.json"};
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < sizeof names / sizeof names[0]; i++) {
        char path[VP_RESULT_PATH_BYTES], hash[17];
        uint8_t *bytes = NULL;
        size_t size;
        status = vp_result_path(folder, names[i], path, error);
        if (status == VP_OK)
            status = vp_result_bytes(path, &bytes, &size, error);
        if (status != VP_OK || bytes == NULL)
            continue;
        vp_hash_text(bytes, size, hash);
        json_array_append_new(list, json_pack("{s:s, s:I, s:s}", "name", names[i], "bytes", (json_int_t)size, "xxh3", hash));
        free(bytes);
    }
    return status;
}

/* Number of rounds of a row's samples. */
static size_t rounds_of(const json_t *row)
{
    const json_t *rounds = json_object_get(row, "rounds");
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rounds); i++) {
        size_t before = 0;
        while (before < i && !json_equal(json_array_get(rounds, before), json_array_get(rounds, i)))
            before++;
        count += before == i;
    }
    return count;
}

/* Hulls of 100,000 points and more are measured in one round, because their times are minutes and vary little. */
static bool is_of_one_round(const json_t *row)
{
    const char *points = vp_json_text(row, "parameter");
    return strncmp(vp_json_text(row, "kernel"), "hull", 4) == 0 && points != NULL && strlen(points) >= 6 &&
           strspn(points, "0123456789") == strlen(points);
}

static void add_count(json_t *list, size_t count, const char *what)
{
    if (count > 0)
        VP_SAY(list, "%d benchmarks %s", (int)count, what);
}

/* Files that every complete run writes. Without them the results are incomplete. */
static void add_reasons_of_files(const json_t *results, json_t *list)
{
    static const char *const whole[] = {"hulls.json", "conformance.json"};
    const json_t *files = json_object_get(results, "files"), *file;
    for (size_t k = 0; k < sizeof whole / sizeof whole[0]; k++) {
        bool found = false;
        size_t i;
        json_array_foreach (files, i, file)
            found = found || strcmp(vp_json_text(file, "name"), whole[k]) == 0;
        if (!found)
            VP_SAY(list, "there is no %s, which every whole run writes", whole[k]);
    }
}

/* Reasons about commit and machine. */
static void add_reasons_of_machine(const json_t *results, json_t *list)
{
    json_t *const dirty = vp_json_at(results, "machine.voxphys.dirty"), *const mark = vp_json_at(results, "machine.unofficial");
    const char *commit = vp_json_text(results, "machine.voxphys.commit");
    if (json_is_string(mark))
        json_array_append(list, mark);
    else if (!json_is_null(mark))
        VP_SAY(list, "it is unknown whether the run was marked as not official");
    if (commit == NULL)
        VP_SAY(list, "the commit is unknown");
    else if (strlen(commit) != 40 || strspn(commit, "0123456789abcdef") != 40)
        VP_SAY(list, "the commit \"%.60s\": must be 40 hexadecimal digits", commit);
    if (!json_is_false(dirty))
        VP_SAY(list,
               json_is_true(dirty) ? "the checkout had changes that are in no commit" : "it is unknown whether the checkout had changes");
    if (vp_json_text(results, "machine.compile_flags.scalar") == NULL)
        VP_SAY(list, "it is unknown how the reference was compiled");
    if (json_is_true(vp_json_at(results, "machine.float_mode.flushes_results")) ||
        json_is_true(vp_json_at(results, "machine.float_mode.flushes_operands")))
        VP_SAY(list, "denormals were flushed to zero");
}

/* The reasons why results are not official, from their own content. docs/BENCHMARKING.md lists them. */
static json_t *reasons_of(const json_t *results)
{
    const json_t *rows = json_object_get(results, "rows"), *row;
    const size_t contradictions = json_array_size(json_object_get(results, "contradictions"));
    json_t *list = json_array();
    size_t i, refused = 0, samples = 0, rounds = 0;
    add_reasons_of_machine(results, list);
    if (!(vp_json_figure(results, "verified.checks") > 0) || vp_json_figure(results, "verified.disagreements") > 0)
        VP_SAY(list, "not every version of every kernel agreed with the reference");
    json_array_foreach (rows, i, row) {
        if (strcmp(vp_json_text(row, "via"), "peer") == 0)
            continue;
        const bool is_refused = json_is_string(json_object_get(row, "error"));
        refused += is_refused;
        samples += !is_refused && vp_json_figure(row, "n") < 3;
        rounds += !is_refused && !is_of_one_round(row) && rounds_of(row) < 3;
    }
    add_reasons_of_files(results, list);
    add_count(list, refused, "of voxphys were refused");
    add_count(list, samples, "have fewer than three samples");
    add_count(list, rounds, "were measured in fewer than three rounds");
    if (json_is_null(vp_json_at(results, "noise.score")))
        VP_SAY(list, "nothing was measured twice, so the noise is unknown");
    if (contradictions > 0)
        VP_SAY(list, "the raw files contradict themselves or what every machine answers: %d times", (int)contradictions);
    return list;
}

/* Warnings about the machine. */
static json_t *warnings_of(const json_t *results)
{
    json_t *list = json_array();
    const double before = vp_json_figure(results, "machine.cpu.clock_mhz_before"),
                 after = vp_json_figure(results, "machine.cpu.clock_mhz_now");
    const double load = json_number_value(json_array_get(vp_json_at(results, "machine.load.before"), 0)),
                 cpus = vp_json_figure(results, "machine.cpu.cpus");
    const double score = vp_json_figure(results, "noise.score");
    const char *governor = vp_json_text(results, "machine.cpu.governor");
    const json_t *row;
    size_t i, of_peers = 0;
    if (after / before > 1.05 || before / after > 1.05)
        VP_SAY(list, "the clock was %.0f MHz before and %.0f MHz after", before, after);
    if (load > cpus / 2)
        VP_SAY(list, "other programs were running before: a load of %.2f", load);
    if (governor != NULL && strcmp(governor, "performance") != 0)
        VP_SAY(list, "the clock's governor was \"%.40s\", not \"performance\"", governor);
    if (score > 0.05)
        VP_SAY(list, "the same thing measured twice differs by %.1f %%: smaller differences say nothing", score * 100);
    json_array_foreach (json_object_get(results, "rows"), i, row) {
        const json_int_t refused = json_integer_value(json_object_get(row, "refused")),
                         samples = (json_int_t)json_array_size(json_object_get(row, "samples_ns"));
        if (json_is_string(json_object_get(row, "error")) && strcmp(vp_json_text(row, "via"), "peer") == 0)
            VP_TELL(list, &of_peers, "row %.150s: %lld of %lld repetitions were refused: %.120s", vp_json_text(row, "name"),
                    (long long)refused, (long long)(refused <= INT64_MAX - samples ? refused + samples : refused),
                    vp_json_text(row, "error"));
    }
    vp_list_rest(list, of_peers, "rows of libraries with repetitions that were refused");
    return list;
}

/* ---- the file ---- */

static vp_status read_rows(const vp_result *r, const vp_manifest *manifest, json_t *rows, vp_error *error)
{
    vp_status status = VP_OK;
    if (r->bench != NULL)
        status = vp_rows_read(r->bench, "bench.json", manifest, rows, error);
    if (status == VP_OK && r->limits != NULL)
        status = vp_rows_read(r->limits, "limits.json", manifest, rows, error);
    if (status == VP_OK && r->clang != NULL)
        status = vp_rows_read(r->clang, "bench-clang.json", manifest, rows, error);
    return status;
}

static vp_status need(const json_t *file, bool whole, const char *folder, const char *name, vp_error *error)
{
    return file != NULL || !whole ? VP_OK : vp_fail(error, VP_E_ARGUMENT, "%s has no %s", vp_show_path(folder).text, name);
}

vp_status vp_results_derive(json_t *results, vp_error *error)
{
    json_t *rows = json_object_get(results, "rows"), *row;
    size_t i;
    vp_status status = VP_OK;
    json_array_foreach (rows, i, row)
        if (status == VP_OK)
            status = vp_row_summarise(row, error);
    if (status == VP_OK)
        status = vp_rows_relate(rows, error);
    if (status != VP_OK)
        return status;
    const char *mark = vp_json_text(results, "machine.unofficial");
    json_object_set_new(results, "declared_unofficial", mark != NULL ? json_string(mark) : json_null());
    json_object_set_new(results, "noise", vp_results_noise(rows));
    json_object_set_new(results, "warnings", warnings_of(results));
    json_t *reasons = reasons_of(results);
    json_object_set_new(results, "official", json_boolean(json_array_size(reasons) == 0));
    json_object_set_new(results, "unofficial_because", reasons);
    return VP_OK;
}

/* Published files keep the old names of kernels. */
static vp_status rename_retired(vp_result *r, const vp_manifest *manifest, vp_error *error)
{
    json_t **const of[] = {&r->verify, &r->results, &r->bench, &r->limits, &r->clang};
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < sizeof of / sizeof of[0]; i++)
        status = vp_retired_rename(of[i], manifest, error);
    return status;
}

/* Lists contradictions in the files, between them, and with the golden answers. */
static vp_status contradictions_of(const vp_result *r, const json_t *rows, const vp_manifest *manifest, json_t *list, vp_error *error)
{
    json_t *golden, *remarks = json_array();
    vp_status status = vp_golden_read(manifest, &golden, error);
    if (status == VP_OK) {
        vp_check_answers(rows, golden, manifest, list, remarks);
        vp_check_verified(r->verify, rows, golden, list);
        vp_check_bench(r->bench, "bench.json", list);
        vp_check_bench(r->limits, "limits.json", list);
        vp_check_bench(r->clang, "bench-clang.json", list);
        vp_check_machine(r, rows, list);
        status = vp_check_outcomes(r, rows, list, error);
    }
    json_decref(golden);
    json_decref(remarks);
    return status;
}

vp_status vp_results_make(const char *folder, const vp_manifest *manifest, bool whole, json_t **out, vp_error *error)
{
    vp_result r = {0};
    json_t *files = json_array(), *rows = json_array(), *contradictions = json_array();
    char seal[17];
    *out = NULL;
    vp_status status = vp_result_read(folder, &r, error);
    if (status == VP_OK)
        status = rename_retired(&r, manifest, error);
    if (status == VP_OK)
        status = need(r.machine, whole, folder, "machine.json", error);
    if (status == VP_OK)
        status = need(r.verify != NULL ? r.verify : vp_json_at(r.results, "verified.kernels"), whole, folder, "verify.json", error);
    if (status == VP_OK)
        status = need(r.bench, whole, folder, "bench.json", error);
    if (status == VP_OK)
        status = vp_results_files(folder, files, error);
    if (status == VP_OK)
        status = read_rows(&r, manifest, rows, error);
    if (status == VP_OK)
        status = contradictions_of(&r, rows, manifest, contradictions, error);
    if (status == VP_OK) {
        json_t *kept = json_object_get(r.results, "verified");
        json_t *root = json_pack("{s:s, s:s, s:n, s:n, s:n, s:O, s:O*, s:o*, s:n, s:n, s:O, s:O}", "format", VP_RESULTS_FORMAT, "version",
                                 VP_RESULTS_VERSION, "official", "unofficial_because", "declared_unofficial", "contradictions",
                                 contradictions, "machine", r.machine, "verified",
                                 r.verify != NULL ? vp_verified_of(r.verify)
                                 : whole          ? json_incref(kept)
                                                  : NULL,
                                 "noise", "warnings", "files", files, "rows", rows);
        status = vp_results_derive(root, error);
        vp_results_seal(root, seal);
        json_object_set_new(root, "seal", json_string(seal));
        *out = root;
    }
    json_decref(files);
    json_decref(rows);
    json_decref(contradictions);
    vp_result_destroy(&r);
    return status;
}

vp_status vp_results_mark(const char *folder, const char *reason, vp_error *error)
{
    char path[VP_RESULT_PATH_BYTES];
    json_t *machine = NULL;
    vp_status status = vp_result_path(folder, "machine.json", path, error);
    if (status == VP_OK)
        status = vp_json_file(path, false, &machine, error);
    if (status == VP_OK)
        status = need(machine, true, folder, "machine.json", error);
    if (status != VP_OK)
        return status;
    const char *before = vp_json_text(machine, "unofficial");
    if (before == NULL || strcmp(before, reason) != 0) {
        json_object_set_new(machine, "unofficial", before != NULL ? vp_json_format("%s; %s", before, reason) : vp_json_name(reason));
        char *text = json_dumps(machine, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
        status =
            text != NULL ? vp_result_replace(path, text, error) : vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
        free(text);
    }
    json_decref(machine);
    return status;
}

char *vp_results_text(json_t *results)
{
    vp_writing text = {0};
    const char *key;
    json_t *value, *row;
    size_t i;
    const char *before = "{\n";
    json_object_foreach (results, key, value) {
        const bool rows = strcmp(key, "rows") == 0;
        char *member = rows ? NULL : json_dumps(value, JSON_INDENT(1) | JSON_ENCODE_ANY);
        vp_writing_put(&text, before);
        vp_writing_put(&text, "\"");
        vp_writing_put(&text, key); /* keys need no escapes */
        vp_writing_put(&text, rows ? "\": [" : "\": ");
        vp_writing_put(&text, member != NULL ? member : "");
        free(member);
        if (rows)
            json_array_foreach (value, i, row) {
                char *line = json_dumps(row, JSON_COMPACT);
                vp_writing_put(&text, i == 0 ? "\n" : ",\n");
                vp_writing_put(&text, line != NULL ? line : "");
                free(line);
            }
        vp_writing_put(&text, rows ? "\n]" : "");
        before = ",\n";
    }
    vp_writing_put(&text, "\n}\n");
    if (!text.failed)
        return text.bytes;
    vp_writing_destroy(&text);
    return NULL;
}
