/* SPDX-License-Identifier: MIT */
#include "tools/report_page.h"

#include <stdlib.h>
#include <string.h>

void vp_page_destroy(vp_page *page)
{
    vp_writing_destroy(&page->markdown);
    vp_writing_destroy(&page->html);
}

/* Plain text into the forms that want it, escaped for each. */
static void put_escaped(vp_page *page, unsigned where, const char *format, va_list values) VP_PRINTF(3, 0);

static void put_escaped(vp_page *page, unsigned where, const char *format, va_list values)
{
    char *plain = vp_writing_format(format, values);
    if (plain == NULL) {
        page->markdown.failed = true;
        return;
    }
    if ((where & VP_IN_MARKDOWN) != 0)
        vp_writing_markdown(&page->markdown, plain);
    if ((where & VP_IN_HTML) != 0)
        vp_writing_html(&page->html, plain);
    free(plain);
}

static void put_raw(vp_page *page, unsigned where, const char *markdown, const char *html)
{
    if ((where & VP_IN_MARKDOWN) != 0)
        vp_writing_put(&page->markdown, markdown);
    if ((where & VP_IN_HTML) != 0)
        vp_writing_put(&page->html, html);
}

void vp_page_heading(vp_page *page, unsigned where, int level, const char *anchor, const char *format, ...)
{
    static const char *const hashes[] = {"# ", "## ", "### ", "#### "};
    char open[8] = "<h1", close[8] = "</h1>\n";
    open[2] = close[3] = (char)('0' + level);
    put_raw(page, where, hashes[level - 1], open);
    if (anchor != NULL && (where & VP_IN_HTML) != 0) {
        vp_writing_put(&page->html, " id=\"");
        vp_writing_html(&page->html, anchor);
        vp_writing_put(&page->html, "\"");
    }
    put_raw(page, where, "", ">");
    va_list values;
    va_start(values, format);
    put_escaped(page, where, format, values);
    va_end(values);
    put_raw(page, where, "\n\n", close);
}

void vp_page_say(vp_page *page, unsigned where, const char *format, ...)
{
    put_raw(page, where, "", "<p>");
    va_list values;
    va_start(values, format);
    put_escaped(page, where, format, values);
    va_end(values);
    put_raw(page, where, "\n\n", "</p>\n");
}

static void put_html_link(vp_writing *html, const char *folder, const char *name)
{
    vp_writing_put(html, "<a href=\"");
    vp_writing_address(html, folder);
    vp_writing_put(html, "/");
    vp_writing_address(html, name);
    vp_writing_put(html, "\">");
    vp_writing_html(html, name);
    vp_writing_put(html, "</a>");
}

void vp_page_links(vp_page *page, unsigned where, const char *lead, const char *folder,
                   const char *const *names)
{
    put_raw(page, where, lead, "<p>");
    put_raw(page, where, " ", lead);
    for (size_t i = 0; names[i] != NULL; i++) {
        put_raw(page, where, i != 0 ? ", " : "", i != 0 ? ", " : " ");
        if ((where & VP_IN_HTML) != 0)
            put_html_link(&page->html, folder, names[i]);
        if ((where & VP_IN_MARKDOWN) != 0) {
            vp_writing_put(&page->markdown, "[");
            vp_writing_markdown(&page->markdown, names[i]);
            vp_writing_put(&page->markdown, "](");
            vp_writing_address(&page->markdown, folder);
            vp_writing_put(&page->markdown, "/");
            vp_writing_address(&page->markdown, names[i]);
            vp_writing_put(&page->markdown, ")");
        }
    }
    put_raw(page, where, "\n\n", "</p>\n");
}

void vp_page_figure(vp_page *page, const vp_writing *svg, const char *caption, const char *folder,
                    const char *file)
{
    if (svg->failed || svg->bytes == NULL) {
        page->html.failed = page->html.failed || svg->failed;
        return;
    }
    vp_writing_put(&page->html, "<figure>\n");
    vp_writing_put(&page->html, svg->bytes);
    vp_writing_put(&page->html, "<figcaption>");
    vp_writing_html(&page->html, caption);
    vp_writing_put(&page->html, " Figures from ");
    put_html_link(&page->html, folder, file);
    vp_writing_put(&page->html, ".</figcaption>\n</figure>\n");
}

/* ---- notes ---- */

