/* SPDX-License-Identifier: MIT */
/* The Python program of the report. */
#ifndef VP_TOOLS_REPORT_H
#define VP_TOOLS_REPORT_H

/* Runs report/report.py with a verb and up to two arguments (NULL = none). `input` is a file descriptor for its standard input,
   -1 = none. Prints errors as `command`. @return the program's exit code, or VP_EXIT_USAGE if it or Python is missing */
int vp_report_run(const char *command, const char *verb, const char *first, const char *second, int input);

#endif
