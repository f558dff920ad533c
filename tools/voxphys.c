/* SPDX-License-Identifier: MIT */
/* The voxphys command: finds the subcommand and runs it. */
#include "src/core/isa_names.h"
#include "host/program.h"
#include "host/system.h"
#include "tools/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#ifdef __wasi__
#include <stdlib.h>
#include <unistd.h>
#else
#include <signal.h>
#endif

#include <voxphys/version.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} commands[] = {
#define COMMAND(name, about) {#name, vp_command_##name, about},
    VP_COMMANDS(COMMAND)
#undef COMMAND
};

static void print_help(FILE *to)
{
    fputs("Usage: voxphys COMMAND [ARGUMENT...]\n\n"
          "Runs, checks and shows a C17 library for collision and queries on voxel terrain.\n\nCommands:\n",
          to);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].about);
    fputs("\n'voxphys COMMAND --help' shows a command's options; 'voxphys --version' prints the version.\n"
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

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return VP_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return VP_EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("voxphys %s\n", vp_version_string());
        return VP_EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    char shown[256];
    vp_escape(argv[1], shown, sizeof shown);
    fprintf(stderr, "voxphys: unknown command '%s'\nTry 'voxphys --help'.\n", shown);
    return VP_EXIT_USAGE;
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
