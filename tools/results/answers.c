/* SPDX-License-Identifier: MIT */
/* Whether the answers behind results are those that every machine gives, and whether all that was measured was verified. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kernels.h>

#include "src/core/error.h"
#include "datasets/manifest_data.h"
#include "host/program.h"
#include "tools/results/files.h"
#include "tools/results/results.h"
#include "host/writing.h"

enum { MAX_OF_A_KIND = 10 };

void vp_list_problem(json_t *list, size_t *of_kind, json_t *text)
{
    if ((*of_kind)++ < MAX_OF_A_KIND)
        json_array_append(list, text);
    json_decref(text);
}

void vp_list_rest(json_t *list, size_t of_kind, const char *what)
{
    if (of_kind > MAX_OF_A_KIND)
        VP_SAY(list, "and %d more %s", (int)(of_kind - MAX_OF_A_KIND), what);
}

vp_status vp_golden_read(const vp_manifest *manifest, json_t **out, vp_error *error)
{
    char path[VP_RESULT_PATH_BYTES];
    *out = NULL;
    vp_status status = vp_result_path(vp_manifest_folder(manifest), "digests.json", path, error);
    if (status == VP_OK)
        status = vp_results_load(path, out, error);
    if (status != VP_OK || (json_is_object(json_object_get(*out, "verify")) && json_is_object(json_object_get(*out, "bench"))))
        return status;
    json_decref(*out);
    *out = NULL;
    return vp_fail(error, VP_E_FORMAT, "%s: \"verify\" or \"bench\" is missing", vp_show_path(path).text);
}

/* ---- rows ---- */

void vp_check_answers(const json_t *rows, const json_t *golden, const vp_manifest *manifest, json_t *problems, json_t *remarks)
{
    const json_t *row, *known = json_object_get(golden, "bench");
    size_t i, wrong = 0, unknown = 0, data_wrong = 0, partly = 0, checked = 0;
    json_array_foreach (rows, i, row) {
        vp_row_name name;
        char key[VP_ROW_KEY_BYTES], hash[17];
        const char *text = vp_json_text(row, "name"), *digest = vp_json_text(row, "output_hash");
        if (!vp_row_name_read(text, &name)) /* its form was looked at before */
            continue;
        vp_row_data_hash(&name, manifest, hash);
        const char *data = vp_json_text(row, "dataset_hash");
        if (hash[0] != '\0' && (data == NULL || strcmp(data, hash) != 0))
            VP_TELL(problems, &data_wrong, "row %s: its data has the hash %s, the data set has %s", text, data != NULL ? data : "null",
                    hash);
        const json_int_t refused = json_integer_value(json_object_get(row, "refused")),
                         samples = (json_int_t)json_array_size(json_object_get(row, "samples_ns"));
        if (strcmp(name.via, "peer") != 0 && refused > 0 && samples > 0)
            VP_TELL(problems, &partly, "row %s: %lld of %lld repetitions were refused: %.120s", text, (long long)refused,
                    (long long)(refused <= INT64_MAX - samples ? refused + samples : refused), vp_json_text(row, "error"));
        if (!vp_row_is_ours(row) || vp_json_text(row, "error") != NULL)
            continue;
        vp_row_key(&name, key);
        const char *want = json_string_value(json_object_get(known, key));
        if (want == NULL)
            VP_TELL(remarks, &unknown, "row %s: no digest of its answers is known here", text);
        else if (digest == NULL || strcmp(digest, want) != 0)
            VP_TELL(problems, &wrong, "row %s: its answers have the digest %s, every machine's have %s", text,
                    digest != NULL ? digest : "null", want);
        else
            checked++;
    }
    vp_list_rest(problems, data_wrong, "rows of other data");
    vp_list_rest(problems, partly, "rows of which a part was refused");
    vp_list_rest(problems, wrong, "rows of other answers");
    vp_list_rest(remarks, unknown, "rows whose answers are not known");
    if (checked == 0)
        json_array_append_new(problems, json_string("no row of voxphys has answers that are known here"));
}

/* ---- verify.json ---- */

static bool is_kernel(const char *name)
{
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
        if (strcmp(name, vp_kernel_name((vp_kernel_id)k)) == 0)
            return true;
    return false;
}

/* As a version is called: "avx2", "neon-simde", "scalar-words". False: there is none of that name. */
static bool version_of(const char *isa, const char *via, char *out, size_t bytes)
{
    const bool simde = via != NULL && strcmp(via, "simde") == 0;
    bool known = !simde && (strcmp(isa, "scalar-autovec") == 0 || strcmp(isa, "scalar-words") == 0);
    for (unsigned i = 0; i < VP_ISA_COUNT; i++)
        known = known || strcmp(isa, vp_isa_name((vp_isa)i)) == 0;
    snprintf(out, bytes, "%.30s%s", isa, simde ? "-simde" : "");
    return known && (simde || (via != NULL && strcmp(via, "native") == 0));
}

