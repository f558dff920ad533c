/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* lstat */
#include "tools/results/files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef VP_WITH_ZSTD
#include <zstd.h>
#endif

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "host/program.h"

enum { PATH_BYTES = VP_RESULT_PATH_BYTES, LARGEST_JSON = 256 << 20 };

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
    if (!known && errno == ENOTDIR)
        return vp_fail(error, VP_E_IO, "cannot open %s: %s", vp_show_path(path).text, strerror(errno));
    return known && S_ISLNK(found.st_mode)
               ? vp_fail(error, VP_E_FORMAT, "%s is a symbolic link: results are regular files", vp_show_path(path).text)
               : VP_OK;
}

#ifdef VP_WITH_ZSTD
/* Unpacks all frames of a compressed file. Its declared size is not trusted: the output is counted. */
static vp_status unpack(const char *path, const uint8_t *packed, size_t length, uint8_t **bytes, size_t *size, vp_error *error)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed, length, 0};
    ZSTD_outBuffer out = {NULL, 0, 0};
    size_t left = 1;
    vp_status status = stream != NULL ? VP_OK : VP_E_MEMORY;
    while (status == VP_OK && (in.pos < in.size || left != 0)) {
        if (out.pos == out.size) {
            const size_t room = out.size == 0 ? 1 << 20 : 2 * out.size;
            void *grown = out.size < LARGEST_JSON ? realloc(out.dst, room) : NULL;
            status = grown != NULL ? VP_OK : out.size < LARGEST_JSON ? VP_E_MEMORY : VP_E_FORMAT;
            if (status != VP_OK)
                break;
            out.dst = grown;
            out.size = room;
        }
        const size_t before_in = in.pos, before_out = out.pos;
        left = ZSTD_decompressStream(stream, &out, &in);
        if (ZSTD_isError(left) || (in.pos == before_in && out.pos == before_out))
            status = VP_E_FORMAT;
    }
    ZSTD_freeDStream(stream);
    if (status == VP_OK) {
        *bytes = out.dst;
        *size = out.pos;
        return VP_OK;
    }
    free(out.dst);
    return vp_fail(error, status, status == VP_E_MEMORY ? "no memory for %s" : "%s: damaged, or more than 256 MiB",
                   vp_show_path(path).text);
}
#else
static vp_status unpack(const char *path, const uint8_t *packed, size_t length, uint8_t **bytes, size_t *size, vp_error *error)
{
    (void)packed, (void)length, (void)bytes, (void)size;
    return vp_fail(error, VP_E_UNSUPPORTED, "%s: this build cannot unpack it: it is without libzstd", vp_show_path(path).text);
}
#endif

vp_status vp_result_bytes(const char *path, uint8_t **bytes, size_t *size, vp_error *error)
{
    const vp_allocator a = vp_allocator_default();
    char packed_path[PATH_BYTES];
    uint8_t *packed;
    size_t length;
    bool plain = false, packed_too = false;
    *bytes = NULL;
    *size = 0;
    if (snprintf(packed_path, sizeof packed_path, "%s.zst", path) >= PATH_BYTES)
        return vp_fail(error, VP_E_ARGUMENT, "the path %.60s... is too long", path);
    vp_status status = vp_result_found(path, &plain, error);
    if (status == VP_OK)
        status = vp_result_found(packed_path, &packed_too, error);
    if (status != VP_OK || (!plain && !packed_too))
        return status;
    if (plain && packed_too)
        return vp_fail(error, VP_E_FORMAT, "%s is there twice, compressed and not", vp_show_path(path).text);
    status = vp_file_read(plain ? path : packed_path, LARGEST_JSON, &a, &packed, &length, error);
    if (status != VP_OK)
        return status;
    static const uint8_t mark[] = {0x28, 0xb5, 0x2f, 0xfd}; /* the magic number of zstd */
    if (!plain || (length > sizeof mark && memcmp(packed, mark, sizeof mark) == 0)) {
        status = unpack(plain ? path : packed_path, packed, length, bytes, size, error);
    } else if ((*bytes = malloc(length + 1)) != NULL) {
        if (length > 0)
            memcpy(*bytes, packed, length);
        *size = length;
    } else {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    }
    vp_release(&a, packed, length, 1);
    return status;
}

vp_status vp_result_path(const char *folder, const char *name, char out[PATH_BYTES], vp_error *error)
{
    const int length = snprintf(out, PATH_BYTES, "%s/%s", folder, name);
    return length >= 0 && length < PATH_BYTES
               ? VP_OK
               : vp_fail(error, VP_E_ARGUMENT, "the path %s/%.60s is too long", vp_show_path(folder).text, name);
}

vp_status vp_result_replace(const char *path, const char *text, vp_error *error)
{
    char packed_path[PATH_BYTES];
    bool there;
    vp_status status = vp_result_found(path, &there, error); /* otherwise the link's target would be written */
    if (status == VP_OK && snprintf(packed_path, sizeof packed_path, "%s.zst", path) >= PATH_BYTES)
        status = vp_fail(error, VP_E_ARGUMENT, "the path %.60s... is too long", path);
    if (status == VP_OK)
        status = vp_file_replace(path, (const uint8_t *)text, strlen(text), error);
    if (status == VP_OK && unlink(packed_path) != 0 && errno != ENOENT)
        status = vp_fail(error, VP_E_IO, "%s: %s", vp_show_path(packed_path).text, strerror(errno));
    return status;
}

