/* SPDX-License-Identifier: MIT */
/* The matrix as one page of HTML: a table of families, and one of all vectors, whose rows can be chosen. Without scripts all rows show. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/version.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "tools/check_matrix.h"
#include "tools/command.h"
#include "tools/report_style.h"
#include "tools/report_text.h"

/* Beside the report's. */
static const char style[] =
    ":root { --pass: #0a7a4f; --fail: #b3261e; --refused: #8a6100; }\n"
    "@media (prefers-color-scheme: dark) { :root { --pass: #4cc38a; --fail: #ff8a80; --refused: #e0b040; } }\n"
    "td small { display: block; color: var(--faint); max-width: 46ch; white-space: normal; overflow-wrap: anywhere; }\n"
    ".version { font-weight: normal; color: var(--faint); display: block; }\n"
    ".pass { color: var(--pass); } .fail, .differs, .hang, .crash { color: var(--fail); font-weight: 600; } .refused { color: var(--refused); }\n"
    ".absent { color: var(--faint); }\n";

static const char script[] =
    "<script>\n'use strict';\n"
    "const rows = [...document.querySelector('#vectors tbody').rows];\n"
    "const bar = document.querySelector('.filters');\n"
    "const choose = (label, values) => {\n"
    "  const box = document.createElement('label'), select = document.createElement('select');\n"
    "  for (const [value, text] of values) select.add(new Option(text, value));\n"
    "  select.addEventListener('change', show);\n"
    "  box.append(label + ' ', select);\n"
    "  bar.append(box);\n"
    "  return select;\n"
    "};\n"
    "function show() {\n"
    "  for (const row of rows)\n"
    "    row.hidden = (family.value !== '' && row.dataset.family !== family.value)\n"
    "      || (result.value === 'wrong' && !row.querySelector('.fail, .differs, .hang, .crash, .refused'))\n"
    "      || (result.value === 'differ' && new Set([...row.querySelectorAll('td[class]')].map(c => c.className).filter(c => c !== 'absent')).size < 2);\n"
    "  document.querySelector('#shown').textContent = rows.filter(row => !row.hidden).length + ' of ' + rows.length + ' vectors';\n"
    "}\n"
    "const family = choose('family', [['', 'all'], ...[...new Set(rows.map(row => row.dataset.family))].map(f => [f, f])]);\n"
    "const result = choose('show', [['', 'all vectors'], ['wrong', 'where something is wrong'], ['differ', 'where programs differ']]);\n"
    "show();\n</script>\n";

/* What a program said, of which any byte may be no part of a character: the page is UTF-8. */
static void put_said(const char *text, vp_writing *page)
{
    json_t *name = vp_json_name(text);
    if (name != NULL)
        vp_writing_html(page, json_string_value(name));
    else
        page->failed = true;
    json_decref(name);
}

static void put_columns(const vp_matrix *m, vp_writing *page)
{
    for (size_t c = 0; c < m->columns; c++) {
        vp_writing_put(page, "<th>");
        vp_writing_html(page, m->column[c].name);
        vp_writing_put(page, "<span class=\"version\">");
        vp_writing_html(page, m->column[c].version);
        vp_writing_put(page, "</span></th>");
    }
    vp_writing_put(page, "</tr></thead>\n<tbody>\n");
}

/* How much of a family one program has right. */
static void put_counts(const vp_matrix *m, size_t column, vp_asked_family family, vp_writing *page)
{
    bool any = false;
    vp_writing_put(page, "<td>");
    for (int r = 0; r < VP_RESULT_ABSENT; r++) {
        const uint32_t count = vp_matrix_count(m, column, family, (vp_result)r);
        if (count == 0)
            continue;
        vp_writing_add(page, "%s<span class=\"%s\">%u %s</span>", any ? ", " : "", vp_result_name((vp_result)r), count, vp_result_name((vp_result)r));
        any = true;
    }
    vp_writing_put(page, any ? "</td>" : "<span class=\"absent\">not offered</span></td>");
}

