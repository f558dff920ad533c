/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* lstat */
#include "tools/report_data.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "tools/command.h"

enum { PATH_BYTES = 4096, LARGEST_JSON = 256 << 20, LARGEST_NOTES = 1 << 20, MOST_MACHINES = 1000 };

/* ---- JSON ---- */

json_t *vp_json_at(const json_t *json, const char *path)
{
    json_t *at = NULL;
    for (const char *p = path;;) {
        char key[64];
        size_t length = strcspn(p, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, p);
        at = json_object_get(json, key);
        if (p[length] == '\0' || at == NULL)
            return at;
        json = at;
        p += length + 1;
    }
}

const char *vp_json_text(const json_t *json, const char *path)
{
    return json_string_value(vp_json_at(json, path));
}

double vp_json_figure(const json_t *json, const char *path)
{
    const json_t *at = vp_json_at(json, path);
    return json_is_number(at) ? json_number_value(at) : NAN;
}

/* ---- files ---- */

vp_status vp_result_found(const char *path, bool *there, vp_error *error)
{
    struct stat found;
    const bool known = lstat(path, &found) == 0;
    *there = known || errno != ENOENT;
    return known && S_ISLNK(found.st_mode)
               ? vp_fail(error, VP_E_FORMAT, "%s is a symbolic link: results are regular files", vp_show_path(path).text)
               : VP_OK;
}

/* A whole file. */
static vp_status read_bytes(const char *path, uint64_t limit, bool *there, uint8_t **bytes, size_t *size, vp_error *error)
{
    vp_allocator a = vp_allocator_default();
    *bytes = NULL;
    *size = 0;
    vp_status status = vp_result_found(path, there, error);
    return status == VP_OK && *there ? vp_file_read(path, limit, &a, bytes, size, error) : status;
}

static void release(uint8_t *bytes, size_t size)
{
    vp_allocator a = vp_allocator_default();
    vp_release(&a, bytes, size, 1);
}

static bool join(char path[PATH_BYTES], const char *folder, const char *name, vp_error *error)
{
    int length = snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    if (length >= 0 && length < PATH_BYTES)
        return true;
    vp_fail(error, VP_E_ARGUMENT, "the path %s/%.60s is too long", vp_show_path(folder).text, name);
    return false;
}

/* Google Benchmark writes NaN and Infinity for figures that are none, as of a quotient by 0 in an aggregate: no JSON. Where a
   member's value is one of these, it becomes an empty text with blanks behind it, which is no figure either, and every line and
   column stays. */
static void blank_no_figures(uint8_t *text, size_t size)
{
    static const char *const words[] = {"NaN", "-NaN", "Infinity", "-Infinity"};
    uint8_t before = 0; /* but for blanks */
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        for (size_t w = 0; before == ':' && !quoted && w < sizeof words / sizeof words[0]; w++) {
            const size_t length = strlen(words[w]);
            if (size - i < length || memcmp(text + i, words[w], length) != 0)
                continue;
            memset(text + i, ' ', length);
            text[i] = text[i + 1] = '"';
        }
        if (quoted && text[i] == '\\')
            i++; /* and what it stands before */
        else if (text[i] == '"')
            quoted = !quoted;
        if (i < size && strchr(" \t\r\n", text[i]) == NULL)
            before = text[i];
    }
}

vp_status vp_json_file(const char *path, bool of_benchmarks, json_t **out, vp_error *error)
{
    uint8_t *bytes;
    size_t size;
    bool there;
    *out = NULL;
    vp_status status = read_bytes(path, LARGEST_JSON, &there, &bytes, &size, error);
    if (status != VP_OK || !there)
        return status;
    json_error_t mistake;
    if (of_benchmarks)
        blank_no_figures(bytes, size);
    *out = json_loadb(bytes != NULL ? (const char *)bytes : "", size, JSON_REJECT_DUPLICATES, &mistake);
    release(bytes, size);
    if (*out == NULL && (json_error_code(&mistake) == json_error_out_of_memory || mistake.text[0] == '\0'))
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    if (*out == NULL)
        return vp_fail(error, VP_E_FORMAT, "%s: line %d: not JSON: %s", vp_show_path(path).text, mistake.line,
                       mistake.text);
    if (json_is_object(*out))
        return VP_OK;
    json_decref(*out);
    *out = NULL;
    return vp_fail(error, VP_E_FORMAT, "%s: not a JSON object", vp_show_path(path).text);
}

