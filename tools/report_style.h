/* SPDX-License-Identifier: MIT */
/* The report page's style and script, line by line; a NULL ends them. */
#ifndef VP_TOOLS_REPORT_STYLE_H
#define VP_TOOLS_REPORT_STYLE_H

extern const char *const vp_report_style[];
extern const char *const vp_report_script[];

#endif
