/* SPDX-License-Identifier: MIT */
/* The pages' styles and script, line by line; a NULL ends them. */
#ifndef VP_TOOLS_REPORT_STYLE_H
#define VP_TOOLS_REPORT_STYLE_H

/* Colours, tables, drawings: of every page. */
extern const char *const vp_report_style[];
/* How the report itself is laid out, on screens and on paper; and its script, which sorts and filters. */
extern const char *const vp_report_layout[];
extern const char *const vp_report_script[];

#endif
