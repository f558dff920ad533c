/* SPDX-License-Identifier: MIT */
/* voxphys results: makes, verifies and compares files of one machine's measurements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "host/program.h"
#include "tools/results/files.h"
#include "tools/results/results.h"
#include "tools/commands.h"

enum { PROBLEMS_OF_MAKE = 10 };

/* ---- output ---- */

/* Prints an untrusted name. Names come from files. */
static void put_plain(const char *text, FILE *to)
{
    for (vp_escaped next; *text != '\0'; fputs(next.text, to))
        text += vp_escape_next(text, &next);
}

static void say_path(const char *path)
{
    put_plain(vp_show_path(path).text, stdout);
}

/* Prints at most `most` texts of a list, one a line. */
static void say_texts(const json_t *list, const char *before, size_t most)
{
    const json_t *text;
    size_t i;
    json_array_foreach (list, i, text) {
        if (i == most) {
            printf("%sand %zu more\n", before, json_array_size(list) - most);
            return;
        }
        fputs(before, stdout);
        put_plain(json_string_value(text), stdout);
        putchar('\n');
    }
}

static int tell_failure(const char *command, const vp_error *error)
{
    fprintf(stderr, "voxphys %s: ", command);
    put_plain(error->message, stderr);
    putc('\n', stderr);
    return error->status == VP_E_MEMORY ? VP_EXIT_FAILED : VP_EXIT_USAGE;
}

/* ---- judging ---- */

static vp_status judge_file(const char *given, bool named, const vp_manifest *manifest, vp_findings *out, vp_error *error)
{
    char path[VP_RESULT_PATH_BYTES];
    struct stat found;
    json_t *results = NULL;
    const bool whole = stat(given, &found) == 0 && S_ISDIR(found.st_mode);
    vp_status status = vp_results_open(given, manifest, path, &results, error);
    if (status == VP_OK && vp_results_form(results, out))
        status = vp_results_judge(results, path, whole, named, manifest, out, error);
    json_decref(results);
    return status;
}

/* ---- make ---- */

