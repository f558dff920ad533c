/* SPDX-License-Identifier: MIT */
/* voxphys report, voxphys results, and the page of voxphys check: the Python programs of report/. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "tools/report.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datasets/manifest_data.h"
#include "host/program.h"
#include "host/system.h"
#include "tools/commands.h"
#include "tools/info.h"

extern char **environ;

/* Prefers Debian's Python, which has Debian's Jinja2. Another one that comes first on PATH may lack it. */
static int start(char **arguments, int input, pid_t *child)
{
    static char debians[] = "/usr/bin/python3", any[] = "python3";
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    failed = input >= 0 ? posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
                        : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    arguments[0] = debians;
    if (failed == 0)
        failed = posix_spawn(child, debians, &actions, NULL, arguments, environ);
    if (failed == ENOENT) {
        arguments[0] = any;
        failed = posix_spawnp(child, any, &actions, NULL, arguments, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

int vp_report_run(const char *command, const char *program, const char *const *arguments, int input)
{
    /* -B writes no bytecode. -E and -s use installed modules only. All texts are UTF-8, in any locale. */
    enum { BEFORE = 4, MOST = VP_REPORT_ARGUMENTS };
    char from_program[VP_PATH_BYTES], in_source[VP_PATH_BYTES], installed[VP_PATH_BYTES], path[VP_PATH_BYTES];
    char options[] = "-BEs", utf8[] = "-Xutf8", *words[BEFORE + MOST + 1] = {NULL, options, utf8, path};
    const char *const places[] = {in_source, installed}; /* in the source, or where it is to be installed */
    pid_t child;
    int status;
    for (size_t i = 0; i < MOST && arguments[i] != NULL; i++)
        words[BEFORE + i] = (char *)(uintptr_t)arguments[i];
    snprintf(from_program, sizeof from_program, "%s/%s", VP_REPORT_FROM_PROGRAM, program);
    snprintf(in_source, sizeof in_source, "%s/%s", VP_REPORT_FOLDER, program);
    snprintf(installed, sizeof installed, "%s/%s", VP_INSTALLED_REPORT_FOLDER, program);
    if (!vp_find_beside(from_program, places, 2, path)) {
        fprintf(stderr, "voxphys %s: %s is neither next to the program nor in " VP_INSTALLED_REPORT_FOLDER "\n", command, program);
        return VP_EXIT_USAGE;
    }
    fflush(NULL);
    const int failed = start(words, input, &child);
    if (failed != 0) {
        fprintf(stderr, "voxphys %s: python3 cannot be run: %s\n", command, strerror(failed));
        return VP_EXIT_USAGE;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return VP_EXIT_FAILED;
    if (WIFEXITED(status) && WEXITSTATUS(status) <= VP_EXIT_USAGE)
        return WEXITSTATUS(status);
    fprintf(stderr, "voxphys %s: python3 ended %s %d\n", command, WIFEXITED(status) ? "with code" : "by signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return VP_EXIT_USAGE;
}

/* Does the same with JSON as standard input. */
static int report_run_on(const char *command, const char *program, const char *const *arguments, const json_t *input)
{
    FILE *file = tmpfile();
    int code = VP_EXIT_USAGE;
    if (file == NULL || input == NULL || json_dumpf(input, file, JSON_COMPACT) != 0 || fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)
        fprintf(stderr, "voxphys %s: the registry cannot be handed over\n", command);
    else
        code = vp_report_run(command, program, arguments, fileno(file));
    if (file != NULL)
        fclose(file);
    return code;
}

/* The pages contain texts of the registry. */
static int make_pages(const char *results, const char *out)
{
    const char *const arguments[] = {"report", results, out, NULL};
    json_t *rows = json_array();
    for (unsigned r = 0; r < VP_ROW_COUNT; r++)
        json_array_append_new(rows, vp_row_json((vp_row_id)r));
    const int code = report_run_on("report", "report.py", arguments, rows);
    json_decref(rows);
    return code;
}

int vp_command_report(int argc, char **argv)
{
    const char *results, *out;
    const vp_argument arguments[] = {
        {"--results", "DIR", "folder with a folder of results for each machine (default results)", VP_TEXT(&results)},
        {"--out", "DIR", "folder to write the pages to (default: that of the results)", VP_TEXT(&out)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        "report", "[DIR] [OPTION...]", 0, 1, arguments,
        "Make report.html and README.md from the results of each machine.\n"
        "Reads DIR/<machine>/results.json and, where present, hulls.json, conformance.json, pipeline.json and notes.md, plain\n"
        "or compressed (.zst). DIR is short for --results DIR. Needs Python 3 with Jinja2, and zstd. Existing files of these\n"
        "names are replaced only if this command made them. Exit code 1 if a check disagrees or a benchmark of voxphys was\n"
        "refused. Failures of other libraries are results.\n\n"
        "Example: voxphys report results --out .");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (line.others == 1 && results != NULL)
        return vp_command_usage("report", "the folder is given twice: '%s' and '%s'", argv[1], results);
    if (results != NULL && results[0] == '\0')
        return vp_command_usage("report", "option '--results': the name of the folder is empty");
    results = line.others == 1 ? argv[1] : results != NULL ? results : "results";
    if (results[0] == '\0')
        return vp_command_usage("report", "the name of the folder is empty");
    if (out != NULL && out[0] == '\0')
        return vp_command_usage("report", "option '--out': the name of the folder is empty");
    return make_pages(results, out != NULL ? out : results);
}

/* `voxphys results` makes, verifies and compares files of one machine's measurements. The Python programs of report/results/ do the work.
 * This file reads the command line, and passes on names of kernels, instruction sets and data sets. */

enum { MOST_FILES = 1000 };

/* Names that the Python programs need. `error` = why the data sets could not be opened, NULL = they are open. */
static json_t *known_names(const vp_manifest *manifest, const char *error)
{
    json_t *kernels = json_array(), *isas = json_array(), *counted = json_array();
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
        json_array_append_new(kernels, json_string(vp_kernel_name((vp_kernel_id)k)));
    for (unsigned i = 0; i < VP_ISA_COUNT; i++)
        json_array_append_new(isas, json_string(vp_isa_name((vp_isa)i)));
    for (size_t i = 0; manifest != NULL && i < vp_manifest_count(manifest); i++) {
        const vp_dataset *set = vp_manifest_entry(manifest, i);
        if (set->kind->count_of != NULL)
            json_array_append_new(counted, json_string(set->name));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "kernels", kernels, "isas", isas, "counted", counted, "error", vp_json_path(error));
}

/* Runs a program of report/results/ with these words after its name. @param needs_data  whether it fails without data sets */
static int run_python(const vp_command_line *line, bool needs_data, const char *const *words, size_t count)
{
    const char *arguments[VP_REPORT_ARGUMENTS];
    vp_error error;
    vp_manifest *manifest = NULL;
    const vp_status status = vp_manifest_open(NULL, &manifest, &error);
    if (status != VP_OK && needs_data)
        return vp_command_fail(line->command, &error);
    arguments[0] = words[0];
    arguments[1] = manifest != NULL ? vp_manifest_folder(manifest) : "";
    for (size_t i = 1; i < count; i++)
        arguments[i + 1] = words[i];
    arguments[count + 1] = NULL;
    json_t *names = known_names(manifest, status != VP_OK ? error.message : NULL);
    const int code = report_run_on(line->command, "results/command.py", arguments, names);
    json_decref(names);
    vp_manifest_close(manifest);
    return code;
}

static int make(int argc, char **argv)
{
    const char *because;
    const vp_argument arguments[] = {
        {"--unofficial", "REASON", "mark the results as not official, in machine.json too", VP_TEXT(&because)}};
    vp_command_line line = VP_COMMAND_LINE(
        "results make", "DIR [OPTION...]", 1, 1, arguments,
        "Make DIR/results.json from the files that bench/run wrote to DIR, and verify it.\n"
        "bench/run writes machine.json, verify.json, bench.json and others. results.json has the machine, every sample, the\n"
        "derived figures, and hashes of answers and data. Verifies it like 'results verify'. Needs Python 3, and zstd for\n"
        "compressed files. Exit codes: 0 it is consistent, official or not; 1 it is not; 2 bad usage or unusable input files.\n\n"
        "Example: voxphys results make results/amd-epyc-f25m17-2cpu");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (because != NULL && because[0] == '\0')
        return vp_command_usage("results make", "--unofficial '' gives no reason");
    if (argv[1][0] == '\0')
        return vp_command_usage("results make", "the path is empty");
    const char *const words[] = {argv[0], argv[1], because};
    return run_python(&line, true, words, because != NULL ? 3 : 2);
}

static int verify(int argc, char **argv)
{
    bool json;
    const vp_argument arguments[] = {{"--json", NULL, "print JSON", VP_FLAG(&json)}};
    vp_command_line line =
        VP_COMMAND_LINE("results verify", "FILE... [OPTION...]", 1, MOST_FILES, arguments,
                        "Verify results.json files, or folders that hold one.\n"
                        "Checks the schema, the derived figures (recomputed from the samples), hashes of answers and data (the same on\n"
                        "every machine), and the raw files in the same folder. A folder must have them, and its name must be the\n"
                        "machine's. A forgery that alters everything consistently, seal and raw files included, is not detected.\n"
                        "Exit codes: 0 all are consistent; 1 one is not; 2 bad usage, or a file that cannot be read (the others are still\n"
                        "verified).\n\n"
                        "Example: voxphys results verify results/amd-epyc-f25m17-2cpu");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    const char *words[MOST_FILES + 2] = {argv[0], json ? "json" : "text"};
    for (int i = 1; i <= line.others; i++)
        words[i + 1] = argv[i];
    return run_python(&line, true, words, (size_t)line.others + 2);
}

static int compare(int argc, char **argv)
{
    float alpha = 0.05f, least = -1.0f;
    const char *begin;
    bool all, json;
    char alpha_text[32] = "0.05", least_text[32] = "";
    const vp_argument arguments[] = {
        {"--alpha", "P",
         "maximum q of rows called faster or slower, between 0 and 1 (default 0.05). At most this share is by chance.\n"
         "                         q measures the scatter within and between the rounds of these two runs. It does not\n"
         "                         measure how the machine differs an hour later. Repeat the runs for that",
         VP_FLOAT(&alpha)},
        {"--least", "SHARE", "smallest change that counts, from 0 (default: run-to-run noise of A or B, or 0.01)", VP_FLOAT(&least)},
        {"--rows", "BEGINNING",
         "only rows whose names begin like this, e.g. kd_ray/avx2. Changes q, which depends on the number of rows\n"
         "                         tested. Choose before looking at the results",
         VP_TEXT(&begin)},
        {"--all", NULL, "show all rows", VP_FLAG(&all)},
        {"--json", NULL, "print JSON, all rows", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        "results compare", "A B [OPTION...]", 2, 2, arguments,
        "Compare two results.json files, or folders that hold one, row by row.\n"
        "Prints the ratio of B's median time to A's with its 95 % interval, the effect size (Cliff's delta, -1 to 1), and the p-value "
        "(two-sided Mann-Whitney U test,\n"
        "exact up to 8 samples). q is p corrected for the number of rows, after Benjamini and Hochberg. B is faster or\n"
        "slower where q is small, the change is at least the smallest that counts, and the medians of all rounds of A\n"
        "lie on one side of all of B's. It is alike where the interval lies within the smallest change that counts. Others\n"
        "are undecided. Undecided rows whose samples do not overlap are listed. A file of one round cannot separate drift of\n"
        "the machine from a change, so everything is undecided.\n\n"
        "Example: voxphys results compare results/amd-epyc-f25m17-2cpu results/amd-epyc-f25m17-2cpu");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (!(alpha > 0.0f) || alpha >= 1.0f)
        return vp_command_usage("results compare", "--alpha '%s' is not between 0 and 1", vp_given(&line, "--alpha"));
    if (vp_given(&line, "--least") != NULL && !(least >= 0.0f))
        return vp_command_usage("results compare", "--least '%s' is below 0", vp_given(&line, "--least"));
    if (vp_given(&line, "--alpha") != NULL)
        snprintf(alpha_text, sizeof alpha_text, "%.17g", (double)alpha);
    if (vp_given(&line, "--least") != NULL)
        snprintf(least_text, sizeof least_text, "%.17g", (double)least);
    const char *form = json ? "json" : all ? "all" : "text";
    const char *const words[] = {argv[0], form, alpha_text, least_text, begin != NULL ? begin : "", argv[1], argv[2]};
    return run_python(&line, false, words, sizeof words / sizeof words[0]);
}

int vp_command_results(int argc, char **argv)
{
    static const vp_subcommand commands[] = {{"make", make}, {"verify", verify}, {"compare", compare}};
    static const char help[] = "Usage: voxphys results COMMAND [ARGUMENT...]\n\n"
                               "Make, verify and compare the result files of a machine (docs/BENCHMARKING.md).\n\nCommands:\n"
                               "  make DIR         make DIR/results.json from the files that bench/run wrote there\n"
                               "  verify FILE...   recompute all derived figures of such files, and print mismatches\n"
                               "  compare A B      compare two such files row by row: faster, slower, alike or undecided\n\n"
                               "'voxphys results COMMAND --help' shows a command's options.\n";
    return vp_command_choose("results", help, commands, sizeof commands / sizeof commands[0], argc, argv);
}
