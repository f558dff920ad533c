/* SPDX-License-Identifier: MIT */
/* One document written in two forms at once: Markdown and HTML. What is written is plain text, and is escaped
 * for each. */
#ifndef VP_TOOLS_REPORT_PAGE_H
#define VP_TOOLS_REPORT_PAGE_H

#include "tools/report_text.h"

/* Which of the forms something is for. */
enum { VP_IN_MARKDOWN = 1, VP_IN_HTML = 2, VP_IN_BOTH = 3 };

enum { VP_TABLE_COLUMNS = 24 };

typedef struct vp_page {
    vp_writing markdown, html;
    /* the table that is being written */
    unsigned where;
    size_t columns, cell;
    bool numeric[VP_TABLE_COLUMNS];
    bool body; /* its first row has begun */
} vp_page;

void vp_page_destroy(vp_page *page);

/* A heading with an anchor in the HTML; NULL: none. */
void vp_page_heading(vp_page *page, unsigned where, int level, const char *anchor, const char *format, ...)
    VP_PRINTF(5, 6);
/* A paragraph. */
void vp_page_say(vp_page *page, unsigned where, const char *format, ...) VP_PRINTF(3, 4);
/* A paragraph "Raw data: a, b" of links; addresses are relative paths. A NULL ends the names. */
void vp_page_links(vp_page *page, unsigned where, const char *lead, const char *folder,
                   const char *const *names);
/* Markdown that a person wrote: verbatim in the Markdown, its paragraphs, lists and headings in the HTML. */
void vp_page_notes(vp_page *page, const char *markdown);
/* A drawing, in the HTML alone, with the file that its figures are from. */
void vp_page_figure(vp_page *page, const vp_writing *svg, const char *caption, const char *folder,
                    const char *file);

/* A table: begin, columns, and for each row its cells; then end. The HTML's class is for the script and the
 * style. */
void vp_table_begin(vp_page *page, unsigned where, const char *html_class);
void vp_table_column(vp_page *page, bool numeric, const char *format, ...) VP_PRINTF(3, 4);
void vp_table_row(vp_page *page);
void vp_table_cell(vp_page *page, const char *format, ...) VP_PRINTF(2, 3);
void vp_table_end(vp_page *page);

#endif
