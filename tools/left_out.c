/* SPDX-License-Identifier: MIT */
/* Commands that a build without processes lacks. Each prints a message instead. */
#include "host/program.h"
#include "tools/commands.h"

#include <stdio.h>

static int is_left_out(const char *command, const char *why)
{
    fprintf(stderr, "voxphys %s: not in this build: %s\n", command, why);
    return VP_EXIT_USAGE;
}

int vp_command_check(int argc, char **argv)
{
    (void)argc, (void)argv;
    return is_left_out("check",
                       "it starts programs, which this system doesn't support; a native voxphys can ask this one's 'voxphys adapter'");
}

int vp_command_reduce(int argc, char **argv)
{
    (void)argc, (void)argv;
    return is_left_out("reduce", "it runs other programs, which this system doesn't support");
}

int vp_command_report(int argc, char **argv)
{
    (void)argc, (void)argv;
    return is_left_out("report", "its pages are of measurements, which this system is not for");
}

int vp_command_results(int argc, char **argv)
{
    (void)argc, (void)argv;
    return is_left_out("results", "they are of measurements, which this system is not for");
}
