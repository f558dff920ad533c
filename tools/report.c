/* SPDX-License-Identifier: MIT */
/* voxphys report, and the page of voxphys check. The Python program report/report.py makes both. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "tools/report.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/machine.h"
#include "host/program.h"
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

int vp_report_run_on(const char *command, const char *program, const char *const *arguments, const json_t *input)
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
    const int code = vp_report_run_on("report", "report.py", arguments, rows);
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
