/* SPDX-License-Identifier: MIT */
#ifndef VP_TOOLS_REPORT_H
#define VP_TOOLS_REPORT_H

/* Runs report/report.py: what it is to do, up to two arguments (NULL: none), and a file descriptor as its standard input (-1: nothing).
   Tells as `command` what hinders it. @return the exit code: its own, or VP_EXIT_USAGE where it or Python is missing */
int vp_report_run(const char *command, const char *verb, const char *first, const char *second, int input);

#endif