static vp_status write_results(const char *folder, json_t *results, vp_error *error)
{
    char path[VP_RESULT_PATH_BYTES];
    vp_status status = vp_result_path(folder, VP_RESULTS_FILE, path, error);
    if (status != VP_OK)
        return status;
    char *text = vp_results_text(results);
    if (text == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %s", vp_show_path(path).text);
    status = vp_result_replace(path, text, error);
    free(text);
    return status;
}

/* Prints the result of making. @return the exit code, which is not 0 for invalid results */
static int say_made(const char *folder, json_t *results, const vp_findings *f)
{
    const json_t *reasons = json_object_get(results, "unofficial_because");
    const bool stands = json_array_size(f->problems) == 0;
    say_path(folder);
    printf("/" VP_RESULTS_FILE ": %zu rows, %s%s\n", json_array_size(json_object_get(results, "rows")), stands ? "" : "does not stand, ",
           json_array_size(reasons) == 0 && stands ? "official" : "not official:");
    say_texts(reasons, "  ", json_array_size(reasons));
    say_texts(f->problems, "  wrong: ", PROBLEMS_OF_MAKE);
    return stands ? VP_EXIT_DONE : VP_EXIT_FAILED;
}

static int make(int argc, char **argv)
{
    const char *because;
    const vp_option options[] = {{"--unofficial", "REASON", "mark the results as not official, in machine.json too", &because}};
    const vp_usage usage = {
        "results make",
        "DIR [OPTION...]",
        "Make DIR/results.json from the files that bench/run wrote to DIR, and verify it.\n"
        "bench/run writes machine.json, verify.json, bench.json and others. results.json has the machine, every sample, the\n"
        "derived figures, and hashes of answers and data. Verifies it like 'results verify'. Exit codes: 0 it is\n"
        "consistent, official or not; 1 it is not; 2 bad usage or unusable input files.\n\n"
        "Example: voxphys results make results/amd-epyc-f25m17-2cpu",
        options,
        sizeof options / sizeof options[0],
        1,
        1};
    int count, code;
    vp_error error;
    vp_manifest *manifest = NULL;
    json_t *results = NULL;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (because != NULL && because[0] == '\0')
        return vp_command_usage("results make", "--unofficial '' gives no reason");
    if (argv[1][0] == '\0')
        return vp_command_usage("results make", "the path is empty");
    vp_findings f = {json_array(), json_array()};
    vp_status status = vp_manifest_open(NULL, &manifest, &error);
    if (status == VP_OK && because != NULL)
        status = vp_results_mark(argv[1], because, &error);
    if (status == VP_OK)
        status = vp_results_make(argv[1], manifest, true, &results, &error);
    if (status == VP_OK)
        status = write_results(argv[1], results, &error);
    if (status == VP_OK)
        status = judge_file(argv[1], false, manifest, &f, &error);
    code = status == VP_OK ? say_made(argv[1], results, &f) : tell_failure("results make", &error);
    json_decref(results);
    json_decref(f.problems);
    json_decref(f.remarks);
    if (manifest != NULL)
        vp_manifest_close(manifest);
    return code;
}

/* ---- verify ---- */

static void say_findings(const char *path, const vp_findings *f)
{
    say_path(path);
    printf(": %s\n", json_array_size(f->problems) == 0 ? "stands" : "does not stand");
    say_texts(f->problems, "  wrong: ", json_array_size(f->problems));
    say_texts(f->remarks, "  note: ", json_array_size(f->remarks));
}

/* Verifies a file, prints its result or adds it to a list. @return its exit code */
static int verify_one(const char *given, const vp_manifest *manifest, json_t *list)
{
    vp_findings f = {json_array(), json_array()};
    vp_error error;
    const vp_status status = judge_file(given, true, manifest, &f, &error);
    const bool stands = status == VP_OK && json_array_size(f.problems) == 0;
    const int code = status != VP_OK ? tell_failure("results verify", &error) : stands ? VP_EXIT_DONE : VP_EXIT_FAILED;
    if (list == NULL && status == VP_OK)
        say_findings(given, &f);
    if (list != NULL)
        json_array_append_new(list, json_pack("{s:o, s:b, s:o, s:O, s:O}", "file", vp_json_name(given), "stands", stands, "error",
                                              status == VP_OK ? json_null() : vp_json_name(error.message), "problems", f.problems,
                                              "remarks", f.remarks));
    json_decref(f.problems);
    json_decref(f.remarks);
    return code;
}

static int verify(int argc, char **argv)
{
    const char *json;
    const vp_option options[] = {{"--json", NULL, "print JSON", &json}};
    const vp_usage usage = {
        "results verify",
        "FILE... [OPTION...]",
        "Verify results.json files, or folders that hold one.\n"
        "Checks the schema, the derived figures (recomputed from the samples), hashes of answers and data (the same on\n"
        "every machine), and the raw files in the same folder. A folder must have them, and its name must be the\n"
        "machine's. A forgery that alters everything consistently, seal and raw files included, is not detected.\n"
        "Exit codes: 0 all are consistent; 1 one is not; 2 bad usage, or a file that cannot be read (the others are still\n"
        "verified).\n\n"
        "Example: voxphys results verify results/amd-epyc-f25m17-2cpu",
        options,
        sizeof options / sizeof options[0],
        1,
        1000};
    int count, code;
    vp_error error;
    vp_manifest *manifest = NULL;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (vp_manifest_open(NULL, &manifest, &error) != VP_OK)
        return vp_command_fail("results verify", &error);
    json_t *list = json != NULL ? json_array() : NULL;
    code = VP_EXIT_DONE;
    for (int i = 1; i <= count; i++) {
        const int of_one = verify_one(argv[i], manifest, list);
        code = of_one > code ? of_one : code;
    }
    vp_manifest_close(manifest);
    const int printed = json != NULL ? vp_print_json(json_pack("{s:o}", "files", list)) : VP_EXIT_DONE;
    return printed > code ? printed : code;
}

int vp_command_results(int argc, char **argv)
{
    static const vp_subcommand commands[] = {{"make", make}, {"verify", verify}, {"compare", vp_results_compare}};
    static const char help[] = "Usage: voxphys results COMMAND [ARGUMENT...]\n\n"
                               "Make, verify and compare the result files of a machine (docs/BENCHMARKING.md).\n\nCommands:\n"
                               "  make DIR         make DIR/results.json from the files that bench/run wrote there\n"
                               "  verify FILE...   recompute all derived figures of such files, and print mismatches\n"
                               "  compare A B      compare two such files row by row: faster, slower, alike or undecided\n\n"
                               "'voxphys results COMMAND --help' shows a command's options.\n";
    return vp_command_choose("results", help, commands, sizeof commands / sizeof commands[0], argc, argv);
}
