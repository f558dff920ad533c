/* SPDX-License-Identifier: MIT */
/* Whether results.json stands: everything in it that can be derived is derived again, hashes are compared with those that every machine
 * gets, and with the raw files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "datasets/manifest_data.h"
#include "tools/report_data.h"
#include "tools/results.h"

enum { PATH_BYTES = 4096, MOST_OF_A_KIND = 10 };

/* Adds to a list and frees the text; after the first ten of a kind they are counted alone. */
static void tell(json_t *list, size_t *of_kind, json_t *text)
{
    if ((*of_kind)++ < MOST_OF_A_KIND)
        json_array_append(list, text);
    json_decref(text);
}

static void tell_rest(json_t *list, size_t of_kind, const char *what)
{
    if (of_kind > MOST_OF_A_KIND)
        json_array_append_new(list, json_sprintf("and %d more %s", (int)(of_kind - MOST_OF_A_KIND), what));
}

/* A value for a message: short. */
static json_t *shown(const json_t *value)
{
    char *text = value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_t *out = json_sprintf("%.80s", text != NULL ? text : "missing");
    free(text);
    return out;
}

/* ---- derived again ---- */

/* Where two values differ, of objects each member by itself. `by` says where the second comes from. */
static void compare_values(json_t *have, json_t *want, const char *where, const char *path, const char *by, vp_findings *out, size_t *count)
{
    char member[300];
    const char *key;
    json_t *value;
    if (json_equal(have, want))
        return;
    if (!json_is_object(have) || !json_is_object(want)) {
        json_t *is = shown(have), *should = shown(want);
        tell(out->problems, count, json_sprintf("%s: \"%s\" is %s, and by %s %s", where, path, json_string_value(is), by, json_string_value(should)));
        json_decref(is);
        json_decref(should);
        return;
    }
    json_object_foreach (have, key, value) {
        snprintf(member, sizeof member, "%.200s.%.60s", path, key);
        compare_values(value, json_object_get(want, key), where, member, by, out, count);
    }
    json_object_foreach (want, key, value) {
        snprintf(member, sizeof member, "%.200s.%.60s", path, key);
        if (json_object_get(have, key) == NULL)
            compare_values(NULL, value, where, member, by, out, count);
    }
}

static void compare_member(const json_t *have, const json_t *want, const char *where, const char *member, const char *by, vp_findings *out, size_t *count)
{
    compare_values(json_object_get(have, member), json_object_get(want, member), where, member, by, out, count);
}

static vp_status derive_again(json_t *results, vp_findings *out, vp_error *error)
{
    static const char *const of_row[] = {"n", "median_ns", "mad_ns", "min_ns", "p95_ns", "median_95_ns", "modes_ns", "drift", "baselines", "speed_up", "warnings"};
    static const char *const of_all[] = {"noise", "warnings", "official", "unofficial_because"};
    json_t *again = json_deep_copy(results), *row;
    size_t i, count = 0;
    const vp_status status = vp_results_derive(again, error);
    if (status == VP_E_FORMAT)
        json_array_append_new(out->problems, json_string(error->message));
    if (status == VP_OK) {
        json_array_foreach (json_object_get(results, "rows"), i, row) {
            char where[200];
            snprintf(where, sizeof where, "row %.120s of %.40s", vp_json_text(row, "name"), vp_json_text(row, "file"));
            for (size_t k = 0; k < sizeof of_row / sizeof of_row[0]; k++)
                compare_member(row, json_array_get(json_object_get(again, "rows"), i), where, of_row[k], "its samples and the other rows", out, &count);
        }
        for (size_t k = 0; k < sizeof of_all / sizeof of_all[0]; k++)
            compare_member(results, again, "the file", of_all[k], "the rest of it", out, &count);
        tell_rest(out->problems, count, "figures that the samples do not give");
    }
    json_decref(again);
    return status == VP_E_FORMAT ? VP_OK : status;
}

/* ---- hashes ---- */