static void put_families(const vp_matrix *m, vp_writing *page)
{
    vp_writing_put(page, "<div class=\"wide\"><table>\n<thead><tr><th>family</th><th class=\"n\">vectors</th>");
    put_columns(m, page);
    for (int f = 0; f < VP_ASKED_COUNT; f++) {
        const uint32_t asked = vp_matrix_asked(m, (vp_asked_family)f);
        if (asked == 0)
            continue;
        vp_writing_add(page, "<tr><td>%s</td><td class=\"n\">%u</td>", vp_questions_name((vp_asked_family)f), asked);
        for (size_t c = 0; c < m->columns; c++)
            put_counts(m, c, (vp_asked_family)f, page);
        vp_writing_put(page, "</tr>\n");
    }
    vp_writing_put(page, "</tbody></table></div>\n");
}

/* A report that a vector derives from, "owner/name#12", as a link. */
static void put_cites(const json_t *cites, vp_writing *page)
{
    size_t i;
    const json_t *cite;
    json_array_foreach (cites, i, cite) {
        const char *text = json_string_value(cite), *mark = text != NULL ? strchr(text, '#') : NULL;
        char name[128];
        if (mark == NULL || (size_t)(mark - text) >= sizeof name)
            continue;
        memcpy(name, text, (size_t)(mark - text));
        name[mark - text] = '\0';
        vp_writing_put(page, "<small>after <a href=\"https://github.com/");
        vp_writing_address(page, name);
        vp_writing_put(page, "/issues/");
        vp_writing_address(page, mark + 1);
        vp_writing_put(page, "\">");
        vp_writing_html(page, text);
        vp_writing_put(page, "</a></small>");
    }
}

static void put_vector(const vp_matrix *m, size_t v, vp_writing *page)
{
    const vp_vector *vector = m->vector[v];
    vp_writing_add(page, "<tr data-family=\"%s\"><td>", vp_questions_name(vector->question.family));
    vp_writing_html(page, vector->id);
    vp_writing_put(page, "<small>");
    vp_writing_html(page, vector->about);
    vp_writing_put(page, "</small>");
    put_cites(vector->cites, page);
    vp_writing_add(page, "</td><td>%s</td>", vp_promise_name(vector->promise));
    for (size_t c = 0; c < m->columns; c++) {
        const vp_cell *cell = &m->column[c].cell[v];
        vp_writing_add(page, "<td class=\"%s\">%s", vp_result_name(cell->result), cell->result == VP_RESULT_ABSENT ? "" : vp_result_name(cell->result));
        if (cell->reason[0] != '\0') {
            vp_writing_put(page, "<small>");
            put_said(cell->reason, page);
            vp_writing_put(page, "</small>");
        }
        vp_writing_put(page, "</td>");
    }
    vp_writing_put(page, "</tr>\n");
}

vp_status vp_matrix_page(const vp_matrix *m, const char *path, vp_error *error)
{
    vp_writing page = {0};
    vp_writing_put(&page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Conformance</title>\n<style>\n");
    for (const char *const *line = vp_report_style; *line != NULL; line++)
        vp_writing_add(&page, "%s\n", *line);
    vp_writing_put(&page, style);
    vp_writing_put(&page, "</style>\n</head>\n<body>\n<h1>Conformance</h1>\n");
    vp_writing_add(&page,
                   "<p>%zu questions of the conformance corpus %s, asked of %zu program%s by voxphys %s. Right answers come from exact arithmetic, "
                   "from trying everything, or from what all right answers have in common; none come from a program that is asked. "
                   "<b>Refused</b>: the program says that it does not answer this. <b>Hang</b>: no answer within %g seconds. <b>Crash</b>: it ended instead. "
                   "<b>Differs</b>: right, where the first program's very words were asked for.</p>\n",
                   m->vectors, m->corpus->version, m->columns, m->columns == 1 ? "" : "s", vp_version_string(), m->limit);
    put_families(m, &page);
    vp_writing_put(&page, "<h2>Every vector</h2>\n<div class=\"filters\"></div>\n<p id=\"shown\"></p>\n<div class=\"wide\"><table id=\"vectors\">\n"
                          "<thead><tr><th>vector</th><th>promised</th>");
    put_columns(m, &page);
    for (size_t v = 0; v < m->vectors; v++)
        put_vector(m, v, &page);
    vp_writing_put(&page, "</tbody></table></div>\n");
    vp_writing_put(&page, script);
    vp_writing_put(&page, "</body>\n</html>\n");
    const vp_status status = page.failed ? vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text)
                                         : vp_file_replace(path, (const uint8_t *)page.bytes, page.length, error);
    vp_writing_destroy(&page);
    return status;
}