/* What ran of a row of ours, by the same names. */
static void version_of_row(const json_t *row, char *out, size_t bytes)
{
    const char *via = vp_json_text(row, "via"), *isa = vp_json_text(row, "isa");
    if (strcmp(via, "autovec") == 0 || strcmp(via, "words") == 0)
        snprintf(out, bytes, "scalar-%s", via);
    else
        snprintf(out, bytes, "%.30s%s", isa != NULL ? isa : "", strcmp(via, "simde") == 0 ? "-simde" : "");
}

/* Every version of a kernel that was measured was verified: `seen` has "kernel/version". A row that is no kernel's, as a whole build's,
   needs its version to be verified with any kernel. */
static void check_measured(const json_t *rows, const json_t *seen, json_t *problems)
{
    const json_t *row;
    json_t *reported = json_object();
    size_t i, count = 0;
    json_array_foreach (rows, i, row) {
        char version[40], key[100];
        const char *kernel = vp_json_text(row, "kernel");
        if (!vp_row_is_ours(row))
            continue;
        version_of_row(row, version, sizeof version);
        snprintf(key, sizeof key, "%.40s/%.40s", is_kernel(kernel) ? kernel : "", version);
        if (json_object_get(seen, key) != NULL || json_object_get(reported, key) != NULL)
            continue;
        json_object_set_new(reported, key, json_true());
        VP_TELL(problems, &count, "row %s: there is no check of %s%s%s", vp_json_text(row, "name"), is_kernel(kernel) ? kernel : "",
                is_kernel(kernel) ? " by " : "", version);
    }
    vp_list_rest(problems, count, "versions that were measured and not verified");
    json_decref(reported);
}

void vp_check_verified(const json_t *verify, const json_t *rows, const json_t *golden, json_t *problems)
{
    const json_t *known = json_object_get(golden, "verify"), *check;
    json_t *seen = json_object();
    char nothing[17], version[40], key[200];
    size_t i, wrong = 0, unknown = 0, empty = 0;
    vp_hash_text("", 0, nothing); /* the digest of no answers */
    json_array_foreach (json_object_get(verify, "checks"), i, check) {
        const char *form = vp_json_text(check, "form"), *data = vp_json_text(check, "dataset"), *digest = vp_json_text(check, "digest");
        const char *kernel = vp_json_text(check, "kernel"), *isa = vp_json_text(check, "isa"); /* both are texts, by vp_result_read */
        const bool named = form != NULL && strcmp(form, "wide") != 0;
        snprintf(key, sizeof key, "%.40s/%.80s%s%.20s", kernel, data != NULL ? data : "", named ? "/" : "", named ? form : "");
        const char *want = json_string_value(json_object_get(known, key));
        const bool is_version = version_of(isa, vp_json_text(check, "via"), version, sizeof version);
        if (want == NULL || !is_version) {
            VP_TELL(problems, &unknown, "verify.json: %s by %.30s: no such check is known here", key, version);
            continue;
        }
        if (digest == NULL || strcmp(digest, want) != 0)
            VP_TELL(problems, &wrong, "verify.json: %s by %.20s: digest %.20s, every machine has %s", key, isa,
                    digest != NULL ? digest : "null", want);
        if (json_integer_value(json_object_get(check, "cases")) == 0 && strcmp(want, nothing) != 0)
            VP_TELL(problems, &empty, "verify.json: %s by %.30s: 0 cases, and every machine has answers", key, version);
        snprintf(key, sizeof key, "%.40s/%.40s", kernel, version);
        json_object_set_new(seen, key, json_true());
        snprintf(key, sizeof key, "/%.40s", version);
        json_object_set_new(seen, key, json_true());
    }
    vp_list_rest(problems, unknown, "checks that are not known");
    vp_list_rest(problems, wrong, "checks with other digests");
    vp_list_rest(problems, empty, "checks of 0 cases");
    if (verify != NULL)
        check_measured(rows, seen, problems);
    json_decref(seen);
}

/* ---- what is kept of verify.json ---- */

static int in_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* XXH3 of the lines "DATA DIGEST", sorted, of one kernel. They are the keys of an object. */
static void hash_lines(json_t *lines, char out[17])
{
    const char *line, **sorted = malloc((json_object_size(lines) + 1) * sizeof *sorted);
    size_t count = 0;
    json_t *value;
    vp_writing text = {0};
    out[0] = '\0';
    if (sorted == NULL)
        return;
    json_object_foreach (lines, line, value)
        sorted[count++] = line;
    qsort(sorted, count, sizeof *sorted, in_order);
    for (size_t i = 0; i < count; i++)
        vp_writing_add(&text, "%s\n", sorted[i]);
    if (!text.failed)
        vp_hash_text(text.bytes, text.length, out);
    vp_writing_destroy(&text);
    free(sorted);
}