/* Rows of ours have the digest that every machine gets; the data too. */
static void check_hashes(const json_t *results, const json_t *golden, const vp_manifest *manifest, vp_findings *out)
{
    const json_t *rows = json_object_get(results, "rows"), *row, *known = json_object_get(golden, "bench");
    size_t i, wrong = 0, unknown = 0, data_wrong = 0, checked = 0;
    json_array_foreach (rows, i, row) {
        vp_row_name name;
        char key[VP_ROW_KEY_BYTES], hash[17];
        const char *text = vp_json_text(row, "name"), *via = vp_json_text(row, "via"), *digest = vp_json_text(row, "output_hash");
        const bool ours = strcmp(via, "peer") != 0 && strcmp(via, "limit") != 0 && strcmp(via, "other") != 0;
        if (!vp_row_name_read(text, &name)) /* its form was looked at before */
            continue;
        vp_row_data_hash(&name, manifest, hash);
        const char *data = vp_json_text(row, "dataset_hash");
        if (hash[0] != '\0' && (data == NULL || strcmp(data, hash) != 0))
            tell(out->problems, &data_wrong, json_sprintf("row %s: its data has the hash %s, the data set has %s", text, data != NULL ? data : "null", hash));
        if (!ours || vp_json_text(row, "error") != NULL)
            continue;
        vp_row_key(&name, key);
        const char *want = json_string_value(json_object_get(known, key));
        if (want == NULL)
            tell(out->remarks, &unknown, json_sprintf("row %s: no digest of its answers is known here", text));
        else if (digest == NULL || strcmp(digest, want) != 0)
            tell(out->problems, &wrong, json_sprintf("row %s: its answers have the digest %s, every machine's have %s", text, digest != NULL ? digest : "null", want));
        else
            checked++;
    }
    tell_rest(out->problems, data_wrong, "rows of other data");
    tell_rest(out->problems, wrong, "rows of other answers");
    tell_rest(out->remarks, unknown, "rows whose answers are not known");
    if (checked == 0)
        json_array_append_new(out->problems, json_string("no row of voxphys has answers that are known here"));
}

/* "kernel/dataset/form", as the digests of verifications are known by. */
static void check_verified(const json_t *verify, const json_t *golden, vp_findings *out)
{
    const json_t *known = json_object_get(golden, "verify"), *check;
    size_t i, wrong = 0;
    json_array_foreach (json_object_get(verify, "checks"), i, check) {
        char key[200];
        const char *form = vp_json_text(check, "form"), *data = vp_json_text(check, "dataset"), *digest = vp_json_text(check, "digest");
        const bool named = form != NULL && strcmp(form, "wide") != 0;
        snprintf(key, sizeof key, "%.40s/%.80s%s%.20s", vp_json_text(check, "kernel"), data != NULL ? data : "", named ? "/" : "", named ? form : "");
        const char *want = json_string_value(json_object_get(known, key));
        if (want != NULL && (digest == NULL || strcmp(digest, want) != 0))
            tell(out->problems, &wrong, json_sprintf("verify.json: %s by %.20s: digest %.20s, every machine has %s", key, vp_json_text(check, "isa"),
                                                     digest != NULL ? digest : "null", want));
    }
    tell_rest(out->problems, wrong, "checks with other digests");
}

vp_status vp_golden_read(const vp_manifest *manifest, json_t **out, vp_error *error)
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/digests.json", vp_manifest_folder(manifest));
    *out = NULL;
    if (length < 0 || length >= PATH_BYTES)
        return vp_fail(error, VP_E_ARGUMENT, "the path of the data folder is too long");
    const vp_status status = vp_results_load(path, out, error);
    if (status != VP_OK || (json_is_object(json_object_get(*out, "verify")) && json_is_object(json_object_get(*out, "bench"))))
        return status;
    json_decref(*out);
    *out = NULL;
    return vp_fail(error, VP_E_FORMAT, "%s: \"verify\" or \"bench\" is missing", vp_show_path(path).text);
}

/* ---- the raw files ---- */

static const json_t *entry_named(const json_t *list, const char *member, const char *name, const char *file)
{
    const json_t *entry;
    size_t i;
    json_array_foreach (list, i, entry) {
        const char *text = vp_json_text(entry, member), *of = vp_json_text(entry, "file");
        if (text != NULL && strcmp(text, name) == 0 && (file == NULL || (of != NULL && strcmp(of, file) == 0)))
            return entry;
    }
    return NULL;
}

static void compare_files(const json_t *results, const json_t *raw, vp_findings *out)
{
    const json_t *listed = json_object_get(results, "files"), *there = json_object_get(raw, "files"), *file;
    size_t i;
    json_array_foreach (listed, i, file) {
        const char *name = vp_json_text(file, "name");
        const json_t *of = entry_named(there, "name", name, NULL);
        if (of == NULL)
            json_array_append_new(out->problems, json_sprintf("%.80s is named, and not in the folder", name));
        else if (!json_equal(of, file))
            json_array_append_new(out->problems, json_sprintf("%.80s is not the file that the results were made from: its hash is %s, not %s", name,
                                                              vp_json_text(of, "xxh3"), vp_json_text(file, "xxh3")));
    }
    json_array_foreach (there, i, file)
        if (entry_named(listed, "name", vp_json_text(file, "name"), NULL) == NULL)
            json_array_append_new(out->problems, json_sprintf("%.80s is in the folder, and not named", vp_json_text(file, "name")));
}

static void compare_samples(const json_t *a, const json_t *b, const char *where, vp_findings *out, size_t *count)
{
    const json_t *have = json_object_get(a, "samples_ns"), *raw = json_object_get(b, "samples_ns");
    size_t i = 0;
    while (i < json_array_size(have) && json_equal(json_array_get(have, i), json_array_get(raw, i)))
        i++;
    tell(out->problems, count, json_sprintf("row %s: sample %d is %.8g ns, in the raw file %.8g ns (of %d samples, there %d)", where, (int)i,
                                            json_number_value(json_array_get(have, i)), json_number_value(json_array_get(raw, i)),
                                            (int)json_array_size(have), (int)json_array_size(raw)));
}

