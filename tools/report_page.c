/* SPDX-License-Identifier: MIT */
#include "tools/report_page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void vp_page_destroy(vp_page *page)
{
    vp_writing_destroy(&page->markdown);
    vp_writing_destroy(&page->html);
    vp_writing_destroy(&page->contents);
}

/* Plain text into the forms that want it, escaped for each. */
static void put_plain(vp_page *page, unsigned where, const char *plain)
{
    if ((where & VP_IN_MARKDOWN) != 0)
        vp_writing_markdown(&page->markdown, plain);
    if ((where & VP_IN_HTML) != 0)
        vp_writing_html(&page->html, plain);
}

static void put_escaped(vp_page *page, unsigned where, const char *format, va_list values) VP_PRINTF(3, 0);

static void put_escaped(vp_page *page, unsigned where, const char *format, va_list values)
{
    char *plain = vp_writing_format(format, values);
    if (plain == NULL) {
        page->markdown.failed = true;
        return;
    }
    put_plain(page, where, plain);
    free(plain);
}

static void put_raw(vp_page *page, unsigned where, const char *markdown, const char *html)
{
    if ((where & VP_IN_MARKDOWN) != 0)
        vp_writing_put(&page->markdown, markdown);
    if ((where & VP_IN_HTML) != 0)
        vp_writing_put(&page->html, html);
}

/* ---- chapters, parts, headings ---- */

void vp_page_chapter(vp_page *page, const char *machine)
{
    page->chapter = machine;
    vp_page_from(page, NULL, NULL, NULL, NULL);
}

void vp_page_from(vp_page *page, const char *folder, const char *first, const char *second, const char *third)
{
    const char *const given[VP_PAGE_SOURCES] = {first, second, third};
    size_t count = 0;
    page->folder = folder;
    memset(page->source, 0, sizeof page->source);
    for (size_t i = 0; i < VP_PAGE_SOURCES; i++)
        if (given[i] != NULL)
            page->source[count++] = given[i];
}

static void put_attribute(vp_writing *html, const char *name, const char *value)
{
    if (value == NULL)
        return;
    vp_writing_add(html, " %s=\"", name);
    vp_writing_html(html, value);
    vp_writing_put(html, "\"");
}

void vp_page_part(vp_page *page, const char *html_class, const char *machine, const char *kernels)
{
    vp_writing_put(&page->html, "<section");
    put_attribute(&page->html, "class", html_class);
    put_attribute(&page->html, "data-machine", machine);
    put_attribute(&page->html, "data-kernels", kernels);
    vp_writing_put(&page->html, ">\n");
}

void vp_page_part_end(vp_page *page)
{
    vp_writing_put(&page->html, "</section>\n");
}

void vp_page_put_address(vp_writing *html, const char *machine, const char *anchor)
{
    vp_writing_put(html, "#");
    vp_writing_address(html, machine);
    vp_writing_put(html, "/");
    vp_writing_address(html, anchor);
}

/* A heading's words as a part of an address: "What a ray looks at" becomes "what-a-ray-looks-at", in place. */
static void make_slug(char *words)
{
    char *end = words;
    for (const char *p = words; *p != '\0'; p++) {
        if (isalnum((unsigned char)*p) || *p == '_')
            *end++ = (char)tolower((unsigned char)*p);
        else if (end != words && end[-1] != '-')
            *end++ = '-';
    }
    if (end != words && end[-1] == '-')
        end--;
    *end = '\0';
}

/* The line of a heading in the page's table of contents. */
static void put_content(vp_page *page, int level, const char *anchor, const char *plain)
{
    vp_writing *contents = &page->contents;
    vp_writing_add(contents, "<li class=\"of-%d\"", level);
    put_attribute(contents, "data-machine", page->chapter);
    vp_writing_put(contents, "><a href=\"");
    if (level > 2 && page->chapter != NULL) {
        vp_page_put_address(contents, page->chapter, anchor);
    } else {
        vp_writing_put(contents, "#");
        vp_writing_address(contents, anchor);
    }
    vp_writing_put(contents, "\">");
    vp_writing_html(contents, plain);
    vp_writing_put(contents, "</a></li>\n");
}