/* A file of a folder; `path` receives its path. */
static vp_status read_json(const char *folder, const char *name, bool of_benchmarks, char path[PATH_BYTES], json_t **out,
                           vp_error *error)
{
    *out = NULL;
    return join(path, folder, name, error) ? vp_json_file(path, of_benchmarks, out, error) : VP_E_ARGUMENT;
}

static vp_status read_notes(const char *folder, char path[PATH_BYTES], char **out, vp_error *error)
{
    uint8_t *bytes;
    size_t size;
    bool there;
    if (!join(path, folder, "notes.md", error))
        return VP_E_ARGUMENT;
    vp_status status = read_bytes(path, LARGEST_NOTES, &there, &bytes, &size, error);
    if (status != VP_OK || size == 0)
        return status;
    json_t *checked = memchr(bytes, 0, size) != NULL ? NULL : json_stringn((const char *)bytes, size);
    *out = checked != NULL ? calloc(size + 1, 1) : NULL;
    if (checked == NULL)
        status = vp_fail(error, VP_E_FORMAT, "%s: not text in UTF-8", vp_show_path(path).text);
    else if (*out == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    else
        memcpy(*out, bytes, size);
    json_decref(checked);
    release(bytes, size);
    return status;
}

/* ---- what the files must have ---- */

static vp_status wrong(vp_error *error, const char *path, const char *what)
{
    return vp_fail(error, VP_E_FORMAT, "%s: %s", vp_show_path(path).text, what);
}

static bool is_count(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static vp_status judge_verify(const json_t *verify, const char *path, vp_error *error)
{
    const json_t *checks = json_object_get(verify, "checks"), *not_run = json_object_get(verify, "not_run"),
                 *entry;
    size_t i;
    if (!json_is_array(checks) || json_array_size(checks) == 0)
        return wrong(error, path, "\"checks\" is not a list with something in it");
    if (not_run != NULL && !json_is_array(not_run))
        return wrong(error, path, "\"not_run\" is not a list");
    json_array_foreach (checks, i, entry)
        if (vp_json_text(entry, "kernel") == NULL || vp_json_text(entry, "isa") == NULL ||
            !is_count(json_object_get(entry, "cases")) || !is_count(json_object_get(entry, "mismatches")))
            return vp_fail(error, VP_E_FORMAT, "%s: check %zu lacks its kernel, isa, cases or mismatches",
                           vp_show_path(path).text, i);
    json_array_foreach (not_run, i, entry)
        if (vp_json_text(entry, "kernel") == NULL || vp_json_text(entry, "isa") == NULL)
            return vp_fail(error, VP_E_FORMAT, "%s: not_run entry %zu lacks its kernel or isa",
                           vp_show_path(path).text, i);
    return VP_OK;
}

static vp_status judge_pipeline(const json_t *pipeline, const char *path, vp_error *error)
{
    const json_t *results = json_object_get(pipeline, "results"), *entry;
    size_t i;
    if (!json_is_array(results))
        return wrong(error, path, "\"results\" is not a list");
    json_array_foreach (results, i, entry)
        if (vp_json_text(entry, "command") == NULL || !(vp_json_figure(entry, "median") > 0))
            return vp_fail(error, VP_E_FORMAT, "%s: result %zu lacks its command or a median above 0",
                           vp_show_path(path).text, i);
    return VP_OK;
}

static vp_status judge_hulls(const json_t *hulls, const char *path, vp_error *error)
{
    static const char *const outcomes[] = {"valid", "faulty", "refused", "crashed", "late"};
    const json_t *trials = json_object_get(hulls, "trials"), *entry;
    size_t i;
    if (!json_is_array(trials) || json_array_size(trials) == 0)
        return wrong(error, path, "\"trials\" is not a list with something in it");
    json_array_foreach (trials, i, entry) {
        const char *outcome = vp_json_text(entry, "outcome");
        bool known = false;
        for (size_t k = 0; k < sizeof outcomes / sizeof outcomes[0]; k++)
            known = known || (outcome != NULL && strcmp(outcome, outcomes[k]) == 0);
        if (!known || vp_json_text(entry, "who") == NULL || vp_json_text(entry, "family") == NULL ||
            !is_count(json_object_get(entry, "dimension")))
            return vp_fail(error, VP_E_FORMAT, "%s: trial %zu lacks its who, family or dimension, or has an outcome that is unknown",
                           vp_show_path(path).text, i);
    }
    return VP_OK;
}

static vp_status judge_conformance(const json_t *conformance, const char *path, vp_error *error)
{
    const json_t *adapters = json_object_get(conformance, "adapters"), *families = json_object_get(conformance, "families");
    const json_t *vectors = json_object_get(conformance, "vectors"), *entry, *result;
    size_t i, k;
    if (vp_json_text(conformance, "corpus") == NULL || !json_is_array(adapters) || json_array_size(adapters) == 0 || json_array_size(families) == 0)
        return wrong(error, path, "\"corpus\", \"families\" or \"adapters\" is missing or has nothing in it");
    json_array_foreach (adapters, i, entry)
        if (vp_json_text(entry, "name") == NULL || vp_json_text(entry, "version") == NULL || !json_is_object(json_object_get(entry, "families")))
            return vp_fail(error, VP_E_FORMAT, "%s: adapter %zu lacks its name, version or families", vp_show_path(path).text, i);
    json_array_foreach (families, i, entry)
        if (vp_json_text(entry, "family") == NULL || !is_count(json_object_get(entry, "asked")))
            return vp_fail(error, VP_E_FORMAT, "%s: family %zu lacks its name, or how much was asked", vp_show_path(path).text, i);
    json_array_foreach (vectors, i, entry) {
        bool good = vp_json_text(entry, "id") != NULL && json_array_size(json_object_get(entry, "results")) == json_array_size(adapters);
        json_array_foreach (json_object_get(entry, "results"), k, result)
            good = good && vp_json_text(result, "result") != NULL;
        if (!good)
            return vp_fail(error, VP_E_FORMAT, "%s: vector %zu lacks its id, or a result for each adapter", vp_show_path(path).text, i);
    }
    return VP_OK;
}

static vp_status read_bench(const char *folder, const char *name, char path[PATH_BYTES],
                            const vp_manifest *manifest, vp_bench *out, vp_error *error)
{
    json_t *json;
    vp_status status = read_json(folder, name, true, path, &json, error);
    if (status == VP_OK && json != NULL)
        status = vp_bench_read(json, path, manifest, out, error);
    json_decref(json);
    return status;
}

vp_status vp_result_read(const char *folder, const vp_manifest *manifest, vp_result *r, vp_error *error)
{
    char path[PATH_BYTES];
    vp_status status = read_json(folder, "machine.json", false, path, &r->machine, error);
    if (status == VP_OK)
        status = read_json(folder, "verify.json", false, path, &r->verify, error);
    if (status == VP_OK && r->verify != NULL)
        status = judge_verify(r->verify, path, error);
    if (status == VP_OK)
        status = read_json(folder, "pipeline.json", false, path, &r->pipeline, error);
    if (status == VP_OK && r->pipeline != NULL)
        status = judge_pipeline(r->pipeline, path, error);
    if (status == VP_OK)
        status = read_json(folder, "hulls.json", false, path, &r->hulls, error);
    if (status == VP_OK && r->hulls != NULL)
        status = judge_hulls(r->hulls, path, error);
    if (status == VP_OK)
        status = read_json(folder, "conformance.json", false, path, &r->conformance, error);
    if (status == VP_OK && r->conformance != NULL)
        status = judge_conformance(r->conformance, path, error);
    if (status == VP_OK)
        status = read_json(folder, "results.json", false, path, &r->results, error);
    if (status == VP_OK)
        status = read_bench(folder, "bench.json", path, manifest, &r->bench, error);
    if (status == VP_OK)
        status = read_bench(folder, "limits.json", path, manifest, &r->limits, error);
    if (status == VP_OK)
        status = read_bench(folder, "bench-clang.json", path, manifest, &r->clang, error);
    return status == VP_OK ? read_notes(folder, path, &r->notes, error) : status;
}

/* ---- folders ---- */

static bool holds_results(const char *folder)
{
    static const char *const files[] = {"machine.json", "verify.json", "bench.json", "pipeline.json"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[PATH_BYTES];
        int length = snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        struct stat found;
        if (length > 0 && length < PATH_BYTES && lstat(path, &found) == 0)
            return true;
    }
    return false;
}

static int compare_results(const void *left, const void *right)
{
    return strcmp(((const vp_result *)left)->name, ((const vp_result *)right)->name);
}

static vp_status add_result(vp_results *results, const char *name, const char *prefix, vp_error *error)
{
    if (results->count == MOST_MACHINES)
        return vp_fail(error, VP_E_ARGUMENT, "more than %d folders of results", MOST_MACHINES);
    vp_result *grown = realloc(results->result, (results->count + 1) * sizeof *grown);
    if (grown == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the results");
    results->result = grown;
    vp_result *r = &grown[results->count++];
    size_t length = strlen(prefix) + strlen(name) + 1;
    *r = (vp_result){.name = malloc(strlen(name) + 1), .link = malloc(length)};
    if (r->name == NULL || r->link == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the results");
    memcpy(r->name, name, strlen(name) + 1);
    snprintf(r->link, length, "%s%s", prefix, name);
    return VP_OK;
}

static vp_status list_folders(const char *folder, const char *prefix, vp_results *out, vp_error *error)
{
    DIR *listing = opendir(folder);
    if (listing == NULL)
        return vp_fail(error, errno == ENOMEM ? VP_E_MEMORY : VP_E_IO, "%s: %s", vp_show_path(folder).text,
                       strerror(errno));
    vp_status status = VP_OK;
    for (struct dirent *d; status == VP_OK && (d = readdir(listing)) != NULL;) {
        char path[PATH_BYTES];
        bool there;
        if (d->d_name[0] == '.') /* also what a run has not finished */
            continue;
        if (!join(path, folder, d->d_name, error))
            status = VP_E_ARGUMENT;
        else if (!holds_results(path))
            continue;
        else if (vp_result_found(path, &there, error) != VP_OK)
            status = error->status;
        else if (!vp_is_utf8(d->d_name)) /* the pages are UTF-8, and the folder's name is a heading */
            status = vp_fail(error, VP_E_ARGUMENT, "%s: the folder's name is not UTF-8; give it another",
                             vp_show_path(path).text);
        else
            status = add_result(out, d->d_name, prefix, error);
    }
    closedir(listing);
    if (status == VP_OK && out->count != 0) /* else the last may have no name */
        qsort(out->result, out->count, sizeof *out->result, compare_results);
    return status;
}

vp_status vp_results_read(const char *folder, const char *link_prefix, vp_results *out, vp_error *error)
{
    *out = (vp_results){0};
    vp_status status = vp_manifest_open(NULL, &out->manifest, error);
    if (status == VP_OK)
        status = list_folders(folder, link_prefix, out, error);
    if (status == VP_OK && out->count == 0)
        status =
            vp_fail(error, VP_E_ARGUMENT, "%s: no folder here holds results (machine.json, bench.json, ...)",
                    vp_show_path(folder).text);
    char file[PATH_BYTES];
    if (status == VP_OK)
        status = read_json(folder, "instructions.json", false, file, &out->instructions, error);
    if (status == VP_OK)
        status = read_json(folder, "models.json", false, file, &out->models, error);
    for (size_t i = 0; status == VP_OK && i < out->count; i++) {
        char path[PATH_BYTES];
        if (!join(path, folder, out->result[i].name, error))
            return VP_E_ARGUMENT;
        status = vp_result_read(path, out->manifest, &out->result[i], error);
    }
    return status;
}

const vp_bench *vp_limits_of(const vp_result *r)
{
    return r->limits.json != NULL ? &r->limits : &r->bench;
}

void vp_result_destroy(vp_result *r)
{
    free(r->name);
    free(r->link);
    free(r->notes);
    json_decref(r->machine);
    json_decref(r->verify);
    json_decref(r->pipeline);
    json_decref(r->hulls);
    json_decref(r->conformance);
    json_decref(r->results);
    vp_bench_destroy(&r->bench);
    vp_bench_destroy(&r->limits);
    vp_bench_destroy(&r->clang);
    *r = (vp_result){0};
}

void vp_results_destroy(vp_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        vp_result_destroy(&results->result[i]);
    free(results->result);
    json_decref(results->instructions);
    json_decref(results->models);
    if (results->manifest != NULL)
        vp_manifest_close(results->manifest);
    *results = (vp_results){0};
}