/* Each row as it would be made from the raw files. Both lists are in the files' order, so the wanted one is nearly always at the same
   place. */
static void compare_rows(const json_t *results, const json_t *raw, vp_findings *out)
{
    const json_t *rows = json_object_get(results, "rows"), *made = json_object_get(raw, "rows"), *row;
    size_t i, count = 0;
    json_array_foreach (rows, i, row) {
        const char *name = vp_json_text(row, "name"), *file = vp_json_text(row, "file"), *key;
        const json_t *of = json_array_get(made, i);
        json_t *value;
        if (of == NULL || strcmp(vp_json_text(of, "name"), name) != 0 || strcmp(vp_json_text(of, "file"), file) != 0)
            of = entry_named(made, "name", name, file);
        if (of == NULL)
            tell(out->problems, &count, json_sprintf("row %s is not in %s", name, file));
        else if (!json_equal(json_object_get(row, "samples_ns"), json_object_get(of, "samples_ns")))
            compare_samples(row, of, name, out, &count);
        else
            json_object_foreach (json_array_get(rows, i), key, value)
                compare_values(value, json_object_get(of, key), name, key, file, out, &count);
    }
    if (json_array_size(rows) != json_array_size(made))
        json_array_append_new(out->problems, json_sprintf("there are %d rows, and %d in the raw files", (int)json_array_size(rows), (int)json_array_size(made)));
    tell_rest(out->problems, count, "rows that are not as in the raw files");
}

static bool is_there(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    struct stat found;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && length < PATH_BYTES && stat(path, &found) == 0;
}

static vp_status compare_raw(json_t *results, const char *folder, const json_t *golden, const vp_manifest *manifest, vp_findings *out, vp_error *error)
{
    char path[PATH_BYTES];
    json_t *raw = NULL, *verify = NULL;
    if (folder == NULL || !is_there(folder, "bench.json")) {
        json_array_append_new(out->remarks, json_string("the raw files are not beside it, so they were not compared"));
        return VP_OK;
    }
    vp_status status = vp_results_make(folder, manifest, vp_json_text(results, "declared_unofficial"), &raw, error);
    if (status == VP_E_FORMAT || status == VP_E_ARGUMENT) { /* of the files: a finding */
        json_array_append_new(out->problems, json_string(error->message));
        return VP_OK;
    }
    if (status == VP_OK) {
        size_t count = 0;
        compare_files(results, raw, out);
        compare_rows(results, raw, out);
        compare_member(results, raw, "the file", "machine", "machine.json", out, &count);
        compare_member(results, raw, "the file", "verified", "verify.json", out, &count);
        snprintf(path, sizeof path, "%s/verify.json", folder);
        status = vp_results_load(path, &verify, error);
    }
    if (status == VP_OK)
        check_verified(verify, golden, out);
    json_decref(verify);
    json_decref(raw);
    return status;
}

/* ---- all ---- */

vp_status vp_results_judge(json_t *results, const char *folder, const vp_manifest *manifest, vp_findings *out, vp_error *error)
{
    json_t *golden = NULL;
    char seal[17];
    vp_status status = vp_golden_read(manifest, &golden, error);
    if (status == VP_OK)
        status = derive_again(results, out, error);
    if (status == VP_OK)
        check_hashes(results, golden, manifest, out);
    if (status == VP_OK)
        status = compare_raw(results, folder, golden, manifest, out, error);
    if (status == VP_OK) {
        vp_results_seal(results, seal);
        if (strcmp(seal, vp_json_text(results, "seal")) != 0)
            json_array_append_new(out->problems, json_sprintf("the seal is %s, and by the file %s: it was altered after it was made", vp_json_text(results, "seal"), seal));
        if (json_is_false(json_object_get(results, "official")))
            json_array_append_new(out->remarks, json_string("these results are not official"));
    }
    json_decref(golden);
    return status;
}

vp_status vp_results_load(const char *path, json_t **out, vp_error *error)
{
    const vp_status status = vp_json_file(path, false, out, error);
    return status != VP_OK || *out != NULL ? status : vp_fail(error, VP_E_IO, "%s: %s", vp_show_path(path).text, strerror(ENOENT));
}

vp_status vp_results_path(const char *path, char out[PATH_BYTES], vp_error *error)
{
    struct stat found;
    const bool folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    const int length = snprintf(out, PATH_BYTES, "%s%s%s", path, folder ? "/" : "", folder ? VP_RESULTS_FILE : "");
    return length > 0 && length < PATH_BYTES ? VP_OK : vp_fail(error, VP_E_ARGUMENT, "the path %.60s... is too long", path);
}