static void put_anchor(vp_page *page, int level, const char *anchor)
{
    vp_writing_put(&page->html, " id=\"");
    if (level > 2 && page->chapter != NULL) {
        vp_writing_html(&page->html, page->chapter);
        vp_writing_put(&page->html, "/");
    }
    vp_writing_html(&page->html, anchor);
    vp_writing_put(&page->html, "\"");
}

void vp_page_heading(vp_page *page, unsigned where, int level, const char *anchor, const char *format, ...)
{
    static const char *const hashes[] = {"# ", "## ", "### ", "#### "};
    char open[8] = "<h1", close[8] = "</h1>\n";
    open[2] = close[3] = (char)('0' + level);
    va_list values;
    va_start(values, format);
    char *plain = vp_writing_format(format, values);
    va_end(values);
    char *slug = plain != NULL ? malloc(strlen(plain) + 1) : NULL;
    if (slug == NULL) {
        page->html.failed = true;
        free(plain);
        return;
    }
    memcpy(slug, plain, strlen(plain) + 1);
    make_slug(slug);
    if (anchor == NULL && level == 3 && slug[0] != '\0')
        anchor = slug;
    put_raw(page, where, hashes[level - 1], open);
    if (anchor != NULL && (where & VP_IN_HTML) != 0) {
        put_anchor(page, level, anchor);
        if (level == 2 || level == 3)
            put_content(page, level, anchor, plain);
    }
    put_raw(page, where, "", ">");
    put_plain(page, where, plain);
    put_raw(page, where, "\n\n", close);
    free(slug);
    free(plain);
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

void vp_page_put_link(vp_writing *html, const char *folder, const char *name)
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
            vp_page_put_link(&page->html, folder, names[i]);
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
    vp_page_put_link(&page->html, folder, file);
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

/* "Figures from bench.json": which raw files a table is made from. */
static void put_sources(vp_page *page)
{
    vp_writing *html = &page->html;
    if (page->folder == NULL || page->source[0] == NULL)
        return;
    vp_writing_put(html, "<caption>Figures from ");
    for (size_t i = 0; i < VP_PAGE_SOURCES && page->source[i] != NULL; i++) {
        vp_writing_put(html, i != 0 ? ", " : "");
        vp_page_put_link(html, page->folder, page->source[i]);
    }
    vp_writing_put(html, "</caption>\n");
}

void vp_table_begin(vp_page *page, unsigned where, const char *html_class)
{
    page->where = where;
    page->columns = page->cell = 0;
    page->body = false;
    page->lean = strstr(html_class, "lean") != NULL;
    if ((where & VP_IN_HTML) == 0)
        return;
    vp_writing_add(&page->html, "<div class=\"wide\"><table class=\"%s\">\n", html_class);
    put_sources(page);
    vp_writing_put(&page->html, "<thead><tr>");
}

static void open_cell(vp_page *page)
{
    const bool numeric = page->numeric[page->cell] && !page->lean;
    put_raw(page, page->where, "| ", "<td");
    if ((page->where & VP_IN_HTML) != 0 && (numeric || page->mark != NULL))
        vp_writing_add(&page->html, " class=\"%s%s%s\"", numeric ? "n" : "", numeric && page->mark != NULL ? " " : "",
                       page->mark != NULL ? page->mark : "");
    put_raw(page, page->where, "", ">");
    page->mark = NULL;
}

void vp_table_mark(vp_page *page, bool good)
{
    page->mark = good ? "good" : "bad";
}

static void close_cell(vp_page *page)
{
    put_raw(page, page->where, " ", "</td>");
    page->cell++;
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
    open_cell(page);
    va_list values;
    va_start(values, format);
    put_escaped(page, page->where, format, values);
    va_end(values);
    close_cell(page);
}

void vp_table_cell_link(vp_page *page, const char *anchor, const char *text)
{
    if (page->cell == page->columns)
        return;
    open_cell(page);
    if (page->chapter != NULL) {
        put_raw(page, page->where, "", "<a href=\"");
        if ((page->where & VP_IN_HTML) != 0)
            vp_page_put_address(&page->html, page->chapter, anchor);
        put_raw(page, page->where, "", "\">");
    }
    put_plain(page, page->where, text);
    put_raw(page, page->where, "", page->chapter != NULL ? "</a>" : "");
    close_cell(page);
}

void vp_table_end(vp_page *page)
{
    end_row(page);
    put_raw(page, page->where, "\n", "</tbody>\n</table></div>\n");
}