/* A line with its `code` set as such. A backtick without its partner is one that is shown. */
static void put_line(vp_writing *html, const char *line, size_t length)
{
    char *plain = malloc(length + 1);
    if (plain == NULL) {
        html->failed = true;
        return;
    }
    memcpy(plain, line, length);
    plain[length] = '\0';
    char *rest = plain, *open, *close;
    while ((open = strchr(rest, '`')) != NULL && (close = strchr(open + 1, '`')) != NULL) {
        *open = *close = '\0';
        vp_writing_html(html, rest);
        vp_writing_put(html, "<code>");
        vp_writing_html(html, open + 1);
        vp_writing_put(html, "</code>");
        rest = close + 1;
    }
    vp_writing_html(html, rest);
    free(plain);
}

typedef enum note_block { NOTE_NONE, NOTE_TEXT, NOTE_LIST, NOTE_TABLE } note_block;

static void turn_to(vp_writing *html, note_block *block, note_block next)
{
    static const char *const opened[] = {"", "<p>", "<ul>\n", "<pre>"};
    static const char *const closed[] = {"", "</p>\n", "</li>\n</ul>\n", "</pre>\n"};
    if (*block == next)
        return;
    vp_writing_put(html, closed[*block]);
    vp_writing_put(html, opened[next]);
    *block = next;
}

void vp_page_notes(vp_page *page, const char *markdown)
{
    vp_writing_put(&page->markdown, markdown);
    vp_writing_put(&page->markdown, "\n\n");
    vp_writing *html = &page->html;
    note_block block = NOTE_NONE;
    for (const char *line = markdown; *line != '\0';) {
        size_t length = strcspn(line, "\n"), hashes = strspn(line, "#");
        const char *next = line + length + (line[length] == '\n');
        if (length == 0) {
            turn_to(html, &block, NOTE_NONE);
        } else if (hashes >= 1 && hashes <= 6 && line[hashes] == ' ') {
            turn_to(html, &block, NOTE_NONE);
            vp_writing_put(html, "<h4>");
            put_line(html, line + hashes + 1, length - hashes - 1);
            vp_writing_put(html, "</h4>\n");
        } else if ((line[0] == '-' || line[0] == '*') && line[1] == ' ') {
            if (block == NOTE_LIST)
                vp_writing_put(html, "</li>\n");
            turn_to(html, &block, NOTE_LIST);
            vp_writing_put(html, "<li>");
            put_line(html, line + 2, length - 2);
        } else {
            if (block == NOTE_NONE)
                turn_to(html, &block, line[0] == '|' ? NOTE_TABLE : NOTE_TEXT);
            else
                vp_writing_put(html, "\n");
            put_line(html, line, length);
        }
        line = next;
    }
    turn_to(html, &block, NOTE_NONE);
}

/* ---- tables ---- */

void vp_table_begin(vp_page *page, unsigned where, const char *html_class)
{
    page->where = where;
    page->columns = page->cell = 0;
    page->body = false;
    if ((where & VP_IN_HTML) != 0)
        vp_writing_add(&page->html, "<div class=\"wide\"><table class=\"%s\">\n<thead><tr>", html_class);
}

void vp_table_column(vp_page *page, bool numeric, const char *format, ...)
{
    if (page->columns == VP_TABLE_COLUMNS)
        return;
    put_raw(page, page->where, "| ", numeric ? "<th class=\"n\">" : "<th>");
    va_list values;
    va_start(values, format);
    put_escaped(page, page->where, format, values);
    va_end(values);
    put_raw(page, page->where, " ", "</th>");
    page->numeric[page->columns++] = numeric;
}

/* Ends the line before: the head's or a row's, which is filled up where it has too few cells. */
static void end_row(vp_page *page)
{
    if (page->body) {
        while (page->cell < page->columns)
            vp_table_cell(page, "%s", "");
        put_raw(page, page->where, "|\n", "</tr>\n");
        return;
    }
    put_raw(page, page->where, "|\n", "</tr></thead>\n<tbody>\n");
    for (size_t c = 0; c < page->columns; c++)
        put_raw(page, page->where & VP_IN_MARKDOWN, page->numeric[c] ? "| ---: " : "| --- ", "");
    put_raw(page, page->where & VP_IN_MARKDOWN, "|\n", "");
    page->body = true;
}

void vp_table_row(vp_page *page)
{
    end_row(page);
    page->cell = 0;
    put_raw(page, page->where, "", "<tr>");
}

void vp_table_cell(vp_page *page, const char *format, ...)
{
    if (page->cell == page->columns)
        return;
    put_raw(page, page->where, "| ", page->numeric[page->cell] ? "<td class=\"n\">" : "<td>");
    va_list values;
    va_start(values, format);
    put_escaped(page, page->where, format, values);
    va_end(values);
    put_raw(page, page->where, " ", "</td>");
    page->cell++;
}

void vp_table_end(vp_page *page)
{
    end_row(page);
    put_raw(page, page->where, "\n", "</tbody>\n</table></div>\n");
}
