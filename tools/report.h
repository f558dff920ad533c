/* SPDX-License-Identifier: MIT */
/* The Python programs of report/. */
#ifndef VP_TOOLS_REPORT_H
#define VP_TOOLS_REPORT_H

#include <jansson.h>

enum { VP_REPORT_ARGUMENTS = 1010 };

/* Runs a program of report/, such as "report.py", with up to VP_REPORT_ARGUMENTS arguments, which NULL ends. Prints errors as `command`.
   @param input  file descriptor of its standard input, -1 = none
   @return the program's exit code, or VP_EXIT_USAGE if it or Python is missing */
int vp_report_run(const char *command, const char *program, const char *const *arguments, int input);

#endif
