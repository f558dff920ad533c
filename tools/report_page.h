/* SPDX-License-Identifier: MIT */
/* One document written in two forms at once: Markdown and HTML. What is written is plain text, and is escaped
 * for each. */
#ifndef VP_TOOLS_REPORT_PAGE_H
#define VP_TOOLS_REPORT_PAGE_H

#include "tools/report_text.h"

/* Which of the forms something is for. */
enum { VP_IN_MARKDOWN = 1, VP_IN_HTML = 2, VP_IN_BOTH = 3 };

enum { VP_TABLE_COLUMNS = 24, VP_PAGE_SOURCES = 3 };

typedef struct vp_page {
    vp_writing markdown, html;
    vp_writing contents; /* of the HTML: an item of a list for each chapter and each section */
    const char *chapter; /* the machine whose chapter is written; NULL: none */
    const char *folder, *source[VP_PAGE_SOURCES]; /* the files that tables are made from; NULL: not told */
    /* the table that is being written */
    unsigned where;
    size_t columns, cell;
    bool numeric[VP_TABLE_COLUMNS];
    bool body; /* its first row has begun */
    bool lean; /* its cells have no classes */
    const char *mark; /* the class of the next cell; NULL: none */
} vp_page;

void vp_page_destroy(vp_page *page);

/* A machine's chapter begins, up to the next one; NULL: there is none any more. Headings inside of it have anchors that begin with its
   name, and tables say from which of its files they are: vp_page_from. */
void vp_page_chapter(vp_page *page, const char *machine);
/* The files that all tables from here on are made from, in a folder; NULL: no more of them. Told in the HTML. */
void vp_page_from(vp_page *page, const char *folder, const char *first, const char *second, const char *third);

/* A part of the HTML that can be hidden: what is of a machine, or of some kernels (blanks between their names). NULL: of all. */
void vp_page_part(vp_page *page, const char *html_class, const char *machine, const char *kernels);
void vp_page_part_end(vp_page *page);

/* A heading. Its anchor in the HTML: of a chapter's (level 2) as it is given, of those below it behind the chapter's name and a slash;
   NULL: made of its words at level 3, else none. */
void vp_page_heading(vp_page *page, unsigned where, int level, const char *anchor, const char *format, ...)
    VP_PRINTF(5, 6);
/* A paragraph. */
void vp_page_say(vp_page *page, unsigned where, const char *format, ...) VP_PRINTF(3, 4);
/* A paragraph "Raw data: a, b" of links; addresses are relative paths. A NULL ends the names. */
void vp_page_links(vp_page *page, unsigned where, const char *lead, const char *folder,
                   const char *const *names);
/* Markdown that a person wrote: its paragraphs, lists and headings, in the HTML alone. In a README it could pretend to be the page. */
void vp_page_notes(vp_page *page, const char *markdown);
/* A drawing, in the HTML alone, with the file that its figures are from. */
void vp_page_figure(vp_page *page, const vp_writing *svg, const char *caption, const char *folder,
                    const char *file);

/* A link to a file, in the HTML alone. */
void vp_page_put_link(vp_writing *html, const char *folder, const char *name);
/* The address of an anchor of a machine's chapter, "#machine/anchor", for between the quotes of an attribute. */
void vp_page_put_address(vp_writing *html, const char *machine, const char *anchor);

/* A table: begin, columns, and for each row its cells; then end. The HTML's class is for the script and the
 * style; in a "lean" one, for thousands of rows, the style alone tells which cells are figures. */
void vp_table_begin(vp_page *page, unsigned where, const char *html_class);
void vp_table_column(vp_page *page, bool numeric, const char *format, ...) VP_PRINTF(3, 4);
void vp_table_row(vp_page *page);
void vp_table_cell(vp_page *page, const char *format, ...) VP_PRINTF(2, 3);
/* Says whether the next cell is good news, which the HTML shows beside saying it. */
void vp_table_mark(vp_page *page, bool good);
/* A cell that in the HTML leads to an anchor of the chapter. */
void vp_table_cell_link(vp_page *page, const char *anchor, const char *text);
void vp_table_end(vp_page *page);

#endif
