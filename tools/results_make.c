/* SPDX-License-Identifier: MIT */
/* results.json, put together from a folder's files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "datasets/hash.h"
#include "tools/report_data.h"
#include "tools/report_text.h"
#include "tools/results.h"

enum { PATH_BYTES = 4096, LARGEST_FILE = 256 << 20 };

void vp_hash_text(const void *bytes, size_t size, char out[17])
{
    snprintf(out, 17, "%016" PRIx64, vp_hash64(bytes, size));
}

void vp_results_seal(json_t *results, char out[17])
{
    json_t *sealed = json_copy(results); /* shallow: its members are shared, and not changed */
    json_object_del(sealed, "seal");
    char *text = json_dumps(sealed, JSON_COMPACT | JSON_SORT_KEYS);
    out[0] = '\0';
    if (text != NULL)
        vp_hash_text(text, strlen(text), out);
    free(text);
    json_decref(sealed);
}

/* ---- what is told of all ---- */

/* The files that a folder has, with their sizes and hashes. */
static vp_status list_files(const char *folder, json_t *list, vp_error *error)
{
    static const char *const names[] = {"machine.json", "verify.json", "bench.json", "limits.json", "bench-clang.json", "pipeline.json",
                                        "hulls.json", "conformance.json"};
    const vp_allocator a = vp_allocator_default();
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < sizeof names / sizeof names[0]; i++) {
        char path[PATH_BYTES], hash[17];
        uint8_t *bytes;
        size_t size;
        struct stat found;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (length < 0 || length >= PATH_BYTES || stat(path, &found) != 0) /* a path too long was told before */
            continue;
        status = vp_file_read(path, LARGEST_FILE, &a, &bytes, &size, error);
        if (status != VP_OK)
            break;
        vp_hash_text(bytes, size, hash);
        json_array_append_new(list, json_pack("{s:s, s:I, s:s}", "name", names[i], "bytes", (json_int_t)size, "xxh3", hash));
        vp_release(&a, bytes, size, 1);
    }
    return status;
}

static json_t *verified(const json_t *verify)
{
    const json_t *checks = json_object_get(verify, "checks"), *check;
    json_t *versions = json_object();
    json_int_t answers = 0, disagreements = 0;
    size_t i;
    json_array_foreach (checks, i, check) {
        char who[80];
        const char *via = vp_json_text(check, "via");
        snprintf(who, sizeof who, "%.30s%s", vp_json_text(check, "isa"), via != NULL && strcmp(via, "simde") == 0 ? "-simde" : "");
        json_object_set_new(versions, who, json_integer(json_integer_value(json_object_get(versions, who)) + 1));
        answers += json_integer_value(json_object_get(check, "cases"));
        disagreements += json_integer_value(json_object_get(check, "mismatches")) != 0;
    }
    return json_pack("{s:I, s:I, s:I, s:o}", "checks", (json_int_t)json_array_size(checks), "answers", answers, "disagreements", disagreements,
                     "checks_of", versions);
}

static void add_reason(json_t *list, const char *text)
{
    json_array_append_new(list, json_string(text));
}

/* Why results are not official, by what they say themselves. */
static json_t *reasons_of(const json_t *results)
{
    const json_t *dirty = vp_json_at(results, "machine.voxphys.dirty"), *rows = json_object_get(results, "rows"), *row;
    const char *declared = vp_json_text(results, "declared_unofficial");
    json_t *list = json_array();
    size_t i, refused = 0, quick = 0;
    if (declared != NULL)
        add_reason(list, declared);
    if (vp_json_text(results, "machine.voxphys.commit") == NULL)
        add_reason(list, "the commit is unknown");
    if (!json_is_false(dirty))
        add_reason(list, json_is_true(dirty) ? "the checkout had changes that are in no commit" : "it is unknown whether the checkout had changes");
    if (!(vp_json_figure(results, "verified.checks") > 0) || vp_json_figure(results, "verified.disagreements") > 0)
        add_reason(list, "not every version of every kernel agreed with the reference");
    if (json_is_true(vp_json_at(results, "machine.float_mode.flushes_results")) || json_is_true(vp_json_at(results, "machine.float_mode.flushes_operands")))
        add_reason(list, "denormals were flushed to zero");
    json_array_foreach (rows, i, row) {
        const char *via = vp_json_text(row, "via");
        const bool ours = via != NULL && strcmp(via, "peer") != 0;
        refused += ours && json_is_string(json_object_get(row, "error"));
        quick += ours && vp_json_figure(row, "n") < 3;
    }
    if (refused > 0)
        json_array_append_new(list, json_sprintf("%d benchmarks of voxphys were refused", (int)refused));
    if (quick > refused)
        json_array_append_new(list, json_sprintf("%d benchmarks have fewer than three samples", (int)(quick - refused)));
    return list;
}