/* Google Benchmark writes NaN and Infinity for undefined values, such as a quotient by 0 in an aggregate. This is not
   valid JSON. Such a value of a member becomes an empty string padded with blanks, so that lines and columns stay. */
static void blank_no_figures(uint8_t *text, size_t size)
{
    static const char *const words[] = {"NaN", "-NaN", "Infinity", "-Infinity"};
    uint8_t before = 0; /* last character that is not a blank */
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
            i++; /* skips the escaped character */
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
    *out = NULL;
    vp_status status = vp_result_bytes(path, &bytes, &size, error);
    if (status != VP_OK || bytes == NULL)
        return status;
    json_error_t mistake;
    if (of_benchmarks)
        blank_no_figures(bytes, size);
    *out = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &mistake);
    free(bytes);
    if (*out == NULL && (json_error_code(&mistake) == json_error_out_of_memory || mistake.text[0] == '\0'))
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    if (*out == NULL)
        return vp_fail(error, VP_E_FORMAT, "%s: line %d: not JSON: %s", vp_show_path(path).text, mistake.line, mistake.text);
    if (json_is_object(*out))
        return VP_OK;
    json_decref(*out);
    *out = NULL;
    return vp_fail(error, VP_E_FORMAT, "%s: not a JSON object", vp_show_path(path).text);
}

/* ---- required members ---- */

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
    const json_t *checks = json_object_get(verify, "checks"), *not_run = json_object_get(verify, "not_run"), *entry;
    size_t i;
    if (!json_is_array(checks) || json_array_size(checks) == 0)
        return wrong(error, path, "\"checks\" is not a list with something in it");
    if (not_run != NULL && !json_is_array(not_run))
        return wrong(error, path, "\"not_run\" is not a list");
    json_array_foreach (checks, i, entry)
        if (vp_json_text(entry, "kernel") == NULL || vp_json_text(entry, "isa") == NULL || !is_count(json_object_get(entry, "cases")) ||
            !is_count(json_object_get(entry, "mismatches")))
            return vp_fail(error, VP_E_FORMAT, "%s: check %zu lacks its kernel, isa, cases or mismatches", vp_show_path(path).text, i);
    json_array_foreach (not_run, i, entry)
        if (vp_json_text(entry, "kernel") == NULL || vp_json_text(entry, "isa") == NULL)
            return vp_fail(error, VP_E_FORMAT, "%s: not_run entry %zu lacks its kernel or isa", vp_show_path(path).text, i);
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
            return vp_fail(error, VP_E_FORMAT, "%s: result %zu lacks its command or a median above 0", vp_show_path(path).text, i);
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
    if (vp_json_text(conformance, "corpus") == NULL || !json_is_array(adapters) || json_array_size(adapters) == 0 ||
        json_array_size(families) == 0)
        return wrong(error, path, "\"corpus\", \"families\" or \"adapters\" is missing or has nothing in it");
    json_array_foreach (adapters, i, entry)
        if (vp_json_text(entry, "name") == NULL || vp_json_text(entry, "version") == NULL ||
            !json_is_object(json_object_get(entry, "families")))
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

static vp_status judge_bench(const json_t *bench, const char *path, vp_error *error)
{
    return json_array_size(json_object_get(bench, "benchmarks")) > 0
               ? VP_OK
               : wrong(error, path, "\"benchmarks\" is not a list with something in it");
}

vp_status vp_result_read(const char *folder, vp_result *r, vp_error *error)
{
    const struct {
        const char *name;
        json_t **json;
        vp_status (*judge)(const json_t *json, const char *path, vp_error *error);
    } files[] = {{"machine.json", &r->machine, NULL},
                 {"verify.json", &r->verify, judge_verify},
                 {"pipeline.json", &r->pipeline, judge_pipeline},
                 {"hulls.json", &r->hulls, judge_hulls},
                 {"conformance.json", &r->conformance, judge_conformance},
                 {"results.json", &r->results, NULL},
                 {"bench.json", &r->bench, judge_bench},
                 {"limits.json", &r->limits, judge_bench},
                 {"bench-clang.json", &r->clang, judge_bench}};
    char path[PATH_BYTES];
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < sizeof files / sizeof files[0]; i++) {
        status = vp_result_path(folder, files[i].name, path, error);
        if (status == VP_OK)
            status = vp_json_file(path, files[i].judge == judge_bench, files[i].json, error);
        if (status == VP_OK && *files[i].json != NULL && files[i].judge != NULL)
            status = files[i].judge(*files[i].json, path, error);
    }
    return status;
}

void vp_result_destroy(vp_result *r)
{
    json_decref(r->machine);
    json_decref(r->verify);
    json_decref(r->pipeline);
    json_decref(r->bench);
    json_decref(r->clang);
    json_decref(r->limits);
    json_decref(r->hulls);
    json_decref(r->conformance);
    json_decref(r->results);
    *r = (vp_result){0};
}
