/* SPDX-License-Identifier: MIT */
/* Commands that a build without processes lacks. Each prints a message instead. */
#include "host/program.h"
#include "tools/commands.h"

#include <stdio.h>

#define LEFT_OUT(command, why)                                                                                                             \
    int vp_command_##command(int argc, char **argv)                                                                                        \
    {                                                                                                                                      \
        (void)argc, (void)argv;                                                                                                            \
        fputs("voxphys " #command ": not in this build: " why "\n", stderr);                                                               \
        return VP_EXIT_USAGE;                                                                                                              \
    }

LEFT_OUT(check, "it starts programs, which this system doesn't support; a native voxphys can ask this one's 'voxphys adapter'")
LEFT_OUT(reduce, "it runs other programs, which this system doesn't support")
LEFT_OUT(report, "its pages are of measurements, which this system is not for")
LEFT_OUT(results, "they are of measurements, which this system is not for")