/* What is to be said of the machine. */
static json_t *warnings_of(const json_t *results)
{
    json_t *list = json_array();
    const double before = vp_json_figure(results, "machine.cpu.clock_mhz_before"), after = vp_json_figure(results, "machine.cpu.clock_mhz_now");
    const double load = json_number_value(json_array_get(vp_json_at(results, "machine.load.before"), 0)), cpus = vp_json_figure(results, "machine.cpu.cpus");
    const double score = vp_json_figure(results, "noise.score");
    const char *governor = vp_json_text(results, "machine.cpu.governor");
    if (after / before > 1.05 || before / after > 1.05)
        json_array_append_new(list, json_sprintf("the clock was %.0f MHz before and %.0f MHz after", before, after));
    if (load > cpus / 2)
        json_array_append_new(list, json_sprintf("other programs were running before: a load of %.2f", load));
    if (governor != NULL && strcmp(governor, "performance") != 0)
        json_array_append_new(list, json_sprintf("the clock's governor was \"%.40s\", not \"performance\"", governor));
    if (score > 0.05)
        json_array_append_new(list, json_sprintf("the same thing measured twice differs by %.1f %%: smaller differences say nothing", score * 100));
    return list;
}

/* ---- all together ---- */

static vp_status read_rows(const vp_result *r, const vp_manifest *manifest, json_t *rows, vp_error *error)
{
    vp_status status = vp_rows_read(r->bench.json, "bench.json", manifest, rows, error);
    if (status == VP_OK && r->limits.json != NULL)
        status = vp_rows_read(r->limits.json, "limits.json", manifest, rows, error);
    if (status == VP_OK && r->clang.json != NULL)
        status = vp_rows_read(r->clang.json, "bench-clang.json", manifest, rows, error);
    return status;
}

static vp_status need(const json_t *file, const char *folder, const char *name, vp_error *error)
{
    return file != NULL ? VP_OK : vp_fail(error, VP_E_ARGUMENT, "%s has no %s", vp_show_path(folder).text, name);
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
    json_object_set_new(results, "noise", vp_results_noise(rows));
    json_object_set_new(results, "warnings", warnings_of(results));
    json_t *reasons = reasons_of(results);
    json_object_set_new(results, "official", json_boolean(json_array_size(reasons) == 0));
    json_object_set_new(results, "unofficial_because", reasons);
    return VP_OK;
}

vp_status vp_results_make(const char *folder, const vp_manifest *manifest, const char *because, json_t **out, vp_error *error)
{
    vp_result r = {0};
    json_t *files = json_array(), *rows = json_array();
    char seal[17];
    *out = NULL;
    vp_status status = vp_result_read(folder, manifest, &r, error);
    if (status == VP_OK)
        status = need(r.machine, folder, "machine.json", error);
    if (status == VP_OK)
        status = need(r.verify, folder, "verify.json", error);
    if (status == VP_OK)
        status = need(r.bench.json, folder, "bench.json", error);
    if (status == VP_OK)
        status = list_files(folder, files, error);
    if (status == VP_OK)
        status = read_rows(&r, manifest, rows, error);
    if (status == VP_OK) {
        json_t *root = json_pack("{s:s, s:s, s:n, s:n, s:o, s:O, s:o, s:n, s:n, s:O, s:O}", "format", VP_RESULTS_FORMAT, "version", VP_RESULTS_VERSION,
                                 "official", "unofficial_because", "declared_unofficial", because != NULL ? json_string(because) : json_null(),
                                 "machine", r.machine, "verified", verified(r.verify), "noise", "warnings", "files", files, "rows", rows);
        status = vp_results_derive(root, error);
        vp_results_seal(root, seal);
        json_object_set_new(root, "seal", json_string(seal));
        *out = root;
    }
    json_decref(files);
    json_decref(rows);
    vp_result_destroy(&r);
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
        vp_writing_put(&text, key); /* of ours, without anything to escape */
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
