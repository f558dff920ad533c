/* SPDX-License-Identifier: MIT */
/* voxphys results: one file for what was measured on a machine, made, judged, compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "tools/command.h"
#include "tools/report_data.h"
#include "tools/results.h"

enum { PATH_BYTES = 4096 };

/* ---- make ---- */

static vp_status write_results(const char *folder, json_t *results, vp_error *error)
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/" VP_RESULTS_FILE, folder);
    if (length < 0 || length >= PATH_BYTES)
        return vp_fail(error, VP_E_ARGUMENT, "the path %.60s... is too long", folder);
    char *text = vp_results_text(results);
    if (text == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    const vp_status status = vp_file_replace(path, (const uint8_t *)text, strlen(text), error);
    free(text);
    return status;
}

static void say_made(const char *folder, json_t *results)
{
    const json_t *reasons = json_object_get(results, "unofficial_because"), *text;
    size_t i;
    printf("%s/" VP_RESULTS_FILE ": %zu rows, %s\n", vp_show_path(folder).text, json_array_size(json_object_get(results, "rows")),
           json_array_size(reasons) == 0 ? "official" : "not official:");
    json_array_foreach (reasons, i, text)
        printf("  %s\n", json_string_value(text));
}

static int make(int argc, char **argv)
{
    const char *because;
    const vp_option options[] = {{"--unofficial", "REASON", "say in the file that it is not official, and why", &because}};
    const vp_usage usage = {"results make", "DIR [OPTION...]",
                            "Makes DIR/results.json of what bench/run has written to DIR: machine.json, verify.json, bench.json and the others. It\n"
                            "is the one file that says everything: the machine, every sample, what is told from them, and hashes of answers and data.",
                            options, sizeof options / sizeof options[0], 1, 1};
    int count, code;
    vp_error error;
    vp_manifest *manifest = NULL;
    json_t *results = NULL;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (because != NULL && because[0] == '\0')
        return vp_command_usage("results make", "--unofficial '' gives no reason");
    vp_status status = vp_manifest_open(NULL, &manifest, &error);
    if (status == VP_OK)
        status = vp_results_make(argv[1], manifest, because, &results, &error);
    if (status == VP_OK)
        status = write_results(argv[1], results, &error);
    if (status == VP_OK)
        say_made(argv[1], results);
    json_decref(results);
    if (manifest != NULL)
        vp_manifest_close(manifest);
    return status == VP_OK ? VP_EXIT_DONE : vp_command_fail("results make", &error);
}

/* ---- verify ---- */

/* The folder that a file is in. */
static void folder_of(const char *path, char out[PATH_BYTES])
{
    const char *slash = strrchr(path, '/');
    snprintf(out, PATH_BYTES, "%.*s", slash == NULL ? 1 : slash == path ? 1 : (int)(slash - path), slash == NULL ? "." : path);
}

static vp_status judge_file(const char *given, const vp_manifest *manifest, vp_findings *out, vp_error *error)
{
    char path[PATH_BYTES], folder[PATH_BYTES];
    json_t *results = NULL;
    vp_status status = vp_results_path(given, path, error);
    if (status == VP_OK)
        status = vp_results_load(path, &results, error);
    folder_of(path, folder);
    if (status == VP_OK && vp_results_form(results, out))
        status = vp_results_judge(results, folder, manifest, out, error);
    json_decref(results);
    return status;
}

static void say_findings(const char *path, const vp_findings *f)
{
    const json_t *text;
    size_t i;
    printf("%s: %s\n", vp_show_path(path).text, json_array_size(f->problems) == 0 ? "stands" : "does not stand");
    json_array_foreach (f->problems, i, text)
        printf("  wrong: %s\n", json_string_value(text));
    json_array_foreach (f->remarks, i, text)
        printf("  note: %s\n", json_string_value(text));
}

static int verify(int argc, char **argv)
{
    const char *json;
    const vp_option options[] = {{"--json", NULL, "print JSON", &json}};
    const vp_usage usage = {"results verify", "FILE... [OPTION...]",
                            "Judges results.json files, or folders that have one: their form; whether the samples give what is told of them; hashes of\n"
                            "answers and data, which are the same on every machine; and the raw files beside them, if they are there. What is altered\n"
                            "by somebody who alters everything that depends on it, the seal and the raw files too, cannot be told. Exit code 1 if one\n"
                            "does not stand.",
                            options, sizeof options / sizeof options[0], 1, 1000};
    int count, code;
    vp_error error;
    vp_manifest *manifest = NULL;
    json_t *list = json_array();
    bool all = true;
    if (!vp_options_parse(&usage, argc, argv, &count, &code)) {
        json_decref(list);
        return code;
    }
    vp_status status = vp_manifest_open(NULL, &manifest, &error);
    for (int i = 1; status == VP_OK && i <= count; i++) {
        vp_findings f = {json_array(), json_array()};
        status = judge_file(argv[i], manifest, &f, &error);
        all = all && json_array_size(f.problems) == 0;
        if (status == VP_OK && json == NULL)
            say_findings(argv[i], &f);
        json_array_append_new(list, json_pack("{s:o, s:b, s:O, s:O}", "file", vp_json_name(argv[i]), "stands", json_array_size(f.problems) == 0,
                                              "problems", f.problems, "remarks", f.remarks));
        json_decref(f.problems);
        json_decref(f.remarks);
    }
    if (manifest != NULL)
        vp_manifest_close(manifest);
    if (status != VP_OK)
        code = vp_command_fail("results verify", &error);
    else
        code = json != NULL ? vp_print_json(json_pack("{s:O}", "files", list)) : VP_EXIT_DONE;
    json_decref(list);
    return code == VP_EXIT_DONE && !all ? VP_EXIT_FAILED : code;
}

int vp_command_results(int argc, char **argv)
{
    static const vp_subcommand commands[] = {{"make", make}, {"verify", verify}, {"compare", vp_results_compare}};
    static const char help[] = "Usage: voxphys results COMMAND [ARGUMENT...]\n\n"
                               "What was measured on a machine, in one file that says itself what it is (docs/BENCHMARKING.md).\n\nCommands:\n"
                               "  make DIR         make DIR/results.json of the files that bench/run wrote there\n"
                               "  verify FILE...   derive everything in such files again, and say what does not fit\n"
                               "  compare A B      say of every row of two such files whether one is faster, both are alike, or that cannot be told\n\n"
                               "'voxphys results COMMAND --help' says more about one.\n";
    return vp_command_choose("results", help, commands, sizeof commands / sizeof commands[0], argc, argv);
}