static json_t *member_of(json_t *object, const char *key)
{
    if (json_object_get(object, key) == NULL)
        json_object_set_new(object, key, json_object());
    return json_object_get(object, key);
}

static void add_one(json_t *counts, const char *key)
{
    json_object_set_new(counts, key, json_integer(json_integer_value(json_object_get(counts, key)) + 1));
}

json_t *vp_verified_of(const json_t *verify)
{
    const json_t *checks = json_object_get(verify, "checks"), *check;
    json_t *kernels = json_object(), *versions = json_object(), *all_lines = json_object(), *lines;
    json_int_t answers = 0, disagreements = 0;
    const char *kernel;
    char version[40], line[200], hash[17];
    size_t i;
    json_array_foreach (checks, i, check) {
        const char *form = vp_json_text(check, "form"), *data = vp_json_text(check, "dataset"), *digest = vp_json_text(check, "digest");
        const bool named = form != NULL && strcmp(form, "wide") != 0;
        kernel = vp_json_text(check, "kernel");
        version_of(vp_json_text(check, "isa"), vp_json_text(check, "via"), version, sizeof version);
        add_one(member_of(member_of(kernels, kernel), "checks_of"), version);
        add_one(versions, version);
        const json_int_t cases = json_integer_value(json_object_get(check, "cases"));
        answers += cases > 0 && cases <= INT64_MAX / 2 - answers ? cases : 0; /* more are nobody's, and no sum */
        disagreements += json_integer_value(json_object_get(check, "mismatches")) != 0;
        snprintf(line, sizeof line, "%.80s%s%.20s %.16s", data != NULL ? data : "", named ? "/" : "", named ? form : "",
                 digest != NULL ? digest : "-");
        json_object_set_new(member_of(all_lines, kernel), line, json_true());
    }
    json_object_foreach (all_lines, kernel, lines) {
        hash_lines(lines, hash);
        json_object_set_new(json_object_get(kernels, kernel), "sets", json_integer((json_int_t)json_object_size(lines)));
        json_object_set_new(json_object_get(kernels, kernel), "digests", json_string(hash));
    }
    json_decref(all_lines);
    return json_pack("{s:I, s:I, s:I, s:o, s:o}", "checks", (json_int_t)json_array_size(checks), "answers", answers, "disagreements",
                     disagreements, "checks_of", versions, "kernels", kernels);
}

void vp_check_verified_kept(const json_t *verified, const json_t *rows, const json_t *golden, json_t *problems, json_t *remarks)
{
    json_t *kernels = json_object_get(verified, "kernels"), *known = json_object_get(golden, "verify"), *of, *value;
    const json_t *mended = json_object_get(golden, "mended"), *why; /* of kernels, hashes of what was found wrong since */
    json_t *seen = json_object(), *all_lines = json_object();
    const char *key, *kernel, *version;
    char text[200], hash[17];
    size_t wrong = 0, others = 0;
    json_object_foreach (known, key, value) {
        const size_t length = strcspn(key, "/");
        snprintf(text, sizeof text, "%.*s", (int)(length < 60 ? length : 60), key);
        json_t *lines = member_of(all_lines, text);
        snprintf(text, sizeof text, "%.120s %.16s", key + length + (key[length] == '/'),
                 json_is_string(value) ? json_string_value(value) : "-");
        json_object_set_new(lines, text, json_true());
    }
    json_object_foreach (kernels, kernel, of) {
        json_t *lines = json_object_get(all_lines, kernel);
        const json_int_t sets = json_integer_value(json_object_get(of, "sets"));
        hash_lines(lines, hash);
        if (lines == NULL || sets != (json_int_t)json_object_size(lines))
            VP_TELL(remarks, &others, "%.40s was verified on %lld data sets, and digests of %zu are known here: they are not compared",
                    kernel, (long long)sets, json_object_size(lines));
        else if ((why = json_object_get(json_object_get(mended, kernel), vp_json_text(of, "digests"))) != NULL)
            VP_TELL(remarks, &others, "%.40s was verified before its answers changed: %.120s", kernel, json_string_value(why));
        else if (strcmp(hash, vp_json_text(of, "digests")) != 0)
            VP_TELL(problems, &wrong, "%.40s was verified with other answers: the hash of their digests is %s, every machine's %s", kernel,
                    vp_json_text(of, "digests"), hash);
        json_object_foreach (json_object_get(of, "checks_of"), version, value) {
            snprintf(text, sizeof text, "%.40s/%.40s", kernel, version);
            json_object_set_new(seen, text, json_true());
            snprintf(text, sizeof text, "/%.40s", version);
            json_object_set_new(seen, text, json_true());
        }
    }
    vp_list_rest(problems, wrong, "kernels with other answers");
    vp_list_rest(remarks, others, "kernels with other data sets");
    check_measured(rows, seen, problems);
    json_decref(seen);
    json_decref(all_lines);
}
