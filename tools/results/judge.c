/* SPDX-License-Identifier: MIT */
/* Checks results.json: derives all derived values again, and compares hashes with the golden ones and with the raw files. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "host/program.h"
#include "tools/results/files.h"
#include "tools/results/results.h"

/* A value shortened for a message. */
static json_t *shown(const json_t *value)
{
    char *text = value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_t *out = vp_json_format("%.80s", text != NULL ? text : "missing");
    free(text);
    return out;
}

/* ---- derived values ---- */

/* Whether two values are equal. Other JSON writers turn 1.0 into 1, also in lists, so numbers compare by value. */
static bool is_same(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    if (!json_is_array(a) || !json_is_array(b) || json_array_size(a) != json_array_size(b))
        return json_equal(a, b);
    size_t i = 0;
    while (i < json_array_size(a) && is_same(json_array_get(a, i), json_array_get(b, i)))
        i++;
    return i == json_array_size(a);
}

/* Reports where two values differ, objects by member. `by` is the source of the second value. */
static void compare_values(json_t *have, json_t *want, const char *where, const char *path, const char *by, vp_findings *out, size_t *count)
{
    char member[300];
    const char *key;
    json_t *value;
    if (is_same(have, want))
        return;
    if (!json_is_object(have) || !json_is_object(want)) {
        json_t *is = shown(have), *should = shown(want);
        VP_TELL(out->problems, count, "%s: \"%s\" is %s, and by %s %s", where, path, json_string_value(is), by, json_string_value(should));
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

static void compare_member(const json_t *have, const json_t *want, const char *where, const char *member, const char *by, vp_findings *out,
                           size_t *count)
{
    compare_values(json_object_get(have, member), json_object_get(want, member), where, member, by, out, count);
}

static vp_status derive_again(json_t *results, vp_findings *out, vp_error *error)
{
    static const char *const of_row[] = {"n",        "median_ns", "mad_ns",    "min_ns",   "p95_ns",  "median_95_ns",
                                         "modes_ns", "drift",     "baselines", "speed_up", "warnings"};
    static const char *const of_all[] = {"declared_unofficial", "noise", "warnings", "official", "unofficial_because"};
    json_t *again = json_deep_copy(results), *row;
    size_t i, count = 0;
    const vp_status status = vp_results_derive(again, error);
    if (status == VP_E_FORMAT)
        json_array_append_new(out->problems, vp_json_name(error->message));
    if (status == VP_OK) {
        json_array_foreach (json_object_get(results, "rows"), i, row) {
            char where[200];
            snprintf(where, sizeof where, "row %.120s of %.40s", vp_json_text(row, "name"), vp_json_text(row, "file"));
            for (size_t k = 0; k < sizeof of_row / sizeof of_row[0]; k++)
                compare_member(row, json_array_get(json_object_get(again, "rows"), i), where, of_row[k], "its samples and the other rows",
                               out, &count);
        }
        for (size_t k = 0; k < sizeof of_all / sizeof of_all[0]; k++)
            compare_member(results, again, "the file", of_all[k], "the rest of it", out, &count);
        vp_list_rest(out->problems, count, "figures that the samples do not give");
    }
    json_decref(again);
    return status == VP_E_FORMAT ? VP_OK : status;
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

/* Compares listed, existing and required files. Existing files are compared even if others are missing. */
static void compare_files(const json_t *listed, const json_t *there, vp_findings *out)
{
    static const char *const needed[] = {"machine.json", "bench.json"};
    const json_t *file;
    size_t i;
    json_array_foreach (listed, i, file) {
        const char *name = vp_json_text(file, "name");
        const json_t *of = entry_named(there, "name", name, NULL);
        if (of == NULL)
            VP_SAY(out->problems, "%.80s is named, and not in the folder", name);
        else if (!json_equal(of, file))
            VP_SAY(out->problems, "%.80s is not the file that the results were made from: its hash is %s, not %s", name,
                   vp_json_text(of, "xxh3"), vp_json_text(file, "xxh3"));
    }
    json_array_foreach (there, i, file)
        if (entry_named(listed, "name", vp_json_text(file, "name"), NULL) == NULL)
            VP_SAY(out->problems, "%.80s is in the folder, and not named", vp_json_text(file, "name"));
    for (i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (entry_named(there, "name", needed[i], NULL) == NULL && entry_named(listed, "name", needed[i], NULL) == NULL)
            VP_SAY(out->problems, "%s is not in the folder, and results are made of it", needed[i]);
}

static void compare_samples(const json_t *a, const json_t *b, const char *where, vp_findings *out, size_t *count)
{
    const json_t *have = json_object_get(a, "samples_ns"), *raw = json_object_get(b, "samples_ns");
    size_t i = 0;
    while (i < json_array_size(have) && is_same(json_array_get(have, i), json_array_get(raw, i)))
        i++;
    VP_TELL(out->problems, count, "row %s: sample %d is %.8g ns, in the raw file %.8g ns (of %d samples, there %d)", where, (int)i,
            json_number_value(json_array_get(have, i)), json_number_value(json_array_get(raw, i)), (int)json_array_size(have),
            (int)json_array_size(raw));
}

/* Members derived from other rows, which may be in a missing file. They were checked before. */
static bool is_related(const char *member)
{
    return strcmp(member, "baselines") == 0 || strcmp(member, "speed_up") == 0 || strcmp(member, "warnings") == 0;
}

/* Compares each row with the one made from the raw files. Both lists follow the files' order, so the wanted row is
   nearly always at the same index. */
static void compare_rows(const json_t *results, const json_t *raw, const json_t *there, vp_findings *out)
{
    const json_t *rows = json_object_get(results, "rows"), *made = json_object_get(raw, "rows"), *row;
    size_t i, count = 0, of_there = 0;
    json_array_foreach (rows, i, row) {
        const char *name = vp_json_text(row, "name"), *file = vp_json_text(row, "file"), *key;
        const json_t *of = json_array_get(made, i);
        json_t *value;
        if (entry_named(there, "name", file, NULL) == NULL)
            continue; /* the missing file was reported already */
        of_there++;
        if (of == NULL || strcmp(vp_json_text(of, "name"), name) != 0 || strcmp(vp_json_text(of, "file"), file) != 0)
            of = entry_named(made, "name", name, file);
        if (of == NULL)
            VP_TELL(out->problems, &count, "row %s is not in %s", name, file);
        else if (!is_same(json_object_get(row, "samples_ns"), json_object_get(of, "samples_ns")))
            compare_samples(row, of, name, out, &count);
        else
            json_object_foreach (json_array_get(rows, i), key, value)
                if (!is_related(key))
                    compare_values(value, json_object_get(of, key), name, key, file, out, &count);
    }
    for (i = 0; of_there != json_array_size(made) && i < json_array_size(made); i++) {
        row = json_array_get(made, i);
        const char *name = vp_json_text(row, "name"), *file = vp_json_text(row, "file");
        if (entry_named(rows, "name", name, file) == NULL)
            VP_TELL(out->problems, &count, "row %s of %s is not among the results", name, file);
    }
    if (of_there != json_array_size(made))
        VP_SAY(out->problems, "there are %d rows, and %d in the raw files", (int)of_there, (int)json_array_size(made));
    vp_list_rest(out->problems, count, "rows that are not as in the raw files");
}

/* Adds problems that are not in the list yet, because results and raw files may have the same ones. */
static void add_new(json_t *list, const json_t *more)
{
    const json_t *text, *reported;
    size_t i, k;
    json_array_foreach (more, i, text) {
        bool is_new = true;
        json_array_foreach (list, k, reported)
            is_new = is_new && !json_equal(reported, text);
        if (is_new)
            json_array_append(list, json_array_get(more, i));
    }
}

/* A folder has its machine's name, followed by "-2" and so on if there are several of a kind. The name of an unfinished
   run contains a dot. */
static void check_name(const char *folder, const char *machine, vp_findings *out)
{
    char *path = realpath(folder, NULL);
    const char *slash = path != NULL ? strrchr(path, '/') : NULL, *name = slash != NULL ? slash + 1 : "";
    const size_t length = machine != NULL ? strlen(machine) : 0;
    if (slash != NULL && name[0] != '.') {
        const char *behind = name + length;
        const bool same = length > 0 && strncmp(name, machine, length) == 0;
        const bool numbered = same && behind[0] == '-' && behind[1] >= '1' && behind[1] <= '9' && strcmp(behind, "-1") != 0 &&
                              strspn(behind + 1, "0123456789") == strlen(behind + 1);
        if (!same || (*behind != '\0' && !numbered))
            VP_SAY(out->problems, "the folder is named \"%.100s\", the machine in it \"%.100s\"", name,
                   machine != NULL ? machine : "(unknown)");
    }
    free(path);
}

static vp_status compare_raw(json_t *results, const char *folder, const json_t *there, const vp_manifest *manifest, vp_findings *out,
                             vp_error *error)
{
    json_t *raw = NULL;
    compare_files(json_object_get(results, "files"), there, out);
    const vp_status status = vp_results_make(folder, manifest, false, &raw, error);
    if (status == VP_E_FORMAT || status == VP_E_ARGUMENT) { /* a fault of the files, so it is a finding */
        json_array_append_new(out->problems, vp_json_name(error->message));
        return VP_OK;
    }
    if (status == VP_OK) {
        size_t count = 0;
        bool whole = true;
        const json_t *file;
        size_t i;
        json_array_foreach (json_object_get(results, "files"), i, file)
            whole = whole && entry_named(there, "name", vp_json_text(file, "name"), NULL) != NULL;
        compare_rows(results, raw, there, out);
        if (entry_named(there, "name", "machine.json", NULL) != NULL)
            compare_member(results, raw, "the file", "machine", "machine.json", out, &count);
        if (json_object_get(raw, "verified") != NULL)
            compare_member(results, raw, "the file", "verified", "verify.json", out, &count);
        if (whole)
            compare_member(results, raw, "the file", "contradictions", "the raw files", out, &count);
        if (whole) /* otherwise it may come from missing files */
            add_new(out->problems, json_object_get(raw, "contradictions"));
    }
    json_decref(raw);
    return status;
}

/* ---- judging ---- */

vp_status vp_results_judge(json_t *results, const char *path, bool whole, bool named, const vp_manifest *manifest, vp_findings *out,
                           vp_error *error)
{
    char folder[VP_RESULT_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash == NULL || slash == path ? 1 : (int)(slash - path), slash == NULL ? "." : path);
    json_t *golden = NULL, *there = json_array(), *warning;
    char seal[17];
    size_t i, warnings = 0;
    vp_status status = vp_golden_read(manifest, &golden, error);
    if (status == VP_OK)
        status = derive_again(results, out, error);
    if (status == VP_OK) {
        vp_check_answers(json_object_get(results, "rows"), golden, manifest, out->problems, out->remarks);
        vp_check_verified_kept(json_object_get(results, "verified"), json_object_get(results, "rows"), golden, out->problems, out->remarks);
        status = vp_results_files(folder, there, error);
    }
    if (status == VP_OK && (whole || json_array_size(there) > 0)) {
        status = compare_raw(results, folder, there, manifest, out, error);
        if (named)
            check_name(folder, vp_json_text(results, "machine.name"), out);
    } else if (status == VP_OK) {
        json_array_append_new(out->remarks, json_string("the raw files are not in its folder, so they were not compared"));
    }
    if (status == VP_OK) {
        add_new(out->problems, json_object_get(results, "contradictions"));
        vp_results_seal(results, seal);
        if (strcmp(seal, vp_json_text(results, "seal")) != 0)
            VP_SAY(out->problems, "the seal is %s, and by the file %s: it was altered after it was made", vp_json_text(results, "seal"),
                   seal);
        if (json_is_false(json_object_get(results, "official")))
            json_array_append_new(out->remarks, json_string("these results are not official"));
        json_array_foreach (json_object_get(results, "warnings"), i, warning)
            VP_TELL(out->remarks, &warnings, "of the measurements: %s", json_string_value(warning));
        vp_list_rest(out->remarks, warnings, "such warnings");
    }
    json_decref(golden);
    json_decref(there);
    return status;
}
