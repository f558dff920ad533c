/* SPDX-License-Identifier: MIT */
/* The voxphys command: finds the subcommand and runs it. */
#include "src/core/isa_names.h"
#include "host/program.h"
#include "host/system.h"
#include "tools/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#ifdef __wasi__
#include <stdlib.h>
#include <unistd.h>
#else
#include <signal.h>
#endif

#include <voxphys/version.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv); /* NULL = `name` is a heading */
    const char *about;
} commands[] = {
#define GROUP(name)          {name, NULL, NULL},
#define COMMAND(name, about) {#name, vp_command_##name, about},
    VP_COMMANDS(GROUP, COMMAND)
#undef GROUP
#undef COMMAND
};
enum { COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to)
{
    const char *bold = to == stdout ? vp_colour_code(VP_COLOUR_BOLD) : "", *end = to == stdout ? vp_colour_code(VP_COLOUR_NONE) : "";
    fputs("Usage: voxphys COMMAND [ARGUMENT...]\n\n"
          "Runs, checks and shows a C17 library for collision and queries on voxel terrain.\n",
          to);
    for (size_t i = 0; i < COUNT; i++)
        if (commands[i].run == NULL)
            fprintf(to, "\n%s%s:%s\n", bold, commands[i].name, end);
        else
            fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].about);
    fputs("\n'voxphys help COMMAND' shows a command's options; 'voxphys --version' prints the version.\n"
          "The environment variable VOXPHYS_ISA selects the kernels: best, " VP_ISA_NAMES ";\n"
          "'voxphys info' lists those available on this machine.\n"
          "Exit codes: 0 done; 1 disagreement, failed check, out of memory, or output that could not be printed (files\n"
          "reported by then are complete); 2 bad usage or bad input.\n",
          to);
}

/* Opens standard streams that the caller has closed. Otherwise the next opened file would get a stream's number, and
   output would go into it. The replacements fail: standard input can't be read, the others can't be written. */
static void occupy_standard_streams(void)
{
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) == -1 && errno == EBADF && open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY) == -1)
            return;
}

/* Lost output is an error. @return the exit code */
static int end_output(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno == 0) { /* an earlier write failed and its errno is lost, so another write repeats the error */
        putchar('\n');
        fflush(stdout);
    }
    fprintf(stderr, "voxphys: cannot write to standard output: %s\n", errno != 0 ? strerror(errno) : "a part of it was lost");
    return code == VP_EXIT_DONE ? VP_EXIT_FAILED : code;
}

/* Whether an argument is one of two names. */
static bool is(const char *argument, const char *name, const char *other)
{
    return strcmp(argument, name) == 0 || strcmp(argument, other) == 0;
}

/* The command of a name, or COUNT after a message. */
static size_t find_command(const char *name)
{
    vp_guess guess = {0};
    for (size_t i = 0; i < COUNT; i++) {
        if (commands[i].run == NULL)
            continue;
        if (strcmp(name, commands[i].name) == 0)
            return i;
        vp_guess_from(&guess, name, commands[i].name);
    }
    char shown[256];
    vp_escape(name, shown, sizeof shown);
    fprintf(stderr, "voxphys: unknown command '%s'%s\nTry 'voxphys --help'.\n", shown, guess.text);
    return COUNT;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return VP_EXIT_USAGE;
    }
    const bool asks = is(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0;
    if (asks && (argc == 2 || argv[1][0] == '-')) {
        print_help(stdout);
        return VP_EXIT_DONE;
    }
    if (strcmp(argv[1], "--help=words") == 0) { /* for completion */
        for (size_t i = 0; i < COUNT; i++)
            if (commands[i].run != NULL)
                printf("%s\t\t%s\n", commands[i].name, commands[i].about);
        return VP_EXIT_DONE;
    }
    if (is(argv[1], "--version", "-V")) {
        printf("voxphys %s\n", vp_version_string());
        return VP_EXIT_DONE;
    }
    const size_t command = find_command(argv[asks ? 2 : 1]);
    if (command == COUNT)
        return VP_EXIT_USAGE;
    if (!asks)
        return commands[command].run(argc - 1, argv + 1);
    char help[] = "--help", *of[] = {argv[2], argc > 3 ? argv[3] : help, help, NULL}; /* help COMMAND [SUBCOMMAND] */
    return commands[command].run(argc > 3 ? 3 : 2, of);
}

/* Differences between systems. */
static void begin(void)
{
#ifdef __wasi__
    const char *folder = getenv("PWD"); /* WASI has no current folder, so relative names would start at the root */
    if (folder != NULL && chdir(folder) != 0)
        fprintf(stderr, "voxphys: cannot go to the folder that PWD names: %s\n", strerror(errno));
#else
    signal(SIGXFSZ, SIG_IGN); /* a file over its size limit is a write error with a message */
#endif
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    vp_json_memory("voxphys");
    begin();
    return end_output(run(argc, argv));
}
